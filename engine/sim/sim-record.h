/* sim-record.h: memory use of a device during a run, and the record from which a trace is made.
 *
 * Private to engine/sim.
 *
 * Decision E47 (engine/NOTES.md).
 */
#pragma once

#include "engine/sim/sim-units.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* Memory level since time_us; it is counted when time advances. */
typedef struct
{
  double level_bytes;
  double time_us;
  double peak_bytes;
  double peak_time_us;
  double capacity_bytes;
  double overflow_time_us; /* INFINITY: no overflow so far */
} SimMemory;

/* Counts the present level, because time advances. */
static inline void
sim_count_level (SimMemory *memory)
{
  if (memory->level_bytes > memory->peak_bytes)
    {
      memory->peak_bytes = memory->level_bytes;
      memory->peak_time_us = memory->time_us;
      if (memory->level_bytes > memory->capacity_bytes && memory->overflow_time_us == SIM_NEVER_US)
        memory->overflow_time_us = memory->time_us;
    }
}

/* Data that goban_simulator_run() records beyond the outcome; nullable all together. */
typedef struct
{
  GobanOpSpan *ops;     /* (n_nodes) */
  guint32 *previous_op; /* (n_nodes) op that ran on the device immediately before, or SIM_NONE */
  GobanOpSpan *moves;   /* (n_moves) */
  guint32 *blocker;     /* (n_moves) the move that a waiting one waited for */
  guint32 *order;       /* (n_moves) in the order in which they started */
  guint32 n_moves;
  /* (n_devices) of GobanMemoryPoint: the memory of each at every instant that changed it */
  GArray **levels;
} SimRecord;

/* Records the level up to now, unless it equals the previous one. */
static inline void
sim_record_level (GArray *levels, const SimMemory *memory)
{
  const GobanMemoryPoint point = { memory->time_us, memory->level_bytes };

  if (levels->len == 0
      || g_array_index (levels, GobanMemoryPoint, levels->len - 1).bytes != point.bytes)
    g_array_append_val (levels, point);
}

G_END_DECLS
