/* peak-memory.h: the most memory that a device needs in a run. */
#pragma once

#include "engine/study/run/run.h"

/* Bytes of the device that needs most; O(devices). */
double goban_run_get_peak_bytes (GobanRun *run);
