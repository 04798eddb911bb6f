/* effect.h: effect of a change on a run: relative makespan, transfers, validity, and a description.
 * Thread-safe. */
#pragma once

#include "engine/study/run/run.h"

typedef struct
{
  double before_us; /* makespans; INFINITY if it cannot run */
  double after_us;
  double share;    /* after / before - 1; NAN if one of them cannot run */
  int n_transfers; /* number of additional transfers */
  gboolean is_valid;
} GobanEffect;

/* Effect of the change between two runs of one graph. */
GobanEffect goban_effect_new (GobanRun *before, GobanRun *after);

/* "−3.1 %"; "+0.02 %"; "as before"; "cannot run". (transfer full) */
char *goban_effect_describe_share (const GobanEffect *effect) G_GNUC_WARN_UNUSED_RESULT;
/* "−3.1 %, 182.4 ms, 2 transfers fewer". (transfer full) */
char *goban_effect_describe (const GobanEffect *effect) G_GNUC_WARN_UNUSED_RESULT;
