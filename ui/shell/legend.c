#include "ui/shell/legend.h"

#include "engine/base/quantity.h"
#include "ui/draw/palette.h"
#include "ui/draw/raster.h"
#include "ui/widgets/text.h"

#define SWATCH_WIDTH 26
#define SWATCH_HEIGHT 14

struct _GobanLegend
{
  GtkWidget parent;

  GobanSession *session;
  GobanTheme theme;
  GtkWidget *box;
  GtkWidget *entries;
  guint n_entries;
};

G_DEFINE_FINAL_TYPE (GobanLegend, goban_legend, GTK_TYPE_WIDGET)

/* --- swatches --------------------------------------------------------------------------- */

typedef struct
{
  GobanRgb fill;
  GobanCue cue;
  gboolean is_ramp; /* the whole ramp of priorities instead of one colour */
} Swatch;

static void
draw_swatch_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  const Swatch *swatch = user_data;
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (area));
  int w = width * scale;
  int h = height * scale;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
  GobanRaster raster;

  goban_raster_init (&raster, surface);
  if (swatch->is_ramp)
    {
      for (int x = 0; x < w; x++)
        goban_raster_rect (&raster, x, 0, 1, h, goban_palette_ramp ((double) x / MAX (w - 1, 1)));
    }
  else
    {
      goban_raster_rect (&raster, 0, 0, w, h, swatch->fill);
      goban_raster_hatch (&raster, 0, 0, w, h, swatch->cue, goban_palette_hatch (swatch->fill),
                          scale);
    }
  cairo_surface_mark_dirty (surface);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_surface_destroy (surface);
}

static GtkWidget *
new_swatch (Swatch swatch)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), SWATCH_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), SWATCH_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_swatch_cb,
                                  g_memdup2 (&swatch, sizeof swatch), g_free);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  return area;
}

static GtkWidget *
new_text (const char *text, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_entry (GobanLegend *self, Swatch swatch, const char *name, guint count)
{
  int row = (int) self->n_entries++;
  GtkWidget *label = new_text (name, 0.0, NULL);
  char text[GOBAN_QUANTITY_LEN];

  gtk_widget_set_hexpand (label, TRUE);
  gtk_grid_attach (GTK_GRID (self->entries), new_swatch (swatch), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->entries), label, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->entries),
                   new_text (goban_format_grouped (text, count), 1.0, "note"), 2, row, 1, 1);
}

/* --- what is explained ----------------------------------------------------------------- */

static void
add_devices (GobanLegend *self, GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  guint n_devices = goban_cluster_get_n_devices (cluster);
  g_autofree guint *counts = g_new0 (guint, n_devices);

  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (devices[v] < n_devices)
      counts[devices[v]]++;

  for (guint d = 0; d < n_devices; d++)
    add_entry (self,
               (Swatch){ goban_palette_device (self->theme, d), goban_palette_cue (d), FALSE },
               goban_cluster_get_device (cluster, (GobanDeviceId) d)->name, counts[d]);
}

/* Without a plan the pictures show what the ops do. */
static void
add_families (GobanLegend *self, GobanGraph *graph)
{
  guint counts[GOBAN_N_FAMILIES] = { 0 };

  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    counts[goban_palette_family (goban_graph_get_node (graph, v)->op)]++;

  for (int f = 0; f < GOBAN_N_FAMILIES; f++)
    if (counts[f] > 0)
      add_entry (self,
                 (Swatch){ goban_palette_family_colour (self->theme, (GobanFamily) f),
                           GOBAN_CUE_SOLID, FALSE },
                 goban_palette_family_name ((GobanFamily) f), counts[f]);
}

static void
add_ramp (GobanLegend *self)
{
  GtkWidget *ramp = new_swatch ((Swatch){ .is_ramp = TRUE });

  self->n_entries = 1;
  gtk_widget_set_hexpand (ramp, TRUE);
  gtk_grid_attach (GTK_GRID (self->entries), ramp, 0, 0, 2, 1);
  gtk_grid_attach (GTK_GRID (self->entries), new_text ("runs last", 0.0, "note"), 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (self->entries), new_text ("runs first", 1.0, "note"), 1, 1, 1, 1);
}

static void
update (GobanLegend *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanRun *run = goban_session_get_current_run (self->session);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->entries)) != NULL)
    gtk_grid_remove (GTK_GRID (self->entries), child);
  self->n_entries = 0;

  if (graph == NULL)
    return;
  if (run == NULL)
    add_families (self, graph);
  else if (g_str_equal (goban_view_get_color (goban_session_get_view (self->session)), "device"))
    add_devices (self, run);
  else
    add_ramp (self);
}

static void
goban_legend_dispose (GObject *object)
{
  GobanLegend *self = GOBAN_LEGEND (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_legend_parent_class)->dispose (object);
}

static void
goban_legend_class_init (GobanLegendClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_legend_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "legend");
}

static GtkWidget *
new_choice (const char *label, const char *target)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.color");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  gtk_widget_set_hexpand (button, TRUE);
  return button;
}

static void
goban_legend_init (GobanLegend *self)
{
  GtkWidget *choice = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (choice, "linked");
  gtk_box_append (GTK_BOX (choice), new_choice ("Device", "device"));
  gtk_box_append (GTK_BOX (choice), new_choice ("Priority", "priority"));

  self->entries = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->entries), 8);
  gtk_grid_set_row_spacing (GTK_GRID (self->entries), 3);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  gtk_box_append (GTK_BOX (self->box), goban_new_heading ("Colour"));
  gtk_box_append (GTK_BOX (self->box), choice);
  gtk_box_append (GTK_BOX (self->box), self->entries);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
goban_legend_new (GobanSession *session)
{
  static const char *const watched[] = { "notify::graph", "notify::current-run" };
  GobanLegend *self = g_object_new (GOBAN_TYPE_LEGEND, NULL);

  self->session = g_object_ref (session);
  for (gsize i = 0; i < G_N_ELEMENTS (watched); i++)
    g_signal_connect_object (session, watched[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (session), "notify::color", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  update (self);

  return GTK_WIDGET (self);
}

void
goban_legend_set_dark (GobanLegend *self, gboolean dark)
{
  g_return_if_fail (GOBAN_IS_LEGEND (self));

  self->theme = dark ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT;
  update (self);
}

guint
goban_legend_get_n_entries (GobanLegend *self)
{
  g_return_val_if_fail (GOBAN_IS_LEGEND (self), 0);

  return self->n_entries;
}
