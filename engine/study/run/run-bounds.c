#include "engine/study/run/run-bounds.h"

#include "engine/sim/simulator.h"

#include <math.h>

double
goban_run_get_unfused_ratio (GobanRun *self)
{
  double bound_us, makespan_us;

  g_return_val_if_fail (self != NULL, (double) NAN);

  bound_us = goban_kept_bounds (goban_run_get_costs (self), FALSE)->bound_us;
  makespan_us = goban_run_get_makespan_us (self);
  if (!(bound_us > 0) || !isfinite (bound_us) || !isfinite (makespan_us))
    return (double) NAN;
  return makespan_us / bound_us;
}
