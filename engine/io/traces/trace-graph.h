/* trace-graph.h: graph of a recorded run, whose simulation repeats the recording.
 *
 * Its operations are the recording's slices, its cluster the lanes. Operations of
 * a lane follow each other; a kernel follows the call that launched it; a thread that waited for
 * the GPU follows what it waited for; the file's own arrows are dependencies if they agree with the
 * times. Whatever these do not explain is a delay: an operation without duration on the lane
 * "delays", whose output takes the missing time to arrive. So each operation starts in a simulation
 * of the recorded plan when it started in the recording, unless two overlapped on one lane by the
 * rounding of their times.
 *
 * Nodes are numbered in the order of their starts, and know their lanes.
 *
 * Decision E53 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/graph/delay-lane.h"
#include "engine/graph/graph.h"
#include "engine/io/traces/trace-events.h"

#define GOBAN_DELAY_OP "delay"

/* @format: the name of the format it was read from. Changes @events: lanes are split and named.
 * (transfer full) (nullable): %NULL with @error set if there are no operations or too many lanes */
GobanGraph *goban_trace_graph_new (GobanTraceEvents *events, const char *path, const char *format,
                                   const GobanProgress *progress,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
