#include "engine/study/analysis/moments/force.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/parallel.h"
#include "engine/decisions/replay.h"
#include "engine/learn/roster.h"
#include "engine/sim/simulator.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-words.h"

#include <math.h>
#include <string.h>

/* --- forks ------------------------------------------------------------------------------------ */

#define ORIGIN ", from decision "

const char **
goban_fork_list_policies (void)
{
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);
  const char **names = g_new0 (const char *, n + 1);
  guint n_names = 0;

  for (gsize i = 0; i < n; i++)
    if (policies[i].has_start)
      names[n_names++] = policies[i].name;
  return names;
}

gboolean
goban_fork_check_policy (const char *policy, GError **error)
{
  g_autofree const char **names = goban_fork_list_policies ();
  g_autofree char *all = NULL;

  if (g_strv_contains (names, policy))
    return TRUE;
  if (!goban_policy_exists (policy, error))
    return FALSE;
  all = g_strjoinv (", ", (char **) names);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s makes plans of its own; policies that go on from a plan are: %s", policy,
                       all);
}

char *
goban_fork_dup_name (GobanRun *run, GobanMoment moment, const char *policy)
{
  return g_strdup_printf ("%s" ORIGIN "%u of %s", policy, moment, goban_run_get_name (run));
}

const char *
goban_fork_find_origin (const char *name)
{
  return strstr (name, ORIGIN);
}

GobanRun *
goban_fork_new_run (GobanRun *run, GobanMoment moment, const char *policy,
                    const GobanRunOptions *options, GError **error)
{
  GobanRunOptions forking = *options;
  g_autoptr (GobanPlan) start = NULL;
  g_autofree char *name = NULL;

  if (!goban_fork_check_policy (policy, error))
    return NULL;
  start = goban_moment_new_plan (run, moment, error);
  if (start == NULL)
    return NULL;
  name = goban_fork_dup_name (run, moment, policy);
  forking.start = start;
  forking.name = name;
  /* Pinned nodes stay where they are at the moment. */
  if (options->pinned != NULL)
    forking.pinned_by = forking.start;
  return goban_run_new_from_policy (goban_run_get_costs (run), policy, &forking, error);
}

/* The decision with its refusals. */
static gboolean
get_decision (GobanRun *run, GobanMoment moment, GobanDecision *decision, GError **error)
{
  const char *name = goban_run_get_name (run);
  GobanDecisions *decisions = goban_run_get_decisions (run);
  guint n = decisions != NULL ? goban_decisions_get_n_moments (decisions) : 0;

  if (n == 0)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s has recorded no decisions: place the graph with a policy, and force a "
                     "decision of that run",
                     name);
  else if (moment == 0 || moment > n)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s has the decisions 1 to %u, and no decision %u",
                     name, n, moment);
  else if (!goban_decisions_get (decisions, moment, NULL, decision))
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "decision %u of %s was dropped to save memory: force one of the last plan's",
                     moment, name);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_option (GobanRun *run, const GobanDecision *decision, guint32 option, GError **error)
{
  const char *why
      = decision->span != 0
            ? goban_decisions_get_span (goban_run_get_decisions (run), decision->span)->why
            : NULL;
  guint refusals
      = decision->refusals != NULL && option < decision->n_options ? decision->refusals[option] : 0;
  g_autofree char *name = NULL;

  if ((decision->flags & GOBAN_DECISION_CARRIED) != 0 || decision->n_options == 0)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "decision %u follows from another one: force that one", decision->number);
  else if (decision->n_options == 1 && option > 0)
    goban_set_error (error, GOBAN_ERROR_INVALID, "decision %u has one option, which was taken%s%s",
                     decision->number, why != NULL ? ": " : "", why != NULL ? why : "");
  else if (option >= decision->n_options)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "decision %u has the options 1 to %u, and no "
                     "option %u",
                     decision->number, decision->n_options, option + 1);
  else if ((refusals & (GOBAN_REFUSAL_CANNOT_RUN | GOBAN_REFUSAL_GROUP)) != 0)
    {
      name = goban_option_dup_name (goban_run_get_costs (run), decision, option);
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s cannot be taken at decision %u: %s", name,
                       decision->number,
                       (refusals & GOBAN_REFUSAL_CANNOT_RUN) != 0
                           ? "the node cannot run there, or is pinned elsewhere"
                           : "the colocation group of the node is on another device");
    }
  else
    return TRUE;
  return FALSE;
}

/* Whether the policy takes the option itself; else its finished plan is changed. Moves that come
 * after the plans of a policy that cannot go on from one are tried one by one. */
static gboolean
is_inside (const GobanPlacer *placer, const GobanDecision *decision)
{
  return placer->forcing == GOBAN_FORCING_INSIDE || decision->options == GOBAN_OPTION_MOVE;
}

static gboolean
check_policy (const GobanPlacer *placer, const GobanDecision *decision, GobanForceScope scope,
              GError **error)
{
  if (placer->forcing == GOBAN_FORCING_NONE)
    goban_set_error (error, GOBAN_ERROR_INVALID, "decisions of %s cannot be forced: it %s",
                     placer->name, placer->why_no_forcing);
  else if (is_inside (placer, decision))
    return TRUE;
  else if (scope == GOBAN_FORCE_RUN)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s %s: force the decision for its plan alone",
                     placer->name, placer->why_no_forcing);
  else if (decision->options != GOBAN_OPTION_DEVICE)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s %s: only devices can be changed in a finished plan", placer->name,
                     placer->why_no_forcing);
  else
    return TRUE;
  return FALSE;
}

/* (nullable): %NULL with @error set. */
static const GobanPlacer *
check (GobanRun *run, const GobanForce *force, GobanDecision *decision, GError **error)
{
  const char *policy = goban_plan_get_policy (goban_run_get_plan (run));
  const GobanPlacer *placer;

  if (!get_decision (run, force->moment, decision, error)
      || !check_option (run, decision, force->option, error))
    return NULL;
  if (goban_run_get_origin (run)->request == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "the settings with which the policy of %s was run are not known: place the "
                       "graph again, and force a decision of that run",
                       goban_run_get_name (run));
      return NULL;
    }
  placer = goban_roster_find (policy, error);
  return placer != NULL && check_policy (placer, decision, force->scope, error) ? placer : NULL;
}

gboolean
goban_force_check (GobanRun *run, const GobanForce *force, GError **error)
{
  GobanDecision decision;

  return check (run, force, &decision, error) != NULL;
}

/* The moment of the plan that a decision leads to: of the whole plan around it, or of the first
 * finished one. */
static GobanMoment
force_find_plan (const GobanDecisions *decisions, GobanMoment moment)
{
  GobanDecision decision = { 0 };

  if (!goban_decisions_get (decisions, moment, NULL, &decision))
    return goban_moment_find_plan (decisions, moment);
  for (guint32 s = decision.span; s != 0; s = goban_decisions_get_span (decisions, s)->parent)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);
      GobanMoment from = span->last;

      while (from > moment)
        from = goban_decisions_get_previous (decisions, from);
      if (span->level == GOBAN_LEVEL_PLAN && from == moment)
        return span->last;
    }
  return goban_moment_find_plan (decisions, moment);
}

/* What was forced, and the plan that came of it. */
typedef struct
{
  GobanForcedDecision decision;
  GobanPlan *plan;
  GobanDecisions *decisions;
  GobanMoment moment; /* of the plan in @decisions */
} Forced;

static void
forced_clear (Forced *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->decisions, goban_decisions_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forced, forced_clear)

static GobanRunOptions
take_options (GobanRun *run, const GobanForcedDecision *forced, const GobanProgress *progress)
{
  GobanRunOptions options = *goban_run_get_origin (run)->request;

  options.progress = progress;
  options.force = forced;
  options.expected = goban_run_get_decisions (run);
  return options;
}

/* A policy may have made other plans before and after. All get kernels as the run's did. */
static gboolean
force_inside (GobanRun *run, const char *policy, const GobanProgress *progress, Forced *forced,
              GError **error)
{
  GobanCostModel *costs = goban_run_get_costs (run);
  const GobanRunOptions options = take_options (run, &forced->decision, progress);
  g_autoptr (GobanPlan) plan
      = goban_policy_new_plan (costs, policy, &options, &forced->decisions, error);
  g_autoptr (GobanPlan) other = NULL;
  GobanMoment last;

  if (plan == NULL)
    return FALSE;
  last = goban_decisions_get_last (forced->decisions);
  forced->moment = force_find_plan (forced->decisions, forced->decision.moment);
  if (options.fusing != GOBAN_FUSE_AS_IS
      && goban_decisions_get_previous (forced->decisions, last) == forced->moment)
    forced->moment = last;
  if (forced->moment == last)
    {
      forced->plan = g_steal_pointer (&plan);
      return TRUE;
    }
  other = goban_replay_plan (costs, forced->decisions, forced->moment, error);
  if (other == NULL)
    return FALSE;
  goban_plan_set_policy (other, policy);
  forced->plan = goban_fusing_apply (options.fusing, costs, other);
  return TRUE;
}

static gboolean
force_plan (GobanRun *run, const GobanDecision *decision, Forced *forced, GError **error)
{
  g_autoptr (GobanPlan) finished = goban_moment_new_plan (run, decision->number, error);

  if (finished == NULL)
    return FALSE;
  forced->plan = goban_plan_copy (finished);
  for (guint k = 0; k < decision->n_nodes; k++)
    goban_plan_set_device (forced->plan, decision->nodes[k],
                           (GobanDeviceId) forced->decision.option);
  goban_plan_set_policy (forced->plan, goban_plan_get_policy (goban_run_get_plan (run)));
  return goban_plan_check (forced->plan, goban_run_get_costs (run), error);
}

/* @decision: of which forced->decision is allowed. */
static gboolean
force_one (GobanRun *run, const GobanPlacer *placer, const GobanDecision *decision,
           const GobanProgress *progress, Forced *forced, GError **error)
{
  return is_inside (placer, decision) ? force_inside (run, placer->name, progress, forced, error)
                                      : force_plan (run, decision, forced, error);
}

/* The plan of goban_force_new_run() with %GOBAN_FORCE_PLAN, not simulated. (transfer full)
 * (nullable) */
static GobanPlan *
force_new_plan (GobanRun *run, GobanMoment moment, guint32 option, const GobanProgress *progress,
                GError **error)
{
  const GobanForce force = { moment, option, GOBAN_FORCE_PLAN };
  g_auto (Forced) forced = { .decision = { goban_run_get_name (run), moment, option } };
  GobanDecision decision;
  const GobanPlacer *placer = check (run, &force, &decision, error);

  return placer != NULL && force_one (run, placer, &decision, progress, &forced, error)
             ? g_steal_pointer (&forced.plan)
             : NULL;
}

GobanRun *
goban_force_new_run (GobanRun *run, const GobanForce *force, const GobanRunOptions *options,
                     GError **error)
{
  GobanCostModel *costs = goban_run_get_costs (run);
  const GobanProgress *progress = options != NULL ? options->progress : NULL;
  g_auto (Forced) forced
      = { .decision = { goban_run_get_name (run), force->moment, force->option } };
  GobanDecision decision;
  const GobanPlacer *placer = check (run, force, &decision, error);
  g_autofree char *option = NULL;
  g_autofree char *name = NULL;

  if (placer == NULL)
    return NULL;
  option = goban_option_dup_name (costs, &decision, force->option);
  name = g_strdup_printf ("%s, %s at decision %u", goban_run_get_name (run), option, force->moment);
  if (force->scope == GOBAN_FORCE_RUN)
    {
      GobanRunOptions again = take_options (run, &forced.decision, progress);

      again.finish = options != NULL ? options->finish : NULL;
      again.expression = NULL;
      again.name = name;
      return goban_run_new_from_policy (costs, placer->name, &again, error);
    }
  if (!force_one (run, placer, &decision, progress, &forced, error))
    return NULL;
  return goban_run_new_kept (
      costs, forced.plan, name,
      &(GobanRunOrigin){ .seed = goban_run_get_origin (run)->request->seed,
                         .decisions = forced.decisions,
                         .is_within
                         = forced.decisions != NULL
                           && forced.moment != goban_decisions_get_last (forced.decisions),
                         .moment = forced.moment,
                         .request = goban_run_get_origin (run)->request,
                         .forced = forced.decision });
}

/* --- regret ----------------------------------------------------------------------------------- */

typedef struct
{
  GobanRun *run;
  const GobanProgress *progress;
  GobanSimulator *simulator;
} Judge;

/* NAN if the option was not allowed, or its plan is none. FALSE if it was cancelled. */
static gboolean
judge (Judge *self, const GobanDecision *decision, guint32 option, double *makespan_us,
       GError **error)
{
  GobanCostModel *costs = goban_run_get_costs (self->run);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GError) refusal = NULL;
  GobanOutcome outcome;
  GobanProgress silent = { NULL };

  *makespan_us = (double) NAN;
  if (option == decision->chosen
      && force_find_plan (goban_run_get_decisions (self->run), decision->number)
             == goban_run_get_moment (self->run))
    {
      *makespan_us = goban_run_get_makespan_us (self->run);
      return TRUE;
    }
  if (!goban_option_is_allowed (decision, option))
    return TRUE;
  if (self->progress != NULL)
    silent = *self->progress;
  silent.on_step = NULL; /* it is one of many plans */
  plan = force_new_plan (self->run, decision->number, option, &silent, &refusal);
  if (g_error_matches (refusal, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }
  if (plan == NULL || !goban_plan_check (plan, costs, NULL))
    return TRUE;
  outcome = goban_simulator_evaluate (self->simulator, plan);
  *makespan_us = outcome.overflow_bytes > 0 ? (double) INFINITY : outcome.makespan_us;
  return TRUE;
}

/* makespans_us (n_options) */
static gboolean
judge_all (Judge *self, const GobanDecision *decision, double *makespans_us, GError **error)
{
  gboolean is_going_on = TRUE;

  for (guint32 k = 0; k < decision->n_options && is_going_on; k++)
    is_going_on = judge (self, decision, k, &makespans_us[k], error);
  return is_going_on;
}

/* Whether decisions of the run can be forced, this one among them. */
static gboolean
get_forced_decision (GobanRun *run, GobanMoment moment, GobanDecision *decision, GError **error)
{
  GobanForce taken = { moment, 0, GOBAN_FORCE_PLAN };
  GobanDecisions *decisions = goban_run_get_decisions (run);

  if (decisions != NULL && moment > 0 && moment <= goban_decisions_get_n_moments (decisions)
      && goban_decisions_get (decisions, moment, NULL, decision))
    taken.option = decision->chosen;
  return goban_force_check (run, &taken, error);
}

gboolean
goban_regret_can_measure (const GobanDecision *decision)
{
  return decision->options == GOBAN_OPTION_DEVICE && decision->n_options > 1
         && (decision->flags & GOBAN_DECISION_CARRIED) == 0;
}

gboolean
goban_regret_measure (GobanRun *run, GobanMoment moment, guint32 option,
                      const GobanProgress *progress, double *makespan_us, GError **error)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (goban_run_get_costs (run));
  Judge self = { run, progress, simulator };
  GobanDecision decision = { 0 };

  return get_forced_decision (run, moment, &decision, error)
         && judge (&self, &decision, option, makespan_us, error);
}

double *
goban_regret_dup_makespans_us (GobanRun *run, GobanMoment moment, const GobanProgress *progress,
                               guint *n_options, GError **error)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (goban_run_get_costs (run));
  Judge self = { run, progress, simulator };
  g_autofree double *makespans_us = NULL;
  GobanDecision decision = { 0 };

  if (!get_forced_decision (run, moment, &decision, error))
    return NULL;
  makespans_us = g_new (double, decision.n_options);
  if (!judge_all (&self, &decision, makespans_us, error))
    return NULL;
  *n_options = decision.n_options;
  return g_steal_pointer (&makespans_us);
}

/* --- all decisions ---------------------------------------------------------------------------- */

typedef struct
{
  GobanRun *run;
  const GobanProgress *progress;
  GArray *regrets; /* of GobanRegret; the moments are given */
  GMutex mutex;    /* guards what follows */
  GPtrArray *simulators;
  guint n_done;
  GError *error; /* (nullable): cancelled */
} Review;

static GobanSimulator *
take_simulator (Review *self)
{
  GobanSimulator *simulator = NULL;

  g_mutex_lock (&self->mutex);
  if (self->simulators->len > 0)
    simulator = g_ptr_array_steal_index_fast (self->simulators, self->simulators->len - 1);
  g_mutex_unlock (&self->mutex);
  return simulator != NULL ? simulator : goban_simulator_new (goban_run_get_costs (self->run));
}

static void
give_back (Review *self, GobanSimulator *simulator, GError *error)
{
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->simulators, simulator);
  self->n_done++;
  if (self->error == NULL)
    self->error = error;
  else
    g_clear_error (&error);
  goban_progress_step (self->progress, (double) self->n_done / self->regrets->len, _ ("reviewing"));
  g_mutex_unlock (&self->mutex);
}

/* The best option that was not taken. */
static void
find_best (GobanRegret *regret, const GobanDecision *decision, const double *makespans_us)
{
  for (guint32 k = 0; k < decision->n_options; k++)
    if (k != decision->chosen && !isnan (makespans_us[k])
        && (isnan (regret->makespan_us) || makespans_us[k] < regret->makespan_us))
      {
        regret->option = k;
        regret->makespan_us = makespans_us[k];
      }
  regret->gain_us = makespans_us[decision->chosen] - regret->makespan_us;
}

static void
review_part (guint part, gpointer data)
{
  Review *self = data;
  GobanRegret *regret = &g_array_index (self->regrets, GobanRegret, part);
  Judge one = { self->run, self->progress, take_simulator (self) };
  g_autofree double *makespans_us = NULL;
  GError *error = NULL;
  GobanDecision decision;

  if (goban_progress_check (self->progress, &error)
      && goban_decisions_get (goban_run_get_decisions (self->run), regret->moment, NULL, &decision))
    {
      makespans_us = g_new (double, decision.n_options);
      if (judge_all (&one, &decision, makespans_us, &error))
        find_best (regret, &decision, makespans_us);
    }
  give_back (self, one.simulator, error);
}

/* The decisions to judge, of GobanRegret without results. */
static GArray *
list_decisions (const GobanDecisions *decisions)
{
  GArray *regrets = g_array_new (FALSE, FALSE, sizeof (GobanRegret));

  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      const GobanRegret regret = { .moment = m, .makespan_us = (double) NAN };
      GobanDecision decision;

      if (goban_decisions_is_on_line (decisions, m)
          && goban_decisions_get (decisions, m, NULL, &decision)
          && goban_regret_can_measure (&decision))
        g_array_append_val (regrets, regret);
    }
  return regrets;
}

/* Equal ones are in the order of their moments. */
static int
compare_regrets (gconstpointer a, gconstpointer b)
{
  const GobanRegret *x = a;
  const GobanRegret *y = b;

  if (x->gain_us != y->gain_us)
    return x->gain_us > y->gain_us ? -1 : 1;
  return (x->moment > y->moment) - (x->moment < y->moment);
}

static void
drop_without_result (GArray *regrets)
{
  guint n = 0;

  for (guint i = 0; i < regrets->len; i++)
    if (!isnan (g_array_index (regrets, GobanRegret, i).makespan_us))
      g_array_index (regrets, GobanRegret, n++) = g_array_index (regrets, GobanRegret, i);
  g_array_set_size (regrets, n);
}

/* Only quick policies of the program itself run side by side: others use all processors, and those
 * of scripts one interpreter. */
static gboolean
may_run_side_by_side (GobanRun *run)
{
  const char *policy = goban_plan_get_policy (goban_run_get_plan (run));
  const GobanPlacer *placer = goban_roster_find (policy, NULL);

  return placer != NULL && placer->effort == GOBAN_EFFORT_QUICK
         && goban_roster_is_built_in (policy);
}

GArray *
goban_review_new (GobanRun *run, const GobanProgress *progress, GError **error)
{
  GobanDecisions *decisions = goban_run_get_decisions (run);
  g_autoptr (GArray) regrets = decisions != NULL ? list_decisions (decisions) : NULL;
  Review self = { .run = run, .progress = progress, .regrets = regrets };
  GobanDecision first = { .number = 1 };

  if (regrets == NULL || regrets->len > 0)
    {
      if (regrets != NULL)
        goban_decisions_get (decisions, g_array_index (regrets, GobanRegret, 0).moment, NULL,
                             &first);
      if (!goban_force_check (run, &(GobanForce){ first.number, first.chosen, GOBAN_FORCE_PLAN },
                              error))
        return NULL;
    }
  g_mutex_init (&self.mutex);
  self.simulators = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_simulator_free);
  if (may_run_side_by_side (run))
    goban_parallel_for (regrets->len, review_part, &self);
  else
    for (guint i = 0; i < regrets->len && self.error == NULL; i++)
      review_part (i, &self);
  g_mutex_clear (&self.mutex);
  g_ptr_array_unref (self.simulators);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return NULL;
    }
  drop_without_result (regrets);
  g_array_sort (regrets, compare_regrets);
  return g_steal_pointer (&regrets);
}
