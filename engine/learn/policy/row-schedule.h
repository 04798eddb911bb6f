/* row-schedule.h: the schedule of a finished placement of rows, by which it is refined without a
 * simulation.
 *
 * Ops are appended in the rows' order, as in engine/learn/policy/plan-builder.h, but ops and
 * transfers also fill the gaps before: the last ones of a device and of its channels are
 * remembered. So its end is nearer to the simulated makespan. It has no features and does not know
 * memory beyond the sum of the rows'.
 *
 * Decision G12 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/learn/policy/rows.h"

typedef struct _GobanRowSchedule GobanRowSchedule;

/* A row's part of a change. */
typedef struct
{
  guint32 row, from, to;
  gboolean is_with_last; /* of the same change as the one before it */
  double before_us, after_us;
} GobanRowChange;

/* Borrows the rows. One thread at a time. */
GobanRowSchedule *goban_row_schedule_new (const GobanRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_row_schedule_free (GobanRowSchedule *self);

/* When the last op of the placement devices (R) ends; twice that if its rows, their memory times
 * @caution, exceed a device's. An estimate.
 *
 * @order: (nullable) (n_nodes): the ops in another topological order than the rows' */
double goban_row_schedule_find_end_us (GobanRowSchedule *self, const guint32 *devices,
                                       const GobanNodeId *order, double caution);

/* Appends the ops again in the order in which they began, @n_times, each time as in the schedule
 * before. Writes the last order (n_nodes) whose schedule ends no later than that of @order and
 * the others, and returns its end; INFINITY if there is none. */
double goban_row_schedule_sort (GobanRowSchedule *self, guint n_times, const guint32 *devices,
                                double caution, GobanNodeId *order);

/* Makes @n_shaken changes, whatever they do to the schedule; then tries up to @n_changes, and keeps
 * those that shorten it: a single row goes to another device, half of the times to that of a row it
 * reads; seldom all rows of a device go there. Writes devices (R), and returns their end. order:
 * (nullable). kept (nullable) of GobanRowChange: gets what was kept. */
double goban_row_schedule_refine (GobanRowSchedule *self, guint n_shaken, guint n_changes,
                                  const GobanNodeId *order, double caution, GobanRng *rng,
                                  guint32 *devices, GArray *kept);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRowSchedule, goban_row_schedule_free)
