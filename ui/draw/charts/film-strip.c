#include "ui/draw/charts/film-strip.h"

#include "engine/core/quantity.h"
#include "ui/draw/charts/axis.h"

#include <math.h>

/* Pixels of the design. */
#define CELL_WIDTH 78.0
#define PAD 5.0
#define LINE_HEIGHT 14.0

/* --- pictures --------------------------------------------------------------------------------- */

GobanFilmPicture
goban_film_picture_new_empty (guint update)
{
  return (GobanFilmPicture){ .update = update, .makespan_us = NAN };
}

/* Adds the columns' share of a span to the sums (GOBAN_FILM_COLUMNS); times in columns. */
static void
add_span (double *sums, double start, double finish)
{
  guint last = (guint) CLAMP (ceil (finish), 1, GOBAN_FILM_COLUMNS);

  for (guint c = (guint) fmax (floor (start), 0); c < last; c++)
    sums[c] += fmax (fmin (finish, c + 1) - fmax (start, c), 0);
}

GobanFilmPicture
goban_film_picture_new (GobanRun *run, guint update)
{
  GobanTrace *trace = goban_run_get_trace (run);
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (run));
  double makespan_us = goban_run_get_makespan_us (run);
  g_autofree double *sums = g_new0 (double, (gsize) n_devices *GOBAN_FILM_COLUMNS);
  GobanFilmPicture self
      = { update, makespan_us, n_devices, g_new (guint8, (gsize) n_devices * GOBAN_FILM_COLUMNS) };

  for (guint i = 0; i < n_nodes && makespan_us > 0; i++)
    if (goban_trace_get_kernel (trace, i) == i) /* a kernel counts once */
      add_span (sums + (gsize) goban_plan_get_device (plan, i) * GOBAN_FILM_COLUMNS,
                spans[i].start_us / makespan_us * GOBAN_FILM_COLUMNS,
                spans[i].finish_us / makespan_us * GOBAN_FILM_COLUMNS);
  for (gsize i = 0; i < (gsize) n_devices * GOBAN_FILM_COLUMNS; i++)
    self.busy[i] = (guint8) lround (255 * fmin (sums[i], 1));
  return self;
}

void
goban_film_picture_clear (GobanFilmPicture *self)
{
  g_clear_pointer (&self->busy, g_free);
}

/* --- places ----------------------------------------------------------------------------------- */

static double
get_ui (const GobanFilmStrip *self)
{
  return self->ui_scale > 0 ? self->ui_scale : 1;
}

static guint
count_cells (const GobanFilmStrip *self, double width)
{
  guint n_room = (guint) MAX (width / (CELL_WIDTH * get_ui (self)), 1);

  return MIN (self->n_pictures, n_room);
}

/* The picture of a cell: all, or evenly spaced ones from the first to the last. */
static guint
get_picture (const GobanFilmStrip *self, guint n_cells, guint cell)
{
  return n_cells < 2 ? self->n_pictures - 1
                     : (guint) lround ((double) cell * (self->n_pictures - 1) / (n_cells - 1));
}

gint
goban_film_strip_find (const GobanFilmStrip *self, double width, double x)
{
  guint n = count_cells (self, width);
  double cell = floor (x / (CELL_WIDTH * get_ui (self)));

  return n > 0 ? (gint) get_picture (self, n, (guint) CLAMP (cell, 0, n - 1)) : -1;
}

gint
goban_film_strip_find_best (const GobanFilmStrip *self)
{
  gint best = -1;

  for (guint i = 0; i < self->n_pictures; i++)
    if (isfinite (self->pictures[i].makespan_us)
        && (best < 0 || self->pictures[i].makespan_us < self->pictures[best].makespan_us))
      best = (gint) i;
  return best;
}

/* --- painting --------------------------------------------------------------------------------- */

typedef struct
{
  const GobanFilmStrip *strip;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  double longest_us;
  gint best;
} Painter;

static void
paint_lanes (const Painter *p, const GobanFilmPicture *picture, GobanBox box)
{
  double width = (box.x1 - box.x0) * picture->makespan_us / p->longest_us;
  double lane = (box.y1 - box.y0) / picture->n_devices;

  for (guint d = 0; d < picture->n_devices; d++)
    {
      double y = box.y0 + d * lane;
      GobanRgb rgb = goban_palette_device (p->strip->theme, d);

      goban_pen_rect (p->pen, (GobanBox){ box.x0, y, box.x0 + width, y + lane - p->ui },
                      p->colours->canvas);
      for (guint c = 0; c < GOBAN_FILM_COLUMNS; c++)
        {
          guint busy = picture->busy[d * GOBAN_FILM_COLUMNS + c];
          double x0 = box.x0 + width * c / GOBAN_FILM_COLUMNS;
          double x1 = box.x0 + width * (c + 1) / GOBAN_FILM_COLUMNS;

          if (busy > 0)
            goban_pen_tint (p->pen, (GobanBox){ x0, y, x1, y + lane - p->ui }, rgb, busy);
        }
    }
}

/* The number of updates above, the makespan below. */
static void
paint_words (const Painter *p, const GobanFilmPicture *picture, GobanBox cell, gboolean is_best)
{
  GobanTextStyle style = { GOBAN_AXIS_FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };
  GobanTextStyle value = { GOBAN_AXIS_FONT * p->ui, is_best, GOBAN_ALIGN_LEFT, p->colours->ink };
  double x = cell.x0 + PAD * p->ui, width = cell.x1 - cell.x0 - 2 * PAD * p->ui;
  double half = LINE_HEIGHT / 2 * p->ui;
  char number[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;

  goban_format_grouped (number, picture->update);
  goban_pen_text (p->pen, number, (GobanPoint){ x, cell.y0 + half }, width, &style);
  if (!isfinite (picture->makespan_us))
    {
      goban_pen_text (p->pen, "…", (GobanPoint){ x, cell.y1 - half }, width, &style);
      return;
    }
  goban_format_time (number, picture->makespan_us);
  text = g_strconcat (is_best ? "★ " : "", number, NULL);
  goban_pen_text (p->pen, text, (GobanPoint){ x, cell.y1 - half }, width, &value);
}

static void
paint_cell (const Painter *p, guint i, GobanBox cell)
{
  const GobanFilmPicture *picture = &p->strip->pictures[i];
  double line = LINE_HEIGHT * p->ui;

  if ((gint) i == p->strip->selected)
    goban_pen_round_rect (p->pen, (GobanBox){ cell.x0 + p->ui, cell.y0, cell.x1 - p->ui, cell.y1 },
                          4 * p->ui, p->colours->rule);
  if (isfinite (picture->makespan_us))
    paint_lanes (
        p, picture,
        (GobanBox){ cell.x0 + PAD * p->ui, cell.y0 + line, cell.x1 - PAD * p->ui, cell.y1 - line });
  paint_words (p, picture, cell, (gint) i == p->best);
}

void
goban_film_strip_paint (const GobanFilmStrip *self, GobanPen *pen)
{
  double width = goban_pen_get_width (pen), height = goban_pen_get_height (pen);
  guint n = count_cells (self, width);
  Painter p = { .strip = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = get_ui (self),
                .longest_us = 1e-9,
                .best = goban_film_strip_find_best (self) };

  goban_pen_rect (pen, (GobanBox){ 0, 0, width, height }, p.colours->panel);
  for (guint i = 0; i < self->n_pictures; i++)
    if (isfinite (self->pictures[i].makespan_us))
      p.longest_us = fmax (p.longest_us, self->pictures[i].makespan_us);
  for (guint c = 0; c < n; c++)
    {
      double x = c * CELL_WIDTH * p.ui;

      paint_cell (&p, get_picture (self, n, c), (GobanBox){ x, 0, x + CELL_WIDTH * p.ui, height });
    }
}
