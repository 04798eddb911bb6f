#include "ui/training/training-curves.h"

#include <math.h>

#define N_READ 256

/* The measured values of a series. */
typedef struct
{
  GArray *x; /* double */
  GArray *y;
  gboolean is_measured; /* some y is finite */
  double sum;           /* of logarithms: trials of one update have a geometric mean */
  guint n;
} Curve;

struct _GobanTrainingCurves
{
  GobanTrainingLog *log;
  char *name;
  guint n_read; /* points taken over */
  guint last_update;
  const GobanTrainingSeries *series;
  guint n_series;
  Curve curves[GOBAN_TRAINING_MAX_SERIES];
};

GobanTrainingCurves *
goban_training_curves_new (GobanTrainingLog *log, const char *name)
{
  GobanTrainingCurves *self = g_new0 (GobanTrainingCurves, 1);

  self->log = goban_training_log_ref (log);
  self->name = g_strdup (name);
  return self;
}

void
goban_training_curves_free (GobanTrainingCurves *self)
{
  for (guint k = 0; k < self->n_series; k++)
    {
      g_array_unref (self->curves[k].x);
      g_array_unref (self->curves[k].y);
    }
  goban_training_log_unref (self->log);
  g_free (self->name);
  g_free (self);
}

/* --- points ----------------------------------------------------------------------------------- */

static void
append (Curve *curve, double x, double y)
{
  g_array_append_val (curve->x, x);
  g_array_append_val (curve->y, y);
  curve->is_measured |= isfinite (y);
}

/* Several trials of one update are one value. */
static void
add_trial (Curve *curve, double x, double ratio)
{
  gboolean is_next = curve->x->len == 0 || g_array_index (curve->x, double, curve->x->len - 1) != x;

  if (is_next)
    {
      append (curve, x, NAN);
      curve->sum = 0;
      curve->n = 0;
    }
  if (!(ratio > 0) || !isfinite (ratio))
    return;
  curve->is_measured = TRUE;
  curve->sum += log (ratio);
  curve->n++;
  g_array_index (curve->y, double, curve->y->len - 1) = exp (curve->sum / curve->n);
}

static void
add_point (GobanTrainingCurves *self, const GobanTrainingPoint *point)
{
  self->last_update = MAX (self->last_update, point->step);
  for (guint k = 0; k < self->n_series; k++)
    if (self->series[k].is_trial && point->is_trial)
      add_trial (&self->curves[k], point->step, point->values[k]);
    else if (!self->series[k].is_trial && !point->is_trial)
      append (&self->curves[k], point->step, point->values[k]);
}

static void
begin (GobanTrainingCurves *self)
{
  self->series = goban_training_log_get_series (self->log, &self->n_series);
  for (guint k = 0; k < self->n_series; k++)
    self->curves[k] = (Curve){ .x = g_array_new (FALSE, FALSE, sizeof (double)),
                               .y = g_array_new (FALSE, FALSE, sizeof (double)) };
}

gboolean
goban_training_curves_update (GobanTrainingCurves *self)
{
  GobanTrainingPoint points[N_READ];
  guint n, n_before = self->n_read;

  if (self->n_series == 0)
    begin (self);
  while (self->n_series > 0
         && (n = goban_training_log_read (self->log, self->n_read, points, N_READ)) > 0)
    {
      for (guint i = 0; i < n; i++)
        add_point (self, &points[i]);
      self->n_read += n;
    }
  return self->n_read > n_before;
}

/* --- reading ---------------------------------------------------------------------------------- */

const char *
goban_training_curves_get_name (const GobanTrainingCurves *self)
{
  return self->name;
}

guint
goban_training_curves_get_n_points (const GobanTrainingCurves *self)
{
  return self->n_read;
}

guint
goban_training_curves_get_last_update (const GobanTrainingCurves *self)
{
  return self->last_update;
}

const GobanTrainingSeries *
goban_training_curves_get_series (const GobanTrainingCurves *self, guint *n)
{
  *n = self->n_series;
  return self->series;
}

gboolean
goban_training_curves_has_line (const GobanTrainingCurves *self, guint series)
{
  return self->curves[series].is_measured;
}

GobanChartLine
goban_training_curves_get_line (const GobanTrainingCurves *self, guint series, const char *title)
{
  const Curve *curve = &self->curves[series];

  return (GobanChartLine){ title, (const double *) (void *) curve->x->data,
                           (const double *) (void *) curve->y->data, curve->x->len,
                           self->series[series].is_trial };
}
