#include "engine/study/analysis/moments/regret.h"

#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/learn/roster.h"
#include "engine/sim/simulator.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-words.h"

#include <math.h>

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
      && goban_force_find_plan (goban_run_get_decisions (self->run), decision->number)
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
  plan = goban_force_new_plan (self->run, decision->number, option, &silent, &refusal);
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
get_decision (GobanRun *run, GobanMoment moment, GobanDecision *decision, GError **error)
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

  return get_decision (run, moment, &decision, error)
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

  if (!get_decision (run, moment, &decision, error))
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
  goban_progress_step (self->progress, (double) self->n_done / self->regrets->len, "reviewing");
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
