/* The graph goes with decisions that are stepped through, in the real window. Needs a display: run
 * by gui-run.sh. */
#include "tests/ui/gui-groups.h"

#include "engine/machine/cluster/cost-model.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-label.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/graph/minimap-view.h"

static GobanView *
look (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

/* Inception-v3 with a record of the policy. */
static GobanRun *
open_run_of (GuiWindow *f, const char *policy)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 20 };
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;

  gui_open_path (f, path);
  gui_settle (f);
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), policy, &options, &error);
  g_assert_no_error (error);
  goban_session_add_run (f->session, run);
  gui_settle (f);
  return goban_session_get_current_run (f->session);
}

/* A decision for each op. */
static GobanRun *
open_run (GuiWindow *f)
{
  return open_run_of (f, "m-etf");
}

typedef struct
{
  GuiWindow *f;
  GobanMoment moment;
} Shown;

static gboolean
shows_moment (gpointer data)
{
  Shown *shown = data;

  return goban_run_get_moment (goban_session_get_shown_run (shown->f->session)) == shown->moment
         && gui_has_settled (shown->f);
}

/* The node that the decision is about. */
static GobanNodeId
show (GuiWindow *f, GobanMoment moment)
{
  Shown shown = { f, moment };
  GobanRun *run = goban_session_get_current_run (f->session);

  goban_view_set_moment (look (f), (int) moment);
  gui_wait (shows_moment, &shown, "the decision is shown");
  gui_draw (GTK_WIDGET (f->window));
  return goban_moment_find_node (goban_run_get_decisions (run), moment);
}

/* Whether one of the nodes is in the group. */
static gboolean
holds (GuiWindow *f, const char *path, const GobanSelection *nodes)
{
  g_autoptr (GobanHierarchy) modules
      = goban_hierarchy_new (goban_session_get_graph (f->session), GOBAN_GROUPING_AUTO, NULL);
  g_autoptr (GobanSelection) inside
      = goban_hierarchy_dup_nodes (modules, goban_hierarchy_find (modules, path));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  for (guint i = 0; i < n; i++)
    if (goban_selection_contains (inside, ids[i]))
      return TRUE;
  return FALSE;
}

static GobanMoment
last (GuiWindow *f)
{
  GobanRun *run = goban_session_get_current_run (f->session);

  return goban_decisions_get_n_moments (goban_run_get_decisions (run)) - 1;
}

static GobanGraphPicture
look_at_picture (GuiWindow *f)
{
  GobanGraphPicture picture;

  g_assert_true (goban_graph_view_describe (gui_graph_view (f), &picture));
  return picture;
}

/* The part of the view that the controls leave. */
static GobanBox
find_sight (GuiWindow *f)
{
  GtkWidget *view = GTK_WIDGET (gui_graph_view (f));

  return goban_plot_get_sight (gtk_widget_get_width (view), gtk_widget_get_height (view), 1);
}

/* The graph is in sight from end to end, or to the edge of the sight: in no direction is there
 * emptiness at one end and more of the graph at the other. */
static void
assert_no_emptiness (GuiWindow *f)
{
  GobanGraphPicture picture = look_at_picture (f);
  GobanBox sight = find_sight (f);
  GobanBox all = goban_camera_box_to_screen (&picture.camera, picture.layout->bounds);

  if (all.x1 - all.x0 > sight.x1 - sight.x0 + 1)
    g_assert_true (all.x0 < sight.x0 + 1 && all.x1 > sight.x1 - 1);
  else
    g_assert_cmpfloat_with_epsilon (all.x0 - sight.x0, sight.x1 - all.x1, 2);
  if (all.y1 - all.y0 > sight.y1 - sight.y0 + 1)
    g_assert_true (all.y0 < sight.y0 + 1 && all.y1 > sight.y1 - 1);
  else
    g_assert_cmpfloat_with_epsilon (all.y0 - sight.y0, sight.y1 - all.y1, 2);
}

static GobanBox
find_box (GuiWindow *f, GobanNodeId node)
{
  GobanGraphPicture picture = look_at_picture (f);
  guint32 item = picture.scene->outline->item_of[node];

  return goban_camera_box_to_screen (&picture.camera, goban_layout_node_box (picture.layout, item));
}

/* All of its box, which is its own, can be seen and read. */
static void
assert_in_sight (GuiWindow *f, GobanNodeId node)
{
  GobanGraphPicture picture = look_at_picture (f);
  GobanBox sight = find_sight (f);
  GobanBox box = find_box (f, node);
  GtkWidget *map = gui_part (f, GOBAN_TYPE_MINIMAP_VIEW);

  g_assert_cmpuint (picture.scene->outline->items[picture.scene->outline->item_of[node]].group, ==,
                    GOBAN_NO_GROUP);
  g_assert_cmpfloat (box.x0, >, sight.x0 - 1);
  g_assert_cmpfloat (box.y0, >, sight.y0 - 1);
  g_assert_cmpfloat (box.x1, <, sight.x1 + 1);
  g_assert_cmpfloat (box.y1, <, sight.y1 + 1);
  g_assert_cmpfloat (box.y1 - box.y0, >=, GOBAN_LEAST_READABLE - 0.1);
  if (gtk_widget_get_mapped (map))
    {
      graphene_rect_t over;

      g_assert_true (gtk_widget_compute_bounds (map, GTK_WIDGET (gui_graph_view (f)), &over));
      g_assert_false (
          goban_box_intersects (box, (GobanBox){ (double) over.origin.x, (double) over.origin.y,
                                                 (double) (over.origin.x + over.size.width),
                                                 (double) (over.origin.y + over.size.height) }));
    }
  assert_no_emptiness (f);
}

/* Each decision is in sight, with its module open and that of another closed. */
static void
test_goes_with_decisions (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run (f);
  guint n = goban_decisions_get_n_moments (goban_run_get_decisions (run));

  goban_graph_view_offer_follow (gui_graph_view (f), TRUE);
  for (GobanMoment moment = 1; moment < n; moment += MAX (n / 12, 1))
    {
      GobanNodeId node = show (f, moment);
      const char *const *open = goban_view_get_expanded (look (f));
      g_autoptr (GobanSelection) changed
          = goban_moment_dup_changed (goban_run_get_decisions (run), moment, GOBAN_N_TASKS);

      assert_in_sight (f, node);
      for (guint i = 0; open[i] != NULL; i++)
        g_assert_true (holds (f, open[i], changed));
    }
}

/* All nodes are in sight. */
static void
assert_fits (GuiWindow *f)
{
  GtkWidget *view = GTK_WIDGET (gui_graph_view (f));
  guint n = goban_graph_get_n_nodes (goban_session_get_graph (f->session));

  for (GobanNodeId node = 0; node < n; node++)
    {
      GobanPoint at;

      g_assert_true (goban_graph_view_locate (gui_graph_view (f), node, &at));
      g_assert_true (at.x > 0 && at.x < gtk_widget_get_width (view));
      g_assert_true (at.y > 0 && at.y < gtk_widget_get_height (view));
    }
}

static void
assert_whole (GuiWindow *f)
{
  g_assert_null (goban_view_get_expanded (look (f))[0]);
  assert_fits (f);
}

static void
resize (GuiWindow *f, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (f->window), width, height);
  gui_settle (f);
}

/* The first decision shows the board from its beginning, and all of it on a large one. */
static void
test_first_sight (GuiWindow *f, gconstpointer data)
{
  static const int sizes[][2] = { { 1280, 800 }, { 1600, 1000 }, { 800, 560 } };

  open_run (f);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      GobanNodeId node;

      gui_act (f, "workspace", g_variant_new_string ("explore"));
      resize (f, sizes[i][0], sizes[i][1]);
      gui_act (f, "zoom-in", NULL);
      gui_act (f, "workspace", g_variant_new_string ("decisions"));
      node = show (f, 1);
      gui_settle (f);
      assert_in_sight (f, node);
      if (sizes[i][0] >= 1280)
        assert_fits (f);
    }
}

/* On a board with more than can be read, a step moves the view only if the op is out of sight. */
static void
test_calm (GuiWindow *f, gconstpointer data)
{
  guint n_stayed = 0;

  open_run_of (f, "heft");
  gui_act (f, "workspace", g_variant_new_string ("decisions"));
  resize (f, 800, 560);
  show (f, 1);
  for (GobanMoment moment = 2; moment < 60; moment++)
    {
      GobanGraphPicture before = look_at_picture (f);
      g_autoptr (GobanLayout) layout = goban_layout_ref ((GobanLayout *) before.layout);
      GobanNodeId node = show (f, moment);
      GobanGraphPicture after = look_at_picture (f);
      GobanBox sight = find_sight (f);
      GobanBox box = goban_camera_box_to_screen (
          &before.camera,
          goban_layout_node_box (after.layout, after.scene->outline->item_of[node]));

      assert_in_sight (f, node);
      if (after.layout != layout || box.x0 < sight.x0 || box.x1 > sight.x1 || box.y0 < sight.y0
          || box.y1 > sight.y1)
        continue;
      n_stayed++;
      g_assert_cmpfloat (after.camera.x, ==, before.camera.x);
      g_assert_cmpfloat (after.camera.y, ==, before.camera.y);
      g_assert_cmpfloat (after.camera.scale, ==, before.camera.scale);
    }
  g_assert_cmpuint (n_stayed, >, 10);
}

/* The zoom of users stays. The map leaves its corner to what is decided. */
static void
test_own_zoom_stays (GuiWindow *f, gconstpointer data)
{
  GtkWidget *map = gui_part (f, GOBAN_TYPE_MINIMAP_VIEW);
  guint n_left = 0;
  double scale;

  open_run_of (f, "heft");
  gui_act (f, "workspace", g_variant_new_string ("decisions"));
  show (f, 1);
  for (guint i = 0; i < 4; i++)
    gui_act (f, "zoom-in", NULL);
  scale = goban_graph_view_get_scale (gui_graph_view (f));
  assert_in_sight (f, show (f, 3));
  g_assert_cmpfloat (goban_graph_view_get_scale (gui_graph_view (f)), ==, scale);
  g_assert_cmpint (gtk_widget_get_halign (map), ==, GTK_ALIGN_END);
  for (GobanMoment moment = last (f) - 9; moment <= last (f); moment++)
    {
      assert_in_sight (f, show (f, moment));
      g_assert_true (gtk_widget_get_mapped (map));
      n_left += gtk_widget_get_halign (map) == GTK_ALIGN_START;
    }
  g_assert_cmpuint (n_left, >, 0);
  g_assert_cmpfloat (goban_graph_view_get_scale (gui_graph_view (f)), ==, scale);
}

/* What users open stays open, and nothing is said in the log but the steps. */
static void
test_own_groups_stay (GuiWindow *f, gconstpointer data)
{
  open_run (f);
  goban_graph_view_offer_follow (gui_graph_view (f), TRUE);
  goban_view_expand (look (f), "Mixed_7c", TRUE);
  gui_settle (f);
  show (f, 5);
  g_assert_cmpstr (gui_last_line (f), ==, "view.moment(5)");
  g_assert_true (goban_view_is_expanded (look (f), "Mixed_7c"));
  show (f, last (f));
  g_assert_true (goban_view_is_expanded (look (f), "Mixed_7c"));
  gui_locate_group (f, "Mixed_7c", TRUE);
}

/* Without it, or elsewhere, steps open and move nothing. */
static void
test_only_where_wanted (GuiWindow *f, gconstpointer data)
{
  GobanPoint before, after;

  open_run (f);
  show (f, 5);
  g_assert_null (goban_view_get_expanded (look (f))[0]);
  gui_act (f, "follow", NULL);
  goban_graph_view_offer_follow (gui_graph_view (f), TRUE);
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), 0, &before));
  show (f, last (f));
  g_assert_null (goban_view_get_expanded (look (f))[0]);
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), 0, &after));
  g_assert_cmpfloat (before.x, ==, after.x);
  gui_act (f, "follow", NULL);
  gui_settle (f);
  g_assert_nonnull (goban_view_get_expanded (look (f))[0]);
}

typedef struct
{
  GtkWidget *view;
  int width;
} Before;

static gboolean
is_narrower (gpointer data)
{
  const Before *before = data;

  return gtk_widget_get_width (before->view) < before->width;
}

/* Distance of a node from the middle of the view, to the right. */
static double
find_offset (GuiWindow *f, GobanNodeId node)
{
  GobanPoint at;

  g_assert_true (goban_graph_view_locate (gui_graph_view (f), node, &at));
  return at.x - gtk_widget_get_width (GTK_WIDGET (gui_graph_view (f))) / 2.0;
}

/* Back from the decisions, the middle of the view is where it was, though the view has become
 * narrower. */
static void
test_returns (GuiWindow *f, gconstpointer data)
{
  Before wide = { .view = GTK_WIDGET (gui_graph_view (f)) };
  double before, after;

  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 800);
  open_run (f);
  gui_act (f, "zoom-in", NULL);
  gui_settle (f);
  before = find_offset (f, 0);
  goban_graph_view_offer_follow (gui_graph_view (f), TRUE);
  show (f, last (f));
  wide.width = gtk_widget_get_width (wide.view);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1100, 800);
  gui_wait (is_narrower, &wide, "the view is narrower");
  gui_settle (f);
  goban_graph_view_offer_follow (gui_graph_view (f), FALSE);
  gui_settle (f);
  after = find_offset (f, 0);
  g_assert_cmpfloat_with_epsilon (after, before, 1.5);
}

/* A plan of all ops is seen whole, as boxes, wherever the view was. */
static void
test_many_at_once (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run_of (f, "anneal");
  g_autoptr (GobanSelection) changed
      = goban_moment_dup_changed (goban_run_get_decisions (run), 1, GOBAN_N_TASKS);
  guint n;

  goban_selection_get_ids (changed, &n);
  g_assert_cmpuint (n, ==, goban_graph_get_n_nodes (goban_session_get_graph (f->session)));
  gui_act (f, "zoom-in", NULL);
  gui_act (f, "zoom-in", NULL);
  goban_graph_view_offer_follow (gui_graph_view (f), TRUE);
  show (f, 1);
  assert_whole (f);
}

/* A decision about no node shows the graph, wherever the view was: the first one of go-zeroshot is
 * its rule. */
static void
test_of_no_node (GuiWindow *f, gconstpointer data)
{
  GobanRun *run = open_run_of (f, "go-zeroshot");
  GobanPoint before, after;

  g_assert_cmpuint (goban_moment_find_node (goban_run_get_decisions (run), 1), ==, GOBAN_NO_NODE);
  for (guint i = 0; i < 4; i++)
    gui_act (f, "zoom-in", NULL);
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), 0, &before));
  gui_act (f, "workspace", g_variant_new_string ("decisions"));
  show (f, 1);
  assert_whole (f);
  show (f, 60);
  g_assert_nonnull (goban_view_get_expanded (look (f))[0]);
  show (f, 1);
  gui_settle (f);
  assert_whole (f);

  /* And what was seen in Explore is seen there again. */
  gui_act (f, "workspace", g_variant_new_string ("explore"));
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), 0, &after));
  g_assert_cmpfloat_with_epsilon (after.x, before.x, 1);
  g_assert_cmpfloat_with_epsilon (after.y, before.y, 1);
}

/* With animations it takes a while, and ends in the same place. */
static void
test_glides (GuiWindow *f, gconstpointer data)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (f->window));
  GobanNodeId node;

  open_run (f);
  goban_graph_view_offer_follow (gui_graph_view (f), TRUE);
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  node = show (f, last (f));
  assert_in_sight (f, node);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
}

TEST_PROGRAM (follow)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/window/follow/goes-with-decisions", test_goes_with_decisions);
  gui_window_add ("/window/follow/first-sight", test_first_sight);
  gui_window_add ("/window/follow/calm", test_calm);
  gui_window_add ("/window/follow/own-zoom-stays", test_own_zoom_stays);
  gui_window_add ("/window/follow/own-groups-stay", test_own_groups_stay);
  gui_window_add ("/window/follow/only-where-wanted", test_only_where_wanted);
  gui_window_add ("/window/follow/returns", test_returns);
  gui_window_add ("/window/follow/many-at-once", test_many_at_once);
  gui_window_add ("/window/follow/of-no-node", test_of_no_node);
  gui_window_add ("/window/follow/glides", test_glides);
  status = g_test_run ();
  gui_window_end ();

  return status;
}
