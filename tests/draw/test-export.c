#include "engine/core/error.h"
#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/draw/outlines.h"
#include "tests/support/folder.h"
#include "tests/support/graph-gen.h"
#include "ui/draw/export/export-page.h"

#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GobanGraphScene *scene;
  GobanLayout *layout;
  char *folder;
} Fixture;

static void
fill (Fixture *f, guint n_nodes)
{
  GraphGen gen = { .n_nodes = n_nodes, .edges_per_node = 1.5, .width = 9, .max_bytes = 50 };
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 2);

  f->layout = outlines_lay_out_graph (graph, NULL, NULL);
  f->scene = draw_scene_new (graph, 3, 1);
  for (guint v = 0; v < n_nodes; v++)
    {
      f->scene->nodes[v].name = "layer/<add> & \"mul\"";
      f->scene->nodes[v].time_us = 12;
      f->scene->nodes[v].priority = 0.5f;
    }
  g_free (f->scene->title);
  f->scene->title = g_strdup ("a <title> & more");
}

static void
set_up (Fixture *f, gconstpointer data)
{
  fill (f, 40);
  f->folder = g_dir_make_tmp ("goban-draw-XXXXXX", NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  remove_folder (f->folder);
  g_free (f->folder);
  goban_graph_scene_free (f->scene);
  goban_layout_unref (f->layout);
}

static char *export(const Fixture *f, const char *name, const GobanExportOptions *options,
                    gsize *size)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *bytes = NULL;

  goban_export_graph (f->scene, f->layout, options, path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &bytes, size, NULL));
  return bytes;
}

static void
check_xml (const char *text, gsize size)
{
  static const GMarkupParser nothing = { 0 };
  GMarkupParseContext *context = g_markup_parse_context_new (&nothing, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, text, (gssize) size, &error);
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_markup_parse_context_free (context);
}

static void
test_svg (Fixture *f, gconstpointer data)
{
  gsize size_a, size_b, size_dark;
  GobanExportOptions dark = { .theme = GOBAN_THEME_DARK };
  g_autofree char *a = export(f, "a.svg", NULL, &size_a);
  g_autofree char *other = export(f, "dark.svg", &dark, &size_dark);
  /* The second in one process: cairo's own numbers have moved on by now. */
  g_autofree char *b = export(f, "b.SVG", NULL, &size_b);

  check_xml (a, size_a);
  check_xml (other, size_dark);
  g_assert_cmpmem (a, size_a, b, size_b);
  g_assert_null (strstr (a, "<image"));
  g_assert_cmpstr (a, !=, other);
}

static void
test_png (Fixture *f, gconstpointer data)
{
  GobanExportOptions options = { .width = 500, .height = 400 };
  g_autofree char *path = g_build_filename (f->folder, "a.png", NULL);
  gsize size, size_again;
  g_autofree char *bytes = export(f, "a.png", &options, &size);
  g_autofree char *again = export(f, "again.png", &options, &size_again);
  cairo_surface_t *image = cairo_image_surface_create_from_png (path);

  g_assert_cmpint (cairo_surface_status (image), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (image), ==, 500);
  g_assert_cmpint (cairo_image_surface_get_height (image), ==, 400);
  g_assert_cmpmem (bytes, size, again, size_again);
  cairo_surface_destroy (image);
}

static void
test_pdf (Fixture *f, gconstpointer data)
{
  gsize size;
  g_autofree char *bytes = export(f, "a.pdf", NULL, &size);

  g_assert_cmpuint (size, >, 1000);
  g_assert_true (g_str_has_prefix (bytes, "%PDF-"));
}

static void
test_large_graph_is_an_image (Fixture *f, gconstpointer data)
{
  Fixture large = { .folder = f->folder };
  gsize size;
  g_autofree char *svg = NULL;

  fill (&large, 12000);
  svg = export(&large, "large.svg", NULL, &size);
  check_xml (svg, size);
  g_assert_nonnull (strstr (svg, "<image"));
  g_assert_cmpuint (size, <, 30 << 20);
  goban_graph_scene_free (large.scene);
  goban_layout_unref (large.layout);
}

static void
test_refusals (Fixture *f, gconstpointer data)
{
  GobanExportOptions huge = { .width = 100001, .height = 500 };
  GobanExportOptions flat = { .width = 500, .height = 8 };
  g_autofree char *gif = g_build_filename (f->folder, "a.gif", NULL);
  g_autofree char *png = g_build_filename (f->folder, "a.png", NULL);
  g_autofree char *lost = g_build_filename (f->folder, "no", "such", "a.svg", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_export_graph (f->scene, f->layout, NULL, gif, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, ".svg, .png or .pdf"));
  g_clear_error (&error);
  g_assert_false (goban_export_check_path ("picture", &error));
  g_clear_error (&error);
  g_assert_true (goban_export_check_path ("x.PDF", NULL));

  g_file_set_contents (png, "old", 3, NULL);
  g_assert_false (goban_export_graph (f->scene, f->layout, &huge, png, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (goban_export_graph (f->scene, f->layout, &flat, png, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  {
    g_autofree char *kept = NULL;

    g_assert_true (g_file_get_contents (png, &kept, NULL, NULL));
    g_assert_cmpstr (kept, ==, "old");
  }
  g_assert_false (goban_export_graph (f->scene, f->layout, NULL, lost, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

/* --- tiles ---------------------------------------------------------------------------------- */

static void
check_tiles (GobanPage *page, GobanBackdrop backdrop)
{
  const int w = 211, h = 97;
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *whole, *joined;
  cairo_t *cr;

  goban_page_lay_out (page);
  whole = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) page->width, (int) page->height);
  joined = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) page->width, (int) page->height);
  goban_page_paint_tile (page, text, backdrop, (GobanPoint){ 0, 0 }, whole);
  cr = cairo_create (joined);
  for (int y = 0; y < page->height; y += h)
    for (int x = 0; x < page->width; x += w)
      {
        cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);

        goban_page_paint_tile (page, text, backdrop, (GobanPoint){ x, y }, tile);
        cairo_set_source_surface (cr, tile, x, y);
        cairo_paint (cr);
        cairo_surface_destroy (tile);
      }
  cairo_destroy (cr);
  g_assert_true (draw_images_equal (whole, joined));
  cairo_surface_destroy (whole);
  cairo_surface_destroy (joined);
}

/* At every level of detail: specks, rectangles, curves, words. */
static void
test_tiles_join (Fixture *f, gconstpointer data)
{
  static const double widths[] = { 260, 700, 1500, 4000 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GobanPage page = { .graph = f->scene,
                         .layout = f->layout,
                         .title = "a title",
                         .subtitle = "and what is below it",
                         .options = { .width = widths[i], .show_critical = TRUE } };

      check_tiles (&page, GOBAN_BACKDROP_OWN);
    }
}

static void
test_tiles_join_with_groups (Fixture *f, gconstpointer data)
{
  static const char *const open[] = { "decoder", NULL };
  static const double widths[] = { 500, 2200 };
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("gnmt:layers=2,granularity=coarse",
                                                          &(GobanLoadOptions){ .batch = 0 }, NULL);
  GobanLook look = { .grouping = GOBAN_GROUPING_SCOPE, .expanded = open };
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, &look, NULL);
  g_autoptr (GobanGraphScene) scene
      = goban_plot_take_scene (plot, goban_graph_scene_new (graph, NULL, NULL, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GobanPage page = { .graph = scene,
                         .layout = plot->layout,
                         .title = "a title",
                         .subtitle = "",
                         .options = { .width = widths[i] } };

      check_tiles (&page, GOBAN_BACKDROP_OWN);
    }
}

/* A region fills the picture, and a scale makes all of it larger. */
static void
test_region_and_scale (Fixture *f, gconstpointer data)
{
  GobanBox whole = f->layout->bounds;
  GobanPage page = { .graph = f->scene, .layout = f->layout, .title = "", .subtitle = "" };
  double width;
  GobanBox region;
  g_autoptr (GError) error = NULL;

  goban_page_lay_out (&page);
  width = page.width;
  page.options.scale = 2;
  goban_page_lay_out (&page);
  g_assert_cmpfloat (page.width, >=, 2 * width - 4);
  g_assert_cmpfloat (page.width, <=, 2 * width + 4);
  g_assert_cmpfloat (page.ui, ==, 2);

  page.options
      = (GobanExportOptions){ .region = { whole.x0, whole.y0, whole.x0 + 200, whole.y0 + 100 } };
  goban_page_lay_out (&page);
  g_assert_cmpfloat (page.width, ==, 1648);
  check_tiles (&page, GOBAN_BACKDROP_OWN);

  g_assert_true (goban_export_parse_region ("-1, 2,3.5,4e2", &region, &error));
  g_assert_cmpfloat (region.y1, ==, 400);
  g_assert_false (goban_export_parse_region ("1,2,3", &region, NULL));
  g_assert_false (goban_export_parse_region ("1,2,3,nan", &region, NULL));
  g_assert_false (goban_export_parse_region ("3,2,1,4", &region, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

/* Upon its own canvas a transparent picture is the opaque one, but for a rounding. */
static void
test_transparent (Fixture *f, gconstpointer data)
{
  GobanExportOptions options = { .width = 900, .is_transparent = TRUE };
  g_autofree char *path = g_build_filename (f->folder, "t.png", NULL);
  gsize size;
  g_autofree char *bytes = export(f, "t.png", &options, &size);
  g_autofree char *svg = export(f, "t.svg", &options, &size);
  g_autofree char *opaque_svg = export(f, "o.svg", NULL, &size);
  cairo_surface_t *image = cairo_image_surface_create_from_png (path);
  cairo_surface_t *ground, *opaque;
  g_autofree char *opaque_path = g_build_filename (f->folder, "o.png", NULL);
  GobanRgb canvas = goban_palette_get (GOBAN_THEME_LIGHT)->canvas;
  cairo_t *cr;
  int worst = 0;

  g_assert_cmpint (cairo_image_surface_get_format (image), ==, CAIRO_FORMAT_ARGB32);
  g_assert_cmphex (draw_pixel (image, 2, 2), ==, 0);
  options.is_transparent = FALSE;
  g_free (export(f, "o.png", &options, &size));
  opaque = cairo_image_surface_create_from_png (opaque_path);
  ground = cairo_image_surface_create (CAIRO_FORMAT_RGB24, cairo_image_surface_get_width (image),
                                       cairo_image_surface_get_height (image));
  cr = cairo_create (ground);
  cairo_set_source_rgb (cr, (canvas >> 16) / 255.0, (canvas >> 8 & 0xff) / 255.0,
                        (canvas & 0xff) / 255.0);
  cairo_paint (cr);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  for (int y = 0; y < cairo_image_surface_get_height (image); y++)
    for (int x = 0; x < cairo_image_surface_get_width (image); x++)
      for (int shift = 0; shift <= 16; shift += 8)
        worst = MAX (worst, ABS ((int) (draw_pixel (ground, x, y) >> shift & 0xff)
                                 - (int) (draw_pixel (opaque, x, y) >> shift & 0xff)));
  g_assert_cmpint (worst, <=, 6);
  g_assert_nonnull (strstr (opaque_svg, "<rect"));
  g_assert_null (strstr (svg, "<rect x=\"0\" y=\"0\" width=\"9"));
  cairo_surface_destroy (image);
  cairo_surface_destroy (opaque);
  cairo_surface_destroy (ground);
}

static gboolean
stop_at_third (gpointer user_data)
{
  return ++*(int *) user_data > 2;
}

/* What is cancelled, or has no room, leaves the old file and nothing else. */
static void
test_no_half_files (Fixture *f, gconstpointer data)
{
  int n_asked = 0;
  GobanProgress progress = { .should_stop = stop_at_third, .user_data = &n_asked };
  GobanExportOptions options = { .width = 3000, .height = 3000, .progress = &progress };
  g_autofree char *path = g_build_filename (f->folder, "big.png", NULL);
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_export_graph (f->scene, f->layout, &options, path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);
  dir = g_dir_open (f->folder, 0, NULL);
  g_assert_null (g_dir_read_name (dir));

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    return;
  options.progress = NULL;
  {
    g_autofree char *full = g_build_filename (f->folder, "full.png", NULL);

    g_assert_cmpint (symlink ("/dev/full", full), ==, 0);
    g_assert_false (goban_export_graph (f->scene, f->layout, &options, full, &error));
    g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
    g_assert_true (g_file_test (full, G_FILE_TEST_IS_SYMLINK));
  }
}

static void
test_timeline (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "t.svg", "t.png", "t.pdf" };
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new_empty (1);
  const GobanSlice slice = { 10, 90, 0, GOBAN_NO_TRANSFER, 0, 0, FALSE };

  goban_lane_set_slices (&scene->lanes[0], &slice, 1);
  scene->end_us = 100;
  goban_timeline_scene_arrange (scene, NULL, INFINITY);
  for (double from = 0; from <= 20; from += 20)
    {
      GobanPage page = { .timeline = scene,
                         .title = "a title",
                         .subtitle = "",
                         .options = { .from_us = from, .to_us = from > 0 ? 60 : 0 } };

      check_tiles (&page, GOBAN_BACKDROP_OWN);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (f->folder, names[i], NULL);
      g_autofree char *bytes = NULL;
      g_autoptr (GError) error = NULL;
      gsize size;

      goban_export_timeline (scene, NULL, path, &error);
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
      if (i == 0)
        check_xml (bytes, size);
    }
}

TEST_PROGRAM (export)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run) g_test_add ("/draw/export/" name, Fixture, NULL, set_up, run, tear_down)
  ADD ("svg", test_svg);
  ADD ("png", test_png);
  ADD ("pdf", test_pdf);
  ADD ("large-graph-is-an-image", test_large_graph_is_an_image);
  ADD ("refusals", test_refusals);
  ADD ("tiles-join", test_tiles_join);
  ADD ("tiles-join-with-groups", test_tiles_join_with_groups);
  ADD ("region-and-scale", test_region_and_scale);
  ADD ("transparent", test_transparent);
  ADD ("no-half-files", test_no_half_files);
  ADD ("timeline", test_timeline);
  return g_test_run ();
}
