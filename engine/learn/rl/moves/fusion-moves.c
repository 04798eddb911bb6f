#include "engine/learn/rl/moves/fusion-moves.h"

#include "engine/sim/fusion/fusion-rules.h"

#include <math.h>
#include <string.h>

/* Least weight of an op with slack, because saved work leaves room for other work. */
#define LEAST_WEIGHT 0.05

/* Largest number of stored moves. */
#define MOST_MOVES 512

/* --- construction and disposal -------------------------------------------------------------- */

/* Text of the types of the op and of its readers, and of its phase. (transfer full) */
static char *
describe (const GobanGraph *graph, GobanNodeId node)
{
  const GobanNode *own = goban_graph_get_node (graph, node);
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GString *text = g_string_new (own->op);

  g_string_append_printf (text, "|%d", own->phase);
  for (guint i = 0; i < MIN (out.n, 4); i++)
    g_string_append_printf (
        text, "|%s",
        goban_graph_get_node (graph, goban_graph_get_edge (graph, out.ids[i])->head)->op);
  return g_string_free (text, FALSE);
}

static void
find_kinds (GobanFusionMoves *self)
{
  const GobanGraph *graph = self->profile->units->graph;
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (GobanNodeId v = 0; v < self->profile->n_nodes; v++)
    {
      g_autofree char *text = describe (graph, v);
      gpointer known;

      self->classes[v] = (guint8) goban_fusion_classify (goban_graph_get_node (graph, v)->op);
      if (!g_hash_table_lookup_extended (kinds, text, NULL, &known))
        {
          known = GUINT_TO_POINTER (self->n_kinds++);
          g_hash_table_insert (kinds, g_steal_pointer (&text), known);
        }
      self->kind_of[v] = GPOINTER_TO_UINT (known);
    }
}

GobanFusionMoves *
goban_fusion_moves_new (const GobanPlanProfile *profile)
{
  GobanFusionMoves *self = g_new0 (GobanFusionMoves, 1);

  self->profile = profile;
  self->moves = g_array_new (FALSE, FALSE, sizeof (GobanScoredMove));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->classes = g_new0 (guint8, (gsize) profile->n_nodes + 1);
  self->kind_of = g_new0 (guint32, (gsize) profile->n_nodes + 1);
  find_kinds (self);
  return self;
}

void
goban_fusion_moves_free (GobanFusionMoves *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->moves);
  g_array_unref (self->nodes);
  g_free (self->classes);
  g_free (self->kind_of);
  g_free (self);
}

/* --- scores --------------------------------------------------------------------------------- */

static double
get_weight (const GobanFusionMoves *self, GobanNodeId node)
{
  const GobanPlanProfile *profile = self->profile;
  double slack_us = profile->latest_us[node] - profile->start_us[node];

  return MAX (goban_plan_profile_weigh_slack (profile, slack_us), LEAST_WEIGHT);
}

/* Time saved if the op is fused with all its readers on its device; 0 if they are fused or cannot
 * be. */
static double
get_saving_us (const GobanFusionMoves *self, const GobanTrace *trace, GobanNodeId node)
{
  const GobanGraph *graph = self->profile->units->graph;
  GobanDeviceId here = self->profile->device_of[node];
  const GobanDevice *device = goban_cluster_get_device (self->profile->units->cluster, here);
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GobanNodeId last = goban_trace_get_kernel (trace, node);
  double bytes = 0;
  double saved_us = 0;
  gboolean is_shared = FALSE;
  guint n_heavy = self->classes[node] == GOBAN_FUSION_HEAVY;
  guint n_reductions = self->classes[node] == GOBAN_FUSION_REDUCTION;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);
      const GobanTensor *tensor = goban_graph_get_tensor (graph, edge->tensor);
      GobanNodeId kernel = goban_trace_get_kernel (trace, edge->head);
      guint8 class = self->classes[edge->head];

      if (tensor->is_control)
        continue;
      if (self->profile->device_of[edge->head] != here)
        {
          is_shared = TRUE;
          continue;
        }
      n_heavy += class == GOBAN_FUSION_HEAVY;
      n_reductions += class == GOBAN_FUSION_REDUCTION;
      if (class == GOBAN_FUSION_OPAQUE || n_heavy > 1 || n_reductions > 1)
        return 0;
      if (kernel == last)
        continue;
      saved_us += MIN (device->launch_us,
                       self->profile->finish_us[edge->head] - self->profile->start_us[edge->head]);
      bytes += tensor->size_bytes;
      last = kernel;
    }
  if (!is_shared && bytes > 0)
    saved_us += (bytes + goban_graph_get_output_bytes (graph, node))
                / goban_device_get_memory_per_us (device);
  return saved_us;
}

/* How much earlier readers on other devices could get the output of a kernel's member. */
static double
get_delay_us (const GobanFusionMoves *self, const GobanTrace *trace, GobanNodeId node)
{
  const GobanPlanProfile *profile = self->profile;
  const GobanGraph *graph = profile->units->graph;
  const GobanOpSpan *span = &goban_trace_get_ops (trace)[node];
  GobanNodeId kernel = goban_trace_get_kernel (trace, node);
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  double most_us = 0;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);

      if (goban_trace_get_kernel (trace, edge->head) != kernel)
        most_us = MAX (most_us, get_weight (self, edge->head)
                                    * (span->finish_us - profile->finish_us[node]));
    }
  return most_us;
}

/* --- moves ---------------------------------------------------------------------------------- */

typedef struct
{
  double sum_us;
  guint n;
} Kind;

static void
add_single (GobanFusionMoves *self, GobanNodeId node, gboolean joins, double score_us)
{
  GobanScoredMove move = { .first = self->nodes->len,
                           .n = 1,
                           .joins = joins,
                           .score = (float) (score_us / self->profile->makespan_us) };

  g_array_append_val (self->nodes, node);
  g_array_append_val (self->moves, move);
}

/* Adds moves of all ops of a kind that would gain. */
static void
add_kinds (GobanFusionMoves *self, const double *gains_us, gboolean joins)
{
  guint n = self->profile->n_nodes;
  g_autofree Kind *kinds = g_new0 (Kind, self->n_kinds + 1);
  g_autofree guint32 *at = g_new0 (guint32, self->n_kinds + 1);
  guint32 first = self->nodes->len;

  for (GobanNodeId v = 0; v < n; v++)
    if (gains_us[v] > 0)
      {
        kinds[self->kind_of[v]].sum_us += gains_us[v];
        kinds[self->kind_of[v]].n++;
      }
  for (guint k = 0; k < self->n_kinds; k++)
    {
      GobanScoredMove move = { .first = first,
                               .n = kinds[k].n,
                               .joins = joins,
                               .score = (float) (kinds[k].sum_us / self->profile->makespan_us) };

      at[k] = first;
      if (kinds[k].n < 2)
        continue;
      first += kinds[k].n;
      g_array_append_val (self->moves, move);
    }
  g_array_set_size (self->nodes, first);
  for (GobanNodeId v = 0; v < n; v++)
    if (gains_us[v] > 0 && kinds[self->kind_of[v]].n > 1)
      g_array_index (self->nodes, guint32, at[self->kind_of[v]]++) = v;
}

void
goban_fusion_moves_read (GobanFusionMoves *self, const GobanTrace *trace)
{
  guint n = self->profile->n_nodes;
  g_autofree double *savings_us = g_new0 (double, (gsize) n + 1);
  g_autofree double *delays_us = g_new0 (double, (gsize) n + 1);

  g_array_set_size (self->moves, 0);
  g_array_set_size (self->nodes, 0);
  for (GobanNodeId v = 0; v < n; v++)
    {
      if (self->classes[v] == GOBAN_FUSION_OPAQUE)
        continue;
      savings_us[v] = get_saving_us (self, trace, v) * get_weight (self, v);
      if (goban_trace_get_kernel (trace, v) != v
          || goban_trace_get_next_fused (trace, v) != GOBAN_NO_NODE)
        delays_us[v] = get_delay_us (self, trace, v);
      if (savings_us[v] > 0)
        add_single (self, v, TRUE, savings_us[v]);
      if (delays_us[v] > 0)
        add_single (self, v, FALSE, delays_us[v]);
    }
  add_kinds (self, savings_us, TRUE);
  add_kinds (self, delays_us, FALSE);
  goban_scored_moves_sort (self->moves);
  if (self->moves->len > MOST_MOVES)
    g_array_set_size (self->moves, MOST_MOVES);
}
