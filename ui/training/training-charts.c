#include "ui/training/training-charts.h"

#include "engine/base/i18n.h"
#include "ui/draw/line-charts.h"
#include "ui/widgets/text.h"

#include <math.h>

#define N_READ 256

/* The measured values of a series, which its line borrows. */
typedef struct
{
  GArray *x; /* double */
  GArray *y;
  double sum; /* of logarithms: trials of one update have a geometric mean */
  guint n;
} Curve;

struct _GobanTrainingCharts
{
  GobanPicture parent;

  GobanTrainingLog *log; /* (nullable) */
  guint n_read;          /* points taken over */
  guint last_update;
  guint n_series;
  Curve curves[GOBAN_TRAINING_MAX_SERIES];

  GobanChartLine lines[GOBAN_TRAINING_MAX_SERIES];
  GobanChart charts[GOBAN_SERIES_N_KINDS];
  guint n_charts;

  gboolean is_fitted; /* the range follows the updates */
  double x0;
  double x1;
  double cursor; /* NAN: none */
};

G_DEFINE_FINAL_TYPE (GobanTrainingCharts, goban_training_charts, GOBAN_TYPE_PICTURE)

/* --- points ----------------------------------------------------------------------------------- */

static void
clear_points (GobanTrainingCharts *self)
{
  for (guint k = 0; k < self->n_series; k++)
    {
      g_array_unref (self->curves[k].x);
      g_array_unref (self->curves[k].y);
    }
  self->n_series = self->n_charts = self->n_read = self->last_update = 0;
  self->is_fitted = TRUE;
  self->cursor = NAN;
}

static void
append (Curve *curve, double x, double y)
{
  g_array_append_val (curve->x, x);
  g_array_append_val (curve->y, y);
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
  curve->sum += log (ratio);
  curve->n++;
  g_array_index (curve->y, double, curve->y->len - 1) = exp (curve->sum / curve->n);
}

static void
add_point (GobanTrainingCharts *self, const GobanTrainingSeries *series,
           const GobanTrainingPoint *point)
{
  self->last_update = MAX (self->last_update, point->step);
  for (guint k = 0; k < self->n_series; k++)
    if (series[k].is_trial && point->is_trial)
      add_trial (&self->curves[k], point->step, point->values[k]);
    else if (!series[k].is_trial && !point->is_trial)
      append (&self->curves[k], point->step, point->values[k]);
}

static void
begin (GobanTrainingCharts *self, guint n_series)
{
  self->n_series = n_series;
  for (guint k = 0; k < n_series; k++)
    self->curves[k] = (Curve){ .x = g_array_new (FALSE, FALSE, sizeof (double)),
                               .y = g_array_new (FALSE, FALSE, sizeof (double)) };
}

/* --- charts ----------------------------------------------------------------------------------- */

static const char *
get_title (GobanSeriesKind kind)
{
  switch (kind)
    {
    case GOBAN_SERIES_RATIO:
      return _ ("Time of a step over the reference's");
    case GOBAN_SERIES_REWARD:
      return _ ("Reward");
    case GOBAN_SERIES_ENTROPY:
      return _ ("Entropy of a decision in nats");
    case GOBAN_SERIES_SHARE:
      return _ ("Shares");
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

/* A chart per kind, in the order of the kinds, with the lines of its series. */
static void
arrange_charts (GobanTrainingCharts *self, const GobanTrainingSeries *series)
{
  guint n_lines = 0;

  self->n_charts = 0;
  for (GobanSeriesKind kind = 0; kind < GOBAN_SERIES_N_KINDS; kind++)
    {
      GobanChart *chart = &self->charts[self->n_charts];

      *chart
          = (GobanChart){ .title = get_title (kind),
                          .lines = &self->lines[n_lines],
                          .level = kind == GOBAN_SERIES_RATIO ? 1 : (double) NAN,
                          .from_zero = kind == GOBAN_SERIES_ENTROPY || kind == GOBAN_SERIES_SHARE };
      for (guint k = 0; k < self->n_series; k++)
        {
          const Curve *curve = &self->curves[k];

          if (series[k].kind != kind)
            continue;
          self->lines[n_lines++]
              = (GobanChartLine){ _ (series[k].title), (const double *) (void *) curve->x->data,
                                  (const double *) (void *) curve->y->data, curve->x->len,
                                  series[k].is_trial };
          chart->n_lines++;
        }
      self->n_charts += chart->n_lines > 0;
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
  GobanTrainingPoint points[N_READ];
  const GobanTrainingSeries *series;
  guint n_series, n, n_before;

  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), FALSE);

  if (self->log == NULL)
    return FALSE;
  series = goban_training_log_get_series (self->log, &n_series);
  if (n_series == 0)
    return FALSE;
  if (self->n_series == 0)
    begin (self, n_series);
  n_before = self->n_read;
  while ((n = goban_training_log_read (self->log, self->n_read, points, N_READ)) > 0)
    {
      for (guint i = 0; i < n; i++)
        add_point (self, series, &points[i]);
      self->n_read += n;
    }
  if (self->n_read == n_before)
    return FALSE;
  arrange_charts (self, series);
  if (self->is_fitted)
    goban_training_charts_fit (self);
  describe_to_people (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
  return TRUE;
}

void
goban_training_charts_set_log (GobanTrainingCharts *self, GobanTrainingLog *log)
{
  g_return_if_fail (GOBAN_IS_TRAINING_CHARTS (self));

  if (log == self->log)
    return;
  clear_points (self);
  g_clear_pointer (&self->log, goban_training_log_unref);
  if (log != NULL)
    self->log = goban_training_log_ref (log);
  goban_training_charts_fit (self);
  goban_training_charts_update (self);
  goban_picture_invalidate (GOBAN_PICTURE (self));
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

  return self->n_read;
}

char *
goban_training_charts_describe (GobanTrainingCharts *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double at;
  guint n = 0;

  g_return_val_if_fail (GOBAN_IS_TRAINING_CHARTS (self), NULL);

  if (self->n_read == 0)
    return g_strdup ("");
  at = isfinite (self->cursor) ? floor (self->cursor) : self->last_update;
  g_string_append_printf (text, _ ("Update %.0f: "), at);
  for (guint c = 0; c < self->n_charts; c++)
    for (guint k = 0; k < self->charts[c].n_lines; k++)
      {
        const GobanChartLine *line = &self->charts[c].lines[k];
        double value = goban_chart_line_get (line, at);
        char number[GOBAN_QUANTITY_LEN];

        if (!isfinite (value))
          continue;
        g_string_append_printf (text, "%s%s %s", n++ > 0 ? ", " : "", line->title,
                                g_ascii_formatd (number, sizeof number, "%.4g", value));
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

/* At least four updates and at most all of them; all of them follow what is new. */
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

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        gpointer user_data)
{
  GobanTrainingCharts *self = user_data;

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

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_training_charts_finalize (GObject *object)
{
  GobanTrainingCharts *self = GOBAN_TRAINING_CHARTS (object);

  clear_points (self);
  g_clear_pointer (&self->log, goban_training_log_unref);

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
  picture_class->hover = goban_training_charts_hover;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "trainingcharts");
}

static void
goban_training_charts_init (GobanTrainingCharts *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  clear_points (self);
  goban_training_charts_fit (self);
  goban_set_accessible_label (GTK_WIDGET (self), _ ("Learning curves"));
}

GtkWidget *
goban_training_charts_new (void)
{
  return g_object_new (GOBAN_TYPE_TRAINING_CHARTS, NULL);
}
