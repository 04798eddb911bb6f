#include "ui/draw/figures/figure-layout.h"

#include <math.h>

#define MIN_LEGEND_CELL 150.0
#define MAX_LEGEND_ROWS 4
#define WORDS_WIDTH 84.0 /* for the words at the left of a heat map */
#define BAR_SHARE 0.8    /* of its slot that a group of bars takes */
#define MAX_DISTANCE 24.0

typedef struct
{
  double least;
  double most;
} Range;

static void
range_add (Range *range, const GobanFigureAxis *axis, double value)
{
  if (!goban_figure_axis_has (axis, value))
    return;
  range->least = fmin (range->least, value);
  range->most = fmax (range->most, value);
}

static const double *
get_values (const GobanFigureSeries *series, char axis)
{
  return axis == 'x' ? series->x : axis == 'y' ? series->y : series->z;
}

static Range
find_range (const GobanFigure *figure, const GobanFigureAxis *axis, char which)
{
  Range range = { INFINITY, -INFINITY };

  for (guint k = 0; k < figure->n_series; k++)
    {
      const GobanFigureSeries *series = &figure->series[k];
      const double *values = get_values (series, which);

      for (guint i = 0; i < series->n && values != NULL; i++)
        {
          double half = which == 'y' && series->errors != NULL && isfinite (series->errors[i])
                            ? series->errors[i]
                            : 0;

          range_add (&range, axis, values[i]);
          range_add (&range, axis, values[i] - half);
          range_add (&range, axis, values[i] + half);
          if (which == 'y' && goban_figure_get_base (figure, (GobanFigurePoint){ k, i }) != 0)
            range_add (&range, axis, goban_figure_get_base (figure, (GobanFigurePoint){ k, i }));
        }
    }
  return range;
}

/* A unit that makes the largest number at least 1: "ms" of seconds. */
static double
choose_unit (const char *unit, double most, const char **name)
{
  static const struct
  {
    double unit;
    const char *name;
  } times[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" }, { 1e-9, "ns" } },
    sizes[] = { { 1e12, "TB" }, { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 1, "B" } };

  if (g_str_equal (unit, "s"))
    for (guint i = 0; i < G_N_ELEMENTS (times); i++)
      if (most >= times[i].unit || i + 1 == G_N_ELEMENTS (times))
        {
          *name = times[i].name;
          return times[i].unit;
        }
  if (g_str_equal (unit, "B"))
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      if (most >= sizes[i].unit || i + 1 == G_N_ELEMENTS (sizes))
        {
          *name = sizes[i].name;
          return sizes[i].unit;
        }
  *name = unit;
  return 1;
}

/* The axis of a range, with @margin of its length to spare at both ends, and its words. */
static GobanAxis
make_axis (const GobanFigureAxis *axis, Range range, double margin, char label[96])
{
  GobanAxis made = { .is_log = axis->is_log };
  const char *unit;
  double most = fmax (fabs (range.least), fabs (range.most));

  made.unit = choose_unit (axis->unit, most, &unit);
  g_snprintf (label, 96, *unit != '\0' && *axis->label != '\0' ? "%s (%s)" : "%s%s", axis->label,
              unit);
  if (!(range.least <= range.most))
    range = (Range){ axis->is_log ? 1 : 0, axis->is_log ? 10 : 1 };
  if (axis->is_log)
    {
      double ratio = range.most > range.least ? pow (range.most / range.least, margin) : 2;

      made.v0 = range.least / ratio;
      made.v1 = range.most * ratio;
      if (!(made.v1 > made.v0))
        made.v1 = made.v0 * 2;
      return made;
    }
  if (!(range.most > range.least))
    {
      double half = range.least != 0 ? fabs (range.least) * 0.1 : 0.5;

      range = (Range){ range.least - half, range.most + half };
    }
  made.v0 = range.least - margin * (range.most - range.least);
  made.v1 = range.most + margin * (range.most - range.least);
  return made;
}

/* Slots of words: each is 1 wide, around its place. */
static GobanAxis
make_word_axis (const GobanFigureAxis *axis, char label[96])
{
  guint n = g_strv_length (axis->words);

  g_snprintf (label, 96, "%s", axis->label);
  return (GobanAxis){ .v0 = -0.5, .v1 = MAX (n, 1) - 0.5 };
}

static void
make_x (GobanFigureLayout *self)
{
  const GobanFigure *figure = self->figure;

  if (figure->x.words != NULL)
    self->x = make_word_axis (&figure->x, self->x_label);
  else if (figure->kind == GOBAN_FIGURE_HISTOGRAM)
    self->x = make_axis (&figure->x, (Range){ figure->edges[0], figure->edges[figure->n_bins] }, 0,
                         self->x_label);
  else
    self->x = make_axis (&figure->x, find_range (figure, &figure->x, 'x'),
                         figure->kind == GOBAN_FIGURE_LINES ? 0.01 : 0.03, self->x_label);
}

static Range
find_counts (const GobanFigure *figure)
{
  Range range = { 0, 1 };

  for (guint i = 0; i < figure->n_series * figure->n_bins; i++)
    range.most = fmax (range.most, figure->counts[i]);
  return range;
}

/* Bars stand on 0, unless the axis has none. */
static void
make_y (GobanFigureLayout *self)
{
  const GobanFigure *figure = self->figure;
  gboolean has_bars = figure->kind == GOBAN_FIGURE_BARS || figure->kind == GOBAN_FIGURE_HISTOGRAM;
  Range range;

  if (figure->y.words != NULL)
    {
      self->y = make_word_axis (&figure->y, self->y_label);
      return;
    }
  range = figure->kind == GOBAN_FIGURE_HISTOGRAM ? find_counts (figure)
                                                 : find_range (figure, &figure->y, 'y');
  if (has_bars && goban_figure_get_steps_start (figure) > 0)
    {
      range.least = goban_figure_get_steps_start (figure);
      has_bars = FALSE;
    }
  if (has_bars && !figure->y.is_log && range.least <= range.most)
    range = (Range){ fmin (range.least, 0), fmax (range.most, 0) };
  self->y = make_axis (&figure->y, range, 0.05, self->y_label);
  if (has_bars && !figure->y.is_log && range.least >= 0)
    self->y.v0 = 0;
  if (figure->kind == GOBAN_FIGURE_HISTOGRAM)
    self->y.min_step = 1;
}

/* The room that a legend takes: none for a single series without a name. */
static void
arrange_legend (GobanFigureLayout *self, double width)
{
  guint n = self->figure->n_series;

  if (n < 2)
    return;
  self->n_columns = (guint) CLAMP (floor (width / (MIN_LEGEND_CELL * self->ui)), 1, n);
  self->n_rows = MIN ((n + self->n_columns - 1) / self->n_columns, MAX_LEGEND_ROWS);
}

GobanFigureLayout
goban_figure_lay_out (const GobanFigure *figure, double width, double height, double ui_scale)
{
  GobanFigureLayout self = { .figure = figure, .ui = ui_scale > 0 ? ui_scale : 1 };
  double ui = self.ui, line = GOBAN_FIGURE_LINE * ui, pad = GOBAN_FIGURE_PAD * ui;
  gboolean is_heat = figure->kind == GOBAN_FIGURE_HEAT;
  double head = pad / 2 + 4 * ui, foot = GOBAN_AXIS_HEIGHT * ui + pad / 2;

  arrange_legend (&self, width - 2 * pad);
  make_x (&self);
  make_y (&self);
  if (is_heat)
    self.z = make_axis (&figure->z, find_range (figure, &figure->z, 'z'), 0, self.z_label);
  head += (*figure->title != '\0') * (line + 3 * ui) + self.n_rows * line;
  head += (*self.y_label != '\0' || is_heat) * line;
  foot += (*self.x_label != '\0') * line;
  self.plot = (GobanBox){
    .x0 = floor (pad + (is_heat || figure->y.words != NULL ? WORDS_WIDTH : GOBAN_AXIS_WIDTH) * ui),
    .y0 = floor (head),
    .x1 = floor (width - pad),
    .y1 = floor (height - foot),
  };
  self.plot.x1 = fmax (self.plot.x1, self.plot.x0 + 1);
  self.plot.y1 = fmax (self.plot.y1, self.plot.y0 + 1);
  return self;
}

/* --- places ----------------------------------------------------------------------------------- */

static double
to_x (const GobanFigureLayout *self, double x)
{
  return self->plot.x0 + goban_axis_place (&self->x, x) * (self->plot.x1 - self->plot.x0);
}

static double
to_y (const GobanFigureLayout *self, double y)
{
  return self->plot.y1 - goban_axis_place (&self->y, y) * (self->plot.y1 - self->plot.y0);
}

/* Words of a heat map go down, as rows of a table do. */
static GobanBox
get_cell (const GobanFigureLayout *self, double x, double y)
{
  double width = (self->plot.x1 - self->plot.x0) / (self->x.v1 - self->x.v0);
  double height = (self->plot.y1 - self->plot.y0) / (self->y.v1 - self->y.v0);

  return (GobanBox){ floor (self->plot.x0 + x * width), floor (self->plot.y0 + y * height),
                     floor (self->plot.x0 + (x + 1) * width),
                     floor (self->plot.y0 + (y + 1) * height) };
}

GobanBox
goban_figure_layout_get_box (const GobanFigureLayout *self, GobanFigurePoint point)
{
  const GobanFigure *figure = self->figure;
  const GobanFigureSeries *series = &figure->series[point.series];
  double share = 1.0 / MAX (figure->n_series, 1), base;
  double left, right, value;

  if (figure->kind == GOBAN_FIGURE_HEAT)
    return get_cell (self, series->x[point.i], series->y[point.i]);
  if (figure->kind == GOBAN_FIGURE_HISTOGRAM)
    {
      double x0 = to_x (self, figure->edges[point.i]), x1 = to_x (self, figure->edges[point.i + 1]);

      left = x0 + (x1 - x0) * share * point.series;
      right = x0 + (x1 - x0) * share * (point.series + 1);
      value = figure->counts[point.series * figure->n_bins + point.i];
    }
  else
    {
      double from = series->x[point.i] - BAR_SHARE / 2;

      left = to_x (self, from + BAR_SHARE * share * point.series);
      right = to_x (self, from + BAR_SHARE * share * (point.series + 1));
      value = series->y[point.i];
    }
  base = fmax (goban_figure_get_base (figure, point), self->y.v0);
  return (GobanBox){ floor (left), floor (to_y (self, fmax (value, base))),
                     fmax (floor (right) - (right - left > 3 * self->ui ? 1 : 0), floor (left) + 1),
                     floor (to_y (self, fmin (value, base))) };
}

static gboolean
has_boxes (const GobanFigure *figure)
{
  return figure->kind != GOBAN_FIGURE_LINES && figure->kind != GOBAN_FIGURE_SCATTER;
}

gboolean
goban_figure_layout_place (const GobanFigureLayout *self, GobanFigurePoint point, GobanPoint *at)
{
  const GobanFigure *figure = self->figure;
  const GobanFigureSeries *series = &figure->series[point.series];

  if (point.i >= goban_figure_count_marks (figure, point.series))
    return FALSE;
  if (figure->kind != GOBAN_FIGURE_HISTOGRAM
      && (!goban_figure_axis_has (&figure->x, series->x[point.i])
          || !goban_figure_axis_has (&figure->y, series->y[point.i])))
    return FALSE;
  if (has_boxes (figure))
    {
      GobanBox box = goban_figure_layout_get_box (self, point);

      at->x = (box.x0 + box.x1) / 2;
      at->y = figure->kind == GOBAN_FIGURE_HEAT ? (box.y0 + box.y1) / 2 : box.y0;
      return TRUE;
    }
  *at = (GobanPoint){ to_x (self, series->x[point.i]), to_y (self, series->y[point.i]) };
  return TRUE;
}

static gboolean
find_box (const GobanFigureLayout *self, GobanPoint at, GobanFigurePoint *point)
{
  const GobanFigure *figure = self->figure;
  gboolean is_column = figure->kind != GOBAN_FIGURE_HEAT;

  for (guint k = 0; k < figure->n_series; k++)
    for (guint i = 0; i < goban_figure_count_marks (figure, k); i++)
      {
        GobanFigurePoint candidate = { k, i };
        GobanBox box = goban_figure_layout_get_box (self, candidate);

        /* A bar without a height is found above its place, too. */
        if (at.x >= box.x0 && at.x < box.x1 && (is_column || (at.y >= box.y0 && at.y < box.y1)))
          {
            *point = candidate;
            return TRUE;
          }
      }
  return FALSE;
}

gboolean
goban_figure_layout_find (const GobanFigureLayout *self, GobanPoint at, GobanFigurePoint *point)
{
  const GobanFigure *figure = self->figure;
  double best = pow (MAX_DISTANCE * self->ui, 2);
  gboolean is_found = FALSE;

  if (at.x < self->plot.x0 - 1 || at.x > self->plot.x1 + 1 || at.y < self->plot.y0 - 1
      || at.y > self->plot.y1 + 1)
    return FALSE;
  if (has_boxes (figure))
    return find_box (self, at, point);
  for (guint k = 0; k < figure->n_series; k++)
    for (guint i = 0; i < figure->series[k].n; i++)
      {
        GobanFigurePoint candidate = { k, i };
        GobanPoint place;
        double distance;

        if (!goban_figure_layout_place (self, candidate, &place))
          continue;
        distance = pow (place.x - at.x, 2) + pow (place.y - at.y, 2);
        if (distance >= best)
          continue;
        best = distance;
        *point = candidate;
        is_found = TRUE;
      }
  return is_found;
}
