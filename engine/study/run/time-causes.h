/* time-causes.h: the makespan of a run as the sum of what its devices do, on the mean.
 *
 * Any thread.
 */
#pragma once

#include "engine/study/run/run.h"

typedef enum
{
  GOBAN_TIME_CAUSE_COMPUTING,
  GOBAN_TIME_CAUSE_RECOMPUTING,
  GOBAN_TIME_CAUSE_EXCHANGING, /* collectives among the ranks that a device stands for */
  GOBAN_TIME_CAUSE_SENDING,    /* ops that send to another stage and keep the device busy */
  GOBAN_TIME_CAUSE_UPDATING,   /* weights */
  GOBAN_TIME_CAUSE_IDLE,       /* waits, also for transfers */
  GOBAN_N_TIME_CAUSES
} GobanTimeCause;

/* Means over the devices, which sum to the makespan. %FALSE with %GOBAN_ERROR_INVALID set if the
 * run has no end. */
gboolean goban_run_split_by_cause (GobanRun *run, double shares_us[GOBAN_N_TIME_CAUSES],
                                   GError **error);
