#include "ui/draw/charts/step-curve.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

#define PAD 4.0
#define WORDS_H 12.0

typedef struct
{
  const GobanStepCurve *curve;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  double width;
  double height;
  double least_us;
  double most_us;
} Painter;

static double
tread_x0 (const GobanStepCurve *self, double width, guint tread)
{
  return floor (width * tread / MAX (self->n, 1) + 0.5);
}

double
goban_step_curve_x (const GobanStepCurve *self, double width, guint tread)
{
  return (tread_x0 (self, width, tread) + tread_x0 (self, width, tread + 1)) / 2;
}

guint
goban_step_curve_at (const GobanStepCurve *self, double width, double x)
{
  double at = floor (x / MAX (width, 1) * self->n);

  return self->n > 0 ? (guint) CLAMP (at, 0, (double) self->n - 1) : 0;
}

static void
find_range (Painter *p)
{
  p->least_us = INFINITY;
  p->most_us = -INFINITY;
  for (guint i = 0; i < p->curve->n; i++)
    if (isfinite (p->curve->makespans_us[i]))
      {
        p->least_us = fmin (p->least_us, p->curve->makespans_us[i]);
        p->most_us = fmax (p->most_us, p->curve->makespans_us[i]);
      }
}

/* The lowest tread is well above the base line, which is not time 0. */
static double
tread_y (const Painter *p, double makespan_us)
{
  double top = (PAD + WORDS_H) * p->ui;
  double bottom = p->height - PAD * p->ui - (p->height - top) * 0.2;
  double share
      = p->most_us > p->least_us ? (makespan_us - p->least_us) / (p->most_us - p->least_us) : 0.5;

  return floor (bottom - share * (bottom - top));
}

static void
draw_cross (const Painter *p, double x, double y)
{
  double r = 3.5 * p->ui;
  GobanStroke stroke = { p->colours->critical, GOBAN_OPAQUE, 1.5 * p->ui };

  goban_pen_line (p->pen, (GobanPoint){ x - r, y - r }, (GobanPoint){ x + r, y + r }, &stroke);
  goban_pen_line (p->pen, (GobanPoint){ x - r, y + r }, (GobanPoint){ x + r, y - r }, &stroke);
}

static void
draw_tread (const Painter *p, guint tread)
{
  const GobanStepCurve *curve = p->curve;
  double x0 = tread_x0 (curve, p->width, tread), x1 = tread_x0 (curve, p->width, tread + 1);
  double gap = x1 - x0 >= 6 * p->ui ? fmax (floor (p->ui), 1) : 0;
  double thick = fmax (floor (2 * p->ui), 1);
  gboolean is_past = curve->shown < 0 || (int) tread <= curve->shown;
  GobanRgb fill = goban_rgb_mix (p->colours->selection, p->colours->panel, is_past ? 0.72 : 0.9);
  double y;

  if (!isfinite (curve->makespans_us[tread]))
    {
      draw_cross (p, (x0 + x1) / 2, p->height / 2 + WORDS_H / 2 * p->ui);
      return;
    }
  y = tread_y (p, curve->makespans_us[tread]);
  goban_pen_rect (p->pen, (GobanBox){ x0, y, x1 - gap, p->height }, fill);
  goban_pen_rect (p->pen, (GobanBox){ x0, y, x1 - gap, y + thick },
                  is_past ? p->colours->selection : p->colours->muted);
}

/* The knob of the slider: a line from the words down, with a disc on the tread. */
static void
draw_knob (const Painter *p, guint tread)
{
  double x = floor (goban_step_curve_x (p->curve, p->width, tread));
  double makespan_us = p->curve->makespans_us[tread];
  double y = isfinite (makespan_us) ? tread_y (p, makespan_us) + p->ui
                                    : p->height / 2 + WORDS_H / 2 * p->ui;
  double r = 6 * p->ui;
  double half = fmax (floor (p->ui), 1);
  GobanBox disc = { x - r, y - r, x + r, y + r };

  goban_pen_rect (p->pen,
                  (GobanBox){ x - half, floor ((PAD + WORDS_H) * p->ui), x + half, p->height },
                  p->colours->ink);
  goban_pen_round_rect (
      p->pen, (GobanBox){ disc.x0 - p->ui, disc.y0 - p->ui, disc.x1 + p->ui, disc.y1 + p->ui },
      r + p->ui, p->colours->panel);
  goban_pen_round_rect (p->pen, disc, r, p->colours->ink);
  goban_pen_round_rect (p->pen, (GobanBox){ x - r / 2, y - r / 2, x + r / 2, y + r / 2 }, r / 2,
                        p->colours->panel);
}

/* The longest and the shortest, if they are not one. */
static void
paint_words (const Painter *p)
{
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };
  double y = (PAD / 2 + WORDS_H / 2) * p->ui;
  double room = p->width / 2 - PAD * p->ui;
  gboolean is_one = !(p->most_us > p->least_us);
  g_autofree char *most = NULL;
  g_autofree char *least = NULL;
  char time[GOBAN_QUANTITY_LEN];

  if (!isfinite (p->least_us))
    return;
  goban_format_time (time, p->most_us);
  most = is_one ? g_strdup (time) : g_strdup_printf (_ ("longest %s"), time);
  goban_pen_text (p->pen, most, (GobanPoint){ PAD * p->ui, y }, room, &style);
  if (is_one)
    return;
  style.align = GOBAN_ALIGN_RIGHT;
  least = g_strdup_printf (_ ("shortest %s"), goban_format_time (time, p->least_us));
  goban_pen_text (p->pen, least, (GobanPoint){ p->width / 2, y }, room, &style);
}

void
goban_step_curve_paint (const GobanStepCurve *self, GobanPen *pen)
{
  Painter p = { .curve = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = self->ui_scale > 0 ? self->ui_scale : 1,
                .width = goban_pen_get_width (pen),
                .height = goban_pen_get_height (pen) };

  goban_pen_rect (pen, (GobanBox){ 0, 0, p.width, p.height }, p.colours->panel);
  find_range (&p);
  for (guint i = 0; i < self->n; i++)
    draw_tread (&p, i);
  if (self->hover >= 0 && self->hover < (int) self->n)
    goban_pen_tint (pen,
                    (GobanBox){ tread_x0 (self, p.width, (guint) self->hover), 0,
                                tread_x0 (self, p.width, (guint) self->hover + 1), p.height },
                    p.colours->ink, GOBAN_OPAQUE / 10);
  paint_words (&p);
  if (self->shown >= 0 && self->shown < (int) self->n)
    draw_knob (&p, (guint) self->shown);
}
