#include "ui/draw/charts/axis.h"

#include "engine/core/quantity.h"
#include "ui/draw/time-camera.h"

#include <math.h>

#define TICK_DISTANCE 26.0
#define MAX_TICKS 64

typedef struct
{
  double values[MAX_TICKS];
  guint n;
  double step; /* in units; 0 for a logarithmic axis */
} Ticks;

static double
get_unit (const GobanAxis *self)
{
  return self->unit > 0 ? self->unit : 1;
}

double
goban_axis_place (const GobanAxis *self, double value)
{
  if (self->is_log)
    return log (value / self->v0) / log (self->v1 / self->v0);
  return (value - self->v0) / (self->v1 - self->v0);
}

/* Powers of ten; 2 and 5 times these if there are few. */
static Ticks
find_log_ticks (const GobanAxis *self)
{
  static const double factors[] = { 1, 2, 5 };
  double v0 = self->v0 / get_unit (self), v1 = self->v1 / get_unit (self);
  guint n_factors = log10 (v1 / v0) < 2.5 ? 3 : 1;
  int every = (int) ceil (log10 (v1 / v0) / 12);
  Ticks ticks = { .n = 0 };

  for (int power = (int) floor (log10 (v0)); power <= (int) ceil (log10 (v1)); power++)
    for (guint k = 0; k < n_factors && power % MAX (every, 1) == 0; k++)
      {
        double value = factors[k] * pow (10, power);

        if (value >= v0 * (1 - 1e-9) && value <= v1 * (1 + 1e-9) && ticks.n < MAX_TICKS)
          ticks.values[ticks.n++] = value;
      }
  return ticks;
}

/* In units, at least @min_px apart over @length pixels. */
static Ticks
find_ticks (const GobanAxis *self, double length, double min_px)
{
  double unit = get_unit (self);
  Ticks ticks = { .n = 0 };

  if (self->is_log)
    return find_log_ticks (self);
  ticks.step
      = fmax (goban_time_step ((self->v1 - self->v0) / unit / length, min_px), self->min_step);
  for (double k = ceil (self->v0 / unit / ticks.step);
       k * ticks.step <= self->v1 / unit && ticks.n < MAX_TICKS; k++)
    ticks.values[ticks.n++] = k * ticks.step;
  return ticks;
}

static const char *
format_tick (char *buffer, double value, double step)
{
  int decimals = (int) CLAMP (-floor (log10 (step) + 1e-9), 0, 9);
  char format[8] = { '%', '.', (char) ('0' + decimals), 'f', '\0' };

  if (step <= 0)
    return value >= 1e5 || value < 1e-3
               ? g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.0e", value)
               : g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%g", value);
  if (fabs (value) >= 10000 && step >= 1 && value > 0)
    return goban_format_grouped (buffer, (guint64) (value + 0.5));
  if (fabs (value) < step / 2)
    value = 0;
  return g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, format, value);
}

void
goban_axis_paint_y (const GobanAxis *self, const GobanAxisPaint *paint)
{
  GobanBox plot = paint->plot;
  double ui = paint->ui, height = plot.y1 - plot.y0;
  Ticks ticks = find_ticks (self, height, TICK_DISTANCE * ui);
  GobanTextStyle style = { GOBAN_AXIS_FONT * ui, FALSE, GOBAN_ALIGN_RIGHT, paint->colours->muted };

  for (guint i = 0; i < ticks.n; i++)
    {
      double place = goban_axis_place (self, ticks.values[i] * get_unit (self));
      double y = floor (plot.y1 - place * height);
      char text[GOBAN_QUANTITY_LEN];

      goban_pen_rect (paint->pen, (GobanBox){ plot.x0, y, plot.x1, y + fmax (floor (ui), 1) },
                      goban_rgb_mix (paint->colours->rule, paint->colours->panel, 0.5));
      goban_pen_text (paint->pen, format_tick (text, ticks.values[i], ticks.step),
                      (GobanPoint){ plot.x0 - (GOBAN_AXIS_WIDTH + 4) * ui, y },
                      GOBAN_AXIS_WIDTH * ui, &style);
    }
}

void
goban_axis_paint_x (const GobanAxis *self, const GobanAxisPaint *paint)
{
  GobanBox plot = paint->plot;
  double ui = paint->ui, width = plot.x1 - plot.x0, half = 1.25 * TICK_DISTANCE * ui;
  Ticks ticks = find_ticks (self, width, 2.5 * TICK_DISTANCE * ui);
  GobanTextStyle style = { GOBAN_AXIS_FONT * ui, FALSE, GOBAN_ALIGN_CENTRE, paint->colours->muted };

  goban_pen_rect (paint->pen,
                  (GobanBox){ plot.x0, plot.y1, plot.x1, plot.y1 + fmax (floor (ui), 1) },
                  paint->colours->rule);
  for (guint i = 0; i < ticks.n; i++)
    {
      double place = goban_axis_place (self, ticks.values[i] * get_unit (self));
      double x = plot.x0 + place * width;
      char text[GOBAN_QUANTITY_LEN];

      goban_pen_text (
          paint->pen, format_tick (text, ticks.values[i], ticks.step),
          (GobanPoint){ fmin (x, plot.x1 - half / 2) - half, plot.y1 + GOBAN_AXIS_HEIGHT / 2 * ui },
          2 * half, &style);
    }
}
