/* fork.h: searches that go on from a step of another run's decisions (step.h).
 *
 * Of a policy with has_start (engine/study/run/policy-run.h), whose first plan is the plan of the
 * step: the fork's step 1. After choices of a policy that builds its plan, that is the whole plan.
 * Functions of immutable values, for any thread.
 *
 * Decision E58 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/run/policy-run.h"

G_BEGIN_DECLS

/* The names of the policies that can go on, in the roster's order, up to a NULL. (transfer
 * container): the strings are static */
const char **goban_fork_list_policies (void) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the policies, unless @policy can go on. */
gboolean goban_fork_check_policy (const char *policy, GError **error);

/**
 * goban_fork_new_run:
 * @step: number of an existing step of @run
 * @options: budget; the start and the name are set by this
 *
 * Returns: (transfer full) (nullable): the run of the search, or %NULL with @error set
 */
GobanRun *goban_fork_new_run (GobanRun *run, guint step, const char *policy,
                              const GobanRunOptions *options,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name of a fork: "anneal, from step 40 of heft". (transfer full) */
char *goban_fork_dup_name (GobanRun *run, guint step, const char *policy) G_GNUC_WARN_UNUSED_RESULT;

/* The start of " from step 40 of heft" in such a name, borrowed; %NULL for other names. */
const char *goban_fork_find_origin (const char *name);

G_END_DECLS
