#include "tests/draw/draw-fixture.h"

#include "tests/draw/draw-golden.h"

#define STRIP_WIDTH 130
#define STRIP_HEIGHT 110

GobanGraphScene *
draw_scene_new (GobanGraph *graph, guint n_devices, guint n_in_turn)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanGraphScene *scene
      = goban_graph_scene_new_empty (n_nodes, goban_graph_get_n_edges (graph), n_devices);

  scene->graph = goban_graph_ref (graph);
  for (guint d = 0; d < n_devices; d++)
    scene->devices[d].name = g_strdup_printf ("gpu:%u", d);
  for (guint v = 0; v < n_nodes; v++)
    {
      guint device = v / n_in_turn % n_devices;

      scene->nodes[v] = (GobanSceneNode){ .name = goban_graph_get_node (graph, v)->name,
                                          .op = "Op",
                                          .device = (GobanDeviceId) device };
      scene->devices[device].n_nodes++;
    }
  for (guint e = 0; e < scene->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      scene->edges[e] = (GobanSceneEdge){ edge->tail, edge->head, 0.5f, 0 };
    }
  return scene;
}

cairo_surface_t *
draw_image_new (int width, int height)
{
  return cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
}

cairo_surface_t *
draw_graph_new (const GobanGraphPicture *picture, int width, int height)
{
  cairo_surface_t *surface = draw_image_new (width, height);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

  goban_graph_paint (picture, pen);
  return surface;
}

cairo_surface_t *
draw_timeline_new (const GobanTimelinePicture *picture, int width, int height)
{
  cairo_surface_t *surface = draw_image_new (width, height);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

  goban_timeline_paint (picture, pen);
  return surface;
}

/* What is chosen is drawn through cairo, as widgets do it, and not straight into the pixels. */
typedef struct
{
  cairo_t *cr;
  GobanTextCache *text;
  GobanPen *pen;
} Over;

static Over
begin_over (cairo_surface_t *surface)
{
  Over over = { cairo_create (surface), goban_text_cache_new (), NULL };

  over.pen = goban_pen_new_for_cairo (over.cr, cairo_image_surface_get_width (surface),
                                      cairo_image_surface_get_height (surface), over.text);
  return over;
}

static void
end_over (Over *over)
{
  goban_pen_free (over->pen);
  cairo_destroy (over->cr);
  goban_text_cache_free (over->text);
}

void
draw_graph_overlay (cairo_surface_t *surface, const GobanGraphPicture *picture,
                    const GobanGraphOverlay *overlay)
{
  Over over = begin_over (surface);

  goban_graph_paint_overlay (picture, overlay, over.pen);
  end_over (&over);
}

void
draw_timeline_overlay (cairo_surface_t *surface, const GobanTimelinePicture *picture,
                       const GobanTimelineOverlay *overlay)
{
  Over over = begin_over (surface);

  goban_timeline_paint_overlay (picture, overlay, over.pen);
  end_over (&over);
}

cairo_surface_t *
draw_rows_new (cairo_surface_t *surface, int top, int height)
{
  cairo_surface_t *rows = draw_image_new (cairo_image_surface_get_width (surface), height);
  cairo_t *cr = cairo_create (rows);

  cairo_surface_mark_dirty (surface);
  cairo_set_source_surface (cr, surface, 0, -top);
  cairo_paint (cr);
  cairo_destroy (cr);
  return rows;
}

GobanPoint
draw_middle_of (GobanBox box)
{
  return (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
}

void
draw_check_strips (const GobanGraphPicture *picture, int width, int height)
{
  cairo_surface_t *whole = draw_graph_new (picture, width, height);
  cairo_surface_t *strips = draw_image_new (width, height);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  GobanPen *pen = goban_pen_new_for_image (strips, text);

  for (int x = 0; x < width; x += STRIP_WIDTH)
    for (int y = 0; y < height; y += STRIP_HEIGHT)
      {
        goban_pen_set_clip (pen, (GobanBox){ x, y, x + STRIP_WIDTH, y + STRIP_HEIGHT });
        goban_graph_paint (picture, pen);
      }
  goban_pen_free (pen);
  g_assert_true (draw_images_equal (whole, strips));
  cairo_surface_destroy (whole);
  cairo_surface_destroy (strips);
}

void
draw_check_devices_show (cairo_surface_t *surface, GobanTheme theme, guint n_devices)
{
  for (guint d = 0; d < n_devices; d++)
    g_assert_cmpuint (draw_count_pixels (surface, goban_palette_device (theme, d)), >, 5);
}
