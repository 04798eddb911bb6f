/* time-events.h: starts and finishes of a run's ops and transfers, moment by moment.
 *
 * A moment is a time at which at least one of them happens; several may happen at once. Any thread.
 * Each function reads the trace once, O(N + transfers), without preparation: well under a
 * millisecond for 80,000 nodes.
 */
#pragma once

#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

typedef struct
{
  gboolean is_finish;
  gboolean is_transfer;
  guint32 index; /* the lowest node of a kernel, or the index of a transfer */
} GobanTimeEvent;

/**
 * goban_time_events_find:
 * @time_us: NAN: before the first moment, or behind the last
 * @direction: 1 or -1
 * @devices: (nullable) (n_devices): only events of ops on devices that are %TRUE, and of transfers
 *   from or to them
 *
 * Returns: the next moment after @time_us, or the last one before it; NAN if there is none
 */
double goban_time_events_find (GobanRun *run, double time_us, int direction,
                               const gboolean *devices);

/* The events of one moment: finishes before starts, ops before transfers, each by index. @devices
 * as above. (element-type GobanTimeEvent) (transfer full) */
GArray *goban_time_events_list (GobanRun *run, double time_us,
                                const gboolean *devices) G_GNUC_WARN_UNUSED_RESULT;

/* Describes a moment: "conv1 finishes on gpu:0, conv2 starts on gpu:0, and 3 more"; "" if nothing
 * happens. (transfer full) */
char *goban_time_events_describe (GobanRun *run, double time_us,
                                  const gboolean *devices) G_GNUC_WARN_UNUSED_RESULT;

/* Sets those devices to %TRUE that run any of the nodes, the others to %FALSE, and returns how many
 * are set. (n_devices) */
guint goban_time_events_mark_devices (GobanRun *run, GobanSelection *nodes, gboolean *devices);
