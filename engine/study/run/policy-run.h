/* policy-run.h: list of policies, and runs of the plans that they make. */
#pragma once

#include "engine/study/run/run-options.h"
#include "engine/study/run/run-origin.h"

G_BEGIN_DECLS

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

G_END_DECLS
