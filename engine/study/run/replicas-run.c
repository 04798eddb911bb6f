#include "engine/study/run/replicas-run.h"

#include "engine/core/error.h"
#include "engine/graph/levels.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/machine/parallel/collective.h"
#include "engine/machine/parallel/replicas.h"
#include "engine/placers/stages/stages.h"

#include <math.h>

gboolean
goban_replicas_run_set_algorithm (GobanReplicasRunOptions *options, const char *algorithm)
{
  GobanCollective collective;

  if (!goban_collective_parse ("all-reduce", algorithm, &collective, NULL))
    return FALSE;
  options->is_tree = collective.is_tree;
  return TRUE;
}

/* The devices of one replica, in their order, and all there are. */
typedef struct
{
  GobanDeviceId *all; /* (n_all) */
  guint n_all;
  guint n_replicas;
  guint *place_of; /* (n_devices) of the plan's devices, below n_places; G_MAXUINT: not used */
  guint n_places;
  guint16 *places; /* (n_nodes) */
} Places;

static void
places_clear (Places *self)
{
  g_free (self->all);
  g_free (self->place_of);
  g_free (self->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Places, places_clear)

static void
places_init (Places *self, GobanCostModel *costs, const GobanPlan *plan)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  guint n_devices = goban_cluster_get_n_devices (cluster);

  self->all = goban_stages_find_devices (cluster, &self->n_all);
  self->place_of = g_new (guint, n_devices + 1);
  self->places = g_new0 (guint16, n_nodes + 1);
  self->n_places = plan == NULL ? 1 : 0;
  for (guint d = 0; d < n_devices; d++)
    self->place_of[d] = G_MAXUINT;
  for (GobanNodeId v = 0; v < n_nodes && plan != NULL; v++)
    self->place_of[goban_plan_get_device (plan, v)] = 0;
  for (guint d = 0; d < n_devices; d++)
    if (self->place_of[d] != G_MAXUINT)
      self->place_of[d] = self->n_places++;
  for (GobanNodeId v = 0; v < n_nodes && plan != NULL; v++)
    self->places[v] = (guint16) self->place_of[goban_plan_get_device (plan, v)];
}

/* Sums go first, because other replicas wait for them. */
static void
set_priorities (GobanPlan *plan, const GobanReplicas *made, GobanCostModel *all,
                const GobanPlan *one)
{
  guint n_nodes = goban_graph_get_n_nodes (made->graph);
  g_autofree double *times = g_new (double, n_nodes + 1);
  g_autofree double *keys = g_new (double, n_nodes + 1);

  if (one != NULL && goban_plan_get_order (one) == GOBAN_ORDER_FIFO)
    return;
  goban_cost_model_min_times (all, times);
  goban_graph_bottom_levels (made->graph, keys, times, NULL);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (made->is_step[v])
      keys[v] += (double) G_MAXINT;
    else if (one != NULL)
      keys[v] = goban_plan_get_priority (one, made->origins[v]);
  goban_plan_set_priorities_by_key (plan, keys);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
}

static gboolean
check_straggler (const GobanGraph *graph, double slowdown, GError **error)
{
  if (slowdown == 0 || slowdown == 1)
    return TRUE;
  if (!(slowdown > 1 && slowdown <= GOBAN_MAX_SLOWDOWN))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a straggler takes 1 to %g times as long, not %g times",
                         GOBAN_MAX_SLOWDOWN, slowdown);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_has_time (graph, v))
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "the times of “%s” are given, and no device's speed changes them: it "
                           "has no straggler",
                           goban_graph_get_name (graph));
  return TRUE;
}

/* The cluster with slower devices of the last replica, or itself. (transfer full) (nullable) */
static GobanCluster *
slow_down (GobanCluster *cluster, const Places *places, double slowdown, GError **error)
{
  GobanCluster *slow = goban_cluster_ref (cluster);

  for (guint i = 0; i < places->n_places && slowdown > 1 && slow != NULL; i++)
    {
      GobanDeviceId d = places->all[(places->n_replicas - 1) * places->n_places + i];
      g_autoptr (GobanCluster) before = slow;

      slow = goban_what_if_speed (before, d, goban_cluster_get_device (cluster, d), 1 / slowdown,
                                  error);
    }
  return slow;
}

static GobanRun *
simulate (const GobanReplicas *made, GobanCostModel *costs, const Places *places,
          const GobanReplicasRunOptions *options, GError **error)
{
  const GobanPlan *one = options->plan;
  g_autoptr (GobanCluster) cluster
      = slow_down (goban_cost_model_get_cluster (costs), places, options->slowdown, error);
  g_autoptr (GobanCostModel) all = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  if (cluster == NULL)
    return NULL;
  all = goban_cost_model_new (made->graph, cluster, goban_cost_model_get_execution (costs));
  plan = goban_plan_new (made->graph, goban_cluster_get_n_devices (cluster));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (made->graph); v++)
    goban_plan_set_device (
        plan, v,
        places->all[made->replicas[v] * places->n_places + places->places[made->origins[v]]]);
  set_priorities (plan, made, all, one);
  goban_plan_set_policy (plan, "replicas");
  return goban_plan_check (plan, all, error) ? goban_run_new (all, plan, NULL) : NULL;
}

GobanRun *
goban_replicas_run_new (GobanCostModel *costs, const GobanReplicasRunOptions *options,
                        GobanReplicasFigures *figures, GError **error)
{
  g_auto (Places) places = { NULL };
  g_autoptr (GobanReplicas) made = NULL;
  GobanReplicaOptions repeating = { .splits = options->splits,
                                    .is_tree = options->is_tree,
                                    .bucket_bytes = options->bucket_bytes };

  places_init (&places, costs, options->plan);
  repeating.n_replicas
      = options->n_replicas > 0 ? options->n_replicas : places.n_all / places.n_places;
  repeating.places = places.places;
  places.n_replicas = repeating.n_replicas;
  if ((gsize) repeating.n_replicas * places.n_places > places.n_all)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%u replicas on %u devices each do not fit on the %u devices of “%s”",
                       repeating.n_replicas, places.n_places, places.n_all,
                       goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
      return NULL;
    }
  if (!check_straggler (goban_cost_model_get_graph (costs), options->slowdown, error)
      || !goban_progress_check (options->progress, error))
    return NULL;
  goban_progress_step (options->progress, 0, NULL);
  made = goban_replicas_new (goban_cost_model_get_graph (costs), &repeating, error);
  if (made == NULL || !goban_progress_check (options->progress, error))
    return NULL;
  goban_progress_step (options->progress, 0.6, NULL);
  if (figures != NULL)
    *figures
        = (GobanReplicasFigures){ repeating.n_replicas, made->n_buckets, made->gradient_bytes };
  return simulate (made, costs, &places, options, error);
}
