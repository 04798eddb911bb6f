/* sim-units.h: numbers that all files of the simulator agree on: no id, no time, whole bytes.
 *
 * Private to engine/sim.
 */
#pragma once

#include <glib.h>
#include <math.h>

#define SIM_NONE G_MAXUINT32
/* INFINITY is a float. */
#define SIM_NEVER_US ((double) INFINITY)

/* Sizes are counted in whole bytes, so that sums do not depend on their order; exact up to
 * 2^53 bytes in all. */
static inline double
sim_whole_bytes (double size_bytes)
{
  return ceil (size_bytes);
}
