#include "engine/study/run/training-log.h"

#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

struct _GobanTrainingLog
{
  gatomicrefcount ref_count;
  GMutex mutex;
  char **names; /* (nullable) constant once there are any: what is borrowed stays */
  guint n_names;
  const GobanTrainingSeries *series;
  guint n_series;
  GArray *points;
  const char *warning;
  gboolean has_ended;
  GError *why;                /* (nullable) constant once it has ended */
  GobanTrainingLogFunc watch; /* (nullable) */
  gpointer watch_data;
  GDestroyNotify watch_destroy;
  guint watch_id; /* of a call that is due */
};

GobanTrainingLog *
goban_training_log_new (void)
{
  GobanTrainingLog *self = g_new0 (GobanTrainingLog, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->points = g_array_new (FALSE, TRUE, sizeof (GobanTrainingPoint));
  return self;
}

GobanTrainingLog *
goban_training_log_ref (GobanTrainingLog *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
drop_watcher (GobanTrainingLog *self)
{
  if (self->watch != NULL && self->watch_destroy != NULL)
    self->watch_destroy (self->watch_data);
  self->watch = NULL;
}

void
goban_training_log_unref (GobanTrainingLog *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  drop_watcher (self);
  g_clear_error (&self->why);
  g_strfreev (self->names);
  g_array_unref (self->points);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* --- watching --------------------------------------------------------------------------------- */

static gboolean
watch_cb (gpointer user_data)
{
  GobanTrainingLog *self = user_data;
  gboolean has_ended;

  g_mutex_lock (&self->mutex);
  self->watch_id = 0;
  has_ended = self->has_ended;
  g_mutex_unlock (&self->mutex);
  self->watch (self, self->watch_data);
  if (has_ended)
    drop_watcher (self);
  return G_SOURCE_REMOVE;
}

/* The log must be locked. */
static void
call_watcher (GobanTrainingLog *self)
{
  if (self->watch != NULL && self->watch_id == 0)
    self->watch_id = g_idle_add_full (G_PRIORITY_DEFAULT, watch_cb, goban_training_log_ref (self),
                                      (GDestroyNotify) goban_training_log_unref);
}

/* --- writing ---------------------------------------------------------------------------------- */

void
goban_training_log_begin (GobanTrainingLog *self, const GobanTrainingSeries *series, guint n_series,
                          const char *const *names)
{
  g_return_if_fail (self->n_series == 0 && n_series <= GOBAN_TRAINING_MAX_SERIES);

  g_mutex_lock (&self->mutex);
  self->series = series;
  self->n_series = n_series;
  self->names = g_strdupv ((char **) names);
  self->n_names = names != NULL ? g_strv_length (self->names) : 0;
  call_watcher (self);
  g_mutex_unlock (&self->mutex);
}

GobanTrainingPoint
goban_training_point_new (guint step, guint subject, gboolean is_trial)
{
  GobanTrainingPoint point = { .step = step, .subject = subject, .is_trial = is_trial };

  for (guint k = 0; k < GOBAN_TRAINING_MAX_SERIES; k++)
    point.values[k] = NAN;
  return point;
}

void
goban_training_log_add (GobanTrainingLog *self, const GobanTrainingPoint *point)
{
  g_mutex_lock (&self->mutex);
  g_array_append_val (self->points, *point);
  g_mutex_unlock (&self->mutex);
}

void
goban_training_log_set_warning (GobanTrainingLog *self, const char *warning)
{
  g_mutex_lock (&self->mutex);
  self->warning = warning;
  g_mutex_unlock (&self->mutex);
}

void
goban_training_log_end (GobanTrainingLog *self, const GError *why)
{
  g_mutex_lock (&self->mutex);
  if (!self->has_ended && why != NULL)
    self->why = g_error_copy (why);
  self->has_ended = TRUE;
  call_watcher (self);
  g_mutex_unlock (&self->mutex);
}

void
goban_training_log_watch (GobanTrainingLog *self, GobanTrainingLogFunc func, gpointer data,
                          GDestroyNotify destroy)
{
  gboolean is_first;

  g_mutex_lock (&self->mutex);
  is_first = self->watch == NULL;
  if (is_first)
    {
      self->watch = func;
      self->watch_data = data;
      self->watch_destroy = destroy;
    }
  if (is_first && (self->n_series > 0 || self->has_ended))
    call_watcher (self);
  g_mutex_unlock (&self->mutex);
  if (!is_first && destroy != NULL)
    destroy (data);
}

/* --- reading ---------------------------------------------------------------------------------- */

const GobanTrainingSeries *
goban_training_log_get_series (GobanTrainingLog *self, guint *n)
{
  const GobanTrainingSeries *series;

  g_mutex_lock (&self->mutex);
  series = self->series;
  *n = self->n_series;
  g_mutex_unlock (&self->mutex);
  return series;
}

const char *
goban_training_log_get_name (GobanTrainingLog *self, guint subject)
{
  const char *name;

  g_mutex_lock (&self->mutex);
  name = subject < self->n_names ? self->names[subject] : "";
  g_mutex_unlock (&self->mutex);
  return name;
}

guint
goban_training_log_get_n_points (GobanTrainingLog *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->points->len;
  g_mutex_unlock (&self->mutex);
  return n;
}

static const GobanTrainingPoint *
get (const GobanTrainingLog *self, guint i)
{
  return &g_array_index (self->points, GobanTrainingPoint, i);
}

guint
goban_training_log_get_last_step (GobanTrainingLog *self)
{
  guint step;

  g_mutex_lock (&self->mutex);
  step = self->points->len > 0 ? get (self, self->points->len - 1)->step : 0;
  g_mutex_unlock (&self->mutex);
  return step;
}

guint
goban_training_log_read (GobanTrainingLog *self, guint first, GobanTrainingPoint *points, guint n)
{
  g_mutex_lock (&self->mutex);
  n = first < self->points->len ? MIN (n, self->points->len - first) : 0;
  if (n > 0)
    memcpy (points, get (self, first), n * sizeof *points);
  g_mutex_unlock (&self->mutex);
  return n;
}

gboolean
goban_training_log_has_ended (GobanTrainingLog *self, const GError **why)
{
  gboolean has_ended;

  g_mutex_lock (&self->mutex);
  has_ended = self->has_ended;
  if (why != NULL)
    *why = self->why;
  g_mutex_unlock (&self->mutex);
  return has_ended;
}

const char *
goban_training_log_get_warning (GobanTrainingLog *self)
{
  const char *warning;

  g_mutex_lock (&self->mutex);
  warning = self->warning;
  g_mutex_unlock (&self->mutex);
  return warning;
}

/* --- means ------------------------------------------------------------------------------------ */

typedef struct
{
  double sum; /* of logarithms */
  guint n;
} Mean;

static void
mean_add (Mean *mean, double ratio)
{
  if (!(ratio > 0) || !isfinite (ratio))
    return;
  mean->sum += log (ratio);
  mean->n++;
}

static double
mean_get (const Mean *mean)
{
  return mean->n > 0 ? exp (mean->sum / mean->n) : (double) NAN;
}

/* The first or last point of a trial. (nullable) */
static const GobanTrainingPoint *
find_trial (const GobanTrainingLog *self, gboolean is_last)
{
  for (guint i = 0; i < self->points->len; i++)
    {
      const GobanTrainingPoint *point = get (self, is_last ? self->points->len - 1 - i : i);

      if (point->is_trial)
        return point;
    }
  return NULL;
}

double
goban_training_log_get_trial_mean (GobanTrainingLog *self, guint series, gboolean is_last)
{
  const GobanTrainingPoint *trial;
  Mean mean = { 0 };

  g_mutex_lock (&self->mutex);
  trial = find_trial (self, is_last);
  for (guint i = 0; trial != NULL && i < self->points->len; i++)
    if (get (self, i)->is_trial && get (self, i)->step == trial->step)
      mean_add (&mean, get (self, i)->values[series]);
  g_mutex_unlock (&self->mutex);
  return mean_get (&mean);
}

/* --- as a table ------------------------------------------------------------------------------- */

static void
append_point (GString *csv, const GobanTrainingLog *self, const GobanTrainingPoint *point)
{
  const char *subject = point->subject < self->n_names ? self->names[point->subject] : "";
  g_auto (GStrv) parts = g_strsplit (subject, "\"", -1);
  g_autofree char *name = g_strjoinv ("\"\"", parts); /* a spec has commas */

  g_string_append_printf (csv, "%s,%u,\"%s\"", point->is_trial ? "trial" : "update", point->step,
                          name);
  for (guint k = 0; k < self->n_series; k++)
    {
      char buffer[GOBAN_QUANTITY_LEN];
      double value = point->values[k];

      g_string_append_printf (csv, ",%s",
                              isfinite (value) ? goban_format_double (buffer, value) : "");
    }
  g_string_append_c (csv, '\n');
}

char *
goban_training_log_to_csv (GobanTrainingLog *self)
{
  GString *csv = g_string_new ("kind,step,graph");

  g_mutex_lock (&self->mutex);
  for (guint k = 0; k < self->n_series; k++)
    g_string_append_printf (csv, ",%s", self->series[k].name);
  g_string_append_c (csv, '\n');
  for (guint i = 0; i < self->points->len; i++)
    append_point (csv, self, get (self, i));
  g_mutex_unlock (&self->mutex);
  return g_string_free (csv, FALSE);
}
