/* trace-clock.h: exact times of a recording, without those that cannot be true.
 *
 * Clocks that count from 1970 need 17 digits for a microsecond with three decimals, more than a
 * double has. Starts are therefore kept as whole nanoseconds until the first of them is subtracted.
 */
#pragma once

#include "engine/io/traces/trace-events.h"

/* Reads @n bytes such as "1712169512345693.007" or "1.7e15", microseconds. %FALSE if they are not a
 * number, or lie more than 292 years from 0. */
gboolean goban_trace_parse_time (const char *text, gsize n, gint64 *time_ns);

/* Leaves out events with times that cannot be true, with a warning, and sets those of the others
 * from their start_ns and span_us, from the first start on. */
void goban_trace_events_start_clock (GobanTraceEvents *self);
