#include "tests/ui/gui-window.h"

#include "engine/document/session-file.h"
#include "engine/session/session-marks.h"
#include "ui/shell/notes-view.h"
#include "ui/shell/notice-bar.h"

#include <string.h>

static GobanNotesView *
notes (GuiWindow *f)
{
  return GOBAN_NOTES_VIEW (gui_part (f, GOBAN_TYPE_NOTES_VIEW));
}

static void
write_notes (GuiWindow *f, const char *text)
{
  gtk_text_buffer_set_text (goban_notes_view_get_buffer (notes (f)), text, -1);
}

static gboolean
are_told (gpointer data)
{
  GuiWindow *f = data;

  return strstr (goban_session_get_notes (f->session), "plan:") != NULL;
}

/* What is typed reaches the session by itself, and its names lead to nodes and plans. */
static void
test_links (GuiWindow *f, gconstpointer data)
{
  GobanRun *other;
  guint n;
  g_autofree char *text = NULL;

  gui_open_toy (f);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "notes-pane",
                                      g_variant_new_boolean (TRUE));
  gui_wait (gui_is_mapped, notes (f), "the notes are shown");
  other = goban_run_list_get (goban_session_get_runs (f->session), 0);
  text = g_strdup_printf ("Look at input, and [[text/attention]] of [[plan:%s]].",
                          goban_run_get_name (other));
  write_notes (f, text);
  gui_wait (are_told, f, "the session knows the notes");
  g_assert_cmpstr (goban_session_get_notes (f->session), ==, text);

  g_assert_true (goban_notes_view_follow (notes (f), 10));
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (goban_notes_view_follow (notes (f), 25));
  g_assert_cmpuint (goban_selection_get_ids (goban_session_get_selection (f->session), &n)[0], ==,
                    goban_graph_find_node (goban_session_get_graph (f->session), "text/attention"));
  g_assert_false (goban_notes_view_follow (notes (f), 1));
  g_assert_true (goban_notes_view_follow (notes (f), (int) strlen (text) - 5));
  g_assert_true (goban_session_get_current_run (f->session) == other);
}

/* The page goes with its graph; another graph begins with none. */
static void
test_another_graph (GuiWindow *f, gconstpointer data)
{
  GtkTextIter start, end;
  g_autofree char *text = NULL;
  GobanNotesView *view = notes (f);

  gui_open_toy (f);
  write_notes (f, "something plan:x");
  gui_wait (are_told, f, "the session knows the notes");
  gui_open_path (f, "gnmt:layers=2,granularity=coarse");
  goban_notice_bar_answer (GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR)), 1);
  gui_wait (gui_has_settled, f, "another graph is open");
  gtk_text_buffer_get_bounds (goban_notes_view_get_buffer (view), &start, &end);
  text = gtk_text_buffer_get_text (goban_notes_view_get_buffer (view), &start, &end, FALSE);
  g_assert_cmpstr (text, ==, "");
}

int
main (int argc, char **argv)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/notes/links", test_links);
  gui_window_add ("/ui/notes/another-graph", test_another_graph);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
