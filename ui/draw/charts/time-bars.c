#include "ui/draw/charts/time-bars.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

#define PAD 8.0
#define NAME_W 56.0
#define NUMBER_W 46.0
#define BAR_H 10.0
#define BAR_GAP 2.0
#define ROW_GAP 5.0
#define LEGEND_ROW 15.0
#define LEGEND_ITEM 104.0 /* of a text of as many characters as English has at most, ... */
#define LEGEND_CHARS 14
#define LEGEND_CHAR 6.0 /* ... and of each character of a longer one */
#define FONT 10.5

typedef struct
{
  const GobanTimeBars *bars;
  const GobanColours *colours;
  GobanPen *pen;
  double ui;
  double width; /* design pixels */
} Painter;

static guint
count_runs (const GobanTimeBars *self)
{
  return self->shares[1] != NULL ? 2 : 1;
}

static guint
count_devices (const GobanTimeBars *self)
{
  return self->shares[0] != NULL ? self->shares[0]->n_devices : 0;
}

static double
row_height (const GobanTimeBars *self)
{
  return count_runs (self) * (BAR_H + BAR_GAP) + ROW_GAP;
}

/* Shorter than goban_time_kind_get_label(): three must fit into the panel of a comparison. */
static const char *const legend[] = {
  [GOBAN_TIME_COMPUTING] = N_ ("computing"),    [GOBAN_TIME_DATA] = N_ ("awaits data"),
  [GOBAN_TIME_CHANNEL] = N_ ("awaits channel"), [GOBAN_TIME_PRIORITY] = N_ ("awaits turn"),
  [GOBAN_TIME_ENDS] = N_ ("idle at ends"),
};

/* The width of an entry: kinds that wait differ in their last words, which must not be cut. */
static double
legend_item (void)
{
  glong n = 0;

  for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
    n = MAX (n, g_utf8_strlen (_ (legend[k]), -1));
  return n <= LEGEND_CHARS ? LEGEND_ITEM : 20 + LEGEND_CHAR * (double) n;
}

static guint
legend_columns (double width)
{
  return MAX ((guint) ((width - 2 * PAD) / legend_item ()), 1);
}

static double
legend_height (double width)
{
  guint columns = legend_columns (width);

  return (GOBAN_N_TIME_KINDS + columns - 1) / columns * LEGEND_ROW;
}

/* Top of a device's row, below the legend. */
static double
row_y (const GobanTimeBars *self, double width, guint device)
{
  return PAD + legend_height (width) + device * row_height (self);
}

double
goban_time_bars_get_height (const GobanTimeBars *self, double width)
{
  return row_y (self, width, count_devices (self)) + PAD / 2;
}

/* Kinds of time have colours of the ramp, or grey: the devices' colours mean devices. */
static GobanRgb
get_colour (GobanTheme theme, GobanTimeKind kind)
{
  static const double places[] = {
    [GOBAN_TIME_COMPUTING] = 0.2,
    [GOBAN_TIME_DATA] = 0.5,
    [GOBAN_TIME_CHANNEL] = 0.72,
    [GOBAN_TIME_PRIORITY] = 0.95,
  };
  const GobanColours *colours = goban_palette_get (theme);

  return kind < GOBAN_TIME_ENDS ? goban_palette_ramp (theme, places[kind])
                                : goban_rgb_mix (colours->panel, colours->muted, 0.3);
}

static GobanCue
get_cue (GobanTimeKind kind)
{
  static const GobanCue cues[] = {
    [GOBAN_TIME_COMPUTING] = GOBAN_CUE_SOLID, [GOBAN_TIME_DATA] = GOBAN_CUE_DIAGONAL,
    [GOBAN_TIME_CHANNEL] = GOBAN_CUE_CROSS,   [GOBAN_TIME_PRIORITY] = GOBAN_CUE_HORIZONTAL,
    [GOBAN_TIME_ENDS] = GOBAN_CUE_SOLID,
  };

  return cues[kind];
}

/* --- layout ----------------------------------------------------------------------------------- */

static double
span_us (const GobanTimeShares *shares)
{
  return shares->to_us - shares->from_us;
}

/* Both runs have one scale: that of the longer one. */
static double
longest_us (const GobanTimeBars *self)
{
  double longest = span_us (self->shares[0]);

  return self->shares[1] != NULL ? fmax (longest, span_us (self->shares[1])) : longest;
}

static int
join (guint device, guint run, GobanTimeKind kind)
{
  return (int) ((device * 2 + run) * GOBAN_N_TIME_KINDS + kind);
}

void
goban_time_bars_split (int segment, guint *device, guint *run, GobanTimeKind *kind)
{
  *kind = (GobanTimeKind) (segment % GOBAN_N_TIME_KINDS);
  *run = (guint) segment / GOBAN_N_TIME_KINDS % 2;
  *device = (guint) segment / GOBAN_N_TIME_KINDS / 2;
}

/* Box of a segment, in design pixels. */
static GobanBox
locate (const GobanTimeBars *self, double width, int segment)
{
  double room = fmax (width - 2 * PAD - NAME_W - NUMBER_W, 1), before_us = 0, scale;
  GobanBox box;
  GobanTimeKind kind;
  guint device, run;

  goban_time_bars_split (segment, &device, &run, &kind);
  for (guint k = 0; k < kind; k++)
    before_us += self->shares[run]->devices_us[device][k];
  scale = longest_us (self) > 0 ? room / longest_us (self) : 0;
  box.x0 = PAD + NAME_W + before_us * scale;
  box.x1 = box.x0 + self->shares[run]->devices_us[device][kind] * scale;
  box.y0 = row_y (self, width, device) + run * (BAR_H + BAR_GAP);
  box.y1 = box.y0 + BAR_H;
  return box;
}

int
goban_time_bars_find (const GobanTimeBars *self, double width, GobanPoint at)
{
  for (guint d = 0; d < count_devices (self); d++)
    for (guint r = 0; r < count_runs (self); r++)
      for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
        {
          GobanBox box = locate (self, width, join (d, r, k));

          if (at.x >= box.x0 && at.x < box.x1 && at.y >= box.y0 && at.y < box.y1)
            return join (d, r, k);
        }
  return -1;
}

char *
goban_time_bars_describe (const GobanTimeBars *self, int segment)
{
  GobanTimeKind kind;
  guint device, run;
  char percent[G_ASCII_DTOSTR_BUF_SIZE], time[GOBAN_QUANTITY_LEN];
  double part_us, all_us;

  goban_time_bars_split (segment, &device, &run, &kind);
  part_us = self->shares[run]->devices_us[device][kind];
  all_us = span_us (self->shares[run]);
  g_ascii_formatd (percent, sizeof percent, "%.1f", all_us > 0 ? 100 * part_us / all_us : 0);
  return g_strdup_printf ("%s%s: %s %s %%, %s", self->names[device],
                          count_runs (self) == 1 ? ""
                          : run == 0             ? " A"
                                                 : " B",
                          goban_time_kind_get_label (kind), percent,
                          goban_format_time (time, part_us));
}

/* --- painting --------------------------------------------------------------------------------- */

static GobanBox
scale_box (const Painter *p, GobanBox box)
{
  return (GobanBox){ floor (box.x0 * p->ui), floor (box.y0 * p->ui), floor (box.x1 * p->ui),
                     floor (box.y1 * p->ui) };
}

static void
draw_patch (const Painter *p, GobanBox box, GobanTimeKind kind)
{
  GobanRgb rgb = get_colour (p->bars->theme, kind);

  goban_pen_rect (p->pen, box, rgb);
  goban_pen_hatch (p->pen, box, get_cue (kind), goban_palette_hatch (rgb), p->ui);
}

static void
draw_bar (const Painter *p, guint device, guint run)
{
  const GobanTimeShares *shares = p->bars->shares[run];
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };
  char percent[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;
  double share = span_us (shares) > 0
                     ? shares->devices_us[device][GOBAN_TIME_COMPUTING] / span_us (shares)
                     : 0;
  GobanBox box = { 0, 0, 0, 0 };

  for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
    {
      int segment = join (device, run, k);

      box = scale_box (p, locate (p->bars, p->width, segment));
      if (box.x1 <= box.x0)
        continue;
      draw_patch (p, box, k);
      if (p->bars->hover == segment)
        goban_pen_frame (p->pen, box, 2 * p->ui, p->colours->ink);
    }
  text = g_strconcat (g_ascii_formatd (percent, sizeof percent, "%.1f", 100 * share), " %", NULL);
  goban_pen_text (p->pen, text,
                  (GobanPoint){ (p->width - PAD - NUMBER_W) * p->ui, (box.y0 + box.y1) / 2 },
                  NUMBER_W * p->ui, &style);
}

static void
draw_device (const Painter *p, guint device)
{
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  guint n_runs = count_runs (p->bars);
  double y = row_y (p->bars, p->width, device);
  double middle = y + n_runs * (BAR_H + BAR_GAP) / 2 - BAR_GAP / 2;

  goban_pen_text (p->pen, p->bars->names[device], (GobanPoint){ PAD * p->ui, middle * p->ui },
                  (NAME_W - 6 - (n_runs > 1 ? 12 : 0)) * p->ui, &style);
  for (guint r = 0; r < n_runs; r++)
    {
      GobanTextStyle letter = { 9 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };

      if (n_runs > 1)
        goban_pen_text (p->pen, r == 0 ? "A" : "B",
                        (GobanPoint){ (PAD + NAME_W - 12) * p->ui,
                                      (y + r * (BAR_H + BAR_GAP) + BAR_H / 2) * p->ui },
                        0, &letter);
      draw_bar (p, device, r);
    }
}

static void
draw_legend (const Painter *p)
{
  GobanTextStyle style = { FONT * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  guint columns = legend_columns (p->width);
  double item = legend_item ();

  for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
    {
      double x = PAD + k % columns * item, y = PAD / 2 + k / columns * LEGEND_ROW;
      GobanBox patch = scale_box (p, (GobanBox){ x, y + 2, x + 12, y + 12 });

      draw_patch (p, patch, k);
      goban_pen_text (p->pen, _ (legend[k]), (GobanPoint){ (x + 17) * p->ui, (y + 7) * p->ui },
                      (item - 20) * p->ui, &style);
    }
}

void
goban_time_bars_paint (const GobanTimeBars *self, GobanPen *pen)
{
  double ui = self->ui_scale > 0 ? self->ui_scale : 1;
  Painter p = { .bars = self,
                .colours = goban_palette_get (self->theme),
                .pen = pen,
                .ui = ui,
                .width = goban_pen_get_width (pen) / ui };

  goban_pen_rect (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                  p.colours->panel);
  for (guint d = 0; d < count_devices (self); d++)
    draw_device (&p, d);
  if (count_devices (self) > 0)
    draw_legend (&p);
}
