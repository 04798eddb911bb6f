/* force.h: runs and plans with another option in place of the one that a decision took.
 *
 * The policy runs again with the options and on the costs of its run, is checked decision by
 * decision against the record, and takes the option in place of its own. Decisions that were forced
 * before are forced again. Policies that cannot go on from a plan have their finished plan changed.
 *
 * Functions of immutable values, for any thread.
 *
 * Decision E73 (engine/NOTES.md).
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/study/run/policy-run.h"

typedef enum
{
  GOBAN_FORCE_PLAN, /* the plan of the decision, finished by the policy */
  GOBAN_FORCE_RUN,  /* the whole run, with what is left of its budget */
} GobanForceScope;

typedef struct
{
  GobanMoment moment;
  guint32 option;
  GobanForceScope scope;
} GobanForce;

/* %FALSE with %GOBAN_ERROR_INVALID set, which says why, and what to do, if the option cannot be
 * taken. The option that was taken can. */
gboolean goban_force_check (GobanRun *run, const GobanForce *force, GError **error);

/**
 * goban_force_new_run:
 * @options: (nullable): progress and finish are those of the call; all others are the run's
 *
 * Returns: (transfer full) (nullable): "heft, gpu:1 at decision 60", or %NULL with @error set
 */
GobanRun *goban_force_new_run (GobanRun *run, const GobanForce *force,
                               const GobanRunOptions *options,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* --- forks ------------------------------------------------------------------------------------ */

/* Searches that go on from a moment of another run's decisions.
 *
 * Of a policy with has_start (engine/study/run/policy-run.h), which begins with the plan of the
 * moment, or of an unfinished one with that it led to.
 * Functions of immutable values, for any thread.
 *
 * Decision E58 (engine/NOTES.md).
 */

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

/* --- regret ----------------------------------------------------------------------------------- */

/* Makespans of the options that a policy did not take, and its costliest decisions.
 *
 * Functions of immutable values, for any thread. Slow: each option is forced and its plan is
 * simulated.
 */

/* The best of the options of a decision that were allowed and not taken. */
typedef struct
{
  GobanMoment moment;
  guint32 option;
  double makespan_us; /* of the plan with it */
  double gain_us;     /* by which that is shorter than with the option taken; below 0: longer */
} GobanRegret;

/* Whether the options of a decision can be measured: devices, of which there are several. */
gboolean goban_regret_can_measure (const GobanDecision *decision);

/**
 * goban_regret_measure:
 * @makespan_us: (out): of the plan of the decision with the option, which the run's plan need not
 *   be; NAN: not allowed, or it breaks a rule; INFINITY: it lacks memory
 *
 * Returns: %FALSE with @error set if decisions of the run cannot be forced, or it was cancelled
 */
gboolean goban_regret_measure (GobanRun *run, GobanMoment moment, guint32 option,
                               const GobanProgress *progress, double *makespan_us, GError **error);

/**
 * goban_regret_dup_makespans_us:
 * @n_options: (out)
 *
 * Returns: (transfer full) (nullable): (n_options) of goban_regret_measure(); %NULL with @error set
 */
double *goban_regret_dup_makespans_us (GobanRun *run, GobanMoment moment,
                                       const GobanProgress *progress, guint *n_options,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* All decisions about devices on the way to the run's plan that had another option, of GobanRegret,
 * the largest gain first. (transfer full) (nullable): %NULL with @error set */
GArray *goban_review_new (GobanRun *run, const GobanProgress *progress,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
