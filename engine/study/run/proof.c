#include "engine/study/run/proof.h"

#include "engine/core/quantity.h"

#include <math.h>

static gboolean
is_optimal (double makespan_us, double proven_bound_us)
{
  return proven_bound_us > 0 && makespan_us <= proven_bound_us * (1 + GOBAN_PROOF_TOLERANCE);
}

char *
goban_describe_proof (double makespan_us, double proven_bound_us, double bound_us)
{
  char share[GOBAN_QUANTITY_LEN];
  double percent;

  if (!(proven_bound_us > 0) || !isfinite (proven_bound_us) || !isfinite (makespan_us))
    return NULL;
  if (is_optimal (makespan_us, proven_bound_us))
    return g_strdup (is_optimal (makespan_us, bound_us)
                         ? "optimal (proven)"
                         : "optimal among non-delay schedules (proven)");

  percent = (makespan_us / proven_bound_us - 1) * 100;
  /* Rounded up: it says “within”. */
  g_ascii_formatd (share, sizeof share, "%.1f", fmax (ceil (percent * 10 - 1e-6), 1) / 10);
  return g_strdup_printf ("within %s %% of the proven bound%s", share,
                          proven_bound_us > bound_us ? " of non-delay schedules" : "");
}
