#include "ui/widgets/short-label.h"

#include "ui/widgets/text.h"

#define MIN_CHARS 4

struct _GobanShortLabel
{
  GtkWidget parent;

  char *text;
  char *brief; /* (nullable): in place of a text that has no room */
  GobanKeep keep;
  float xalign;
  int min_chars;
  int max_chars; /* 0: no natural width of its own */
};

G_DEFINE_FINAL_TYPE (GobanShortLabel, goban_short_label, GTK_TYPE_WIDGET)

enum
{
  PROP_KEEPS_END = 1,
  PROP_MAX_CHARS,
  PROP_MIN_CHARS,
  PROP_TEXT,
  PROP_XALIGN,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* (transfer full) */
static PangoLayout *
new_layout (GobanShortLabel *self, int width, gboolean *is_shortened)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  *is_shortened = goban_shorten_layout (layout, self->text, self->keep, width);
  if (*is_shortened && self->brief != NULL)
    goban_shorten_layout (layout, self->brief, self->keep, width);
  return layout;
}

static int
measure_text (GobanShortLabel *self, const char *whole)
{
  g_autofree char *text = goban_dup_cut (whole, &goban_line_bounds);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width, height;

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_size (layout, &width, &height);
  return width;
}

static void
goban_short_label_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  GobanShortLabel *self = GOBAN_SHORT_LABEL (widget);
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int char_width = pango_font_metrics_get_approximate_char_width (metrics);
  int size
      = orientation == GTK_ORIENTATION_HORIZONTAL
            ? self->min_chars * char_width
            : pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics);

  *minimum = *natural = PANGO_PIXELS_CEIL (size);
  if (orientation == GTK_ORIENTATION_HORIZONTAL && self->max_chars > 0)
    {
      /* As GtkLabel counts. */
      char_width = MAX (char_width, pango_font_metrics_get_approximate_digit_width (metrics));
      size = MIN (measure_text (self, self->text), self->max_chars * char_width);
      *natural = PANGO_PIXELS_CEIL (size);
      *minimum = MIN (*minimum, *natural);
    }
  if (orientation == GTK_ORIENTATION_HORIZONTAL && self->brief != NULL)
    {
      *minimum = PANGO_PIXELS_CEIL (measure_text (self, self->brief));
      *natural = MAX (*minimum, *natural);
    }
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum_baseline = *natural_baseline
        = PANGO_PIXELS_CEIL (pango_font_metrics_get_ascent (metrics));
  pango_font_metrics_unref (metrics);
}

static void
goban_short_label_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanShortLabel *self = GOBAN_SHORT_LABEL (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  float xalign = is_rtl ? 1 - self->xalign : self->xalign;
  g_autoptr (PangoLayout) layout = NULL;
  gboolean is_shortened;
  int text_width, text_height;

  if (*self->text == '\0')
    return;
  layout = new_layout (self, width, &is_shortened);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget),
                              MAX (width - text_width, 0) * (double) xalign,
                              (height - text_height) / 2.0, layout);
}

static gboolean
goban_short_label_query_tooltip (GtkWidget *widget, int x, int y, gboolean is_by_key,
                                 GtkTooltip *tooltip)
{
  GobanShortLabel *self = GOBAN_SHORT_LABEL (widget);
  GtkWidgetClass *parent_class = GTK_WIDGET_CLASS (goban_short_label_parent_class);
  g_autofree char *text = NULL;
  gboolean is_shortened;

  if (parent_class->query_tooltip (widget, x, y, is_by_key, tooltip))
    return TRUE;
  g_object_unref (new_layout (self, gtk_widget_get_width (widget), &is_shortened));
  if (is_shortened)
    {
      text = goban_dup_cut (self->text, &goban_label_bounds);
      gtk_tooltip_set_text (tooltip, text);
    }
  return is_shortened;
}

static void
goban_short_label_finalize (GObject *object)
{
  g_free (GOBAN_SHORT_LABEL (object)->text);
  g_free (GOBAN_SHORT_LABEL (object)->brief);

  G_OBJECT_CLASS (goban_short_label_parent_class)->finalize (object);
}

static void
goban_short_label_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GobanShortLabel *self = GOBAN_SHORT_LABEL (object);

  switch (id)
    {
    case PROP_KEEPS_END:
      goban_short_label_set_keep (self,
                                  g_value_get_boolean (value) ? GOBAN_KEEP_END : GOBAN_KEEP_START);
      break;
    case PROP_MAX_CHARS:
      goban_short_label_set_max_chars (self, g_value_get_int (value));
      break;
    case PROP_MIN_CHARS:
      goban_short_label_set_min_chars (self, g_value_get_int (value));
      break;
    case PROP_TEXT:
      goban_short_label_set_text (self, g_value_get_string (value));
      break;
    case PROP_XALIGN:
      self->xalign = g_value_get_float (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
goban_short_label_class_init (GobanShortLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;

  G_OBJECT_CLASS (klass)->finalize = goban_short_label_finalize;
  G_OBJECT_CLASS (klass)->set_property = goban_short_label_set_property;
  properties[PROP_KEEPS_END] = g_param_spec_boolean ("keeps-end", NULL, NULL, FALSE, flags);
  properties[PROP_MAX_CHARS] = g_param_spec_int ("max-chars", NULL, NULL, 0, G_MAXINT, 0, flags);
  properties[PROP_MIN_CHARS]
      = g_param_spec_int ("min-chars", NULL, NULL, 0, G_MAXINT, MIN_CHARS, flags);
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", flags);
  properties[PROP_XALIGN] = g_param_spec_float ("xalign", NULL, NULL, 0, 1, 0, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  widget_class->measure = goban_short_label_measure;
  widget_class->snapshot = goban_short_label_snapshot;
  widget_class->query_tooltip = goban_short_label_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
goban_short_label_init (GobanShortLabel *self)
{
  self->text = g_strdup ("");
  self->min_chars = MIN_CHARS;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

GtkWidget *
goban_short_label_new (GobanKeep keep, float xalign)
{
  GobanShortLabel *self = g_object_new (GOBAN_TYPE_SHORT_LABEL, NULL);

  self->keep = keep;
  self->xalign = xalign;
  return GTK_WIDGET (self);
}

void
goban_short_label_set_keep (GobanShortLabel *self, GobanKeep keep)
{
  g_return_if_fail (GOBAN_IS_SHORT_LABEL (self));

  self->keep = keep;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
goban_short_label_set_min_chars (GobanShortLabel *self, int n)
{
  g_return_if_fail (GOBAN_IS_SHORT_LABEL (self));

  self->min_chars = n;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
goban_short_label_set_max_chars (GobanShortLabel *self, int n)
{
  g_return_if_fail (GOBAN_IS_SHORT_LABEL (self) && n >= 0);

  self->max_chars = n;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
goban_short_label_set_text (GobanShortLabel *self, const char *text)
{
  g_return_if_fail (GOBAN_IS_SHORT_LABEL (self));

  if (g_strcmp0 (text != NULL ? text : "", self->text) == 0)
    return;
  g_free (self->text);
  self->text = text != NULL ? g_utf8_make_valid (text, -1) : g_strdup ("");
  goban_set_accessible_label (GTK_WIDGET (self), self->text);
  if (self->max_chars > 0)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
goban_short_label_set_brief (GobanShortLabel *self, const char *brief)
{
  g_return_if_fail (GOBAN_IS_SHORT_LABEL (self));

  g_free (self->brief);
  self->brief = g_strdup (brief);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

const char *
goban_short_label_get_text (GobanShortLabel *self)
{
  g_return_val_if_fail (GOBAN_IS_SHORT_LABEL (self), NULL);

  return self->text;
}

char *
goban_short_label_dup_shown (GobanShortLabel *self, int width)
{
  g_autoptr (PangoLayout) layout = NULL;
  gboolean is_shortened;

  g_return_val_if_fail (GOBAN_IS_SHORT_LABEL (self), NULL);

  layout = new_layout (self, width, &is_shortened);
  return g_strdup (pango_layout_get_text (layout));
}
