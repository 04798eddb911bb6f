#include "engine/run/run.h"

#include "engine/base/error.h"
#include "engine/roster/roster.h"
#include "engine/run/proof.h"
#include "engine/run/slack.h"
#include "engine/sim/simulator.h"
#include "engine/sim/trace-json.h"

#include <math.h>
#include <string.h>

struct _GobanRun
{
  GObject parent_instance;

  char *name;
  GobanCostModel *costs;
  guint64 seed;
  GobanTrace *trace;  /* NULL while it rests */
  GobanPlan *resting; /* (nullable): the trace's plan meanwhile */
  guint64 evaluations;
  GArray *improvements;         /* of GobanImprovement */
  GobanDecisionLog *decisions;  /* (nullable) */
  GobanPlacementRecord *record; /* (nullable) */
  double seconds;
};

G_DEFINE_FINAL_TYPE (GobanRun, goban_run, G_TYPE_OBJECT)

static void
goban_run_finalize (GObject *object)
{
  GobanRun *self = GOBAN_RUN (object);

  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->improvements, g_array_unref);
  g_clear_pointer (&self->decisions, goban_decision_log_unref);
  g_clear_pointer (&self->record, goban_placement_record_unref);
  g_clear_pointer (&self->trace, goban_trace_unref);
  g_clear_pointer (&self->resting, goban_plan_unref);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  G_OBJECT_CLASS (goban_run_parent_class)->finalize (object);
}

static void
goban_run_class_init (GobanRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_run_finalize;
}

static void
goban_run_init (GobanRun *self)
{
  self->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
}

static GobanRun *
simulate (GobanCostModel *costs, GobanPlan *plan, const char *name, gint64 started_us,
          guint64 evaluations)
{
  GobanRun *self = g_object_new (GOBAN_TYPE_RUN, NULL);
  const char *policy = goban_plan_get_policy (plan);

  /* Often a file's, whose bytes need not be UTF-8; pictures, lists and files of sessions are. */
  self->name = g_utf8_make_valid (name != NULL ? name : *policy != '\0' ? policy : "plan", -1);
  self->costs = goban_cost_model_ref (costs);
  self->trace = goban_simulate (costs, plan);
  self->evaluations = evaluations + 1;
  self->seconds = (g_get_monotonic_time () - started_us) / 1e6;
  return self;
}

GobanRun *
goban_run_new (GobanCostModel *costs, GobanPlan *plan, const char *name)
{
  g_return_val_if_fail (costs != NULL && plan != NULL, NULL);

  return simulate (costs, plan, name, g_get_monotonic_time (), 0);
}

GobanRun *
goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                    const GobanRunOrigin *origin)
{
  GobanRun *self = goban_run_new (costs, plan, name);

  if (self == NULL)
    return NULL;
  self->seed = origin->seed;
  self->evaluations = origin->evaluations;
  self->seconds = origin->seconds;
  if (origin->improvements != NULL && origin->improvements->len > 0)
    g_array_append_vals (self->improvements, origin->improvements->data, origin->improvements->len);
  if (origin->decisions != NULL)
    self->decisions = goban_decision_log_ref (origin->decisions);
  if (origin->record != NULL)
    self->record = goban_placement_record_ref (origin->record);
  return self;
}

GobanRun *
goban_run_new_logged (GobanCostModel *costs, GobanPlan *plan, const char *name,
                      const GobanDecisionLog *log, GobanPlacementRecord *record)
{
  GobanRun *self = goban_run_new (costs, plan, name);

  if (self != NULL && log != NULL)
    self->decisions = goban_decision_log_ref ((GobanDecisionLog *) log);
  if (self != NULL && record != NULL)
    self->record = goban_placement_record_ref (record);
  return self;
}

GobanRun *
goban_run_new_head (GobanRun *run, const char *name, GobanPlacementRecord *head)
{
  GobanRun *self;

  g_return_val_if_fail (GOBAN_IS_RUN (run) && run->trace != NULL, NULL);

  self = g_object_new (GOBAN_TYPE_RUN, NULL);
  self->name = g_strdup (name);
  self->costs = goban_cost_model_ref (run->costs);
  self->trace = goban_trace_ref (run->trace);
  self->seed = run->seed;
  self->evaluations = run->evaluations;
  self->record = goban_placement_record_ref (head);
  return self;
}

/* A plan has no reference to its graph: a wrong one is detected by its size. */
static gboolean
check_size (GobanCostModel *costs, const GobanPlan *start, const char *what, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));

  if (goban_plan_get_n_nodes (start) == n_nodes && goban_plan_get_n_devices (start) == n_devices)
    return TRUE;
  g_set_error (
      error, GOBAN_ERROR, GOBAN_ERROR_INVALID, "%s is for %u nodes on %u devices, not for %u on %u",
      what, goban_plan_get_n_nodes (start), goban_plan_get_n_devices (start), n_nodes, n_devices);
  return FALSE;
}

/* Costs on which the pinned nodes can run nowhere else. (transfer full) (nullable) */
static GobanCostModel *
pin_costs (GobanCostModel *costs, const GobanRunOptions *options, GError **error)
{
  g_autofree GobanDeviceId *devices = NULL;
  const GobanNodeId *nodes;
  guint n = 0;

  if (options->pinned != NULL && options->pinned_by != NULL)
    nodes = goban_selection_get_ids (options->pinned, &n);
  if (n == 0)
    return goban_cost_model_ref (costs);
  if (!check_size (costs, options->pinned_by, "the plan to pin by", error))
    return NULL;

  devices = g_new (GobanDeviceId, n);
  for (guint i = 0; i < n; i++)
    devices[i] = goban_plan_get_device (options->pinned_by, nodes[i]);
  return goban_cost_model_new_pinned (costs, nodes, n, devices);
}

static GobanPlacementRecord *
new_record (const GobanCostModel *costs)
{
  return goban_placement_record_new (
      goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)),
      goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)));
}

GobanRun *
goban_run_new_from_policy (GobanCostModel *costs, const char *policy,
                           const GobanRunOptions *options, GError **error)
{
  static const GobanRunOptions none = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  const GobanPlacer *placer = goban_roster_find (policy, error);
  g_autoptr (GobanCostModel) placed_on = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) fused = NULL;
  g_autoptr (GArray) improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_autoptr (GobanDecisionLog) log = NULL;
  g_autoptr (GobanPlacementRecord) record = NULL;
  guint64 evaluations = 0;
  GobanPlacerOptions placing;
  GobanRun *self;

  if (placer == NULL)
    return NULL;
  if (options == NULL)
    options = &none;

  placing = (GobanPlacerOptions){
    .seed = options->seed,
    .max_evaluations = options->max_evaluations,
    .max_seconds = options->max_seconds,
    .progress = options->progress,
    .finish = options->finish,
    .network = options->network,
    .settings = options->settings,
    .start = options->start,
    .decisions = options->decisions,
    .improvements = improvements,
    .log = &log,
  };
  record = new_record (costs);
  placing.record = record;
  if (placing.start != NULL && !check_size (costs, placing.start, "the plan to start from", error))
    return NULL;
  placed_on = pin_costs (costs, options, error);
  if (placed_on == NULL)
    return NULL;
  plan = goban_placer_place (placer, placed_on, &placing, &evaluations, error);
  if (plan == NULL)
    return NULL;
  /* What was proven was proven of plans that leave the pinned nodes alone. */
  if (placed_on != costs)
    goban_plan_set_proven_bound_us (plan, 0);
  fused = goban_fusing_apply (options->fusing, costs, plan);
  self = simulate (costs, fused, NULL, started_us, evaluations);
  self->seed = options->seed;
  /* Of a policy that makes one plan and does not try it, this is the first; fusing may make it shorter. */
  if (goban_trace_is_valid (self->trace))
    goban_improvements_add (improvements, self->evaluations, goban_run_get_makespan_us (self));
  g_array_unref (self->improvements);
  self->improvements = g_steal_pointer (&improvements);
  self->decisions = g_steal_pointer (&log);
  /* A log says more of the same plans. */
  if (self->decisions == NULL)
    self->record = g_steal_pointer (&record);
  return self;
}

gboolean
goban_run_save_trace (GobanRun *self, const char *path, GError **error)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), FALSE);

  return goban_trace_save (self->trace, path, error);
}

const char *
goban_run_get_name (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->name;
}

GobanGraph *
goban_run_get_graph (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return goban_cost_model_get_graph (self->costs);
}

GobanCluster *
goban_run_get_cluster (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return goban_cost_model_get_cluster (self->costs);
}

GobanCostModel *
goban_run_get_costs (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->costs;
}

GobanPlan *
goban_run_get_plan (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return goban_trace_get_plan (self->trace);
}

GobanTrace *
goban_run_get_trace (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->trace;
}

double
goban_run_get_makespan_us (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), (double) NAN);

  return goban_trace_get_makespan (self->trace);
}

double
goban_run_get_ratio (GobanRun *self)
{
  double bound_us, makespan_us;

  g_return_val_if_fail (GOBAN_IS_RUN (self), (double) NAN);

  bound_us = goban_trace_get_bounds (self->trace)->bound_us;
  makespan_us = goban_trace_get_makespan (self->trace);
  if (!(bound_us > 0) || !isfinite (bound_us) || !isfinite (makespan_us))
    return (double) NAN;
  return makespan_us / bound_us;
}

char *
goban_run_describe_proof (GobanRun *self)
{
  double proven_us, bound_us;

  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  if (!goban_trace_is_valid (self->trace))
    return NULL;
  proven_us = goban_plan_get_proven_bound_us (goban_run_get_plan (self));
  /* In blocks nothing is left to wait for: what is proven is proven of all plans of that model. */
  if (goban_cost_model_get_execution (self->costs) == GOBAN_EXECUTION_BLOCKS)
    bound_us = proven_us;
  else
    bound_us = goban_trace_get_bounds (self->trace)->bound_us;
  return goban_describe_proof (goban_trace_get_makespan (self->trace), proven_us, bound_us);
}

const GArray *
goban_run_get_improvements (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->improvements;
}

const GobanDecisionLog *
goban_run_get_decisions (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->decisions;
}

GobanPlacementRecord *
goban_run_get_record (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), NULL);

  return self->record;
}

guint64
goban_run_get_best_evaluation (GobanRun *self)
{
  const GArray *steps;

  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  steps = self->improvements;
  return steps->len > 0 ? g_array_index (steps, GobanImprovement, steps->len - 1).evaluation : 0;
}

guint64
goban_run_get_seed (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  return self->seed;
}

guint64
goban_run_get_evaluations (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  return self->evaluations;
}

double
goban_run_get_seconds (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), 0);

  return self->seconds;
}

void
goban_run_rest (GobanRun *self)
{
  g_return_if_fail (GOBAN_IS_RUN (self));

  if (self->trace == NULL)
    return;

  self->resting = goban_plan_ref (goban_trace_get_plan (self->trace));
  g_clear_pointer (&self->trace, goban_trace_unref);
  goban_run_forget_slacks (self);
}

void
goban_run_wake (GobanRun *self)
{
  g_return_if_fail (GOBAN_IS_RUN (self));

  if (self->trace != NULL)
    return;

  self->trace = goban_simulate (self->costs, self->resting);
  g_clear_pointer (&self->resting, goban_plan_unref);
}

gboolean
goban_run_is_resting (GobanRun *self)
{
  g_return_val_if_fail (GOBAN_IS_RUN (self), FALSE);

  return self->trace == NULL;
}

int
goban_run_compare (gconstpointer a, gconstpointer b)
{
  GobanRun *left = GOBAN_RUN ((gpointer) a);
  GobanRun *right = GOBAN_RUN ((gpointer) b);
  gboolean left_valid = goban_trace_is_valid (left->trace);
  gboolean right_valid = goban_trace_is_valid (right->trace);
  double left_us = goban_run_get_makespan_us (left);
  double right_us = goban_run_get_makespan_us (right);

  if (left_valid != right_valid)
    return left_valid ? -1 : 1;
  if (left_us != right_us)
    return left_us < right_us ? -1 : 1;
  return strcmp (left->name, right->name);
}

static GobanPolicyInfo
describe (const GobanPlacer *placer)
{
  static const char *const efforts[] = {
    [GOBAN_EFFORT_QUICK] = "quick",
    [GOBAN_EFFORT_SEARCH] = "search",
    [GOBAN_EFFORT_LEARNED] = "learned",
  };

  return (GobanPolicyInfo){
    .name = placer->name,
    .blurb = placer->blurb,
    .about = placer->about != NULL ? placer->about : "",
    .source = placer->source,
    .effort = efforts[placer->effort],
    .has_tasks = placer->has_tasks,
    .default_evaluations = placer->default_evaluations,
  };
}

GobanPolicyInfo *
goban_policies (gsize *n)
{
  const GobanPlacer *const *placers = goban_roster (n);
  GobanPolicyInfo *infos = g_new (GobanPolicyInfo, *n);

  for (gsize i = 0; i < *n; i++)
    infos[i] = describe (placers[i]);
  return infos;
}

gboolean
goban_policy_find (const char *name, GobanPolicyInfo *info, GError **error)
{
  const GobanPlacer *placer = goban_roster_find (name, error);

  if (placer == NULL)
    return FALSE;
  *info = describe (placer);
  return TRUE;
}

gboolean
goban_policy_exists (const char *name, GError **error)
{
  return goban_roster_find (name, error) != NULL;
}
