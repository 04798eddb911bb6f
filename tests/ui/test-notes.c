#include "tests/ui/gui-prompt.h"
#include "tests/ui/gui-pulse.h"

#include "engine/session/document/document.h"
#include "engine/session/document/session-file.h"
#include "engine/session/session-history.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"
#include "tests/support/folder.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "ui/panels/notes-view.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/plan-list.h"
#include "ui/panels/scene-bar.h"

#include <math.h>
#include <string.h>

/* Of processor time: some 60 here; sanitizers take several times as much. */
#define MAX_TURN_MS (TEST_IS_SANITIZED ? 10000 : 250)

static GobanNotesView *
notes (GuiWindow *f)
{
  return GOBAN_NOTES_VIEW (gui_part (f, GOBAN_TYPE_NOTES_VIEW));
}

static void
write_notes (GuiWindow *f, const char *text)
{
  gtk_text_buffer_set_text (gui_child (notes (f), "buffer"), text, -1);
}

static gboolean
are_told (gpointer data)
{
  GuiWindow *f = data;

  return strstr (goban_session_get_notes (f->session), "plan:") != NULL;
}

/* Ctrl+Enter with the cursor at @offset. */
static void
follow (GuiWindow *f, int offset)
{
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_offset (gui_child (notes (f), "buffer"), &cursor, offset);
  gtk_text_buffer_place_cursor (gui_child (notes (f), "buffer"), &cursor);
  gui_try_press (gui_child (notes (f), "view"), GDK_KEY_Return, GDK_CONTROL_MASK);
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

  follow (f, 10);
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 1);
  follow (f, 25);
  g_assert_cmpuint (goban_selection_get_ids (goban_session_get_selection (f->session), &n)[0], ==,
                    goban_graph_find_node (goban_session_get_graph (f->session), "text/attention"));
  follow (f, (int) strlen (text) - 5);
  g_assert_true (goban_session_get_current_run (f->session) == other);
  follow (f, 1); /* no link */
  g_assert_true (goban_session_get_current_run (f->session) == other);
  g_assert_cmpuint (goban_selection_get_ids (goban_session_get_selection (f->session), &n)[0], ==,
                    goban_graph_find_node (goban_session_get_graph (f->session), "text/attention"));
}

static gboolean
is_asked (gpointer data)
{
  return gui_get_question (data) != NULL;
}

/* The page goes with its graph; another graph begins with none. */
static void
test_another_graph (GuiWindow *f, gconstpointer data)
{
  GtkTextIter start, end;
  g_autofree char *text = NULL;
  GobanNotesView *view = notes (f);
  GobanNoticeBar *bar;

  gui_open_toy (f);
  write_notes (f, "something plan:x");
  gui_wait (are_told, f, "the session knows the notes");
  gui_open_path (f, "gnmt:layers=2,granularity=coarse");
  bar = GOBAN_NOTICE_BAR (gui_part (f, GOBAN_TYPE_NOTICE_BAR));
  gui_wait (is_asked, bar, "the graph is generated, the question is asked");
  gui_answer (bar, 1);
  gui_wait (gui_has_settled, f, "another graph is open");
  gtk_text_buffer_get_bounds (gui_child (view, "buffer"), &start, &end);
  text = gtk_text_buffer_get_text (gui_child (view, "buffer"), &start, &end, FALSE);
  g_assert_cmpstr (text, ==, "");
}

static void
set_state (GuiWindow *f, const char *action, gboolean is_on)
{
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), action,
                                      g_variant_new_boolean (is_on));
}

/* The label of that style class below @widget, NULL if it is not shown. */
static const char *
find_shown_label (GtkWidget *widget, const char *style)
{
  const char *found = NULL;

  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, style))
    return gtk_widget_get_visible (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_shown_label (child, style);
  return found;
}

/* Scenes are made from what is shown, edited in their bar, and undone. */
static void
test_scenes (GuiWindow *f, gconstpointer data)
{
  GobanSessionScenes *scenes = goban_session_scenes_of (f->session);
  GobanSceneBar *bar = GOBAN_SCENE_BAR (gui_part (f, GOBAN_TYPE_SCENE_BAR));
  GtkWidget *caption = gui_find (GTK_WIDGET (bar), GTK_TYPE_ENTRY);

  gui_open_toy (f);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (bar)));
  set_state (f, "scenes-pane", TRUE);
  g_assert_cmpstr (gui_child_text (bar, "place"), ==, "No scenes");
  gui_select (f, "input");
  gtk_editable_set_text (GTK_EDITABLE (caption), "It begins here");
  g_signal_emit_by_name (caption, "activate");
  g_assert_cmpstr (gui_child_text (bar, "place"), ==, "1 of 1");
  g_assert_cmpstr (gui_last_line (f), ==, "scene.add{ at = 1, text = \"It begins here\" }");
  gui_select (f, "text/attention");
  gui_act (f, "scene-add", NULL);
  g_assert_cmpstr (gui_child_text (bar, "place"), ==, "2 of 2");
  gtk_editable_set_text (GTK_EDITABLE (caption), "and ends there");
  gui_act (f, "scene-previous", NULL); /* what was typed is kept */
  g_assert_cmpstr (goban_scene_bar_get_text (bar), ==, "It begins here");
  g_assert_cmpstr (goban_scene_list_get (goban_session_scenes_get_list (scenes), 1)->text, ==,
                   "and ends there");
  g_assert_cmpuint (gui_count_selected (f), ==, 1);
  gui_act (f, "scene-later", NULL);
  g_assert_cmpstr (gui_child_text (bar, "place"), ==, "2 of 2");
  gui_act (f, "scene-remove", NULL);
  g_assert_cmpstr (gui_child_text (bar, "place"), ==, "1 of 1");
  goban_session_undo (f->session);
  g_assert_cmpuint (goban_scene_list_get_n (goban_session_scenes_get_list (scenes)), ==, 2);
}

static gboolean
is_saved (gpointer document)
{
  return !goban_document_is_changed (document);
}

/* A caption that is being typed belongs to the session that is saved. */
static void
test_typed_caption (GuiWindow *f, gconstpointer data)
{
  GobanSessionScenes *scenes = goban_session_scenes_of (f->session);
  g_autofree char *folder = g_dir_make_tmp ("goban-scenes-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "talk.goban", NULL);
  GtkWidget *caption = gui_find (gui_part (f, GOBAN_TYPE_SCENE_BAR), GTK_TYPE_ENTRY);

  gui_open_toy (f);
  gui_act (f, "scene-add", NULL);
  g_assert_true (goban_document_save_now (goban_document_get (f->session), path, NULL));
  gtk_widget_grab_focus (caption);
  gtk_editable_set_text (GTK_EDITABLE (caption), "half a word");
  gui_act (f, "save", NULL);
  g_assert_cmpstr (goban_scene_list_get (goban_session_scenes_get_list (scenes), 0)->text, ==,
                   "half a word");
  gui_wait (is_saved, goban_document_get (f->session), "the session is saved");
  remove_folder (folder);
}

/* Presenting without a scene shows no caption, its keys do no harm, and closing the window while
 * presenting leaves the panes as they were before. */
static void
test_presenter_without_scenes (GuiWindow *f, gconstpointer data)
{
  GtkWidget *plans = gui_part (f, GOBAN_TYPE_PLAN_LIST);

  gui_open_toy (f);
  set_state (f, "presenter", TRUE);
  gui_wait (gui_is_unmapped, plans, "the side panes are hidden");
  gui_press (GTK_WIDGET (f->window), GDK_KEY_Page_Down, 0);
  gui_press (GTK_WIDGET (f->window), GDK_KEY_Page_Up, 0);
  g_assert_null (find_shown_label (GTK_WIDGET (f->window), "scene-caption"));
  g_signal_emit_by_name (f->window, "close-request", &(gboolean){ FALSE });
  g_assert_false (g_variant_get_boolean (
      g_action_group_get_action_state (G_ACTION_GROUP (f->window), "presenter")));
  gui_wait (gui_is_mapped, plans, "the side panes are back");
}

/* A talk: side panes make room, all is larger, keys and caption are seen; and back. */
static void
test_presenter (GuiWindow *f, gconstpointer data)
{
  GobanSessionScenes *scenes = goban_session_scenes_of (f->session);
  GtkWidget *plans = gui_part (f, GOBAN_TYPE_PLAN_LIST);
  GobanPicture *graph = GOBAN_PICTURE (gui_graph_view (f));
  double scale = goban_picture_get_ui_scale (graph);

  gui_open_toy (f);
  gui_act (f, "scene-add", NULL);
  goban_session_scenes_set_text (scenes, 1, "First", NULL);
  goban_session_scenes_add (scenes, 2, "Second", NULL);
  g_assert_null (find_shown_label (GTK_WIDGET (f->window), "scene-caption"));
  set_state (f, "presenter", TRUE);
  g_assert_true (isnan (goban_view_get_time_us (goban_session_get_view (f->session))));
  gui_wait (gui_is_unmapped, plans, "the side panes are hidden");
  gui_settle (f);
  g_assert_cmpfloat (goban_picture_get_ui_scale (graph), >, scale);
  g_assert_cmpstr (find_shown_label (GTK_WIDGET (f->window), "scene-caption"), ==, "Second");
  gui_press (GTK_WIDGET (f->window), GDK_KEY_Page_Up, 0);
  g_assert_cmpstr (find_shown_label (GTK_WIDGET (f->window), "scene-caption"), ==, "First");
  g_assert_cmpstr (find_shown_label (GTK_WIDGET (f->window), "pressed-keys"), ==, "Page Up");
  gui_press (GTK_WIDGET (f->window), GDK_KEY_Page_Down, 0);
  g_assert_cmpuint (goban_session_scenes_get_current (scenes), ==, 2);
  set_state (f, "presenter", FALSE);
  gui_wait (gui_is_mapped, plans, "the side panes are back");
  g_assert_cmpfloat (goban_picture_get_ui_scale (graph), ==, scale);
  g_assert_null (find_shown_label (GTK_WIDGET (f->window), "scene-caption"));
  g_assert_null (find_shown_label (GTK_WIDGET (f->window), "pressed-keys"));
}

/* Of a million lines the beginning is shown, which cannot replace the whole by being edited. */
static void
test_long_notes (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GtkTextBuffer *buffer;
  GtkWidget *view;

  for (guint i = 0; i < 1000000; i++)
    g_string_append_printf (text, "line %u\n", i);
  gui_open_toy (f);
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "notes-pane",
                                      g_variant_new_boolean (TRUE));
  goban_session_set_notes (f->session, text->str);
  gui_draw (GTK_WIDGET (f->window));
  buffer = gui_child (notes (f), "buffer");
  view = gui_find (GTK_WIDGET (notes (f)), GTK_TYPE_TEXT_VIEW);
  g_assert_cmpint (gtk_text_buffer_get_line_count (buffer), <=, 10000);
  g_assert_false (gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
  g_assert_true (gtk_widget_get_mapped (gui_find_button (GTK_WIDGET (notes (f)), "Save All…")));
  g_assert_cmpstr (goban_session_get_notes (f->session), ==, text->str);

  goban_session_set_notes (f->session, "short");
  gui_draw (GTK_WIDGET (f->window));
  g_assert_true (gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
  g_assert_false (gtk_widget_get_mapped (gui_find_button (GTK_WIDGET (notes (f)), "Save All…")));
}

/* A script's notes of a million lines: the console shows the beginning of the line that sets them,
 * and no turn of the main loop is long. */
static void
test_notes_of_script (GuiWindow *f, gconstpointer data)
{
  GuiPrompt self = gui_prompt_open (f);
  GuiPulse pulse;

  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "notes-pane",
                                      g_variant_new_boolean (TRUE));
  gui_draw (GTK_WIDGET (f->window));
  gui_pulse_begin (GTK_WIDGET (f->window));
  gui_prompt_type (&self, "app.notes(string.rep('a line\\n', 1000000)) print('set')");
  gui_prompt_wait (&self, "\nset");
  gui_wait (gui_has_settled, f, "the notes are shown");
  gui_draw (GTK_WIDGET (f->window));
  pulse = gui_pulse_take ();
  gui_pulse_end ();
  g_test_message ("longest turn %.1f ms, frame %.1f ms of processor", pulse.turn_ms,
                  pulse.frame_ms);
  g_assert_cmpfloat (pulse.turn_ms, <, MAX_TURN_MS);
  g_assert_cmpfloat (pulse.frame_ms, <, MAX_TURN_MS);
}

/* A text that is too long to be pasted is refused, and the notes stay. */
static void
test_long_paste (GuiWindow *f, gconstpointer data)
{
  g_autofree char *endless = g_strnfill (10 * 1000 * 1000, 'x');

  gui_open_toy (f);
  write_notes (f, "kept");
  gtk_text_buffer_insert_at_cursor (gui_child (notes (f), "buffer"), endless, -1);
  g_assert_cmpint (gtk_text_buffer_get_char_count (gui_child (notes (f), "buffer")), ==, 4);
  gui_wait_notice (f, "too long for notes");
}

TEST_PROGRAM (notes)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/notes/links", test_links);
  gui_window_add ("/ui/notes/another-graph", test_another_graph);
  gui_window_add ("/ui/notes/long", test_long_notes);
  gui_window_add ("/ui/notes/of-script", test_notes_of_script);
  gui_window_add ("/ui/notes/long-paste", test_long_paste);
  gui_window_add ("/ui/notes/scenes", test_scenes);
  gui_window_add ("/ui/notes/presenter", test_presenter);
  gui_window_add ("/ui/notes/typed-caption", test_typed_caption);
  gui_window_add ("/ui/notes/presenter-without-scenes", test_presenter_without_scenes);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
