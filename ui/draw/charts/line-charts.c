#include "ui/draw/charts/line-charts.h"

#include "engine/core/quantity.h"
#include "ui/draw/charts/axis.h"

#include <math.h>

/* Pixels of the design. */
#define MIN_CHART_WIDTH 150.0
#define GOOD_CHART_WIDTH 250.0
#define MIN_CHART_HEIGHT 110.0
#define PAD 10.0
#define LINE_HEIGHT 14.0
#define FONT GOBAN_AXIS_FONT

#define N_FEW 100 /* points that are drawn one by one */
#define N_POINTS_TOGETHER 6

typedef struct
{
  guint n_columns;
  double cell_width;
  double cell_height;
  double ui;
  guint n_visible;
} Grid;

typedef struct
{
  const GobanLineCharts *charts;
  const GobanChart *chart;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  GobanBox plot;
  double y0; /* the range of the y axis */
  double y1;
} Painter;

/* One column of a line: the points of some pixels. */
typedef struct
{
  double sum;
  double least;
  double most;
  guint n;
} Column;

/* --- places ----------------------------------------------------------------------------------- */

/* As many as have room; the first ones are the most important. */
static guint
count_visible (const GobanLineCharts *self, double width, double height, double ui)
{
  guint n_columns = (guint) MAX (width / (MIN_CHART_WIDTH * ui), 1);
  guint n_rows = (guint) MAX (height / (MIN_CHART_HEIGHT * ui), 1);

  return MIN (self->n_charts, n_columns * n_rows);
}

static Grid
arrange (const GobanLineCharts *self, double width, double height)
{
  double ui = self->ui_scale > 0 ? self->ui_scale : 1;
  guint n = MAX (count_visible (self, width, height, ui), 1);
  guint n_rows = (guint) MAX (height / (MIN_CHART_HEIGHT * ui), 1);
  guint n_good = (guint) MAX (width / (GOOD_CHART_WIDTH * ui), 1);
  guint n_columns = MIN (n, n_good);

  /* Fewer columns if all charts still have their height; then rows of equal length. */
  while (n_columns > 1 && height / ceil ((double) n / (n_columns - 1)) >= 2 * MIN_CHART_HEIGHT * ui)
    n_columns--;
  n_columns = MAX (n_columns, (guint) ceil ((double) n / n_rows));
  n_columns = (guint) ceil (n / ceil ((double) n / n_columns));
  return (Grid){ n_columns, width / n_columns, height / ceil ((double) n / n_columns), ui, n };
}

/* The lines of text above a plot: the title, and a legend of several lines. */
static double
get_head (const GobanChart *chart, double ui)
{
  return (PAD + LINE_HEIGHT * (1 + chart->n_lines)) * ui;
}

static GobanBox
get_cell (const Grid *grid, guint chart)
{
  double x = (chart % grid->n_columns) * grid->cell_width;
  double y = (chart / grid->n_columns) * grid->cell_height;

  return (GobanBox){ x, y, x + grid->cell_width, y + grid->cell_height };
}

GobanBox
goban_line_charts_get_plot (const GobanLineCharts *self, double width, double height, guint chart)
{
  Grid grid = arrange (self, width, height);
  GobanBox cell = get_cell (&grid, chart);
  GobanBox plot = { floor (cell.x0 + (PAD + GOBAN_AXIS_WIDTH) * grid.ui),
                    floor (cell.y0 + get_head (&self->charts[chart], grid.ui)),
                    floor (cell.x1 - PAD * grid.ui),
                    floor (cell.y1 - (GOBAN_AXIS_HEIGHT + PAD / 2) * grid.ui) };

  plot.x1 = fmax (plot.x1, plot.x0 + 1);
  plot.y1 = fmax (plot.y1, plot.y0 + 1);
  return plot;
}

gboolean
goban_line_charts_find (const GobanLineCharts *self, double width, double height, GobanPoint at,
                        guint *chart, double *x)
{
  guint n = arrange (self, width, height).n_visible;

  for (guint i = 0; i < MIN (n, self->n_charts); i++)
    {
      GobanBox plot = goban_line_charts_get_plot (self, width, height, i);

      if (at.x < plot.x0 || at.x > plot.x1 || at.y < plot.y0 || at.y > plot.y1)
        continue;
      *chart = i;
      *x = self->x0 + (at.x - plot.x0) / (plot.x1 - plot.x0) * (self->x1 - self->x0);
      return TRUE;
    }
  return FALSE;
}

static double
to_x (const Painter *p, double x)
{
  const GobanLineCharts *charts = p->charts;

  return p->plot.x0 + (x - charts->x0) / (charts->x1 - charts->x0) * (p->plot.x1 - p->plot.x0);
}

static double
to_y (const Painter *p, double y)
{
  return p->plot.y1 - (y - p->y0) / (p->y1 - p->y0) * (p->plot.y1 - p->plot.y0);
}

/* --- values ----------------------------------------------------------------------------------- */

/* The first point at or after @x. */
static guint
find_point (const GobanChartLine *line, double x)
{
  guint low = 0, high = line->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (line->x[middle] < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

double
goban_chart_line_get (const GobanChartLine *self, double x)
{
  for (guint i = find_point (self, nextafter (x, INFINITY)); i > 0; i--)
    if (isfinite (self->y[i - 1]))
      return self->y[i - 1];
  return NAN;
}

static void
column_add (Column *column, double y)
{
  column->sum += y;
  column->least = column->n > 0 ? fmin (column->least, y) : y;
  column->most = column->n > 0 ? fmax (column->most, y) : y;
  column->n++;
}

/* The columns of a line's visible points. */
typedef struct
{
  Column *all; /* (n) */
  guint n;
} Columns;

/* One per pixel for few points; else as many as have several points each: single ones are noise. */
static Columns
make_columns (const GobanLineCharts *charts, const GobanChartLine *line, guint n_pixels)
{
  guint first = find_point (line, charts->x0);
  guint end = find_point (line, nextafter (charts->x1, INFINITY));
  guint n = line->has_marks || end - first < N_FEW
                ? n_pixels
                : CLAMP ((end - first) / N_POINTS_TOGETHER, 1, n_pixels);
  double scale = n / (charts->x1 - charts->x0);
  Columns columns = { g_new0 (Column, n), n };

  for (guint i = first; i < end; i++)
    if (isfinite (line->y[i]))
      column_add (&columns.all[MIN ((guint) ((line->x[i] - charts->x0) * scale), n - 1)],
                  line->y[i]);
  return columns;
}

/* The means decide the range: single points that lie far out do not flatten all others. */
static void
find_range (Painter *p, const Columns *columns)
{
  Column all = { 0 };
  double margin;

  for (guint k = 0; k < p->chart->n_lines; k++)
    for (guint i = 0; i < columns[k].n; i++)
      if (columns[k].all[i].n > 0)
        column_add (&all, columns[k].all[i].sum / columns[k].all[i].n);
  if (all.n == 0)
    column_add (&all, isfinite (p->chart->level) ? p->chart->level : 1);
  if (p->chart->from_zero)
    all.least = fmin (all.least, 0);
  if (isfinite (p->chart->level) && p->chart->level > all.least - (all.most - all.least)
      && p->chart->level < all.most + (all.most - all.least))
    column_add (&all, p->chart->level);
  margin
      = all.most > all.least ? (all.most - all.least) * 0.05 : fmax (fabs (all.most) * 0.1, 1e-6);
  p->y0 = p->chart->from_zero && all.least >= 0 ? 0 : all.least - margin;
  p->y1 = all.most + margin;
}

/* --- axes ------------------------------------------------------------------------------------- */

static void
paint_axes (const Painter *p)
{
  GobanAxis y = { .v0 = p->y0, .v1 = p->y1 };
  GobanAxis x = { .v0 = p->charts->x0, .v1 = p->charts->x1, .min_step = 1 };
  GobanAxisPaint paint = { p->pen, p->colours, p->plot, p->ui };

  goban_axis_paint_y (&y, &paint);
  goban_axis_paint_x (&x, &paint);
}

static void
paint_level (const Painter *p)
{
  double y = floor (to_y (p, p->chart->level));

  if (isfinite (p->chart->level) && y > p->plot.y0 && y < p->plot.y1)
    goban_pen_rect (p->pen, (GobanBox){ p->plot.x0, y, p->plot.x1, y + fmax (floor (p->ui), 1) },
                    p->colours->muted);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void
paint_mark (const Painter *p, GobanPoint at, GobanRgb rgb)
{
  double r = 2.5 * p->ui;

  goban_pen_round_rect (p->pen, (GobanBox){ at.x - r, at.y - r, at.x + r, at.y + r }, r, rgb);
}

static void
paint_band (const Painter *p, const Column *column, double x0, double x1, GobanRgb rgb)
{
  double y0 = to_y (p, column->most), y1 = to_y (p, column->least);

  if (column->n > 1 && y1 - y0 >= 1)
    goban_pen_tint (p->pen, (GobanBox){ x0, y0, x1, y1 }, rgb, GOBAN_OPAQUE / 5);
}

/* Whether all values are in one column: a line of one point would not be seen. */
static gboolean
is_single (const Columns *columns)
{
  guint n = 0;

  for (guint i = 0; i < columns->n; i++)
    n += columns->all[i].n > 0;
  return n == 1;
}

static void
paint_line (const Painter *p, const Columns *columns, guint k)
{
  double width = (p->plot.x1 - p->plot.x0) / columns->n;
  GobanRgb rgb = goban_palette_device (p->charts->theme, k);
  GobanStroke stroke = { rgb, GOBAN_OPAQUE, 1.6 * p->ui };
  GobanPoint last = { 0 };
  gboolean has_last = FALSE, is_alone = is_single (columns);

  for (guint i = 0; i < columns->n; i++)
    {
      const Column *column = &columns->all[i];
      double x = p->plot.x0 + i * width;
      GobanPoint at;

      if (column->n == 0)
        continue;
      at = (GobanPoint){ x + width / 2, to_y (p, column->sum / column->n) };
      paint_band (p, column, x, x + width, rgb);
      if (has_last)
        goban_pen_line (p->pen, last, at, &stroke);
      if (p->chart->lines[k].has_marks || is_alone)
        paint_mark (p, at, rgb);
      last = at;
      has_last = TRUE;
    }
}

/* The title is shortened, but not the value. */
static void
paint_value (const Painter *p, const char *title, double value, GobanPoint at, double width)
{
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  char number[GOBAN_QUANTITY_LEN] = "";
  double gap = 6 * p->ui, taken;

  if (isfinite (value))
    g_ascii_formatd (number, sizeof number, "%.4g", value);
  width -= *number != '\0' ? goban_pen_text_width (p->pen, number, &style) + gap : 0;
  taken = fmin (goban_pen_text_width (p->pen, title, &style), width);
  goban_pen_text (p->pen, title, at, width, &style);
  if (*number != '\0')
    goban_pen_text (p->pen, number, (GobanPoint){ at.x + fmax (taken, 0) + gap, at.y },
                    goban_pen_text_width (p->pen, number, &style) + 1, &style);
}

/* "Entropy 0.412": the value under the pointer, else the last one. */
static void
paint_legend (const Painter *p, const Grid *grid, GobanBox cell)
{
  double x = cell.x0 + PAD * grid->ui, y = cell.y0 + (PAD / 2 + LINE_HEIGHT / 2) * grid->ui;
  double width = cell.x1 - cell.x0 - 2 * PAD * grid->ui;
  GobanTextStyle title = { (FONT + 1) * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  double at = isfinite (p->charts->hover) ? p->charts->hover : p->charts->x1;

  goban_pen_text (p->pen, p->chart->title, (GobanPoint){ x, y }, width, &title);
  for (guint k = 0; k < p->chart->n_lines; k++)
    {
      double value = goban_chart_line_get (&p->chart->lines[k], at);

      y += LINE_HEIGHT * p->ui;
      goban_pen_round_rect (p->pen, (GobanBox){ x, y - 3 * p->ui, x + 10 * p->ui, y + 2 * p->ui },
                            2 * p->ui, goban_palette_device (p->charts->theme, k));
      paint_value (p, p->chart->lines[k].title, value, (GobanPoint){ x + 15 * p->ui, y },
                   width - 15 * p->ui);
    }
}

static void
paint_hover (const Painter *p)
{
  double x = floor (to_x (p, p->charts->hover));

  if (!isfinite (p->charts->hover) || x < p->plot.x0 || x > p->plot.x1)
    return;
  goban_pen_tint (p->pen, (GobanBox){ x, p->plot.y0, x + fmax (floor (p->ui), 1), p->plot.y1 },
                  p->colours->ink, GOBAN_OPAQUE / 2);
  for (guint k = 0; k < p->chart->n_lines; k++)
    {
      double value = goban_chart_line_get (&p->chart->lines[k], p->charts->hover);

      if (isfinite (value))
        paint_mark (p, (GobanPoint){ x, CLAMP (to_y (p, value), p->plot.y0, p->plot.y1) },
                    goban_palette_device (p->charts->theme, k));
    }
}

static void
paint_plot (Painter *p)
{
  guint n_pixels = (guint) (p->plot.x1 - p->plot.x0);
  Columns *columns = g_new0 (Columns, MAX (p->chart->n_lines, 1));
  GobanBox clip = goban_pen_get_clip (p->pen);

  for (guint k = 0; k < p->chart->n_lines; k++)
    columns[k] = make_columns (p->charts, &p->chart->lines[k], n_pixels);
  find_range (p, columns);
  paint_axes (p);
  goban_pen_set_clip (p->pen, p->plot);
  paint_level (p);
  for (guint k = 0; k < p->chart->n_lines; k++)
    paint_line (p, &columns[k], k);
  paint_hover (p);
  goban_pen_set_clip (p->pen, clip);
  for (guint k = 0; k < p->chart->n_lines; k++)
    g_free (columns[k].all);
  g_free (columns);
}

void
goban_line_charts_paint (const GobanLineCharts *self, GobanPen *pen)
{
  double width = goban_pen_get_width (pen), height = goban_pen_get_height (pen);
  Grid grid = arrange (self, width, height);
  Painter p
      = { .charts = self, .colours = goban_palette_get (self->theme), .pen = pen, .ui = grid.ui };

  g_return_if_fail (self->x0 < self->x1);

  goban_pen_rect (pen, (GobanBox){ 0, 0, width, height }, p.colours->panel);
  for (guint i = 0; i < MIN (grid.n_visible, self->n_charts); i++)
    {
      p.chart = &self->charts[i];
      p.plot = goban_line_charts_get_plot (self, width, height, i);
      paint_plot (&p);
      paint_legend (&p, &grid, get_cell (&grid, i));
    }
}
