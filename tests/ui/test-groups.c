/* Groups in the real window: opened and closed by mouse and keys, hidden, and turned into a
 * schedule. Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-groups.h"
#include "tests/ui/gui.h"

#include "engine/session/document/opening.h"
#include "engine/session/session-marks.h"
#include "engine/session/view.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-label.h"
#include "ui/graph/graph-controls.h"

#include <math.h>
#include <string.h>

static GobanView *
look (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

/* samples/toy.dot has the groups image, text and head, of four, four and two ops. */
static void
open_grouped_toy (GuiWindow *f)
{
  gui_open_toy (f);
  gui_group_by (f, "scope");
}

static GobanNodeId
node (GuiWindow *f, const char *name)
{
  return goban_graph_find_node (goban_session_get_graph (f->session), name);
}

static void
assert_said (GuiWindow *f, const char *line)
{
  g_assert_cmpstr (gui_last_line (f), ==, line);
}

static void
click (GuiWindow *f, double x, double y, int n_press)
{
  gui_click_graph (f, (GobanPoint){ x, y }, n_press);
}

/* Nodes of a closed group are where it is; nodes of none stay themselves. */
static void
test_closed (GuiWindow *f, gconstpointer data)
{
  GobanPoint at;
  GobanBox box;

  open_grouped_toy (f);
  box = gui_locate_group (f, "text", FALSE);
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), node (f, "text/ffn"), &at));
  g_assert_cmpfloat_with_epsilon (at.x, (box.x0 + box.x1) / 2, 1);
  g_assert_cmpfloat_with_epsilon (at.y, (box.y0 + box.y1) / 2, 1);
  assert_said (f, "view.group \"scope\"");

  click (f, at.x, at.y, 1);
  g_assert_cmpuint (gui_count_selected (f), ==, 4);
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), node (f, "fuse"), &at));
  click (f, at.x, at.y, 1);
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
}

/* A double click opens, what is clicked stays, and the triangle closes. */
static void
test_mouse (GuiWindow *f, gconstpointer data)
{
  GobanBox before, after;

  open_grouped_toy (f);
  before = gui_locate_group (f, "text", FALSE);
  click (f, (before.x0 + before.x1) / 2, (before.y0 + before.y1) / 2, 2);
  assert_said (f, "view.expand \"text\"");
  gui_settle (f);
  after = gui_locate_group (f, "text", TRUE);
  g_assert_cmpfloat_with_epsilon (after.x0, before.x0, 1);
  g_assert_cmpfloat_with_epsilon (after.y0, before.y0, 1);
  g_assert_cmpfloat (after.y1 - after.y0, >, before.y1 - before.y0);
  g_assert_true (goban_view_is_expanded (look (f), "text"));

  click (f, after.x0 + 60, after.y0 + 5, 1);
  g_assert_cmpuint (gui_count_selected (f), ==, 4);
  click (f, after.x0 + 10, after.y0 + 5, 1);
  assert_said (f, "view.collapse \"text\"");
  gui_settle (f);
  after = gui_locate_group (f, "text", FALSE);
  g_assert_cmpfloat_with_epsilon (after.x0, before.x0, 1);
  g_assert_cmpfloat_with_epsilon (after.y0, before.y0, 1);
}

/* Enter opens the group that holds the selection, Backspace closes the one around it. */
static void
test_keys (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanSelection) selection = NULL;
  GobanNodeId id;

  open_grouped_toy (f);
  id = node (f, "image/conv1");
  selection = goban_selection_new (&id, 1);
  goban_session_set_selection (f->session, selection);
  gui_act (f, "open-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "image", TRUE);
  g_assert_cmpuint (gui_count_selected (f), ==, 1);

  /* There is no group left to open: the selection is shown. */
  gui_act (f, "open-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "image", TRUE);

  gui_act (f, "close-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "image", FALSE);
  gui_act (f, "close-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "image", FALSE);

  gui_act (f, "select-all", NULL);
  gui_act (f, "open-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "image", TRUE);
  gui_locate_group (f, "text", TRUE);
  gui_locate_group (f, "head", TRUE);
  gui_act (f, "close-groups", NULL);
  assert_said (f, "view.expanded{}");
  gui_settle (f);
  gui_locate_group (f, "text", FALSE);
}

/* What is hidden is gone with its group, and comes back to where it was. */
static void
test_hidden (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanSelection) none = goban_selection_new (NULL, 0);
  g_autoptr (GobanSelection) text = NULL;
  gboolean is_open;
  GobanBox box;
  GobanPoint at;

  open_grouped_toy (f);
  box = gui_locate_group (f, "text", FALSE);
  click (f, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, 1);
  text = goban_selection_ref (goban_session_get_selection (f->session));
  goban_view_set_hidden (look (f), text, goban_session_get_graph (f->session));
  gui_settle (f);
  g_assert_false (goban_graph_view_locate_group (gui_graph_view (f), "text", &is_open, &box));
  g_assert_false (goban_graph_view_locate (gui_graph_view (f), node (f, "text/ffn"), &at));
  g_assert_cmpuint (gui_count_selected (f), ==, 4);
  goban_view_set_hidden (look (f), none, goban_session_get_graph (f->session));
  gui_settle (f);
  gui_locate_group (f, "text", FALSE);
}

/* One key and everything is where and when it runs; again, and it is as it was. */
static void
test_schedule (GuiWindow *f, gconstpointer data)
{
  GobanBox before, during, after;

  open_grouped_toy (f);
  before = gui_locate_group (f, "head", FALSE);
  gui_act (f, "morph", NULL);
  assert_said (f, "view.layout \"lanes\"");
  gui_settle (f);
  g_assert_cmpint (goban_view_get_layout (look (f)), ==, GOBAN_ARRANGE_LANES);
  during = gui_locate_group (f, "head", FALSE);
  g_assert_true (fabs (during.x0 - before.x0) + fabs (during.y0 - before.y0) > 5);

  /* Another plan, another schedule. */
  gui_act (f, "next-plan", NULL);
  gui_settle (f);
  gui_act (f, "previous-plan", NULL);
  gui_settle (f);
  after = gui_locate_group (f, "head", FALSE);
  g_assert_cmpfloat_with_epsilon (after.x0, during.x0, 1);

  gui_act (f, "morph", NULL);
  gui_settle (f);
  after = gui_locate_group (f, "head", FALSE);
  g_assert_cmpfloat_with_epsilon (after.x0, before.x0, 1);
  g_assert_cmpfloat_with_epsilon (after.y0, before.y0, 1);
}

/* Plans and colours move nothing. */
static void
test_plans_move_nothing (GuiWindow *f, gconstpointer data)
{
  GobanBox before, after;

  open_grouped_toy (f);
  before = gui_locate_group (f, "head", FALSE);
  gui_act (f, "next-plan", NULL);
  gui_act (f, "color", g_variant_new_string ("priority"));
  gui_settle (f);
  after = gui_locate_group (f, "head", FALSE);
  g_assert_cmpfloat (after.x0, ==, before.x0);
  g_assert_cmpfloat (after.y0, ==, before.y0);
}

/* A graph opens as boxes whose names can be read; a small one that comes after it has none. */
static void
test_first_glance (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  gboolean is_open;
  GobanBox box;
  GobanPoint first, second;
  double scale;

  gui_open_path (f, path);
  gui_settle (f);
  gui_locate_group (f, "Conv2d_1a_3x3", FALSE);
  gui_locate_group (f, "Mixed_7c", FALSE);
  g_assert_cmpuint (goban_graph_view_get_n_boxes (gui_graph_view (f)), ==, 21);
  scale = goban_graph_view_get_scale (gui_graph_view (f));
  g_assert_cmpfloat (goban_label_size_of_group (GOBAN_GROUP_HEIGHT * scale), >=, 9);
  goban_view_expand (look (f), "Mixed_6c", TRUE);
  gui_settle (f);
  gui_locate_group (f, "Mixed_6c", TRUE);

  /* Modules below the scopes that hold them. */
  goban_session_open_path (f->session, "gnmt:layers=5,steps=5");
  gui_settle (f);
  gui_locate_group (f, "encoder/layer_1", FALSE);
  g_assert_false (goban_graph_view_locate_group (gui_graph_view (f), "encoder", &is_open, &box));

  gui_open_toy (f);
  g_assert_cmpuint (goban_graph_view_get_n_boxes (gui_graph_view (f)), ==, 0);
  g_assert_false (goban_graph_view_locate_group (gui_graph_view (f), "text", &is_open, &box));
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), node (f, "text/ffn"), &first));
  g_assert_true (goban_graph_view_locate (gui_graph_view (f), node (f, "text/norm"), &second));
  g_assert_true (fabs (first.x - second.x) + fabs (first.y - second.y) > 5);
}

/* --- controls over the board ------------------------------------------------------------------ */

static void
open_inception (GuiWindow *f)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");

  gui_open_path (f, path);
  gui_settle (f);
}

/* The place of a widget in the graph view, in pixels of the widget. */
static GobanBox
box_in_view (GuiWindow *f, GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (gui_graph_view (f)), &bounds));
  return (GobanBox){ (double) bounds.origin.x, (double) bounds.origin.y,
                     (double) (bounds.origin.x + bounds.size.width),
                     (double) (bounds.origin.y + bounds.size.height) };
}

static GtkWidget *
controls (GuiWindow *f)
{
  return gui_part (f, GOBAN_TYPE_GRAPH_CONTROLS);
}

/* Fitted boxes leave room for them, here and in a small window. */
static void
test_controls_cover_nothing (GuiWindow *f, gconstpointer data)
{
  guint n_shown = 0;

  open_inception (f);
  for (GtkWidget *bar = gtk_widget_get_first_child (controls (f)); bar != NULL;
       bar = gtk_widget_get_next_sibling (bar))
    {
      GobanBox corner;
      GobanGraphPicture picture;

      if (!gtk_widget_get_mapped (bar))
        continue;
      n_shown++;
      corner = box_in_view (f, bar);
      g_assert_true (goban_graph_view_describe (gui_graph_view (f), &picture));
      for (guint v = 0; v < picture.layout->n_nodes; v++)
        g_assert_false (goban_box_intersects (
            corner, goban_camera_box_to_screen (&picture.camera,
                                                goban_layout_node_box (picture.layout, v))));
    }
  g_assert_cmpuint (n_shown, ==, 3); /* nothing is followed here */
}

/* The path names the group in sight, and each part of it leads there. */
static void
test_path (GuiWindow *f, gconstpointer data)
{
  GobanGraphView *view;
  GtkWidget *part;
  double fitted;
  GobanBox box;

  open_inception (f);
  view = gui_graph_view (f);
  fitted = goban_graph_view_get_scale (view);
  g_assert_nonnull (gui_find_button (controls (f), "inception-v3"));
  g_assert_null (gui_find_button (controls (f), "Mixed_6c"));
  goban_view_expand (look (f), "Mixed_6c", TRUE);
  gui_settle (f);
  gui_select (f, "Mixed_6c/concat");
  gui_rest ();
  part = gui_find_button (controls (f), "Mixed_6c");
  g_assert_nonnull (part);
  g_signal_emit_by_name (part, "clicked");
  gui_settle (f);
  box = gui_locate_group (f, "Mixed_6c", TRUE);
  g_assert_cmpfloat (box.y0, >=, 0);
  g_assert_cmpfloat (box.y1, <=, gtk_widget_get_height (GTK_WIDGET (view)));
  g_assert_cmpfloat (goban_graph_view_get_scale (view), >, fitted);
  g_signal_emit_by_name (gui_find_button (controls (f), "inception-v3"), "clicked");
  gui_settle (f);
  g_assert_cmpfloat (goban_graph_view_get_scale (view), <, fitted);
}

/* All of them are reached by Tab from the picture, and have names. */
static void
test_tab (GuiWindow *f, gconstpointer data)
{
  GtkWidget *view;
  GtkWidget *focus;
  guint n = 0;

  open_inception (f);
  view = GTK_WIDGET (gui_graph_view (f));
  gtk_widget_grab_focus (view);
  while (gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD))
    {
      focus = gtk_root_get_focus (GTK_ROOT (f->window));
      g_assert_true (gtk_widget_is_ancestor (focus, controls (f)));
      n++;
    }
  /* The graph's name, groups, less, more, fit: there is no way back yet. */
  g_assert_cmpuint (n, ==, 5);
  gtk_widget_grab_focus (view);
  g_signal_emit_by_name (gui_find_button (controls (f), "inception-v3"), "clicked");
  g_assert_true (gtk_widget_has_focus (view));
}

TEST_PROGRAM (groups)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/window/groups/closed", test_closed);
  gui_window_add ("/window/groups/mouse", test_mouse);
  gui_window_add ("/window/groups/keys", test_keys);
  gui_window_add ("/window/groups/hidden", test_hidden);
  gui_window_add ("/window/groups/schedule", test_schedule);
  gui_window_add ("/window/groups/plans-move-nothing", test_plans_move_nothing);
  gui_window_add ("/window/groups/first-glance", test_first_glance);
  gui_window_add ("/window/groups/controls-cover-nothing", test_controls_cover_nothing);
  gui_window_add ("/window/groups/path", test_path);
  gui_window_add ("/window/groups/tab", test_tab);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
