/* outcome.h: result of a simulated plan in two figures, as searches need it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double makespan_us;
  double overflow_bytes; /* largest overflow of any device's memory, 0 if valid */
} GobanOutcome;

G_END_DECLS
