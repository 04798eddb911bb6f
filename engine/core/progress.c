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

  return goban_refuse (error, GOBAN_ERROR_CANCELLED, "stopped on request");
}

/* --- parts ------------------------------------------------------------------------------------ */

static void
part_step_cb (double fraction, const char *what, gpointer user_data)
{
  const GobanPartProgress *self = user_data;
  /* The end of the whole is as unknown as the end of its only part. */
  double of_whole = fraction < 0 && self->share >= 1
                        ? fraction
                        : self->begin + self->share * CLAMP (fraction, 0, 1);
  g_autofree char *text = NULL;

  if (self->name != NULL)
    text = what != NULL && *what != '\0' ? g_strdup_printf ("%s, %s", self->name, what)
                                         : g_strdup (self->name);
  goban_progress_step (self->whole, of_whole, text != NULL ? text : what);
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
  *self = (GobanPartProgress){ .progress = { part_step_cb, part_stop_cb, self },
                               .whole = whole,
                               .name = n > 1 ? name : NULL,
                               .begin = (double) i / n,
                               .share = 1.0 / n };
  if (self->name != NULL)
    goban_progress_step (whole, self->begin, name);
  return &self->progress;
}
