/* proof.h: description of the optimality proof that a policy gives for its plan. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Equal for who computes in double: what the bound's own sums may lose. */
#define GOBAN_PROOF_TOLERANCE 1e-9

gboolean goban_is_proven_optimal (double makespan_us, double proven_bound_us);

/* A policy proves what the simulator can run: non-delay schedules, in which no device waits that has ready work.
 * Deliberate waiting can be shorter. So a plan is "optimal (proven)" where @bound_us, which is of all schedules, is reached,
 * else "optimal among non-delay schedules (proven)" or "within 3.2 % of the proven bound of non-delay schedules".
 * @bound_us: 0 if none is known. (transfer full) (nullable): NULL if nothing is proven (0), or there is no makespan. */
char *goban_describe_proof (double makespan_us, double proven_bound_us,
                            double bound_us) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
