#include "ui/widgets/swatch.h"

#include "ui/draw/raster.h"

typedef struct
{
  GobanRgb fill;
  GobanCue cue;
} Swatch;

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  const Swatch *swatch = user_data;
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (area));
  int w = width * scale;
  int h = height * scale;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
  GobanRaster raster;

  goban_raster_init (&raster, surface, 0, 0);
  goban_raster_rect (&raster, 0, 0, w, h, swatch->fill);
  goban_raster_hatch (&raster, 0, 0, w, h, swatch->cue, goban_palette_hatch (swatch->fill), scale);
  cairo_surface_mark_dirty (surface);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_surface_destroy (surface);
}

GtkWidget *
goban_swatch_new (GobanRgb fill, GobanCue cue, int width, int height)
{
  const Swatch swatch = { fill, cue };
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_cb,
                                  g_memdup2 (&swatch, sizeof swatch), g_free);
  gtk_widget_set_valign (area, GTK_ALIGN_CENTER);
  return area;
}

GtkWidget *
goban_swatch_new_for_device (GobanTheme theme, guint device, int width, int height)
{
  return goban_swatch_new (goban_palette_device (theme, device), goban_palette_cue (device), width,
                           height);
}
