#include "engine/study/analysis/time-events.h"

#include "engine/core/i18n.h"

#include <math.h>

/* Events that a description names; the others are counted. */
#define MAX_NAMED 3

/* Calls back for both events of every kernel and every transfer of the devices. */
typedef void (*EventFunc) (const GobanTimeEvent *event, double time_us, gpointer data);

static void
call_twice (gboolean is_transfer, guint32 index, const double times_us[2], EventFunc func,
            gpointer data)
{
  for (guint i = 0; i < 2; i++)
    func (&(GobanTimeEvent){ i == 1, is_transfer, index }, times_us[i], data);
}

static void
each_event (GobanRun *run, const gboolean *devices, EventFunc func, gpointer data)
{
  GobanTrace *trace = goban_run_get_trace (run);
  const GobanDeviceId *device = goban_plan_get_devices (goban_run_get_plan (run));
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_nodes = ops != NULL ? goban_plan_get_n_nodes (goban_run_get_plan (run)) : 0;
  guint n_transfers;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (goban_trace_get_kernel (trace, v) == v && (devices == NULL || devices[device[v]]))
      call_twice (FALSE, v, (double[]){ ops[v].start_us, ops[v].finish_us }, func, data);
  for (guint i = 0; i < n_transfers; i++)
    if (devices == NULL || devices[transfers[i].from] || devices[transfers[i].to])
      call_twice (TRUE, i, (double[]){ transfers[i].start_us, transfers[i].finish_us }, func, data);
}

typedef struct
{
  double time_us;
  int direction;
  double found_us; /* NAN until one is found */
} Finding;

static void
find_cb (const GobanTimeEvent *event, double time_us, gpointer data)
{
  Finding *finding = data;
  double ahead_us = finding->direction > 0 ? time_us : -time_us;

  if (!isfinite (time_us))
    return;
  if (!isnan (finding->time_us)
      && ahead_us <= (finding->direction > 0 ? finding->time_us : -finding->time_us))
    return;
  if (isnan (finding->found_us)
      || ahead_us < (finding->direction > 0 ? finding->found_us : -finding->found_us))
    finding->found_us = time_us;
}

double
goban_time_events_find (GobanRun *run, double time_us, int direction, const gboolean *devices)
{
  Finding finding = { time_us, direction, (double) NAN };

  g_return_val_if_fail (direction == 1 || direction == -1, (double) NAN);

  each_event (run, devices, find_cb, &finding);
  return finding.found_us;
}

/* --- the events of one moment ----------------------------------------------------------------- */

typedef struct
{
  double time_us;
  GArray *events;
} Listing;

static void
list_cb (const GobanTimeEvent *event, double time_us, gpointer data)
{
  Listing *listing = data;

  if (time_us == listing->time_us)
    g_array_append_vals (listing->events, event, 1);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const GobanTimeEvent *x = a;
  const GobanTimeEvent *y = b;

  if (x->is_finish != y->is_finish)
    return x->is_finish ? -1 : 1;
  if (x->is_transfer != y->is_transfer)
    return x->is_transfer ? 1 : -1;
  return (x->index > y->index) - (x->index < y->index);
}

GArray *
goban_time_events_list (GobanRun *run, double time_us, const gboolean *devices)
{
  Listing listing = { time_us, g_array_new (FALSE, FALSE, sizeof (GobanTimeEvent)) };

  each_event (run, devices, list_cb, &listing);
  g_array_sort (listing.events, compare_events);
  return listing.events;
}

/* --- in words --------------------------------------------------------------------------------- */

static const char *
device_name (GobanRun *run, GobanDeviceId device)
{
  return goban_cluster_get_device (goban_run_get_cluster (run), device)->name;
}

/* (transfer full) */
static char *
describe_event (GobanRun *run, const GobanTimeEvent *event)
{
  GobanGraph *graph = goban_run_get_graph (run);
  const GobanTransfer *transfer;
  const char *name;
  guint n;

  if (!event->is_transfer)
    return g_strdup_printf (
        event->is_finish ? _ ("%s finishes on %s") : _ ("%s starts on %s"),
        goban_graph_get_node (graph, event->index)->name,
        device_name (run, goban_plan_get_device (goban_run_get_plan (run), event->index)));

  transfer = &goban_trace_get_transfers (goban_run_get_trace (run), &n)[event->index];
  name = goban_graph_get_node (graph, goban_graph_get_tensor (graph, transfer->tensor)->producer)
             ->name;
  return g_strdup_printf (event->is_finish ? _ ("%s arrives from %s on %s")
                                           : _ ("%s is sent from %s to %s"),
                          name, device_name (run, transfer->from), device_name (run, transfer->to));
}

char *
goban_time_events_describe (GobanRun *run, double time_us, const gboolean *devices)
{
  g_autoptr (GArray) events = goban_time_events_list (run, time_us, devices);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (events->len, MAX_NAMED); i++)
    {
      g_autofree char *part = describe_event (run, &g_array_index (events, GobanTimeEvent, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", part);
    }
  if (events->len > MAX_NAMED)
    g_string_append_printf (text, _ (", and %u more"), events->len - MAX_NAMED);
  return g_string_free (text, FALSE);
}

guint
goban_time_events_mark_devices (GobanRun *run, GobanSelection *nodes, gboolean *devices)
{
  GobanPlan *plan = goban_run_get_plan (run);
  guint n_nodes, n_marked = 0;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n_nodes);

  for (guint d = 0; d < goban_plan_get_n_devices (plan); d++)
    devices[d] = FALSE;
  for (guint i = 0; i < n_nodes; i++)
    devices[goban_plan_get_device (plan, ids[i])] = TRUE;
  for (guint d = 0; d < goban_plan_get_n_devices (plan); d++)
    n_marked += devices[d];
  return n_marked;
}
