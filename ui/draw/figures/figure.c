#include "ui/draw/figures/figure.h"

#include "engine/core/csv-text.h"
#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "ui/draw/charts/waterfall.h"

#include <math.h>
#include <string.h>

#define MAX_BINS 200
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

static gboolean
has_steps (const GobanFigure *self)
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
  double least = INFINITY, most = -INFINITY;

  if (!has_steps (self))
    return (double) NAN;
  for (guint k = 0; k < self->n_series; k++)
    for (guint i = 0; i < self->series[k].n; i++)
      if (isfinite (self->series[k].y[i]))
        {
          least = fmin (least, self->series[k].y[i]);
          most = fmax (most, self->series[k].y[i]);
        }
  return goban_waterfall_find_start (least, most);
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
append_points (const GobanFigure *self, GString *csv, guint k, gboolean is_stepped)
{
  const GobanFigureSeries *series = &self->series[k];

  for (guint i = 0; i < series->n; i++)
    {
      append_cell (csv, *series->name != '\0' ? series->name : "1");
      append_number (csv, &self->x, series->x[i]);
      append_number (csv, &self->y, series->y[i]);
      if (self->kind == GOBAN_FIGURE_HEAT)
        append_number (csv, &self->z, series->z[i]);
      if (is_stepped)
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
  gboolean is_stepped = has_steps (self);
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
  if (is_stepped)
    append_cell (csv, "from");
  if (has_errors (self))
    append_cell (csv, "error");
  append_cell (csv, "label");
  g_string_append_c (csv, '\n');
  for (guint k = 0; k < self->n_series; k++)
    append_points (self, csv, k, is_stepped);
  return g_string_free (csv, FALSE);
}

/* --- sketches: a figure in lines of characters, for a terminal -------------------------------- */

/* Lines of a plot, and bars or rows of a heat map at most. */
#define N_LINES 8
#define MOST_BARS 16
#define MOST_STEPS 24
#define LEAST_ROOM 10
#define MOST_LABEL 24
#define CELL_WIDTH 6

typedef struct
{
  const GobanFigure *figure;
  GString *text;
  guint width;
  gboolean is_ascii;
} Sketch;

/* --- scales ----------------------------------------------------------------------------------- */

typedef struct
{
  const GobanFigureAxis *axis;
  double least;
  double most;
} Scale;

static void
extend (Scale *self, double value)
{
  if (!goban_figure_axis_has (self->axis, value))
    return;
  self->least = fmin (self->least, value);
  self->most = fmax (self->most, value);
}

static double
on_axis (const Scale *self, double value)
{
  return self->axis->is_log ? log (value) : value;
}

/* 0..1 from the least to the most. */
static double
place (const Scale *self, double value)
{
  double length = on_axis (self, self->most) - on_axis (self, self->least);

  return length > 0 ? (on_axis (self, value) - on_axis (self, self->least)) / length : 0.5;
}

/* --- text ------------------------------------------------------------------------------------- */

static guint
count (const char *text)
{
  return (guint) g_utf8_strlen (text, -1);
}

/* @text in exactly @n columns. */
static void
add_field (Sketch *self, const char *text, guint n, gboolean is_right)
{
  guint length = count (text);
  g_autofree char *part = g_utf8_substring (text, 0, MIN (length, length > n && n > 0 ? n - 1 : n));
  const char *dots = length <= n || n == 0 ? "" : self->is_ascii ? "~" : "…";
  int space = (int) (n - MIN (n, length));

  g_string_append_printf (self->text, "%*s%s%s%*s", is_right ? space : 0, "", part, dots,
                          is_right ? 0 : space, "");
}

static void
end_line (Sketch *self)
{
  while (self->text->len > 0 && self->text->str[self->text->len - 1] == ' ')
    g_string_truncate (self->text, self->text->len - 1);
  g_string_append_c (self->text, '\n');
}

/* --- lines and points ------------------------------------------------------------------------- */

/* Braille has 2 x 4 dots a character; series that are told apart have a letter a character. */
typedef struct
{
  guint n_columns;
  guint dots_x, dots_y;
  guint8 *cells; /* dots as bits, or a letter; 0: nothing */
} Canvas;

static void
draw_dot (Canvas *canvas, double x, double y, char letter)
{
  static const guint8 bits[4][2]
      = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } };
  guint column = (guint) (x * (canvas->n_columns * canvas->dots_x - 1) + 0.5);
  guint row = (guint) ((1 - y) * (N_LINES * canvas->dots_y - 1) + 0.5);
  guint8 *cell = &canvas->cells[row / canvas->dots_y * canvas->n_columns + column / canvas->dots_x];

  if (canvas->dots_x > 1)
    *cell |= bits[row % canvas->dots_y][column % canvas->dots_x];
  else
    *cell = (guint8) letter;
}

static void
draw_series (const GobanFigure *figure, guint k, const Scale *x, const Scale *y, Canvas *canvas)
{
  const GobanFigureSeries *series = &figure->series[k];
  char letter = figure->n_series > 1 ? (char) ('a' + k % 26) : '*';
  double last_x = NAN, last_y = NAN;

  for (guint i = 0; i < series->n; i++)
    {
      gboolean has_place = goban_figure_axis_has (x->axis, series->x[i])
                           && goban_figure_axis_has (y->axis, series->y[i]);
      double at_x = has_place ? place (x, series->x[i]) : (double) NAN;
      double at_y = has_place ? place (y, series->y[i]) : (double) NAN;

      if (has_place && figure->kind == GOBAN_FIGURE_LINES && isfinite (last_x))
        {
          guint n = (guint) ceil (fmax (fabs (at_x - last_x) * canvas->n_columns * canvas->dots_x,
                                        fabs (at_y - last_y) * N_LINES * canvas->dots_y));

          for (guint step = 1; step < n; step++)
            draw_dot (canvas, last_x + (at_x - last_x) * step / n,
                      last_y + (at_y - last_y) * step / n, letter);
        }
      if (has_place)
        draw_dot (canvas, at_x, at_y, letter);
      last_x = at_x;
      last_y = at_y;
    }
}

static void
add_legend (Sketch *self)
{
  g_autoptr (GString) legend = g_string_new (NULL);

  if (self->figure->n_series < 2)
    return;
  for (guint k = 0; k < self->figure->n_series; k++)
    g_string_append_printf (legend, "%s%c %s", k > 0 ? "  " : "", (char) ('a' + k % 26),
                            self->figure->series[k].name);
  add_field (self, legend->str, self->width, FALSE);
  end_line (self);
}

static void
sketch_plane (Sketch *self)
{
  const GobanFigure *figure = self->figure;
  Scale x = { &figure->x, INFINITY, -INFINITY }, y = { &figure->y, INFINITY, -INFINITY };
  char texts[4][GOBAN_QUANTITY_LEN];
  const char *low, *high, *left, *right;
  gboolean has_dots = figure->n_series == 1 && !self->is_ascii;
  g_autofree guint8 *cells = NULL;
  Canvas canvas;
  guint label;

  for (guint k = 0; k < figure->n_series; k++)
    for (guint i = 0; i < figure->series[k].n; i++)
      if (goban_figure_axis_has (&figure->y, figure->series[k].y[i]))
        {
          extend (&x, figure->series[k].x[i]);
          extend (&y, figure->series[k].y[i]);
        }
  if (!(x.least <= x.most) || !(y.least <= y.most))
    return;
  low = goban_figure_format (&figure->y, texts[0], y.least);
  high = goban_figure_format (&figure->y, texts[1], y.most);
  left = goban_figure_format (&figure->x, texts[2], x.least);
  right = goban_figure_format (&figure->x, texts[3], x.most);
  label = MIN (MAX (count (low), count (high)), MOST_LABEL);
  canvas = (Canvas){ MAX (self->width, label + 2 + LEAST_ROOM) - label - 2, has_dots ? 2 : 1,
                     has_dots ? 4 : 1, NULL };
  canvas.cells = cells = g_new0 (guint8, (gsize) N_LINES * canvas.n_columns);
  for (guint k = 0; k < figure->n_series; k++)
    draw_series (figure, k, &x, &y, &canvas);

  for (guint row = 0; row < N_LINES; row++)
    {
      add_field (self, row == 0 ? high : row == N_LINES - 1 ? low : "", label, TRUE);
      g_string_append (self->text, self->is_ascii ? " |" : " │");
      for (guint column = 0; column < canvas.n_columns; column++)
        {
          guint8 cell = cells[row * canvas.n_columns + column];

          g_string_append_unichar (self->text, cell == 0 ? ' ' : has_dots ? 0x2800 + cell : cell);
        }
      end_line (self);
    }
  add_field (self, "", label + 2, FALSE);
  add_field (self, left, canvas.n_columns / 2, FALSE);
  add_field (self, x.most > x.least ? right : "", canvas.n_columns - canvas.n_columns / 2, TRUE);
  end_line (self);
  add_legend (self);
}

/* --- bars ------------------------------------------------------------------------------------- */

/* In a row of its own. */
typedef struct
{
  char *label;
  char *value;
  double from;
  double to;
} Bar;

static void
clear_bar (gpointer data)
{
  Bar *bar = data;

  g_free (bar->label);
  g_free (bar->value);
}

/* The bars of a figure, or of the bins of a histogram. */
static void
collect_bars (const GobanFigure *figure, GArray *bars)
{
  char text[GOBAN_QUANTITY_LEN], value[GOBAN_QUANTITY_LEN];
  gboolean is_histogram = figure->kind == GOBAN_FIGURE_HISTOGRAM;
  guint per_bar = is_histogram ? (figure->n_bins + MOST_BARS - 1) / MOST_BARS : 1;

  for (guint k = 0; k < figure->n_series; k++)
    {
      const GobanFigureSeries *series = &figure->series[k];

      for (guint i = 0; i < goban_figure_count_marks (figure, k); i += per_bar)
        {
          GobanFigurePoint point = { k, i };
          const char *at = goban_figure_format (&figure->x, text,
                                                is_histogram ? figure->edges[i] : series->x[i]);
          Bar bar = { .from = goban_figure_get_base (figure, point),
                      .to = is_histogram ? 0 : series->y[i] };

          for (guint bin = i; is_histogram && bin < MIN (i + per_bar, figure->n_bins); bin++)
            bar.to += figure->counts[k * figure->n_bins + bin];
          bar.label
              = figure->n_series > 1 ? g_strdup_printf ("%s %s", series->name, at) : g_strdup (at);
          bar.value = is_histogram ? g_strdup_printf ("%.0f", bar.to)
                                   : g_strdup (goban_figure_format_bar (figure, value, point));
          g_array_append_val (bars, bar);
        }
    }
}

/* Bars to the left of 0 end at a line. */
static void
add_bar (Sketch *self, const Bar *bar, guint label_width, const Scale *scale, guint room)
{
  static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  const char *line = scale->least >= 0 ? "" : self->is_ascii ? "|" : "│";
  gboolean is_left = bar->to < 0, is_there = isfinite (bar->to) && scale->most > scale->least;
  double from = is_there ? place (scale, fmax (fmin (bar->from, bar->to), scale->least)) : 0;
  double to = is_there ? place (scale, fmax (bar->from, bar->to)) : 0;
  guint start = (guint) (from * room + 0.5);
  guint n
      = (guint) (fmax (is_left ? floor (to * room + 0.5) - start : to * room - start, 0) * 8 + 0.5);

  add_field (self, bar->label, label_width, FALSE);
  g_string_append_printf (self->text, " %*s%s", (int) start, "", is_left ? "" : line);
  for (guint i = 0; i < (self->is_ascii ? (n + 4) / 8 : n / 8); i++)
    g_string_append (self->text, self->is_ascii ? "#" : "█");
  g_string_append_printf (self->text, "%s%s %s", self->is_ascii ? "" : eighths[n % 8],
                          is_left ? line : "", bar->value);
  end_line (self);
}

static void
sketch_bars (Sketch *self)
{
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (Bar));
  guint label_width = 0, rest = 2, n;
  double start = goban_figure_get_steps_start (self->figure);
  guint most = isnan (start) ? MOST_BARS : MOST_STEPS;
  static const GobanFigureAxis linear = { .is_log = FALSE };
  Scale scale = { &linear, isnan (start) ? 0 : start, isnan (start) ? 0 : start };

  g_array_set_clear_func (bars, clear_bar);
  collect_bars (self->figure, bars);
  n = MIN (bars->len, most);
  for (guint i = 0; i < n; i++)
    {
      const Bar *bar = &g_array_index (bars, Bar, i);

      label_width = MAX (label_width, MIN (count (bar->label), MOST_LABEL));
      rest = MAX (rest, count (bar->value) + 2);
      extend (&scale, bar->to);
      if (bar->from != 0)
        extend (&scale, bar->from);
    }
  rest += label_width + (scale.least < 0);
  for (guint i = 0; i < n; i++)
    add_bar (self, &g_array_index (bars, Bar, i), label_width, &scale,
             MAX (self->width, rest + LEAST_ROOM) - rest);
  if (bars->len > n)
    g_string_append_printf (self->text, "... %u more\n", bars->len - n);
}

/* --- heat maps -------------------------------------------------------------------------------- */

/* From the least to the most. */
static const char *const shades[] = { "·", "░", "▒", "▓", "█" };
static const char *const ascii_shades[] = { ".", ":", "+", "*", "#" };

static guint
find_shade (double place)
{
  return MIN ((guint) (place * G_N_ELEMENTS (shades)), (guint) G_N_ELEMENTS (shades) - 1);
}

static void
sketch_heat (Sketch *self)
{
  const GobanFigure *figure = self->figure;
  const GobanFigureSeries *series = &figure->series[0];
  const char *const *marks = self->is_ascii ? ascii_shades : shades;
  guint n_x = g_strv_length (figure->x.words), n_y = g_strv_length (figure->y.words);
  g_autofree double *values = g_new (double, (gsize) n_x *n_y);
  Scale z = { &figure->z, INFINITY, -INFINITY };
  char low[GOBAN_QUANTITY_LEN], high[GOBAN_QUANTITY_LEN];
  guint label = 0, cell, n_shown, n_rows = MIN (n_y, MOST_BARS);

  for (guint i = 0; i < n_x * n_y; i++)
    values[i] = NAN;
  for (guint i = 0; i < series->n; i++)
    {
      values[(guint) series->y[i] * n_x + (guint) series->x[i]] = series->z[i];
      extend (&z, series->z[i]);
    }
  for (guint row = 0; row < n_rows; row++)
    label = MAX (label, MIN (count (figure->y.words[row]), MOST_LABEL));
  cell = CLAMP ((MAX (self->width, label + 1 + LEAST_ROOM) - label - 1) / n_x, 1, CELL_WIDTH);
  n_shown = MIN (n_x, (MAX (self->width, label + 1 + LEAST_ROOM) - label - 1) / cell);

  for (guint row = n_rows; row-- > 0;)
    {
      add_field (self, figure->y.words[row], label, TRUE);
      g_string_append_c (self->text, ' ');
      for (guint column = 0; column < n_shown; column++)
        {
          double value = values[row * n_x + column];

          for (guint i = 0; i < cell; i++)
            g_string_append (self->text, goban_figure_axis_has (&figure->z, value)
                                             ? marks[find_shade (place (&z, value))]
                                             : " ");
        }
      end_line (self);
    }
  add_field (self, "", label + 1, FALSE);
  for (guint column = 0; column < n_shown; column++)
    if (cell > 1)
      {
        add_field (self, figure->x.words[column], cell - 1, FALSE);
        g_string_append_c (self->text, ' ');
      }
  end_line (self);
  if (z.least <= z.most)
    g_string_append_printf (
        self->text, "%s %s  %s %s\n", marks[0], goban_figure_format (&figure->z, low, z.least),
        marks[G_N_ELEMENTS (shades) - 1], goban_figure_format (&figure->z, high, z.most));
  if (n_rows < n_y || n_shown < n_x)
    g_string_append_printf (self->text, "... %u more\n", n_x * n_y - n_rows * n_shown);
}

char *
goban_figure_sketch (const GobanFigure *self, guint width, gboolean is_ascii)
{
  Sketch sketch = { self, g_string_new (NULL), width, is_ascii };

  switch (self->kind)
    {
    case GOBAN_FIGURE_LINES:
    case GOBAN_FIGURE_SCATTER:
      sketch_plane (&sketch);
      break;
    case GOBAN_FIGURE_BARS:
    case GOBAN_FIGURE_HISTOGRAM:
      sketch_bars (&sketch);
      break;
    case GOBAN_FIGURE_HEAT:
      sketch_heat (&sketch);
      break;
    case GOBAN_FIGURE_N_KINDS:
      g_assert_not_reached ();
    }
  return g_string_free (sketch.text, FALSE);
}
