/* trace-json.h: export of a trace in the trace-event format of Perfetto and chrome://tracing.
 *
 * A process per device with a thread for its ops, its sends and its receives; complete
 * events in microseconds, flow arrows from send to receive, counters for memory.
 */
#pragma once

#include "engine/sim/trace.h"

/* (transfer full); length may be NULL. */
char *goban_trace_to_json (const GobanTrace *trace, gsize *length) G_GNUC_WARN_UNUSED_RESULT;

gboolean goban_trace_save (const GobanTrace *trace, const char *path, GError **error);
