/* The folders that a script may write to: those that the user chose in a file dialog. */
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-prompt.h"

#include "tests/support/test-program.h"
#include "ui/dialogs/export-dialog.h"

#include <string.h>

#define FILE_NAME "listed.json"
#define N_FILES 10
/* Until the kernel has told of a file. */
#define TOLD_MS 700

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

/* The dialog that is open or opens, in the folder of @path and with its name. Borrowed. */
static GtkFileChooser *
lead_chooser (const char *path)
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
  return chooser;
}

static void
respond (GtkFileChooser *chooser, int response)
{
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
      = g_strdup_printf ("print('%u: ' .. tostring(app.write('%s/script-%u.txt', 'x') ~= nil))",
                         number, folder, number);
  g_autofree char *begin = g_strdup_printf ("\n%u: ", number);
  g_autofree char *output = NULL;

  gui_prompt_type (self, line);
  gui_prompt_wait (self, begin);
  gui_wait (gui_prompt_is_done, self, "the line is done");
  output = goban_console_output_dup_text (goban_console_view_get_output (self->console));
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
      respond (lead_chooser (path), round == 0 ? GTK_RESPONSE_CANCEL : GTK_RESPONSE_ACCEPT);
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

/* The list of files that @widget shows, among those that it hides. */
static GtkWidget *
find_list (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_TREE_VIEW (widget))
    return gtk_widget_get_mapped (widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_list (child);
  return found;
}

/* The list of the folder that was chosen, which has one file. */
static gboolean
lists_file (gpointer list)
{
  GtkTreeModel *model = gtk_tree_view_get_model (list);
  g_autofree char *name = NULL;
  GtkTreeIter first;

  if (model == NULL || !gtk_tree_model_get_iter_first (model, &first))
    return FALSE;
  gtk_tree_model_get (model, &first, 0, &name, -1);
  return g_strcmp0 (name, FILE_NAME) == 0;
}

/* In a dialog that saves, GTK 4.8 takes every list for that of a folder, and crashes if a row of
 * another one is selected. */
static void
test_other_lists (GuiWindow *f, gconstpointer data)
{
  static const guint keys[] = { GDK_KEY_r, GDK_KEY_s };
  g_autofree char *folder = g_dir_make_tmp ("goban-chooser-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, FILE_NAME, NULL);
  g_autofree char *other = project_path ("samples/toy.dot");
  g_autofree char *uri = g_filename_to_uri (other, NULL, NULL);
  GtkFileChooser *chooser;
  GtkWidget *widget, *list;

  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  gui_open_toy (f);
  gui_act (f, "save-plan", NULL);
  chooser = lead_chooser (path);
  widget = gui_find (GTK_WIDGET (chooser), GTK_TYPE_FILE_CHOOSER_WIDGET);
  list = find_list (widget);
  gui_wait (lists_file, list, "the dialog lists the file");
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gui_press (widget, keys[i], GDK_ALT_MASK);
      gui_rest ();
      gui_wait (lists_file, list, "the dialog lists the same file");
    }
  respond (chooser, GTK_RESPONSE_CANCEL);
  remove_folder (folder);
}

static gboolean
has_rows (gpointer list)
{
  return gtk_tree_model_iter_n_children (gtk_tree_view_get_model (list), NULL) == N_FILES;
}

static gboolean
told_cb (gpointer is_told)
{
  *(gboolean *) is_told = TRUE;
  return G_SOURCE_REMOVE;
}

/* A list does not follow its folder: if files come and go while GTK 4.8 reads it, that ends the
 * program. A dialog that is opened later has them. */
static void
test_later_files (GuiWindow *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-chooser-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, FILE_NAME, NULL);
  g_autofree char *later = g_build_filename (folder, "later.json", NULL);
  gboolean is_told = FALSE;
  GtkFileChooser *chooser;
  GtkWidget *list;

  for (guint i = 0; i < N_FILES - 1; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.json", i);
      g_autofree char *each = g_build_filename (folder, name, NULL);

      g_assert_true (g_file_set_contents (each, "{}", -1, NULL));
    }
  gui_open_toy (f);
  gui_act (f, "save-plan", NULL);
  chooser = lead_chooser (path);
  list = find_list (gui_find (GTK_WIDGET (chooser), GTK_TYPE_FILE_CHOOSER_WIDGET));
  g_assert_true (g_file_set_contents (later, "{}", -1, NULL));
  g_timeout_add (TOLD_MS, told_cb, &is_told);
  while (!is_told)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (has_rows (list));
  respond (chooser, GTK_RESPONSE_CANCEL);
  gui_act (f, "save-plan", NULL);
  chooser = lead_chooser (path);
  list = find_list (gui_find (GTK_WIDGET (chooser), GTK_TYPE_FILE_CHOOSER_WIDGET));
  gui_wait (has_rows, list, "the new dialog has the file that came");
  respond (chooser, GTK_RESPONSE_CANCEL);
  remove_folder (folder);
}

/* A list of files hears nothing of Ctrl+F, which GTK 4.8 does not survive there; nor does a text of
 * Ctrl+Shift+U. */
static void
test_search_key (GuiWindow *f, gconstpointer data)
{
  GtkWidget *chooser;

  gui_open_toy (f);
  gui_act (f, "save-plan", NULL);
  gui_wait (has_chooser, NULL, "the dialog is shown");
  chooser = find_window (GTK_TYPE_FILE_CHOOSER);
  gui_press (chooser, GDK_KEY_f, GDK_CONTROL_MASK);
  gui_press (chooser, GDK_KEY_U, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  gui_press (GTK_WIDGET (f->window), GDK_KEY_U, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  respond (GTK_FILE_CHOOSER (chooser), GTK_RESPONSE_CANCEL);
}

/* A graph that is drawn by hand has no name before it is saved. */
static void
test_untitled (GuiWindow *f, gconstpointer data)
{
  g_autofree char *name = NULL;
  GtkFileChooser *chooser;

  gui_act (f, "draw-graph", NULL);
  gui_wait (gui_has_settled, f, "the first op is there");
  gui_act (f, "save-graph", NULL);
  gui_wait (has_chooser, NULL, "the dialog is shown");
  chooser = GTK_FILE_CHOOSER (find_window (GTK_TYPE_FILE_CHOOSER));
  name = gtk_file_chooser_get_current_name (chooser);
  g_assert_cmpstr (name, ==, "untitled.json");
  respond (chooser, GTK_RESPONSE_CANCEL);
}

TEST_PROGRAM (file_dialogs)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/ui/file-dialogs/folders", test_dialogs);
  gui_window_add ("/ui/file-dialogs/other-lists", test_other_lists);
  gui_window_add ("/ui/file-dialogs/later-files", test_later_files);
  gui_window_add ("/ui/file-dialogs/search-key", test_search_key);
  gui_window_add ("/ui/file-dialogs/untitled", test_untitled);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
