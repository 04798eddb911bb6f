/* time-left.h: the remaining time of long work, in English words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Size of a buffer for any of these texts. */
#define GOBAN_TIME_LEFT_LEN 48

/* "40 s left", "12 min left", "2 h 5 min left"; the buffer, returned. */
const char *goban_format_time_left (char *buffer, double seconds);

G_END_DECLS
