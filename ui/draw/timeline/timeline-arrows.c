#include "ui/draw/timeline/timeline-arrows.h"

/* The slice of an op or a transfer. */
static GobanSlicePlace
find_step (const GobanTimelineScene *scene, const GobanStep *step)
{
  return step->is_transfer ? goban_timeline_scene_find_transfer (scene, step->index)
                           : goban_timeline_scene_find_op (scene, step->index);
}

static void
add_arrow (GArray *arrows, GobanSlicePlace from, GobanSlicePlace to)
{
  GobanTimelineArrow arrow = { from, to };

  if (from.lane != GOBAN_NO_LANE && to.lane != GOBAN_NO_LANE)
    g_array_append_val (arrows, arrow);
}

/* --- a selection --------------------------------------------------------------------------- */

typedef struct
{
  GobanGraph *graph;
  GArray *edges; /* of GobanEdgeId, each once */
  guint8 *is_taken;
  gboolean is_too_many;
} Gathering;

/* Edges into, or out of, the nodes of @frontier; leaves the nodes at their other ends there. */
static void
gather_hop (Gathering *g, GArray *frontier, gboolean inputs)
{
  guint n = frontier->len;

  for (guint i = 0; i < n; i++)
    {
      GobanNodeId v = g_array_index (frontier, GobanNodeId, i);
      GobanEdgeSpan span = inputs ? goban_graph_get_in_edges (g->graph, v)
                                  : goban_graph_get_out_edges (g->graph, v);

      for (guint e = 0; e < span.n; e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (g->graph, span.ids[e]);

          if (g->is_taken[span.ids[e]])
            continue;
          if (g->edges->len >= GOBAN_MAX_TIMELINE_ARROWS)
            {
              g->is_too_many = TRUE;
              return;
            }
          g->is_taken[span.ids[e]] = TRUE;
          g_array_append_val (g->edges, span.ids[e]);
          g_array_append_val (frontier, *(inputs ? &edge->tail : &edge->head));
        }
    }
  g_array_remove_range (frontier, 0, n);
}

static void
gather_cone (Gathering *g, const GobanSelection *nodes, guint n_hops, gboolean inputs)
{
  g_autoptr (GArray) frontier = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  g_array_append_vals (frontier, ids, n);
  for (guint hop = 0; hop < n_hops && frontier->len > 0 && !g->is_too_many; hop++)
    gather_hop (g, frontier, inputs);
}

static gpointer
transfer_key (GobanTensorId tensor, GobanDeviceId to)
{
  return GSIZE_TO_POINTER ((gsize) tensor * GOBAN_MAX_DEVICES + to + 1);
}

/* The transfers of the edges, by key; one look at each of the trace's. (transfer full) */
static GHashTable *
find_transfers (const Gathering *g, const GobanTrace *trace)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  GHashTable *found = g_hash_table_new (NULL, NULL);
  const GobanPlan *plan = goban_trace_get_plan (trace);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (guint i = 0; i < g->edges->len; i++)
    {
      const GobanEdge *edge
          = goban_graph_get_edge (g->graph, g_array_index (g->edges, GobanEdgeId, i));

      g_hash_table_add (wanted,
                        transfer_key (edge->tensor, goban_plan_get_device (plan, edge->head)));
    }
  for (guint i = 0; i < n; i++)
    {
      gpointer key = transfer_key (transfers[i].tensor, transfers[i].to);

      if (g_hash_table_contains (wanted, key))
        g_hash_table_insert (found, key, GUINT_TO_POINTER (i + 1));
    }
  return found;
}

static int
compare_arrows (gconstpointer pa, gconstpointer pb)
{
  const GobanTimelineArrow *a = pa;
  const GobanTimelineArrow *b = pb;
  const guint32 ka[] = { a->from.lane, a->from.slice, a->to.lane, a->to.slice };
  const guint32 kb[] = { b->from.lane, b->from.slice, b->to.lane, b->to.slice };

  for (guint i = 0; i < G_N_ELEMENTS (ka); i++)
    if (ka[i] != kb[i])
      return ka[i] < kb[i] ? -1 : 1;
  return 0;
}

/* One tensor may go by one transfer to several readers. */
static void
drop_doubles (GArray *arrows)
{
  guint n = 0;

  g_array_sort (arrows, compare_arrows);
  for (guint i = 0; i < arrows->len; i++)
    {
      GobanTimelineArrow arrow = g_array_index (arrows, GobanTimelineArrow, i);

      if (n == 0
          || compare_arrows (&arrow, &g_array_index (arrows, GobanTimelineArrow, n - 1)) != 0)
        g_array_index (arrows, GobanTimelineArrow, n++) = arrow;
    }
  g_array_set_size (arrows, n);
}

static void
add_edges (GArray *arrows, const Gathering *g, const GobanTimelineScene *scene,
           const GobanTrace *trace)
{
  const GobanPlan *plan = goban_trace_get_plan (trace);
  g_autoptr (GHashTable) transfers = find_transfers (g, trace);

  for (guint i = 0; i < g->edges->len; i++)
    {
      const GobanEdge *edge
          = goban_graph_get_edge (g->graph, g_array_index (g->edges, GobanEdgeId, i));
      gpointer key = transfer_key (edge->tensor, goban_plan_get_device (plan, edge->head));
      guint transfer = GPOINTER_TO_UINT (g_hash_table_lookup (transfers, key));
      GobanSlicePlace from = goban_timeline_scene_find_op (scene, edge->tail);
      GobanSlicePlace to = goban_timeline_scene_find_op (scene, edge->head);
      GobanSlicePlace way = { GOBAN_NO_LANE, 0 };

      if (transfer > 0)
        way = goban_timeline_scene_find_transfer (scene, transfer - 1);
      if (way.lane == GOBAN_NO_LANE)
        {
          add_arrow (arrows, from, to);
          continue;
        }
      add_arrow (arrows, from, way);
      add_arrow (arrows, way, to);
    }
}

GArray *
goban_timeline_arrows_new (const GobanTimelineScene *scene, GobanTrace *trace,
                           const GobanSelection *nodes, guint n_hops)
{
  GArray *arrows = g_array_new (FALSE, FALSE, sizeof (GobanTimelineArrow));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (GobanEdgeId));
  Gathering g
      = { .graph = goban_cost_model_get_graph (goban_trace_get_costs (trace)), .edges = edges };
  g_autofree guint8 *is_taken = g_malloc0 (MAX (goban_graph_get_n_edges (g.graph), 1));

  g.is_taken = is_taken;
  gather_cone (&g, nodes, n_hops, TRUE);
  gather_cone (&g, nodes, n_hops, FALSE);
  if (!g.is_too_many)
    add_edges (arrows, &g, scene, trace);
  drop_doubles (arrows);
  if (arrows->len > GOBAN_MAX_TIMELINE_ARROWS)
    g_array_set_size (arrows, 0);
  return arrows;
}

/* --- a chain ------------------------------------------------------------------------------- */

GArray *
goban_timeline_chain_new (const GobanTimelineScene *scene, const GobanCauses *causes)
{
  GArray *arrows = g_array_new (FALSE, FALSE, sizeof (GobanTimelineArrow));
  guint n;
  const GobanCause *all = goban_causes_get (causes, &n);

  /* The nearest causes: further ones are out of sight, or too many to be seen. */
  for (guint i = MIN (n, GOBAN_MAX_TIMELINE_ARROWS); i-- > 1;)
    if (all[i].kind != GOBAN_CAUSE_DONE && all[i].kind != GOBAN_CAUSE_NEVER)
      add_arrow (arrows, find_step (scene, &all[i].step), find_step (scene, &all[i - 1].step));
  return arrows;
}
