#include "engine/study/analysis/span-totals.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"

#include <math.h>

/* --- totals of links -------------------------------------------------------------------------- */

GobanLinkTotal *
goban_link_totals_new (GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanLinkTotal *totals = g_new0 (GobanLinkTotal, goban_cluster_get_n_links (cluster) + 1);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *transfer = &transfers[i];
      const GobanRoute *route = goban_cluster_get_route (cluster, transfer->from, transfer->to);

      for (guint k = 0; k < route->n_links; k++)
        {
          GobanLinkTotal *total = &totals[route->links[k]];

          total->bytes
              += goban_graph_get_tensor (goban_run_get_graph (run), transfer->tensor)->size_bytes;
          total->busy_us += transfer->finish_us - transfer->start_us;
          total->n_transfers++;
        }
    }
  return totals;
}

char *
goban_link_totals_to_text (GobanRun *run)
{
  static const char *const headings[] = { "link", "bytes", "transfers", "busy", NULL };
  GobanCluster *cluster = goban_run_get_cluster (run);
  g_autofree GobanLinkTotal *totals = goban_link_totals_new (run);
  g_autoptr (GobanTable) table = goban_table_new (headings);
  double makespan_us = goban_run_get_makespan_us (run);
  GString *text = g_string_new (NULL);
  char bytes[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    {
      if (totals[i].n_transfers == 0)
        continue;
      goban_table_add (table, "%s", goban_cluster_get_link (cluster, i)->name);
      goban_table_add (table, "%s", goban_format_bytes (bytes, totals[i].bytes));
      goban_table_add (table, "%u", totals[i].n_transfers);
      goban_table_add (table, "%.1f %%", 100 * totals[i].busy_us / makespan_us);
    }
  goban_table_append_to (table, text);
  return g_string_free (text, FALSE);
}

char *
goban_link_totals_to_json (GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  g_autofree GobanLinkTotal *totals = goban_link_totals_new (run);
  GString *json = g_string_new ("[");

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    {
      if (totals[i].n_transfers == 0)
        continue;
      g_string_append (json, json->len > 1 ? ", {" : "{");
      goban_json_add_string (json, "link", goban_cluster_get_link (cluster, i)->name);
      goban_json_add_number (json, "bytes", totals[i].bytes);
      goban_json_add_number (json, "transfers", totals[i].n_transfers);
      goban_json_add_number (json, "busy_us", totals[i].busy_us);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}

/* The part of start..finish that is in the span. */
static double
overlap (const GobanSpanTotals *self, double start_us, double finish_us)
{
  return fmax (fmin (finish_us, self->to_us) - fmax (start_us, self->from_us), 0);
}

/* Whether it lies in the span; an event of zero length at the end belongs to the next span. */
static gboolean
touches (const GobanSpanTotals *self, double start_us, double finish_us, double end_us)
{
  if (finish_us > start_us)
    return overlap (self, start_us, finish_us) > 0;

  return start_us >= self->from_us
         && (start_us < self->to_us || (start_us == end_us && self->to_us == end_us));
}

/* --- ops ------------------------------------------------------------------------------------ */

/* Keeps the ten largest, the largest first. */
static void
offer_top (GobanSpanTotals *self, GobanNodeId node, double busy_us)
{
  guint at = self->n_top;

  if (busy_us <= 0 || (at == GOBAN_N_TOP_OPS && busy_us <= self->top[GOBAN_N_TOP_OPS - 1].busy_us))
    return;
  if (at == GOBAN_N_TOP_OPS)
    at--;
  else
    self->n_top++;
  while (at > 0 && self->top[at - 1].busy_us < busy_us)
    {
      self->top[at] = self->top[at - 1];
      at--;
    }
  self->top[at] = (GobanOpTotal){ node, busy_us };
}

static void
add_ops (GobanSpanTotals *self, GobanTrace *trace, double end_us)
{
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  const GobanPlan *plan = goban_trace_get_plan (trace);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      GobanDeviceTotals *device = &self->devices[goban_plan_get_device (plan, v)];
      double busy_us;

      if (!device->is_in || goban_trace_get_kernel (trace, v) != v
          || !touches (self, spans[v].start_us, spans[v].finish_us, end_us))
        continue;
      busy_us = overlap (self, spans[v].start_us, spans[v].finish_us);
      device->busy_us += busy_us;
      device->n_ops++;
      offer_top (self, v, busy_us);
    }
}

/* --- transfers ------------------------------------------------------------------------------ */

static void
add_transfers (GobanSpanTotals *self, GobanTrace *trace, double end_us)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *t = &transfers[i];
      double length_us = t->finish_us - t->start_us;
      double size_bytes, part_us;

      if (!touches (self, t->start_us, t->finish_us, end_us))
        continue;
      part_us = overlap (self, t->start_us, t->finish_us);
      size_bytes = goban_graph_get_tensor (graph, t->tensor)->size_bytes;
      if (length_us > 0)
        size_bytes *= part_us / length_us;
      if (self->devices[t->from].is_in)
        {
          self->devices[t->from].sending_us += part_us;
          self->devices[t->from].sent_bytes += size_bytes;
        }
      if (self->devices[t->to].is_in)
        {
          self->devices[t->to].receiving_us += part_us;
          self->devices[t->to].received_bytes += size_bytes;
        }
    }
}

/* --- all ------------------------------------------------------------------------------------ */

static void
add_up (GobanSpanTotals *self)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      GobanDeviceTotals *device = &self->devices[d];

      if (!device->is_in)
        continue;
      device->idle_us = fmax (self->to_us - self->from_us - device->busy_us, 0);
      self->all.is_in = TRUE;
      self->all.busy_us += device->busy_us;
      self->all.idle_us += device->idle_us;
      self->all.sending_us += device->sending_us;
      self->all.receiving_us += device->receiving_us;
      self->all.sent_bytes += device->sent_bytes;
      self->all.received_bytes += device->received_bytes;
      self->all.n_ops += device->n_ops;
    }
}

GobanSpanTotals *
goban_span_totals_new (GobanTrace *trace, double from_us, double to_us, const guint8 *devices)
{
  GobanSpanTotals *self = g_new0 (GobanSpanTotals, 1);
  GobanCostModel *costs = goban_trace_get_costs (trace);
  double makespan_us = goban_trace_get_makespan (trace);
  double end_us = isfinite (makespan_us) ? makespan_us : 0;

  self->from_us = CLAMP (fmin (from_us, to_us), 0, end_us);
  self->to_us = CLAMP (fmax (from_us, to_us), 0, end_us);
  self->n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  self->devices = g_new0 (GobanDeviceTotals, MAX (self->n_devices, 1));
  for (guint d = 0; d < self->n_devices; d++)
    self->devices[d].is_in = devices == NULL || devices[d];
  if (goban_trace_get_ops (trace) != NULL)
    {
      add_ops (self, trace, end_us);
      add_transfers (self, trace, end_us);
    }
  add_up (self);
  return self;
}

void
goban_span_totals_free (GobanSpanTotals *self)
{
  g_free (self->devices);
  g_free (self);
}

/* --- in words ------------------------------------------------------------------------------- */

/* "gpu:0: busy 3 ms (75 %), idle 1 ms, sends 4 MB in 2 ms, receives 1 MB in 1 ms" */
static void
append_device (GString *text, const char *name, const GobanDeviceTotals *device)
{
  double all_us = device->busy_us + device->idle_us;
  char busy[GOBAN_QUANTITY_LEN], idle[GOBAN_QUANTITY_LEN];
  char bytes[GOBAN_QUANTITY_LEN], time[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "%s: %u op%s, busy %s", name, device->n_ops,
                          device->n_ops == 1 ? "" : "s", goban_format_time (busy, device->busy_us));
  if (all_us > 0)
    g_string_append_printf (text, " (%d %%)", (int) (100 * device->busy_us / all_us + 0.5));
  g_string_append_printf (text, ", idle %s", goban_format_time (idle, device->idle_us));
  if (device->sent_bytes > 0)
    g_string_append_printf (text, ", sends %s in %s",
                            goban_format_bytes (bytes, device->sent_bytes),
                            goban_format_time (time, device->sending_us));
  if (device->received_bytes > 0)
    g_string_append_printf (text, ", receives %s in %s",
                            goban_format_bytes (bytes, device->received_bytes),
                            goban_format_time (time, device->receiving_us));
  g_string_append_c (text, '\n');
}

static gboolean
did_nothing (const GobanDeviceTotals *device)
{
  return device->n_ops == 0 && device->sent_bytes <= 0 && device->received_bytes <= 0;
}

/* "idle: gpu:2, gpu:3": a line each would hide those that did something. */
static void
append_idle (GString *text, const GobanSpanTotals *self, GobanCluster *cluster)
{
  guint n = 0;

  for (guint d = 0; d < self->n_devices; d++)
    if (self->devices[d].is_in && did_nothing (&self->devices[d]))
      g_string_append_printf (text, "%s%s", n++ == 0 ? "idle: " : ", ",
                              goban_cluster_get_device (cluster, (GobanDeviceId) d)->name);
  if (n > 0)
    g_string_append_c (text, '\n');
}

char *
goban_span_totals_describe (const GobanSpanTotals *self, GobanTrace *trace)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  GString *text = g_string_new (NULL);
  guint n_in = 0;
  char from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN], length[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "%s to %s, %s long\n", goban_format_time (from, self->from_us),
                          goban_format_time (to, self->to_us),
                          goban_format_time (length, self->to_us - self->from_us));
  for (guint d = 0; d < self->n_devices; d++)
    if (self->devices[d].is_in)
      {
        if (!did_nothing (&self->devices[d]))
          append_device (text, goban_cluster_get_device (cluster, (GobanDeviceId) d)->name,
                         &self->devices[d]);
        n_in++;
      }
  append_idle (text, self, cluster);
  if (n_in > 1)
    append_device (text, "all", &self->all);
  for (guint i = 0; i < self->n_top; i++)
    g_string_append_printf (text, "%s%s  %s\n", i == 0 ? "longest:\n  " : "  ",
                            goban_format_time (length, self->top[i].busy_us),
                            goban_graph_get_node (graph, self->top[i].node)->name);
  return g_string_free (text, FALSE);
}
