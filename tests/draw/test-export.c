#include "engine/base/error.h"
#include "tests/draw/draw-fixture.h"
#include "tests/support/folder.h"
#include "tests/support/graph-gen.h"
#include "ui/draw/export.h"

#include <string.h>

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

  f->layout = goban_layout_new (graph, NULL, NULL);
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
  GobanExportOptions huge = { .width = 20000, .height = 500 };
  GobanExportOptions many = { .width = 16000, .height = 16000 };
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
  g_assert_false (goban_export_graph (f->scene, f->layout, &many, png, &error));
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

static void
test_timeline (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "t.svg", "t.png", "t.pdf" };
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new_empty (1);
  const GobanSlice slice = { 10, 90, 0, GOBAN_NO_TRANSFER, 0, 0, FALSE };

  goban_lane_set_slices (&scene->lanes[0], &slice, 1);
  scene->end_us = 100;
  goban_timeline_scene_arrange (scene, NULL);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run) g_test_add ("/draw/export/" name, Fixture, NULL, set_up, run, tear_down)
  ADD ("svg", test_svg);
  ADD ("png", test_png);
  ADD ("pdf", test_pdf);
  ADD ("large-graph-is-an-image", test_large_graph_is_an_image);
  ADD ("refusals", test_refusals);
  ADD ("timeline", test_timeline);
  return g_test_run ();
}
