#include "ui/training/training-charts.h"

#include "engine/core/i18n.h"
#include "ui/draw/charts/line-charts.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Graphs with lines of their own; those that come later have none. */
#define MAX_SUBJECTS 24
#define MAX_CHARTS MAX (GOBAN_TRAINING_MAX_SERIES, MAX_SUBJECTS)
#define N_READ 256

/* --- the points of a log ---------------------------------------------------------------------- */

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

typedef struct
{
  GobanTrainingLog *log;
  char *name;
  guint n_read; /* points taken over */
  guint last_update;
  const GobanTrainingSeries *series;
  guint n_series;
  Curve curves[GOBAN_TRAINING_MAX_SERIES];
  /* Subject, of graphs that are learned on, and of those that are only tried, in the order of
   * their first points */
  GPtrArray *subjects;
} Curves;

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

static Curves *
curves_new (GobanTrainingLog *log, const char *name)
{
  Curves *self = g_new0 (Curves, 1);

  self->log = goban_training_log_ref (log);
  self->name = g_strdup (name);
  self->subjects = g_ptr_array_new_with_free_func (subject_free);
  return self;
}

static void
curves_free (gpointer data)
{
  Curves *self = data;

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
find_subject (Curves *self, const GobanTrainingPoint *point)
{
  Subject *subject;

  for (guint i = 0; i < self->subjects->len; i++)
    {
      subject = g_ptr_array_index (self->subjects, i);
      if (subject->number == point->subject && subject->is_trial == point->is_trial)
        return subject;
    }
  if (self->subjects->len == MAX_SUBJECTS)
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
add_to_subject (Curves *self, const GobanTrainingPoint *point)
{
  Subject *subject = find_subject (self, point);

  for (guint k = 0; subject != NULL && k < self->n_series; k++)
    if (subject->curves[k].x != NULL)
      append (&subject->curves[k], point->step, point->values[k]);
}

static void
add_point (Curves *self, const GobanTrainingPoint *point)
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
begin_curves (Curves *self)
{
  self->series = goban_training_log_get_series (self->log, &self->n_series);
  for (guint k = 0; k < self->n_series; k++)
    self->curves[k] = new_curve ();
}

/* Takes over the points that are new. %TRUE if there were any. */
static gboolean
curves_update (Curves *self)
{
  GobanTrainingPoint points[N_READ];
  guint n, n_before = self->n_read;

  if (self->n_series == 0)
    begin_curves (self);
  while (self->n_series > 0
         && (n = goban_training_log_read (self->log, self->n_read, points, N_READ)) > 0)
    {
      for (guint i = 0; i < n; i++)
        add_point (self, &points[i]);
      self->n_read += n;
    }
  return self->n_read > n_before;
}

static GobanChartLine
make_line (const Curve *curve, const char *title, gboolean is_trial)
{
  return (GobanChartLine){ title, (const double *) (void *) curve->x->data,
                           (const double *) (void *) curve->y->data, curve->x->len, is_trial };
}

/* --- the picture ------------------------------------------------------------------------------ */

struct _GobanTrainingCharts
{
  GobanPicture parent;

  GPtrArray *curves; /* Curves: the training's, then those of others */
  guint last_update; /* of all */

  GArray *lines; /* GobanChartLine */
  GobanChart charts[MAX_CHARTS];
  guint n_charts;
  GPtrArray *titles;    /* of charts of graphs */
  gboolean is_by_graph; /* of the first training alone: a chart for each of its graphs */

  gboolean is_fitted; /* the range follows the updates */
  double x0;
  double x1;
  double cursor; /* NAN: none */
};

G_DEFINE_FINAL_TYPE (GobanTrainingCharts, goban_training_charts, GOBAN_TYPE_PICTURE)

/* (nullable) */
static Curves *
get_main (GobanTrainingCharts *self)
{
  return self->curves->len > 0 ? g_ptr_array_index (self->curves, 0) : NULL;
}

/* --- charts ----------------------------------------------------------------------------------- */

static const char *
get_title (GobanSeriesKind kind)
{
  switch (kind)
    {
    case GOBAN_SERIES_RATIO:
      return _ ("Relative makespan");
    case GOBAN_SERIES_REWARD:
      return _ ("Reward");
    case GOBAN_SERIES_ENTROPY:
      return _ ("Entropy (nats)");
    case GOBAN_SERIES_SHARE:
      return _ ("Shares");
    case GOBAN_SERIES_PROPOSAL:
      return _ ("Proposals");
    case GOBAN_SERIES_GRADIENT:
      return _ ("Gradient");
    case GOBAN_SERIES_ERROR:
      return _ ("Squared error");
    case GOBAN_SERIES_SECONDS:
    case GOBAN_SERIES_N_KINDS:
      break;
    }
  return _ ("Seconds");
}

/* The number of the series of that name; -1: none. */
static int
find_series (const Curves *curves, const char *name)
{
  for (guint k = 0; k < curves->n_series; k++)
    if (g_str_equal (curves->series[k].name, name))
      return (int) k;
  return -1;
}

static GobanChart
new_chart (const char *title, GobanSeriesKind kind)
{
  return (GobanChart){ .title = title,
                       .level = kind == GOBAN_SERIES_RATIO ? 1 : (double) NAN,
                       .from_zero = kind == GOBAN_SERIES_ENTROPY || kind == GOBAN_SERIES_SHARE
                                    || kind == GOBAN_SERIES_PROPOSAL };
}

/* Chart of all series of the kind, for a single training. */
static GobanChart
add_kind (GobanTrainingCharts *self, GobanSeriesKind kind)
{
  Curves *curves = get_main (self);
  GobanChart chart = new_chart (get_title (kind), kind);

  for (guint k = 0; k < curves->n_series; k++)
    {
      const GobanTrainingSeries *series = &curves->series[k];
      GobanChartLine line;

      if (series->kind != kind || !curves->curves[k].is_measured)
        continue;
      line = make_line (&curves->curves[k], _ (series->title), series->is_trial);
      g_array_append_val (self->lines, line);
      chart.n_lines++;
    }
  return chart;
}

/* Chart of one series, with a line for each training that has it. */
static GobanChart
add_series (GobanTrainingCharts *self, const GobanTrainingSeries *series)
{
  GobanChart chart = new_chart (_ (series->title), series->kind);

  for (guint i = 0; i < self->curves->len; i++)
    {
      const Curves *curves = g_ptr_array_index (self->curves, i);
      int k = find_series (curves, series->name);
      GobanChartLine line;

      if (k < 0 || !curves->curves[k].is_measured)
        continue;
      line = make_line (&curves->curves[k], curves->name, curves->series[k].is_trial);
      g_array_append_val (self->lines, line);
      chart.n_lines++;
    }
  return chart;
}

/* "bert:layers=2 on p100x4", or with "held out" if nothing is learned from it. */
static char *
name_subject (const char *name, gboolean is_trial)
{
  return is_trial ? g_strdup_printf (_ ("%s, held out"), name) : g_strdup (name);
}

/* Chart of one graph: the ratios of its updates or, if @is_trial, of its trials. */
static GobanChart
add_subject (GobanTrainingCharts *self, guint i, gboolean is_trial)
{
  Curves *curves = get_main (self);
  const Subject *subject = g_ptr_array_index (curves->subjects, i);
  const char *name = goban_training_log_get_name (curves->log, subject->number);
  GobanChart chart = new_chart (name, GOBAN_SERIES_RATIO);

  if (subject->is_trial != is_trial || *name == '\0')
    return chart;
  for (guint k = 0; k < curves->n_series; k++)
    if (subject->curves[k].is_measured)
      {
        GobanChartLine line
            = make_line (&subject->curves[k], _ (curves->series[k].title), is_trial);

        g_array_append_val (self->lines, line);
        chart.n_lines++;
      }
  if (chart.n_lines > 0)
    {
      chart.title = name_subject (name, is_trial);
      g_ptr_array_add (self->titles, (gpointer) chart.title);
    }
  return chart;
}

static void
add_chart (GobanTrainingCharts *self, GobanChart chart)
{
  if (chart.n_lines > 0)
    self->charts[self->n_charts++] = chart;
}

/* Graphs that are trained on come before those that are only tried. */
static void
add_charts_of_graphs (GobanTrainingCharts *self)
{
  guint n = get_main (self)->subjects->len;

  for (guint i = 0; i < n; i++)
    add_chart (self, add_subject (self, i, FALSE));
  for (guint i = 0; i < n; i++)
    add_chart (self, add_subject (self, i, TRUE));
}

/* In the order of the kinds. */
static void
add_charts_of_series (GobanTrainingCharts *self)
{
  const Curves *curves = get_main (self);

  for (GobanSeriesKind kind = 0; kind < GOBAN_SERIES_N_KINDS; kind++)
    {
      if (self->curves->len == 1)
        {
          add_chart (self, add_kind (self, kind));
          continue;
        }
      for (guint k = 0; k < curves->n_series; k++)
        if (curves->series[k].kind == kind)
          add_chart (self, add_series (self, &curves->series[k]));
    }
}

/* Charts are linked with their lines when all lines are there. */
static void
arrange_charts (GobanTrainingCharts *self)
{
  guint n_lines = 0;

  self->n_charts = 0;
  g_array_set_size (self->lines, 0);
  g_ptr_array_set_size (self->titles, 0);
  if (self->is_by_graph && self->curves->len == 1)
    add_charts_of_graphs (self);
  /* A training that does not name its graphs. */
  if (self->n_charts == 0)
    add_charts_of_series (self);
  for (guint c = 0; c < self->n_charts; c++)
    {
      self->charts[c].lines = &g_array_index (self->lines, GobanChartLine, n_lines);
      n_lines += self->charts[c].n_lines;
    }
}

static void
describe_to_people (GobanTrainingCharts *self)
{
  g_autofree char *text = goban_training_charts_describe (self);
  g_autofree char *label = g_strdup_printf (_ ("Learning curves. %s"), text);

  goban_set_accessible_label (GTK_WIDGET (self), label);
}

gboolean
goban_training_charts_update (GobanTrainingCharts *self)
{
  gboolean is_new = FALSE;

  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), FALSE);

  for (guint i = 0; i < self->curves->len; i++)
    {
      Curves *curves = g_ptr_array_index (self->curves, i);

      is_new |= curves_update (curves);
      self->last_update = MAX (self->last_update, curves->last_update);
    }
  if (!is_new)
    return FALSE;
  arrange_charts (self);
  if (self->is_fitted)
    goban_training_charts_fit (self);
  describe_to_people (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
  return TRUE;
}

static void
clear (GobanTrainingCharts *self)
{
  g_ptr_array_set_size (self->curves, 0);
  self->n_charts = self->last_update = 0;
  self->is_fitted = TRUE;
  self->cursor = NAN;
}

void
goban_training_charts_set_logs (GobanTrainingCharts *self, GobanTrainingLog *const *logs,
                                const char *const *names, guint n)
{
  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  clear (self);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->curves, curves_new (logs[i], names[i]));
  goban_training_charts_fit (self);
  goban_training_charts_update (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

void
goban_training_charts_set_by_graph (GobanTrainingCharts *self, gboolean is_by_graph)
{
  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  if (self->is_by_graph == is_by_graph)
    return;
  self->is_by_graph = is_by_graph;
  if (get_main (self) != NULL)
    arrange_charts (self);
  describe_to_people (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

gboolean
goban_training_charts_has_graphs (GobanTrainingCharts *self)
{
  Curves *curves;
  guint n = 0;

  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), FALSE);

  curves = get_main (self);
  if (curves == NULL || self->curves->len > 1)
    return FALSE;
  for (guint i = 0; i < curves->subjects->len; i++)
    {
      const Subject *subject = g_ptr_array_index (curves->subjects, i);
      gboolean has_line = FALSE;

      for (guint k = 0; k < curves->n_series; k++)
        has_line |= subject->curves[k].is_measured;
      n += has_line && *goban_training_log_get_name (curves->log, subject->number) != '\0';
    }
  return n > 1;
}

guint
goban_training_charts_get_n_charts (GobanTrainingCharts *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), 0);

  return self->n_charts;
}

guint
goban_training_charts_get_n_points (GobanTrainingCharts *self)
{
  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), 0);

  return get_main (self) != NULL ? get_main (self)->n_read : 0;
}

/* "Entropy 0.41", or "Entropy of a.net 0.41" of several trainings. */
static void
append_value (GString *text, const GobanTrainingCharts *self, const GobanChart *chart,
              const GobanChartLine *line, double value)
{
  char number[GOBAN_QUANTITY_LEN];

  g_ascii_formatd (number, sizeof number, "%.4g", value);
  if (self->curves->len > 1)
    g_string_append_printf (text, _ ("%s of %s: %s"), chart->title, line->title, number);
  else if (self->titles->len > 0)
    g_string_append_printf (text, _ ("%s of %s: %s"), line->title, chart->title, number);
  else
    g_string_append_printf (text, "%s %s", line->title, number);
}

char *
goban_training_charts_describe (GobanTrainingCharts *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double at;
  guint n = 0;

  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), NULL);

  if (goban_training_charts_get_n_points (self) == 0)
    return g_strdup ("");
  at = isfinite (self->cursor) ? floor (self->cursor) : self->last_update;
  g_string_append_printf (text, _ ("Update %.0f: "), at);
  for (guint c = 0; c < self->n_charts; c++)
    for (guint k = 0; k < self->charts[c].n_lines; k++)
      {
        const GobanChartLine *line = &self->charts[c].lines[k];
        double value = goban_chart_line_get (line, at);

        if (!isfinite (value))
          continue;
        g_string_append (text, n++ > 0 ? ", " : "");
        append_value (text, self, &self->charts[c], line, value);
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- range and cursor ------------------------------------------------------------------------- */

void
goban_training_charts_fit (GobanTrainingCharts *self)
{
  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  self->is_fitted = TRUE;
  self->x0 = 0;
  self->x1 = MAX (self->last_update, 1);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

void
goban_training_charts_get_range (GobanTrainingCharts *self, double *x0, double *x1)
{
  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  *x0 = self->x0;
  *x1 = self->x1;
}

/* At least four updates and at most all of them; the full range follows new updates. */
static void
set_range (GobanTrainingCharts *self, double x0, double x1)
{
  double all = MAX (self->last_update, 1);
  double width = CLAMP (x1 - x0, fmin (4, all), all);

  self->x0 = CLAMP (x0, 0, all - width);
  self->x1 = self->x0 + width;
  self->is_fitted = width >= all;
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

void
goban_training_charts_brush (GobanTrainingCharts *self, double from, double to)
{
  double width;

  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  width = self->x1 - self->x0;
  set_range (self, self->x0 + from * width, self->x0 + to * width);
}

static void
set_cursor (GobanTrainingCharts *self, double x)
{
  if (x == self->cursor || (isnan (x) && isnan (self->cursor)))
    return;
  self->cursor = x;
  describe_to_people (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
}

void
goban_training_charts_move_cursor (GobanTrainingCharts *self, double share)
{
  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  if (isnan (self->cursor))
    set_cursor (self, self->x1);
  else
    set_cursor (self, CLAMP (self->cursor + share * (self->x1 - self->x0), self->x0, self->x1));
}

/* --- the picture ------------------------------------------------------------------------------ */

static GobanLineCharts
make_charts (GobanTrainingCharts *self)
{
  GobanPicture *picture = GOBAN_PICTURE (self);

  return (GobanLineCharts){ .charts = self->charts,
                            .n_charts = self->n_charts,
                            .x0 = self->x0,
                            .x1 = self->x1,
                            .hover = self->cursor,
                            .theme = goban_picture_get_theme (picture),
                            .ui_scale = goban_picture_get_ui_scale (picture) };
}

static void
goban_training_charts_paint (GobanPicture *picture, GobanPen *pen)
{
  GobanLineCharts charts = make_charts (GOBAN_TRAINING_CHARTS (picture));

  goban_line_charts_paint (&charts, pen);
}

/* The update under a point, NAN outside the plots; and updates per pixel of a plot. */
static double
find_update (GobanTrainingCharts *self, GobanPoint at, double *scale)
{
  GobanPicture *picture = GOBAN_PICTURE (self);
  GobanLineCharts charts = make_charts (self);
  double width = goban_picture_get_width (picture), height = goban_picture_get_height (picture);
  double x = NAN;
  guint chart = 0;

  if (self->n_charts == 0)
    return NAN;
  if (!goban_line_charts_find (&charts, width, height, at, &chart, &x))
    x = NAN;
  if (scale != NULL)
    {
      GobanBox plot = goban_line_charts_get_plot (&charts, width, height, chart);

      *scale = (self->x1 - self->x0) / (plot.x1 - plot.x0);
    }
  return x;
}

static void
goban_training_charts_pan (GobanPicture *picture, double dx, double dy)
{
  GobanTrainingCharts *self = GOBAN_TRAINING_CHARTS (picture);
  double scale = 0;

  find_update (self, (GobanPoint){ 0, 0 }, &scale);
  set_range (self, self->x0 - dx * scale, self->x1 - dx * scale);
}

static void
goban_training_charts_zoom (GobanPicture *picture, double factor, GobanPoint at)
{
  GobanTrainingCharts *self = GOBAN_TRAINING_CHARTS (picture);
  double x = find_update (self, at, NULL);

  if (isnan (x))
    x = (self->x0 + self->x1) / 2;
  set_range (self, x - (x - self->x0) / factor, x + (self->x1 - x) / factor);
}

static void
goban_training_charts_click (GobanPicture *picture, GobanPoint at, int n_press,
                             GdkModifierType modifiers)
{
  if (n_press == 2)
    goban_training_charts_fit (GOBAN_TRAINING_CHARTS (picture));
}

static void
goban_training_charts_hover (GobanPicture *picture, const GobanPoint *at)
{
  GobanTrainingCharts *self = GOBAN_TRAINING_CHARTS (picture);

  set_cursor (self, at != NULL ? find_update (self, *at, NULL) : (double) NAN);
}

/* Drawn with Shift or Ctrl held: the updates between its sides. */
static void
goban_training_charts_pick_box (GobanPicture *picture, GobanBox box, GdkModifierType modifiers)
{
  GobanTrainingCharts *self = GOBAN_TRAINING_CHARTS (picture);
  GobanLineCharts charts = make_charts (self);
  double width = goban_picture_get_width (picture), height = goban_picture_get_height (picture);
  GobanPoint middle = { (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
  double x, length;
  guint chart;
  GobanBox plot;

  if (self->n_charts == 0 || !goban_line_charts_find (&charts, width, height, middle, &chart, &x))
    return;
  plot = goban_line_charts_get_plot (&charts, width, height, chart);
  length = plot.x1 - plot.x0;
  goban_training_charts_brush (self, (fmax (box.x0, plot.x0) - plot.x0) / length,
                               (fmin (box.x1, plot.x1) - plot.x0) / length);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        GobanTrainingCharts *self)
{
  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Left:
      goban_training_charts_move_cursor (self, -0.01);
      return TRUE;
    case GDK_KEY_Right:
      goban_training_charts_move_cursor (self, 0.01);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
      goban_picture_zoom (GOBAN_PICTURE (self), 1.5);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      goban_picture_zoom (GOBAN_PICTURE (self), 1 / 1.5);
      return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      goban_training_charts_fit (self);
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- construction and disposal ---------------------------------------------------------------- */

static void
goban_training_charts_finalize (GObject *object)
{
  GobanTrainingCharts *self = GOBAN_TRAINING_CHARTS (object);

  g_ptr_array_unref (self->curves);
  g_array_unref (self->lines);
  g_ptr_array_unref (self->titles);

  G_OBJECT_CLASS (goban_training_charts_parent_class)->finalize (object);
}

static void
goban_training_charts_class_init (GobanTrainingChartsClass *klass)
{
  GobanPictureClass *picture_class = GOBAN_PICTURE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_training_charts_finalize;
  picture_class->paint = goban_training_charts_paint;
  picture_class->pan = goban_training_charts_pan;
  picture_class->zoom = goban_training_charts_zoom;
  picture_class->click = goban_training_charts_click;
  picture_class->pick_box = goban_training_charts_pick_box;
  picture_class->hover = goban_training_charts_hover;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "trainingcharts");
}

static void
goban_training_charts_init (GobanTrainingCharts *self)
{
  goban_watch_keys (GTK_WIDGET (self), GTK_PHASE_BUBBLE, G_CALLBACK (key_cb), self);
  self->curves = g_ptr_array_new_with_free_func (curves_free);
  self->lines = g_array_new (FALSE, FALSE, sizeof (GobanChartLine));
  self->titles = g_ptr_array_new_with_free_func (g_free);
  clear (self);
  goban_training_charts_fit (self);
  goban_set_accessible_label (GTK_WIDGET (self), _ ("Learning curves"));
}
