/* Groups by parameter and by use in the real window, in graphs whose scopes play no part: opened and closed, found in,
 * dragged, and what is said if there are none. Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-drag.h"
#include "tests/ui/gui-window.h"
#include "tests/ui/gui.h"

#include "tests/support/shared-data.h"

#include "engine/session/edit.h"
#include "ui/graph/graph-view.h"

#include <string.h>

#define NET "rnnlm:layers=2,steps=3"

static GobanGraphView *
graph_view (GuiWindow *f)
{
  return GOBAN_GRAPH_VIEW (gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
}

static GobanView *
look (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

static void
settle (GuiWindow *f)
{
  gui_wait (gui_has_settled, f, "the graph is laid out");
  gui_draw (GTK_WIDGET (f->window));
}

static void
group_by (GuiWindow *f, const char *how)
{
  gui_act (f, "group", g_variant_new_string (how));
  settle (f);
}

static void
open_net (GuiWindow *f, const char *how)
{
  goban_session_open_path (f->session, NET);
  settle (f);
  group_by (f, how);
}

static GobanBox
locate (GuiWindow *f, const char *path, gboolean is_open)
{
  gboolean open = !is_open;
  GobanBox box = { 0 };

  g_assert_true (goban_graph_view_locate_group (graph_view (f), path, &open, &box));
  g_assert_cmpint (open, ==, is_open);
  return box;
}

static gboolean
is_there (GuiWindow *f, const char *path)
{
  gboolean is_open;
  GobanBox box;

  return goban_graph_view_locate_group (graph_view (f), path, &is_open, &box);
}

static GobanPoint
middle_of (GobanBox box)
{
  return (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
}

static void
click (GuiWindow *f, GobanPoint at, int n_press)
{
  goban_picture_click (GOBAN_PICTURE (graph_view (f)), at, n_press, 0);
}

static guint
count_selected (GuiWindow *f)
{
  guint n;

  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  return n;
}

static const char *
last_line (GuiWindow *f)
{
  const GPtrArray *log = goban_session_get_log (f->session);

  g_assert_cmpuint (log->len, >, 0);
  return g_ptr_array_index (log, log->len - 1);
}

/* The menu's choice says its Lua, and follows what Lua says. */
static void
test_choice (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GVariant) state = NULL;

  open_net (f, "parameter");
  g_assert_cmpstr (last_line (f), ==, "view.group \"parameter\"");
  group_by (f, "use");
  g_assert_cmpstr (last_line (f), ==, "view.group \"use\"");
  goban_view_set_grouping (look (f), GOBAN_GROUPING_PARAMETER);
  state = g_action_group_get_action_state (G_ACTION_GROUP (f->window), "group");
  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "parameter");
  settle (f);
}

/* A model without steps is its layers: each a box, opened and closed by a double click. */
static void
test_layers (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  GobanBox box;

  gui_open_path (f, path);
  settle (f);
  group_by (f, "parameter");
  box = locate (f, "layer1/block0/conv1", FALSE);
  click (f, middle_of (box), 1);
  g_assert_cmpuint (count_selected (f), ==, 3);
  click (f, middle_of (box), 2);
  g_assert_cmpstr (last_line (f), ==, "view.expand \"layer1/block0/conv1\"");
  settle (f);
  locate (f, "layer1/block0/conv1", TRUE);
  gui_act (f, "close-groups", NULL);
  settle (f);
  locate (f, "layer1/block0/conv1", FALSE);
}

/* Uses within a parameter, parameters within a use; another grouping closes all. */
static void
test_two_levels (GuiWindow *f, gconstpointer data)
{
  open_net (f, "parameter");
  goban_view_expand (look (f), "softmax", TRUE);
  settle (f);
  locate (f, "softmax", TRUE);
  locate (f, "softmax/use 2", FALSE);

  group_by (f, "use");
  g_assert_false (is_there (f, "softmax"));
  goban_view_expand (look (f), "use 2", TRUE);
  goban_view_expand (look (f), "use 2/softmax", TRUE);
  settle (f);
  locate (f, "use 2", TRUE);
  locate (f, "use 2/softmax", TRUE);
  locate (f, "use 2/embedding", FALSE);
  locate (f, "use 1", FALSE);
}

/* Enter opens what holds the selection, level by level; Backspace closes it. */
static void
test_keys (GuiWindow *f, gconstpointer data)
{
  open_net (f, "use");
  gui_select (f, "rnn/layer_2/step_3/lstm/MatMul");
  gui_act (f, "open-group", NULL);
  settle (f);
  locate (f, "use 3", TRUE);
  locate (f, "use 3/rnn/layer_2", FALSE);
  gui_act (f, "open-group", NULL);
  settle (f);
  locate (f, "use 3/rnn/layer_2", TRUE);
  gui_act (f, "close-group", NULL);
  settle (f);
  locate (f, "use 3/rnn/layer_2", FALSE);
  gui_act (f, "close-group", NULL);
  settle (f);
  locate (f, "use 3", FALSE);
}

static gboolean
is_by_hand (gpointer data)
{
  return goban_edit_is_by_hand (goban_session_get_current_run (((GuiWindow *) data)->session));
}

/* A step of all layers is dragged to a device by its box, and shown what that comes to before. */
static void
test_dragged (GuiWindow *f, gconstpointer data)
{
  GobanPicture *picture;
  GobanPictureClass *class;
  GobanPoint from, at, to;
  const GobanPlan *plan;
  GobanNodeId node;

  open_net (f, "use");
  picture = GOBAN_PICTURE (graph_view (f));
  class = GOBAN_PICTURE_GET_CLASS (picture);
  from = middle_of (locate (f, "use 2", FALSE));
  at = (GobanPoint){ from.x + 6, from.y + 6 };
  g_assert_true (class->drag_begin (picture, from, at, 0));
  to = gui_place_of_target (graph_view (f), 1);
  class->drag_update (picture, to);
  gui_wait (gui_has_answer, f, "the move is simulated");
  class->drag_end (picture, to, FALSE);
  gui_wait (is_by_hand, f, "the group is moved");

  g_assert_cmpstr (last_line (f), ==, "g:inside(\"use 2\", \"use\"):move \"gpu:1\"");
  plan = goban_run_get_plan (goban_session_get_current_run (f->session));
  for (guint layer = 1; layer <= 2; layer++)
    {
      g_autofree char *name = g_strdup_printf ("rnn/layer_%u/step_2/lstm/MatMul", layer);

      node = goban_graph_find_node (goban_session_get_graph (f->session), name);
      g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
      g_assert_cmpuint (goban_plan_get_device (plan, node), ==, 1);
    }
}

/* Without parameters every node is shown, and why; once, not at every change. */
static void
test_flat (GuiWindow *f, gconstpointer data)
{
  GobanPoint first, second;

  gui_open_toy (f);
  group_by (f, "parameter");
  gui_wait_notice (f, "fewer than two parameters");
  g_assert_true (goban_graph_view_locate (
      graph_view (f), goban_graph_find_node (goban_session_get_graph (f->session), "text/ffn"),
      &first));
  g_assert_true (goban_graph_view_locate (
      graph_view (f), goban_graph_find_node (goban_session_get_graph (f->session), "text/norm"),
      &second));
  g_assert_true (first.x != second.x || first.y != second.y);
  group_by (f, "use");
  gui_wait_notice (f, "used more than once");

  group_by (f, "scope");
  locate (f, "text", FALSE);
}

int
main (int argc, char **argv)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/window/cell-groups/choice", test_choice);
  gui_window_add ("/window/cell-groups/layers", test_layers);
  gui_window_add ("/window/cell-groups/two-levels", test_two_levels);
  gui_window_add ("/window/cell-groups/keys", test_keys);
  gui_window_add ("/window/cell-groups/dragged", test_dragged);
  gui_window_add ("/window/cell-groups/flat", test_flat);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
