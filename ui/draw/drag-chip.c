#include "ui/draw/drag-chip.h"

#include <math.h>

/* Design pixels. */
#define LINE 19.0
#define MARGIN 9.0
#define SWATCH 13.0
#define MOST_WIDTH 380.0

static void
paint_device (GobanPen *pen, GobanTheme theme, guint device, GobanBox box, double ui)
{
  GobanRgb fill = goban_palette_device (theme, device);

  goban_pen_rect (pen, box, fill);
  goban_pen_hatch (pen, box, goban_palette_cue (device), goban_palette_hatch (fill), ui);
}

static double
swatches_width (const GobanDragChip *chip)
{
  guint n = chip->n_devices;

  return n * (SWATCH + 3) + (chip->target != G_MAXUINT ? SWATCH + 18 : 0) + 5;
}

static GobanBox
place_chip (const GobanDragChip *chip, GobanPen *pen, double text_w)
{
  double ui = chip->ui_scale;
  double width = text_w + (swatches_width (chip) + 2 * MARGIN) * ui;
  double height = (chip->note != NULL ? 2 * LINE + 8 : LINE + 8) * ui;
  GobanBox box = { .x0 = chip->at.x + 14 * ui, .y0 = chip->at.y + 16 * ui };

  box.x0 = MAX (MIN (box.x0, goban_pen_get_width (pen) - width - 4 * ui), 4 * ui);
  if (box.y0 + height > goban_pen_get_height (pen))
    box.y0 = chip->at.y - height - 10 * ui;
  /* The pointer may be outside, for example over the legend. */
  box.y0 = CLAMP (box.y0, 0, MAX (goban_pen_get_height (pen) - height - 4 * ui, 0));
  box.x1 = box.x0 + width;
  box.y1 = box.y0 + height;
  return box;
}

/* The present device, and an arrow to the new one. Returns the start of the text. */
static double
paint_way (const GobanDragChip *chip, GobanPen *pen, double x, double middle)
{
  const GobanColours *colours = goban_palette_get (chip->theme);
  double ui = chip->ui_scale;
  double half = SWATCH / 2 * ui;
  GobanTextStyle arrow = { 13 * ui, TRUE, GOBAN_ALIGN_CENTRE, colours->ink };

  for (guint i = 0; i < chip->n_devices; i++, x += (SWATCH + 3) * ui)
    paint_device (pen, chip->theme, chip->devices[i],
                  (GobanBox){ x, middle - half, x + 2 * half, middle + half }, ui);
  if (chip->target != G_MAXUINT)
    {
      goban_pen_text (pen, "→", (GobanPoint){ x, middle }, 15 * ui, &arrow);
      x += 18 * ui;
      paint_device (pen, chip->theme, chip->target,
                    (GobanBox){ x, middle - half, x + 2 * half, middle + half }, ui);
      x += SWATCH * ui;
    }
  return x + 5 * ui;
}

void
goban_drag_chip_paint (const GobanDragChip *chip, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (chip->theme);
  double ui = chip->ui_scale;
  GobanTextStyle title = { 12 * ui, TRUE, GOBAN_ALIGN_LEFT, colours->ink };
  GobanTextStyle note = { 11.5 * ui, FALSE, GOBAN_ALIGN_LEFT, colours->ink };
  GobanStroke rim = { colours->muted, GOBAN_OPAQUE, ui };
  double most = MOST_WIDTH * ui;
  double title_w = MIN (goban_pen_text_width (pen, chip->title, &title), most);
  double note_w
      = chip->note != NULL ? MIN (goban_pen_text_width (pen, chip->note, &note), most) : 0;
  double swatches = swatches_width (chip) * ui;
  double text_w = MAX (title_w, note_w - swatches);
  GobanBox box = place_chip (chip, pen, text_w);
  double middle = box.y0 + (4 + LINE / 2) * ui;
  double x;

  goban_pen_round_rect (pen, box, 6 * ui, colours->panel);
  goban_pen_ring (pen, box, 6 * ui, &rim);
  x = paint_way (chip, pen, box.x0 + MARGIN * ui, middle);
  goban_pen_text (pen, chip->title, (GobanPoint){ x, middle }, ceil (title_w) + ui, &title);
  if (chip->note != NULL)
    goban_pen_text (pen, chip->note, (GobanPoint){ box.x0 + MARGIN * ui, middle + LINE * ui },
                    ceil (note_w) + ui, &note);
}

void
goban_lasso_paint (const GobanLasso *lasso, GobanTheme theme, double ui_scale, GobanPen *pen)
{
  GobanRgb rgb = goban_palette_get (theme)->selection;
  guint n;
  const GobanPoint *points = goban_lasso_get_points (lasso, &n);
  GobanStroke line = { rgb, GOBAN_OPAQUE, 1.8 * ui_scale };
  GobanStroke closing = { rgb, GOBAN_OPAQUE / 2, ui_scale };

  if (n < 2)
    return;

  goban_pen_area (pen, points, n, rgb, GOBAN_OPAQUE / 7);
  for (guint i = 1; i < n; i++)
    goban_pen_line (pen, points[i - 1], points[i], &line);
  goban_pen_line (pen, points[n - 1], points[0], &closing);
}
