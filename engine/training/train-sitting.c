#include "engine/training/train-sitting.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/training/train.h"

#include <string.h>

#define SAVE_EVERY_US (60 * G_USEC_PER_SEC)

void
goban_sitting_clear (GobanSitting *self)
{
  if (self->run != NULL)
    self->kind->free (self->run);
  g_free (self->output);
  g_free (self->run_path);
}

gboolean
goban_sitting_choose_files (GobanSitting *self, const char *output, GError **error)
{
  self->output = goban_train_choose_output (output, self->resume, error);
  if (self->output == NULL || !goban_train_check_output (self->output, error)
      || (self->curve != NULL && !goban_train_check_output (self->curve, error)))
    return FALSE;
  self->run_path = self->resume != NULL && output == NULL
                       ? g_strdup (self->resume)
                       : g_strconcat (self->output, GOBAN_TRAINING_SUFFIX, NULL);
  return TRUE;
}

static gboolean
is_done (const GobanTrainingKind *kind, gpointer run)
{
  return kind->get_n_done (run) >= kind->get_n_steps (run);
}

/* Starting again by mistake would lose the results. */
gboolean
goban_sitting_check_nothing_is_lost (const GobanSitting *self, GError **error)
{
  gpointer old = NULL;
  gboolean is_lost = FALSE;

  if (g_file_test (self->run_path, G_FILE_TEST_EXISTS))
    old = self->kind->load (self->run_path, NULL); /* what is not a run is replaced */
  if (old != NULL && !is_done (self->kind, old))
    {
      is_lost = TRUE;
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s holds a run that stopped after %u steps: go on with it, or remove it",
                       self->run_path, self->kind->get_n_done (old));
    }
  if (old != NULL)
    self->kind->free (old);
  return !is_lost;
}

static gboolean
save (GobanSitting *self, GError **error)
{
  g_autofree char *csv = NULL;

  self->saved_us = g_get_monotonic_time ();
  if (!self->kind->save_run (self->run, self->run_path, error)
      || !self->kind->save_net (self->run, self->output, error))
    return FALSE;
  if (self->curve == NULL)
    return TRUE;
  csv = self->kind->to_csv (self->run);
  return goban_file_write (self->curve, csv, strlen (csv), error);
}

static void
report (const GobanSitting *self)
{
  guint n_steps = self->kind->get_n_steps (self->run);
  guint n_done = self->kind->get_n_done (self->run);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "step %u of %u", n_done, n_steps);
  self->kind->describe (self->run, text);
  goban_progress_step (self->progress, (double) n_done / n_steps, text->str);
}

gboolean
goban_sitting_learn (GobanSitting *self, GError **error)
{
  self->saved_us = g_get_monotonic_time ();
  while (!is_done (self->kind, self->run))
    {
      g_autoptr (GError) trouble = NULL;
      gboolean is_tried; /* a trial may have found a better network */

      report (self);
      if (!self->kind->step (self->run, self->progress, &trouble))
        {
          self->is_stopped = g_error_matches (trouble, GOBAN_ERROR, GOBAN_ERROR_CANCELLED)
                             && self->kind->get_n_done (self->run) > 0;
          if (self->is_stopped)
            return save (self, error);
          g_propagate_error (error, g_steal_pointer (&trouble));
          return FALSE;
        }
      is_tried = self->kind->get_n_done (self->run) % self->kind->get_every (self->run) == 0;
      if ((is_tried || g_get_monotonic_time () - self->saved_us > SAVE_EVERY_US)
          && !save (self, error))
        return FALSE;
    }
  report (self);
  return save (self, error);
}
