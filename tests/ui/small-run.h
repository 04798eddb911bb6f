/* small-run.h: a run of four nodes with a known schedule.
 *
 *   a (gpu:0) --> b (gpu:1) --> c (gpu:0)      d (gpu:0) is ready with a and waits for it
 *
 * Each takes 10 us; the devices are equal and the plan is FIFO.
 */
#pragma once

#include "engine/study/run/run.h"

GobanRun *small_run_new (void) G_GNUC_WARN_UNUSED_RESULT;
