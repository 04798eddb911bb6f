#include "engine/study/analysis/time-shares.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/study/analysis/scopes.h"

#include <math.h>
#include <string.h>

/* Rows of a table in text. */
#define MOST_ROWS 12
/* Names in one line. */
#define MOST_NAMED 4

static const struct
{
  const char *word;
  const char *label;
} kinds[] = {
  [GOBAN_TIME_COMPUTING] = { "computing", N_ ("computing") },
  [GOBAN_TIME_DATA] = { "data", N_ ("waits for data") },
  [GOBAN_TIME_CHANNEL] = { "channel", N_ ("waits for a channel") },
  [GOBAN_TIME_PRIORITY] = { "priority", N_ ("waits for an op's turn") },
  [GOBAN_TIME_ENDS] = { "ends", N_ ("idle at the ends") },
};

const char *
goban_time_kind_get_word (GobanTimeKind kind)
{
  g_return_val_if_fail (kind < GOBAN_N_TIME_KINDS, "");

  return kinds[kind].word;
}

const char *
goban_time_kind_get_label (GobanTimeKind kind)
{
  g_return_val_if_fail (kind < GOBAN_N_TIME_KINDS, "");

  return _ (kinds[kind].label);
}

typedef struct
{
  GobanTimeShares *shares;
  GobanTrace *trace;
  GobanGraph *graph;
  GobanPlan *plan;
  const GobanOpSpan *ops;
  const GobanTransfer *transfers;
  guint n_transfers;
  GHashTable *transfer_of; /* tensor and receiver to index + 1 */
  double end_us;
} Work;

/* The part of start..finish that is in the span. */
static double
overlap (const GobanTimeShares *self, double start_us, double finish_us)
{
  return fmax (fmin (finish_us, self->to_us) - fmax (start_us, self->from_us), 0);
}

static void
add (Work *work, guint device, GobanTimeKind kind, double start_us, double finish_us)
{
  work->shares->devices_us[device][kind] += overlap (work->shares, start_us, finish_us);
}

/* --- causes ----------------------------------------------------------------------------------- */

static gpointer
make_key (const Work *work, GobanTensorId tensor, GobanDeviceId to)
{
  return GSIZE_TO_POINTER ((gsize) tensor * work->shares->n_devices + to + 1);
}

static void
index_transfers (Work *work)
{
  work->transfer_of = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < work->n_transfers; i++)
    g_hash_table_insert (work->transfer_of,
                         make_key (work, work->transfers[i].tensor, work->transfers[i].to),
                         GUINT_TO_POINTER (i + 1));
}

/* The event that made a kernel ready: a producer on its device without a transfer, or a
 * transfer. */
typedef struct
{
  GobanNodeId producer;          /* kernel, or GOBAN_NO_NODE */
  const GobanTransfer *transfer; /* (nullable) */
} Cause;

static gboolean
find_cause_of (const Work *work, GobanNodeId v, Cause *cause)
{
  GobanEdgeSpan inputs = goban_graph_get_in_edges (work->graph, v);
  GobanNodeId kernel = goban_trace_get_kernel (work->trace, v);
  GobanDeviceId device = goban_plan_get_device (work->plan, v);

  for (guint i = 0; i < inputs.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (work->graph, inputs.ids[i]);
      GobanNodeId tail = goban_trace_get_kernel (work->trace, edge->tail);
      gboolean is_near = goban_plan_get_device (work->plan, tail) == device;
      gpointer key = make_key (work, edge->tensor, device);
      guint at = is_near ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (work->transfer_of, key));

      *cause = (Cause){ tail, at > 0 ? &work->transfers[at - 1] : NULL };
      if (tail != kernel
          && (at > 0 ? cause->transfer->finish_us : work->ops[tail].finish_us)
                 == work->ops[v].ready_us)
        return TRUE;
    }
  return FALSE;
}

static Cause
find_cause (const Work *work, GobanNodeId kernel)
{
  Cause cause;

  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (work->trace, v))
    if (find_cause_of (work, v, &cause))
      return cause;
  return (Cause){ GOBAN_NO_NODE, NULL };
}

/* The time before @until_us, back to @from_us, in which the device waited for @kernel to start. */
static void
explain_gap (Work *work, guint device, GobanNodeId kernel, double from_us, double until_us)
{
  while (until_us > from_us)
    {
      double ready_us = CLAMP (work->ops[kernel].ready_us, from_us, until_us);
      Cause cause = find_cause (work, kernel);
      double start_us;

      add (work, device, GOBAN_TIME_PRIORITY, ready_us, until_us);
      until_us = ready_us;
      if (cause.transfer != NULL)
        {
          start_us = CLAMP (cause.transfer->start_us, from_us, until_us);
          ready_us = CLAMP (cause.transfer->ready_us, from_us, start_us);
          add (work, device, GOBAN_TIME_DATA, start_us, until_us);
          add (work, device, GOBAN_TIME_CHANNEL, ready_us, start_us);
          until_us = ready_us;
        }
      start_us = cause.producer != GOBAN_NO_NODE
                     ? CLAMP (work->ops[cause.producer].start_us, from_us, until_us)
                     : from_us;
      add (work, device, GOBAN_TIME_DATA, start_us, until_us);
      until_us = start_us;
      kernel = cause.producer;
      if (kernel == GOBAN_NO_NODE)
        return;
    }
}

/* --- devices ---------------------------------------------------------------------------------- */

/* In the order in which they ran, so that none overlaps the next: of two with the same start, one
 * takes no time, and ran first. */
static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GobanOpSpan *ops = user_data;
  const GobanNodeId *x = a;
  const GobanNodeId *y = b;

  if (ops[*x].start_us != ops[*y].start_us)
    return ops[*x].start_us < ops[*y].start_us ? -1 : 1;
  if (ops[*x].finish_us != ops[*y].finish_us)
    return ops[*x].finish_us < ops[*y].finish_us ? -1 : 1;
  return (*x > *y) - (*x < *y);
}

/* Kernels of each device by their starts. (element-type GArray) */
static GPtrArray *
list_kernels (const Work *work)
{
  GPtrArray *lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint d = 0; d < work->shares->n_devices; d++)
    g_ptr_array_add (lists, g_array_new (FALSE, FALSE, sizeof (GobanNodeId)));
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (work->plan); v++)
    if (goban_trace_get_kernel (work->trace, v) == v && isfinite (work->ops[v].finish_us))
      g_array_append_val ((GArray *) lists->pdata[goban_plan_get_device (work->plan, v)], v);
  for (guint d = 0; d < lists->len; d++)
    g_array_sort_with_data (lists->pdata[d], compare_starts, (gpointer) work->ops);
  return lists;
}

static void
add_device (Work *work, guint device, const GArray *kernels)
{
  double reached_us = 0;

  for (guint i = 0; i < kernels->len; i++)
    {
      GobanNodeId v = g_array_index (kernels, GobanNodeId, i);
      double start_us = work->ops[v].start_us, finish_us = work->ops[v].finish_us;

      if (i == 0)
        add (work, device, GOBAN_TIME_ENDS, 0, start_us);
      else if (start_us > reached_us && start_us > work->shares->from_us
               && reached_us < work->shares->to_us)
        explain_gap (work, device, v, reached_us, start_us);
      add (work, device, GOBAN_TIME_COMPUTING, start_us, finish_us);
      reached_us = finish_us;
    }
  add (work, device, GOBAN_TIME_ENDS, reached_us, work->end_us);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void
clear_row (gpointer data)
{
  GobanTimeRow *row = data;

  g_free (row->name);
  g_clear_pointer (&row->nodes, goban_selection_unref);
}

static GArray *
new_rows (void)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (GobanTimeRow));

  g_array_set_clear_func (rows, clear_row);
  return rows;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const GobanTimeRow *x = a;
  const GobanTimeRow *y = b;

  if (x->busy_us != y->busy_us)
    return x->busy_us > y->busy_us ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* A row for each of @n_names groups; of (n): the group of each of @ids. */
static void
fill_rows (const Work *work, GArray *rows, const GArray *ids, const guint *of,
           const char *const *names)
{
  guint n_names = g_strv_length ((char **) names);
  g_autoptr (GPtrArray) members = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  g_array_set_size (rows, n_names);
  for (guint g = 0; g < n_names; g++)
    {
      g_array_index (rows, GobanTimeRow, g).name = g_strdup (names[g]);
      g_ptr_array_add (members, g_array_new (FALSE, FALSE, sizeof (GobanNodeId)));
    }
  for (guint i = 0; i < ids->len; i++)
    {
      GobanNodeId v = g_array_index (ids, GobanNodeId, i);
      GobanTimeRow *row = &g_array_index (rows, GobanTimeRow, of[i]);

      g_array_append_val ((GArray *) members->pdata[of[i]], v);
      if (goban_trace_get_kernel (work->trace, v) != v)
        continue;
      row->n++;
      row->busy_us += overlap (work->shares, work->ops[v].start_us, work->ops[v].finish_us);
    }
  for (guint g = 0; g < n_names; g++)
    {
      const GArray *list = members->pdata[g];

      g_array_index (rows, GobanTimeRow, g).nodes
          = goban_selection_new ((const GobanNodeId *) (gconstpointer) list->data, list->len);
    }
  g_array_sort (rows, compare_rows);
}

/* The nodes that run in the span. */
static GArray *
list_nodes (const Work *work)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (work->plan); v++)
    if (overlap (work->shares, work->ops[v].start_us, work->ops[v].finish_us) > 0)
      g_array_append_val (ids, v);
  return ids;
}

static void
add_types (const Work *work, const GArray *ids)
{
  g_autoptr (GHashTable) index = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree guint *of = g_new (guint, MAX (ids->len, 1));

  for (guint i = 0; i < ids->len; i++)
    {
      const char *op = goban_graph_get_node (work->graph, g_array_index (ids, GobanNodeId, i))->op;
      gpointer at = g_hash_table_lookup (index, op);

      if (at == NULL)
        {
          g_ptr_array_add (names, (gpointer) (*op != '\0' ? op : "unknown"));
          at = GUINT_TO_POINTER (names->len);
          g_hash_table_insert (index, (gpointer) op, at);
        }
      of[i] = GPOINTER_TO_UINT (at) - 1;
    }
  g_ptr_array_add (names, NULL);
  fill_rows (work, work->shares->types, ids, of, (const char *const *) names->pdata);
}

static void
add_groups (const Work *work, const GArray *ids)
{
  g_autoptr (GobanScopes) scopes = goban_scopes_new (
      work->graph, (const GobanNodeId *) (gconstpointer) ids->data, ids->len, 0);

  fill_rows (work, work->shares->groups, ids, scopes->of, (const char *const *) scopes->names);
}

static void
add_links (const Work *work)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (work->trace));
  guint n_links = goban_cluster_get_n_links (cluster);
  g_autofree GobanTimeRow *rows = g_new0 (GobanTimeRow, n_links + 1);

  for (guint i = 0; i < work->n_transfers; i++)
    {
      const GobanTransfer *t = &work->transfers[i];
      const GobanRoute *route = goban_cluster_get_route (cluster, t->from, t->to);
      double part_us = overlap (work->shares, t->start_us, t->finish_us);
      double size_bytes = goban_graph_get_tensor (work->graph, t->tensor)->size_bytes;

      for (guint k = 0; part_us > 0 && k < route->n_links; k++)
        {
          GobanTimeRow *row = &rows[route->links[k]];

          row->n++;
          row->busy_us += part_us;
          row->bytes += size_bytes * part_us / (t->finish_us - t->start_us);
        }
    }
  for (guint l = 0; l < n_links; l++)
    if (rows[l].n > 0)
      {
        rows[l].name = g_strdup (goban_cluster_get_link (cluster, l)->name);
        g_array_append_val (work->shares->links, rows[l]);
      }
}

/* --- all -------------------------------------------------------------------------------------- */

static void
add_devices (Work *work)
{
  g_autoptr (GPtrArray) kernels = list_kernels (work);

  index_transfers (work);
  for (guint d = 0; d < work->shares->n_devices; d++)
    add_device (work, d, kernels->pdata[d]);
  g_hash_table_unref (work->transfer_of);
}

static void
add_tables (const Work *work)
{
  g_autoptr (GArray) ids = list_nodes (work);

  add_types (work, ids);
  add_groups (work, ids);
  add_links (work);
}

static GobanTimeShares *
new_shares (GobanTrace *trace, double from_us, double to_us, gboolean has_tables)
{
  GobanTimeShares *self = g_new0 (GobanTimeShares, 1);
  GobanCostModel *costs = goban_trace_get_costs (trace);
  double makespan_us = goban_trace_get_makespan (trace);
  Work work = { .shares = self,
                .trace = trace,
                .graph = goban_cost_model_get_graph (costs),
                .plan = goban_trace_get_plan (trace),
                .ops = goban_trace_get_ops (trace),
                .end_us = isfinite (makespan_us) ? makespan_us : 0 };

  work.transfers = goban_trace_get_transfers (trace, &work.n_transfers);
  self->from_us = CLAMP (fmin (from_us, to_us), 0, work.end_us);
  self->to_us = CLAMP (fmax (from_us, to_us), 0, work.end_us);
  self->n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  self->devices_us = g_malloc0_n (MAX (self->n_devices, 1), sizeof *self->devices_us);
  self->types = new_rows ();
  self->groups = new_rows ();
  self->links = new_rows ();
  if (work.ops != NULL)
    add_devices (&work);
  if (work.ops != NULL && has_tables)
    add_tables (&work);
  for (guint d = 0; d < self->n_devices; d++)
    for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
      self->all_us[k] += self->devices_us[d][k];
  return self;
}

GobanTimeShares *
goban_time_shares_new (GobanTrace *trace, double from_us, double to_us)
{
  return new_shares (trace, from_us, to_us, TRUE);
}

GobanTimeShares *
goban_time_shares_new_of_devices (GobanTrace *trace, double from_us, double to_us)
{
  return new_shares (trace, from_us, to_us, FALSE);
}

void
goban_time_shares_free (GobanTimeShares *self)
{
  g_free (self->devices_us);
  g_array_unref (self->types);
  g_array_unref (self->groups);
  g_array_unref (self->links);
  g_free (self);
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *
format_percent (char *buffer, double part_us, double all_us)
{
  return g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, "%.1f",
                          all_us > 0 ? 100 * part_us / all_us : 0);
}

char *
goban_time_shares_describe_device (const GobanTimeShares *self, GobanTrace *trace, guint device)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  GString *text = g_string_new (goban_cluster_get_device (cluster, (GobanDeviceId) device)->name);
  gboolean is_first = TRUE;

  for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
    {
      char percent[G_ASCII_DTOSTR_BUF_SIZE];

      if (self->devices_us[device][k] <= 0)
        continue;
      g_string_append_printf (
          text, "%s%s %s %%", is_first ? ": " : ", ", goban_time_kind_get_label (k),
          format_percent (percent, self->devices_us[device][k], self->to_us - self->from_us));
      is_first = FALSE;
    }
  return g_string_free (text, FALSE);
}

/* "type: Conv 63.1 %, Relu 21.1 %, 6 more" */
static void
append_largest (GString *text, const GobanTimeShares *self, const char *name, const GArray *rows)
{
  for (guint i = 0; i < MIN (rows->len, MOST_NAMED); i++)
    {
      const GobanTimeRow *row = &g_array_index (rows, GobanTimeRow, i);
      char percent[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s%s %s %%", i == 0 ? name : ", ", row->name,
                              format_percent (percent, row->busy_us, self->to_us - self->from_us));
    }
  if (rows->len > MOST_NAMED)
    g_string_append_printf (text, _ (", %u more"), rows->len - MOST_NAMED);
  if (rows->len > 0)
    g_string_append_c (text, '\n');
}

char *
goban_time_shares_describe (const GobanTimeShares *self, GobanTrace *trace, const guint8 *devices)
{
  GString *text = g_string_new (NULL);

  for (guint d = 0; d < self->n_devices; d++)
    if (devices[d])
      {
        g_autofree char *line = goban_time_shares_describe_device (self, trace, d);

        g_string_append_printf (text, "%s\n", line);
      }
  append_largest (text, self, _ ("types: "), self->types);
  append_largest (text, self, _ ("groups: "), self->groups);
  append_largest (text, self, _ ("links: "), self->links);
  return g_string_free (text, FALSE);
}

static void
append_devices (GString *text, const GobanTimeShares *self, GobanCluster *cluster)
{
  static const char *const headings[]
      = { "device", "computing %", "data %", "channel %", "priority %", "ends %", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);

  for (guint d = 0; d < self->n_devices; d++)
    {
      goban_table_add (table, "%s", goban_cluster_get_device (cluster, (GobanDeviceId) d)->name);
      for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
        {
          char percent[G_ASCII_DTOSTR_BUF_SIZE];

          goban_table_add (
              table, "%s",
              format_percent (percent, self->devices_us[d][k], self->to_us - self->from_us));
        }
    }
  goban_table_append_to (table, text);
}

static void
append_rows (GString *text, const GobanTimeShares *self, const char *name, const GArray *rows)
{
  const char *const headings[] = { name, "busy %", "busy", "count", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);

  if (rows->len == 0)
    return;
  for (guint i = 0; i < MIN (rows->len, MOST_ROWS); i++)
    {
      const GobanTimeRow *row = &g_array_index (rows, GobanTimeRow, i);
      char percent[G_ASCII_DTOSTR_BUF_SIZE], busy[GOBAN_QUANTITY_LEN];

      goban_table_add (table, "%s", row->name);
      goban_table_add (table, "%s",
                       format_percent (percent, row->busy_us, self->to_us - self->from_us));
      goban_table_add (table, "%s", goban_format_time (busy, row->busy_us));
      goban_table_add (table, "%u", row->n);
    }
  g_string_append_c (text, '\n');
  goban_table_append_to (table, text);
  if (rows->len > MOST_ROWS)
    g_string_append_printf (text, "and %u more\n", rows->len - MOST_ROWS);
}

char *
goban_time_shares_to_text (const GobanTimeShares *self, GobanTrace *trace)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  GString *text = g_string_new (NULL);

  append_devices (text, self, cluster);
  append_rows (text, self, "type", self->types);
  append_rows (text, self, "group", self->groups);
  append_rows (text, self, "link", self->links);
  return g_string_free (text, FALSE);
}
