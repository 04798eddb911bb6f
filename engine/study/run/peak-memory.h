/* peak-memory.h: the most memory that a device needs in a run. */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* Bytes of the device that needs most; O(devices). */
double goban_run_get_peak_bytes (GobanRun *run);

G_END_DECLS
