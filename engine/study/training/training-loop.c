#include "engine/study/training/training-loop.h"

#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/study/run/training-log-summary.h"
#include "engine/study/training/training-film.h"
#include "engine/study/training/training-queue.h"

#include <string.h>

const char *const goban_training_kept_start
    = N_ ("nothing gained: no later network was better in validation, so the one it began with is "
          "kept; try a lower rate or more steps");

#define SAVE_EVERY_US (60 * G_USEC_PER_SEC)

struct _GobanTrainingLoop
{
  const GobanTrainingKind *kind;
  const GobanTrainingOptions *options;
  GobanTrainingLog *log; /* borrowed */
  const GobanProgress *progress;
  gpointer run;
  char *output;
  char *run_path;
  GobanTrainingLogged logged;
  GobanTrainingFilm *film; /* (nullable) */
  gint64 begun_us;
  gint64 saved_us;
  char *unsaved; /* (nullable): why the last files could not be written */
  gboolean is_stopped;
};

static void
loop_clear (GobanTrainingLoop *self)
{
  if (self->run != NULL)
    self->kind->free (self->run);
  g_clear_pointer (&self->film, goban_training_film_free);
  g_free (self->output);
  g_free (self->run_path);
  g_free (self->unsaved);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTrainingLoop, loop_clear)

/* --- files ------------------------------------------------------------------------------------ */

char *
goban_training_loop_choose_output (const GobanTrainingOptions *options, GError **error)
{
  const char *resume = options->resume;
  gsize n_suffix = strlen (GOBAN_TRAINING_SUFFIX);

  if (options->output != NULL)
    return g_strdup (options->output);
  if (resume != NULL && g_str_has_suffix (resume, GOBAN_TRAINING_SUFFIX)
      && strlen (resume) > n_suffix)
    return g_strndup (resume, strlen (resume) - n_suffix);
  goban_set_error (error, GOBAN_ERROR_INVALID, "where is the network to go? name a file");
  return NULL;
}

static gboolean
choose_files (GobanTrainingLoop *self, GError **error)
{
  const GobanTrainingOptions *options = self->options;

  self->output = goban_training_loop_choose_output (options, error);
  if (self->output == NULL)
    return FALSE;
  self->run_path = options->resume != NULL && options->output == NULL
                       ? g_strdup (options->resume)
                       : g_strconcat (self->output, GOBAN_TRAINING_SUFFIX, NULL);
  return TRUE;
}

/* Starting again by mistake would lose hours. A file that is not a run is replaced. */
static gboolean
check_nothing_is_lost (const GobanTrainingLoop *self, GError **error)
{
  gpointer old = NULL;
  gboolean is_lost;

  if (g_file_test (self->run_path, G_FILE_TEST_EXISTS))
    old = self->kind->peek (self->run_path);
  if (old == NULL)
    return TRUE;
  is_lost = !self->kind->is_done (old);
  if (is_lost)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s holds a run that stopped after %u steps: go on with it, or remove it",
                     self->run_path, self->kind->get_step (old));
  self->kind->free (old);
  return !is_lost;
}

static gboolean
begin (GobanTrainingLoop *self, GError **error)
{
  if (self->options->resume != NULL)
    self->run = self->kind->resume (self->options, error);
  else if (check_nothing_is_lost (self, error))
    self->run = self->kind->begin (self->options, error);
  return self->run != NULL;
}

/* A folder that was removed meanwhile is made again, so that the result of the training is not lost
 * with it. */
static void
make_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  goban_checked_path_make_folder (folder); /* else the file says why it cannot be written */
}

typedef gboolean SaveNet (gpointer run, const char *path, GError **error);

static gboolean
save (GobanTrainingLoop *self, SaveNet *save_net, GError **error)
{
  g_autofree char *csv = NULL;

  self->saved_us = g_get_monotonic_time ();
  if (goban_ranks_get_rank (self->options->ranks) > 0)
    return TRUE;
  make_folder (self->output);
  if (!save_net (self->run, self->output, error)
      || !self->kind->save_run (self->run, self->run_path, error))
    return FALSE;
  if (self->options->curve == NULL)
    return TRUE;
  csv = goban_training_log_to_csv (self->log);
  return goban_file_write (self->options->curve, csv, strlen (csv), error);
}

gboolean
goban_training_loop_save_as (GobanTrainingLoop *self, const char *path, gboolean is_present,
                             GError **error)
{
  const GobanTrainingKind *kind = self->kind;
  SaveNet *save_net
      = is_present && kind->save_present != NULL ? kind->save_present : kind->save_net;
  g_autofree char *run_path = NULL;

  if (path == NULL)
    return save (self, save_net, error);
  run_path = g_strconcat (path, GOBAN_TRAINING_SUFFIX, NULL);
  return save_net (self->run, path, error) && kind->save_run (self->run, run_path, error);
}

/* --- telling ---------------------------------------------------------------------------------- */

static double
get_seconds (const GobanTrainingLoop *self)
{
  return (double) (g_get_monotonic_time () - self->begun_us) / G_USEC_PER_SEC;
}

double
goban_training_loop_get_fraction (const GobanTrainingKind *kind, gpointer run)
{
  return (double) kind->get_step (run) / kind->get_n_steps (run);
}

void
goban_training_loop_describe (const GobanTrainingKind *kind, gpointer run, GobanTrainingLog *log,
                              GString *text)
{
  g_string_append_printf (text, _ ("step %u of %u"), kind->get_step (run), kind->get_n_steps (run));
  kind->describe (run, log, text);
}

/* "step 120 of 4000, validation 0.93" */
static void
tell (const GobanTrainingLoop *self)
{
  const char *warning = self->kind->get_warning (self->run);
  g_autoptr (GString) text = g_string_new (NULL);

  goban_training_loop_describe (self->kind, self->run, self->log, text);
  if (warning != NULL)
    g_string_append_printf (text, "; %s", _ (warning));
  if (self->unsaved != NULL)
    g_string_append_printf (text, _ ("; not saved: %s"), self->unsaved);
  goban_progress_step (self->progress, goban_training_loop_get_fraction (self->kind, self->run),
                       text->str);
}

static void
record (GobanTrainingLoop *self)
{
  self->kind->add_points (self->run, &self->logged, self->log);
  goban_training_log_set_warning (self->log, self->kind->get_warning (self->run));
}

/* --- learning --------------------------------------------------------------------------------- */

/* A frame that cannot be written is left out: it is only looked at. */
static void
keep_frame (GobanTrainingLoop *self)
{
  g_autofree char *path
      = self->film != NULL && self->kind->save_present != NULL
            ? goban_training_film_next (self->film, self->kind->get_step (self->run))
            : NULL;

  if (path != NULL)
    self->kind->save_present (self->run, path, NULL);
}

/* On the way: a disk that is full, or a folder that is away, may be back the next time, and hours
 * of learning are not given up for it. Only the last time it is an error. */
static void
save_if_possible (GobanTrainingLoop *self)
{
  g_autoptr (GError) trouble = NULL;

  g_clear_pointer (&self->unsaved, g_free);
  if (!save (self, self->kind->save_net, &trouble))
    self->unsaved = g_strdup (trouble->message);
}

gboolean
goban_training_loop_advance (GobanTrainingLoop *self, const GobanProgress *progress, GError **error)
{
  gboolean has_tried = FALSE;

  if (!self->kind->step (self->run, &has_tried, progress, error))
    return FALSE;
  record (self);
  keep_frame (self);
  if (self->kind->get_step (self->run) > 0
      && (has_tried || g_get_monotonic_time () - self->saved_us > SAVE_EVERY_US))
    save_if_possible (self);
  tell (self);
  return TRUE;
}

/* To the end, or until it is cancelled. */
static gboolean
learn (GobanTrainingLoop *self, GError **error)
{
  while (!self->kind->is_done (self->run))
    {
      g_autoptr (GError) trouble = NULL;

      if (goban_progress_check (self->progress, &trouble)
          && goban_training_loop_advance (self, self->progress, &trouble))
        continue;
      self->is_stopped = g_error_matches (trouble, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      if (!self->is_stopped)
        g_propagate_error (error, g_steal_pointer (&trouble));
      return self->is_stopped;
    }
  return TRUE;
}

/* All ranks have come to the end, unless they were stopped. (transfer full) (nullable): %NULL with
 * @error set */
static char *
make_scaling (const GobanTrainingLoop *self, GError **error)
{
  GobanNetwork network = goban_network_default ();
  guint n_ranks = goban_ranks_get_size (self->options->ranks);
  GobanScaling scaling = *self->kind->get_scaling (self->run);
  g_autoptr (GByteArray) all = g_byte_array_new ();

  if (!self->is_stopped)
    {
      if (!goban_ranks_gather (self->options->ranks, &scaling, sizeof scaling, all, error))
        return NULL;
      scaling = goban_scaling_average ((const GobanScaling *) (const void *) all->data, n_ranks);
    }
  return goban_scaling_to_text (&scaling, &network, n_ranks);
}

static void
serve (GobanTrainingLoop *self)
{
  goban_trainer_serve (self->options->trainer, self, self->progress);
  self->is_stopped = !self->kind->is_done (self->run);
}

const GobanTrainingKind *
goban_training_loop_get_kind (const GobanTrainingLoop *self)
{
  return self->kind;
}

gpointer
goban_training_loop_get_run (GobanTrainingLoop *self)
{
  return self->run;
}

GobanTrainingReport *
goban_training_loop_new_report (const GobanTrainingKind *kind, gpointer run, char *output,
                                const char *run_path)
{
  GobanTrainingReport *report = g_new0 (GobanTrainingReport, 1);

  report->network = g_strdup (kind->network);
  report->output = output;
  report->run = g_strdup (run_path);
  report->kept_step = kind->get_kept_step (run);
  report->kept_start = report->kept_step == 0 && kind->get_step (run) > 0;
  report->warning
      = g_strdup (report->kept_start ? goban_training_kept_start : kind->get_warning (run));
  report->step = kind->get_step (run);
  report->n_steps = kind->get_n_steps (run);
  return report;
}

GobanTrainingReport *
goban_training_loop_report (const GobanTrainingLoop *self)
{
  GobanTrainingReport *report = goban_training_loop_new_report (
      self->kind, self->run, g_strdup (self->output), self->run_path);

  report->is_finished = self->kind->is_done (self->run);
  report->seconds = get_seconds (self);
  self->kind->finish (self->run, self->log, report);
  return report;
}

static GobanTrainingReport *
new_report (const GobanTrainingLoop *self, char *scaling)
{
  GobanTrainingReport *report = goban_training_loop_report (self);

  report->is_finished = !self->is_stopped;
  if (report->kept_start)
    goban_training_log_set_warning (self->log, goban_training_kept_start);
  report->scaling = scaling;
  return report;
}

static void
begin_log (GobanTrainingLoop *self)
{
  const GobanTrainingKind *kind = self->kind;
  g_auto (GStrv) names = goban_training_dup_names ();

  goban_training_log_begin (self->log, kind->series, kind->n_series, (const char *const *) names);
  record (self);
}

GobanTrainingReport *
goban_training_loop_run (const GobanTrainingKind *kind, const GobanTrainingOptions *options,
                         GobanTrainingLog *log, const GobanProgress *progress, GError **error)
{
  char *scaling = NULL;
  g_auto (GobanTrainingLoop) self
      = { .kind = kind, .options = options, .log = log, .progress = progress };

  /* No rank writes before all have checked whether there is a run already. */
  if (!choose_files (&self, error) || !begin (&self, error)
      || !goban_ranks_meet (options->ranks, error))
    return NULL;
  self.begun_us = self.saved_us = g_get_monotonic_time ();
  begin_log (&self);
  if (options->has_film && goban_ranks_get_rank (options->ranks) == 0)
    self.film = goban_training_film_new (self.output, kind->get_step (self.run));
  keep_frame (&self);
  tell (&self);
  if (options->trainer != NULL)
    serve (&self);
  else if (!learn (&self, error))
    return NULL;
  if (kind->get_step (self.run) == 0)
    {
      goban_set_error (error, GOBAN_ERROR_CANCELLED,
                       "stopped before the first step: nothing is written");
      return NULL;
    }
  if (!save (&self, kind->save_net, error))
    return NULL;
  if (kind->get_scaling != NULL)
    {
      scaling = make_scaling (&self, error);
      if (scaling == NULL)
        return NULL;
    }
  return new_report (&self, scaling);
}
