/* Changes by hand in the real window: its commands, and what it says of them. Keys from outside are
 * in gui-end-to-end.sh. Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-window.h"

#include "engine/session/edit.h"
#include "engine/session/session-history.h"
#include "tests/support/test-program.h"
#include "ui/panels/inspector.h"
#include "ui/panels/plan-list.h"
#include "ui/panels/status-bar.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/short-label.h"

static gboolean
is_enabled (GuiWindow *f, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), action);
}

/* The button of the status line that says what was done last. */
static GtkWidget *
find_button (GtkWidget *root, const char *action)
{
  if (GTK_IS_BUTTON (root) && gtk_widget_get_visible (root)
      && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (root)), action) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, action);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
assert_status (GuiWindow *f, const char *action, const char *text)
{
  GtkWidget *button = find_button (gui_part (f, GOBAN_TYPE_STATUS_BAR), action);

  g_assert_nonnull (button);
  g_assert_cmpstr (
      goban_short_label_get_text (GOBAN_SHORT_LABEL (gtk_button_get_child (GTK_BUTTON (button)))),
      ==, text);
}

static void
test_undo_has_names (GuiWindow *f, gconstpointer data)
{
  GtkWidget *header = gtk_window_get_titlebar (GTK_WINDOW (f->window));
  GobanRun *before;

  gui_open_toy (f);
  g_assert_false (is_enabled (f, "undo"));
  g_assert_null (find_button (gui_part (f, GOBAN_TYPE_STATUS_BAR), "win.undo"));
  before = goban_session_get_current_run (f->session);

  gui_select (f, "fuse");
  gui_act (f, "move-selection", g_variant_new_int32 (3));
  gui_wait_undo (f, "move fuse to gpu:3");
  g_assert_true (goban_session_get_ghost (f->session) == before);
  g_assert_true (is_enabled (f, "undo") && !is_enabled (f, "redo"));
  assert_status (f, "win.undo", "Undo: move fuse to gpu:3");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (find_button (header, "win.undo")), ==,
                   "Undo: move fuse to gpu:3 (Ctrl+Z)");

  gui_act (f, "undo", NULL);
  g_assert_true (goban_session_get_current_run (f->session) == before);
  g_assert_true (!is_enabled (f, "undo") && is_enabled (f, "redo"));
  assert_status (f, "win.redo", "Redo: move fuse to gpu:3");
  gui_act (f, "redo", NULL);
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "move fuse to gpu:3");
  gui_draw (GTK_WIDGET (f->window));
}

static void
test_keys_change_the_selection (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  gui_act (f, "urgency", g_variant_new_int32 (1));
  g_assert_true (gui_has_notice (f, "Select what to change first"));

  gui_select (f, "text/ffn");
  gui_act (f, "move-selection", g_variant_new_int32 (9));
  g_assert_true (gui_has_notice (f, "There is no device 9: p100x4 has 0 to 3"));
  gui_act (f, "pin", g_variant_new_boolean (TRUE));
  gui_wait_undo (f, "pin text/ffn");
  gui_act (f, "move-selection", g_variant_new_int32 (3));
  gui_wait_notice (f, "stays where it is");
  gui_act (f, "pin", g_variant_new_boolean (FALSE));
  gui_wait_undo (f, "unpin text/ffn");
  gui_act (f, "urgency", g_variant_new_int32 (-1));
  gui_wait_undo (f, "lower the priority of text/ffn");
  gui_act (f, "fuse", g_variant_new_boolean (TRUE));
  gui_wait_notice (f, "two nodes or more");
}

static void
test_hides_and_shows (GuiWindow *f, gconstpointer data)
{
  GobanView *view = goban_session_get_view (f->session);
  guint n;

  gui_open_toy (f);
  gui_select (f, "fuse");
  gui_act (f, "hide", NULL);
  gui_select (f, "input");
  gui_act (f, "hide", NULL);
  goban_selection_get_ids (goban_view_get_hidden (view), &n);
  g_assert_cmpuint (n, ==, 2);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 0);
  gui_act (f, "unhide", NULL);
  goban_selection_get_ids (goban_view_get_hidden (view), &n);
  g_assert_cmpuint (n, ==, 0);
}

/* D waits for a digit where something is selected; any other key is nobody's business. */
static void
press (GuiWindow *f, guint keyval, gboolean is_taken)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (f->window));
  gboolean result = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !result; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", keyval, 0, 0, &result);
    }
  g_assert_true (result == is_taken);
}

static void
test_d_waits_for_a_digit (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  press (f, GDK_KEY_3, FALSE);
  gui_act (f, "device-key", NULL); /* nothing is selected: it goes right */
  press (f, GDK_KEY_3, FALSE);

  gui_select (f, "fuse");
  gui_act (f, "device-key", NULL);
  press (f, GDK_KEY_x, FALSE);
  press (f, GDK_KEY_3, FALSE);
  gui_act (f, "device-key", NULL);
  press (f, GDK_KEY_KP_3, TRUE);
  gui_wait_undo (f, "move fuse to gpu:3");
  press (f, GDK_KEY_2, FALSE);

  /* Held, it goes right; the window may be closed while it waits. */
  gui_act (f, "device-key", NULL);
  gui_act (f, "device-key", NULL);
  press (f, GDK_KEY_2, FALSE);
  gui_act (f, "device-key", NULL);
}

static gboolean
has_no_menu (gpointer data)
{
  return gui_find (data, GTK_TYPE_POPOVER_MENU) == NULL;
}

/* Waits for the menu of @owner, and closes it: nothing of it stays. */
static void
use_menu (GtkWidget *owner)
{
  GtkWidget *menu = gui_find (owner, GTK_TYPE_POPOVER_MENU);

  g_assert_nonnull (menu);
  gui_wait (gui_is_mapped, menu, "the menu is open");
  gtk_popover_popdown (GTK_POPOVER (menu));
  gui_wait (has_no_menu, owner, "the menu is gone");
}

/* Nodes and plans have a menu, by the second button and by a key. */
static void
test_context_menus (GuiWindow *f, gconstpointer data)
{
  GtkWidget *graph = GTK_WIDGET (gui_graph_view (f));
  GtkWidget *plans = gui_part (f, GOBAN_TYPE_PLAN_LIST);

  gui_open_toy (f);
  gui_settle (f);
  gui_select (f, "image/pool");
  gui_press (graph, GDK_KEY_Menu, 0);
  use_menu (graph);
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
  /* Where nothing is, nothing is selected from then on. */
  GOBAN_PICTURE_GET_CLASS (graph)->menu (GOBAN_PICTURE (graph), (GobanPoint){ 1, 1 });
  use_menu (graph);
  g_assert_cmpuint (gui_count_selected (f), ==, 0);
  gui_press (plans, GDK_KEY_F10, GDK_SHIFT_MASK);
  use_menu (plans);
}

/* Its buttons that move the selection; NULL while it has none. */
static GtkWidget *
get_moves (GobanInspector *inspector)
{
  gui_draw (GTK_WIDGET (inspector));
  gui_rest ();
  return gtk_widget_get_visible (gui_child (inspector, "moves")) ? gui_child (inspector, "devices")
                                                                 : NULL;
}

/* The inspector has a button for each device that the selection can be moved to. */
static void
test_the_inspector_moves (GuiWindow *f, gconstpointer data)
{
  GobanInspector *inspector;
  GtkWidget *buttons;
  GtkWidget *button;

  gui_open_toy (f);
  inspector = GOBAN_INSPECTOR (gui_part (f, GOBAN_TYPE_INSPECTOR));
  g_assert_null (get_moves (inspector));
  gui_select (f, "image/conv1");
  buttons = get_moves (inspector);
  g_assert_nonnull (buttons);
  button = gtk_widget_get_first_child (gtk_widget_get_last_child (buttons));
  g_assert_true (GTK_IS_BUTTON (button));
  g_signal_emit_by_name (button, "clicked");
  gui_wait_undo (f, "move image/conv1 to gpu:3");
  g_assert_cmpstr (gui_last_line (f), ==, "g:nodes{\"image/conv1\"}:move \"gpu:3\"");
  gui_act (f, "select-none", NULL);
  g_assert_null (get_moves (inspector));
}

TEST_PROGRAM (edits)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/edits/undo-has-names", test_undo_has_names);
  gui_window_add ("/ui/edits/keys-change-the-selection", test_keys_change_the_selection);
  gui_window_add ("/ui/edits/hides-and-shows", test_hides_and_shows);
  gui_window_add ("/ui/edits/d-waits-for-a-digit", test_d_waits_for_a_digit);
  gui_window_add ("/ui/edits/the-inspector-moves", test_the_inspector_moves);
  gui_window_add ("/ui/edits/context-menus", test_context_menus);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
