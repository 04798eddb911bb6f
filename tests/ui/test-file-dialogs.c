/* The folders that a script may write to: those that the user chose in a file dialog. */
#include "tests/support/folder.h"
#include "tests/ui/gui-prompt.h"

#include "tests/support/test-program.h"
#include "ui/dialogs/export-dialog.h"

#include <string.h>

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
check_may_write (GuiPrompt *self, const char *folder, gboolean may)
{
  static guint n = 0;
  guint number = n++;
  g_autofree char *line
      = g_strdup_printf ("print('%u: ' .. tostring(app.write('%s/script-%u.txt', 'x') == true))",
                         number, folder, number);
  g_autofree char *begin = g_strdup_printf ("\n%u: ", number);
  g_autofree char *output = NULL;

  gui_prompt_type (self, line);
  gui_prompt_wait (self, begin);
  gui_wait (gui_prompt_is_done, self, "the line is done");
  output = goban_console_view_dup_output (self->console);
  g_assert_true (
      g_str_has_prefix (strstr (output, begin) + strlen (begin), may ? "true" : "false"));
}

/* Saves by an action that asks for a file at once, or after its own dialog of options. */
static void
check_dialog (GuiPrompt *self, const char *action, const char *name)
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
  GuiPrompt self = gui_prompt_open (f);

  check_dialog (&self, "save-plan", "toy.plan.json");
  check_dialog (&self, "export-trace", "toy.trace.json");
  check_dialog (&self, "export-graph", "toy.svg");
  check_dialog (&self, "export-table", "toy.csv");
  check_dialog (&self, "export-page", "toy.html");
  check_dialog (&self, "export-plan", "toy.json");
  gui_prompt_type (&self, "plot{ 1, 4, 9 }");
  gui_wait (gui_prompt_is_done, &self, "the plot is shown");
  check_dialog (&self, "export-plot", "toy-plot.svg");
  gui_prompt_type (&self, "view.show(sim.run(plan.single(g))) compare.show(1, 2) print 'compared'");
  gui_prompt_wait (&self, "\ncompared");
  check_dialog (&self, "export-report", "toy-report.html");
  check_dialog (&self, "export-changes", "toy-changes.csv");
}

TEST_PROGRAM (file_dialogs)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/file-dialogs", test_dialogs);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
