/* The console of the real window with its real Lua: scripts without an end, and where scripts may write. */
#include "tests/support/folder.h"
#include "tests/ui/gui-pulse.h"
#include "tests/ui/gui-window.h"

#include "app/lua/lua-console.h"
#include "engine/session/chosen-folders.h"
#include "ui/console/console-view.h"
#include "ui/shell/export-dialog.h"

#include <gtksourceview/gtksource.h>
#include <string.h>
#include <sys/stat.h>

#define TICK_MS 5
/* A loop that does not turn has one at most. */
#define N_TICKS 40
/* 100 ms are promised; other programs may have the processor meanwhile. */
#define MAX_ANSWER_MS 20000

typedef struct
{
  GuiWindow *window;
  GobanConsoleView *console;
  GtkWidget *input;
  guint n_ticks;
  gint64 last_us;
  gint64 longest_us; /* between two ticks */
  const char *words; /* waited for in the output */
} Prompt;

static gboolean
tick_cb (gpointer user_data)
{
  Prompt *self = user_data;
  gint64 now_us = g_get_monotonic_time ();

  if (self->n_ticks++ > 0)
    self->longest_us = MAX (self->longest_us, now_us - self->last_us);
  self->last_us = now_us;
  return G_SOURCE_CONTINUE;
}

static gboolean
has_ticked (gpointer data)
{
  return ((Prompt *) data)->n_ticks >= N_TICKS;
}

static gboolean
is_done (gpointer data)
{
  return !goban_console_view_is_running (((Prompt *) data)->console);
}

static gboolean
has_printed (gpointer data)
{
  Prompt *self = data;
  g_autofree char *text = goban_console_view_dup_output (self->console);

  return strstr (text, self->words) != NULL;
}

static void
wait_output (Prompt *self, const char *words)
{
  g_autofree char *what = g_strdup_printf ("the console says “%s”", words);

  self->words = words;
  gui_wait (has_printed, self, what);
}

/* As if it came from the keyboard. */
static void
press (GtkWidget *widget, guint keyval, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean is_taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !is_taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", keyval, 0, modifiers, &is_taken);
    }
  g_assert_true (is_taken);
}

static void
type_line (Prompt *self, const char *line)
{
  gtk_widget_grab_focus (self->input);
  g_signal_emit_by_name (self->input, "insert-at-cursor", line);
  press (self->input, GDK_KEY_Return, 0);
}

static Prompt
open_prompt (GuiWindow *f)
{
  g_autoptr (GobanLuaConsole) lua = NULL;
  Prompt self = { .window = f };

  gui_open_toy (f);
  lua = goban_lua_console_new (f->session);
  goban_window_set_evaluator (f->window, GOBAN_CONSOLE_EVALUATOR (lua));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "console-pane",
                                      g_variant_new_boolean (TRUE));
  gui_draw (GTK_WIDGET (f->window));
  self.console = GOBAN_CONSOLE_VIEW (gui_part (f, GOBAN_TYPE_CONSOLE_VIEW));
  self.input = gui_find (GTK_WIDGET (self.console), GTK_SOURCE_TYPE_VIEW);
  g_assert_nonnull (self.input);
  return self;
}

/* --- stopping ----------------------------------------------------------------------------------- */

static void
stop (Prompt *self, gboolean by_key)
{
  GtkWidget *button = gui_find (GTK_WIDGET (self->console), GTK_TYPE_BUTTON);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_visible (button));
  if (by_key)
    press (self->input, GDK_KEY_c, GDK_CONTROL_MASK);
  else
    g_assert_true (gtk_widget_activate (button));
}

/* GTK shows a button as pressed for a while before it says so. */
static void
clicked_cb (gint64 *clicked_us)
{
  *clicked_us = g_get_monotonic_time ();
}

/* Types @line, lets it run for a while after it has printed @printed, stops it, and types another. */
static void
check_stop (GuiWindow *f, const char *line, gboolean by_key, const char *printed)
{
  Prompt self = open_prompt (f);
  GtkWidget *button = gui_find (GTK_WIDGET (self.console), GTK_TYPE_BUTTON);
  gint64 stopped_us = 0, answer_ms;
  guint tick = 0;
  GuiPulse pulse;

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked_cb), &stopped_us);
  gui_pulse_begin (GTK_WIDGET (f->window));
  type_line (&self, line);
  g_assert_true (goban_console_view_is_running (self.console));
  wait_output (&self, printed);
  tick = g_timeout_add (TICK_MS, tick_cb, &self);
  gui_wait (has_ticked, &self, "the main loop has turned while the script runs");
  g_assert_true (goban_console_view_is_running (self.console));

  if (by_key)
    stopped_us = g_get_monotonic_time ();
  stop (&self, by_key);
  gui_wait (is_done, &self, "the script is stopped");
  answer_ms = (g_get_monotonic_time () - stopped_us) / 1000;
  pulse = gui_pulse_take ();
  gui_pulse_end ();
  g_source_remove (tick);
  g_test_message ("stopped in %" G_GINT64_FORMAT " ms; longest gap between ticks %" G_GINT64_FORMAT
                  " us; longest turn %.1f ms, frame %.1f ms of processor",
                  answer_ms, self.longest_us, pulse.turn_ms, pulse.frame_ms);
  g_assert_cmpint (stopped_us, >, 0);
  g_assert_cmpint (answer_ms, <, MAX_ANSWER_MS);

  wait_output (&self, "interrupted");
  type_line (&self, "'after' .. 6 * 7");
  wait_output (&self, "after42");
}

static void
test_loop (GuiWindow *f, gconstpointer data)
{
  check_stop (f, "while true do end", FALSE, "");
}

static void
test_sort (GuiWindow *f, gconstpointer data)
{
  check_stop (f, "table.sort({ 3, 2, 1 }, function() while true do end end)", TRUE, "");
}

static void
test_pattern (GuiWindow *f, gconstpointer data)
{
  check_stop (f, "('a'):rep(30000):find(('a-'):rep(30) .. 'b')", FALSE, "");
}

/* Nobody writes into the pipe: whoever opens it waits. */
static void
test_pipe (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-scripts-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *line = g_strdup_printf (
      "print(select(2, app.read '%s')) print 'opens' while true do pcall(graph.load, '%s') end",
      pipe, pipe);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  goban_chosen_folders_add (f->session, pipe);
  check_stop (f, line, TRUE, "is not a regular file\nopens\n");
  remove_folder (folder);
}

/* --- folders chosen in dialogs ------------------------------------------------------------------ */

static GtkWidget *
find_window (GType type)
{
  g_autoptr (GListModel) all = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_mapped (window))
        return window;
    }
  return NULL;
}

static gboolean
has_chooser (gpointer data)
{
  return find_window (GTK_TYPE_FILE_CHOOSER) != NULL;
}

static gboolean
has_no_chooser (gpointer data)
{
  return !has_chooser (data);
}

/* It goes to one as it opens, which would undo a choice made before. */
static gboolean
has_folder (gpointer data)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (data);

  return folder != NULL;
}

static gboolean
is_in_folder (gpointer data)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (find_window (GTK_TYPE_FILE_CHOOSER));
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;

  return folder != NULL && g_file_equal (folder, data);
}

static gboolean
is_file (gpointer data)
{
  return g_file_test (data, G_FILE_TEST_IS_REGULAR);
}

/* In the dialog that is open or opens: saves as @path, or gives up. */
static void
answer_chooser (const char *path, int response)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GFile) place = g_file_new_for_path (folder);
  GtkFileChooser *chooser;

  gui_wait (has_chooser, NULL, "the dialog is shown");
  chooser = GTK_FILE_CHOOSER (find_window (GTK_TYPE_FILE_CHOOSER));
  gui_wait (has_folder, chooser, "the dialog shows its first folder");
  gui_draw (GTK_WIDGET (chooser));
  gtk_file_chooser_set_current_folder (chooser, place, NULL);
  gtk_file_chooser_set_current_name (chooser, name);
  gui_wait (is_in_folder, place, "the dialog shows the folder");
  gui_draw (GTK_WIDGET (chooser));
  gtk_dialog_response (GTK_DIALOG (chooser), response);
  gui_wait (has_no_chooser, NULL, "the dialog is gone");
}

/* Whether a script may write into that folder. */
static void
check_may_write (Prompt *self, const char *folder, gboolean may)
{
  static guint n = 0;
  guint number = n++;
  g_autofree char *line
      = g_strdup_printf ("print('%u: ' .. tostring(app.write('%s/script-%u.txt', 'x') == true))",
                         number, folder, number);
  g_autofree char *begin = g_strdup_printf ("\n%u: ", number);
  g_autofree char *output = NULL;

  type_line (self, line);
  wait_output (self, begin);
  gui_wait (is_done, self, "the line is done");
  output = goban_console_view_dup_output (self->console);
  g_assert_true (
      g_str_has_prefix (strstr (output, begin) + strlen (begin), may ? "true" : "false"));
}

/* Saves by an action that asks for a file at once, or after its own dialog of options. */
static void
check_dialog (Prompt *self, const char *action, const char *name)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-scripts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GtkWidget *options;

  check_may_write (self, folder, FALSE);
  for (guint round = 0; round < 2; round++)
    {
      gui_act (self->window, action, NULL);
      options = find_window (GOBAN_TYPE_EXPORT_DIALOG);
      if (options != NULL)
        g_signal_emit_by_name (options, "export");
      answer_chooser (path, round == 0 ? GTK_RESPONSE_CANCEL : GTK_RESPONSE_ACCEPT);
      if (round == 0)
        check_may_write (self, folder, FALSE);
    }
  gui_wait (is_file, path, path);
  check_may_write (self, folder, TRUE);
  remove_folder (folder);
}

static void
test_dialogs (GuiWindow *f, gconstpointer data)
{
  Prompt self = open_prompt (f);

  check_dialog (&self, "save-plan", "toy.plan.json");
  check_dialog (&self, "export-trace", "toy.trace.json");
  check_dialog (&self, "export-graph", "toy.svg");
  check_dialog (&self, "export-table", "toy.csv");
  type_line (&self, "view.show(sim.run(plan.single(g))) compare.show(1, 2) print 'compared'");
  wait_output (&self, "\ncompared");
  check_dialog (&self, "export-report", "toy-report.svg");
  check_dialog (&self, "export-changes", "toy-changes.csv");
}

int
main (int argc, char **argv)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/scripts/loop", test_loop);
  gui_window_add ("/ui/scripts/sort", test_sort);
  gui_window_add ("/ui/scripts/pattern", test_pattern);
  gui_window_add ("/ui/scripts/pipe", test_pipe);
  gui_window_add ("/ui/scripts/dialogs", test_dialogs);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
