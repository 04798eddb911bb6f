#include "engine/session/option-times.h"

#include "engine/core/attached-object.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

/* A decision is measured if no other is asked for within so long. */
#define IDLE_MS 150
#define MOST_RUNS 4

/* Results of a decision. */
typedef struct
{
  guint n, n_known;
  guint32 chosen;
  double makespans_us[]; /* (n) */
} Times;

/* Results of a run. */
typedef struct
{
  GobanRun *run;
  GHashTable *times; /* moment: Times */
  char *trouble;     /* (nullable) */
} Known;

typedef struct
{
  GobanMoment moment;
  guint32 option;
  double makespan_us;
} Answer;

typedef struct
{
  GobanRun *run;
  GArray *moments;      /* of GobanMoment */
  GAsyncQueue *answers; /* of Answer */
} Work;

struct _GobanOptionTimes
{
  GObject parent_instance;

  GobanSession *session; /* borrowed: it owns this */
  GPtrArray *known;      /* of Known, the current run's last; empty without a run */
  GobanMoment asked;     /* 0: none */
  GArray *review;        /* of GobanMoment: all that are reviewed; empty: none */
  guint idle_id;
  GobanJob *job;        /* (nullable) */
  GAsyncQueue *answers; /* (nullable): of the job */
};

enum
{
  CHANGED,
  PROGRESS,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanOptionTimes, goban_option_times, G_TYPE_OBJECT)

static void
known_free (gpointer data)
{
  Known *known = data;

  goban_run_unref (known->run);
  g_hash_table_unref (known->times);
  g_free (known->trouble);
  g_free (known);
}

/* (nullable) */
static Known *
get_known (GobanOptionTimes *self)
{
  return self->known->len > 0 ? g_ptr_array_index (self->known, self->known->len - 1) : NULL;
}

static Times *
find_times (GobanOptionTimes *self, GobanMoment moment)
{
  Known *known = get_known (self);

  return known != NULL ? g_hash_table_lookup (known->times, GUINT_TO_POINTER (moment)) : NULL;
}

static gboolean
is_known (GobanOptionTimes *self, GobanMoment moment)
{
  const Times *times = find_times (self, moment);

  return times != NULL && times->n_known == times->n;
}

/* --- the worker ------------------------------------------------------------------------------ */

static void
work_free (gpointer data)
{
  Work *work = data;

  goban_run_unref (work->run);
  g_array_unref (work->moments);
  g_async_queue_unref (work->answers);
  g_free (work);
}

/* FALSE with @error set if it was cancelled, or no decision of the run can be forced. */
static gboolean
measure (const Work *work, guint i, const GobanProgress *progress, GError **error)
{
  GobanMoment moment = g_array_index (work->moments, GobanMoment, i);
  GobanDecision decision;

  if (!goban_decisions_get (goban_run_get_decisions (work->run), moment, NULL, &decision)
      || !goban_regret_can_measure (&decision))
    return TRUE;
  for (guint32 k = 0; k < decision.n_options; k++)
    {
      Answer answer = { moment, k, (double) NAN };

      if (!goban_progress_check (progress, error)
          || !goban_regret_measure (work->run, moment, k, progress, &answer.makespan_us, error))
        return FALSE;
      g_async_queue_push (work->answers, g_memdup2 (&answer, sizeof answer));
      goban_progress_step (progress,
                           (i + (k + 1.0) / decision.n_options) / (double) work->moments->len,
                           "measuring options");
    }
  return TRUE;
}

static gpointer
measure_all (const GobanProgress *progress, gpointer data, GError **error)
{
  const Work *work = data;

  for (guint i = 0; i < work->moments->len; i++)
    if (!measure (work, i, progress, error))
      return NULL;
  return GINT_TO_POINTER (TRUE);
}

/* --- results --------------------------------------------------------------------------------- */

/* The results of a decision, made with the first one. */
static Times *
ensure_times (GobanOptionTimes *self, GobanMoment moment)
{
  Known *known = get_known (self);
  Times *times = find_times (self, moment);
  GobanDecision decision = { 0 };

  if (times != NULL)
    return times;
  goban_decisions_get (goban_run_get_decisions (known->run), moment, NULL, &decision);
  times = g_malloc (sizeof *times + decision.n_options * sizeof (double));
  times->n = decision.n_options;
  times->n_known = 0;
  times->chosen = decision.chosen;
  for (guint k = 0; k < times->n; k++)
    times->makespans_us[k] = (double) NAN;
  g_hash_table_insert (known->times, GUINT_TO_POINTER (moment), times);
  return times;
}

static void
take_answers (GobanOptionTimes *self)
{
  Answer *answer;

  while (self->answers != NULL && (answer = g_async_queue_try_pop (self->answers)) != NULL)
    {
      Times *times = ensure_times (self, answer->moment);
      GobanMoment moment = answer->moment;

      times->makespans_us[answer->option] = answer->makespan_us;
      times->n_known = MAX (times->n_known, answer->option + 1);
      g_free (answer);
      g_signal_emit (self, signals[CHANGED], 0, moment);
    }
  if (self->review->len > 0)
    g_signal_emit (self, signals[PROGRESS], 0);
}

static void
drop_job (GobanOptionTimes *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  goban_job_cancel (self->job);
  g_clear_object (&self->job);
  g_clear_pointer (&self->answers, g_async_queue_unref);
}

static void
done_cb (GobanJob *job, GobanOptionTimes *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanOptionTimes) held = g_object_ref (self);
  gpointer result = goban_job_steal_result (job, &error);
  Known *known = get_known (self);

  take_answers (self);
  if (self->job != job) /* a handler has asked for something else */
    return;
  drop_job (self);
  if (self->idle_id == 0)
    self->asked = 0;
  if (result == NULL && known != NULL)
    {
      g_free (known->trouble);
      known->trouble = g_strdup (error->message);
      g_signal_emit (self, signals[CHANGED], 0, 0);
    }
  if (self->review->len == 0)
    return;
  g_array_set_size (self->review, 0);
  g_signal_emit (self, signals[PROGRESS], 0);
}

/* Decisions still to measure: the one that is asked for, then the rest of the review. */
static GArray *
list_rest (GobanOptionTimes *self)
{
  GArray *rest = g_array_new (FALSE, FALSE, sizeof (GobanMoment));

  if (self->asked != 0 && !is_known (self, self->asked))
    g_array_append_val (rest, self->asked);
  for (guint i = 0; i < self->review->len; i++)
    {
      GobanMoment moment = g_array_index (self->review, GobanMoment, i);

      if (moment != self->asked && !is_known (self, moment))
        g_array_append_val (rest, moment);
    }
  return rest;
}

/* @moments: (transfer full): still to measure */
static void
start_job (GobanOptionTimes *self, GArray *moments)
{
  Work *work = g_new (Work, 1);

  self->answers = g_async_queue_new_full (g_free);
  *work
      = (Work){ goban_run_ref (get_known (self)->run), moments, g_async_queue_ref (self->answers) };
  self->job = goban_job_start ("Measuring options", measure_all, work, work_free, NULL);
  g_signal_connect_swapped (self->job, "notify::fraction", G_CALLBACK (take_answers), self);
  g_signal_connect (self->job, "done", G_CALLBACK (done_cb), self);
}

/* Measures the decision that is asked for, and goes on with the review. */
static void
start (GobanOptionTimes *self)
{
  const Known *known;
  g_autoptr (GArray) rest = NULL;

  take_answers (self);
  drop_job (self);
  g_clear_handle_id (&self->idle_id, g_source_remove);
  known = get_known (self);
  rest = list_rest (self);
  if (known != NULL && known->trouble == NULL && rest->len > 0)
    start_job (self, g_steal_pointer (&rest));
  else
    g_array_set_size (self->review, 0);
  g_signal_emit (self, signals[PROGRESS], 0);
}

/* --- questions ------------------------------------------------------------------------------- */

static gboolean
idle_cb (gpointer data)
{
  GobanOptionTimes *self = data;

  self->idle_id = 0;
  start (self);
  return G_SOURCE_REMOVE;
}

void
goban_option_times_ask (GobanOptionTimes *self, GobanMoment moment)
{
  g_return_if_fail (GOBAN_IS_OPTION_TIMES (self));

  if (moment == self->asked)
    return;
  g_clear_handle_id (&self->idle_id, g_source_remove);
  self->asked = moment;
  /* A review goes on until the question is urgent. */
  if (self->review->len == 0)
    drop_job (self);
  if (moment != 0 && !is_known (self, moment))
    self->idle_id = g_timeout_add_full (G_PRIORITY_LOW, IDLE_MS, idle_cb, self, NULL);
}

const double *
goban_option_times_peek (GobanOptionTimes *self, GobanMoment moment, guint *n)
{
  const Times *times;

  g_return_val_if_fail (GOBAN_IS_OPTION_TIMES (self), NULL);

  times = find_times (self, moment);
  *n = times != NULL ? times->n : 0;
  return times != NULL ? times->makespans_us : NULL;
}

double
goban_option_times_get_loss_us (GobanOptionTimes *self, GobanMoment moment)
{
  const Times *times;
  double best_us = INFINITY;

  g_return_val_if_fail (GOBAN_IS_OPTION_TIMES (self), NAN);

  times = find_times (self, moment);
  if (times == NULL || times->n_known < times->n)
    return (double) NAN;
  for (guint k = 0; k < times->n; k++)
    best_us = fmin (best_us, times->makespans_us[k]); /* NAN is left out */
  return isfinite (best_us) ? times->makespans_us[times->chosen] - best_us : (double) NAN;
}

const char *
goban_option_times_get_trouble (GobanOptionTimes *self)
{
  g_return_val_if_fail (GOBAN_IS_OPTION_TIMES (self), NULL);

  return get_known (self) != NULL ? get_known (self)->trouble : NULL;
}

void
goban_option_times_review (GobanOptionTimes *self, const GArray *moments)
{
  g_return_if_fail (GOBAN_IS_OPTION_TIMES (self));

  g_array_set_size (self->review, 0);
  g_array_append_vals (self->review, moments->data, moments->len);
  start (self);
}

void
goban_option_times_stop (GobanOptionTimes *self)
{
  g_return_if_fail (GOBAN_IS_OPTION_TIMES (self));

  if (self->review->len == 0)
    return;
  take_answers (self);
  g_array_set_size (self->review, 0);
  start (self);
}

gboolean
goban_option_times_is_reviewing (GobanOptionTimes *self)
{
  g_return_val_if_fail (GOBAN_IS_OPTION_TIMES (self), FALSE);

  return self->review->len > 0;
}

double
goban_option_times_get_fraction (GobanOptionTimes *self)
{
  guint n_known = 0;

  g_return_val_if_fail (GOBAN_IS_OPTION_TIMES (self), 0);

  for (guint i = 0; i < self->review->len; i++)
    n_known += is_known (self, g_array_index (self->review, GobanMoment, i));
  return self->review->len > 0 ? (double) n_known / self->review->len : 0;
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
run_changed_cb (GobanOptionTimes *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  Known *known = NULL;

  drop_job (self);
  g_clear_handle_id (&self->idle_id, g_source_remove);
  self->asked = 0;
  g_array_set_size (self->review, 0);
  for (guint i = 0; i < self->known->len && known == NULL; i++)
    if (((Known *) g_ptr_array_index (self->known, i))->run == run)
      known = g_ptr_array_steal_index (self->known, i);
  if (known == NULL && run != NULL && goban_run_get_decisions (run) != NULL)
    {
      known = g_new0 (Known, 1);
      known->run = goban_run_ref (run);
      known->times = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    }
  if (known == NULL)
    g_ptr_array_set_size (self->known, 0);
  else
    g_ptr_array_add (self->known, known);
  if (self->known->len > MOST_RUNS)
    g_ptr_array_remove_index (self->known, 0);
  g_signal_emit (self, signals[CHANGED], 0, 0);
  g_signal_emit (self, signals[PROGRESS], 0);
}

static void
goban_option_times_dispose (GObject *object)
{
  GobanOptionTimes *self = GOBAN_OPTION_TIMES (object);

  drop_job (self);
  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  g_clear_pointer (&self->review, g_array_unref);
  G_OBJECT_CLASS (goban_option_times_parent_class)->dispose (object);
}

static void
goban_option_times_class_init (GobanOptionTimesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_option_times_dispose;
  signals[CHANGED] = g_signal_new ("changed", GOBAN_TYPE_OPTION_TIMES, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[PROGRESS] = g_signal_new ("progress", GOBAN_TYPE_OPTION_TIMES, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_option_times_init (GobanOptionTimes *self)
{
  self->known = g_ptr_array_new_with_free_func (known_free);
  self->review = g_array_new (FALSE, FALSE, sizeof (GobanMoment));
}

static GObject *
new_times (GObject *session)
{
  GobanOptionTimes *self = g_object_new (GOBAN_TYPE_OPTION_TIMES, NULL);

  self->session = GOBAN_SESSION (session);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (run_changed_cb), self,
                           G_CONNECT_SWAPPED);
  run_changed_cb (self);
  return G_OBJECT (self);
}

GobanOptionTimes *
goban_option_times_of (GobanSession *session)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  return goban_attached_object (G_OBJECT (session), "goban-option-times", new_times);
}
