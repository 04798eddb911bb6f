#include "ui/draw/charts/waterfall.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

/* As a share of the range of all ends: free room before the least of them. */
#define MARGIN 0.3
/* The axis begins at 0 if the least end is below this share of the largest. */
#define NEAR_ZERO 0.35
#define BAR_INSET 4.0
#define GAP_AT 6.0
#define GAP_WIDTH 3.0

/* --- values ----------------------------------------------------------------------------------- */

double
goban_waterfall_find_start (double least, double most)
{
  return most > least && least > NEAR_ZERO * most ? fmax (least - MARGIN * (most - least), 0) : 0;
}

static void
clear_row (gpointer data)
{
  GobanWaterfallRow *row = data;

  g_free (row->label);
  g_free (row->value);
  g_free (row->note);
}

static gboolean
is_plan (GobanBarKind kind)
{
  return kind == GOBAN_BAR_BEFORE || kind == GOBAN_BAR_AFTER;
}

static void
find_axis (GobanWaterfall *self, const GobanBreakdown *breakdown, gboolean with_groups,
           double *width_us)
{
  double least_us = INFINITY, most_us = 0;

  for (guint i = 0; i < breakdown->n_bars; i++)
    {
      if (breakdown->bars[i].kind == GOBAN_BAR_GROUP && !with_groups)
        continue;
      least_us = fmin (least_us, breakdown->bars[i].to_us);
      most_us = fmax (most_us, breakdown->bars[i].to_us);
    }
  self->start_us = goban_waterfall_find_start (least_us, most_us);
  self->has_gap = self->start_us > 0;
  *width_us = most_us > self->start_us ? most_us - self->start_us : 1;
}

static char *
format_value (const GobanBar *bar, int sense, double whole_us)
{
  char buffer[GOBAN_QUANTITY_LEN + 1];

  if (is_plan (bar->kind))
    return g_strdup (goban_format_time (buffer, bar->to_us));
  return g_strconcat (sense < 0   ? "▼ "
                      : sense > 0 ? "▲ "
                                  : "",
                      goban_format_change (buffer, goban_bar_get_change_us (bar), whole_us), NULL);
}

static char *
format_note (const GobanBar *bar, double whole_us)
{
  char number[GOBAN_QUANTITY_LEN], error[GOBAN_QUANTITY_LEN];
  g_autofree char *nodes = NULL;

  if (!bar->is_possible)
    return g_strdup (_ ("not possible alone"));
  if (bar->n_nodes == 0)
    return g_strdup ("");
  nodes = g_strdup_printf (bar->n_nodes == 1 ? _ ("%s node") : _ ("%s nodes"),
                           goban_format_grouped (number, bar->n_nodes));
  if (bar->error_us <= 1e-9 * whole_us)
    return g_steal_pointer (&nodes);
  return g_strdup_printf ("± %s · %s", goban_format_time (error, bar->error_us), nodes);
}

GobanWaterfall *
goban_waterfall_new (const GobanBreakdown *breakdown, const char *const names[2],
                     gboolean with_groups)
{
  GobanWaterfall *self = g_new0 (GobanWaterfall, 1);
  double width_us, whole_us = breakdown->bars[0].to_us;

  self->rows = g_array_new (FALSE, FALSE, sizeof (GobanWaterfallRow));
  g_array_set_clear_func (self->rows, clear_row);
  find_axis (self, breakdown, with_groups, &width_us);
  for (guint i = 0; i < breakdown->n_bars; i++)
    {
      const GobanBar *bar = &breakdown->bars[i];
      double change_us = goban_bar_get_change_us (bar);
      gboolean is_named = names != NULL && is_plan (bar->kind);
      GobanWaterfallRow row = { .kind = bar->kind, .bar = i };

      if (bar->kind == GOBAN_BAR_GROUP && !with_groups)
        continue;
      if (!is_plan (bar->kind) && fabs (change_us) > 1e-9 * whole_us)
        row.sense = change_us < 0 ? -1 : 1;
      row.label = g_strdup (is_named ? names[bar->kind == GOBAN_BAR_AFTER] : bar->label);
      row.value = format_value (bar, row.sense, whole_us);
      row.note = format_note (bar, whole_us);
      row.from = is_plan (bar->kind) ? 0 : (bar->from_us - self->start_us) / width_us;
      row.to = (bar->to_us - self->start_us) / width_us;
      g_array_append_val (self->rows, row);
    }
  return self;
}

void
goban_waterfall_free (GobanWaterfall *self)
{
  g_array_unref (self->rows);
  g_free (self);
}

const GobanWaterfallRow *
goban_waterfall_get_row (const GobanWaterfall *self, guint i)
{
  return &g_array_index (self->rows, GobanWaterfallRow, i);
}

char *
goban_waterfall_describe_row (const GobanWaterfall *self, guint i)
{
  const GobanWaterfallRow *row = goban_waterfall_get_row (self, i);

  return g_strdup_printf ("%s: %s%s%s", row->label, row->value, *row->note != '\0' ? ", " : "",
                          row->note);
}

/* --- painting --------------------------------------------------------------------------------- */

GobanRgb
goban_waterfall_get_colour (int sense, GobanTheme theme)
{
  static const GobanRgb better[GOBAN_N_THEMES] = { [GOBAN_THEME_LIGHT] = 0x006d4f,
                                                   [GOBAN_THEME_DARK] = 0x4fd1a5,
                                                   [GOBAN_THEME_HIGH_CONTRAST] = 0x00523b,
                                                   [GOBAN_THEME_HIGH_CONTRAST_INVERSE] = 0x7ce5c0 };
  static const GobanRgb worse[GOBAN_N_THEMES] = { [GOBAN_THEME_LIGHT] = 0xb34700,
                                                  [GOBAN_THEME_DARK] = 0xff9d5c,
                                                  [GOBAN_THEME_HIGH_CONTRAST] = 0x853200,
                                                  [GOBAN_THEME_HIGH_CONTRAST_INVERSE] = 0xffb98a };

  return sense < 0 ? better[theme] : sense > 0 ? worse[theme] : goban_palette_get (theme)->muted;
}

static double
position (GobanBox lane, double at)
{
  return lane.x0 + at * (lane.x1 - lane.x0 - 1);
}

/* Whether row @i + 1 begins where row @i ends. The first group begins where the placement does, the
 * last one ends where it does. */
static gboolean
is_joined (const GobanWaterfall *self, guint i)
{
  return i + 1 < self->rows->len
         && (goban_waterfall_get_row (self, i + 1)->kind != GOBAN_BAR_GROUP
             || goban_waterfall_get_row (self, i)->kind == GOBAN_BAR_GROUP);
}

static void
paint_join (GobanPen *pen, double x, double y0, double y1, GobanRgb rgb)
{
  goban_pen_rect (pen, (GobanBox){ x, y0, x + 1, y1 }, rgb);
}

void
goban_waterfall_paint_bar (const GobanWaterfall *self, guint i, GobanPen *pen, GobanBox lane,
                           GobanTheme theme)
{
  const GobanColours *colours = goban_palette_get (theme);
  const GobanWaterfallRow *row = goban_waterfall_get_row (self, i);
  GobanRgb rgb = goban_rgb_mix (colours->canvas, goban_waterfall_get_colour (row->sense, theme),
                                row->kind == GOBAN_BAR_GROUP ? 0.55 : 0.85);
  GobanRgb join = goban_rgb_mix (colours->canvas, colours->muted, 0.5);
  double from = position (lane, row->from), to = position (lane, row->to);
  GobanBox bar = { fmin (from, to), lane.y0 + BAR_INSET, fmax (from, to) + 1, lane.y1 - BAR_INSET };

  if (i > 0 && is_joined (self, i - 1))
    paint_join (pen, position (lane, goban_waterfall_get_row (self, i - 1)->to), lane.y0, bar.y0,
                join);
  if (is_joined (self, i))
    paint_join (pen, to, bar.y1, lane.y1, join);
  goban_pen_rect (pen, bar, rgb);
  if (is_plan (row->kind) && self->has_gap)
    goban_pen_rect (
        pen, (GobanBox){ lane.x0 + GAP_AT, bar.y0 - 1, lane.x0 + GAP_AT + GAP_WIDTH, bar.y1 + 1 },
        colours->canvas);
}
