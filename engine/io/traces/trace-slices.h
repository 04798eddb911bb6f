/* trace-slices.h: the lanes of a recorded run as sequences of operations.
 *
 * A stream's events stand as they are. A thread's events nest, and its time is cut up:
 * - On a thread that launches work for a GPU, a slice is all the work up to a launch, a wait or the
 *   end, named by the operations around the call. Pauses below a millisecond are the program's own
 *   code and belong to it. While a thread waits for the GPU it has no slice.
 * - On any other thread, a slice is what one innermost operation takes.
 * Events of a lane that overlap without nesting get a lane of their own.
 */
#pragma once

#include "engine/io/traces/trace-events.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;
  const char *op;
  double start_us;
  double finish_us;
  double bytes;
  guint32 lane;
  guint32 event;      /* DEVICE: its own event, else GOBAN_NO_EVENT */
  guint32 waited_for; /* DEVICE event whose end a thread waited for, or GOBAN_NO_EVENT */
  gint64 launches;    /* correlation of the call at its end, or 0 */
} GobanTraceSlice;

/* In the order of their starts, and those of one lane in their order. %NULL with
 * %GOBAN_ERROR_UNSUPPORTED set if events overlap on more than @most_lanes. (transfer full) */
GArray *goban_trace_slices_new (GobanTraceEvents *events, guint most_lanes, const char *path,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
