/* time-left.h: the remaining time of long work: an estimate, and English words for it. */
#pragma once

#include <glib.h>

/* Size of a buffer for any of these texts. */
#define GOBAN_TIME_LEFT_LEN 48

/* Work that says how far it is; all zero at its beginning. */
typedef struct
{
  gint64 began_us;
  double first; /* fraction, then */
  double last;
} GobanPace;

/* Seconds left after a step to @fraction of the work at @now_us, if it goes on at its pace so far;
 * NAN as long as too little is known: a second, or three of slow work. A fraction that falls to
 * less than half begins other work. */
double goban_pace_step (GobanPace *self, double fraction, gint64 now_us);

/* "40 s left", "12 min left", "2 h 5 min left"; the buffer, returned. */
const char *goban_format_time_left (char *buffer, double seconds);
