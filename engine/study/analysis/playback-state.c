#include "engine/study/analysis/playback-state.h"

#include "engine/core/quantity.h"

#include <string.h>

const char *
goban_node_state_get_name (GobanNodeState state)
{
  static const char *const names[] = { "waiting", "ready", "running", "done" };

  g_return_val_if_fail (state < GOBAN_N_NODE_STATES, NULL);

  return names[state];
}

/* Times only grow from ready over start to finish, so a state is how many of them have come. */
static GobanNodeState
state_at (const GobanOpSpan *span, double time_us)
{
  return (GobanNodeState) ((time_us >= span->ready_us) + (time_us >= span->start_us)
                           + (time_us >= span->finish_us));
}

void
goban_playback_state_compute (GobanRun *run, double time_us, guint8 *states, guint *counts)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  guint local[GOBAN_N_NODE_STATES] = { 0 };

  if (spans == NULL)
    {
      local[GOBAN_NODE_WAITING] = n_nodes;
      if (states != NULL)
        memset (states, GOBAN_NODE_WAITING, n_nodes);
    }
  for (GobanNodeId v = 0; spans != NULL && v < n_nodes; v++)
    {
      GobanNodeState state = state_at (&spans[v], time_us);

      local[state]++;
      if (states != NULL)
        states[v] = (guint8) state;
    }
  if (counts != NULL)
    memcpy (counts, local, sizeof local);
}

GobanSelection *
goban_playback_state_dup_nodes (GobanRun *run, double time_us, GobanNodeState state)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n_nodes + 1);
  guint n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if ((spans != NULL ? state_at (&spans[v], time_us) : GOBAN_NODE_WAITING) == state)
      ids[n++] = v;
  return goban_selection_new (ids, n);
}

/* Activity of a device. A kernel is named by its lowest node. */
typedef struct
{
  GobanNodeId running;
  guint n_ready;
} DeviceState;

static DeviceState *
look_at_devices (GobanRun *run, const guint8 *states, guint n_devices)
{
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  DeviceState *answer = g_new (DeviceState, n_devices + 1);

  for (GobanDeviceId d = 0; d < n_devices; d++)
    answer[d] = (DeviceState){ GOBAN_NO_NODE, 0 };
  for (GobanNodeId v = goban_plan_get_n_nodes (plan); v-- > 0;)
    {
      answer[devices[v]].n_ready += states[v] == GOBAN_NODE_READY;
      if (states[v] == GOBAN_NODE_RUNNING)
        answer[devices[v]].running = v;
    }
  return answer;
}

char *
goban_playback_state_describe (GobanRun *run, double time_us)
{
  GobanGraph *graph = goban_run_get_graph (run);
  GobanCluster *cluster = goban_run_get_cluster (run);
  guint n_devices = goban_plan_get_n_devices (goban_run_get_plan (run));
  g_autofree guint8 *states = g_new (guint8, goban_graph_get_n_nodes (graph) + 1);
  g_autofree DeviceState *devices = NULL;
  guint counts[GOBAN_N_NODE_STATES];
  GString *text = g_string_new (NULL);
  char quantity[GOBAN_QUANTITY_LEN];

  goban_playback_state_compute (run, time_us, states, counts);
  devices = look_at_devices (run, states, n_devices);
  g_string_printf (text, "at %s: %u running, %u ready, %u done, %u waiting\n",
                   goban_format_time (quantity, time_us), counts[GOBAN_NODE_RUNNING],
                   counts[GOBAN_NODE_READY], counts[GOBAN_NODE_DONE], counts[GOBAN_NODE_WAITING]);
  /* A plan for more devices than there are does not start. */
  n_devices = MIN (n_devices, goban_cluster_get_n_devices (cluster));
  for (GobanDeviceId d = 0; d < n_devices; d++)
    g_string_append_printf (text, "%s: %s, %u ready\n", goban_cluster_get_device (cluster, d)->name,
                            devices[d].running != GOBAN_NO_NODE
                                ? goban_graph_get_node (graph, devices[d].running)->name
                                : "idle",
                            devices[d].n_ready);
  return g_string_free (text, FALSE);
}
