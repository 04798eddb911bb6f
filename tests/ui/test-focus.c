#include "tests/ui/fake-evaluator.h"
#include "tests/ui/gui-window.h"

#include "tests/support/test-program.h"
#include "ui/console/console-view.h"
#include "ui/graph/graph-view.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/place-menu.h"

static GtkWidget *
focus_of (GuiWindow *f)
{
  return gtk_window_get_focus (GTK_WINDOW (f->window));
}

static void
show_console (GuiWindow *f, gboolean is_shown)
{
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "console-pane",
                                      g_variant_new_boolean (is_shown));
}

/* What is opened has the focus: Return presses "Open" no more. */
static void
test_opening (GuiWindow *f, gconstpointer data)
{
  gui_open_toy (f);
  g_assert_true (focus_of (f) == gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
}

/* Hidden and shown again at once, the console has the prompt's focus once more, and keeps it. */
static void
test_console (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanConsoleEvaluator) evaluator = fake_evaluator_new ();
  GtkWidget *console = gui_part (f, GOBAN_TYPE_CONSOLE_VIEW);

  gui_open_toy (f);
  goban_window_set_evaluator (f->window, evaluator);
  show_console (f, FALSE);
  show_console (f, TRUE);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (gtk_widget_is_ancestor (focus_of (f), console));

  show_console (f, FALSE);
  g_assert_true (focus_of (f) == gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
  show_console (f, TRUE);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (gtk_widget_is_ancestor (focus_of (f), console));
}

static void
answered_cb (int choice, gpointer user_data)
{
  *(int *) user_data = choice;
}

/* The button that answered is gone, and what was asked about is at hand. */
static void
test_question (GuiWindow *f, gconstpointer data)
{
  static const char *const labels[] = { "Restore", NULL };
  GobanNoticeBar *bar = GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));
  int choice = -2;
  GobanQuestion question = {
    .key = "what", .text = "What now", .labels = labels, .func = answered_cb, .user_data = &choice
  };

  gui_open_toy (f);
  goban_notice_bar_ask (bar, &question);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (bar), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_widget_is_ancestor (focus_of (f), GTK_WIDGET (bar)));
  gui_answer (bar, 0);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_cmpint (choice, ==, 0);
  g_assert_true (focus_of (f) == gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
}

/* Keys apply to the graph again once a policy is chosen. */
static void
test_policy (GuiWindow *f, gconstpointer data)
{
  GtkWidget *menu;

  gui_open_toy (f);
  gui_act (f, "choose-policy", NULL);
  menu = gui_part (f, GOBAN_TYPE_PLACE_MENU);
  gui_wait (gui_is_mapped, menu, "the menu is open");
  g_assert_true (gtk_widget_is_ancestor (focus_of (f), menu));
  goban_place_menu_choose (GOBAN_PLACE_MENU (menu), "round-robin");
  gui_wait (gui_is_unmapped, menu, "the menu is closed");
  gui_wait (gui_has_settled, f, "the policy has placed");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (focus_of (f) == gui_part (f, GOBAN_TYPE_GRAPH_VIEW));
}

TEST_PROGRAM (focus)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/focus/opening", test_opening);
  gui_window_add ("/ui/focus/console", test_console);
  gui_window_add ("/ui/focus/question", test_question);
  gui_window_add ("/ui/focus/policy", test_policy);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
