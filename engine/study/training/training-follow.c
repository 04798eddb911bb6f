/* training-follow.c: curves of a training that another process makes (training-loop.h). */
#include "engine/study/training/training-loop.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <glib/gstdio.h>
#include <string.h>

#define LOOK_EVERY_US (G_USEC_PER_SEC / 4)
/* Looks for a request to stop between two looks at the file. */
#define N_RESTS 10

typedef struct
{
  const GobanTrainingKind *kind;
  const char *path;
  GobanTrainingLog *log;
  GobanTrainingLogged logged;
  gpointer run; /* as last read; NULL at first */
  GStatBuf seen;
  gboolean is_other; /* the file has another run by now */
} Following;

/* Reads the file if it has changed. One that is gone, or is not a run, counts as unchanged. */
static gboolean
read_again (Following *self)
{
  GStatBuf now;
  gpointer run;

  if (g_stat (self->path, &now) != 0
      || (self->run != NULL && now.st_ino == self->seen.st_ino
          && now.st_mtim.tv_sec == self->seen.st_mtim.tv_sec
          && now.st_mtim.tv_nsec == self->seen.st_mtim.tv_nsec))
    return FALSE;
  run = self->kind->peek (self->path);
  if (run == NULL)
    return FALSE;
  if (self->run != NULL && self->kind->get_step (run) < self->kind->get_step (self->run))
    {
      self->kind->free (run);
      self->is_other = TRUE;
      return FALSE;
    }
  if (self->run == NULL)
    {
      g_auto (GStrv) names = goban_training_dup_names ();

      goban_training_log_begin (self->log, self->kind->series, self->kind->n_series,
                                (const char *const *) names);
    }
  else
    self->kind->free (self->run);
  self->run = run;
  self->seen = now;
  return TRUE;
}

/* "step 120 of 4000, validation 0.93" */
static void
tell (const Following *self, const GobanProgress *progress)
{
  g_autoptr (GString) text = g_string_new (NULL);

  goban_training_loop_describe (self->kind, self->run, self->log, text);
  goban_progress_step (progress, goban_training_loop_get_fraction (self->kind, self->run),
                       text->str);
}

static gboolean
rest (const GobanProgress *progress)
{
  for (guint i = 0; i < N_RESTS; i++)
    {
      if (!goban_progress_check (progress, NULL)) /* a stop is no failure here */
        return FALSE;
      g_usleep (LOOK_EVERY_US / N_RESTS);
    }
  return TRUE;
}

char *
goban_training_loop_dup_followed_output (const char *path)
{
  if (g_str_has_suffix (path, GOBAN_TRAINING_SUFFIX))
    return g_strndup (path, strlen (path) - strlen (GOBAN_TRAINING_SUFFIX));
  return g_strdup (path);
}

GobanTrainingReport *
goban_training_loop_follow (const GobanTrainingKind *kind, const char *path, GobanTrainingLog *log,
                            const GobanProgress *progress, GError **error)
{
  Following self = { .kind = kind, .path = path, .log = log };
  GobanTrainingReport *report;

  do
    {
      if (!read_again (&self))
        continue;
      kind->add_points (self.run, &self.logged, log);
      goban_training_log_set_warning (log, kind->get_warning (self.run));
      tell (&self, progress);
    }
  while ((self.run == NULL || !kind->is_done (self.run)) && !self.is_other && rest (progress));
  if (self.is_other)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s was begun anew: follow it once more to see the other curves", path);
      kind->free (self.run);
      return NULL;
    }
  if (self.run == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_CANCELLED, "stopped before %s was there", path);
      return NULL;
    }
  report = goban_training_loop_new_report (kind, self.run,
                                           goban_training_loop_dup_followed_output (path), path);
  report->is_finished = kind->is_done (self.run);
  kind->finish (self.run, log, report);
  kind->free (self.run);
  return report;
}
