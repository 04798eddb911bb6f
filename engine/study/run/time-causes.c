#include "engine/study/run/time-causes.h"

#include "engine/core/error.h"
#include "engine/graph/collectives.h"
#include "engine/machine/parallel/rank-graph.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Without the "mb3/" of its micro-batch. */
static const char *
skip_batch (const char *name)
{
  const char *rest = name + 2;

  if (!g_str_has_prefix (name, "mb"))
    return name;
  while (isdigit ((guchar) *rest))
    rest++;
  return rest > name + 2 && *rest == '/' ? rest + 1 : name;
}

/* Ops of a rank's graph, or shares of a pass (engine/machine/parallel/rank-graph.h). */
static GobanTimeCause
find_cause (const GobanGraph *graph, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (graph, v);
  const GobanNodeCollective *collective = goban_graph_find_collective (graph, v);

  if (collective != NULL)
    return collective->kind == GOBAN_COLLECTIVE_SEND ? GOBAN_TIME_CAUSE_SENDING
                                                     : GOBAN_TIME_CAUSE_EXCHANGING;
  if (g_str_equal (node->op, GOBAN_COLLECTIVES_OP))
    return GOBAN_TIME_CAUSE_EXCHANGING;
  if (g_str_equal (node->op, GOBAN_SEND_OP))
    return GOBAN_TIME_CAUSE_SENDING;
  if (g_str_equal (node->op, GOBAN_RECOMPUTE_OP)
      || g_str_has_prefix (skip_batch (node->name), GOBAN_RECOMPUTE_SCOPE))
    return GOBAN_TIME_CAUSE_RECOMPUTING;
  return node->phase == GOBAN_PHASE_UPDATE ? GOBAN_TIME_CAUSE_UPDATING : GOBAN_TIME_CAUSE_COMPUTING;
}

gboolean
goban_run_split_by_cause (GobanRun *run, double shares_us[GOBAN_N_TIME_CAUSES], GError **error)
{
  GobanTrace *trace = goban_run_get_trace (run);
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  GobanGraph *graph = goban_run_get_graph (run);
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (run));
  double busy_us = 0;

  if (spans == NULL || !isfinite (goban_run_get_makespan_us (run)))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s has no end: nothing is known of its time",
                         goban_run_get_name (run));
  memset (shares_us, 0, GOBAN_N_TIME_CAUSES * sizeof *shares_us);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_trace_get_kernel (trace, v) == v && isfinite (spans[v].finish_us))
      shares_us[find_cause (graph, v)] += (spans[v].finish_us - spans[v].start_us) / n_devices;
  for (guint i = 0; i < GOBAN_TIME_CAUSE_IDLE; i++)
    busy_us += shares_us[i];
  shares_us[GOBAN_TIME_CAUSE_IDLE] = goban_run_get_makespan_us (run) - busy_us;
  return TRUE;
}
