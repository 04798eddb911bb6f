#include "ui/draw/charts/memory-bars.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

#define PAD 4.0
#define NAME_W 64.0
#define NUMBER_W 62.0
#define BAR_H 12.0
#define ROW_H 18.0
#define LEGEND_ROW 16.0
#define LEGEND_CHAR 6.0
#define FONT 10.5

/* In the order of the bar. */
static const struct
{
  const char *label;
  gsize offset;
  double place; /* on the ramp: the devices' colours mean devices */
  GobanCue cue;
} kinds[] = {
  { N_ ("weights"), G_STRUCT_OFFSET (GobanRankMemory, weight_bytes), 0.2, GOBAN_CUE_SOLID },
  { N_ ("gradients"), G_STRUCT_OFFSET (GobanRankMemory, gradient_bytes), 0.45, GOBAN_CUE_DIAGONAL },
  { N_ ("optimiser"), G_STRUCT_OFFSET (GobanRankMemory, optimizer_bytes), 0.7, GOBAN_CUE_CROSS },
  { N_ ("activations"), G_STRUCT_OFFSET (GobanRankMemory, activation_bytes), 0.95,
    GOBAN_CUE_HORIZONTAL },
};
#define N_KINDS G_N_ELEMENTS (kinds)

typedef struct
{
  const GobanMemoryBars *bars;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  double width; /* design pixels */
} Painter;

static double
get_bytes (const GobanRankMemory *memory, guint kind)
{
  return G_STRUCT_MEMBER (double, memory, kinds[kind].offset);
}

/* --- layout ----------------------------------------------------------------------------------- */

/* The kinds and the capacity: as wide as the longest. */
static double
legend_item (void)
{
  glong n = g_utf8_strlen (_ ("capacity"), -1);

  for (guint k = 0; k < N_KINDS; k++)
    n = MAX (n, g_utf8_strlen (_ (kinds[k].label), -1));
  return 22 + LEGEND_CHAR * (double) n;
}

static guint
legend_columns (double width)
{
  return MAX ((guint) ((width - 2 * PAD) / legend_item ()), 1);
}

static double
rows_y (double width)
{
  guint columns = legend_columns (width);

  return PAD + (N_KINDS + columns) / columns * LEGEND_ROW;
}

double
goban_memory_bars_get_height (const GobanMemoryBars *self, double width)
{
  return rows_y (width) + self->n * ROW_H + PAD;
}

/* One scale for all: of the largest sum or capacity. */
static double
get_scale (const Painter *p)
{
  double most = 1;

  for (guint i = 0; i < p->bars->n; i++)
    {
      const GobanRankMemory *memory = &p->bars->memory[i];

      most = fmax (most, goban_rank_memory_sum (memory));
      if (isfinite (memory->capacity_bytes))
        most = fmax (most, memory->capacity_bytes);
    }
  return fmax (p->width - 2 * PAD - NAME_W - NUMBER_W, 1) / most;
}

/* --- painting --------------------------------------------------------------------------------- */

static GobanBox
scale_box (const Painter *p, double x0, double y0, double x1, double y1)
{
  return (GobanBox){ floor (x0 * p->ui), floor (y0 * p->ui), floor (x1 * p->ui),
                     floor (y1 * p->ui) };
}

static void
draw_patch (const Painter *p, GobanBox box, guint kind)
{
  GobanRgb rgb = goban_palette_ramp (p->bars->theme, kinds[kind].place);

  if (box.x1 <= box.x0)
    return;
  goban_pen_rect (p->pen, box, rgb);
  goban_pen_hatch (p->pen, box, kinds[kind].cue, goban_palette_hatch (rgb), p->ui);
}

static void
draw_text (const Painter *p, const char *text, GobanPoint at, double width, GobanTextStyle style)
{
  style.size_px = FONT * p->ui;
  goban_pen_text (p->pen, text, (GobanPoint){ at.x * p->ui, at.y * p->ui }, width * p->ui, &style);
}

static void
draw_capacity (const Painter *p, double x, double y)
{
  goban_pen_rect (p->pen, scale_box (p, x, y - 2, x + 2, y + BAR_H + 2), p->colours->ink);
}

static void
draw_rank (const Painter *p, guint i)
{
  const GobanRankMemory *memory = &p->bars->memory[i];
  double scale = get_scale (p), x = PAD + NAME_W, y = rows_y (p->width) + i * ROW_H;
  gboolean fits = goban_rank_memory_sum (memory) <= memory->capacity_bytes;
  char bytes[GOBAN_QUANTITY_LEN];

  draw_text (p, p->bars->names[i], (GobanPoint){ PAD, y + BAR_H / 2 }, NAME_W - 6,
             (GobanTextStyle){ .rgb = p->colours->ink });
  for (guint k = 0; k < N_KINDS; k++)
    {
      double wide = get_bytes (memory, k) * scale;

      draw_patch (p, scale_box (p, x, y, x + wide, y + BAR_H), k);
      x += wide;
    }
  if (isfinite (memory->capacity_bytes))
    draw_capacity (p, PAD + NAME_W + memory->capacity_bytes * scale - 1, y);
  draw_text (p, goban_format_bytes (bytes, goban_rank_memory_sum (memory)),
             (GobanPoint){ p->width - PAD - NUMBER_W, y + BAR_H / 2 }, NUMBER_W,
             (GobanTextStyle){ .align = GOBAN_ALIGN_RIGHT,
                               .bold = !fits,
                               .rgb = fits ? p->colours->muted : p->colours->critical });
}

static void
draw_legend (const Painter *p)
{
  guint columns = legend_columns (p->width);

  for (guint k = 0; k <= N_KINDS; k++)
    {
      double x = PAD + k % columns * legend_item (), y = PAD + k / columns * LEGEND_ROW;

      if (k < N_KINDS)
        draw_patch (p, scale_box (p, x, y, x + 12, y + 10), k);
      else
        draw_capacity (p, x + 5, y - 1);
      draw_text (p, k < N_KINDS ? _ (kinds[k].label) : _ ("capacity"),
                 (GobanPoint){ x + 17, y + 5 }, legend_item () - 18,
                 (GobanTextStyle){ .rgb = p->colours->ink });
    }
}

void
goban_memory_bars_paint (const GobanMemoryBars *self, GobanPen *pen)
{
  double ui = self->ui_scale > 0 ? self->ui_scale : 1;
  Painter p = { .bars = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = ui,
                .width = goban_pen_get_width (pen) / ui };

  goban_pen_rect (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                  p.colours->panel);
  draw_legend (&p);
  for (guint i = 0; i < self->n; i++)
    draw_rank (&p, i);
}

/* --- words ------------------------------------------------------------------------------------ */

char *
goban_memory_bars_describe (const GobanMemoryBars *self)
{
  GString *words = g_string_new (_ ("Memory of a rank by kind"));
  char bytes[GOBAN_QUANTITY_LEN], capacity[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < self->n; i++)
    {
      const GobanRankMemory *memory = &self->memory[i];

      goban_format_bytes (bytes, goban_rank_memory_sum (memory));
      if (isfinite (memory->capacity_bytes))
        g_string_append_printf (words, _ ("\n%s: %s of %s"), self->names[i], bytes,
                                goban_format_bytes (capacity, memory->capacity_bytes));
      else
        g_string_append_printf (words, "\n%s: %s", self->names[i], bytes);
      for (guint k = 0; k < N_KINDS; k++)
        g_string_append_printf (words, "%s %s %s", k == 0 ? ":" : ",", _ (kinds[k].label),
                                goban_format_bytes (bytes, get_bytes (memory, k)));
    }
  return g_string_free (words, FALSE);
}
