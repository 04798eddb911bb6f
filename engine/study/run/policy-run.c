#include "engine/study/run/policy-run.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/learn/rl/collapse.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/roster.h"
#include "engine/machine/plan/improvement.h"
#include "engine/placers/placer.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/run-private.h"
#include "engine/study/run/selection.h"
#include "engine/study/run/training-log.h"

#include <math.h>
#include <string.h>

const GobanTrainingSeries goban_curve_log_series[GOBAN_CURVE_LOG_N_SERIES] = {
  [GOBAN_CURVE_MEAN] = { "mean_ratio", N_ ("Sample mean"), GOBAN_SERIES_RATIO, FALSE },
  [GOBAN_CURVE_BEST] = { "best_ratio", N_ ("Best sample"), GOBAN_SERIES_RATIO, FALSE },
  [GOBAN_CURVE_VALID] = { "valid", N_ ("Valid samples"), GOBAN_SERIES_SHARE, FALSE },
  [GOBAN_CURVE_REWARD] = { "reward", N_ ("Reward"), GOBAN_SERIES_REWARD, FALSE },
  [GOBAN_CURVE_ENTROPY] = { "entropy", N_ ("Entropy"), GOBAN_SERIES_ENTROPY, FALSE },
  [GOBAN_CURVE_GRADIENT] = { "gradient_norm", N_ ("Gradient norm"), GOBAN_SERIES_GRADIENT, FALSE },
  [GOBAN_CURVE_CLIPPED] = { "clipped", N_ ("Clipped"), GOBAN_SERIES_SHARE, FALSE },
  [GOBAN_CURVE_SECONDS] = { "seconds", N_ ("Per update"), GOBAN_SERIES_SECONDS, FALSE },
  [GOBAN_CURVE_TOP_SHARE] = { "top_share", N_ ("Busiest device"), GOBAN_SERIES_SHARE, FALSE },
  [GOBAN_CURVE_LOG_EXPERT_RATIO]
  = { "expert_ratio", N_ ("Over the expert"), GOBAN_SERIES_RATIO, TRUE },
  [GOBAN_CURVE_LOG_RATIO] = { "ratio", N_ ("Over reference"), GOBAN_SERIES_RATIO, TRUE },
};

/* Adds an update; its subject is the point's lesson. */
static void
curve_log_add (GobanTrainingLog *log, const GobanCurvePoint *from)
{
  GobanTrainingPoint point = goban_training_point_new (from->step, from->lesson, FALSE);

  memcpy (point.values, from->values, sizeof from->values);
  goban_training_log_add (log, &point);
}

/* In words, if all of the last updates drew whole plans and have collapsed. Static. */
static const char *
find_collapse (GobanTrainingLog *log)
{
  GobanTrainingPoint points[GOBAN_COLLAPSE_WINDOW];
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW];
  guint n_points = goban_training_log_get_n_points (log);

  if (n_points < GOBAN_COLLAPSE_WINDOW)
    return NULL;
  goban_training_log_read (log, n_points - GOBAN_COLLAPSE_WINDOW, points, GOBAN_COLLAPSE_WINDOW);
  for (guint i = 0; i < GOBAN_COLLAPSE_WINDOW; i++)
    {
      const double *values = points[i].values;

      if (isnan (values[GOBAN_CURVE_TOP_SHARE]))
        return NULL;
      signs[i] = (GobanCollapseSign){ values[GOBAN_CURVE_ENTROPY], values[GOBAN_CURVE_TOP_SHARE] };
    }
  return goban_collapse_describe (signs, GOBAN_COLLAPSE_WINDOW);
}

static void
begin (GobanTrainingLog *log, const GobanTrainingSeries *series, guint n_series)
{
  guint n;

  goban_training_log_get_series (log, &n);
  if (n == 0)
    goban_training_log_begin (log, series, n_series, NULL);
}

static void
add_worker (const GobanCurvePoint *point, gpointer user_data)
{
  GobanTrainingLog *log = user_data;

  begin (log, goban_curve_log_series, GOBAN_CURVE_N);
  curve_log_add (log, point);
  goban_training_log_set_warning (log, find_collapse (log));
}

GobanCurveSink
goban_curve_log_get_sink (GobanTrainingLog *log)
{
  return (GobanCurveSink){ add_worker, log };
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

/* Ends the record, whose last state is the plan: what led to it in no decision is written as one.
 */
static GobanDecisions *
end_decisions (GobanDecisionsWriter *writer, const GobanPlan *placed, const GobanPlan *fused,
               const char *fusing)
{
  guint64 digest = goban_settling_digest_plan (placed);

  if (goban_decisions_writer_get_digest (writer) != digest)
    {
      goban_decisions_writer_set_plan (
          writer,
          &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN, .flags = GOBAN_DECISION_AT_ONCE },
          placed);
      goban_decisions_writer_settle (writer, placed);
    }
  if (fused != placed && goban_settling_digest_plan (fused) != digest)
    {
      goban_decisions_writer_set_plan (writer,
                                       &(GobanDecisionHead){ .task = GOBAN_TASK_FUSION,
                                                             .options = GOBAN_OPTION_RULE,
                                                             .note = fusing },
                                       fused);
      goban_decisions_writer_settle (writer, fused);
    }
  return goban_decisions_writer_end (writer);
}

/* Progress of a policy that has no plan before its end: the request for the best so far stops it.
 * */
typedef struct
{
  const GobanProgress *outer; /* (nullable) */
  const gint *finish;
} QuickStop;

static void
quick_step_cb (double fraction, const char *what, gpointer user_data)
{
  const QuickStop *self = user_data;

  goban_progress_step (self->outer, fraction, what);
}

static gboolean
quick_stop_cb (gpointer user_data)
{
  const QuickStop *self = user_data;

  return g_atomic_int_get (self->finish) != 0 || !goban_progress_check (self->outer, NULL);
}

/* What a policy has made. */
typedef struct
{
  GobanPlan *plan, *fused;
  guint64 evaluations;
  GArray *improvements; /* of GobanImprovement */
  GobanDecisions *decisions;
} Made;

static void
made_clear (Made *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->fused, goban_plan_unref);
  g_clear_pointer (&self->improvements, g_array_unref);
  g_clear_pointer (&self->decisions, goban_decisions_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Made, made_clear)

static gboolean
check_forced (const GobanForcedDecision *force, const GobanDecisions *decisions, GError **error)
{
  GobanDecision decision;

  /* One that was dropped to save memory was taken, or there would be a problem. */
  if (force->moment <= goban_decisions_get_n_moments (decisions)
      && (!goban_decisions_get (decisions, force->moment, NULL, &decision)
          || decision.chosen == force->option))
    return TRUE;
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "the policy has not come to decision %u of %s again: place the graph anew, and "
      "force a decision of that run",
      force->moment, force->of);
}

static gboolean
make_plan (GobanCostModel *costs, const char *policy, const GobanRunOptions *options, Made *made,
           GError **error)
{
  const GobanPlacer *placer = goban_roster_find (policy, error);
  g_autoptr (GobanCostModel) placed_on = NULL;
  g_autoptr (GobanDecisionsWriter) decisions = NULL;
  GobanDecisionsOptions recording
      = { .n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)),
          .n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)) };
  QuickStop quick_stop = { options->progress, options->finish };
  const GobanProgress quick = { quick_step_cb, quick_stop_cb, &quick_stop };
  GobanPlacerOptions placing;
  GobanLearnedOptions learned;
  GobanCurveSink curve;

  if (placer == NULL)
    return FALSE;
  made->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  if (options->force != NULL)
    {
      recording.moment = options->force->moment;
      recording.option = options->force->option;
      recording.expected = options->expected;
    }
  if (!options->skips_record)
    decisions = goban_decisions_writer_new (&recording);

  learned = (GobanLearnedOptions){
    .network = options->network,
    .start = options->start,
    .decisions = options->decisions,
  };
  if (options->learning != NULL)
    {
      curve = goban_curve_log_get_sink (options->learning);
      learned.curve = &curve;
    }
  placing = (GobanPlacerOptions){
    .seed = options->seed,
    .max_evaluations = options->max_evaluations,
    .max_seconds = options->max_seconds,
    .progress = options->progress,
    .finish = options->finish,
    .settings = options->settings,
    .improvements = made->improvements,
    .learned = &learned,
    .start = options->start,
    .decisions = decisions,
  };
  if (placer->effort == GOBAN_EFFORT_QUICK && options->finish != NULL)
    placing.progress = &quick;
  if (learned.start != NULL && !check_size (costs, learned.start, "the plan to start from", error))
    return FALSE;
  placed_on = pin_costs (costs, options, error);
  if (placed_on == NULL)
    return FALSE;
  goban_decisions_feed_set (options->feed, decisions);
  made->plan = goban_placer_place (placer, placed_on, &placing, &made->evaluations, error);
  goban_decisions_feed_set (options->feed, NULL);
  if (made->plan == NULL)
    return FALSE;
  if (goban_decisions_writer_get_problem (decisions) != NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: %s", policy,
                         goban_decisions_writer_get_problem (decisions));
  /* The proof covers only plans that leave the pinned nodes alone. */
  if (placed_on != costs)
    {
      goban_plan_set_proven_bound_us (made->plan, NULL, 0);
      goban_decisions_writer_prove (decisions, 0);
    }
  made->fused = goban_fusing_apply (options->fusing, costs, made->plan);
  if (decisions != NULL)
    made->decisions = end_decisions (g_steal_pointer (&decisions), made->plan, made->fused,
                                     goban_fusing_get_word (options->fusing));
  return options->force == NULL || check_forced (options->force, made->decisions, error);
}

GobanPlan *
goban_policy_new_plan (GobanCostModel *costs, const char *policy, const GobanRunOptions *options,
                       GobanDecisions **decisions, GError **error)
{
  g_auto (Made) made = { NULL };

  if (!make_plan (costs, policy, options, &made, error))
    return NULL;
  *decisions = g_steal_pointer (&made.decisions);
  return g_steal_pointer (&made.fused);
}

static GobanRun *
run_policy (GobanCostModel *costs, const char *policy, const GobanRunOptions *options,
            GError **error)
{
  gint64 started_us = g_get_monotonic_time ();
  const GobanForcedDecision nothing = { NULL };
  g_autoptr (GobanRunOptions) request = NULL;
  g_auto (Made) made = { NULL };
  GobanRunOrigin *origin;
  GobanRun *self;

  if (!make_plan (costs, policy, options, &made, error))
    return NULL;
  /* A search has simulated its plan: showing it costs no evaluation, fusing it afterwards does. */
  if (made.evaluations > 0 && made.fused != made.plan)
    made.evaluations++;
  self = goban_run_simulate (costs, made.fused, options->name, started_us, made.evaluations);
  origin = &self->source->origin;
  origin->seed = options->seed;
  self->source->expression = g_strdup (options->expression);
  origin->expression = self->source->expression;
  /* If a policy makes one plan and does not try it, this is its first improvement; fusing may make
   * it shorter. */
  if (goban_trace_is_valid (self->parts.trace))
    goban_improvements_add (made.improvements, origin->evaluations,
                            goban_run_get_makespan_us (self));
  g_array_unref (self->source->improvements);
  self->source->improvements = g_steal_pointer (&made.improvements);
  origin->improvements = self->source->improvements;
  origin->decisions = g_steal_pointer (&made.decisions);
  request = goban_run_options_share (options);
  goban_run_source_set_request (self->source, request,
                                options->force != NULL ? options->force : &nothing);
  return self;
}

GobanRun *
goban_run_new_from_policy (GobanCostModel *costs, const char *policy,
                           const GobanRunOptions *options, GError **error)
{
  static const GobanRunOptions none = { 0 };
  GError *why = NULL;
  GobanRun *self = run_policy (costs, policy, options != NULL ? options : &none, &why);

  if (options != NULL && options->learning != NULL)
    {
      g_autoptr (GError) stopped = NULL;

      if (options->finish != NULL && g_atomic_int_get (options->finish) == GOBAN_FINISH_STOPPED)
        goban_set_error (&stopped, GOBAN_ERROR_CANCELLED, "stopped");
      goban_training_log_end (options->learning, why != NULL ? why : stopped);
    }
  if (why != NULL)
    g_propagate_error (error, why);
  return self;
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
    .is_random = placer->is_random,
    .has_tasks = placer->has_tasks,
    .has_network = placer->has_network,
    .has_start = placer->has_start,
    .default_evaluations = placer->default_evaluations,
  };
}

GobanPolicyInfo *
goban_policies (gsize *n)
{
  g_autoptr (GPtrArray) placers = goban_roster_dup_all ();
  GobanPolicyInfo *infos = g_new (GobanPolicyInfo, placers->len);

  *n = placers->len;
  for (gsize i = 0; i < *n; i++)
    infos[i] = describe (g_ptr_array_index (placers, i));
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

static gboolean
reads_setting (const GobanPlacer *placer, const char *word)
{
  gsize n = placer->setting != NULL ? strlen (placer->setting) : 0;

  return g_strcmp0 (placer->setting, "*") == 0
         || (n > 0 && strncmp (word, placer->setting, n) == 0 && word[n] == '=');
}

static gboolean
refuse_setting (const char *const *names, const char *word, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree char *all = g_strjoinv (", ", (char **) names);

  for (guint i = 0; names[i] != NULL; i++)
    {
      const GobanPlacer *placer = goban_roster_find (names[i], NULL);

      if (placer != NULL && placer->setting != NULL)
        g_string_append_printf (known, "%s%s=VALUE", known->len > 0 ? ", " : "", placer->setting);
    }
  if (known->len > 0)
    goban_set_error (error, GOBAN_ERROR_INVALID, "no setting “%s” for %s: write %s", word, all,
                     known->str);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s has no settings: “%s” changes nothing", all,
                     word);
  return FALSE;
}

gboolean
goban_policies_check_settings (const char *const *names, const char *settings, GError **error)
{
  g_auto (GStrv) words = g_strsplit (settings != NULL ? settings : "", ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean is_read = *g_strstrip (words[i]) == '\0';

      for (guint k = 0; names[k] != NULL && !is_read; k++)
        {
          const GobanPlacer *placer = goban_roster_find (names[k], NULL);

          is_read = placer != NULL && reads_setting (placer, words[i]);
        }
      if (!is_read)
        return refuse_setting (names, words[i], error);
    }
  return TRUE;
}
