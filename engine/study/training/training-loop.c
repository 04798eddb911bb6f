#include "engine/study/training/training-loop.h"

#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/study/run/training-log.h"
#include "engine/study/training/training-film.h"

#include <glib/gstdio.h>
#include <string.h>

/* --- the queue of requests to a training ------------------------------------------------------ */

/* Interval at which a wait checks for a stop, which no condition signals. */
#define LOOK_US (50 * G_TIME_SPAN_MILLISECOND)

/* Answers a request in the worker's thread. */
typedef gboolean (*AskFunc) (gpointer loop, const GobanProgress *progress, gpointer data,
                             GError **error);

/* On the stack of the thread that waits for the answer. */
typedef struct
{
  AskFunc func;
  gpointer data;
  const GobanProgress *progress; /* (nullable) */
  GError *error;
  gboolean is_fine;
  gboolean is_taken;
  gboolean is_answered;
} Request;

struct _GobanTrainer
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GCond cond;
  Request *request; /* (nullable) */
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

static void
answer (GobanTrainer *self, gpointer worker)
{
  Request *request = self->request;

  request->is_taken = TRUE;
  g_mutex_unlock (&self->mutex);
  request->is_fine = request->func (worker, request->progress, request->data, &request->error);
  g_mutex_lock (&self->mutex);
  request->is_answered = TRUE;
  self->request = NULL;
  g_cond_broadcast (&self->cond);
}

/* Answers requests until the owner closes the queue: %TRUE then, %FALSE if @progress, which may
 * pause, says to stop. */
static gboolean
trainer_serve (GobanTrainer *self, gpointer worker, const GobanProgress *progress)
{
  gboolean is_closed = FALSE;

  while (!is_closed && goban_progress_check (progress, NULL)) /* which only says to stop */
    {
      g_mutex_lock (&self->mutex);
      if (self->request != NULL)
        answer (self, worker);
      else if (!self->is_closed)
        wait_a_moment (self);
      is_closed = self->is_closed && self->request == NULL;
      g_mutex_unlock (&self->mutex);
    }
  return is_closed;
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

/* The trainer must be locked. Hands in the request as soon as the worker is free. */
static gboolean
hand_in (GobanTrainer *self, Request *request)
{
  if (self->is_closed)
    return goban_refuse (&request->error, GOBAN_ERROR_CANCELLED, "the training has ended");
  while (self->request != NULL && !self->is_over)
    {
      if (!goban_progress_check (request->progress, &request->error))
        return FALSE;
      wait_a_moment (self);
    }
  self->request = request;
  g_cond_broadcast (&self->cond);
  return TRUE;
}

/* The trainer must be locked. A request that the worker has not taken can be withdrawn; one that it
 * has taken stops itself. */
static void
wait_for_answer (GobanTrainer *self, Request *request)
{
  while (!request->is_answered)
    {
      if (self->is_over && !request->is_taken)
        {
          goban_set_error (&request->error, GOBAN_ERROR_CANCELLED, "%s",
                           self->why != NULL ? self->why : "the training has ended");
          break;
        }
      if (!request->is_taken && !goban_progress_check (request->progress, &request->error))
        break;
      wait_a_moment (self);
    }
  if (self->request == request)
    self->request = NULL;
}

/* Waits for the answer. %FALSE with its error set, or with %GOBAN_ERROR_CANCELLED if @progress asks
 * to stop or the training has ended. */
static gboolean
trainer_ask (GobanTrainer *self, AskFunc func, gpointer data, const GobanProgress *progress,
             GError **error)
{
  Request request = { .func = func, .data = data, .progress = progress };

  g_mutex_lock (&self->mutex);
  if (hand_in (self, &request))
    wait_for_answer (self, &request);
  g_mutex_unlock (&self->mutex);
  if (request.error != NULL)
    g_propagate_error (error, request.error);
  return request.is_fine;
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

/* Writes the present network, or the kept one, to @path, NULL: to its own file, and the run beside
 * it. */
static gboolean
training_loop_save_as (GobanTrainingLoop *self, const char *path, gboolean is_present,
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

static double
training_loop_get_fraction (const GobanTrainingKind *kind, gpointer run)
{
  return (double) kind->get_step (run) / kind->get_n_steps (run);
}

/* Appends "step 120 of 4000, validation 0.93". */
static void
training_loop_describe (const GobanTrainingKind *kind, gpointer run, GobanTrainingLog *log,
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

  training_loop_describe (self->kind, self->run, self->log, text);
  if (warning != NULL)
    g_string_append_printf (text, "; %s", _ (warning));
  if (self->unsaved != NULL)
    g_string_append_printf (text, _ ("; not saved: %s"), self->unsaved);
  goban_progress_step (self->progress, training_loop_get_fraction (self->kind, self->run),
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

/* One step of the run, an update or a trial, with log and files kept up to date. Files that cannot
 * be written are tried again later; the words of the progress say so. */
static gboolean
training_loop_advance (GobanTrainingLoop *self, const GobanProgress *progress, GError **error)
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
  trainer_serve (self->options->trainer, self, self->progress);
  self->is_stopped = !self->kind->is_done (self->run);
}

static const GobanTrainingKind *
training_loop_get_kind (const GobanTrainingLoop *self)
{
  return self->kind;
}

static gpointer
training_loop_get_run (GobanTrainingLoop *self)
{
  return self->run;
}

/* A report without its end and the kind's own part. Takes ownership of @output. (transfer full) */
static GobanTrainingReport *
training_loop_new_report (const GobanTrainingKind *kind, gpointer run, char *output,
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

/* What the report would be if it ended now. (transfer full) */
static GobanTrainingReport *
training_loop_report (const GobanTrainingLoop *self)
{
  GobanTrainingReport *report
      = training_loop_new_report (self->kind, self->run, g_strdup (self->output), self->run_path);

  report->is_finished = self->kind->is_done (self->run);
  report->seconds = get_seconds (self);
  self->kind->finish (self->run, self->log, report);
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

/* --- trainings of other processes ------------------------------------------------------------- */

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
tell_followed (const Following *self, const GobanProgress *progress)
{
  g_autoptr (GString) text = g_string_new (NULL);

  training_loop_describe (self->kind, self->run, self->log, text);
  goban_progress_step (progress, training_loop_get_fraction (self->kind, self->run), text->str);
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
      tell_followed (&self, progress);
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
  report = training_loop_new_report (kind, self.run, goban_training_loop_dup_followed_output (path),
                                     path);
  report->is_finished = kind->is_done (self.run);
  kind->finish (self.run, log, report);
  kind->free (self.run);
  return report;
}

/* --- requests --------------------------------------------------------------------------------- */

static gboolean
make_update (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  gboolean *is_made = data;
  const GobanTrainingKind *kind = training_loop_get_kind (loop);
  gpointer run = training_loop_get_run (loop);
  guint before = kind->get_step (run);

  *is_made = FALSE;
  while (!kind->is_done (run) && !*is_made)
    {
      if (!training_loop_advance (loop, progress, error))
        return FALSE;
      *is_made = kind->get_step (run) > before;
    }
  return TRUE;
}

gboolean
goban_trainer_update (GobanTrainer *self, gboolean *is_made, const GobanProgress *progress,
                      GError **error)
{
  return trainer_ask (self, make_update, is_made, progress, error);
}

typedef struct
{
  const char *path; /* (nullable) */
  gboolean is_present;
} Saving;

static gboolean
save_on_request (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const Saving *saving = data;

  return training_loop_save_as (loop, saving->path, saving->is_present, error);
}

gboolean
goban_trainer_save (GobanTrainer *self, const char *path, gboolean is_present,
                    const GobanProgress *progress, GError **error)
{
  return trainer_ask (self, save_on_request, &(Saving){ path, is_present }, progress, error);
}

static gboolean
report_now (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  *(GobanTrainingReport **) data = training_loop_report (loop);
  return TRUE;
}

GobanTrainingReport *
goban_trainer_report (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  GobanTrainingReport *made = NULL;

  return trainer_ask (self, report_now, &made, progress, error) ? made : NULL;
}

/* --- rollouts --------------------------------------------------------------------------------- */

/* (nullable): %NULL with an error set for trainings that do not show theirs. */
static const GobanTrainingRollouts *
find_rollouts (gpointer loop, GError **error)
{
  const GobanTrainingKind *kind = training_loop_get_kind (loop);

  if (kind->rollouts == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "the training of %s keeps its lessons and rollouts to itself; that of "
                     "builder shows them",
                     kind->network);
  return kind->rollouts;
}

static gboolean
measure_now (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);

  return rollouts != NULL
         && rollouts->measure (training_loop_get_run (loop), data, progress, error);
}

gboolean
goban_trainer_measure (GobanTrainer *self, GobanTrainingPoint *point, const GobanProgress *progress,
                       GError **error)
{
  return trainer_ask (self, measure_now, point, progress, error);
}

static gboolean
roll_out (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  gpointer run = training_loop_get_run (loop);

  if (rollouts == NULL)
    return FALSE;
  return training_loop_get_kind (loop)->is_done (run)
         || rollouts->roll_out (run, data, progress, error);
}

static void
clear_rollout (gpointer data)
{
  g_free (((GobanTrainerRollout *) data)->lesson);
}

GArray *
goban_trainer_roll_out (GobanTrainer *self, const GobanProgress *progress, GError **error)
{
  g_autoptr (GArray) rollouts = g_array_new (FALSE, FALSE, sizeof (GobanTrainerRollout));

  g_array_set_clear_func (rollouts, clear_rollout);
  return trainer_ask (self, roll_out, rollouts, progress, error) ? g_steal_pointer (&rollouts)
                                                                 : NULL;
}

typedef struct
{
  guint index;
  GobanPlan *plan;
  GobanCostModel *costs;
} PlanRequest;

static gboolean
dup_plan (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  PlanRequest *wanted = data;

  if (rollouts == NULL)
    return FALSE;
  wanted->plan
      = rollouts->dup_plan (training_loop_get_run (loop), wanted->index, &wanted->costs, error);
  return wanted->plan != NULL;
}

GobanPlan *
goban_trainer_dup_plan (GobanTrainer *self, guint index, GobanCostModel **costs, GError **error)
{
  PlanRequest wanted = { .index = index };

  if (!trainer_ask (self, dup_plan, &wanted, NULL, error))
    return NULL;
  *costs = wanted.costs;
  return wanted.plan;
}

typedef struct
{
  const double *values;
  guint n;
} Rewards;

static gboolean
set_rewards (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  const Rewards *rewards = data;

  return rollouts != NULL
         && rollouts->set_rewards (training_loop_get_run (loop), rewards->values, rewards->n,
                                   error);
}

gboolean
goban_trainer_set_rewards (GobanTrainer *self, const double *rewards, guint n, GError **error)
{
  Rewards all = { rewards, n };

  return trainer_ask (self, set_rewards, &all, NULL, error);
}

static gboolean
get_n_lessons (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  guint *n = data;

  if (rollouts == NULL)
    return FALSE;
  *n = rollouts->get_n_lessons (training_loop_get_run (loop));
  return TRUE;
}

gboolean
goban_trainer_get_n_lessons (GobanTrainer *self, guint *n, GError **error)
{
  return trainer_ask (self, get_n_lessons, n, NULL, error);
}

typedef struct
{
  GobanCostModel *const *costs;
  guint n;
} Lessons;

static gboolean
teach (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  const Lessons *lessons = data;

  return rollouts != NULL
         && rollouts->teach (training_loop_get_run (loop), lessons->costs, lessons->n, error);
}

gboolean
goban_trainer_teach (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                     const GobanProgress *progress, GError **error)
{
  Lessons lessons = { costs, n };

  return trainer_ask (self, teach, &lessons, progress, error);
}

static gboolean
set_validation (gpointer loop, const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingRollouts *rollouts = find_rollouts (loop, error);
  const Lessons *lessons = data;

  return rollouts != NULL
         && rollouts->set_validation (training_loop_get_run (loop), lessons->costs, lessons->n,
                                      error);
}

gboolean
goban_trainer_set_validation (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                              const GobanProgress *progress, GError **error)
{
  Lessons lessons = { costs, n };

  return trainer_ask (self, set_validation, &lessons, progress, error);
}
