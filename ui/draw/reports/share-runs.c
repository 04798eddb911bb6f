/* share-runs.c: a run of a shared page: figures, devices of the items, and lanes. */
#include "ui/draw/reports/share-private.h"

#include "engine/core/json-text.h"
#include "engine/study/analysis/bottlenecks.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

#define MAX_CAUSES 8

/* --- devices of the items ------------------------------------------------------------------ */

/* Nodes of each item on each device: (n_items x n_devices). (transfer full) */
static guint *
count_nodes (const GobanShareRun *share, guint n_devices)
{
  const GobanOutline *outline = share->plot->outline;
  GobanPlan *plan = goban_run_get_plan (share->run);
  guint *counts = g_new0 (guint, (gsize) MAX (outline->n_items, 1) * n_devices);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (outline->graph); v++)
    if (outline->item_of[v] != GOBAN_NO_ITEM)
      counts[(gsize) outline->item_of[v] * n_devices + goban_plan_get_device (plan, v)]++;
  return counts;
}

guint
goban_share_find_most (const guint *counts, guint n)
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
add_devices (GString *json, const GobanShareRun *share)
{
  guint n_items = share->plot->outline->n_items;
  guint n = goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
  g_autofree guint *counts = count_nodes (share, n);

  goban_share_open (json, "place", '[');
  for (guint i = 0; i < n_items; i++)
    goban_share_add_int (json, goban_share_find_most (&counts[(gsize) i * n], n));
  goban_share_close (json, ']');
  goban_share_open (json, "mixed", '[');
  for (guint i = 0; i < n_items; i++)
    {
      const guint *own = &counts[(gsize) i * n];
      guint n_used = 0;

      for (guint d = 0; d < n; d++)
        n_used += own[d] > 0;
      if (n_used < 2)
        continue;
      goban_share_add_int (json, i);
      goban_share_add_int (json, n_used);
      for (guint d = 0; d < n; d++)
        if (own[d] > 0)
          {
            goban_share_add_int (json, d);
            goban_share_add_int (json, own[d]);
          }
    }
  goban_share_close (json, ']');
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
add_lane (GString *json, const GobanShareRun *share, GArray *pieces)
{
  double end_us = goban_run_get_makespan_us (share->run);
  double quantum_us = pieces->len > share->max_slices ? 2 * end_us / MAX (share->max_slices, 1) : 0;
  gint64 at = 0;

  g_array_sort (pieces, compare_pieces);
  goban_share_open (json, NULL, '[');
  for (guint i = 0, next; i < pieces->len; i = next)
    {
      Piece slice;
      gint64 start, finish;

      next = merge (pieces, i, quantum_us, &slice);
      start = llround (slice.start_us / share->tick_us);
      finish = llround (slice.finish_us / share->tick_us);
      goban_share_add_int (json, start - at);
      goban_share_add_int (json, finish - start);
      goban_share_add_int (json, slice.item);
      goban_share_add_int (json, next - i);
      goban_share_add_int (json, slice.mark);
      at = finish;
    }
  goban_share_close (json, ']');
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
add_ops (GString *json, const GobanShareRun *share, const guint8 *is_critical)
{
  const GobanOutline *outline = share->plot->outline;
  GobanTrace *trace = goban_run_get_trace (share->run);
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
  guint n_nodes = goban_graph_get_n_nodes (outline->graph);

  goban_share_open (json, "lanes", '[');
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
  goban_share_close (json, ']');
}

static void
add_transfers (GString *json, const GobanShareRun *share)
{
  const GobanOutline *outline = share->plot->outline;
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (share->run), &n);

  goban_share_open (json, "sends", '[');
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
  goban_share_close (json, ']');
}

/* --- figures --------------------------------------------------------------------------------- */

static void
add_causes (GString *json, GobanTrace *trace)
{
  g_autoptr (GobanBottlenecks) causes = goban_bottlenecks_new (trace, MAX_CAUSES);

  goban_share_open (json, "causes", '[');
  for (guint i = 0; i < causes->n_causes; i++)
    {
      g_autofree char *text = goban_bottleneck_describe (&causes->causes[i]);

      goban_share_add_text (json, text);
    }
  goban_share_close (json, ']');
}

static void
add_uses (GString *json, GobanRun *run)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (run));
  GobanCluster *cluster = goban_run_get_cluster (run);

  goban_share_open (json, "devices", '[');
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      goban_share_open (json, NULL, '{');
      goban_json_add_string (json, "name", goban_cluster_get_device (cluster, d)->name);
      goban_json_add_number (json, "busy", uses[d].busy_us);
      goban_json_add_number (json, "peak", uses[d].peak_bytes);
      goban_json_add_number (json, "capacity", goban_cluster_get_device (cluster, d)->memory_bytes);
      goban_share_close (json, '}');
    }
  goban_share_close (json, ']');
}

/* "to": the device of the first run that each device is called, empty if nothing is renamed. */
static void
add_renamed (GString *json, const GobanShareRun *share)
{
  const GobanDeviceMatching *matching = share->matching;
  gboolean is_renamed = matching != NULL && matching->n_renamed > 0;
  g_autofree char *text
      = is_renamed ? goban_device_matching_describe (matching, goban_run_get_name (share->run))
                   : g_strdup ("");

  goban_json_add_string (json, "renamed", text);
  goban_share_open (json, "to", '[');
  for (guint d = 0; is_renamed && d < matching->n_devices; d++)
    goban_share_add_int (json, matching->to[d]);
  goban_share_close (json, ']');
}

void
goban_share_add_run (GString *json, const GobanShareRun *share)
{
  GobanTrace *trace = goban_run_get_trace (share->run);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (share->run));
  g_autofree guint8 *is_critical = mark_critical (trace, n_nodes);
  /* As text: a number of a browser has 53 bits. */
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, goban_run_get_seed (share->run));
  GobanPlan *plan = goban_run_get_plan (share->run);

  goban_json_add_string (json, "name", goban_run_get_name (share->run));
  goban_json_add_string (json, "policy", goban_plan_get_policy (plan));
  goban_json_add_string (json, "seed", seed);
  goban_json_add_number (json, "simulations", goban_run_get_evaluations (share->run));
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
