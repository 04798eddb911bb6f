/* regret.h: makespans of the options that a policy did not take, and its costliest decisions.
 *
 * Functions of immutable values, for any thread. Slow: each option is forced (force.h) and its
 * plan is simulated.
 */
#pragma once

#include "engine/study/run/policy-run.h"

G_BEGIN_DECLS

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

G_END_DECLS
