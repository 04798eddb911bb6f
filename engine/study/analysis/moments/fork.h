/* fork.h: searches that go on from a moment of another run's decisions.
 *
 * Of a policy with has_start (engine/study/run/policy-run.h), which begins with the plan of the
 * moment, or of an unfinished one with that it led to.
 * Functions of immutable values, for any thread.
 *
 * Decision E58 (engine/NOTES.md).
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/study/run/policy-run.h"

G_BEGIN_DECLS

/* The names of the policies that can go on, in the roster's order, up to a NULL. (transfer
 * container): the strings are static */
const char **goban_fork_list_policies (void) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the policies, unless @policy can go on. */
gboolean goban_fork_check_policy (const char *policy, GError **error);

/**
 * goban_fork_new_run:
 * @moment: of the decisions of @run
 * @options: budget; the start and the name are set by this
 *
 * Returns: (transfer full) (nullable): the run of the search, or %NULL with @error set
 */
GobanRun *goban_fork_new_run (GobanRun *run, GobanMoment moment, const char *policy,
                              const GobanRunOptions *options,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name of a fork: "anneal, from decision 40 of heft". (transfer full) */
char *goban_fork_dup_name (GobanRun *run, GobanMoment moment,
                           const char *policy) G_GNUC_WARN_UNUSED_RESULT;

/* The start of ", from decision 40 of heft" in such a name, borrowed; %NULL for other names. */
const char *goban_fork_find_origin (const char *name);

G_END_DECLS
