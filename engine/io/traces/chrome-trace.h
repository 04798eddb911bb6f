/* chrome-trace.h: events of a recorded run in the Chrome trace format. */
#pragma once

#include "engine/io/io.h"
#include "engine/io/traces/trace-events.h"

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE set at the first mistake */
GobanTraceEvents *goban_chrome_trace_read (const char *data, gsize size, const char *path,
                                           const GobanReadOptions *options,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
