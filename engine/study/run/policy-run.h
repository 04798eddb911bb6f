/* policy-run.h: list of policies, and runs of the plans that they make. */
#pragma once

#include "engine/learn/rl/curve.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"
#include "engine/study/run/training-log.h"

/**
 * goban_policy_new_plan:
 *
 * Runs the policy and neither simulates its plan nor keeps more than the record of its decisions.
 *
 * Returns: (transfer full) (nullable): the plan, or %NULL with @error set: %GOBAN_ERROR_INVALID if
 *   something is forced that cannot be taken, or if the policy decides otherwise before
 */
GobanPlan *goban_policy_new_plan (GobanCostModel *costs, const char *policy,
                                  const GobanRunOptions *options, GobanDecisions **decisions,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_run_new_from_policy:
 * @policy: a name of goban_policies()
 * @options: (nullable)
 *
 * Runs the policy and simulates its plan.
 *
 * Returns: (transfer full) (nullable): a run, or %NULL with @error set
 */
GobanRun *goban_run_new_from_policy (GobanCostModel *costs, const char *policy,
                                     const GobanRunOptions *options,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  const char *name;
  const char *blurb;
  const char *about; /* a paragraph, "" if the blurb is enough */
  const char *source;
  const char *effort;          /* "quick", "search" or "learned" */
  gboolean is_random;          /* its plan may depend on the options' seed */
  gboolean has_tasks;          /* supports the options' decisions */
  gboolean has_network;        /* reads the options' network */
  gboolean has_start;          /* tries the options' start first, and continues from it */
  guint64 default_evaluations; /* default number of simulations, 0 if it makes none */
} GobanPolicyInfo;

/* (transfer container): n of them, the strings are static. */
GobanPolicyInfo *goban_policies (gsize *n) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_find (const char *name, GobanPolicyInfo *info, GError **error);

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_exists (const char *name, GError **error);

/* Whether each of @settings (nullable), "KEY=VALUE,...", is read by one of @names (NULL-terminated,
 * policies that exist). %FALSE with %GOBAN_ERROR_INVALID set, whose message lists the keys that
 * they read. Values are checked by the policies themselves. */
gboolean goban_policies_check_settings (const char *const *names, const char *settings,
                                        GError **error);

/* Learning curves of policies (engine/learn/rl/curve.h) in a training log.
 *
 * A policy that learns on the graph that it places fills the log of its run's options, so that the
 * same views show it as a training of a network. The log begins with the first update: a policy
 * that makes none leaves it empty.
 *
 * Decision E70 (engine/NOTES.md).
 */

/* Series of the log: the columns of engine/learn/rl/curve.h, then those of trials, which only
 * trainings of networks have. */
enum
{
  GOBAN_CURVE_LOG_EXPERT_RATIO = GOBAN_CURVE_N,
  GOBAN_CURVE_LOG_RATIO,
  GOBAN_CURVE_LOG_N_SERIES
};
G_STATIC_ASSERT (GOBAN_CURVE_LOG_N_SERIES <= GOBAN_TRAINING_MAX_SERIES);

extern const GobanTrainingSeries goban_curve_log_series[GOBAN_CURVE_LOG_N_SERIES];

/* The log as the receiver of the updates of a policy; it begins with the first one, and warns while
 * the last ones have collapsed (engine/learn/rl/collapse.h). The log must outlive it. */
GobanCurveSink goban_curve_log_get_sink (GobanTrainingLog *log);
