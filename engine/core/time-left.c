#include "engine/core/time-left.h"

#include <math.h>

#define LEAST_S 1
#define LEAST_SLOW_S 3
#define LEAST_FRACTION 0.01

double
goban_pace_step (GobanPace *self, double fraction, gint64 now_us)
{
  double spent_s, gained;

  if (fraction < 0)
    return NAN;
  if (self->began_us == 0 || fraction < self->last / 2)
    *self = (GobanPace){ now_us, fraction, fraction };
  self->last = fraction;
  spent_s = (double) (now_us - self->began_us) / G_USEC_PER_SEC;
  gained = fraction - self->first;
  if (gained <= 0 || spent_s < (gained < LEAST_FRACTION ? LEAST_SLOW_S : LEAST_S))
    return NAN;
  return spent_s * MAX (1 - fraction, 0) / gained;
}

const char *
goban_format_time_left (char *buffer, double seconds)
{
  guint64 minutes = (guint64) (MIN (seconds, 1e12) / 60 + 0.5);

  if (seconds < 90)
    g_snprintf (buffer, GOBAN_TIME_LEFT_LEN, "%u s left", (guint) (seconds + 0.5));
  else if (minutes < 90)
    g_snprintf (buffer, GOBAN_TIME_LEFT_LEN, "%u min left", (guint) minutes);
  else
    g_snprintf (buffer, GOBAN_TIME_LEFT_LEN, "%" G_GUINT64_FORMAT " h %u min left", minutes / 60,
                (guint) (minutes % 60));
  return buffer;
}
