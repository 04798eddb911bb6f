/* outcome.h: result of a simulated plan in two figures, as searches need it. */
#pragma once

#include <glib.h>

typedef struct
{
  double makespan_us;
  double overflow_bytes; /* largest overflow of any device's memory, 0 if valid */
} GobanOutcome;
