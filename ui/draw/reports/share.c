#include "ui/draw/reports/share.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/progress.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/bottlenecks.h"
#include "engine/study/analysis/difference/device-matching.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/run-list.h"
#include "share-resources.h"
#include "ui/draw/charts/waterfall.h"
#include "ui/draw/graph/graph-plot.h"

#include <math.h>
#include <string.h>

#define MAX_CAUSES 8
/* Steps of the time axis: finer than a pixel until it is zoomed in a thousand times. */
#define N_TICKS 1e6

/* The shared data of one run. */
typedef struct
{
  GobanRun *run;
  const GobanPlot *plot;
  double tick_us;                      /* unit of the times of slices */
  guint max_slices;                    /* of each lane */
  const GobanDeviceMatching *matching; /* (nullable) with the first run */
  const GobanProgress *progress;
} ShareRun;

/* --- open groups ---------------------------------------------------------------------------- */

/* Boxes that take the place of a closed group's. */
static guint
count_inside (const GobanGroup *group)
{
  return group->n_groups + group->n_own;
}

/* The largest closed group that fits when it is opened; GOBAN_NO_SUCH_GROUP: none. */
static guint32
find_largest (const GobanHierarchy *hierarchy, const gboolean *is_seen, const gboolean *is_open,
              guint room)
{
  guint32 best = GOBAN_NO_SUCH_GROUP;
  guint most = 0;

  for (guint32 g = 0; g < goban_hierarchy_get_n_groups (hierarchy); g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (hierarchy, g);

      if (is_seen[g] && !is_open[g] && group->n_nodes > most && count_inside (group) <= room + 1)
        {
          best = g;
          most = group->n_nodes;
        }
    }
  return best;
}

static void
open_group (const GobanHierarchy *hierarchy, guint32 group, gboolean *is_seen, gboolean *is_open)
{
  guint n;
  const guint32 *children = goban_hierarchy_get_children (hierarchy, group, &n);

  is_open[group] = TRUE;
  for (guint i = 0; i < n; i++)
    is_seen[children[i]] = TRUE;
}

/* Paths of groups to open, the largest first, up to GOBAN_SHARE_ITEMS boxes. (transfer full) */
static char **
list_open (const GobanHierarchy *hierarchy)
{
  guint n_groups = goban_hierarchy_get_n_groups (hierarchy);
  g_autofree gboolean *is_seen = g_new0 (gboolean, n_groups);
  g_autofree gboolean *is_open = g_new0 (gboolean, n_groups);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  guint n_boxes = count_inside (goban_hierarchy_get_group (hierarchy, 0));
  guint32 group;

  open_group (hierarchy, 0, is_seen, is_open);
  while (n_boxes < GOBAN_SHARE_ITEMS
         && (group = find_largest (hierarchy, is_seen, is_open, GOBAN_SHARE_ITEMS - n_boxes))
                != GOBAN_NO_SUCH_GROUP)
    {
      const GobanGroup *opened = goban_hierarchy_get_group (hierarchy, group);

      open_group (hierarchy, group, is_seen, is_open);
      n_boxes += count_inside (opened) - 1;
      g_strv_builder_add (paths, opened->path);
    }
  return g_strv_builder_end (paths);
}

/* Grouped if it has too many nodes: as the window does it, else by scopes, whose folds are
 * ranges. */
static GobanHierarchy *
new_hierarchy (GobanGraph *graph)
{
  gboolean is_small = goban_graph_get_n_nodes (graph) <= GOBAN_SHARE_ITEMS / 4;
  g_autoptr (GobanHierarchy) usual
      = goban_hierarchy_new (graph, is_small ? GOBAN_GROUPING_NONE : GOBAN_GROUPING_AUTO, NULL);

  if (is_small || goban_graph_get_n_nodes (graph) <= GOBAN_SHARE_ITEMS
      || goban_hierarchy_get_n_groups (usual) > 1)
    return g_steal_pointer (&usual);
  return goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
}

/* The graph with as many groups open as the page can hold. (transfer full) (nullable): as
 * goban_plot_new() */
static GobanPlot *
make_plot (GobanGraph *graph, const GobanProgress *progress, GError **error)
{
  g_autoptr (GobanHierarchy) hierarchy = new_hierarchy (graph);
  g_auto (GStrv) expanded = list_open (hierarchy);
  GobanLook look = { .grouping = goban_hierarchy_get_grouping (hierarchy),
                     .hierarchy = hierarchy,
                     .expanded = (const char *const *) expanded,
                     .progress = progress };

  return goban_plot_new (graph, &look, error);
}

/* --- the JSON -------------------------------------------------------------------------------- */

/* A comma, unless it is the first of a list. */
static void
separate (GString *json)
{
  if (json->len > 0 && json->str[json->len - 1] != '[')
    g_string_append_c (json, ',');
}

/* Elements of a list, with commas between them: "[1,2,3]". */
static void
add_int (GString *json, gint64 value)
{
  separate (json);
  g_string_append_printf (json, "%" G_GINT64_FORMAT, value);
}

static void
add_text (GString *json, const char *text)
{
  separate (json);
  goban_json_append_string (json, text);
}

static void
open_list (GString *json, const char *key, char bracket)
{
  if (key != NULL)
    goban_json_append_key (json, key);
  else
    separate (json);
  g_string_append_c (json, bracket);
}

static void
close_list (GString *json, char bracket)
{
  g_string_append_c (json, bracket);
}

static void
add_box (GString *json, GobanBox box)
{
  add_int (json, lround (box.x0));
  add_int (json, lround (box.y0));
  add_int (json, lround (box.x1));
  add_int (json, lround (box.y1));
}

/* Six numbers an item: x0, y0, x1, y1, nodes, and the open group around it (0: none). */
static void
add_items (GString *json, const GobanPlot *plot)
{
  const GobanOutline *outline = plot->outline;

  open_list (json, "boxes", '[');
  for (guint i = 0; i < outline->n_items; i++)
    {
      add_box (json, goban_layout_node_box (plot->layout, i));
      add_int (json, outline->items[i].n_nodes);
      add_int (json, outline->items[i].hull);
    }
  close_list (json, ']');
  open_list (json, "names", '[');
  for (guint i = 0; i < outline->n_items; i++)
    {
      const GobanGroup *group = goban_outline_get_item_group (outline, i);

      add_text (json, group != NULL ? group->name
                                    : goban_hierarchy_get_label_of (plot->hierarchy,
                                                                    outline->items[i].first));
    }
  close_list (json, ']');
  open_list (json, "ops", '[');
  for (guint i = 0; i < outline->n_items; i++)
    add_text (json, goban_outline_get_item_group (outline, i) != NULL
                        ? ""
                        : goban_graph_get_node (outline->graph, outline->items[i].first)->op);
  close_list (json, ']');
}

/* Open groups but the graph itself: box, the open group around it (0: none), nodes, path. */
static void
add_hulls (GString *json, const GobanPlot *plot)
{
  open_list (json, "groups", '[');
  for (guint h = 1; plot->layout->hulls != NULL && h < plot->layout->n_hulls; h++)
    {
      open_list (json, NULL, '[');
      add_box (json, plot->layout->hulls[h]);
      add_int (json, plot->outline->hulls[h].parent);
      add_int (json, plot->outline->hulls[h].n_nodes);
      add_text (json, goban_outline_get_hull_group (plot->outline, h)->path);
      close_list (json, ']');
    }
  close_list (json, ']');
}

static void
add_graph (GString *json, const GobanPlot *plot)
{
  const GobanOutline *outline = plot->outline;

  open_list (json, "bounds", '[');
  add_box (json, plot->layout->bounds);
  close_list (json, ']');
  add_items (json, plot);
  add_hulls (json, plot);
  /* Three numbers an edge: the tail as the difference from that of the edge before, the head as the
   * difference from the tail, which are short, and bytes. */
  open_list (json, "edges", '[');
  for (guint e = 0, before = 0; e < outline->n_edges; e++)
    {
      const GobanOutlineEdge *edge = &outline->edges[e];

      add_int (json, (gint64) edge->tail - before);
      add_int (json, (gint64) edge->head - edge->tail);
      add_int (json, isfinite (edge->bytes) ? llround (edge->bytes) : 0);
      before = edge->tail;
    }
  close_list (json, ']');
}

/* --- devices of the items ------------------------------------------------------------------ */

/* Nodes of each item on each device: (n_items x n_devices). (transfer full) */
static guint *
count_nodes (const ShareRun *share, guint n_devices)
{
  const GobanOutline *outline = share->plot->outline;
  GobanPlan *plan = goban_run_get_plan (share->run);
  guint *counts = g_new0 (guint, (gsize) MAX (outline->n_items, 1) * n_devices);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (outline->graph); v++)
    if (outline->item_of[v] != GOBAN_NO_ITEM)
      counts[(gsize) outline->item_of[v] * n_devices + goban_plan_get_device (plan, v)]++;
  return counts;
}

/* The place of the largest count, the first of equal ones. */
static guint
find_most (const guint *counts, guint n)
{
  guint most = 0;

  for (guint d = 1; d < n; d++)
    if (counts[d] > counts[most])
      most = d;
  return most;
}

/* "place": the device of most nodes of each item; "mixed": for items on several devices item,
 * number of devices, and device and nodes of each. */
static void
add_devices (GString *json, const ShareRun *share)
{
  guint n_items = share->plot->outline->n_items;
  guint n = goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
  g_autofree guint *counts = count_nodes (share, n);

  open_list (json, "place", '[');
  for (guint i = 0; i < n_items; i++)
    add_int (json, find_most (&counts[(gsize) i * n], n));
  close_list (json, ']');
  open_list (json, "mixed", '[');
  for (guint i = 0; i < n_items; i++)
    {
      const guint *own = &counts[(gsize) i * n];
      guint n_used = 0;

      for (guint d = 0; d < n; d++)
        n_used += own[d] > 0;
      if (n_used < 2)
        continue;
      add_int (json, i);
      add_int (json, n_used);
      for (guint d = 0; d < n; d++)
        if (own[d] > 0)
          {
            add_int (json, d);
            add_int (json, own[d]);
          }
    }
  close_list (json, ']');
}

/* --- lanes ----------------------------------------------------------------------------------- */

/* An op or a transfer of a lane. */
typedef struct
{
  double start_us;
  double finish_us;
  guint32 item;
  guint32 mark; /* of an op 1 on the critical path, of a transfer the device it goes to */
} Piece;

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *p = a, *q = b;

  if (p->start_us != q->start_us)
    return p->start_us < q->start_us ? -1 : 1;
  return (p->item > q->item) - (p->item < q->item);
}

/* Neighbours up to @quantum_us together are one slice: it has the item of the longest, and the
 * critical path if one of them is on it. Returns the end of the run of neighbours. */
static guint
merge (const GArray *pieces, guint first, double quantum_us, Piece *merged)
{
  double longest_us = -1;
  guint end;

  *merged = g_array_index (pieces, Piece, first);
  for (end = first; end < pieces->len; end++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, end);

      if (end > first && piece->finish_us - merged->start_us > quantum_us)
        break;
      merged->finish_us = MAX (merged->finish_us, piece->finish_us);
      merged->mark = MAX (merged->mark, piece->mark);
      if (piece->finish_us - piece->start_us > longest_us)
        {
          longest_us = piece->finish_us - piece->start_us;
          merged->item = piece->item;
        }
    }
  return end;
}

/* Five numbers a slice: ticks since the end of the one before, ticks, item, number of ops, mark. */
static void
add_lane (GString *json, const ShareRun *share, GArray *pieces)
{
  double end_us = goban_run_get_makespan_us (share->run);
  double quantum_us = pieces->len > share->max_slices ? 2 * end_us / MAX (share->max_slices, 1) : 0;
  gint64 at = 0;

  g_array_sort (pieces, compare_pieces);
  open_list (json, NULL, '[');
  for (guint i = 0, next; i < pieces->len; i = next)
    {
      Piece slice;
      gint64 start, finish;

      next = merge (pieces, i, quantum_us, &slice);
      start = llround (slice.start_us / share->tick_us);
      finish = llround (slice.finish_us / share->tick_us);
      add_int (json, start - at);
      add_int (json, finish - start);
      add_int (json, slice.item);
      add_int (json, next - i);
      add_int (json, slice.mark);
      at = finish;
    }
  close_list (json, ']');
}

static guint8 *
mark_critical (GobanTrace *trace, guint n_nodes)
{
  guint8 *is_critical = g_new0 (guint8, MAX (n_nodes, 1));
  guint n;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);

  for (guint i = 0; i < n; i++)
    if (!steps[i].is_transfer)
      is_critical[steps[i].index] = 1;
  return is_critical;
}

/* Kernels once, with the item of their lowest node. */
static void
add_ops (GString *json, const ShareRun *share, const guint8 *is_critical)
{
  const GobanOutline *outline = share->plot->outline;
  GobanTrace *trace = goban_run_get_trace (share->run);
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
  guint n_nodes = goban_graph_get_n_nodes (outline->graph);

  open_list (json, "lanes", '[');
  for (guint d = 0; d < n_devices; d++)
    {
      g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));

      for (GobanNodeId v = 0; ops != NULL && v < n_nodes; v++)
        if (goban_plan_get_device (goban_run_get_plan (share->run), v) == d
            && goban_trace_get_kernel (trace, v) == v && outline->item_of[v] != GOBAN_NO_ITEM)
          {
            Piece piece
                = { ops[v].start_us, ops[v].finish_us, outline->item_of[v], is_critical[v] };

            g_array_append_val (pieces, piece);
          }
      add_lane (json, share, pieces);
    }
  close_list (json, ']');
}

static void
add_transfers (GString *json, const ShareRun *share)
{
  const GobanOutline *outline = share->plot->outline;
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (share->run), &n);

  open_list (json, "sends", '[');
  for (guint d = 0; d < n_devices; d++)
    {
      g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));

      for (guint i = 0; i < n; i++)
        if (transfers[i].from == d)
          {
            GobanNodeId from
                = goban_graph_get_tensor (outline->graph, transfers[i].tensor)->producer;
            Piece piece = { transfers[i].start_us, transfers[i].finish_us, outline->item_of[from],
                            transfers[i].to };

            g_array_append_val (pieces, piece);
          }
      add_lane (json, share, pieces);
    }
  close_list (json, ']');
}

/* --- figures --------------------------------------------------------------------------------- */

static void
add_causes (GString *json, GobanTrace *trace)
{
  g_autoptr (GobanBottlenecks) causes = goban_bottlenecks_new (trace, MAX_CAUSES);

  open_list (json, "causes", '[');
  for (guint i = 0; i < causes->n_causes; i++)
    {
      g_autofree char *text = goban_bottleneck_describe (&causes->causes[i]);

      add_text (json, text);
    }
  close_list (json, ']');
}

static void
add_uses (GString *json, GobanRun *run)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (run));
  GobanCluster *cluster = goban_run_get_cluster (run);

  open_list (json, "devices", '[');
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      open_list (json, NULL, '{');
      goban_json_add_string (json, "name", goban_cluster_get_device (cluster, d)->name);
      goban_json_add_number (json, "busy", uses[d].busy_us);
      goban_json_add_number (json, "peak", uses[d].peak_bytes);
      goban_json_add_number (json, "capacity", goban_cluster_get_device (cluster, d)->memory_bytes);
      close_list (json, '}');
    }
  close_list (json, ']');
}

/* "to": the device of the first run that each device is called, empty if nothing is renamed. */
static void
add_renamed (GString *json, const ShareRun *share)
{
  const GobanDeviceMatching *matching = share->matching;
  gboolean is_renamed = matching != NULL && matching->n_renamed > 0;
  g_autofree char *text
      = is_renamed ? goban_device_matching_describe (matching, goban_run_get_name (share->run))
                   : g_strdup ("");

  goban_json_add_string (json, "renamed", text);
  open_list (json, "to", '[');
  for (guint d = 0; is_renamed && d < matching->n_devices; d++)
    add_int (json, matching->to[d]);
  close_list (json, ']');
}

/* An object of the run: figures, devices of the items, lanes, causes of its length. */
static void
add_run (GString *json, const ShareRun *share)
{
  GobanTrace *trace = goban_run_get_trace (share->run);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (share->run));
  g_autofree guint8 *is_critical = mark_critical (trace, n_nodes);
  /* As text: a number of a browser has 53 bits. */
  g_autofree char *seed
      = g_strdup_printf ("%" G_GUINT64_FORMAT, goban_run_get_origin (share->run)->seed);
  GobanPlan *plan = goban_run_get_plan (share->run);

  goban_json_add_string (json, "name", goban_run_get_name (share->run));
  goban_json_add_string (json, "policy", goban_plan_get_policy (plan));
  goban_json_add_string (json, "seed", seed);
  goban_json_add_number (json, "simulations", goban_run_get_origin (share->run)->evaluations);
  goban_json_add_number (json, "kernels",
                         goban_plan_is_fused (plan) ? goban_fusing_count_kernels (plan) : n_nodes);
  goban_json_add_number (json, "makespan", goban_run_get_makespan_us (share->run));
  goban_json_add_number (json, "bound", goban_trace_get_bounds (trace)->bound_us);
  goban_json_add_number (json, "ratio", goban_run_get_ratio (share->run));
  goban_json_add_number (json, "moved", goban_trace_get_transferred_bytes (trace));
  goban_json_add_string (json, "why", goban_trace_get_why (trace));
  add_renamed (json, share);
  add_uses (json, share->run);
  add_causes (json, trace);
  add_devices (json, share);
  add_ops (json, share, is_critical);
  add_transfers (json, share);
}

/* --- decision steps --------------------------------------------------------------------------- */

/* Devices of items after a step: that of most nodes, or NOT_DECIDED for most. */
#define NOT_DECIDED (-1)

static guint
get_n_devices (const ShareRun *share)
{
  return goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
}

/* The device of each node after a moment. */
static void
vote (const ShareRun *share, const GobanDecisionState *state, guint *votes)
{
  const GobanOutline *outline = share->plot->outline;
  guint n_columns = get_n_devices (share) + 1;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (outline->graph); v++)
    if (outline->item_of[v] != GOBAN_NO_ITEM)
      {
        guint32 device = state->choices[GOBAN_TASK_PLACEMENT][v];

        votes[(gsize) outline->item_of[v] * n_columns + MIN (device, n_columns - 1)]++;
      }
}

static void
elect (const guint *votes, guint n_columns, guint n_items, int *places)
{
  for (guint i = 0; i < n_items; i++)
    {
      guint most = find_most (&votes[(gsize) i * n_columns], n_columns);

      places[i] = most + 1 == n_columns ? NOT_DECIDED : (int) most;
    }
}

static void
find_places (const ShareRun *share, GobanMoment moment, GobanDecisionState *state, int *places)
{
  guint n_items = share->plot->outline->n_items;
  guint n_columns = get_n_devices (share) + 1;
  g_autofree guint *votes = g_new0 (guint, (gsize) MAX (n_items, 1) * n_columns);

  goban_decisions_fill_state (goban_run_get_decisions (share->run), moment, state);
  vote (share, state, votes);
  elect (votes, n_columns, n_items, places);
}

/* The text, the makespan, and pairs of item and device for the changes since the last one. */
static void
add_moment (GString *json, const ShareRun *share, GobanMoment moment, double length_us,
            const int *places, int *before)
{
  g_autofree char *text = goban_moment_describe_whole (
      goban_run_get_costs (share->run), goban_run_get_decisions (share->run), moment);

  open_list (json, NULL, '{');
  goban_json_add_string (json, "text", text);
  goban_json_add_number (json, "makespan", length_us);
  open_list (json, "changes", '[');
  for (guint i = 0; i < share->plot->outline->n_items; i++)
    if (places[i] != before[i])
      {
        add_int (json, i);
        add_int (json, places[i]);
        before[i] = places[i];
      }
  close_list (json, ']');
  close_list (json, '}');
}

/* "steps": the decisions that led to the plan. FALSE with %GOBAN_ERROR_CANCELLED set. */
static gboolean
add_decisions (GString *json, const ShareRun *share, GError **error)
{
  GobanDecisions *decisions = goban_run_get_decisions (share->run);
  guint n_items = share->plot->outline->n_items;
  g_autofree int *before = g_new (int, MAX (n_items, 1));
  g_autofree int *places = g_new (int, MAX (n_items, 1));
  g_autofree double *lengths_us = NULL;
  g_autoptr (GArray) stops = NULL;
  GobanDecisionState state = { 0 };
  guint n = 0;
  gboolean is_done = TRUE;

  open_list (json, "steps", '[');
  if (goban_moments_can_be_walked (decisions))
    {
      stops = goban_moments_list_stops (decisions, GOBAN_LEVEL_MOMENT, GOBAN_STOPS_LINE);
      lengths_us = goban_moments_dup_lengths_us (decisions, stops);
      n = MIN (stops->len, GOBAN_SHARE_STEPS);
      goban_decision_state_init (&state, goban_decisions_get_n_nodes (decisions));
    }
  for (guint i = 0; i < n_items; i++)
    before[i] = NOT_DECIDED;
  for (guint i = 0; i < n && is_done; i++)
    {
      guint at = (guint) ((guint64) i * (stops->len - 1) / MAX (n - 1, 1));
      GobanMoment moment = g_array_index (stops, GobanMoment, at);

      is_done = goban_progress_check (share->progress, error);
      find_places (share, moment, &state, places);
      add_moment (json, share, moment, lengths_us[at], places, before);
    }
  goban_decision_state_clear (&state);
  close_list (json, ']');
  return is_done;
}

/* --- the order ------------------------------------------------------------------------------ */

gboolean
goban_share_is_path (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".html") || g_str_has_suffix (lower, ".htm");
}

gboolean
goban_share_check_path (const char *path, GError **error)
{
  if (strcmp (path, "-") == 0 || goban_share_is_path (path))
    return TRUE;
  return goban_refuse (
      error, GOBAN_ERROR_UNSUPPORTED,
      "%s: a report is an HTML page: name it FILE.html, and print that page from a "
      "browser for paper or a PDF",
      path);
}

static gboolean
check_order (const GobanShareOrder *order, GError **error)
{
  if (order->n_runs == 0 || order->n_runs > GOBAN_SHARE_PLANS)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a shared page has 1 to %d plans, not %u",
                         GOBAN_SHARE_PLANS, order->n_runs);
  for (guint i = 1; i < order->n_runs; i++)
    if (goban_graph_get_hash (goban_run_get_graph (order->runs[i]))
        != goban_graph_get_hash (goban_run_get_graph (order->runs[0])))
      return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is a plan for another graph than “%s”",
                           goban_run_get_name (order->runs[i]),
                           goban_run_get_name (order->runs[0]));
  return TRUE;
}

/* --- devices --------------------------------------------------------------------------------- */

/* "#ff8000" */
static const char *
format_colour (char buffer[8], GobanRgb colour)
{
  g_snprintf (buffer, 8, "#%06x", colour & 0xffffff);
  return buffer;
}

/* The window's colours, for as many devices as the largest cluster has, light and dark. */
static void
add_colours (GString *json, const GobanShareOrder *order)
{
  guint n_devices = 0;

  for (guint i = 0; i < order->n_runs; i++)
    n_devices
        = MAX (n_devices, goban_cluster_get_n_devices (goban_run_get_cluster (order->runs[i])));
  for (int theme = GOBAN_THEME_LIGHT; theme <= GOBAN_THEME_DARK; theme++)
    {
      const GobanColours *colours = goban_palette_get ((GobanTheme) theme);
      char text[8];

      open_list (json, theme == GOBAN_THEME_DARK ? "dark" : "light", '{');
      goban_json_add_string (json, "edge", format_colour (text, colours->edge));
      goban_json_add_string (json, "cut", format_colour (text, colours->cut));
      goban_json_add_string (json, "critical", format_colour (text, colours->critical));
      goban_json_add_string (json, "selection", format_colour (text, colours->selection));
      open_list (json, "devices", '[');
      for (guint d = 0; d < n_devices; d++)
        add_text (json, format_colour (text, goban_palette_device ((GobanTheme) theme, d)));
      close_list (json, ']');
      open_list (json, "hatches", '[');
      for (guint d = 0; d < n_devices; d++)
        add_text (json, format_colour (text, goban_palette_hatch (
                                                 goban_palette_device ((GobanTheme) theme, d))));
      close_list (json, ']');
      close_list (json, '}');
    }
  open_list (json, "cues", '[');
  for (guint d = 0; d < n_devices; d++)
    {
      const guint8 *rows = goban_palette_cue_bits (goban_palette_cue (d));

      open_list (json, NULL, '[');
      for (guint y = 0; y < 8; y++)
        add_int (json, rows[y]);
      close_list (json, ']');
    }
  close_list (json, ']');
}

/* --- runs ------------------------------------------------------------------------------------ */

static double
find_end (const GobanShareOrder *order)
{
  double end_us = 0;

  for (guint i = 0; i < order->n_runs; i++)
    if (isfinite (goban_run_get_makespan_us (order->runs[i])))
      end_us = MAX (end_us, goban_run_get_makespan_us (order->runs[i]));
  return end_us > 0 ? end_us : 1;
}

static guint
count_lanes (const GobanShareOrder *order)
{
  guint n = 0;

  for (guint i = 0; i < order->n_runs; i++)
    n += 2 * goban_cluster_get_n_devices (goban_run_get_cluster (order->runs[i]));
  return MAX (n, 1);
}

static void
free_matching (gpointer data)
{
  if (data != NULL)
    goban_device_matching_unref (data);
}

/* Each run's with the first one, or NULL. (transfer full) */
static GPtrArray *
match_devices (const GobanShareOrder *order)
{
  GPtrArray *matchings = g_ptr_array_new_with_free_func (free_matching);

  g_ptr_array_add (matchings, NULL);
  for (guint i = 1; i < order->n_runs; i++)
    g_ptr_array_add (matchings, order->has_own_devices
                                    ? NULL
                                    : goban_device_matching_new (order->runs[0], order->runs[i]));
  return matchings;
}

static gboolean
add_runs (GString *json, const GobanShareOrder *order, const GPtrArray *matchings,
          const GobanPlot *plot, GError **error)
{
  ShareRun share = { .plot = plot,
                     .tick_us = find_end (order) / N_TICKS,
                     .max_slices = MAX (GOBAN_SHARE_SLICES / count_lanes (order), 100),
                     .progress = order->progress };

  goban_json_add_number (json, "tick", share.tick_us);
  open_list (json, "plans", '[');
  for (guint i = 0; i < order->n_runs; i++)
    {
      goban_progress_step (order->progress, 0.1 + 0.4 * i / order->n_runs, "plans");
      share.run = order->runs[i];
      share.matching = g_ptr_array_index (matchings, i);
      open_list (json, NULL, '{');
      add_run (json, &share);
      if (!add_decisions (json, &share, error))
        return FALSE;
      close_list (json, '}');
    }
  close_list (json, ']');
  return TRUE;
}

/* --- differences ----------------------------------------------------------------------------- */

static void
add_rows (GString *json, const GobanBreakdown *breakdown)
{
  g_autoptr (GobanWaterfall) waterfall = goban_waterfall_new (breakdown, NULL, TRUE);

  open_list (json, "rows", '[');
  for (guint i = 0; i < waterfall->rows->len; i++)
    {
      const GobanWaterfallRow *row = goban_waterfall_get_row (waterfall, i);

      open_list (json, NULL, '{');
      goban_json_add_string (json, "kind", goban_bar_kind_words[row->kind]);
      goban_json_add_string (json, "label", row->label);
      goban_json_add_string (json, "value", row->value);
      goban_json_add_string (json, "note", row->note);
      goban_json_add_number (json, "from", row->from);
      goban_json_add_number (json, "to", row->to);
      goban_json_add_number (json, "sense", row->sense);
      close_list (json, '}');
    }
  close_list (json, ']');
}

/* Three numbers each: from, to and nodes, of devices of the first plan. */
static void
add_moves (GString *json, const GobanDifference *difference)
{
  guint n = difference->n_devices;

  open_list (json, "moves", '[');
  for (guint from = 0; from < n; from++)
    for (guint to = 0; to < n; to++)
      {
        guint n_nodes
            = goban_difference_get_n_moves (difference, (GobanDeviceId) from, (GobanDeviceId) to);

        if (n_nodes == 0)
          continue;
        add_int (json, from);
        add_int (json, to);
        add_int (json, n_nodes);
      }
  close_list (json, ']');
}

/* A plan and the first one; a plan that cannot run is not explained. FALSE with
 * %GOBAN_ERROR_CANCELLED set. */
static gboolean
add_difference (GString *json, const GobanShareOrder *order, guint after,
                GobanDeviceMatching *matching, GError **error)
{
  guint n = order->n_runs - 1;
  GobanPartProgress part; /* of the second half */
  GobanBreakdownOptions options
      = { .progress = goban_part_progress_begin (&part, order->progress, n + after - 1, 2 * n,
                                                 "differences") };
  g_autoptr (GError) trouble = NULL;
  g_autoptr (GobanDifference) difference
      = goban_difference_new_matched (order->runs[0], order->runs[after], matching, 0, &trouble);
  g_autoptr (GobanBreakdown) breakdown
      = difference != NULL ? goban_breakdown_new (difference, &options, &trouble) : NULL;

  if (!goban_progress_check (order->progress, error))
    return FALSE;
  if (difference == NULL)
    return TRUE;
  open_list (json, NULL, '{');
  goban_json_add_number (json, "after", after);
  add_moves (json, difference);
  if (breakdown != NULL)
    {
      g_autofree char *sentence = goban_breakdown_to_sentence (breakdown, NULL);
      g_autofree char *method = goban_breakdown_describe_method (breakdown);

      goban_json_add_string (json, "sentence", sentence);
      goban_json_add_string (json, "method", method);
      add_rows (json, breakdown);
    }
  close_list (json, '}');
  return TRUE;
}

static gboolean
add_differences (GString *json, const GobanShareOrder *order, const GPtrArray *matchings,
                 GError **error)
{
  open_list (json, "differences", '[');
  for (guint i = 1; i < MIN (order->n_runs, GOBAN_SHARE_DIFFERENCES + 1); i++)
    if (!add_difference (json, order, i, g_ptr_array_index (matchings, i), error))
      return FALSE;
  close_list (json, ']');
  return TRUE;
}

/* --- the page -------------------------------------------------------------------------------- */

static const char *
get_title (const GobanShareOrder *order)
{
  const char *name = goban_graph_get_name (goban_run_get_graph (order->runs[0]));

  return *name != '\0' ? name : "graph";
}

static void
add_titles (GString *json, const GobanShareOrder *order, const GobanPlot *plot)
{
  GobanGraph *graph = goban_run_get_graph (order->runs[0]);
  GobanCluster *cluster = goban_run_get_cluster (order->runs[0]);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_edges = goban_graph_get_n_edges (graph);
  guint n_devices = goban_cluster_get_n_devices (cluster);
  char nodes[GOBAN_QUANTITY_LEN], edges[GOBAN_QUANTITY_LEN];
  g_autofree char *about = g_strdup_printf (
      "%s node%s, %s edge%s, %u device%s of %s", goban_format_grouped (nodes, n_nodes),
      n_nodes == 1 ? "" : "s", goban_format_grouped (edges, n_edges), n_edges == 1 ? "" : "s",
      n_devices, n_devices == 1 ? "" : "s", goban_cluster_get_name (cluster));

  goban_json_add_string (json, "title", get_title (order));
  goban_json_add_string (json, "about", about);
  goban_json_add_number (json, "shown", MIN (order->shown, order->n_runs - 1));
  goban_json_add_boolean (json, "grouped", plot->outline->n_closed > 0);
  goban_json_add_string (json, "script", order->script != NULL ? order->script : "");
}

/* (transfer full) (nullable) */
static GString *
make_data (const GobanShareOrder *order, GError **error)
{
  g_autoptr (GobanPlot) plot = NULL;
  g_autoptr (GPtrArray) matchings = NULL;
  GobanPartProgress part;
  GString *json = g_string_new ("{");

  plot = make_plot (goban_run_get_graph (order->runs[0]),
                    goban_part_progress_begin (&part, order->progress, 0, 10, "layout"), error);
  if (plot != NULL)
    {
      add_titles (json, order, plot);
      add_colours (json, order);
      add_graph (json, plot);
      matchings = match_devices (order);
    }
  if (plot == NULL || !add_runs (json, order, matchings, plot, error)
      || !add_differences (json, order, matchings, error))
    {
      g_string_free (json, TRUE);
      return NULL;
    }
  close_list (json, '}');
  /* "</script>" in a name would end the data. */
  g_string_replace (json, "<", "\\u003c", 0);
  return json;
}

/* The text of a resource that is part of the program. (transfer full) */
static char *
load_part (const char *name)
{
  g_autofree char *path = g_strconcat ("/org/goban/Goban/share/", name, NULL);
  g_autoptr (GBytes) bytes
      = g_resource_lookup_data (share_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  return g_strndup (text, size);
}

char *
goban_share_new_page (const GobanShareOrder *order, GError **error)
{
  g_autofree char *page = load_part ("page.html");
  g_auto (GStrv) parts = g_strsplit (page, "@", -1); /* words between @ are to be replaced */
  g_autoptr (GString) data = NULL;
  g_autofree char *title = NULL;
  GString *html;

  if (!check_order (order, error) || (data = make_data (order, error)) == NULL)
    return NULL;
  title = g_markup_escape_text (get_title (order), -1);
  html = g_string_sized_new (data->len + 65536);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i % 2 == 0)
        g_string_append (html, parts[i]);
      else if (strcmp (parts[i], "title") == 0)
        g_string_append (html, title);
      else if (strcmp (parts[i], "data") == 0)
        g_string_append_len (html, data->str, (gssize) data->len);
      else
        {
          g_autofree char *part = load_part (parts[i]);

          g_string_append (html, part);
        }
    }
  return g_string_free (html, FALSE);
}

gboolean
goban_share_write (const GobanShareOrder *order, const char *path, GError **error)
{
  g_autofree char *page = goban_share_new_page (order, error);

  return page != NULL && goban_file_write (path, page, strlen (page), error);
}

/* --- in a worker ------------------------------------------------------------------------------ */

GobanSharing *
goban_sharing_new (const char *path)
{
  GobanSharing *self = g_new0 (GobanSharing, 1);

  self->runs = goban_run_array_new ();
  self->path = g_strdup (path);
  return self;
}

GobanSharing *
goban_sharing_new_of_rows (GListModel *rows, GobanRun *shown, const char *path)
{
  GobanSharing *self = goban_sharing_new (path);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    g_ptr_array_add (self->runs, goban_run_ref (goban_run_list_get (rows, i)));
  goban_run_list_find (rows, shown, &self->shown);
  return self;
}

void
goban_sharing_free (gpointer data)
{
  GobanSharing *self = data;

  g_ptr_array_unref (self->runs);
  g_free (self->script);
  g_free (self->path);
  g_free (self);
}

gpointer
goban_sharing_run (const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanSharing *self = data;
  GobanShareOrder order = { .runs = (GobanRun **) self->runs->pdata,
                            .n_runs = self->runs->len,
                            .shown = self->shown,
                            .has_own_devices = self->has_own_devices,
                            .script = self->script,
                            .progress = progress };

  return goban_share_write (&order, self->path, error) ? g_strdup (self->path) : NULL;
}
