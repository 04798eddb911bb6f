#include "engine/study/training/training-kind.h"

#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/study/run/training-log.h"
#include "engine/study/training/training-film.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* --- the owner's access to a training --------------------------------------------------------- */

/* Interval at which a wait checks for a stop, which no condition signals. */
#define LOOK_US (50 * G_TIME_SPAN_MILLISECOND)

struct _GobanTrainer
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond cond;
  GobanTrainingLoop *loop; /* (nullable): of the worker, while it waits */
  gboolean is_lent;        /* a thread of the owner's uses it */
  gboolean is_closed;
  gboolean is_over;
  char *why; /* (nullable): the error that ended it */
};

GobanTrainer *
goban_trainer_new (void)
{
  GobanTrainer *self = g_new0 (GobanTrainer, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

GobanTrainer *
goban_trainer_ref (GobanTrainer *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_trainer_unref (GobanTrainer *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->why);
  g_free (self);
}

void
goban_trainer_close (GobanTrainer *self)
{
  g_mutex_lock (&self->mutex);
  self->is_closed = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

gboolean
goban_trainer_is_closed (GobanTrainer *self)
{
  gboolean is_closed;

  g_mutex_lock (&self->mutex);
  is_closed = self->is_closed;
  g_mutex_unlock (&self->mutex);
  return is_closed;
}

/* --- the worker ------------------------------------------------------------------------------- */

/* The trainer must be locked; waits for a moment at most. */
static void
wait_a_moment (GobanTrainer *self)
{
  g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + LOOK_US);
}

/* Lends the loop until the owner closes the trainer, or @progress, which may pause, says to
 * stop. */
static void
trainer_lend (GobanTrainer *self, GobanTrainingLoop *loop, const GobanProgress *progress)
{
  gboolean is_closed = FALSE;

  while (!is_closed && goban_progress_check (progress, NULL)) /* which only says to stop */
    {
      g_mutex_lock (&self->mutex);
      if (!self->is_closed)
        {
          self->loop = loop;
          g_cond_broadcast (&self->cond);
          wait_a_moment (self);
        }
      while (self->is_lent)
        wait_a_moment (self);
      self->loop = NULL;
      is_closed = self->is_closed;
      g_mutex_unlock (&self->mutex);
    }
}

void
goban_trainer_end (GobanTrainer *self, const GError *why)
{
  g_mutex_lock (&self->mutex);
  self->is_over = TRUE;
  if (why != NULL)
    self->why = g_strdup (why->message);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* --- the owner -------------------------------------------------------------------------------- */

/* Waits for the loop. %NULL with %GOBAN_ERROR_CANCELLED set if @progress asks to stop or the
 * training has ended. */
static GobanTrainingLoop *
borrow_loop (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  GobanTrainingLoop *loop = NULL;
  gboolean is_stopped = FALSE;

  g_mutex_lock (&self->mutex);
  while (!self->is_closed && !self->is_over && !is_stopped && (self->loop == NULL || self->is_lent))
    {
      is_stopped = !goban_progress_check (progress, error);
      if (!is_stopped)
        wait_a_moment (self);
    }
  if (!is_stopped && !self->is_closed && !self->is_over)
    {
      loop = self->loop;
      self->is_lent = TRUE;
    }
  else if (!is_stopped && !self->is_closed && self->why != NULL)
    goban_set_error (error, GOBAN_ERROR_CANCELLED, "%s", self->why);
  else if (!is_stopped)
    goban_set_error (error, GOBAN_ERROR_CANCELLED, "the training has ended");
  g_mutex_unlock (&self->mutex);
  return loop;
}

/* Returns @is_fine. */
static gboolean
return_loop (GobanTrainer *self, gboolean is_fine)
{
  g_mutex_lock (&self->mutex);
  self->is_lent = FALSE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  return is_fine;
}

/* --- the loop --------------------------------------------------------------------------------- */

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
  GobanLearningRun *run;
  char *output;
  char *run_path;
  guint n_logged;          /* points of the run in the log, with that of the initial network */
  GobanTrainingFilm *film; /* (nullable) */
  gint64 begun_us;
  gint64 saved_us;
  char *unsaved; /* (nullable): why the last files could not be written */
  gboolean is_stopped;
};

static void
loop_clear (GobanTrainingLoop *self)
{
  g_clear_pointer (&self->run, goban_learning_run_free);
  g_clear_pointer (&self->film, goban_training_film_free);
  g_free (self->output);
  g_free (self->run_path);
  g_free (self->unsaved);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTrainingLoop, loop_clear)

/* --- files ------------------------------------------------------------------------------------ */

/* The network of a run: its file without the suffix. */
static char *
dup_without_suffix (const char *run)
{
  gsize n_suffix
      = g_str_has_suffix (run, GOBAN_TRAINING_SUFFIX) ? strlen (GOBAN_TRAINING_SUFFIX) : 0;

  return g_strndup (run, strlen (run) - n_suffix);
}

char *
goban_training_loop_choose_output (const GobanTrainingOptions *options, GError **error)
{
  const char *resume = options->resume;

  if (options->follow != NULL)
    return dup_without_suffix (options->follow);
  if (options->output != NULL)
    return g_strdup (options->output);
  if (resume != NULL && g_str_has_suffix (resume, GOBAN_TRAINING_SUFFIX)
      && strlen (resume) > strlen (GOBAN_TRAINING_SUFFIX))
    return dup_without_suffix (resume);
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
  GobanLearningRun *old = NULL;
  gboolean is_lost;

  if (g_file_test (self->run_path, G_FILE_TEST_EXISTS))
    old = goban_learning_run_load (self->kind->run, self->run_path, NULL);
  if (old == NULL)
    return TRUE;
  is_lost = !goban_learning_run_is_done (old);
  if (is_lost)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s holds a run that stopped after %u steps: go on with it, or remove it",
                     self->run_path, old->n_done);
  goban_learning_run_free (old);
  return !is_lost;
}

/* (transfer full) (nullable) */
static gpointer
resume (const GobanTrainingLoop *self, GError **error)
{
  const GobanTrainingOptions *options = self->options;
  GobanLearningRun *run;

  if (!goban_training_check_count ("steps", options->n_steps, GOBAN_TRAINING_MOST_STEPS, error))
    return NULL;
  run = goban_learning_run_load (self->kind->run, options->resume, error);
  if (run != NULL && options->n_steps > 0)
    run->settings->n_updates = (guint) options->n_steps;
  return run;
}

/* (nullable): the run, if it is one of that kind. */
static GobanBuilderTraining *
get_builder (const GobanTrainingLoop *self)
{
  return self->kind == &goban_training_builder ? (GobanBuilderTraining *) self->run : NULL;
}

static gboolean
begin (GobanTrainingLoop *self, GError **error)
{
  if (self->options->resume != NULL)
    self->run = resume (self, error);
  else if (check_nothing_is_lost (self, error))
    self->run = self->kind->begin (self->options, error);
  if (self->run != NULL && get_builder (self) != NULL)
    get_builder (self)->ranks = self->options->ranks;
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

static const GobanScorerNet *
get_net (const GobanTrainingLoop *self, gboolean is_present)
{
  return is_present ? self->run->average : goban_learning_run_get_net (self->run);
}

static gboolean
save (GobanTrainingLoop *self, gboolean is_present, GError **error)
{
  g_autofree char *csv = NULL;

  self->saved_us = g_get_monotonic_time ();
  if (goban_ranks_get_rank (self->options->ranks) > 0)
    return TRUE;
  make_folder (self->output);
  if (!goban_scorer_net_save (get_net (self, is_present), self->output, error)
      || !goban_learning_run_save (self->run, self->run_path, error))
    return FALSE;
  if (self->options->curve == NULL)
    return TRUE;
  csv = goban_training_log_to_csv (self->log);
  return goban_file_write (self->options->curve, csv, strlen (csv), error);
}

/* --- telling ---------------------------------------------------------------------------------- */

static double
get_seconds (const GobanTrainingLoop *self)
{
  return (double) (g_get_monotonic_time () - self->begun_us) / G_USEC_PER_SEC;
}

static double
training_loop_get_fraction (const GobanLearningRun *run)
{
  return (double) run->n_done / run->settings->n_updates;
}

/* Appends "step 120 of 4000, validation 0.93". */
static void
training_loop_describe (const GobanTrainingKind *kind, GobanLearningRun *run, GString *text)
{
  g_string_append_printf (text, _ ("step %u of %u"), run->n_done, run->settings->n_updates);
  kind->describe (run, text);
}

/* "step 120 of 4000, validation 0.93" */
static void
tell (const GobanTrainingLoop *self)
{
  const char *warning = self->kind->get_warning (self->run);
  g_autoptr (GString) text = g_string_new (NULL);

  training_loop_describe (self->kind, self->run, text);
  if (warning != NULL)
    g_string_append_printf (text, "; %s", _ (warning));
  if (self->unsaved != NULL)
    g_string_append_printf (text, _ ("; not saved: %s"), self->unsaved);
  goban_progress_step (self->progress, training_loop_get_fraction (self->run), text->str);
}

/* Logs an update, and a trial if it was measured. */
static void
log_point (const GobanTrainingKind *kind, const GobanLearningRun *run, int index,
           GobanTrainingLog *log)
{
  double values[GOBAN_TRAINING_MAX_SERIES];
  guint step = kind->read_point (run, index, values);

  for (guint is_trial = index == GOBAN_LEARNING_FIRST; is_trial < 2; is_trial++)
    {
      GobanTrainingPoint point = goban_training_point_new (step, is_trial, is_trial);
      gboolean is_measured = !is_trial;

      for (guint k = 0; k < kind->n_series; k++)
        if (kind->series[k].is_trial == (gboolean) is_trial)
          {
            point.values[k] = values[k];
            is_measured |= !isnan (values[k]);
          }
      if (is_measured)
        goban_training_log_add (log, &point);
    }
}

/* Logs what is new: @n_logged points are in the log, with that of the initial network. */
static void
log_points (const GobanTrainingKind *kind, const GobanLearningRun *run, guint *n_logged,
            GobanTrainingLog *log)
{
  /* The initial network is tried before the first update. */
  if (*n_logged == 0 && run->points->len == 0 && isnan (run->first_score))
    return;
  for (; *n_logged <= run->points->len; ++*n_logged)
    log_point (kind, run, (int) *n_logged - 1, log);
}

void
goban_training_read_last_trial (const GobanTrainingKind *kind, const GobanLearningRun *run,
                                double *values)
{
  gboolean is_measured = FALSE;

  for (guint i = run->points->len; i > 0 && !is_measured; i--)
    {
      kind->read_point (run, (int) i - 1, values);
      for (guint k = 0; k < kind->n_series; k++)
        is_measured |= kind->series[k].is_trial && !isnan (values[k]);
    }
  for (guint k = 0; k < kind->n_series && !is_measured; k++)
    values[k] = NAN;
}

static void
record (GobanTrainingLoop *self)
{
  log_points (self->kind, self->run, &self->n_logged, self->log);
  goban_training_log_set_warning (self->log, self->kind->get_warning (self->run));
}

/* --- learning --------------------------------------------------------------------------------- */

/* A frame that cannot be written is left out: it is only looked at. */
static void
keep_frame (GobanTrainingLoop *self)
{
  g_autofree char *path
      = self->film != NULL ? goban_training_film_next (self->film, self->run->n_done) : NULL;

  if (path != NULL)
    goban_scorer_net_save (self->run->average, path, NULL);
}

/* On the way: a disk that is full, or a folder that is away, may be back the next time, and hours
 * of learning are not given up for it. Only the last time it is an error. */
static void
save_if_possible (GobanTrainingLoop *self)
{
  g_autoptr (GError) trouble = NULL;

  g_clear_pointer (&self->unsaved, g_free);
  if (!save (self, FALSE, &trouble))
    self->unsaved = g_strdup (trouble->message);
}

/* One step of the run, an update or a trial, with log and files kept up to date. Files that cannot
 * be written are tried again later; the words of the progress say so. */
static gboolean
training_loop_advance (GobanTrainingLoop *self, const GobanProgress *progress, GError **error)
{
  gboolean has_tried;

  if (!goban_learning_run_step (self->run, progress, error))
    return FALSE;
  has_tried = self->run->n_done % self->run->settings->every == 0;
  record (self);
  keep_frame (self);
  if (self->run->n_done > 0
      && (has_tried || g_get_monotonic_time () - self->saved_us > SAVE_EVERY_US))
    save_if_possible (self);
  tell (self);
  return TRUE;
}

/* To the end, or until it is cancelled. */
static gboolean
learn (GobanTrainingLoop *self, GError **error)
{
  while (!goban_learning_run_is_done (self->run))
    {
      g_autoptr (GError) trouble = NULL;

      if (goban_progress_check (self->progress, &trouble)
          && training_loop_advance (self, self->progress, &trouble))
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
  GobanScaling scaling = get_builder (self)->scaling;
  g_autoptr (GByteArray) all = g_byte_array_new ();

  if (!self->is_stopped)
    {
      if (!goban_ranks_gather (self->options->ranks, &scaling, sizeof scaling, all, error))
        return NULL;
      scaling = goban_scaling_average ((const GobanScaling *) (const void *) all->data, n_ranks);
    }
  return goban_scaling_to_text (&scaling, &network, n_ranks);
}

/* A report without its end and the kind's own part. Takes ownership of @output. (transfer full) */
static GobanTrainingReport *
training_loop_new_report (const GobanTrainingKind *kind, GobanLearningRun *run, char *output,
                          const char *run_path)
{
  GobanTrainingReport *report = g_new0 (GobanTrainingReport, 1);

  report->network = g_strdup (kind->network);
  report->output = output;
  report->run = g_strdup (run_path);
  report->kept_step = goban_learning_run_get_kept_step (run);
  report->kept_start = report->kept_step == 0 && run->n_done > 0;
  report->warning
      = g_strdup (report->kept_start ? goban_training_kept_start : kind->get_warning (run));
  report->step = run->n_done;
  report->n_steps = run->settings->n_updates;
  report->n_parameters = goban_params_get_total (goban_learning_run_get_net (run)->params);
  report->score = run->best_score;
  report->first_score = run->first_score;
  return report;
}

/* What the report would be if it ended now. (transfer full) */
static GobanTrainingReport *
training_loop_report (const GobanTrainingLoop *self)
{
  GobanTrainingReport *report
      = training_loop_new_report (self->kind, self->run, g_strdup (self->output), self->run_path);

  report->is_finished = goban_learning_run_is_done (self->run);
  report->seconds = get_seconds (self);
  self->kind->finish (self->run, report);
  return report;
}

static GobanTrainingReport *
new_report (const GobanTrainingLoop *self, char *scaling)
{
  GobanTrainingReport *report = training_loop_report (self);

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
    self.film = goban_training_film_new (self.output, self.run->n_done);
  keep_frame (&self);
  tell (&self);
  if (options->trainer != NULL)
    {
      trainer_lend (options->trainer, &self, progress);
      self.is_stopped = !goban_learning_run_is_done (self.run);
    }
  else if (!learn (&self, error))
    return NULL;
  if (self.run->n_done == 0)
    {
      goban_set_error (error, GOBAN_ERROR_CANCELLED,
                       "stopped before the first step: nothing is written");
      return NULL;
    }
  if (!save (&self, FALSE, error))
    return NULL;
  if (get_builder (&self) != NULL)
    {
      scaling = make_scaling (&self, error);
      if (scaling == NULL)
        return NULL;
    }
  return new_report (&self, scaling);
}

/* --- trainings of other processes ------------------------------------------------------------- */

#define LOOK_EVERY_US (G_USEC_PER_SEC / 4)
/* Looks for a request to stop between two looks at the file. */
#define N_RESTS 10

typedef struct
{
  const GobanTrainingKind *kind;
  const char *path;
  GobanTrainingLog *log;
  guint n_logged;        /* points of the run in the log, with that of the initial network */
  GobanLearningRun *run; /* as last read; NULL at first */
  GStatBuf seen;
  gboolean is_other; /* the file has another run by now */
} Following;

/* Reads the file if it has changed. One that is gone, or is not a run, counts as unchanged. */
static gboolean
read_again (Following *self)
{
  GStatBuf now;
  GobanLearningRun *run;

  if (g_stat (self->path, &now) != 0
      || (self->run != NULL && now.st_ino == self->seen.st_ino
          && now.st_mtim.tv_sec == self->seen.st_mtim.tv_sec
          && now.st_mtim.tv_nsec == self->seen.st_mtim.tv_nsec))
    return FALSE;
  run = goban_learning_run_load (self->kind->run, self->path, NULL);
  if (run == NULL)
    return FALSE;
  if (self->run != NULL && run->n_done < self->run->n_done)
    {
      goban_learning_run_free (run);
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
    goban_learning_run_free (self->run);
  self->run = run;
  self->seen = now;
  return TRUE;
}

/* "step 120 of 4000, validation 0.93" */
static void
tell_followed (const Following *self, const GobanProgress *progress)
{
  g_autoptr (GString) text = g_string_new (NULL);

  training_loop_describe (self->kind, self->run, text);
  goban_progress_step (progress, training_loop_get_fraction (self->run), text->str);
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
      log_points (kind, self.run, &self.n_logged, log);
      goban_training_log_set_warning (log, kind->get_warning (self.run));
      tell_followed (&self, progress);
    }
  while ((self.run == NULL || !goban_learning_run_is_done (self.run)) && !self.is_other
         && rest (progress));
  if (self.is_other)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s was begun anew: follow it once more to see the other curves", path);
      goban_learning_run_free (self.run);
      return NULL;
    }
  if (self.run == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_CANCELLED, "stopped before %s was there", path);
      return NULL;
    }
  report = training_loop_new_report (kind, self.run, dup_without_suffix (path), path);
  report->is_finished = goban_learning_run_is_done (self.run);
  kind->finish (self.run, report);
  goban_learning_run_free (self.run);
  return report;
}

/* --- requests --------------------------------------------------------------------------------- */

gboolean
goban_trainer_update (GobanTrainer *self, gboolean *is_made, const GobanProgress *progress,
                      GError **error)
{
  GobanTrainingLoop *loop = borrow_loop (self, progress, error);
  gboolean is_fine = TRUE;
  guint before;

  *is_made = FALSE;
  if (loop == NULL)
    return FALSE;
  before = loop->run->n_done;
  while (is_fine && !goban_learning_run_is_done (loop->run) && !*is_made)
    {
      is_fine = training_loop_advance (loop, progress, error);
      *is_made = is_fine && loop->run->n_done > before;
    }
  return return_loop (self, is_fine);
}

gboolean
goban_trainer_save (GobanTrainer *self, const char *path, gboolean is_present,
                    const GobanProgress *progress, GError **error)
{
  GobanTrainingLoop *loop = borrow_loop (self, progress, error);
  g_autofree char *run_path = g_strconcat (path != NULL ? path : "", GOBAN_TRAINING_SUFFIX, NULL);

  if (loop == NULL)
    return FALSE;
  return return_loop (self, path == NULL
                                ? save (loop, is_present, error)
                                : goban_scorer_net_save (get_net (loop, is_present), path, error)
                                      && goban_learning_run_save (loop->run, run_path, error));
}

GobanTrainingReport *
goban_trainer_report (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  const GobanTrainingLoop *loop = borrow_loop (self, progress, error);
  GobanTrainingReport *report;

  if (loop == NULL)
    return NULL;
  report = training_loop_report (loop);
  return_loop (self, TRUE);
  return report;
}

/* --- rollouts --------------------------------------------------------------------------------- */

/* (nullable): %NULL with an error set, and nothing borrowed, for trainings that do not show their
 * rollouts, too. */
static GobanBuilderTraining *
borrow_builder (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  const GobanTrainingLoop *loop = borrow_loop (self, progress, error);
  GobanBuilderTraining *run = loop != NULL ? get_builder (loop) : NULL;

  if (loop == NULL || run != NULL)
    return run;
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "the training of %s keeps its lessons and rollouts to itself; that of "
                   "builder shows them",
                   loop->kind->network);
  return_loop (self, FALSE);
  return NULL;
}

gboolean
goban_trainer_measure (GobanTrainer *self, GobanTrainingPoint *point, const GobanProgress *progress,
                       GError **error)
{
  GobanBuilderTraining *run = borrow_builder (self, progress, error);
  const GobanTrainingSeries *series = goban_training_builder.series;
  GobanBuilderPoint measured = { .valid_greedy = NAN, .valid_best = NAN };
  guint n = 0;

  if (run == NULL
      || !return_loop (self, goban_builder_training_measure (run, &measured, progress, error)))
    return FALSE;
  *point = goban_training_point_new (run->base.n_done, 1, TRUE);
  for (guint k = 0; k < goban_training_builder.n_series; k++)
    if (series[k].is_trial)
      point->values[k] = n++ == 0 ? measured.valid_greedy : measured.valid_best;
  return TRUE;
}

static void
clear_rollout (gpointer data)
{
  g_free (((GobanTrainerRollout *) data)->lesson);
}

static gboolean
roll_out (GobanBuilderTraining *run, GArray *rollouts, const GobanProgress *progress,
          GError **error)
{
  if (goban_learning_run_is_done (&run->base))
    return TRUE;
  if (!goban_builder_training_roll_out (run, progress, error))
    return FALSE;
  for (guint k = 0; k < run->config.n_problems; k++)
    for (guint i = 0; i < run->groups[k].n_rollouts; i++)
      {
        const GobanBuilderGroup *group = &run->groups[k];
        GobanTrainerRollout rollout = { .lesson = g_strdup (group->name),
                                        .time_us = group->scores_us[i],
                                        .reference_us = group->problem->reference_us,
                                        .reward = group->rewards[i],
                                        .entropy = group->entropies[i],
                                        .top_share = group->top_shares[i] };

        g_array_append_val (rollouts, rollout);
      }
  return TRUE;
}

GArray *
goban_trainer_roll_out (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  g_autoptr (GArray) made = g_array_new (FALSE, FALSE, sizeof (GobanTrainerRollout));
  GobanBuilderTraining *run = borrow_builder (self, progress, error);

  g_array_set_clear_func (made, clear_rollout);
  return run != NULL && return_loop (self, roll_out (run, made, progress, error))
             ? g_steal_pointer (&made)
             : NULL;
}

/* %FALSE with an error set if there are not so many rollouts. */
static gboolean
check_rollouts (const GobanBuilderTraining *run, guint n, GError **error)
{
  return n <= (run->has_rollouts ? run->config.n_problems * run->groups[0].n_rollouts : 0)
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "there is no rollout %u of the next update: ask for its rollouts first",
                          n);
}

GobanPlan *
goban_trainer_dup_plan (GobanTrainer *self, guint index, GobanCostModel **costs, GError **error)
{
  GobanBuilderTraining *run = borrow_builder (self, NULL, error);
  GobanPlan *plan = NULL;

  if (run == NULL)
    return NULL;
  if (check_rollouts (run, index + 1, error))
    {
      guint n = run->groups[0].n_rollouts;

      *costs = goban_cost_model_ref (run->groups[index / n].problem->costs);
      plan = goban_builder_training_dup_plan (run, index / n, index % n);
    }
  return_loop (self, TRUE);
  return plan;
}

gboolean
goban_trainer_set_rewards (GobanTrainer *self, const double *rewards, guint n, GError **error)
{
  GobanBuilderTraining *run = borrow_builder (self, NULL, error);
  gboolean is_fine = run != NULL && check_rollouts (run, n, error);

  for (guint i = 0; i < n && is_fine; i++)
    goban_builder_training_set_reward (run, i / run->groups[0].n_rollouts,
                                       i % run->groups[0].n_rollouts, rewards[i]);
  return run != NULL && return_loop (self, is_fine);
}

gboolean
goban_trainer_get_n_lessons (GobanTrainer *self, guint *n, GError **error)
{
  const GobanBuilderTraining *run = borrow_builder (self, NULL, error);

  if (run == NULL)
    return FALSE;
  *n = run->config.n_problems;
  return return_loop (self, TRUE);
}

gboolean
goban_trainer_teach (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                     const GobanProgress *progress, GError **error)
{
  GobanBuilderTraining *run = borrow_builder (self, progress, error);

  return run != NULL && return_loop (self, goban_builder_training_teach (run, costs, n, error));
}

gboolean
goban_trainer_set_validation (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                              const GobanProgress *progress, GError **error)
{
  GobanBuilderTraining *run = borrow_builder (self, progress, error);

  return run != NULL
         && return_loop (self, goban_builder_training_set_validation (run, costs, n, error));
}
