#include "engine/session/view-time.h"

#include "engine/session/view-private.h"
#include "engine/study/log/log-lines.h"

#include <math.h>

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

int
goban_view_get_step (GobanView *self)
{
  g_return_val_if_fail (GOBAN_IS_VIEW (self), GOBAN_VIEW_NO_STEP);

  return self->step;
}

void
goban_view_play_step (GobanView *self, int step)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && step >= GOBAN_VIEW_NO_STEP);

  if (self->step == step)
    return;

  self->step = step;
  goban_view_notify (self, GOBAN_VIEW_PROP_STEP);
}

void
goban_view_set_step (GobanView *self, int step)
{
  g_return_if_fail (GOBAN_IS_VIEW (self) && step >= GOBAN_VIEW_NO_STEP);

  if (self->step == step)
    return;

  goban_view_play_step (self, step);
  if (step == GOBAN_VIEW_NO_STEP)
    goban_log_emit (self, "view.step()");
  else
    goban_log_emit (self, "view.step(%d)", step);
}
