#include "engine/study/run/collective-run.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/graph/levels.h"
#include "engine/machine/cluster/collective-time.h"
#include "engine/machine/parallel/collective.h"
#include "engine/placers/stages/stages.h"

#include <math.h>

typedef struct
{
  GobanCluster *cluster;
  const GobanDeviceId *devices; /* (n_ranks) */
  const GobanCollective *collective;
} Ranks;

/* The bytes that each rank must send at least. */
static double
get_least_bytes (const GobanCollective *self)
{
  double share = (self->n_ranks - 1.0) / self->n_ranks;

  switch (self->kind)
    {
    case GOBAN_COLLECTIVE_ALL_REDUCE:
      return 2 * share * self->bytes;
    case GOBAN_COLLECTIVE_REDUCE_SCATTER:
    case GOBAN_COLLECTIVE_ALL_GATHER:
    case GOBAN_COLLECTIVE_ALL_TO_ALL:
      return share * self->bytes;
    default:
      return self->bytes;
    }
}

/* A rank sends first to the rank that most others wait for. */
static GobanPlan *
make_plan (GobanGraph *graph, const Ranks *self, const guint *ranks)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanPlan *plan = goban_plan_new (graph, goban_cluster_get_n_devices (self->cluster));
  g_autofree double *ones = g_new (double, n_nodes + 1);
  g_autofree double *levels = g_new (double, n_nodes + 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      ones[v] = 1;
      goban_plan_set_device (plan, v, self->devices[ranks[v]]);
    }
  goban_graph_bottom_levels (graph, levels, ones, NULL);
  goban_plan_set_priorities_by_key (plan, levels);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  goban_plan_set_policy (plan, goban_collective_get_algorithm (self->collective));
  return plan;
}

/* (transfer full) (nullable): %NULL with @error set, also if the model cannot execute it. */
static GobanRun *
simulate (const Ranks *self, GobanExecution execution, GError **error)
{
  g_autofree guint *ranks = NULL;
  g_autoptr (GobanGraph) graph = goban_collective_new_graph (self->collective, &ranks, error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) run = NULL;

  if (graph == NULL)
    return NULL;
  costs = goban_cost_model_new (graph, self->cluster, execution);
  plan = make_plan (graph, self, ranks);
  run = goban_run_new (costs, plan, NULL);
  if (isfinite (goban_run_get_makespan_us (run)))
    return g_steal_pointer (&run);
  g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE,
                       goban_trace_get_why (goban_run_get_trace (run)));
  return NULL;
}

GobanRun *
goban_collective_run_new (GobanCluster *cluster, const GobanCollectiveRunOptions *options,
                          GobanCollectiveFigures *figures, GError **error)
{
  GobanCollective collective = { .bytes = options->bytes };
  guint n_found;
  g_autofree GobanDeviceId *devices = goban_stages_find_devices (cluster, &n_found);
  Ranks self = { cluster, devices, &collective };
  GobanCollectiveLoad load;
  GobanRun *run;

  if (!goban_collective_parse (options->kind, options->algorithm, &collective, error))
    return NULL;
  collective.n_ranks = options->n_ranks > 0 ? options->n_ranks : n_found;
  if (collective.n_ranks > n_found)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       goban_i18n_get_plural ("%u ranks do not fit on the %u device of “%s”",
                                              "%u ranks do not fit on the %u devices of “%s”",
                                              n_found),
                       collective.n_ranks, n_found, goban_cluster_get_name (cluster));
      return NULL;
    }
  load = (GobanCollectiveLoad){ .kind = collective.kind,
                                .is_tree = collective.is_tree,
                                .bytes = collective.bytes };
  run = simulate (&self, options->execution, error);
  if (run == NULL || figures == NULL)
    return run;
  *figures = (GobanCollectiveFigures){
    .kind = goban_collective_get_name (&collective),
    .algorithm = goban_collective_get_algorithm (&collective),
    .n_ranks = collective.n_ranks,
    .ideal_us = goban_cluster_get_collective_us (cluster, devices, collective.n_ranks, &load),
    .bus_bytes_per_us = get_least_bytes (&collective) / goban_run_get_makespan_us (run),
  };
  return run;
}
