#include "tests/support/trace-check-private.h"

#include <math.h>
#include <stdlib.h>

typedef struct
{
  double time_us;
  double bytes; /* taken, or given back if negative */
  GobanDeviceId device;
} Change;

static int
compare_changes (const void *a, const void *b)
{
  const Change *x = a;
  const Change *y = b;

  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  return (x->time_us > y->time_us) - (x->time_us < y->time_us);
}

/* When the tensor's last reader on the device has finished; @least_us if there is none. */
static double
last_read_us (const CheckFacts *facts, GobanTensorId tensor, GobanDeviceId device, double least_us)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (facts->graph, tensor);
  double last_us = least_us;

  for (guint i = 0; i < edges.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (facts->graph, edges.ids[i])->head;

      if (goban_plan_get_device (facts->plan, head) == device)
        last_us = MAX (last_us, facts->ops[head].finish_us);
    }
  return last_us;
}

static void
add_stay (GArray *changes, GobanDeviceId device, double start_us, double end_us, double bytes)
{
  Change taken = { start_us, bytes, device };
  Change given = { end_us, -bytes, device };

  g_array_append_val (changes, taken);
  g_array_append_val (changes, given);
}

static GArray *
list_changes (const CheckFacts *facts)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (Change));

  for (guint v = 0; v < facts->n_nodes; v++)
    {
      Change params = { 0, ceil (goban_cost_model_param_bytes (facts->costs, v)),
                        goban_plan_get_device (facts->plan, v) };

      g_array_append_val (changes, params);
    }
  for (guint t = 0; t < facts->n_tensors; t++)
    {
      GobanNodeId producer = check_producer (facts, t);
      GobanDeviceId home = goban_plan_get_device (facts->plan, producer);
      double bytes = ceil (goban_graph_get_tensor (facts->graph, t)->size_bytes);
      double end_us = last_read_us (facts, t, home, facts->ops[producer].finish_us);

      if (check_is_internal (facts, t))
        continue;
      for (guint32 i = facts->first_by_tensor[t]; i < facts->first_by_tensor[t + 1]; i++)
        {
          const GobanTransfer *transfer = &facts->transfers[facts->by_tensor[i]];

          end_us = MAX (end_us, transfer->finish_us);
          add_stay (changes, transfer->to, transfer->start_us,
                    last_read_us (facts, t, transfer->to, transfer->finish_us), bytes);
        }
      add_stay (changes, home, facts->ops[producer].start_us, end_us, bytes);
    }
  g_array_sort (changes, compare_changes);
  return changes;
}

typedef struct
{
  double peak_bytes;
  double peak_time_us;
  double overflow_time_us; /* INFINITY if there is none */
} Peak;

static Peak
find_peak (const CheckFacts *facts, const GArray *changes, guint *i, GobanDeviceId device)
{
  double capacity_bytes = goban_cluster_get_device (facts->cluster, device)->memory_bytes;
  Peak peak = { 0, 0, (double) INFINITY };
  double level_bytes = 0;

  while (*i < changes->len && g_array_index (changes, Change, *i).device == device)
    {
      double time_us = g_array_index (changes, Change, *i).time_us;

      for (; *i < changes->len && g_array_index (changes, Change, *i).device == device
             && g_array_index (changes, Change, *i).time_us == time_us;
           (*i)++)
        level_bytes += g_array_index (changes, Change, *i).bytes;
      if (level_bytes > peak.peak_bytes)
        {
          peak.peak_bytes = level_bytes;
          peak.peak_time_us = time_us;
        }
      if (level_bytes > capacity_bytes && isinf (peak.overflow_time_us))
        peak.overflow_time_us = time_us;
    }
  return peak;
}

/* The staircase has a step wherever the level at the end of an instant is another than before, and
 * none else. */
static gboolean
check_levels (const CheckFacts *facts, const GArray *changes, guint i, GobanDeviceId device,
              GError **error)
{
  guint n;
  g_autofree GobanMemoryPoint *points = goban_trace_get_memory (facts->trace, device, &n);
  GobanMemoryPoint level = { 0, 0 };
  guint n_steps = 0;

  for (;;)
    {
      const Change *change = &g_array_index (changes, Change, i);

      for (; i < changes->len && change->device == device && change->time_us == level.time_us;
           change = &g_array_index (changes, Change, ++i))
        level.bytes += change->bytes;
      if (n_steps == 0 || points[n_steps - 1].bytes != level.bytes)
        {
          if (n_steps == n || points[n_steps].time_us != level.time_us
              || points[n_steps].bytes != level.bytes)
            return goban_refuse (error, GOBAN_ERROR_INVALID,
                                 "the memory of %s has no step to %g bytes at %g µs",
                                 check_device_name (facts, device), level.bytes, level.time_us);
          n_steps++;
        }
      if (i == changes->len || change->device != device)
        break;
      level.time_us = change->time_us;
    }
  if (n_steps < n)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the memory of %s has %u steps, not %u",
                         check_device_name (facts, device), n_steps, n);
  return TRUE;
}

static gboolean
check_verdict (const CheckFacts *facts, GobanDeviceId device, double time_us, GError **error)
{
  const GobanOutOfMemory *said = goban_trace_get_out_of_memory (facts->trace);
  gboolean overflows = isfinite (time_us);

  if (goban_trace_is_valid (facts->trace) == overflows || (said != NULL) != overflows)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the run is called %s, but memory %s",
                         goban_trace_is_valid (facts->trace) ? "valid" : "invalid",
                         overflows ? "does not suffice" : "suffices");
  if (!overflows)
    return TRUE;
  if (said->device != device || said->time_us != time_us)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s overflows first, at %g µs, not %s at %g µs",
                         check_device_name (facts, device), time_us,
                         check_device_name (facts, said->device), said->time_us);
  if (said->capacity_bytes != goban_cluster_get_device (facts->cluster, device)->memory_bytes
      || !(said->in_use_bytes <= said->capacity_bytes)
      || !(said->in_use_bytes + said->needed_bytes > said->capacity_bytes))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%g of %g bytes in use and %g needed do not overflow %s",
                         said->in_use_bytes, said->capacity_bytes, said->needed_bytes,
                         check_device_name (facts, device));
  return TRUE;
}

gboolean
check_memory (const CheckFacts *facts, GError **error)
{
  g_autoptr (GArray) changes = list_changes (facts);
  double first_us = (double) INFINITY;
  GobanDeviceId first = 0;
  guint i = 0;

  for (guint d = 0; d < facts->n_devices; d++)
    {
      guint start = i;
      Peak peak = find_peak (facts, changes, &i, d);

      if (!check_levels (facts, changes, start, d, error))
        return FALSE;
      if (peak.peak_bytes != facts->uses[d].peak_bytes
          || peak.peak_time_us != facts->uses[d].peak_time_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "memory of %s peaks at %g µs with %g bytes, not at %g µs with %g",
                             check_device_name (facts, d), peak.peak_time_us, peak.peak_bytes,
                             facts->uses[d].peak_time_us, facts->uses[d].peak_bytes);
      if (peak.overflow_time_us < first_us)
        {
          first_us = peak.overflow_time_us;
          first = d;
        }
    }
  return check_verdict (facts, first, first_us, error);
}
