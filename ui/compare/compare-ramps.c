#include "ui/compare/compare-ramps.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/compare-set.h"
#include "engine/study/analysis/node-values.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#define RAMP_WIDTH 150
#define RAMP_NARROW 84
#define RAMP_HEIGHT 12

struct _GobanCompareRamps
{
  GtkWidget parent;

  GtkWidget *entries;
  GtkWidget *button;
  char *text;
  GobanPicture *like; /* whose theme it has; borrowed */
};

G_DEFINE_FINAL_TYPE (GobanCompareRamps, goban_compare_ramps, GTK_TYPE_WIDGET)

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  GobanTheme theme = goban_picture_get_theme (((GobanCompareRamps *) user_data)->like);

  for (int x = 0; x < width; x++)
    {
      GobanRgb rgb = goban_palette_ramp (theme, width > 1 ? x / (width - 1.0) : 0);

      cairo_set_source_rgb (cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                            (rgb & 255) / 255.0);
      cairo_rectangle (cr, x, 0, 1, height);
      cairo_fill (cr);
    }
}

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = goban_new_label (text);

  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* "A  0 µs [ramp] 12 ms". @plans: (nullable). */
static void
add_ramp (GobanCompareRamps *self, const char *plans, const GobanNodeValues *values, int width)
{
  GtkWidget *area = gtk_drawing_area_new ();
  char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];

  goban_node_values_format (values, least, values->least);
  goban_node_values_format (values, most, values->most);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), RAMP_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_cb, self, NULL);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  if (plans != NULL)
    gtk_box_append (GTK_BOX (self->entries), new_label (plans, "heading"));
  gtk_box_append (GTK_BOX (self->entries), new_label (least, "numeric"));
  gtk_box_append (GTK_BOX (self->entries), area);
  gtk_box_append (GTK_BOX (self->entries), new_label (most, "numeric"));
}

static const char *
title_of (const GobanNodeValues *values)
{
  const GobanNodeField *field = goban_node_field_find (values->name, NULL); /* or of a script */

  return field != NULL ? field->title : values->name;
}

static const char *
note_of (const GobanNodeValues *values, gboolean is_shared)
{
  if (values->scale == GOBAN_SCALE_RANK)
    return _ ("by rank within each plan");
  if (!is_shared)
    return _ ("a scale for each plan: colours do not compare");
  return values->scale == GOBAN_SCALE_LOG ? _ ("one scale for all plans, logarithmic")
                                          : _ ("one scale for all plans");
}

static void
fill_entries (GobanCompareRamps *self, GPtrArray *values, gboolean is_shared, const char *note)
{
  GtkWidget *label;
  const GobanNodeValues *first = NULL;

  goban_remove_children (self->entries);
  for (guint i = 0; i < values->len && first == NULL; i++)
    first = g_ptr_array_index (values, i);
  if (first == NULL)
    return;

  gtk_box_append (GTK_BOX (self->entries), new_label (title_of (first), NULL));
  if (is_shared)
    add_ramp (self, NULL, first, RAMP_WIDTH);
  for (guint i = 0; !is_shared && i < values->len; i++)
    {
      const char letter[] = { (char) ('A' + i), '\0' };

      if (g_ptr_array_index (values, i) != NULL)
        add_ramp (self, letter, g_ptr_array_index (values, i), RAMP_NARROW);
    }
  label = goban_short_label_new (GOBAN_KEEP_START, 0);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), note);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (self->entries), label);
}

/* (transfer full) */
static char *
describe (GPtrArray *values, gboolean is_shared)
{
  GString *text = g_string_new (NULL);
  const GobanNodeValues *last = NULL;

  for (guint i = 0; i < values->len && (last == NULL || !is_shared); i++)
    {
      const GobanNodeValues *one = g_ptr_array_index (values, i);
      char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];

      if (one == NULL)
        continue;
      if (last == NULL)
        g_string_append_printf (text, "%s: ", title_of (one));
      if (!is_shared)
        g_string_append_printf (text, "%s%c ", last != NULL ? ", " : "", 'A' + (int) i);
      g_string_append_printf (text, _ ("%s to %s"),
                              goban_node_values_format (one, least, one->least),
                              goban_node_values_format (one, most, one->most));
      last = one;
    }
  if (last != NULL)
    g_string_append_printf (text, "; %s", note_of (last, is_shared));
  return g_string_free (text, FALSE);
}

void
goban_compare_ramps_show (GobanCompareRamps *self, GPtrArray *values, gboolean has_own_scales)
{
  const GobanNodeValues *known = NULL;
  gboolean is_ranked, is_shared;
  g_autofree char *text = NULL;

  g_return_if_fail (GOBAN_IS_COMPARE_RAMPS (self));

  for (guint i = 0; i < values->len && known == NULL; i++)
    known = g_ptr_array_index (values, i);
  is_ranked = known != NULL && known->scale == GOBAN_SCALE_RANK;
  is_shared = !has_own_scales && !is_ranked;
  text = describe (values, is_shared);
  if (g_str_equal (text, self->text))
    return;

  fill_entries (self, values, is_shared, known != NULL ? note_of (known, is_shared) : "");
  gtk_widget_set_visible (self->button, !is_ranked);
  gtk_widget_set_visible (GTK_WIDGET (self), known != NULL);
  goban_set_accessible_label (self->entries, text);
  g_free (self->text);
  self->text = g_steal_pointer (&text);
}

const char *
goban_compare_ramps_get_text (GobanCompareRamps *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_RAMPS (self), NULL);

  return self->text;
}

static void
goban_compare_ramps_dispose (GObject *object)
{
  GobanCompareRamps *self = GOBAN_COMPARE_RAMPS (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->text, g_free);
  G_OBJECT_CLASS (goban_compare_ramps_parent_class)->dispose (object);
}

static void
goban_compare_ramps_class_init (GobanCompareRampsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_compare_ramps_dispose;
  goban_template_set (widget_class, "compare/compare-ramps.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanCompareRamps, entries, button);
}

static void
goban_compare_ramps_init (GobanCompareRamps *self)
{
  self->text = g_strdup ("");
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_compare_ramps_new (GobanPicture *like)
{
  GobanCompareRamps *self = g_object_new (GOBAN_TYPE_COMPARE_RAMPS, NULL);

  self->like = like;
  return GTK_WIDGET (self);
}
