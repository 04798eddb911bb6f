#include "ui/draw/figures/figure-painter.h"

#include "engine/core/file.h"
#include "engine/study/analysis/node-list.h"
#include "ui/draw/charts/waterfall.h"
#include "ui/draw/export/export.h"
#include "ui/draw/export/painting.h"

#include <math.h>
#include <string.h>

/* --- layout ----------------------------------------------------------------------------------- */

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
  double start = goban_figure_get_steps_start (figure);
  Range range;

  if (figure->y.words != NULL)
    {
      self->y = make_word_axis (&figure->y, self->y_label);
      return;
    }
  range = figure->kind == GOBAN_FIGURE_HISTOGRAM ? find_counts (figure)
                                                 : find_range (figure, &figure->y, 'y');
  if (has_bars && start > 0)
    {
      range.least = start;
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

/* The point under the pointer, or next to it. */
static gboolean
find_point (const GobanFigureLayout *self, GobanPoint at, GobanFigurePoint *point)
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

/* --- painting --------------------------------------------------------------------------------- */

#define MARK 3.0      /* radius */
#define MAX_MARKS 400 /* of a line; more would cover it */
#define MIN_SLOT 34.0 /* of a word below an axis */
#define RAMP_WIDTH 120.0
#define FONT GOBAN_AXIS_FONT

typedef struct
{
  const GobanFigure *figure;
  const GobanColours *colours;
  GobanTheme theme;
  GobanPen *pen;
  GobanFigureLayout layout;
  double ui;
} Painter;

static Painter
make_painter (const GobanFigurePicture *self, GobanPen *pen)
{
  Painter p = { .figure = self->figure,
                .colours = goban_palette_get (self->theme),
                .theme = self->theme,
                .pen = pen,
                .layout = goban_figure_lay_out (self->figure, goban_pen_get_width (pen),
                                                goban_pen_get_height (pen), self->ui_scale) };

  p.ui = p.layout.ui;
  return p;
}

/* --- marks ------------------------------------------------------------------------------------ */

static void
paint_shape (const Painter *p, GobanPoint at, guint shape, double r, GobanRgb rgb)
{
  GobanBox box = { at.x - r, at.y - r, at.x + r, at.y + r };

  switch (shape)
    {
    case 0:
      goban_pen_round_rect (p->pen, box, r, rgb);
      break;
    case 1:
      goban_pen_rect (p->pen, box, rgb);
      break;
    default:
      goban_pen_arrow (p->pen, (GobanPoint){ at.x, at.y + r }, 2 * r, rgb);
    }
}

/* Series differ by colour and by their marks: three shapes, full and then with a hole. */
static void
paint_mark (const Painter *p, GobanPoint at, guint series, double radius)
{
  paint_shape (p, at, series % 3, radius * p->ui, goban_palette_device (p->theme, series));
  if (series / 3 % 2 == 1)
    paint_shape (p, at, series % 3, radius * p->ui / 2, p->colours->panel);
}

static void
paint_bar (const Painter *p, GobanBox box, guint series, GobanRgb rgb)
{
  if (box.y1 <= box.y0)
    return;
  goban_pen_rect (p->pen, box, rgb);
  if (p->figure->n_series > 1)
    goban_pen_hatch (p->pen, box, goban_palette_cue (series), goban_palette_hatch (rgb), p->ui);
}

/* --- words ------------------------------------------------------------------------------------ */

static void
paint_legend (const Painter *p)
{
  const GobanFigureLayout *layout = &p->layout;
  double pad = GOBAN_FIGURE_PAD * p->ui, line = GOBAN_FIGURE_LINE * p->ui;
  double width = (goban_pen_get_width (p->pen) - 2 * pad) / MAX (layout->n_columns, 1);
  double top = pad / 2 + (*p->figure->title != '\0') * (line + 3 * p->ui);
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  gboolean has_bars
      = p->figure->kind == GOBAN_FIGURE_BARS || p->figure->kind == GOBAN_FIGURE_HISTOGRAM;

  for (guint k = 0; k < MIN (p->figure->n_series, layout->n_columns * layout->n_rows); k++)
    {
      double x = pad + (k % layout->n_columns) * width;
      double y = top + (k / layout->n_columns + 0.5) * line;

      if (has_bars)
        paint_bar (p, (GobanBox){ x, y - 5 * p->ui, x + 12 * p->ui, y + 5 * p->ui }, k,
                   goban_palette_device (p->theme, k));
      else
        paint_mark (p, (GobanPoint){ x + 6 * p->ui, y }, k, 4);
      goban_pen_text (p->pen, p->figure->series[k].name, (GobanPoint){ x + 17 * p->ui, y },
                      width - 22 * p->ui, &style);
    }
}

static void
paint_titles (const Painter *p)
{
  const GobanFigureLayout *layout = &p->layout;
  GobanBox plot = layout->plot;
  double pad = GOBAN_FIGURE_PAD * p->ui, line = GOBAN_FIGURE_LINE * p->ui;
  double width = goban_pen_get_width (p->pen) - 2 * pad;
  GobanTextStyle title = { (FONT + 1.5) * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  GobanTextStyle label = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };

  if (*p->figure->title != '\0')
    goban_pen_text (p->pen, p->figure->title, (GobanPoint){ pad, pad / 2 + line / 2 }, width,
                    &title);
  if (*layout->y_label != '\0')
    goban_pen_text (p->pen, layout->y_label, (GobanPoint){ pad, plot.y0 - 4 * p->ui - line / 2 },
                    width / 2, &label);
  label.align = GOBAN_ALIGN_CENTRE;
  if (*layout->x_label != '\0')
    goban_pen_text (p->pen, layout->x_label,
                    (GobanPoint){ plot.x0, plot.y1 + GOBAN_AXIS_HEIGHT * p->ui + line / 2 },
                    plot.x1 - plot.x0, &label);
}

/* Below the slots of an axis; only every so many if there is no room for all. */
static void
paint_x_words (const Painter *p)
{
  GobanBox plot = p->layout.plot;
  guint n = g_strv_length (p->figure->x.words);
  double slot = (plot.x1 - plot.x0) / MAX (n, 1);
  guint every = (guint) fmax (ceil (MIN_SLOT * p->ui / slot), 1);
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_CENTRE, p->colours->muted };

  goban_pen_rect (p->pen, (GobanBox){ plot.x0, plot.y1, plot.x1, plot.y1 + fmax (p->ui, 1) },
                  p->colours->rule);
  for (guint i = 0; i < n; i += every)
    goban_pen_text (p->pen, p->figure->x.words[i],
                    (GobanPoint){ plot.x0 + (i + 0.5 - every / 2.0) * slot + 2 * p->ui,
                                  plot.y1 + GOBAN_AXIS_HEIGHT / 2 * p->ui },
                    every * slot - 4 * p->ui, &style);
}

static void
paint_y_words (const Painter *p)
{
  GobanBox plot = p->layout.plot;
  guint n = g_strv_length (p->figure->y.words);
  double slot = (plot.y1 - plot.y0) / MAX (n, 1);
  guint every = (guint) fmax (ceil (GOBAN_FIGURE_LINE * p->ui / slot), 1);
  double left = GOBAN_FIGURE_PAD * p->ui;
  gboolean is_down = p->figure->kind == GOBAN_FIGURE_HEAT;
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };

  for (guint i = 0; i < n; i += every)
    goban_pen_text (
        p->pen, p->figure->y.words[i],
        (GobanPoint){ left, is_down ? plot.y0 + (i + 0.5) * slot : plot.y1 - (i + 0.5) * slot },
        plot.x0 - left - 5 * p->ui, &style);
}

static void
paint_axes (const Painter *p)
{
  GobanAxisPaint paint = { p->pen, p->colours, p->layout.plot, p->ui };

  if (p->figure->y.words != NULL)
    paint_y_words (p);
  else
    goban_axis_paint_y (&p->layout.y, &paint);
  if (p->figure->x.words != NULL)
    paint_x_words (p);
  else
    goban_axis_paint_x (&p->layout.x, &paint);
}

/* The colours of a heat map, with the least and the most. */
static void
paint_ramp (const Painter *p)
{
  GobanBox plot = p->layout.plot;
  double y = plot.y0 - 4 * p->ui - GOBAN_FIGURE_LINE / 2 * p->ui;
  double half = (plot.x1 - plot.x0) / 2, width = fmin (RAMP_WIDTH * p->ui, half / 2);
  double x0 = plot.x1 - 70 * p->ui - width;
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };
  g_autofree char *least = NULL;
  char buffer[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < (guint) width; i++)
    goban_pen_rect (p->pen, (GobanBox){ x0 + i, y - 5 * p->ui, x0 + i + 1, y + 5 * p->ui },
                    goban_palette_ramp (p->theme, i / fmax (width - 1, 1)));
  least = g_strdup_printf ("%s  %s", p->figure->z.label,
                           goban_figure_format (&p->figure->z, buffer, p->layout.z.v0));
  goban_pen_text (p->pen, least, (GobanPoint){ plot.x0 + 0.2 * half, y },
                  x0 - 6 * p->ui - plot.x0 - 0.2 * half, &style);
  style.align = GOBAN_ALIGN_LEFT;
  goban_pen_text (p->pen, goban_figure_format (&p->figure->z, buffer, p->layout.z.v1),
                  (GobanPoint){ x0 + width + 6 * p->ui, y }, 64 * p->ui, &style);
}

/* --- contents --------------------------------------------------------------------------------- */

/* Points that share a pixel are one stroke from the lowest to the highest. */
static void
paint_dense_line (const Painter *p, guint k)
{
  const GobanFigureSeries *series = &p->figure->series[k];
  GobanStroke stroke = { goban_palette_device (p->theme, k), GOBAN_OPAQUE, 1.2 * p->ui };
  GobanPoint at, last = { -1, 0 };
  double top = 0, bottom = 0;

  for (guint i = 0; i < series->n; i++)
    {
      if (!goban_figure_layout_place (&p->layout, (GobanFigurePoint){ k, i }, &at))
        continue;
      at.x = floor (at.x);
      if (at.x == last.x)
        {
          top = fmin (top, at.y);
          bottom = fmax (bottom, at.y);
          last.y = at.y;
          continue;
        }
      if (last.x >= 0)
        {
          goban_pen_line (p->pen, (GobanPoint){ last.x, top }, (GobanPoint){ last.x, bottom },
                          &stroke);
          goban_pen_line (p->pen, last, at, &stroke);
        }
      last = at;
      top = bottom = at.y;
    }
}

static void
paint_line (const Painter *p, guint k)
{
  const GobanFigureSeries *series = &p->figure->series[k];
  GobanStroke stroke = { goban_palette_device (p->theme, k), GOBAN_OPAQUE, 1.8 * p->ui };
  GobanPoint at, last = { 0 };
  gboolean has_last = FALSE;

  if (series->n > 2 * (p->layout.plot.x1 - p->layout.plot.x0))
    {
      paint_dense_line (p, k);
      return;
    }
  for (guint i = 0; i < series->n; i++)
    {
      gboolean is_there = goban_figure_layout_place (&p->layout, (GobanFigurePoint){ k, i }, &at);

      if (is_there && has_last)
        goban_pen_line (p->pen, last, at, &stroke);
      if (is_there && series->n <= MAX_MARKS / 4)
        paint_mark (p, at, k, MARK);
      has_last = is_there;
      last = at;
    }
}

static void
paint_scatter (const Painter *p, guint k)
{
  guint n = p->figure->series[k].n;
  GobanRgb rgb = goban_palette_device (p->theme, k);
  double r = n > 5000 ? 1 : 1.5;
  GobanPoint at;

  for (guint i = 0; i < n; i++)
    {
      if (!goban_figure_layout_place (&p->layout, (GobanFigurePoint){ k, i }, &at))
        continue;
      if (n <= MAX_MARKS)
        paint_mark (p, at, k, MARK);
      else
        goban_pen_rect (
            p->pen,
            (GobanBox){ at.x - r * p->ui, at.y - r * p->ui, at.x + r * p->ui, at.y + r * p->ui },
            rgb);
    }
}

/* Bars of errors with a cap at both ends; what a log axis has no place for ends at its bottom. */
static void
paint_errors (const Painter *p, guint k)
{
  const GobanFigureSeries *series = &p->figure->series[k];
  GobanStroke stroke = { p->figure->kind == GOBAN_FIGURE_BARS ? p->colours->ink
                                                              : goban_palette_device (p->theme, k),
                         GOBAN_OPAQUE, 1.2 * p->ui };
  double cap = MARK * p->ui;
  GobanPoint at;

  for (guint i = 0; i < series->n; i++)
    {
      double low, high;

      if (!isfinite (series->errors[i])
          || !goban_figure_layout_place (&p->layout, (GobanFigurePoint){ k, i }, &at))
        continue;
      low = series->y[i] - series->errors[i];
      low = goban_figure_axis_has (&p->figure->y, low) ? to_y (&p->layout, low) : p->layout.plot.y1;
      high = to_y (&p->layout, series->y[i] + series->errors[i]);
      goban_pen_line (p->pen, (GobanPoint){ at.x, low }, (GobanPoint){ at.x, high }, &stroke);
      for (guint end = 0; end < 2; end++)
        {
          double y = end == 0 ? low : high;

          goban_pen_line (p->pen, (GobanPoint){ at.x - cap, y }, (GobanPoint){ at.x + cap, y },
                          &stroke);
        }
    }
}

/* In dashes, as far as both axes reach. */
static void
paint_identity (const Painter *p)
{
  const GobanFigureLayout *layout = &p->layout;
  double from = fmax (layout->x.v0, layout->y.v0), to = fmin (layout->x.v1, layout->y.v1);
  GobanStroke stroke = { p->colours->muted, GOBAN_OPAQUE, p->ui };
  GobanPoint ends[2];
  double length, dash = 5 * p->ui;

  if (p->figure->x.words != NULL || p->figure->y.words != NULL
      || layout->x.is_log != layout->y.is_log || !(to > from))
    return;
  ends[0] = (GobanPoint){ to_x (layout, from), to_y (layout, from) };
  ends[1] = (GobanPoint){ to_x (layout, to), to_y (layout, to) };
  length = hypot (ends[1].x - ends[0].x, ends[1].y - ends[0].y);
  for (double at = 0; at < length; at += 2 * dash)
    {
      double a = at / length, b = fmin (at + dash, length) / length;

      goban_pen_line (p->pen,
                      (GobanPoint){ ends[0].x + a * (ends[1].x - ends[0].x),
                                    ends[0].y + a * (ends[1].y - ends[0].y) },
                      (GobanPoint){ ends[0].x + b * (ends[1].x - ends[0].x),
                                    ends[0].y + b * (ends[1].y - ends[0].y) },
                      &stroke);
    }
}

static void
paint_cell (const Painter *p, GobanFigurePoint point)
{
  const GobanFigureSeries *series = &p->figure->series[point.series];
  GobanBox box = goban_figure_layout_get_box (&p->layout, point);
  double value = series->z[point.i];
  GobanRgb rgb = goban_figure_axis_has (&p->figure->z, value)
                     ? goban_palette_ramp (p->theme, goban_axis_place (&p->layout.z, value))
                     : goban_palette_unknown (p->theme);
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_CENTRE, goban_rgb_text_on (rgb) };
  char buffer[GOBAN_QUANTITY_LEN];

  goban_pen_rect (p->pen, (GobanBox){ box.x0, box.y0, box.x1 - 1, box.y1 - 1 }, rgb);
  if (box.x1 - box.x0 >= 44 * p->ui && box.y1 - box.y0 >= 15 * p->ui)
    goban_pen_text (p->pen, goban_figure_format (&p->figure->z, buffer, value),
                    (GobanPoint){ box.x0 + 2, (box.y0 + box.y1) / 2 }, box.x1 - box.x0 - 4, &style);
}

/* In a waterfall, down and up. */
static GobanRgb
colour_of_bar (const Painter *p, GobanFigurePoint point)
{
  double base = goban_figure_get_base (p->figure, point);

  if (base == 0 || p->figure->n_series > 1)
    return goban_palette_device (p->theme, point.series);
  return goban_waterfall_get_colour (p->figure->series[0].y[point.i] < base ? -1 : 1, p->theme);
}

/* In a waterfall each bar begins where the last one ends. */
static void
paint_joins (const Painter *p, guint k)
{
  const GobanFigureSeries *series = &p->figure->series[k];

  for (guint i = 1; i < series->n; i++)
    {
      GobanBox last = goban_figure_layout_get_box (&p->layout, (GobanFigurePoint){ k, i - 1 });
      GobanBox next = goban_figure_layout_get_box (&p->layout, (GobanFigurePoint){ k, i });
      double y = floor (to_y (&p->layout, series->y[i - 1]));

      if (isfinite (y))
        goban_pen_rect (p->pen, (GobanBox){ last.x0, y, next.x1, y + 1 }, p->colours->muted);
    }
}

static void
paint_series (const Painter *p, guint k)
{
  const GobanFigure *figure = p->figure;

  if (figure->kind == GOBAN_FIGURE_LINES)
    paint_line (p, k);
  else if (figure->kind == GOBAN_FIGURE_SCATTER)
    paint_scatter (p, k);
  else
    for (guint i = 0; i < goban_figure_count_marks (figure, k); i++)
      {
        GobanFigurePoint point = { k, i };

        if (figure->kind == GOBAN_FIGURE_HEAT)
          paint_cell (p, point);
        else if (figure->kind == GOBAN_FIGURE_HISTOGRAM || isfinite (figure->series[k].y[i]))
          paint_bar (p, goban_figure_layout_get_box (&p->layout, point), k,
                     colour_of_bar (p, point));
      }
  if (!isnan (goban_figure_get_steps_start (figure)))
    paint_joins (p, k);
  if (figure->series[k].errors != NULL)
    paint_errors (p, k);
}

/* --- the readout ------------------------------------------------------------------------------ */

static void
paint_chip (const Painter *p, GobanPoint at, const char *text)
{
  GobanTextStyle style = { (FONT + 0.5) * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  double width = goban_pen_text_width (p->pen, text, &style) + 14 * p->ui;
  double height = 20 * p->ui, margin = 10 * p->ui;
  double x = at.x + margin, y = at.y - height - margin;
  GobanBox box;

  width = fmin (width, goban_pen_get_width (p->pen) - 4 * p->ui);
  if (x + width > goban_pen_get_width (p->pen) - 2 * p->ui)
    x = fmax (at.x - margin - width, 2 * p->ui);
  if (y < 2 * p->ui)
    y = at.y + margin;
  box = (GobanBox){ floor (x), floor (y), floor (x + width), floor (y + height) };
  goban_pen_round_rect (
      p->pen, (GobanBox){ box.x0 - p->ui, box.y0 - p->ui, box.x1 + p->ui, box.y1 + p->ui },
      5 * p->ui, p->colours->rule);
  goban_pen_round_rect (p->pen, box, 4 * p->ui, p->colours->canvas);
  goban_pen_text (p->pen, text, (GobanPoint){ box.x0 + 7 * p->ui, (box.y0 + box.y1) / 2 },
                  box.x1 - box.x0 - 12 * p->ui, &style);
}

static void
paint_readout (const Painter *p, GobanFigurePoint point)
{
  const GobanFigure *figure = p->figure;
  GobanStroke stroke = { p->colours->ink, GOBAN_OPAQUE, 1.5 * p->ui };
  g_autofree char *text = NULL;
  GobanPoint at;

  if (!goban_figure_layout_place (&p->layout, point, &at))
    return;
  if (figure->kind == GOBAN_FIGURE_LINES || figure->kind == GOBAN_FIGURE_SCATTER)
    {
      double r = (MARK + 1.5) * p->ui;

      goban_pen_ring (p->pen, (GobanBox){ at.x - r, at.y - r, at.x + r, at.y + r }, r, &stroke);
    }
  else
    goban_pen_ring (p->pen, goban_figure_layout_get_box (&p->layout, point), 2 * p->ui, &stroke);
  text = goban_figure_describe_point (figure, point);
  paint_chip (p, at, text);
}

/* --- the picture ------------------------------------------------------------------------------ */

void
goban_figure_paint (const GobanFigurePicture *self, GobanPen *pen)
{
  Painter p = make_painter (self, pen);
  GobanBox all = { 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) };
  GobanBox clip = goban_pen_get_clip (pen);
  GobanBox plot = p.layout.plot;

  goban_pen_backdrop (pen, all, p.colours->panel);
  paint_titles (&p);
  paint_legend (&p);
  paint_axes (&p);
  if (self->figure->kind == GOBAN_FIGURE_HEAT)
    paint_ramp (&p);
  goban_pen_set_clip (
      pen, (GobanBox){ plot.x0 - MARK * p.ui, plot.y0 - MARK * p.ui, plot.x1 + MARK * p.ui,
                       plot.y1 + (self->figure->kind == GOBAN_FIGURE_SCATTER ? MARK : 1) * p.ui });
  if (self->figure->has_identity && self->figure->kind == GOBAN_FIGURE_SCATTER)
    paint_identity (&p);
  for (guint k = 0; k < self->figure->n_series; k++)
    paint_series (&p, k);
  goban_pen_set_clip (pen, clip);
  if (self->hover != NULL)
    paint_readout (&p, *self->hover);
}

void
goban_figure_paint_hover (const GobanFigurePicture *self, GobanPen *pen)
{
  if (self->hover != NULL)
    {
      Painter p = make_painter (self, pen);

      paint_readout (&p, *self->hover);
    }
}

gboolean
goban_figure_find (const GobanFigurePicture *self, double width, double height, GobanPoint at,
                   GobanFigurePoint *point)
{
  GobanFigureLayout layout = goban_figure_lay_out (self->figure, width, height, self->ui_scale);

  return find_point (&layout, at, point);
}

gboolean
goban_figure_step (const GobanFigure *figure, GobanFigurePoint *point, int columns, int rows)
{
  int series = (int) point->series + rows;
  int i = (int) point->i + columns;
  guint n;

  if (series < 0 || series >= (int) figure->n_series)
    return FALSE;
  n = goban_figure_count_marks (figure, (guint) series);
  if (n == 0 || i < 0 || (columns != 0 && i >= (int) n))
    return FALSE;
  *point = (GobanFigurePoint){ (guint) series, MIN ((guint) i, n - 1) };
  return TRUE;
}

/* --- files ------------------------------------------------------------------------------------ */

#define WIDTH 640.0
#define HEIGHT 360.0
#define SCALE 2.0

static void
paint (gconstpointer data, GobanPen *pen, double ui_scale)
{
  GobanFigurePicture picture = *(const GobanFigurePicture *) data;

  picture.ui_scale = ui_scale;
  goban_figure_paint (&picture, pen);
}

gboolean
goban_figure_write (const GobanFigure *figure, const GobanPaintingOptions *options,
                    const char *path, GError **error)
{
  GobanFigurePicture picture = { .figure = figure, .theme = options->theme };
  GobanPainting painting = { .paint = paint,
                             .data = &picture,
                             .width = options->width > 0 ? options->width : WIDTH,
                             .height = options->height > 0 ? options->height : HEIGHT,
                             .scale = options->scale > 0 ? options->scale : SCALE };

  if (goban_node_csv_is_path (path))
    {
      g_autofree char *csv = goban_figure_to_csv (figure);

      return goban_file_write (path, csv, strlen (csv), error);
    }
  painting.is_image = figure->kind != GOBAN_FIGURE_HISTOGRAM
                      && goban_figure_count_points (figure) > GOBAN_MAX_VECTOR_ELEMENTS;
  return goban_painting_write (&painting, path, error);
}
