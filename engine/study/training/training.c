#include "engine/study/training/training.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/core/real-path.h"
#include "engine/learn/roster.h"
#include "engine/study/training/training-kind.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the lock of an output -------------------------------------------------------------------- */

/* Two trainings never write the same files. A run that is not done is refused by its file, but a
 * training has none in its first minute. A file OUTPUT.lock keeps other processes away. Any thread.
 */
#define LOCK_SUFFIX ".lock"
#define PERMISSIONS 0666

typedef struct OutputLock OutputLock;

struct OutputLock
{
  char *path;
  char *file; /* (nullable): locked against other processes */
  int fd;
  GobanTrainer *trainer; /* (nullable) */
  OutputLock *next;
};

static GMutex mutex;
static GCond released;
static OutputLock *locks = NULL; /* a training or two */

/* The list must be locked. (nullable) */
static OutputLock *
find_lock (const char *path)
{
  OutputLock *lock = locks;

  while (lock != NULL && !g_str_equal (lock->path, path))
    lock = lock->next;
  return lock;
}

/* --- other processes -------------------------------------------------------------------------- */

/* Whether the file still has its name: its holder removes it. */
static gboolean
is_named (int fd, const char *path)
{
  struct stat own, named;

  return fstat (fd, &own) == 0 && stat (path, &named) == 0 && own.st_dev == named.st_dev
         && own.st_ino == named.st_ino;
}

/* The network's own file is replaced by renaming, so a file beside it is locked. %FALSE if another
 * process has it. If it cannot be made, neither can the network, which is an error of its own. */
static gboolean
lock_file (OutputLock *self)
{
  g_autofree char *file = g_strconcat (self->path, LOCK_SUFFIX, NULL);
  struct stat output;

  if (stat (self->path, &output) == 0 && !S_ISREG (output.st_mode))
    return TRUE;
  for (;;)
    {
      int fd = open (file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, PERMISSIONS);

      if (fd < 0)
        return TRUE;
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        {
          gboolean is_taken = errno == EWOULDBLOCK;

          close (fd);
          return !is_taken;
        }
      if (is_named (fd, file))
        {
          /* For people who find_lock it. */
          if (ftruncate (fd, 0) == 0)
            dprintf (fd, "%ld\n", (long) getpid ());
          self->fd = fd;
          self->file = g_steal_pointer (&file);
          return TRUE;
        }
      close (fd);
    }
}

static void
unlock_file (OutputLock *self)
{
  if (self->file == NULL)
    return;
  unlink (self->file); /* while it is locked: nobody else can have locks it */
  close (self->fd);
  g_clear_pointer (&self->file, g_free);
}

/* --- all -------------------------------------------------------------------------------------- */

/* @self: (transfer full) */
static void
output_lock_release (OutputLock *self)
{
  OutputLock **link = &locks;

  unlock_file (self);
  g_mutex_lock (&mutex);
  while (*link != self)
    link = &(*link)->next;
  *link = self->next;
  g_cond_broadcast (&released);
  g_mutex_unlock (&mutex);
  g_free (self->path);
  g_free (self);
}

/**
 * output_lock_take:
 * @output: the file of a network
 * @trainer: (nullable): borrowed until the release: whose training it is
 *
 * Takes the file for one training. Waits for the end of another one if its trainer is closed, for
 * that ends soon, and scripts close one and begin the next.
 *
 * Returns: (transfer full) (nullable): to be released; %NULL with %GOBAN_ERROR_INVALID set if
 *   another training has it
 */
static OutputLock *
output_lock_take (const char *output, GobanTrainer *trainer, GError **error)
{
  char *real = goban_real_path (output);
  g_autofree char *path = real != NULL ? real : g_canonicalize_filename (output, NULL);
  OutputLock *other, *self = NULL;

  g_mutex_lock (&mutex);
  while ((other = find_lock (path)) != NULL && other->trainer != NULL
         && goban_trainer_is_closed (other->trainer))
    g_cond_wait (&released, &mutex);
  if (other == NULL)
    {
      self = g_new0 (OutputLock, 1);
      *self = (OutputLock){
        .path = g_steal_pointer (&path), .fd = -1, .trainer = trainer, .next = locks
      };
      locks = self;
    }
  g_mutex_unlock (&mutex);
  if (self != NULL && !lock_file (self))
    {
      output_lock_release (self);
      self = NULL;
    }
  if (self == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "another training writes %s: wait for its end, or name another file", output);
  return self;
}

static const GobanTrainingKind *const kinds[]
    = { &goban_training_builder, &goban_training_moves, &goban_training_regal };

GobanTrainingOptions
goban_training_options_new (const char *network)
{
  return (GobanTrainingOptions){ .network = network, .seed = -1, .every = -1 };
}

const char *const *
goban_training_get_networks (void)
{
  static const char *names[G_N_ELEMENTS (kinds) + 1];

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    names[i] = kinds[i]->network; /* always the same: no matter who is first */
  return names;
}

static const GobanTrainingKind *
lookup (const char *network)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i]->network, network) == 0)
      return kinds[i];
  return NULL;
}

const char *
goban_training_get_purpose (const char *network)
{
  const GobanTrainingKind *kind = lookup (network);

  return kind != NULL ? _ (kind->purpose) : NULL;
}

guint
goban_training_get_n_steps (const char *network)
{
  const GobanTrainingKind *kind = lookup (network);

  return kind != NULL ? kind->shipped.n_updates : 0;
}

const char *
goban_training_get_policy (const char *network)
{
  const GobanTrainingKind *kind = lookup (network);

  return kind != NULL ? kind->policy : NULL;
}

static const GobanTrainingKind *
find (const char *network, GError **error)
{
  const GobanTrainingKind *kind = lookup (network);

  if (kind != NULL)
    return kind;
  if (network == NULL || goban_roster_find (network, error) != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s learns nothing beforehand; builder (of go-zeroshot), moves (of "
                     "go-finetune) and regal do",
                     network != NULL ? network : "it");
  return NULL;
}

/* --- options ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanTrainingTakes option;
  gboolean is_given;
  const char *name;
} Given;

#define N_GIVEN 10

static void
list_given (const GobanTrainingOptions *options, Given given[N_GIVEN])
{
  const Given all[N_GIVEN] = {
    { GOBAN_TRAINING_RESUME, options->resume != NULL, "resume" },
    { GOBAN_TRAINING_FROM, options->from != NULL, "from" },
    { GOBAN_TRAINING_CURVE, options->curve != NULL, "curve" },
    { GOBAN_TRAINING_SUITE, options->suite != NULL, "suite" },
    { GOBAN_TRAINING_LEAVE_OUT, options->left_out != NULL && options->left_out[0] != NULL,
      "leave-out" },
    { GOBAN_TRAINING_SETTINGS, options->settings != NULL, "settings" },
    { GOBAN_TRAINING_TASKS, options->tasks != NULL, "tasks" },
    { GOBAN_TRAINING_SECONDS, options->seconds > 0, "seconds" },
    { GOBAN_TRAINING_ROLLOUTS, options->n_rollouts > 0, "rollouts" },
    { GOBAN_TRAINING_EVERY, options->every >= 0, "every" },
  };

  memcpy (given, all, sizeof all);
}

gboolean
goban_training_takes (const char *network, const char *option)
{
  const GobanTrainingKind *kind = lookup (network);
  GobanTrainingOptions none = goban_training_options_new (network);
  Given given[N_GIVEN];

  list_given (&none, given);
  for (guint i = 0; i < N_GIVEN; i++)
    if (g_str_equal (given[i].name, option))
      return kind != NULL && (kind->takes & given[i].option) != 0;
  return FALSE;
}

/* "builder, moves" */
static char *
dup_takers (GobanTrainingTakes option)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if ((kinds[i]->takes & option) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", kinds[i]->network);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
check_taken (const GobanTrainingKind *kind, const GobanTrainingOptions *options, GError **error)
{
  Given given[N_GIVEN];

  list_given (options, given);
  for (guint i = 0; i < N_GIVEN; i++)
    {
      g_autofree char *takers = NULL;

      if (!given[i].is_given || (kind->takes & given[i].option) != 0)
        continue;
      takers = dup_takers (given[i].option);
      if (*takers == '\0')
        goban_set_error (error, GOBAN_ERROR_INVALID, "no training takes the option “%s”",
                         given[i].name);
      else
        goban_set_error (error, GOBAN_ERROR_INVALID,
                         "the training of %s takes no option “%s”; it is one of: %s", kind->network,
                         given[i].name, takers);
      return FALSE;
    }
  if (options->settings != NULL && kind->run != NULL)
    {
      const GobanSettingTable *table = &kind->run->settings;
      g_autofree gpointer settings = g_memdup2 (table->usual, table->size);

      return goban_setting_table_parse (table, options->settings, settings, error);
    }
  return TRUE;
}

char *
goban_training_describe_settings (const char *network)
{
  const GobanTrainingKind *kind = lookup (network);

  return kind != NULL && kind->run != NULL ? goban_setting_table_describe (&kind->run->settings)
                                           : NULL;
}

gboolean
goban_training_check_count (const char *what, gint64 value, gint64 most, GError **error)
{
  if (value <= most)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%" PRId64 " %s are too many: %" PRId64 " is the most", value, what, most);
}

gboolean
goban_training_change_settings (const GobanTrainingOptions *options, const GobanLearningKind *run,
                                GobanLearningSettings *settings, GError **error)
{
  if (options->settings != NULL
      && !goban_setting_table_parse (&run->settings, options->settings, settings, error))
    return FALSE;
  if (!goban_training_check_count ("steps", options->n_steps, GOBAN_TRAINING_MOST_STEPS, error)
      || !goban_training_check_count ("steps between trials", options->every,
                                      GOBAN_TRAINING_MOST_STEPS, error))
    return FALSE;
  if (options->n_steps > 0)
    settings->n_updates = (guint) options->n_steps;
  if (options->seed >= 0)
    settings->seed = (guint64) options->seed;
  if (options->every > 0)
    settings->every = (guint) options->every;
  return TRUE;
}

/* Checks the options of a job of several processes. */
static gboolean
check_ranks (const GobanTrainingKind *kind, const GobanTrainingOptions *options, GError **error)
{
  if (goban_ranks_get_size (options->ranks) == 1)
    return TRUE;
  if (kind != &goban_training_builder)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the training of %s is the work of one process: start it without mpirun",
                         kind->network);
  if (options->seconds > 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "several processes cannot end by the clock, which differs between them: "
                         "give the number of steps");
  return TRUE;
}

static gboolean
check_writable (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR); /* before access() sets errno */

  if (strcmp (path, "-") == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a network cannot go to standard output; name a file");
  if (!is_folder && access (g_file_test (path, G_FILE_TEST_EXISTS) ? path : folder, W_OK) == 0)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: it cannot be written: %s", path,
                       is_folder ? "it is a folder" : g_strerror (errno));
}

/* The kind of a run that another process makes; what belongs to a training of one's own is refused.
 * (nullable): %NULL with an error set */
static const GobanTrainingKind *
check_follow (const GobanTrainingOptions *options, GError **error)
{
  Given given[N_GIVEN];

  list_given (options, given);
  for (guint i = 0; i < N_GIVEN; i++)
    if (given[i].is_given)
      {
        goban_set_error (error, GOBAN_ERROR_INVALID,
                         "%s is only followed: “%s” is for the process that trains",
                         options->follow, given[i].name);
        return NULL;
      }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      GobanLearningRun *run = kinds[i]->run != NULL
                                  ? goban_learning_run_load (kinds[i]->run, options->follow, NULL)
                                  : NULL;

      if (run == NULL)
        continue;
      goban_learning_run_free (run);
      return kinds[i];
    }
  goban_set_error (error, GOBAN_ERROR_INVALID, "%s is not the run of a training, as FILE.run",
                   options->follow);
  return NULL;
}

/* FALSE with an error set if a run is resumed with more than another end. */
static gboolean
check_resume (const GobanTrainingOptions *options, GError **error)
{
  const GobanTrainingTakes allowed
      = GOBAN_TRAINING_RESUME | GOBAN_TRAINING_CURVE | GOBAN_TRAINING_SECONDS;
  gboolean is_fine = options->seed < 0;
  Given given[N_GIVEN];

  list_given (options, given);
  for (guint i = 0; i < N_GIVEN; i++)
    is_fine &= !given[i].is_given || (given[i].option & allowed) != 0;
  if (!is_fine)
    g_set_error (
        error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
        "%s has all settings of the run: only its end can be changed (steps%s)", options->resume,
        (lookup (options->network)->takes & GOBAN_TRAINING_SECONDS) != 0 ? ", seconds" : "");
  return is_fine;
}

/* (nullable): %NULL with an error set */
static const GobanTrainingKind *
check_names (const GobanTrainingOptions *options, GError **error)
{
  const GobanTrainingKind *kind = find (options->network, error);
  g_autofree char *output = NULL;

  if (kind == NULL || !check_taken (kind, options, error) || !check_ranks (kind, options, error))
    return NULL;
  if (options->trainer != NULL && kind->run == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s learns in one go, without steps to ask for",
                       kind->network);
      return NULL;
    }
  output = goban_training_loop_choose_output (options, error);
  if (output == NULL || !check_writable (output, error)
      || (options->curve != NULL && !check_writable (options->curve, error)))
    return NULL;
  return kind;
}

gboolean
goban_training_check (const GobanTrainingOptions *options, GError **error)
{
  return options->follow != NULL ? check_follow (options, error) != NULL
                                 : check_names (options, error) != NULL;
}

const char *
goban_training_check_followed (const GobanTrainingOptions *options, GError **error)
{
  const GobanTrainingKind *kind = check_follow (options, error);

  return kind != NULL ? kind->network : NULL;
}

/* --- running ---------------------------------------------------------------------------------- */

/* No other training may write the files meanwhile. The first rank alone writes. */
static GobanTrainingReport *
run_locked (const GobanTrainingKind *kind, const GobanTrainingOptions *options,
            GobanTrainingLog *log, const GobanProgress *progress, GError **error)
{
  g_autofree char *output = goban_training_loop_choose_output (options, error);
  gboolean is_writer = goban_ranks_get_rank (options->ranks) == 0;
  OutputLock *lock
      = is_writer && output != NULL ? output_lock_take (output, options->trainer, error) : NULL;
  GobanTrainingReport *report = NULL;

  if ((lock != NULL || (!is_writer && output != NULL))
      && (options->resume == NULL || check_resume (options, error)))
    report = kind->run_at_once != NULL
                 ? kind->run_at_once (options, log, progress, error)
                 : goban_training_loop_run (kind, options, log, progress, error);
  if (lock != NULL)
    output_lock_release (lock);
  return report;
}

GobanTrainingReport *
goban_training_run (const GobanTrainingOptions *options, GobanTrainingLog *log,
                    const GobanProgress *progress, GError **error)
{
  g_autoptr (GobanTrainingLog) own
      = log != NULL ? goban_training_log_ref (log) : goban_training_log_new ();
  const GobanTrainingKind *kind
      = options->follow != NULL ? check_follow (options, error) : check_names (options, error);

  if (kind == NULL)
    return NULL;
  if (options->follow != NULL)
    return goban_training_loop_follow (kind, options->follow, own, progress, error);
  return run_locked (kind, options, own, progress, error);
}

void
goban_training_report_free (GobanTrainingReport *self)
{
  g_free (self->network);
  g_free (self->output);
  g_free (self->run);
  g_free (self->warning);
  g_free (self->text);
  g_free (self->scaling);
  g_free (self->json);
  g_free (self);
}

/* --- as a job --------------------------------------------------------------------------------- */

/* Owns the strings that its options borrow. */
typedef struct
{
  GobanTrainingOptions options;
  GPtrArray *texts; /* char */
  char **left_out;  /* (nullable) */
  GobanTrainingLog *log;
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  g_ptr_array_unref (self->texts);
  g_strfreev (self->left_out);
  g_clear_pointer (&self->options.trainer, goban_trainer_unref);
  goban_training_log_unref (self->log);
  g_free (self);
}

/* (nullable): a copy that lives as long as the job. */
static const char *
own_text (Job *self, const char *text)
{
  char *copy = g_strdup (text);

  if (copy != NULL)
    g_ptr_array_add (self->texts, copy);
  return copy;
}

static Job *
job_new (const GobanTrainingOptions *options, GobanTrainingLog *log)
{
  Job *self = g_new0 (Job, 1);
  GobanTrainingOptions *own = &self->options;

  self->texts = g_ptr_array_new_with_free_func (g_free);
  *own = *options;
  own->network = own_text (self, options->network);
  own->output = own_text (self, options->output);
  own->resume = own_text (self, options->resume);
  own->from = own_text (self, options->from);
  own->follow = own_text (self, options->follow);
  own->curve = own_text (self, options->curve);
  own->suite = own_text (self, options->suite);
  own->settings = own_text (self, options->settings);
  own->tasks = own_text (self, options->tasks);
  self->left_out = g_strdupv ((char **) options->left_out);
  own->left_out = (const char *const *) self->left_out;
  if (options->trainer != NULL)
    goban_trainer_ref (options->trainer);
  self->log = log != NULL ? goban_training_log_ref (log) : goban_training_log_new ();
  return self;
}

static gpointer
work (const GobanProgress *progress, gpointer data, GError **error)
{
  const Job *self = data;
  GError *trouble = NULL;
  GobanTrainingReport *report = goban_training_run (&self->options, self->log, progress, &trouble);

  if (self->options.trainer != NULL)
    goban_trainer_end (self->options.trainer, trouble);
  if (trouble != NULL)
    g_propagate_error (error, trouble);
  return report;
}

GobanJob *
goban_training_start (const GobanTrainingOptions *options, GobanTrainingLog *log)
{
  g_autofree char *title
      = g_strdup_printf (options->follow != NULL ? _ ("following %s") : _ ("training %s"),
                         options->follow != NULL ? options->follow : options->network);

  return goban_job_start (title, work, job_new (options, log), job_free,
                          (GDestroyNotify) goban_training_report_free);
}

/* --- how long a step takes -------------------------------------------------------------------- */

#define TRIAL_US (3 * G_USEC_PER_SEC)
#define MOST_TRIAL_US (4 * G_USEC_PER_SEC) /* until there is a second step */

/* Several threads ask whether to stop, and so look at the steps. */
typedef struct
{
  GMutex mutex;
  const GobanProgress *outer;
  GobanTrainingLog *log;
  gint64 begun_us;
  gint64 first_us; /* of the first step, as the next two: 0 before */
  gint64 last_us;
  guint first_step;
  guint last_step;
} Trial;

static gboolean
should_stop_worker (gpointer user_data)
{
  Trial *self = user_data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  guint step = goban_training_log_get_last_step (self->log);
  gint64 now_us = g_get_monotonic_time ();

  if (step > self->last_step)
    {
      self->last_us = now_us;
      self->last_step = step;
      if (self->first_us == 0)
        {
          self->first_us = now_us;
          self->first_step = step;
        }
    }
  return !goban_progress_check (self->outer, NULL)
         || now_us - self->begun_us
                > (self->last_step > self->first_step ? TRIAL_US : MOST_TRIAL_US);
}

/* What precedes the first step counts only if there is no other. */
static double
get_step_seconds (const Trial *self)
{
  gint64 now_us = g_get_monotonic_time ();

  if (self->last_step > self->first_step)
    return (double) (self->last_us - self->first_us) / G_USEC_PER_SEC
           / (self->last_step - self->first_step);
  return (double) ((self->last_step > 0 ? self->last_us : now_us) - self->begun_us) / G_USEC_PER_SEC
         / MAX (self->last_step, 1);
}

static gpointer
try_steps (const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanTrainingKind *kind = data;
  g_autofree char *folder = g_dir_make_tmp ("goban-trial-XXXXXX", error);
  g_autofree char *output = folder != NULL ? g_build_filename (folder, "a.net", NULL) : NULL;
  GobanTrainingOptions options = goban_training_options_new (kind->network);
  g_autoptr (GobanTrainingLog) log = goban_training_log_new ();
  Trial trial = { .outer = progress, .log = log, .begun_us = g_get_monotonic_time () };
  GobanProgress inner = { .should_stop = should_stop_worker, .user_data = &trial };
  GobanTrainingReport *report;

  if (folder == NULL)
    return NULL;
  g_mutex_init (&trial.mutex);
  options.output = output;
  options.settings = kind->trial;
  report = goban_training_run (&options, log, &inner, NULL);
  g_clear_pointer (&report, goban_training_report_free);
  g_mutex_clear (&trial.mutex);
  goban_file_remove_folder (folder);
  return goban_progress_check (progress, error)
             ? g_memdup2 (&(double){ get_step_seconds (&trial) }, sizeof (double))
             : NULL;
}

GobanJob *
goban_training_start_trial (const char *network)
{
  return goban_job_start ("measuring", try_steps, (gpointer) lookup (network), NULL, g_free);
}

char **
goban_training_dup_names (void)
{
  const char *const names[]
      = { _ ("random networks"), _ ("random networks that nothing is learned from"), NULL };

  return g_strdupv ((char **) names);
}

/* --- reports ---------------------------------------------------------------------------------- */

void
goban_training_report_begin_text (const GobanTrainingReport *self, GString *text)
{
  g_string_append_printf (text, "%-10s %s, %" G_GSIZE_FORMAT " parameters\n", "network",
                          self->output, self->n_parameters);
  g_string_append_printf (text, "%-10s %s, %u of %u steps in %.0f s\n", "run", self->run,
                          self->step, self->n_steps, self->seconds);
}

void
goban_training_report_begin_json (const GobanTrainingReport *self, GString *json)
{
  goban_json_add_string (json, "policy", self->network);
  goban_json_add_string (json, "output", self->output);
  goban_json_add_string (json, "run", self->run);
  goban_json_add_boolean (json, "finished", self->is_finished);
  goban_json_add_boolean (json, "kept_start", self->kept_start);
  goban_json_add_number (json, "step", self->step);
  goban_json_add_number (json, "steps", self->n_steps);
  goban_json_add_number (json, "seconds", self->seconds);
  goban_json_add_number (json, "parameters", self->n_parameters);
}
