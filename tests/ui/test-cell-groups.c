/* Groups by parameter and by use in the real window, in graphs whose scopes play no part: opened
 * and closed, found in, stepped through, dragged, and what is said if there are none. Needs a
 * display: run by gui-run.sh. */
#include "tests/ui/gui-drag.h"
#include "tests/ui/gui-groups.h"
#include "tests/ui/gui.h"

#include "tests/support/shared-data.h"

#include "engine/session/document/opening.h"
#include "engine/session/edit.h"
#include "engine/session/session-runs.h"
#include "engine/session/view.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/test-program.h"
#include "ui/graph/graph-view-private.h"
#include "ui/panels/search-bar.h"

#include <string.h>

#define NET "rnnlm:layers=2,steps=3"

static GobanView *
look (GuiWindow *f)
{
  return goban_session_get_view (f->session);
}

static void
open_net (GuiWindow *f, const char *how)
{
  goban_session_open_path (f->session, NET);
  gui_settle (f);
  gui_group_by (f, how);
}

static gboolean
is_there (GuiWindow *f, const char *path)
{
  gboolean is_open;
  GobanBox box;

  return goban_graph_view_locate_group (gui_graph_view (f), path, &is_open, &box);
}

static GobanPoint
middle_of (GobanBox box)
{
  return (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
}

/* The menu's choice says its Lua, and follows what Lua says. */
static void
test_choice (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GVariant) state = NULL;

  open_net (f, "parameter");
  g_assert_cmpstr (gui_last_line (f), ==, "view.group \"parameter\"");
  gui_group_by (f, "use");
  g_assert_cmpstr (gui_last_line (f), ==, "view.group \"use\"");
  goban_view_set_grouping (look (f), GOBAN_GROUPING_PARAMETER);
  state = g_action_group_get_action_state (G_ACTION_GROUP (f->window), "group");
  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "parameter");
  gui_settle (f);
}

/* A model without steps is its layers: each a box, opened and closed by a double click. */
static void
test_layers (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/resnet-50.onnx");
  GobanBox box;

  gui_open_path (f, path);
  gui_settle (f);
  gui_group_by (f, "parameter");
  box = gui_locate_group (f, "layer1/block0/conv1", FALSE);
  gui_click_graph (f, middle_of (box), 1);
  g_assert_cmpuint (gui_count_selected (f), ==, 3);
  gui_click_graph (f, middle_of (box), 2);
  g_assert_cmpstr (gui_last_line (f), ==, "view.expand \"layer1/block0/conv1\"");
  gui_settle (f);
  gui_locate_group (f, "layer1/block0/conv1", TRUE);
  gui_act (f, "close-groups", NULL);
  gui_settle (f);
  gui_locate_group (f, "layer1/block0/conv1", FALSE);
}

/* Uses within a parameter, parameters within a use; another grouping closes all. */
static void
test_two_levels (GuiWindow *f, gconstpointer data)
{
  open_net (f, "parameter");
  goban_view_expand (look (f), "softmax", TRUE);
  gui_settle (f);
  gui_locate_group (f, "softmax", TRUE);
  gui_locate_group (f, "softmax/use 2", FALSE);

  gui_group_by (f, "use");
  g_assert_false (is_there (f, "softmax"));
  goban_view_expand (look (f), "use 2", TRUE);
  goban_view_expand (look (f), "use 2/softmax", TRUE);
  gui_settle (f);
  gui_locate_group (f, "use 2", TRUE);
  gui_locate_group (f, "use 2/softmax", TRUE);
  gui_locate_group (f, "use 2/embedding", FALSE);
  gui_locate_group (f, "use 1", FALSE);
}

/* Enter opens what holds the selection, level by level; Backspace closes it. */
static void
test_keys (GuiWindow *f, gconstpointer data)
{
  open_net (f, "use");
  gui_select (f, "rnn/layer_2/step_3/lstm/MatMul");
  gui_act (f, "open-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "use 3", TRUE);
  gui_locate_group (f, "use 3/rnn/layer_2", FALSE);
  gui_act (f, "open-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "use 3/rnn/layer_2", TRUE);
  gui_act (f, "close-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "use 3/rnn/layer_2", FALSE);
  gui_act (f, "close-group", NULL);
  gui_settle (f);
  gui_locate_group (f, "use 3", FALSE);
}

static gboolean
has_found (gpointer data)
{
  return !goban_search_bar_is_searching (data);
}

/* What is found inside closed groups is shown by them, and the next match is where its group is. */
static void
test_found (GuiWindow *f, gconstpointer data)
{
  GobanSearchBar *bar;
  GobanPoint at;
  GobanBox box;
  guint n;

  open_net (f, "parameter");
  gui_act (f, "search", NULL);
  bar = GOBAN_SEARCH_BAR (gui_part (f, GOBAN_TYPE_SEARCH_BAR));
  gtk_editable_set_text (gui_child (bar, "entry"), "rnn/layer_2/step_3/lstm/MatMul");
  gui_wait (has_found, bar, "the search is done");
  goban_selection_get_ids (gui_graph_view (f)->matches, &n);
  g_assert_cmpuint (n, >, 0);
  gui_act (f, "next-match", NULL);
  gui_settle (f);
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
  g_assert_true (goban_graph_view_locate (
      gui_graph_view (f), goban_selection_get_ids (goban_session_get_selection (f->session), &n)[0],
      &at));
  box = gui_locate_group (f, "rnn/layer_2", FALSE);
  g_assert_true (at.x >= box.x0 && at.x <= box.x1 && at.y >= box.y0 && at.y <= box.y1);
}

static gboolean
shows_first (gpointer session)
{
  return goban_run_get_moment (goban_session_get_shown_run (session)) == 1;
}

/* Going through decisions, the groups are marked that hold a node whose device changed. */
static void
test_decisions (GuiWindow *f, gconstpointer data)
{
  const GobanRunOptions options = { .seed = 3, .max_evaluations = 100 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSelection) changed = NULL;
  g_autofree guint8 *is_changed = NULL;
  GobanGraphPicture picture;
  guint n;
  const GobanNodeId *ids;

  open_net (f, "use");
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", &options, &error);
  g_assert_no_error (error);
  goban_session_add_run (f->session, run);
  gui_settle (f);
  gui_act (f, "follow", NULL); /* groups stay closed */
  gui_act (f, "decision", g_variant_new_int32 (-2));
  gui_act (f, "decision", g_variant_new_int32 (1));
  gui_wait (shows_first, f->session, "the first decision is shown");
  gui_settle (f);

  g_assert_true (goban_graph_view_describe (gui_graph_view (f), &picture));
  g_assert_cmpuint (picture.scene->groups.n_closed, ==, 3);
  changed = goban_moment_dup_changed (goban_run_get_decisions (run), 1, GOBAN_N_TASKS);
  ids = goban_selection_get_ids (changed, &n);
  g_assert_cmpuint (n, >, 0);
  is_changed = g_new0 (guint8, picture.scene->n_nodes);
  for (guint i = 0; i < n; i++)
    is_changed[picture.scene->outline->item_of[ids[i]]] = TRUE;
  for (guint i = 0; i < picture.scene->n_nodes; i++)
    g_assert_cmpint ((picture.scene->nodes[i].flags & GOBAN_NODE_CHANGED) != 0, ==, is_changed[i]);
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
  picture = GOBAN_PICTURE (gui_graph_view (f));
  class = GOBAN_PICTURE_GET_CLASS (picture);
  from = middle_of (gui_locate_group (f, "use 2", FALSE));
  at = (GobanPoint){ from.x + 6, from.y + 6 };
  g_assert_true (class->drag_begin (picture, from, at, 0));
  to = gui_place_of_target (gui_graph_view (f), 1);
  class->drag_update (picture, to);
  gui_wait (gui_has_answer, f, "the move is simulated");
  class->drag_end (picture, to, FALSE);
  gui_wait (is_by_hand, f, "the group is moved");

  g_assert_cmpstr (gui_last_line (f), ==, "g:inside(\"use 2\", \"use\"):move \"gpu:1\"");
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
  gui_group_by (f, "parameter");
  gui_wait_notice (f, "fewer than two parameters");
  g_assert_true (goban_graph_view_locate (
      gui_graph_view (f), goban_graph_find_node (goban_session_get_graph (f->session), "text/ffn"),
      &first));
  g_assert_true (goban_graph_view_locate (
      gui_graph_view (f), goban_graph_find_node (goban_session_get_graph (f->session), "text/norm"),
      &second));
  g_assert_true (first.x != second.x || first.y != second.y);
  gui_group_by (f, "use");
  gui_wait_notice (f, "used more than once");

  gui_group_by (f, "scope");
  gui_locate_group (f, "text", FALSE);
}

TEST_PROGRAM (cell_groups)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/window/cell-groups/choice", test_choice);
  gui_window_add ("/window/cell-groups/layers", test_layers);
  gui_window_add ("/window/cell-groups/two-levels", test_two_levels);
  gui_window_add ("/window/cell-groups/keys", test_keys);
  gui_window_add ("/window/cell-groups/found", test_found);
  gui_window_add ("/window/cell-groups/decisions", test_decisions);
  gui_window_add ("/window/cell-groups/dragged", test_dragged);
  gui_window_add ("/window/cell-groups/flat", test_flat);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
