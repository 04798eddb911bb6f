#include "engine/session/view-time.h"

#include "engine/core/find-word.h"
#include "engine/session/view-private.h"
#include "engine/study/log/log-lines.h"

#include <math.h>

static const char *const level_names[GOBAN_N_DECISION_LEVELS]
    = { "moment", "pass", "plan", "round" };
static const char *const stops_names[] = { "all", "accepted", "line" };

const char *
goban_level_get_name (GobanLevel level)
{
  return level_names[level];
}

gboolean
goban_level_parse (const char *name, GobanLevel *level)
{
  int found = goban_find_word (level_names, G_N_ELEMENTS (level_names), name);

  *level = (GobanLevel) MAX (found, 0);
  return found >= 0;
}

gboolean
goban_stops_parse (const char *name, GobanStops *stops)
{
  int found = goban_find_word (stops_names, G_N_ELEMENTS (stops_names), name);

  *stops = (GobanStops) MAX (found, 0);
  return found >= 0;
}

double
goban_view_get_time_us (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), NAN);

  return self->time_us;
}

static gboolean
is_same_time (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

void
goban_view_play_to (GobanView *self, double time_us)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (is_same_time (self->time_us, time_us))
    return;

  self->time_us = time_us;
  goban_view_notify (self, GOBAN_VIEW_PROP_TIME);
}

void
goban_view_set_time_us (GobanView *self, double time_us)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_if_fail (GOBAN_IS_VIEW (self));

  if (is_same_time (self->time_us, time_us))
    return;

  goban_view_play_to (self, time_us);
  if (isnan (time_us))
    goban_log_emit (self, "view.time()");
  else
    goban_log_emit (self, "view.time \"%sus\"", g_ascii_dtostr (number, sizeof number, time_us));
}

void
goban_view_stop_at (GobanView *self, const GArray *moments)
{
  g_return_if_fail (GOBAN_IS_VIEW (self));

  g_array_set_size (self->stop_at, 0);
  if (moments != NULL)
    g_array_append_vals (self->stop_at, moments->data, moments->len);
}

void
goban_view_toggle_stop_at (GobanView *self, GobanMoment moment)
{
  g_autoptr (GString) line = g_string_new ("view.stop_at{");
  guint n;

  g_return_if_fail (GOBAN_IS_VIEW (self));

  n = self->stop_at->len;
  for (guint i = n; i > 0; i--)
    if (g_array_index (self->stop_at, GobanMoment, i - 1) == moment)
      g_array_remove_index (self->stop_at, i - 1);
  if (self->stop_at->len == n)
    g_array_append_val (self->stop_at, moment);
  for (guint i = 0; i < self->stop_at->len; i++)
    g_string_append_printf (line, "%s%u", i > 0 ? ", " : "",
                            g_array_index (self->stop_at, GobanMoment, i));
  goban_log_emit (self, "%s}", line->str);
}

int
goban_view_find_stop_at (GobanView *self, int from, int to)
{
  int found = GOBAN_NO_MOMENT;

  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_NO_MOMENT);

  for (guint i = 0; i < self->stop_at->len; i++)
    {
      int moment = (int) g_array_index (self->stop_at, GobanMoment, i);

      if (moment > from && moment <= to && (found == GOBAN_NO_MOMENT || moment < found))
        found = moment;
    }
  return found;
}

int
goban_view_get_moment (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_NO_MOMENT);

  return self->moment;
}

void
goban_view_play_moment (GobanView *self, int moment)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && moment >= GOBAN_NO_MOMENT);

  if (self->moment == moment)
    return;

  self->moment = moment;
  goban_view_notify (self, GOBAN_VIEW_PROP_MOMENT);
}

void
goban_view_set_moment (GobanView *self, int moment)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && moment >= GOBAN_NO_MOMENT);

  if (self->moment == moment)
    return;

  goban_view_play_moment (self, moment);
  if (moment == GOBAN_NO_MOMENT)
    goban_log_emit (self, "view.moment()");
  else
    goban_log_emit (self, "view.moment(%d)", moment);
}

GobanLevel
goban_view_get_level (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_LEVEL_MOMENT);

  return self->level;
}

GobanStops
goban_view_get_stops (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_STOPS_LINE);

  return self->stops;
}

void
goban_view_set_level (GobanView *self, GobanLevel level, GobanStops stops)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && level < GOBAN_N_DECISION_LEVELS);

  if (self->level == level && self->stops == stops)
    return;

  self->level = level;
  self->stops = stops;
  goban_view_notify (self, GOBAN_VIEW_PROP_LEVEL);
  goban_log_emit (self, "view.level(\"%s\", \"%s\")", level_names[level], stops_names[stops]);
}
