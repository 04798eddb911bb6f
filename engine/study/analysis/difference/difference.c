#include "engine/study/analysis/difference/difference.h"

#include "engine/core/error.h"
#include "engine/core/key-sort.h"
#include "engine/core/quantity.h"
#include "engine/machine/plan/plan-diff.h"

#include <math.h>
#include <string.h>

/* --- ranks ------------------------------------------------------------------------------------ */

/* The place of every node in the order of priorities, the highest first, ties by id. */
static guint32 *
rank_nodes (const gint32 *priorities, guint n)
{
  g_autofree guint32 *order = g_new (guint32, n + 1);
  g_autofree double *keys = g_new (double, n + 1);
  guint32 *ranks = g_new (guint32, n + 1);

  for (guint32 v = 0; v < n; v++)
    {
      order[v] = v;
      keys[v] = -(double) priorities[v];
    }
  goban_key_sort (order, keys, n);
  for (guint32 i = 0; i < n; i++)
    ranks[order[i]] = i;
  return ranks;
}

static void
compare_ranks (GobanDifference *self)
{
  GobanPlan *a = goban_run_get_plan (self->before);
  GobanPlan *b = goban_run_get_plan (self->after);
  g_autofree guint32 *ranks_before = NULL;
  g_autofree guint32 *ranks_after = NULL;

  if (self->plans->n_reprioritised == 0)
    return;

  ranks_before = rank_nodes (goban_plan_get_priorities (a), self->n_nodes);
  ranks_after = rank_nodes (goban_plan_get_priorities (b), self->n_nodes);
  self->rank_changes = g_new (gint32, self->n_nodes);
  for (guint32 v = 0; v < self->n_nodes; v++)
    self->rank_changes[v] = (gint32) ranks_after[v] - (gint32) ranks_before[v];
}

/* --- clusters --------------------------------------------------------------------------------- */

/* Every node's cluster by its lowest node, and how many are in it: sizes at that node. */
static guint32 *
find_clusters (const GobanPlan *plan, guint n, guint32 *sizes)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  g_autoptr (GHashTable) firsts = g_hash_table_new (NULL, NULL);
  guint32 *clusters = g_new (guint32, n + 1);

  for (guint32 v = 0; v < n; v++)
    {
      gpointer first;

      clusters[v] = v;
      if (fusions[v] != GOBAN_NO_FUSION)
        {
          if (g_hash_table_lookup_extended (firsts, GINT_TO_POINTER (fusions[v]), NULL, &first))
            clusters[v] = GPOINTER_TO_UINT (first);
          else
            g_hash_table_insert (firsts, GINT_TO_POINTER (fusions[v]), GUINT_TO_POINTER (v));
        }
      sizes[clusters[v]]++;
    }
  return clusters;
}

/* A cluster is the same as another if both have the same lowest node and size, and every node of
 * the one is in the other. */
static GobanSelection *
compare_clusters (const GobanPlan *a, const GobanPlan *b, guint n)
{
  g_autofree guint32 *sizes_before = g_new0 (guint32, n + 1);
  g_autofree guint32 *sizes_after = g_new0 (guint32, n + 1);
  g_autofree guint32 *n_same = g_new0 (guint32, n + 1);
  g_autofree guint32 *before = find_clusters (a, n, sizes_before);
  g_autofree guint32 *after = find_clusters (b, n, sizes_after);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n + 1);
  guint n_ids = 0;

  for (guint32 v = 0; v < n; v++)
    n_same[before[v]] += before[v] == after[v];
  for (guint32 v = 0; v < n; v++)
    {
      guint32 cluster = before[v];

      if (after[v] != cluster || sizes_before[cluster] != sizes_after[cluster]
          || n_same[cluster] != sizes_before[cluster])
        ids[n_ids++] = v;
    }
  return goban_selection_new (ids, n_ids);
}

/* --- times ------------------------------------------------------------------------------------ */

static GobanSelection *
compare_times (GobanDifference *self)
{
  const GobanOpSpan *before = goban_trace_get_ops (goban_run_get_trace (self->before));
  const GobanOpSpan *after = goban_trace_get_ops (goban_run_get_trace (self->after));
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, self->n_nodes + 1);
  guint n_ids = 0;

  if (before == NULL || after == NULL)
    return goban_selection_new (NULL, 0);

  self->times = g_new (GobanTimeChange, self->n_nodes + 1);
  for (guint32 v = 0; v < self->n_nodes; v++)
    {
      GobanTimeChange *change = &self->times[v];

      change->start_us = after[v].start_us - before[v].start_us;
      change->finish_us = after[v].finish_us - before[v].finish_us;
      if (change->finish_us != 0 && fabs (change->finish_us) >= self->min_change_us)
        ids[n_ids++] = v;
    }
  return goban_selection_new (ids, n_ids);
}

/* --- construction and disposal ---------------------------------------------------------------- */

/* Other policies have no name for placements. */
static gboolean
check_devices (GobanRun *run, GError **error)
{
  if (goban_plan_get_n_devices (goban_run_get_plan (run))
      <= goban_cluster_get_n_devices (goban_run_get_cluster (run)))
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: %s", goban_run_get_name (run),
                       goban_trace_get_why (goban_run_get_trace (run)));
}

gboolean
goban_difference_check (GobanRun *before, GobanRun *after, GError **error)
{
  GobanPlan *a = goban_run_get_plan (before);
  GobanPlan *b = goban_run_get_plan (after);

  if (goban_plan_get_graph_hash (a) != goban_plan_get_graph_hash (b))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s and %s are runs of two graphs",
                         goban_run_get_name (before), goban_run_get_name (after));
  if (goban_plan_get_n_devices (a) != goban_plan_get_n_devices (b))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plans are for different numbers of devices");
  return check_devices (before, error) && check_devices (after, error);
}

GobanDifference *
goban_difference_new (GobanRun *before, GobanRun *after, double min_change_us, GError **error)
{
  GobanPlan *a = goban_run_get_plan (before);
  GobanPlan *b = goban_run_get_plan (after);
  GobanDifference *self;

  g_return_val_if_fail (min_change_us >= 0, NULL);

  if (!goban_difference_check (before, after, error))
    return NULL;

  self = g_new0 (GobanDifference, 1);
  g_atomic_ref_count_init (&self->refs);
  self->before = goban_run_ref (before);
  self->after = goban_run_ref (after);
  self->min_change_us = min_change_us;
  self->n_nodes = goban_plan_get_n_nodes (a);
  self->plans = goban_plan_diff (a, b);
  self->n_devices = self->plans->n_devices;
  self->has_same_order = self->plans->same_order;
  self->has_same_transfers = self->plans->same_transfers;
  self->nodes[GOBAN_CHANGE_DEVICE] = goban_selection_new (self->plans->moved, self->plans->n_moved);
  self->nodes[GOBAN_CHANGE_PRIORITY]
      = goban_selection_new (self->plans->reprioritised, self->plans->n_reprioritised);
  self->nodes[GOBAN_CHANGE_FUSION] = self->plans->n_refused > 0
                                         ? compare_clusters (a, b, self->n_nodes)
                                         : goban_selection_new (NULL, 0);
  self->nodes[GOBAN_CHANGE_TIME] = compare_times (self);
  compare_ranks (self);
  return self;
}

GobanDifference *
goban_difference_new_matched (GobanRun *before, GobanRun *after, GobanDeviceMatching *matching,
                              double min_change_us, GError **error)
{
  GobanDifference *self = goban_difference_new (
      before, matching != NULL ? matching->matched : after, min_change_us, error);

  if (self != NULL && matching != NULL)
    self->matching = goban_device_matching_ref (matching);
  return self;
}

GobanDifference *
goban_difference_ref (GobanDifference *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_difference_unref (GobanDifference *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;

  for (guint i = 0; i < GOBAN_N_CHANGES; i++)
    goban_selection_unref (self->nodes[i]);
  goban_plan_diff_free (self->plans);
  g_clear_pointer (&self->matching, goban_device_matching_unref);
  goban_run_unref (self->before);
  goban_run_unref (self->after);
  g_free (self->rank_changes);
  g_free (self->times);
  g_free (self);
}

/* --- asking it -------------------------------------------------------------------------------- */

GobanRun *
goban_difference_get_unmatched (const GobanDifference *self)
{
  return self->matching != NULL ? self->matching->run : self->after;
}

GobanSelection *
goban_difference_get_nodes (const GobanDifference *self, GobanChange change)
{
  g_return_val_if_fail (change < GOBAN_N_CHANGES, NULL);

  return self->nodes[change];
}

guint
goban_difference_get_n_moves (const GobanDifference *self, GobanDeviceId from, GobanDeviceId to)
{
  guint n_devices = self->n_devices;

  g_return_val_if_fail (from < n_devices && to < n_devices, 0);

  return self->plans->matrix[(gsize) from * n_devices + to];
}

GobanSelection *
goban_difference_dup_moves (const GobanDifference *self, GobanDeviceId from, GobanDeviceId to)
{
  GobanPlan *a = goban_run_get_plan (self->before);
  GobanPlan *b = goban_run_get_plan (self->after);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, self->plans->n_moved + 1);
  guint n = 0;

  for (guint i = 0; i < self->plans->n_moved; i++)
    {
      GobanNodeId v = self->plans->moved[i];

      if (goban_plan_get_device (a, v) == from && goban_plan_get_device (b, v) == to)
        ids[n++] = v;
    }
  return goban_selection_new (ids, n);
}

gint32
goban_difference_get_rank_change (const GobanDifference *self, GobanNodeId node)
{
  g_return_val_if_fail (node < self->n_nodes, 0);

  return self->rank_changes != NULL ? self->rank_changes[node] : 0;
}

/* --- in words --------------------------------------------------------------------------------- */

static guint
count_changes (const GobanDifference *self, GobanChange change)
{
  guint n;

  goban_selection_get_ids (self->nodes[change], &n);
  return n;
}

static void
append_renamed (GString *text, const GobanDifference *self)
{
  g_autofree char *renamed
      = self->matching != NULL
            ? goban_device_matching_describe (self->matching, goban_run_get_name (self->after))
            : NULL;

  if (renamed != NULL)
    g_string_append_printf (text, "%s\n", renamed);
}

static void
append_sentence (GString *text, const GobanDifference *self)
{
  double before_us = goban_run_get_makespan_us (self->before);
  double after_us = goban_run_get_makespan_us (self->after);
  char a[GOBAN_QUANTITY_LEN], b[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "%s %s, %s %s", goban_run_get_name (self->before),
                          goban_format_time (a, before_us), goban_run_get_name (self->after),
                          goban_format_time (b, after_us));
  if (before_us > 0 && isfinite (before_us) && isfinite (after_us))
    g_string_append_printf (text, " (%s)", goban_format_percent_change (a, before_us, after_us));
  g_string_append_printf (text, ": of %s node%s %u moved, %u re-prioritised, %u fused otherwise",
                          goban_format_grouped (b, self->n_nodes), self->n_nodes == 1 ? "" : "s",
                          count_changes (self, GOBAN_CHANGE_DEVICE),
                          count_changes (self, GOBAN_CHANGE_PRIORITY),
                          count_changes (self, GOBAN_CHANGE_FUSION));
  if (self->times != NULL)
    g_string_append_printf (text, ", %u finish at another time",
                            count_changes (self, GOBAN_CHANGE_TIME));
  if (self->times != NULL && self->min_change_us > 0)
    g_string_append_printf (text, " by %s or more", goban_format_time (a, self->min_change_us));
  g_string_append_c (text, '\n');
  append_renamed (text, self);
  if (!self->has_same_order)
    g_string_append (text, "one runs first come, first served, the other by priority\n");
  if (!self->has_same_transfers)
    g_string_append (text, "transfers have other priorities\n");
}

/* A line of the text, and how much it matters. */
typedef struct
{
  double weight;
  guint32 index;
} Line;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *x = a;
  const Line *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts by weight, heaviest first; cuts the list after @n_most and writes how many were cut. */
static guint
sort_lines (GArray *lines, guint n_most)
{
  guint n_more = lines->len > n_most ? lines->len - n_most : 0;

  g_array_sort (lines, compare_lines);
  g_array_set_size (lines, lines->len - n_more);
  return n_more;
}

static void
append_more (GString *text, guint n_more, const char *what)
{
  if (n_more > 0)
    g_string_append_printf (text, "… %u more %s\n", n_more, what);
}

static void
append_moves (GString *text, const GobanDifference *self, guint n_lines)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  GobanCluster *cluster = goban_run_get_cluster (self->after);
  guint n_devices = self->n_devices;
  guint n_more;

  for (guint32 i = 0; i < n_devices * n_devices; i++)
    if (self->plans->matrix[i] > 0)
      g_array_append_vals (lines, &(Line){ self->plans->matrix[i], i }, 1);
  n_more = sort_lines (lines, n_lines);
  for (guint i = 0; i < lines->len; i++)
    {
      guint32 move = g_array_index (lines, Line, i).index;

      g_string_append_printf (text, "moved     %u from %s to %s\n", self->plans->matrix[move],
                              goban_cluster_get_device (cluster, move / n_devices)->name,
                              goban_cluster_get_device (cluster, move % n_devices)->name);
    }
  append_more (text, n_more, "ways to move");
}

static GArray *
list_nodes (const GobanDifference *self, GobanChange change)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (self->nodes[change], &n);

  for (guint i = 0; i < n; i++)
    {
      Line line = { .index = ids[i] };

      line.weight = change == GOBAN_CHANGE_TIME ? fabs (self->times[ids[i]].finish_us)
                                                : abs (self->rank_changes[ids[i]]);
      g_array_append_val (lines, line);
    }
  return lines;
}

static const char *
name_of (const GobanDifference *self, guint32 node)
{
  return goban_graph_get_node (goban_run_get_graph (self->after), node)->name;
}

static void
append_ranks (GString *text, const GobanDifference *self, guint n_lines)
{
  g_autoptr (GArray) lines = list_nodes (self, GOBAN_CHANGE_PRIORITY);
  guint n_more = sort_lines (lines, n_lines);

  for (guint i = 0; i < lines->len; i++)
    {
      guint32 node = g_array_index (lines, Line, i).index;
      gint32 change = self->rank_changes[node];

      if (change == 0)
        g_string_append_printf (text, "priority  %s: in the same place\n", name_of (self, node));
      else
        g_string_append_printf (text, "priority  %s: %d %s %s\n", name_of (self, node),
                                abs (change), abs (change) == 1 ? "place" : "places",
                                change < 0 ? "sooner" : "later");
    }
  append_more (text, n_more, "priorities");
}

static void
append_times (GString *text, const GobanDifference *self, guint n_lines)
{
  g_autoptr (GArray) lines = list_nodes (self, GOBAN_CHANGE_TIME);
  guint n_more = sort_lines (lines, n_lines);
  char quantity[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < lines->len; i++)
    {
      guint32 node = g_array_index (lines, Line, i).index;
      double change_us = self->times[node].finish_us;

      g_string_append_printf (text, "time      %s: %s %s\n", name_of (self, node),
                              goban_format_time (quantity, fabs (change_us)),
                              change_us < 0 ? "earlier" : "later");
    }
  append_more (text, n_more, "times");
}

char *
goban_difference_describe (const GobanDifference *self, guint n_lines)
{
  GString *text = g_string_new (NULL);

  append_sentence (text, self);
  append_moves (text, self, n_lines);
  append_ranks (text, self, n_lines);
  append_times (text, self, n_lines);
  return g_string_free (text, FALSE);
}
