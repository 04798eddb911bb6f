#include "ui/draw/charts/histogram.h"

#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

#define N GOBAN_HISTOGRAM_BINS
#define RAMP_H 9.0
#define WORDS_H 18.0

typedef struct
{
  const GobanHistogram *histogram;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  double width;
  double bars_y1; /* area of the bars */
} Painter;

void
goban_histogram_count (GobanHistogram *self, const GobanNodeValues *values,
                       const GobanSelection *selection)
{
  guint n = 0;
  const GobanNodeId *ids = selection != NULL ? goban_selection_get_ids (selection, &n) : NULL;

  self->values = values;
  goban_node_values_count (values, self->counts, N);
  memset (self->selected, 0, sizeof self->selected);
  for (guint i = 0; i < n; i++)
    {
      guint bin = ids[i] < values->n_nodes ? goban_node_values_bin (values, ids[i], N) : N;

      if (bin < N)
        self->selected[bin]++;
    }
}

static double
bin_x (const Painter *p, guint bin)
{
  return floor (p->width * bin / N + 0.5);
}

static void
draw_bar (const Painter *p, guint bin, guint count, guint most, GobanRgb rgb)
{
  double room = p->bars_y1 - 3 * p->ui;
  double height = most > 0 ? ceil (room * sqrt ((double) count / most)) : 0;
  double gap = p->width / N >= 4 * p->ui ? p->ui : 0;

  if (count > 0)
    goban_pen_rect (p->pen,
                    (GobanBox){ bin_x (p, bin), p->bars_y1 - MAX (height, 2 * p->ui),
                                bin_x (p, bin + 1) - gap, p->bars_y1 },
                    rgb);
}

static void
paint_bars (const Painter *p)
{
  const GobanHistogram *histogram = p->histogram;
  GobanRgb plain = goban_rgb_mix (p->colours->muted, p->colours->canvas, 0.35);
  guint most = 0;

  for (guint bin = 0; bin < N; bin++)
    most = MAX (most, histogram->counts[bin]);
  for (guint bin = 0; bin < N; bin++)
    {
      draw_bar (p, bin, histogram->counts[bin], most, plain);
      draw_bar (p, bin, histogram->selected[bin], most, p->colours->selection);
    }
}

/* The colours below the bars they belong to, with a notch where half of the nodes are below. */
static void
paint_ramp (const Painter *p)
{
  const GobanNodeValues *values = p->histogram->values;
  double top = p->bars_y1 + p->ui;
  double bottom = top + floor (RAMP_H * p->ui);
  guint n = (guint) MAX (p->width, 1);
  double middle;

  for (guint x = 0; x < n; x++)
    goban_pen_rect (p->pen, (GobanBox){ x, top, x + 1, bottom },
                    goban_palette_ramp (p->histogram->theme, n > 1 ? (double) x / (n - 1) : 0));
  if (values->n_known == 0)
    return;

  middle = floor ((double) values->places[values->order[values->n_known / 2]] * (p->width - 1));
  goban_pen_rect (
      p->pen,
      (GobanBox){ middle - 2 * p->ui, bottom - 4 * p->ui, middle + 3 * p->ui, bottom + 3 * p->ui },
      p->colours->panel);
  goban_pen_rect (
      p->pen,
      (GobanBox){ middle - p->ui, bottom - 3 * p->ui, middle + 2 * p->ui, bottom + 3 * p->ui },
      p->colours->ink);
}

static void
paint_words (const Painter *p)
{
  const GobanNodeValues *values = p->histogram->values;
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };
  double y = goban_pen_get_height (p->pen) - WORDS_H / 2 * p->ui + p->ui;
  char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];

  if (values->n_known == 0)
    {
      goban_pen_text (p->pen, "nothing is known", (GobanPoint){ 0, y }, p->width, &style);
      return;
    }
  goban_pen_text (p->pen, goban_node_values_format (values, least, values->least),
                  (GobanPoint){ 0, y }, p->width / 2, &style);
  style.align = GOBAN_ALIGN_RIGHT;
  goban_pen_text (p->pen, goban_node_values_format (values, most, values->most),
                  (GobanPoint){ p->width / 2, y }, p->width / 2, &style);
}

static void
paint_brush (const Painter *p, GobanBrush brush)
{
  GobanBox box = { bin_x (p, brush.first), 0, bin_x (p, brush.last + 1),
                   p->bars_y1 + p->ui + floor (RAMP_H * p->ui) };
  double edge = MAX (floor (2 * p->ui), 1);

  goban_pen_tint (p->pen, box, p->colours->selection, GOBAN_OPAQUE / 6);
  goban_pen_rect (p->pen, (GobanBox){ box.x0, box.y0, box.x0 + edge, box.y1 },
                  p->colours->selection);
  goban_pen_rect (p->pen, (GobanBox){ box.x1 - edge, box.y0, box.x1, box.y1 },
                  p->colours->selection);
}

void
goban_histogram_paint (const GobanHistogram *self, GobanPen *pen)
{
  double ui = self->ui_scale > 0 ? self->ui_scale : 1;
  double height = goban_pen_get_height (pen);
  Painter p = { .histogram = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = ui,
                .width = goban_pen_get_width (pen),
                .bars_y1 = MAX (floor (height - (RAMP_H + 1 + WORDS_H) * ui), 1) };

  goban_pen_rect (pen, (GobanBox){ 0, 0, p.width, height }, p.colours->panel);
  paint_bars (&p);
  goban_pen_rect (pen, (GobanBox){ 0, p.bars_y1, p.width, p.bars_y1 + ui }, p.colours->rule);
  paint_ramp (&p);
  paint_words (&p);
  if (self->brush != NULL)
    paint_brush (&p, *self->brush);
}

guint
goban_histogram_bin_at (double width, double x)
{
  return (guint) CLAMP (floor (x / MAX (width, 1) * N), 0, N - 1);
}

char *
goban_histogram_describe (const GobanHistogram *self, GobanBrush brush)
{
  const GobanNodeValues *values = self->values;
  char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];
  double from, to;
  guint n = 0, n_selected = 0;
  GString *text;

  for (guint bin = brush.first; bin <= brush.last; bin++)
    {
      n += self->counts[bin];
      n_selected += self->selected[bin];
    }
  if (!goban_node_values_range (values, N, brush.first, brush.last, &from, &to))
    return g_strdup_printf (
        "about %s: no node",
        goban_node_values_format (values, least,
                                  goban_node_values_at (values, (brush.first + 0.5) / N)));

  text = g_string_new (goban_node_values_format (values, least, from));
  goban_node_values_format (values, most, to);
  if (!g_str_equal (least, most))
    g_string_append_printf (text, " to %s", most);
  g_string_append_printf (text, n == 1 ? ": %s node" : ": %s nodes",
                          goban_format_grouped (most, n));
  if (n_selected > 0 && n_selected < n)
    g_string_append_printf (text, ", %s selected", goban_format_grouped (most, n_selected));
  return g_string_free (text, FALSE);
}
