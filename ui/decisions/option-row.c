#include "ui/decisions/option-row.h"

#include "engine/core/i18n.h"
#include "ui/draw/pen.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

#define SWATCH 14
#define BAR_WIDTH 14
#define NAME_CHARS 14
#define BAR_HEIGHT 10
/* Options with a digit as their key. */
#define N_KEYS 10

struct _GobanOptionRow
{
  GtkListBoxRow parent;

  GtkWidget *key;
  GtkWidget *swatch;
  GtkWidget *name;
  GtkWidget *belief;
  GtkWidget *bar;
  GtkWidget *difference;
  guint32 option;
  guint device;
  double share;
};

G_DEFINE_FINAL_TYPE (GobanOptionRow, goban_option_row, GTK_TYPE_LIST_BOX_ROW)

/* --- painting -------------------------------------------------------------------------------- */

static void
paint_device (GobanOptionRow *self, GobanPen *pen, double width, double height)
{
  GobanTheme theme = goban_theme_of (GTK_WIDGET (self));
  GobanBox box = { 0, 0, width, height };
  GobanRgb fill;

  if (self->device == G_MAXUINT)
    {
      goban_pen_rect (pen, box, goban_palette_get (theme)->muted);
      return;
    }
  fill = goban_palette_device (theme, self->device);
  goban_pen_rect (pen, box, fill);
  goban_pen_hatch (pen, box, goban_palette_cue (self->device), goban_palette_hatch (fill), 1);
}

static void
draw_swatch_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, NULL);

  paint_device (user_data, pen, width, height);
}

static void
draw_bar_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GobanOptionRow *self = user_data;
  const GobanColours *colours = goban_palette_get (goban_theme_of (GTK_WIDGET (self)));
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, NULL);

  if (isnan (self->share))
    return;
  goban_pen_rect (pen, (GobanBox){ 0, 0, width, height },
                  goban_rgb_mix (colours->panel, colours->ink, 0.06));
  if (self->share > 0)
    paint_device (self, pen, fmax (2, round (width * self->share)), height);
}

/* --- content --------------------------------------------------------------------------------- */

static void
set_class (GtkWidget *widget, const char *name, gboolean has_it)
{
  if (has_it)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* "gpu:3, 25 percent, best, taken". */
static void
describe_to_people (GobanOptionRow *self, const GobanOptionContent *content)
{
  g_autoptr (GString) text = g_string_new (content->name);

  if (*content->belief != '\0')
    {
      g_string_append_printf (text, ", %s", content->belief);
      g_string_replace (text, " %", _ (" percent"), 0);
    }
  if (content->is_best)
    g_string_append (text, _ (", best"));
  else if (*content->difference != '\0')
    g_string_append_printf (text, ", %s", content->difference);
  if (content->is_chosen)
    g_string_append (text, _ (", taken"));
  goban_set_accessible_label (GTK_WIDGET (self), text->str);
}

void
goban_option_row_show (GobanOptionRow *self, const GobanOptionContent *content)
{
  char key[2] = { (char) ('0' + content->option), '\0' };
  /* One that is still simulated keeps the place of its bar. */
  gboolean has_bar
      = !isnan (content->share) || (content->is_allowed && *content->difference != '\0');

  g_return_if_fail (GOBAN_IS_OPTION_ROW (self));

  self->option = content->option;
  self->device = content->device;
  self->share = content->share;
  gtk_label_set_text (GTK_LABEL (self->key), content->option < N_KEYS ? key : "");
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->name), content->name);
  gtk_label_set_text (GTK_LABEL (self->belief), content->belief);
  gtk_label_set_text (GTK_LABEL (self->difference), content->difference);
  gtk_widget_set_visible (self->belief, *content->belief != '\0');
  gtk_widget_set_visible (self->swatch, content->device != G_MAXUINT);
  gtk_widget_set_visible (self->bar, has_bar);
  gtk_widget_set_hexpand (self->name, !has_bar);
  set_class (GTK_WIDGET (self), "chosen", content->is_chosen);
  set_class (GTK_WIDGET (self), "best", content->is_best);
  set_class (GTK_WIDGET (self), "refused", !content->is_allowed);
  goban_set_tooltip (GTK_WIDGET (self), content->details);
  describe_to_people (self, content);
  gtk_widget_queue_draw (self->swatch);
  gtk_widget_queue_draw (self->bar);
}

void
goban_option_row_set_aimed (GobanOptionRow *self, gboolean is_aimed)
{
  g_return_if_fail (GOBAN_IS_OPTION_ROW (self));

  set_class (GTK_WIDGET (self), "aimed", is_aimed);
}

guint32
goban_option_row_get_option (GobanOptionRow *self)
{
  g_return_val_if_fail (GOBAN_IS_OPTION_ROW (self), 0);

  return self->option;
}

double
goban_option_row_get_share (GobanOptionRow *self)
{
  g_return_val_if_fail (GOBAN_IS_OPTION_ROW (self), NAN);

  return self->share;
}

const char *
goban_option_row_get_difference (GobanOptionRow *self)
{
  g_return_val_if_fail (GOBAN_IS_OPTION_ROW (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->difference));
}

/* --- construction ---------------------------------------------------------------------------- */

static GtkWidget *
new_area (GobanOptionRow *self, int width, int height, GtkDrawingAreaDrawFunc draw)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, self, NULL);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  return area;
}

static GtkWidget *
new_number (int n_chars, const char *css_class)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_width_chars (GTK_LABEL (label), n_chars);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
goban_option_row_class_init (GobanOptionRowClass *klass)
{
}

static void
goban_option_row_init (GobanOptionRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->key = gtk_label_new ("");
  self->swatch = new_area (self, SWATCH, SWATCH, draw_swatch_cb);
  self->name = goban_short_label_new (GOBAN_KEEP_START, 0);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (self->name), 6);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->name), NAME_CHARS);
  self->belief = new_number (5, "belief");
  self->bar = new_area (self, BAR_WIDTH, BAR_HEIGHT, draw_bar_cb);
  self->difference = new_number (8, "difference");
  gtk_widget_add_css_class (self->key, "key");
  gtk_widget_add_css_class (self->name, "name");
  gtk_widget_set_valign (self->key, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (self->bar, TRUE);
  gtk_box_append (GTK_BOX (box), self->key);
  gtk_box_append (GTK_BOX (box), self->swatch);
  gtk_box_append (GTK_BOX (box), self->name);
  gtk_box_append (GTK_BOX (box), self->belief);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), self->difference);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_widget_add_css_class (GTK_WIDGET (self), "option");
}

GtkWidget *
goban_option_row_new (GtkSizeGroup *names)
{
  GobanOptionRow *self = g_object_new (GOBAN_TYPE_OPTION_ROW, NULL);

  gtk_size_group_add_widget (names, self->name);
  return GTK_WIDGET (self);
}
