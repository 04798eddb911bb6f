#include "ui/draw/charts/treads.h"

#include <math.h>

#define PAD 5.0
/* Narrower treads have no gap between them. */
#define LEAST_GAPPED 4.0
#define KNOB_RADIUS 8.0
/* The shortest plan is well above the base line, which is not time 0. */
#define LEAST_HEIGHT 0.25

typedef struct
{
  const GobanTreads *treads;
  const GobanColours *colours;
  GobanPen *pen;
  double ui, width, height;
} Painter;

static double
tread_x0 (const GobanTreads *self, double width, guint tread)
{
  return floor (width * tread / MAX (self->n, 1) + 0.5);
}

double
goban_treads_x (const GobanTreads *self, double width, guint tread)
{
  return (tread_x0 (self, width, tread) + tread_x0 (self, width, tread + 1)) / 2;
}

guint
goban_treads_at (const GobanTreads *self, double width, double x)
{
  double at = floor (x / MAX (width, 1) * self->n);

  return self->n > 0 ? (guint) CLAMP (at, 0, (double) self->n - 1) : 0;
}

static void
draw_cross (const Painter *p, double x)
{
  double r = 3 * p->ui, y = p->height / 2;
  GobanStroke stroke = { p->colours->critical, GOBAN_OPAQUE, 1.5 * p->ui };

  goban_pen_line (p->pen, (GobanPoint){ x - r, y - r }, (GobanPoint){ x + r, y + r }, &stroke);
  goban_pen_line (p->pen, (GobanPoint){ x - r, y + r }, (GobanPoint){ x + r, y - r }, &stroke);
}

static GobanRgb
get_grey (const Painter *p)
{
  gboolean is_high = goban_theme_is_high_contrast (p->treads->theme);

  return goban_rgb_mix (p->colours->panel, p->colours->ink, is_high ? 0.45 : 0.14);
}

/* @box: of the whole height. */
static void
draw_tread (const Painter *p, guint tread, GobanBox box)
{
  const GobanTreads *treads = p->treads;
  gboolean is_past = (int) tread <= treads->shown;
  double share = treads->get_share != NULL ? treads->get_share (tread, treads->data) : 1;
  guint device = treads->get_device != NULL ? treads->get_device (tread, treads->data) : G_MAXUINT;
  GobanRgb fill = get_grey (p);

  if (isnan (share))
    {
      draw_cross (p, (box.x0 + box.x1) / 2);
      return;
    }
  if ((int) tread == treads->shown && treads->get_device == NULL)
    fill = p->colours->selection;
  else if (is_past && treads->get_device == NULL)
    fill = goban_rgb_mix (p->colours->selection, p->colours->panel, 0.6);
  else if (is_past && device != G_MAXUINT)
    fill = goban_palette_device (treads->theme, device);
  if (treads->get_share != NULL)
    box.y0 = floor (
        box.y1 - (box.y1 - box.y0) * (LEAST_HEIGHT + (1 - LEAST_HEIGHT) * CLAMP (share, 0, 1)));
  goban_pen_rect (p->pen, box, fill);
  if (is_past && device != G_MAXUINT)
    goban_pen_hatch (p->pen, box, goban_palette_cue (device), goban_palette_hatch (fill), p->ui);
}

/* One tread of each pixel at most. */
static void
draw_treads (const Painter *p)
{
  double y0 = floor (PAD * p->ui), y1 = floor (p->height - PAD * p->ui);
  double each = p->width / MAX (p->treads->n, 1);
  double gap = each >= LEAST_GAPPED * p->ui ? fmax (floor (p->ui), 1) : 0;
  guint step = (guint) fmax (1, floor (1 / each));

  for (guint t = 0; t < p->treads->n; t += step)
    {
      GobanBox box = { tread_x0 (p->treads, p->width, t), y0,
                       tread_x0 (p->treads, p->width, MIN (t + step, p->treads->n)) - gap, y1 };

      draw_tread (p, t, box);
      if ((int) t == p->treads->hover)
        goban_pen_frame (p->pen, (GobanBox){ box.x0, y0 - p->ui, box.x1, y1 + p->ui }, p->ui,
                         p->colours->ink);
    }
}

/* A plan's in its middle; a decision's at its end, up to which is decided. */
static void
draw_knob (const Painter *p)
{
  const GobanTreads *treads = p->treads;
  double r = KNOB_RADIUS * p->ui, y = p->height / 2;
  double x = treads->shown < 0            ? 0
             : treads->get_device == NULL ? goban_treads_x (treads, p->width, (guint) treads->shown)
                                          : tread_x0 (treads, p->width, (guint) treads->shown + 1);

  x = CLAMP (x, r, MAX (r, p->width - r));
  goban_pen_round_rect (p->pen, (GobanBox){ x - r, y - r, x + r, y + r }, r, p->colours->panel);
  r -= p->ui;
  goban_pen_round_rect (p->pen, (GobanBox){ x - r, y - r, x + r, y + r }, r, p->colours->ink);
  r -= 2 * p->ui;
  goban_pen_round_rect (p->pen, (GobanBox){ x - r, y - r, x + r, y + r }, r, p->colours->canvas);
}

void
goban_treads_paint (const GobanTreads *self, GobanPen *pen)
{
  Painter p = { .treads = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = self->ui_scale > 0 ? self->ui_scale : 1,
                .width = goban_pen_get_width (pen),
                .height = goban_pen_get_height (pen) };

  goban_pen_rect (pen, (GobanBox){ 0, 0, p.width, p.height }, p.colours->panel);
  if (self->n == 0)
    return;
  draw_treads (&p);
  draw_knob (&p);
}
