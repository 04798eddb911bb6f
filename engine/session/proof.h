/* proof.h: what a policy's own proof says of its plan, in words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Equal for who computes in double: what the bound's own sums may lose. */
#define GOBAN_PROOF_TOLERANCE 1e-9

gboolean goban_is_proven_optimal (double makespan_us, double proven_bound_us);

/* "optimal (proven)", "within 3.2 % of the proven bound"; (transfer full) (nullable): NULL where
 * nothing is proven (0), or there is no makespan. */
char *goban_describe_proof (double makespan_us, double proven_bound_us) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
