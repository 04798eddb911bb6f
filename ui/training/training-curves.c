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

/* The ratios of one graph: of updates or of trials, by series. */
typedef struct
{
  guint number; /* among the names of the log */
  gboolean is_trial;
  Curve curves[GOBAN_TRAINING_MAX_SERIES]; /* without arrays for series of other kinds */
} Subject;

struct _GobanTrainingCurves
{
  GobanTrainingLog *log;
  char *name;
  guint n_read; /* points taken over */
  guint last_update;
  const GobanTrainingSeries *series;
  guint n_series;
  Curve curves[GOBAN_TRAINING_MAX_SERIES];
  GPtrArray *subjects; /* Subject, in the order of their first points */
};

static Curve
new_curve (void)
{
  return (Curve){ .x = g_array_new (FALSE, FALSE, sizeof (double)),
                  .y = g_array_new (FALSE, FALSE, sizeof (double)) };
}

static void
clear_curve (Curve *curve)
{
  if (curve->x == NULL)
    return;
  g_array_unref (curve->x);
  g_array_unref (curve->y);
}

static void
subject_free (gpointer data)
{
  Subject *self = data;

  for (guint k = 0; k < GOBAN_TRAINING_MAX_SERIES; k++)
    clear_curve (&self->curves[k]);
  g_free (self);
}

GobanTrainingCurves *
goban_training_curves_new (GobanTrainingLog *log, const char *name)
{
  GobanTrainingCurves *self = g_new0 (GobanTrainingCurves, 1);

  self->log = goban_training_log_ref (log);
  self->name = g_strdup (name);
  self->subjects = g_ptr_array_new_with_free_func (subject_free);
  return self;
}

void
goban_training_curves_free (GobanTrainingCurves *self)
{
  for (guint k = 0; k < self->n_series; k++)
    clear_curve (&self->curves[k]);
  g_ptr_array_unref (self->subjects);
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

/* (nullable): of a graph beyond the most that have charts of their own */
static Subject *
find_subject (GobanTrainingCurves *self, const GobanTrainingPoint *point)
{
  Subject *subject;

  for (guint i = 0; i < self->subjects->len; i++)
    {
      subject = g_ptr_array_index (self->subjects, i);
      if (subject->number == point->subject && subject->is_trial == point->is_trial)
        return subject;
    }
  if (self->subjects->len == GOBAN_TRAINING_MAX_SUBJECTS)
    return NULL;
  subject = g_new0 (Subject, 1);
  subject->number = point->subject;
  subject->is_trial = point->is_trial;
  for (guint k = 0; k < self->n_series; k++)
    if (self->series[k].kind == GOBAN_SERIES_RATIO && self->series[k].is_trial == point->is_trial)
      subject->curves[k] = new_curve ();
  g_ptr_array_add (self->subjects, subject);
  return subject;
}

static void
add_to_subject (GobanTrainingCurves *self, const GobanTrainingPoint *point)
{
  Subject *subject = find_subject (self, point);

  for (guint k = 0; subject != NULL && k < self->n_series; k++)
    if (subject->curves[k].x != NULL)
      append (&subject->curves[k], point->step, point->values[k]);
}

static void
add_point (GobanTrainingCurves *self, const GobanTrainingPoint *point)
{
  add_to_subject (self, point);
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
    self->curves[k] = new_curve ();
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

static GobanChartLine
make_line (const Curve *curve, const char *title, gboolean is_trial)
{
  return (GobanChartLine){ title, (const double *) (void *) curve->x->data,
                           (const double *) (void *) curve->y->data, curve->x->len, is_trial };
}

GobanChartLine
goban_training_curves_get_line (const GobanTrainingCurves *self, guint series, const char *title)
{
  return make_line (&self->curves[series], title, self->series[series].is_trial);
}

guint
goban_training_curves_get_n_subjects (const GobanTrainingCurves *self)
{
  return self->subjects->len;
}

const char *
goban_training_curves_get_subject (const GobanTrainingCurves *self, guint i, gboolean *is_trial)
{
  const Subject *subject = g_ptr_array_index (self->subjects, i);

  *is_trial = subject->is_trial;
  return goban_training_log_get_name (self->log, subject->number);
}

gboolean
goban_training_curves_get_subject_line (const GobanTrainingCurves *self, guint i, guint series,
                                        GobanChartLine *line)
{
  const Subject *subject = g_ptr_array_index (self->subjects, i);
  const Curve *curve = &subject->curves[series];

  if (!curve->is_measured)
    return FALSE;
  *line = make_line (curve, self->series[series].title, subject->is_trial);
  return TRUE;
}
