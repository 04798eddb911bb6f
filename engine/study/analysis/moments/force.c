#include "engine/study/analysis/moments/force.h"

#include "engine/core/error.h"
#include "engine/decisions/replay.h"
#include "engine/learn/roster.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/analysis/moments/moment-words.h"

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
  if (goban_run_get_request (run) == NULL)
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

GobanMoment
goban_force_find_plan (const GobanDecisions *decisions, GobanMoment moment)
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
  GobanRunOptions options = *goban_run_get_request (run);

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
  forced->moment = goban_force_find_plan (forced->decisions, forced->decision.moment);
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

GobanPlan *
goban_force_new_plan (GobanRun *run, GobanMoment moment, guint32 option,
                      const GobanProgress *progress, GError **error)
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
      &(GobanRunOrigin){ .seed = goban_run_get_request (run)->seed,
                         .decisions = forced.decisions,
                         .is_within
                         = forced.decisions != NULL
                           && forced.moment != goban_decisions_get_last (forced.decisions),
                         .moment = forced.moment,
                         .request = goban_run_get_request (run),
                         .forced = forced.decision });
}
