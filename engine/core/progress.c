#include "engine/core/progress.h"

#include "engine/core/error.h"

void
goban_progress_step (const GobanProgress *self, double fraction, const char *what)
{
  if (self != NULL && self->on_step != NULL)
    self->on_step (fraction, what, self->user_data);
}

gboolean
goban_progress_check (const GobanProgress *self, GError **error)
{
  if (self == NULL || self->should_stop == NULL || !self->should_stop (self->user_data))
    return TRUE;

  goban_set_error (error, GOBAN_ERROR_CANCELLED, "stopped on request");
  return FALSE;
}
