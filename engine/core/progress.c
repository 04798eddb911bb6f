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

/* --- parts ------------------------------------------------------------------------------------ */

static void
part_step_cb (double fraction, const char *what, gpointer user_data)
{
  const GobanPartProgress *self = user_data;
  g_autofree char *text = NULL;

  if (self->n == 1)
    {
      goban_progress_step (self->whole, fraction, what);
      return;
    }
  text = what != NULL && *what != '\0' ? g_strdup_printf ("%s, %s", self->name, what)
                                       : g_strdup (self->name);
  goban_progress_step (self->whole, (self->i + CLAMP (fraction, 0, 1)) / self->n, text);
}

static gboolean
part_stop_cb (gpointer user_data)
{
  return !goban_progress_check (((const GobanPartProgress *) user_data)->whole, NULL);
}

const GobanProgress *
goban_part_progress_begin (GobanPartProgress *self, const GobanProgress *whole, guint i, guint n,
                           const char *name)
{
  *self = (GobanPartProgress){ { part_step_cb, part_stop_cb, self }, whole, name, i, n };
  if (n > 1)
    goban_progress_step (whole, (double) i / n, name);
  return &self->progress;
}
