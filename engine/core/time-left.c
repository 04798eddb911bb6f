#include "engine/core/time-left.h"

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
