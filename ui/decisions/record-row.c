#include "ui/decisions/record-row.h"

#include "ui/draw/pen.h"
#include "ui/draw/shorten.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>
#include <string.h>

#define ROW_HEIGHT 23.0
#define FONT 11.5
#define HEADING_FONT 11.0
/* Columns, from the edges: number, what | where, why, gain. */
#define MARGIN 13.0
#define NUMBER_WIDTH 27.0
#define WHERE_WIDTH 60.0
#define WHY_WIDTH 46.0
#define GAIN_WIDTH 64.0
#define SWATCH 11.0
#define GAP 6.0
#define INDENT 14.0
/* Share of its room that a name cut between words is to fill. */
#define LEAST_USED 0.6
/* Narrower rows give no reason. */
#define NARROW 300.0

struct _GobanRecordRow
{
  GtkWidget parent;

  GobanRecordContent content;
  GStrv texts; /* (nullable): of the content */
  GobanTextCache *text;
};

typedef struct
{
  GobanPen *pen;
  const GobanColours *colours;
  GobanTheme theme;
  const GobanRecordContent *content;
  double ui, width, height;
  GobanRgb ink, muted, selected_ink;
} Painter;

G_DEFINE_FINAL_TYPE (GobanRecordRow, goban_record_row, GTK_TYPE_WIDGET)

/* --- painting -------------------------------------------------------------------------------- */

static GobanRgb
get_gain_colour (const Painter *p)
{
  gboolean is_dark = goban_theme_is_dark (p->theme);

  if (goban_theme_is_high_contrast (p->theme) || p->content->is_selected)
    return p->ink;
  switch (p->content->quality)
    {
    case GOBAN_GAIN_GOOD:
      return is_dark ? 0x33d09a : 0x00704a;
    case GOBAN_GAIN_BAD:
      return is_dark ? 0xff9d5c : 0xb34700;
    default:
      return p->ink;
    }
}

static void
draw_text (const Painter *p, const char *words, double x, double width, GobanAlign align,
           gboolean is_bold, GobanRgb rgb)
{
  GobanTextStyle style
      = { (p->content->is_heading ? HEADING_FONT : FONT) * p->ui, is_bold, align, rgb };

  if (*words != '\0' && width > 0)
    goban_pen_text (p->pen, words, (GobanPoint){ x, p->height / 2 }, width, &style);
}

static double
measure_text (const char *words, gpointer data)
{
  const Painter *p = data;
  GobanTextStyle style = { FONT * p->ui, p->content->is_selected, GOBAN_ALIGN_LEFT, p->ink };

  return goban_pen_text_width (p->pen, words, &style);
}

static double
measure_part (gsize from, gsize to, gpointer data)
{
  const Painter *p = data;
  g_autofree char *part = g_strndup (p->content->what + from, to - from);

  return measure_text (part, data);
}

/* As much of the end as fits, cut inside a word. (transfer full) */
static char *
cut_start (Painter *p, double room)
{
  const char *what = p->content->what;
  glong least = 1, most = g_utf8_strlen (what, -1);

  while (least < most)
    {
      glong n = least + (most - least) / 2;

      if (measure_text (g_utf8_offset_to_pointer (what, n), p) <= room)
        most = n;
      else
        least = n + 1;
    }
  return g_strconcat ("…", g_utf8_offset_to_pointer (what, least), NULL);
}

/* Names differ at their end; many modules have an op of the same name: "…1a_3x3/conv". Between
 * words, unless that leaves much of the room: "…anch7x7dbl_1/relu". (transfer full) */
static char *
shorten_what (Painter *p, double width)
{
  const char *what = p->content->what;

  if (measure_text (what, p) <= width)
    return g_strdup (what);
  if (strchr (what, '/') != NULL && strstr (what, " · ") == NULL)
    {
      double room = width - measure_text ("…", p);
      g_autofree char *words = goban_shorten (what, GOBAN_KEEP_END, room, measure_part, p);

      return measure_text (words, p) > LEAST_USED * width ? g_steal_pointer (&words)
                                                          : cut_start (p, room);
    }
  return goban_shorten_path (what, width, goban_count_shown_chars (width, FONT * p->ui),
                             measure_text, p);
}

static void
draw_what (const Painter *p, double x, double width, GobanRgb rgb)
{
  g_autofree char *shown = width > 0 ? shorten_what ((gpointer) p, width) : NULL;

  if (shown != NULL)
    draw_text (p, shown, x, width, GOBAN_ALIGN_LEFT, p->content->is_selected, rgb);
}

/* ▾ or ▸ */
static void
draw_triangle (const Painter *p)
{
  double x = MARGIN * p->ui, y = p->height / 2, r = 4 * p->ui;
  const GobanPoint open[] = { { x - r, y - r / 2 }, { x + r, y - r / 2 }, { x, y + r / 2 } };
  const GobanPoint closed[] = { { x - r / 2, y - r }, { x + r / 2, y }, { x - r / 2, y + r } };

  goban_pen_area (p->pen, p->content->is_open ? open : closed, 3, p->ink, GOBAN_OPAQUE);
}

/* A variation hangs below its decision. */
static void
draw_branch (const Painter *p, double x)
{
  GobanStroke stroke = { p->muted, GOBAN_OPAQUE, 1.5 * p->ui };
  double y = floor (p->height / 2);

  goban_pen_line (p->pen, (GobanPoint){ x - 8 * p->ui, 0 }, (GobanPoint){ x - 8 * p->ui, y },
                  &stroke);
  goban_pen_line (p->pen, (GobanPoint){ x - 8 * p->ui, y }, (GobanPoint){ x - 2 * p->ui, y },
                  &stroke);
}

static void
draw_swatch (const Painter *p, double x)
{
  double size = SWATCH * p->ui, y = floor ((p->height - size) / 2);
  GobanBox box = { floor (x), y, floor (x) + size, y + size };
  GobanRgb fill = goban_palette_device (p->theme, p->content->device);

  goban_pen_rect (p->pen, box, fill);
  goban_pen_hatch (p->pen, box, goban_palette_cue (p->content->device), goban_palette_hatch (fill),
                   p->ui);
}

static void
draw_number (const Painter *p, double end)
{
  const GobanRecordContent *content = p->content;
  double x = (MARGIN + content->depth * INDENT) * p->ui;

  if (content->is_breakpoint)
    goban_pen_round_rect (
        p->pen,
        (GobanBox){ 3 * p->ui, p->height / 2 - 4 * p->ui, 11 * p->ui, p->height / 2 + 4 * p->ui },
        4 * p->ui, p->content->is_selected ? p->ink : p->colours->critical);
  if (content->is_fold)
    draw_triangle (p);
  if (content->depth > 0)
    draw_branch (p, x + 4 * p->ui);
  if (content->depth > 0 || content->is_title)
    draw_text (p, content->number, x + 12 * p->ui, end - x, GOBAN_ALIGN_LEFT, content->is_title,
               p->ink);
  else
    draw_text (p, content->number, MARGIN * p->ui, NUMBER_WIDTH * p->ui, GOBAN_ALIGN_RIGHT,
               content->is_selected, content->is_heading ? p->muted : p->ink);
}

static void
draw_row (const Painter *p)
{
  const GobanRecordContent *content = p->content;
  gboolean is_narrow = p->width < NARROW * p->ui;
  double gain = p->width - (GAIN_WIDTH + GAP) * p->ui;
  double why = is_narrow ? gain : gain - (WHY_WIDTH + GAP) * p->ui;
  double where = why - (WHERE_WIDTH + GAP) * p->ui;
  double what = (MARGIN + NUMBER_WIDTH + GAP) * p->ui;
  double indent = content->device != G_MAXUINT ? 17 * p->ui : 0;
  double end = is_narrow ? gain + GAIN_WIDTH * p->ui - measure_text (content->gain, (gpointer) p)
                         : why + WHY_WIDTH * p->ui - measure_text (content->why, (gpointer) p);
  GobanRgb rest = content->is_heading ? p->muted : p->ink;

  if (content->is_title || content->depth > 0)
    what = (MARGIN + 12 + content->depth * INDENT) * p->ui
           + goban_pen_text_width (
               p->pen, content->number,
               &(GobanTextStyle){ FONT * p->ui, content->is_title, GOBAN_ALIGN_LEFT, p->ink })
           + GAP * p->ui;
  draw_number (p, where);
  if (content->is_title)
    {
      /* Its makespan or gain has the rest: a plan has neither place nor reason. */
      where = p->width - GAP * p->ui - measure_text (content->gain, (gpointer) p);
      draw_text (p, content->gain, what, p->width - GAP * p->ui - what, GOBAN_ALIGN_RIGHT, TRUE,
                 get_gain_colour (p));
    }
  draw_what (p, what, where - what - GAP * p->ui, content->is_title ? p->muted : rest);
  if (content->device != G_MAXUINT)
    draw_swatch (p, where);
  /* Names of rules are longer than those of devices. */
  draw_text (p, content->where, where + indent, end - GAP * p->ui - where - indent,
             GOBAN_ALIGN_LEFT, content->is_selected, rest);
  if (!is_narrow)
    draw_text (p, content->why, why, WHY_WIDTH * p->ui, GOBAN_ALIGN_RIGHT, FALSE, rest);
  if (!content->is_title)
    draw_text (p, content->gain, gain, GAIN_WIDTH * p->ui, GOBAN_ALIGN_RIGHT, content->depth > 0,
               content->is_heading ? p->muted : get_gain_colour (p));
}

static void
goban_record_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanRecordRow *self = GOBAN_RECORD_ROW (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GobanTheme theme = goban_theme_of (widget);
  const GobanColours *colours = goban_palette_get (theme);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, self->text);
  GdkRGBA ink;
  Painter p = { .pen = pen,
                .colours = colours,
                .theme = theme,
                .content = &self->content,
                .ui = goban_text_scale_of (widget),
                .width = width,
                .height = height,
                .ink = self->content.is_future ? colours->muted : colours->ink,
                .muted = colours->muted };

  /* The desktop's style has the colour of a text on a selected row. */
  if (self->content.is_selected)
    {
      gtk_style_context_get_color (gtk_widget_get_style_context (widget), &ink);
      p.ink = p.muted = (GobanRgb) lround (ink.red * 255) << 16
                        | (GobanRgb) lround (ink.green * 255) << 8
                        | (GobanRgb) lround (ink.blue * 255);
    }
  draw_row (&p);
  cairo_destroy (cr);
}

static void
goban_record_row_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL
                            ? (int) round (ROW_HEIGHT * goban_text_scale_of (widget))
                            : 120;
}

/* --- content --------------------------------------------------------------------------------- */

void
goban_record_row_show (GobanRecordRow *self, const GobanRecordContent *content)
{
  const char *const texts[]
      = { content->number, content->what, content->where, content->why, content->gain,
          content->name,   NULL };
  GStrv old;

  g_return_if_fail (GOBAN_IS_RECORD_ROW (self));

  old = self->texts;
  self->texts = g_strdupv ((GStrv) texts);
  self->content = *content;
  self->content.number = self->texts[0];
  self->content.what = self->texts[1];
  self->content.where = self->texts[2];
  self->content.why = self->texts[3];
  self->content.gain = self->texts[4];
  self->content.name = self->texts[5];
  g_strfreev (old);
  goban_set_accessible_label (GTK_WIDGET (self), self->content.name);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
goban_record_row_set_state (GobanRecordRow *self, gboolean is_future, gboolean is_selected)
{
  g_return_if_fail (GOBAN_IS_RECORD_ROW (self));

  if (self->content.is_future == is_future && self->content.is_selected == is_selected)
    return;
  self->content.is_future = is_future;
  self->content.is_selected = is_selected;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
goban_record_row_is_margin (GobanRecordRow *self, double x)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_ROW (self), FALSE);

  return x < (MARGIN + (self->content.is_fold ? GAP : 0)) * goban_text_scale_of (GTK_WIDGET (self));
}

const GobanRecordContent *
goban_record_row_get (GobanRecordRow *self)
{
  g_return_val_if_fail (GOBAN_IS_RECORD_ROW (self), NULL);

  return &self->content;
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_record_row_finalize (GObject *object)
{
  GobanRecordRow *self = GOBAN_RECORD_ROW (object);

  g_clear_pointer (&self->texts, g_strfreev);
  g_clear_pointer (&self->text, goban_text_cache_free);

  G_OBJECT_CLASS (goban_record_row_parent_class)->finalize (object);
}

static void
goban_record_row_class_init (GobanRecordRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = goban_record_row_finalize;
  widget_class->snapshot = goban_record_row_snapshot;
  widget_class->measure = goban_record_row_measure;
  gtk_widget_class_set_css_name (widget_class, "recordrow");
}

static void
goban_record_row_init (GobanRecordRow *self)
{
  self->text = goban_text_cache_new ();
  goban_theme_follow (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_resize));
}

GtkWidget *
goban_record_row_new (void)
{
  return g_object_new (GOBAN_TYPE_RECORD_ROW, NULL);
}
