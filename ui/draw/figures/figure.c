#include "ui/draw/figures/figure.h"

#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

#define MAX_BINS 200
/* As in ui/draw/charts/waterfall.c: what is left free below the least end, as a share of the range,
 * if that is more than a share of the largest. */
#define STEPS_MARGIN 0.3
#define STEPS_NEAR_ZERO 0.35
#define ROUNDING 1e-9 /* of sums as large as the ends of a step */

GobanFigure *
goban_figure_new (GobanFigureKind kind, guint n_series)
{
  GobanFigure *self = g_new0 (GobanFigure, 1);
  GobanFigureAxis *const axes[] = { &self->x, &self->y, &self->z };

  g_atomic_ref_count_init (&self->n_references);
  self->kind = kind;
  self->title = g_strdup ("");
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    *axes[i] = (GobanFigureAxis){ .label = g_strdup (""), .unit = g_strdup ("") };
  self->series = g_new0 (GobanFigureSeries, n_series);
  self->n_series = n_series;
  return self;
}

GobanFigure *
goban_figure_ref (GobanFigure *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

static void
clear_axis (GobanFigureAxis *axis)
{
  g_free (axis->label);
  g_free (axis->unit);
  g_strfreev (axis->words);
}

static void
clear_series (GobanFigureSeries *series)
{
  g_free (series->name);
  g_free (series->x);
  g_free (series->y);
  g_free (series->z);
  g_free (series->errors);
  if (series->labels != NULL)
    for (guint i = 0; i < series->n; i++)
      g_free (series->labels[i]);
  g_free (series->labels);
  g_clear_pointer (&series->references, g_ptr_array_unref);
}

void
goban_figure_unref (GobanFigure *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->n_references))
    return;
  for (guint k = 0; k < self->n_series; k++)
    clear_series (&self->series[k]);
  g_free (self->series);
  clear_axis (&self->x);
  clear_axis (&self->y);
  clear_axis (&self->z);
  g_free (self->title);
  g_free (self->edges);
  g_free (self->counts);
  g_free (self);
}

const char *
goban_figure_kind_name (GobanFigureKind kind)
{
  static const char *const names[] = { "lines", "bars", "scatter", "histogram", "heat" };

  return names[kind];
}

guint
goban_figure_count_points (const GobanFigure *self)
{
  guint n = 0;

  for (guint k = 0; k < self->n_series; k++)
    n += self->series[k].n;
  return n;
}

guint
goban_figure_count_marks (const GobanFigure *self, guint series)
{
  return self->kind == GOBAN_FIGURE_HISTOGRAM ? self->n_bins : self->series[series].n;
}

gboolean
goban_figure_axis_has (const GobanFigureAxis *axis, double value)
{
  return isfinite (value) && (!axis->is_log || value > 0);
}

/* --- bins ------------------------------------------------------------------------------------- */

static guint
find_bin (const GobanFigure *self, double value)
{
  double first = self->edges[0], last = self->edges[self->n_bins];
  double place = self->x.is_log ? log (value / first) / log (last / first)
                                : (value - first) / (last - first);

  return (guint) CLAMP (floor (place * self->n_bins), 0, (double) self->n_bins - 1);
}

/* As many bins as the square root of the number of points: enough for a shape, few enough for the
 * counts to mean something. */
static void
find_edges (GobanFigure *self, double least, double most, guint n)
{
  gboolean is_log = self->x.is_log;

  if (self->n_bins == 0)
    self->n_bins = (guint) CLAMP (ceil (sqrt (n)), 5, 60);
  self->n_bins = MIN (self->n_bins, MAX_BINS);
  if (!(most > least))
    {
      double margin = least != 0 ? fabs (least) / 2 : 0.5;

      least -= margin;
      most += margin;
    }
  self->edges = g_new (double, self->n_bins + 1);
  for (guint i = 0; i <= self->n_bins; i++)
    {
      double t = (double) i / self->n_bins;

      self->edges[i] = is_log ? least * pow (most / least, t) : least + t * (most - least);
    }
}

static gboolean
count_bins (GobanFigure *self, GError **error)
{
  double least = INFINITY, most = -INFINITY;
  guint n = 0;

  for (guint k = 0; k < self->n_series; k++)
    for (guint i = 0; i < self->series[k].n; i++)
      if (goban_figure_axis_has (&self->x, self->series[k].x[i]))
        {
          least = fmin (least, self->series[k].x[i]);
          most = fmax (most, self->series[k].x[i]);
          n++;
        }
  if (n == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "there is no number to plot");
  find_edges (self, least, most, n);
  self->counts = g_new0 (double, (gsize) self->n_bins * self->n_series);
  for (guint k = 0; k < self->n_series; k++)
    for (guint i = 0; i < self->series[k].n; i++)
      if (goban_figure_axis_has (&self->x, self->series[k].x[i]))
        self->counts[k * self->n_bins + find_bin (self, self->series[k].x[i])]++;
  return TRUE;
}

static gboolean
has_number (const GobanFigure *self)
{
  for (guint k = 0; k < self->n_series; k++)
    {
      const GobanFigureSeries *series = &self->series[k];
      const double *values = self->kind == GOBAN_FIGURE_HEAT ? series->z : series->y;

      for (guint i = 0; i < series->n; i++)
        if (isfinite (series->x[i]) && isfinite (values[i]))
          return TRUE;
    }
  return FALSE;
}

gboolean
goban_figure_complete (GobanFigure *self, GError **error)
{
  if (self->kind == GOBAN_FIGURE_HISTOGRAM)
    return count_bins (self, error);
  return has_number (self)
         || goban_refuse (error, GOBAN_ERROR_INVALID, "there is no number to plot");
}

GobanReference *
goban_figure_dup_reference (const GobanFigure *self, GobanFigurePoint point)
{
  const GobanFigureSeries *series = &self->series[point.series];
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  if (series->references == NULL)
    return NULL;
  if (self->kind != GOBAN_FIGURE_HISTOGRAM)
    g_ptr_array_add (found, g_ptr_array_index (series->references, point.i));
  else
    for (guint i = 0; i < series->n; i++)
      if (goban_figure_axis_has (&self->x, series->x[i])
          && find_bin (self, series->x[i]) == point.i)
        g_ptr_array_add (found, g_ptr_array_index (series->references, i));
  return goban_reference_new_union ((const GobanReference *const *) found->pdata, found->len);
}

/* --- words ------------------------------------------------------------------------------------ */

const char *
goban_figure_format (const GobanFigureAxis *axis, char *buffer, double value)
{
  guint n_words = axis->words != NULL ? g_strv_length (axis->words) : 0;
  char number[GOBAN_QUANTITY_LEN];

  if (axis->words != NULL)
    return value >= 0 && value < n_words ? axis->words[(guint) (value + 0.5)] : "";
  if (!isfinite (value))
    return "–";
  if (g_str_equal (axis->unit, "s"))
    return goban_format_time (buffer, value * 1e6);
  if (g_str_equal (axis->unit, "B"))
    return goban_format_bytes (buffer, value);
  if (value == floor (value) && fabs (value) < 1e15)
    g_snprintf (number, sizeof number, "%.0f", value);
  else
    g_ascii_formatd (number, sizeof number, "%.4g", value);
  g_snprintf (buffer, GOBAN_QUANTITY_LEN, "%s%s%.12s", number, *axis->unit != '\0' ? " " : "",
              axis->unit);
  return buffer;
}

double
goban_figure_get_base (const GobanFigure *self, GobanFigurePoint point)
{
  const double *z = self->series[point.series].z;

  return self->kind == GOBAN_FIGURE_BARS && z != NULL && isfinite (z[point.i]) ? z[point.i] : 0;
}

gboolean
goban_figure_has_steps (const GobanFigure *self)
{
  for (guint k = 0; k < self->n_series; k++)
    for (guint i = 0; i < goban_figure_count_marks (self, k); i++)
      if (goban_figure_get_base (self, (GobanFigurePoint){ k, i }) != 0)
        return TRUE;
  return FALSE;
}

double
goban_figure_get_steps_start (const GobanFigure *self)
{
  double least = INFINITY, most = -INFINITY, start;

  if (!goban_figure_has_steps (self))
    return 0;
  for (guint k = 0; k < self->n_series; k++)
    for (guint i = 0; i < self->series[k].n; i++)
      if (isfinite (self->series[k].y[i]))
        {
          least = fmin (least, self->series[k].y[i]);
          most = fmax (most, self->series[k].y[i]);
        }
  start = least - STEPS_MARGIN * (most - least);
  return most > least && least > STEPS_NEAR_ZERO * most ? fmax (start, 0) : 0;
}

const char *
goban_figure_format_bar (const GobanFigure *self, char *buffer, GobanFigurePoint point)
{
  double base = goban_figure_get_base (self, point);
  double end = self->series[point.series].y[point.i];
  char size[GOBAN_QUANTITY_LEN];

  if (base == 0 || !isfinite (end))
    return goban_figure_format (&self->y, buffer, end);
  if (fabs (end - base) <= ROUNDING * fabs (end))
    return goban_figure_format (&self->y, buffer, 0);
  g_snprintf (buffer, GOBAN_QUANTITY_LEN, "%s%s", end < base ? "-" : "+",
              goban_figure_format (&self->y, size, fabs (end - base)));
  return buffer;
}

/* "makespan 12.4 ms" */
static void
append_value (GString *text, const GobanFigureAxis *axis, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  if (text->len > 0 && !g_str_has_suffix (text->str, ": "))
    g_string_append (text, ", ");
  if (*axis->label != '\0')
    g_string_append_printf (text, "%s ", axis->label);
  g_string_append (text, goban_figure_format (axis, buffer, value));
}

static void
append_bin (const GobanFigure *self, GString *text, GobanFigurePoint point)
{
  char buffer[GOBAN_QUANTITY_LEN];
  double count = self->counts[point.series * self->n_bins + point.i];

  append_value (text, &self->x, self->edges[point.i]);
  g_string_append_printf (text, " to %s: %.0f",
                          goban_figure_format (&self->x, buffer, self->edges[point.i + 1]), count);
}

char *
goban_figure_describe_point (const GobanFigure *self, GobanFigurePoint point)
{
  const GobanFigureSeries *series = &self->series[point.series];
  char buffer[GOBAN_QUANTITY_LEN];
  GString *text = g_string_new (NULL);

  if (self->n_series > 1 && *series->name != '\0')
    g_string_append_printf (text, "%s: ", series->name);
  if (self->kind == GOBAN_FIGURE_HISTOGRAM)
    {
      append_bin (self, text, point);
      return g_string_free (text, FALSE);
    }
  if (series->labels != NULL && series->labels[point.i] != NULL)
    g_string_append_printf (text, "%s: ", series->labels[point.i]);
  append_value (text, &self->x, series->x[point.i]);
  append_value (text, &self->y, series->y[point.i]);
  if (self->kind == GOBAN_FIGURE_HEAT)
    append_value (text, &self->z, series->z[point.i]);
  if (goban_figure_get_base (self, point) != 0)
    g_string_append_printf (text, ", %s", goban_figure_format_bar (self, buffer, point));
  return g_string_free (text, FALSE);
}

/* "5 points, 1.2 ms to 3.4 ms": the range of a series' colours or heights. */
static void
append_range (const GobanFigure *self, GString *text, guint k)
{
  const GobanFigureSeries *series = &self->series[k];
  const double *values = self->kind == GOBAN_FIGURE_HISTOGRAM ? series->x
                         : self->kind == GOBAN_FIGURE_HEAT    ? series->z
                                                              : series->y;
  const GobanFigureAxis *axis = self->kind == GOBAN_FIGURE_HISTOGRAM ? &self->x
                                : self->kind == GOBAN_FIGURE_HEAT    ? &self->z
                                                                     : &self->y;
  double least = INFINITY, most = -INFINITY;
  char n[GOBAN_QUANTITY_LEN], a[GOBAN_QUANTITY_LEN], b[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < series->n; i++)
    if (isfinite (values[i]))
      {
        least = fmin (least, values[i]);
        most = fmax (most, values[i]);
      }
  g_string_append_printf (text, series->n == 1 ? "%s point" : "%s points",
                          goban_format_grouped (n, series->n));
  if (least <= most)
    g_string_append_printf (text, ", %s to %s", goban_figure_format (axis, a, least),
                            goban_figure_format (axis, b, most));
}

char *
goban_figure_describe (const GobanFigure *self)
{
  static const char *const kinds[] = { "Lines", "Bars", "Points", "Histogram", "Heat map" };
  const GobanFigureAxis *value = self->kind == GOBAN_FIGURE_HEAT ? &self->z : &self->y;
  GString *text = g_string_new (kinds[self->kind]);

  if (*self->title != '\0')
    g_string_append_printf (text, " “%s”", self->title);
  if (*value->label != '\0' && self->kind != GOBAN_FIGURE_HISTOGRAM)
    g_string_append_printf (text, " of %s", value->label);
  if (*self->x.label != '\0')
    g_string_append_printf (text, " %s %s", self->kind == GOBAN_FIGURE_HISTOGRAM ? "of" : "over",
                            self->x.label);
  if (self->kind == GOBAN_FIGURE_HEAT && *self->y.label != '\0')
    g_string_append_printf (text, " and %s", self->y.label);
  for (guint k = 0; k < self->n_series; k++)
    {
      g_string_append (text, k == 0 ? ": " : "; ");
      if (self->n_series > 1)
        g_string_append_printf (text, "%s, ", self->series[k].name);
      append_range (self, text, k);
    }
  return g_string_free (text, FALSE);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void
append_cell (GString *csv, const char *text)
{
  if (csv->len > 0 && csv->str[csv->len - 1] != '\n')
    g_string_append_c (csv, ',');
  goban_csv_append_text (csv, text);
}

/* Numbers as they are, in seconds and bytes; words as words. */
static void
append_number (GString *csv, const GobanFigureAxis *axis, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  if (axis->words != NULL)
    append_cell (csv, goban_figure_format (axis, buffer, value));
  else
    append_cell (csv, isfinite (value) ? goban_format_double (buffer, value) : "");
}

/* A name with its unit, as in tables: makespan_s, memory_bytes; in words "time a step (s)". */
static void
append_header (GString *csv, const GobanFigureAxis *axis, const char *fallback)
{
  const char *name = *axis->label != '\0' ? axis->label : fallback;
  const char *suffix = g_str_equal (axis->unit, "s")   ? "s"
                       : g_str_equal (axis->unit, "B") ? "bytes"
                                                       : NULL;
  g_autofree char *text = NULL;

  if (*axis->unit == '\0' || (suffix != NULL && g_str_has_suffix (name, suffix)))
    text = g_strdup (name);
  else if (suffix != NULL && strchr (name, ' ') == NULL)
    text = g_strdup_printf ("%s_%s", name, suffix);
  else
    text = g_strdup_printf ("%s (%s)", name, axis->unit);
  append_cell (csv, text);
}

static void
append_bins (const GobanFigure *self, GString *csv)
{
  append_cell (csv, "series");
  append_header (csv, &self->x, "from");
  append_cell (csv, "to");
  append_cell (csv, "count");
  g_string_append_c (csv, '\n');
  for (guint k = 0; k < self->n_series; k++)
    for (guint i = 0; i < self->n_bins; i++)
      {
        char count[GOBAN_QUANTITY_LEN];

        append_cell (csv, *self->series[k].name != '\0' ? self->series[k].name : "1");
        append_number (csv, &self->x, self->edges[i]);
        append_number (csv, &self->x, self->edges[i + 1]);
        append_cell (csv, goban_format_double (count, self->counts[k * self->n_bins + i]));
        g_string_append_c (csv, '\n');
      }
}

static gboolean
has_errors (const GobanFigure *self)
{
  for (guint k = 0; k < self->n_series; k++)
    if (self->series[k].errors != NULL)
      return TRUE;
  return FALSE;
}

static void
append_points (const GobanFigure *self, GString *csv, guint k, gboolean has_steps)
{
  const GobanFigureSeries *series = &self->series[k];

  for (guint i = 0; i < series->n; i++)
    {
      append_cell (csv, *series->name != '\0' ? series->name : "1");
      append_number (csv, &self->x, series->x[i]);
      append_number (csv, &self->y, series->y[i]);
      if (self->kind == GOBAN_FIGURE_HEAT)
        append_number (csv, &self->z, series->z[i]);
      if (has_steps)
        append_number (csv, &self->y, goban_figure_get_base (self, (GobanFigurePoint){ k, i }));
      if (has_errors (self))
        append_number (csv, &self->y, series->errors != NULL ? series->errors[i] : (double) NAN);
      append_cell (csv,
                   series->labels != NULL && series->labels[i] != NULL ? series->labels[i] : "");
      g_string_append_c (csv, '\n');
    }
}

char *
goban_figure_to_csv (const GobanFigure *self)
{
  gboolean has_steps = goban_figure_has_steps (self);
  GString *csv = g_string_new (NULL);

  if (self->kind == GOBAN_FIGURE_HISTOGRAM)
    {
      append_bins (self, csv);
      return g_string_free (csv, FALSE);
    }
  append_cell (csv, "series");
  append_header (csv, &self->x, "x");
  append_header (csv, &self->y, "y");
  if (self->kind == GOBAN_FIGURE_HEAT)
    append_header (csv, &self->z, "value");
  if (has_steps)
    append_cell (csv, "from");
  if (has_errors (self))
    append_cell (csv, "error");
  append_cell (csv, "label");
  g_string_append_c (csv, '\n');
  for (guint k = 0; k < self->n_series; k++)
    append_points (self, csv, k, has_steps);
  return g_string_free (csv, FALSE);
}
