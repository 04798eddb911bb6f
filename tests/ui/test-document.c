/* The window and its file: saved and opened again, the mark of changes, what changed on disk, a
 * graph that is gone. Needs a display: run by gui-run.sh. */
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-keys.h"
#include "tests/ui/gui-pulse.h"

#include "engine/session/document/document.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "ui/dialogs/preferences.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/start-page.h"
#include "ui/widgets/recent-files.h"

#include <glib/gstdio.h>
#include <string.h>

#define N_NAME_CHARS 1000000
/* Of processor time: some 140 here, 770 without the cuts; sanitizers take several times as much. */
#define MAX_TURN_MS (TEST_IS_SANITIZED ? 10000 : 500)

static char *folder;

static GobanNoticeBar *
get_bar (GuiWindow *f)
{
  return GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));
}

static gboolean
is_unchanged (gpointer data)
{
  GuiWindow *f = data;

  return !goban_document_is_changed (goban_document_get (f->session));
}

static gboolean
has_question (gpointer data)
{
  return gui_get_question (get_bar (data)) != NULL;
}

static gboolean
has_new_graph (gpointer data)
{
  GuiWindow *f = data;

  return gui_has_settled (f) && goban_graph_get_n_nodes (goban_session_get_graph (f->session)) == 2;
}

static void
assert_title (GuiWindow *f, const char *title)
{
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, title);
}

static void
test_save_and_open (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (folder, "a.goban", NULL);
  GobanDocument *document = goban_document_get (f->session);
  guint n;

  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "save"));
  gui_open_toy (f);
  assert_title (f, "toy.dot – Goban");
  n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  gui_act (f, "remove-plan", NULL);
  assert_title (f, "• toy.dot – Goban");

  goban_document_save (document, path);
  gui_wait (is_unchanged, f, "the session is saved");
  assert_title (f, "a.goban – Goban");
  gui_wait_notice (f, "Saved a.goban");
  gui_act (f, "undo", NULL);
  assert_title (f, "• a.goban – Goban");
  gui_act (f, "save", NULL);
  gui_wait (is_unchanged, f, "the session is saved again");

  gui_act (f, "remove-plan", NULL);
  gui_open_path (f, path);
  g_assert_nonnull (strstr (gui_get_question (get_bar (f)), "Save the changes"));
  gui_answer (get_bar (f), 1);
  gui_wait (gui_has_no_job, f, "the session is opened");
  assert_title (f, "a.goban – Goban");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n);
  g_assert_false (has_question (f));
}

static void
test_reload (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (folder, "g.dot", NULL);

  g_assert_true (g_file_set_contents (path, "digraph { a -> b -> c }", -1, NULL));
  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the graph is open");
  g_assert_false (has_question (f));
  g_assert_true (g_file_set_contents (path, "digraph { a -> b }", -1, NULL));
  gui_wait (has_question, f, "the change is seen");
  g_assert_cmpstr (gui_get_question (get_bar (f)), ==, "g.dot has changed on disk");
  gui_answer (get_bar (f), 0);
  gui_wait (has_new_graph, f, "the new graph is open");
  g_assert_false (has_question (f));
}

/* What reading again would lose is said before it is lost. */
static void
test_reload_asks (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (folder, "asks.dot", NULL);
  guint n;

  g_assert_true (g_file_set_contents (path, "digraph { a -> b -> c }", -1, NULL));
  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the graph is open");
  gui_act (f, "place", g_variant_new_string ("random"));
  gui_wait (gui_has_settled, f, "there is another plan");
  n = g_list_model_get_n_items (goban_session_get_runs (f->session));
  gui_act (f, "reload", NULL);
  g_assert_true (has_question (f));
  g_assert_nonnull (strstr (gui_get_question (get_bar (f)), "cannot be undone"));
  gui_answer (get_bar (f), 1);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, n);
}

static void
test_missing_graph (GuiWindow *f, gconstpointer data)
{
  g_autofree char *graph = g_build_filename (folder, "lost.dot", NULL);
  g_autofree char *path = g_build_filename (folder, "lost.goban", NULL);

  g_assert_true (g_file_set_contents (graph, "digraph { a -> b -> c }", -1, NULL));
  gui_open_path (f, graph);
  gui_wait (gui_has_settled, f, "the graph is open");
  g_assert_true (goban_document_save_now (goban_document_get (f->session), path, NULL));
  g_unlink (graph);
  gui_open_toy (f);
  gui_open_path (f, path);
  gui_wait (has_question, f, "the graph is asked for");
  g_assert_nonnull (strstr (gui_get_question (get_bar (f)), "lost.dot"));
  assert_title (f, "toy.dot – Goban");
}

static void
answer_cb (int choice, gpointer user_data)
{
  *(int *) user_data = choice;
}

/* A question outlasts notices, and each is answered once. */
static void
test_questions (GuiWindow *f, gconstpointer data)
{
  static const char *const labels[] = { "Yes", "No", NULL };
  GobanNoticeBar *bar = get_bar (f);
  int first = 9, second = 9;

  goban_notice_bar_ask (bar,
                        &(GobanQuestion){ "a", "first?", labels, answer_cb, &first, NULL, FALSE });
  goban_notice_bar_ask (
      bar, &(GobanQuestion){ "b", "second?", labels, answer_cb, &second, NULL, FALSE });
  goban_notice_bar_show (bar, FALSE, "By the way");
  goban_notice_bar_hide (bar);
  g_assert_cmpstr (gui_get_question (bar), ==, "first?");
  g_assert_false (gtk_widget_get_visible (gui_child (bar, "notice")));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (bar)));
  gui_answer (bar, 1);
  g_assert_cmpint (first, ==, 1);
  g_assert_cmpstr (gui_get_question (bar), ==, "second?");
  goban_notice_bar_withdraw (bar, "b");
  g_assert_cmpint (second, ==, 9);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (bar)));
}

static void
test_recent (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  const char *const paths[] = { path, NULL };
  GobanStartPage *page = GOBAN_START_PAGE (gui_part (f, GOBAN_TYPE_START_PAGE));
  GtkWidget *box;

  goban_start_page_set_recent (page, paths);
  box = gui_find (GTK_WIDGET (page), GTK_TYPE_FLOW_BOX);
  g_assert_true (gtk_widget_get_visible (box));
  g_signal_emit_by_name (gui_find (box, GTK_TYPE_BUTTON), "clicked");
  gui_wait (gui_has_settled, f, "the recent file is open");
  assert_title (f, "toy.dot – Goban");
}

static gboolean
is_remembered (gpointer data)
{
  g_auto (GStrv) paths = goban_recent_files_list (9);

  return paths[0] != NULL && g_str_equal (paths[0], data);
}

/* A name that is not UTF-8 is shown, remembered and opened again. Criticals end the test. */
static void
test_odd_name (GuiWindow *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (folder, "caf\xe9 \"%n\"\n.dot", NULL);
  GobanStartPage *page = GOBAN_START_PAGE (gui_part (f, GOBAN_TYPE_START_PAGE));
  const char *const paths[] = { path, NULL };
  const char *title;

  g_assert_true (g_file_set_contents (path, "digraph { a -> b -> c }", -1, NULL));
  goban_recent_files_add (path);
  gui_wait (is_remembered, path, "the file is among the recent ones");
  goban_start_page_set_recent (page, paths);
  g_signal_emit_by_name (
      gui_find (gui_find (GTK_WIDGET (page), GTK_TYPE_FLOW_BOX), GTK_TYPE_BUTTON), "clicked");
  gui_wait (gui_has_settled, f, "the recent file is open");
  g_assert_cmpstr (goban_session_get_path (f->session), ==, path);
  title = gtk_window_get_title (GTK_WINDOW (f->window));
  g_assert_true (g_utf8_validate (title, -1, NULL));
  g_assert_nonnull (strstr (title, "caf\xef\xbf\xbd"));
  gui_act (f, "palette", NULL);
  gui_draw (GTK_WIDGET (f->window));
  gui_act (f, "remove-plan", NULL);
  gui_open_path (f, path);
  gui_wait (has_question, f, "the graph has been read");
  g_assert_nonnull (strstr (gui_get_question (get_bar (f)), "caf\xef\xbf\xbd"));
}

/* What is no graph is refused before it is asked whether to save, and loses nothing. */
static void
test_no_graph_asks_nothing (GuiWindow *f, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *text;
  } files[] = {
    { "run.gif", "GIF89a\x01\x02\x03\x04 film" },
    { "plans.html", "<!DOCTYPE html><html><body>plans</body></html>" },
    { "graph.png", "\x89PNG\r\n\x1a\n picture" },
    { "broken.dot", "digraph { a -> " },
  };

  gui_open_toy (f);
  gui_act (f, "remove-plan", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);

      g_assert_true (g_file_set_contents (path, files[i].text, -1, NULL));
      gui_open_path (f, path);
      gui_wait (gui_has_no_job, f, "the file has been read");
      gui_wait_notice (f, files[i].name);
      g_assert_false (has_question (f));
      assert_title (f, "• toy.dot – Goban");
    }
}

static GtkWidget *
get_focus (GuiWindow *f)
{
  return gtk_window_get_focus (GTK_WINDOW (f->window));
}

/* Each group of buttons is one stop of Tab; arrows go on in it, and Enter opens. */
static void
test_start_page_keys (GuiWindow *f, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *other = project_path ("samples/rnnlm-coarse.json");
  const char *const paths[] = { other, toy, NULL };
  g_autofree char *samples = project_path ("samples");
  GtkWidget *page = gui_part (f, GOBAN_TYPE_START_PAGE);
  GtkWidget *box = gui_find (page, GTK_TYPE_FLOW_BOX);
  guint n_stops = 0;

  if (!gui_keys_begin (f))
    return;
  goban_window_set_samples (f->window, samples);
  goban_start_page_set_recent (GOBAN_START_PAGE (page), paths);
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD));
  do
    {
      g_assert_true (GTK_IS_BUTTON (get_focus (f)));
      n_stops++;
      gui_keys_press (f, "Tab");
    }
  while (gtk_widget_is_ancestor (get_focus (f), page));
  /* From the next step, which has the focus at first, to other beginnings and recent files. */
  g_assert_cmpuint (n_stops, ==, 2);

  g_assert_true (gtk_widget_grab_focus (gui_find (box, GTK_TYPE_BUTTON)));
  gui_keys_press (f, "Right");
  g_assert_true (gtk_widget_is_ancestor (get_focus (f), box));
  gui_keys_press (f, "Enter");
  gui_wait (gui_has_settled, f, "the second recent file is open");
  assert_title (f, "toy.dot – Goban");
}

/* Files that GTK's dialogs remember, such as exports, are not among those to be opened again. */
static void
test_exports_are_not_recent (GuiWindow *f, gconstpointer data)
{
  g_autofree char *film = g_build_filename (folder, "run-2.gif", NULL);
  g_autofree char *graph = g_build_filename (folder, "recent.dot", NULL);
  g_autofree char *uri = g_filename_to_uri (film, NULL, NULL);
  g_auto (GStrv) paths = NULL;

  g_assert_true (g_file_set_contents (film, "GIF89a", -1, NULL));
  g_assert_true (g_file_set_contents (graph, "digraph { a }", -1, NULL));
  goban_recent_files_add (graph);
  g_assert_true (gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri));
  gui_wait (is_remembered, graph, "the graph is among the recent files");
  paths = goban_recent_files_list (9);
  g_assert_false (g_strv_contains ((const char *const *) paths, film));
}

static void
changed_cb (const char *key, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", key);
}

/* Each choice is kept and told at once. */
static void
test_preferences (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GobanSettings) settings = goban_settings_new ("/nonexistent");
  g_autoptr (GString) told = g_string_new (NULL);
  GtkWindow *window = goban_preferences_new (GTK_WINDOW (f->window), settings, changed_cb, told);
  GtkWidget *theme, *autosave, *number;

  gtk_window_present (window);
  gui_wait (gui_is_mapped, window, "the preferences are shown");
  theme = gui_find (GTK_WIDGET (window), GTK_TYPE_DROP_DOWN);
  autosave = gui_find (GTK_WIDGET (window), GTK_TYPE_SWITCH);
  number = gui_find (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (theme)), ==, 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (theme), 2);
  g_assert_true (goban_settings_get_boolean (settings, GOBAN_SETTING_DARK));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (theme), 0);
  g_assert_true (goban_settings_get_boolean (settings, GOBAN_SETTING_FOLLOW_SYSTEM));
  gtk_switch_set_active (GTK_SWITCH (autosave), FALSE);
  g_assert_false (goban_settings_get_boolean (settings, GOBAN_SETTING_AUTOSAVE));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (number), 14);
  g_assert_cmpint (goban_settings_get_int (settings, GOBAN_SETTING_CONSOLE_FONT), ==, 14);
  g_assert_cmpstr (told->str, ==, "follow-system follow-system autosave console-font-size ");
  gtk_window_destroy (window);
}

/* Opens, selects and lists a graph of one node with a name of a million characters. */
static void
test_endless_name (GuiWindow *f, gconstpointer data)
{
  static const char *const panes[] = { "table-pane", "timeline-pane", "notes-pane", "left-pane" };
  g_autofree char *place = g_dir_make_tmp ("goban-name-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (place, "endless.dot", NULL);
  g_autofree char *name = g_strnfill (N_NAME_CHARS, 'n');
  g_autofree char *text = g_strdup_printf ("digraph g { \"%s\" [weight=5]; }", name);
  GuiPulse pulse;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  gui_pulse_begin (GTK_WIDGET (f->window));
  gui_open_path (f, path);
  gui_wait (gui_has_settled, f, "the graph is open and placed");
  gui_draw (GTK_WIDGET (f->window));
  pulse = gui_pulse_take ();
  g_test_message ("opening: turn %.1f ms, frame %.1f ms", pulse.turn_ms, pulse.frame_ms);
  g_assert_cmpfloat (pulse.turn_ms, <, MAX_TURN_MS);
  g_assert_cmpfloat (pulse.frame_ms, <, MAX_TURN_MS);

  gui_act (f, "select-all", NULL);
  gui_draw (GTK_WIDGET (f->window));
  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      g_action_group_change_action_state (G_ACTION_GROUP (f->window), panes[i],
                                          g_variant_new_boolean (TRUE));
      gui_draw (GTK_WIDGET (f->window));
      pulse = gui_pulse_take ();
      g_test_message ("%s: turn %.1f ms, frame %.1f ms", panes[i], pulse.turn_ms, pulse.frame_ms);
      g_assert_cmpfloat (pulse.turn_ms, <, MAX_TURN_MS);
      g_assert_cmpfloat (pulse.frame_ms, <, MAX_TURN_MS);
    }
  gui_pulse_end ();
  remove_folder (place);
}

TEST_PROGRAM (document)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  folder = g_dir_make_tmp ("goban-document-XXXXXX", NULL);
  gui_window_add ("/ui/document/save-and-open", test_save_and_open);
  gui_window_add ("/ui/document/no-graph-asks-nothing", test_no_graph_asks_nothing);
  gui_window_add ("/ui/document/start-page-keys", test_start_page_keys);
  gui_window_add ("/ui/document/exports-are-not-recent", test_exports_are_not_recent);
  gui_window_add ("/ui/document/reload", test_reload);
  gui_window_add ("/ui/document/reload-asks", test_reload_asks);
  gui_window_add ("/ui/document/missing-graph", test_missing_graph);
  gui_window_add ("/ui/document/questions", test_questions);
  gui_window_add ("/ui/document/recent", test_recent);
  gui_window_add ("/ui/document/odd-name", test_odd_name);
  gui_window_add ("/ui/document/endless-name", test_endless_name);
  gui_window_add ("/ui/preferences/choices", test_preferences);
  status = g_test_run ();
  gui_window_end ();
  g_free (folder);
  return status;
}
