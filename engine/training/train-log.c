#include "engine/training/train-log.h"

#include "engine/base/quantity.h"

#include <math.h>
#include <string.h>

struct _GobanTrainLog
{
  gatomicrefcount ref_count;
  GMutex mutex;
  GPtrArray *names; /* kept as long as the log: what is borrowed stays */
  guint n_lessons;
  GArray *points;
  GArray *trials;
};

GobanTrainLog *
goban_train_log_new (void)
{
  GobanTrainLog *self = g_new0 (GobanTrainLog, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->points = g_array_new (FALSE, TRUE, sizeof (GobanCurvePoint));
  self->trials = g_array_new (FALSE, TRUE, sizeof (GobanCurveTrial));
  return self;
}

GobanTrainLog *
goban_train_log_ref (GobanTrainLog *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_train_log_unref (GobanTrainLog *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->names);
  g_array_unref (self->points);
  g_array_unref (self->trials);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
goban_train_log_set_names (GobanTrainLog *self, const char *const *names, guint n_lessons,
                           guint n_trials)
{
  g_return_if_fail (self->names->len == 0);

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < n_lessons + n_trials; i++)
    g_ptr_array_add (self->names, g_strdup (names[i]));
  self->n_lessons = n_lessons;
  g_mutex_unlock (&self->mutex);
}

static void
add_new (GArray *own, const GArray *all)
{
  if (all->len > own->len)
    g_array_append_vals (own, all->data + own->len * g_array_get_element_size (own),
                         all->len - own->len);
}

void
goban_train_log_update (GobanTrainLog *self, const GArray *points, const GArray *trials)
{
  g_mutex_lock (&self->mutex);
  add_new (self->points, points);
  add_new (self->trials, trials);
  g_mutex_unlock (&self->mutex);
}

guint
goban_train_log_get_n_points (GobanTrainLog *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->points->len;
  g_mutex_unlock (&self->mutex);
  return n;
}

guint
goban_train_log_get_n_trials (GobanTrainLog *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->trials->len;
  g_mutex_unlock (&self->mutex);
  return n;
}

static const char *
get_name (const GobanTrainLog *self, guint i)
{
  return i < self->names->len ? g_ptr_array_index (self->names, i) : "";
}

const char *
goban_train_log_get_point (GobanTrainLog *self, guint i, GobanCurvePoint *point)
{
  const char *name;

  g_mutex_lock (&self->mutex);
  *point = g_array_index (self->points, GobanCurvePoint, i);
  name = get_name (self, point->lesson);
  g_mutex_unlock (&self->mutex);
  return name;
}

const char *
goban_train_log_get_trial (GobanTrainLog *self, guint i, GobanCurveTrial *trial)
{
  const char *name;

  g_mutex_lock (&self->mutex);
  *trial = g_array_index (self->trials, GobanCurveTrial, i);
  name = get_name (self, self->n_lessons + trial->trial);
  g_mutex_unlock (&self->mutex);
  return name;
}

double
goban_train_log_get_ratio (GobanTrainLog *self, guint first, guint end)
{
  double sum = 0;
  guint n = 0;

  g_mutex_lock (&self->mutex);
  for (guint i = first; i < MIN (end, self->points->len); i++)
    {
      double ratio = g_array_index (self->points, GobanCurvePoint, i).values[GOBAN_CURVE_MEAN];

      if (!(ratio > 0) || !isfinite (ratio))
        continue;
      sum += log (ratio);
      n++;
    }
  g_mutex_unlock (&self->mutex);
  return n > 0 ? exp (sum / n) : (double) NAN;
}

double
goban_train_log_get_trial_ratio (GobanTrainLog *self, gboolean is_last)
{
  double sum = 0;
  guint n = 0;
  guint step;

  g_mutex_lock (&self->mutex);
  step = self->trials->len == 0
             ? 0
             : g_array_index (self->trials, GobanCurveTrial, is_last ? self->trials->len - 1 : 0)
                   .step;
  for (guint i = 0; i < self->trials->len; i++)
    {
      const GobanCurveTrial *trial = &g_array_index (self->trials, GobanCurveTrial, i);

      if (trial->step != step || !(trial->expert_ratio > 0) || !isfinite (trial->expert_ratio))
        continue;
      sum += log (trial->expert_ratio);
      n++;
    }
  g_mutex_unlock (&self->mutex);
  return n > 0 ? exp (sum / n) : (double) NAN;
}

/* --- as a table ------------------------------------------------------------------------------ */

static void
append_value (GString *csv, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append_printf (csv, ",%s", isfinite (value) ? goban_format_double (buffer, value) : "");
}

/* A spec has commas. */
static void
append_start (GString *csv, const char *kind, guint step, const char *graph)
{
  g_auto (GStrv) parts = g_strsplit (graph, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  g_string_append_printf (csv, "%s,%u,\"%s\"", kind, step, doubled);
}

static void
append_point (GString *csv, const GobanCurvePoint *point, const char *graph)
{
  append_start (csv, "update", point->step, graph);
  for (guint k = 0; k < GOBAN_CURVE_N; k++)
    append_value (csv, point->values[k]);
  g_string_append (csv, ",,\n");
}

static void
append_trial (GString *csv, const GobanCurveTrial *trial, const char *graph)
{
  append_start (csv, "trial", trial->step, graph);
  for (guint k = 0; k < GOBAN_CURVE_N; k++)
    g_string_append_c (csv, ',');
  append_value (csv, trial->expert_ratio);
  append_value (csv, trial->ratio);
  g_string_append_c (csv, '\n');
}

char *
goban_train_log_to_csv (GobanTrainLog *self)
{
  GString *csv = g_string_new ("kind,step,graph");
  guint t = 0;

  for (guint k = 0; k < GOBAN_CURVE_N; k++)
    g_string_append_printf (csv, ",%s", goban_curve_column_get_name (k));
  g_string_append (csv, ",expert_ratio,ratio\n");

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i <= self->points->len; i++)
    {
      guint step = i == 0 ? 0 : g_array_index (self->points, GobanCurvePoint, i - 1).step;

      if (i > 0)
        {
          const GobanCurvePoint *point = &g_array_index (self->points, GobanCurvePoint, i - 1);

          append_point (csv, point, get_name (self, point->lesson));
        }
      for (; t < self->trials->len && g_array_index (self->trials, GobanCurveTrial, t).step == step;
           t++)
        {
          const GobanCurveTrial *trial = &g_array_index (self->trials, GobanCurveTrial, t);

          append_trial (csv, trial, get_name (self, self->n_lessons + trial->trial));
        }
    }
  g_mutex_unlock (&self->mutex);
  return g_string_free (csv, FALSE);
}
