/* proof.h: description of the optimality proof that a policy gives for its plan. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Relative tolerance for the rounding errors of the bound's sums. */
#define GOBAN_PROOF_TOLERANCE 1e-9

/* A policy's proof covers the schedules that the simulator can run: non-delay schedules, in which
 * no device waits while it has ready work. Deliberate waiting can be shorter. So a plan is "optimal
 * (proven)" if it reaches @bound_us, a bound of all schedules; else "optimal among non-delay
 * schedules (proven)" or "within 3.2 % of the proven bound of non-delay schedules". @bound_us: 0 if
 * unknown. (transfer full) (nullable): NULL if nothing is proven (0), or there is no makespan. */
char *goban_describe_proof (double makespan_us, double proven_bound_us,
                            double bound_us) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
