#include "engine/core/error.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/draw/export/picture.h"

#include <string.h>

/* The contents of the file that comes of a picture of the diamond; takes @picture. */
static char *
write_to (const char *name, GobanExportPicture *picture)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-picture-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  picture->path = g_build_filename (folder, name, NULL);
  g_assert_true (goban_export_picture_write (picture, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (picture->path, &text, NULL, NULL));
  goban_export_picture_free (picture);
  remove_folder (folder);
  return text;
}

static GobanExportPicture *
diamond (gboolean has_run)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  GobanExportPicture *self = g_new0 (GobanExportPicture, 1);

  self->costs = toy_costs (graph, "p100x2");
  if (has_run)
    {
      g_autoptr (GobanPlan) plan = toy_place (self->costs, "round-robin", 0);

      self->run = goban_run_new (self->costs, plan, NULL);
    }
  return self;
}

static GobanSelection *
left_and_sink (void)
{
  static const GobanNodeId ids[] = { 1, 3 };

  return goban_selection_new (ids, 2);
}

/* A table has a line for each node that is not hidden. */
static void
test_table (void)
{
  GobanExportPicture *part = diamond (FALSE);
  g_autofree char *all = write_to ("nodes.csv", diamond (TRUE));
  g_autofree char *text = NULL;

  part->hidden = left_and_sink ();
  text = write_to ("nodes.csv", part);
  g_assert_nonnull (strstr (all, "\nsource,"));
  g_assert_nonnull (strstr (all, "\nleft,"));
  g_assert_nonnull (strstr (text, "\nright,"));
  g_assert_null (strstr (text, "\nleft,"));
  g_assert_null (strstr (text, "\nsink,"));
}

static void
test_graph (void)
{
  GobanExportPicture *part = diamond (FALSE);
  g_autofree char *all = write_to ("graph.svg", diamond (FALSE));
  g_autofree char *text = NULL;

  part->hidden = left_and_sink ();
  text = write_to ("graph.svg", part);
  g_assert_true (g_str_has_prefix (all, "<?xml"));
  g_assert_cmpuint (strlen (text), <, strlen (all));
}

/* With the lanes of a view, the picture has only the sub-rows that are open there. */
static void
test_timeline (void)
{
  GobanExportPicture *plain = diamond (TRUE);
  GobanExportPicture *part = diamond (TRUE);
  g_autofree char *all = NULL;
  g_autofree char *text = NULL;

  plain->is_timeline = part->is_timeline = TRUE;
  part->has_lanes = TRUE;
  all = write_to ("run.svg", plain);
  text = write_to ("run.svg", part);
  g_assert_true (g_str_has_prefix (all, "<?xml"));
  g_assert_cmpuint (strlen (text), <, strlen (all));
}

static void
test_refuses (void)
{
  g_autoptr (GobanExportPicture) picture = diamond (FALSE);
  g_autoptr (GError) error = NULL;

  picture->path = g_strdup ("picture.gif");
  g_assert_false (goban_export_picture_write (picture, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
}

/* cairo's images have sides of at most 32767 pixels. */
static void
test_too_large (void)
{
  g_autoptr (GobanRendering) one = goban_export_picture_to_rendering (diamond (TRUE));
  GobanRun *run = goban_rendering_get_run (one);
  g_autoptr (GobanRendering) pair = goban_rendering_new_comparison (run, run);
  GobanPaintingOptions size = { .width = 100, .height = 40000 };
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_rendering_draw (one, &size, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (goban_rendering_draw (pair, &size, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

TEST_PROGRAM (picture)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture/table", test_table);
  g_test_add_func ("/picture/graph", test_graph);
  g_test_add_func ("/picture/timeline", test_timeline);
  g_test_add_func ("/picture/refuses", test_refuses);
  g_test_add_func ("/picture/too-large", test_too_large);
  return g_test_run ();
}
