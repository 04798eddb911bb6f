/* idle-gaps.h: idle intervals of a device, for schedulers that fill gaps.
 *
 * The gaps between the ops of one device, the last of them endless, in a treap (Aragon and Seidel,
 * 1989) ordered by time. Every subtree stores its longest gap, so both calls take O(log n) and not
 * O(n). Two adjacent ops have a gap of length 0 between them: an op that takes no time fits there.
 */
#pragma once

#include <glib.h>

typedef struct _GobanIdleGaps GobanIdleGaps;

/* One gap, from 0 on without end. */
GobanIdleGaps *goban_idle_gaps_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_idle_gaps_free (GobanIdleGaps *self);

typedef struct
{
  guint32 gap;
  double start_us;
} GobanIdleGap;

/* The earliest start at or after @ready_us of an op that takes @time_us. There always is one. */
GobanIdleGap goban_idle_gaps_find (const GobanIdleGaps *self, double ready_us, double time_us);

/* Takes a slot that goban_idle_gaps_find() returned since the last occupation. */
void goban_idle_gaps_occupy (GobanIdleGaps *self, GobanIdleGap slot, double time_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanIdleGaps, goban_idle_gaps_free)
