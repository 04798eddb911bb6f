/* window-files.c: opening and saving files: dialogs, drops, and detection of the kind of a file. */
#include "ui/shell/window-private.h"

#include "engine/base/file.h"
#include "engine/base/i18n.h"
#include "engine/document/document.h"
#include "engine/document/opening.h"
#include "engine/run/graph-source.h"
#include "engine/session/chosen-folders.h"
#include "ui/shell/actions.h"
#include "ui/shell/generate-dialog.h"

#include <string.h>

/* The beginning of a plan file has this key. */
#define PLAN_KEY "\"goban_plan\""
#define SNIFF_BYTES 512

/* --- opening -------------------------------------------------------------------------------- */

/* The first bytes and how many; none of what cannot be read: opening it will say why. */
static gsize
read_head (GFile *file, char *head)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  gsize n = 0;

  if (stream == NULL
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, SNIFF_BYTES, &n, NULL, NULL))
    return 0;
  return n;
}

/* What a command line says of a generated graph, "gnmt:layers=2", looks like a file here or like an
 * address of an unknown kind. (transfer full) (nullable) */
static char *
dup_spec (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *spec = path != NULL ? g_file_get_basename (file) : g_file_get_uri (file);

  if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  return goban_graph_source_is_spec (spec) ? g_steal_pointer (&spec) : NULL;
}

/* @data: a path, or a spec. */
static void
open_graph (GobanWindow *self, gpointer data)
{
  goban_session_open_path (self->session, data);
}

static void
open_session (GobanWindow *self, gpointer data)
{
  goban_window_open_session (self, data);
}

/* What opens a graph; @path: (transfer none) */
static void
open_instead (GobanWindow *self, GobanReplaceFunc open, const char *path)
{
  g_autofree char *name
      = goban_graph_source_is_spec (path) ? g_strdup (path) : g_filename_display_basename (path);

  goban_window_replace (self, &(GobanReplacement){ name, open, g_strdup (path), g_free });
}

void
goban_window_open_file (GobanWindow *self, GFile *file)
{
  g_autofree char *spec = NULL;
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;
  char head[SNIFF_BYTES + 1] = "";
  gsize n;

  g_return_if_fail (GOBAN_IS_WINDOW (self));

  spec = dup_spec (file);
  if (spec != NULL)
    {
      goban_notice_bar_hide (GOBAN_NOTICE_BAR (self->notice));
      open_instead (self, open_graph, spec);
      return;
    }
  path = g_file_get_path (file);
  if (path == NULL)
    {
      uri = g_file_get_uri (file);
      goban_session_say (self->session, TRUE, "%s is not a file of this machine", uri);
      return;
    }

  goban_notice_bar_hide (GOBAN_NOTICE_BAR (self->notice));
  /* Who waits for the writer of a pipe may wait for ever. */
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL)
    {
      goban_session_say (self->session, TRUE, "%s: it is a pipe or a device, not a file", path);
      return;
    }

  n = read_head (file, head);
  if (goban_session_file_sniff (head, n))
    open_instead (self, open_session, path);
  else if (strstr (head, PLAN_KEY) != NULL)
    goban_session_open_plan (self->session, path);
  else
    open_instead (self, open_graph, path);
}

void
goban_window_open_path (GobanWindow *self, GVariant *parameter)
{
  const char *target = g_variant_get_string (parameter, NULL);
  g_autoptr (GFile) file = g_str_has_prefix (target, "file://") ? g_file_new_for_uri (target)
                                                                : g_file_new_for_path (target);

  goban_window_open_file (self, file);
}

static void
chosen_cb (GobanGenerateDialog *dialog, const char *spec, GobanWindow *self)
{
  goban_notice_bar_hide (GOBAN_NOTICE_BAR (self->notice));
  open_instead (self, open_graph, spec);
}

void
goban_window_generate (GobanWindow *self, GVariant *parameter)
{
  if (self->generator == NULL)
    {
      self->generator = goban_generate_dialog_new (GTK_WINDOW (self), self->session);
      g_signal_connect_object (self->generator, "chosen", G_CALLBACK (chosen_cb), self, 0);
      g_object_add_weak_pointer (G_OBJECT (self->generator), (gpointer *) &self->generator);
    }
  gtk_window_present (GTK_WINDOW (self->generator));
}

void
goban_window_reload_now (GobanWindow *self)
{
  const char *session = goban_document_get_path (goban_document_get (self->session));
  g_autofree char *path = g_strdup (goban_session_get_path (self->session));

  if (session != NULL)
    goban_window_open_session (self, session);
  else if (path != NULL)
    goban_session_open_path (self->session, path);
}

/* --- dialogs -------------------------------------------------------------------------------- */

/* Scripts of this window may write beside what a person saves. */
static void
note_choice (GobanWindow *self, GtkFileChooser *dialog, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL && gtk_file_chooser_get_action (dialog) == GTK_FILE_CHOOSER_ACTION_SAVE)
    goban_chosen_folders_add (self->session, path);
}

static void
response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  GobanWindow *self = user_data;
  GobanFileFunc func = (GobanFileFunc) g_object_get_data (G_OBJECT (dialog), "goban-func");
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_clear_object (&self->dialog);
  if (file != NULL)
    {
      note_choice (self, GTK_FILE_CHOOSER (dialog), file);
      func (self, file);
    }
  else
    goban_window_give_up_saving (self);
}

static GtkFileChooser *
new_dialog (GobanWindow *self, const char *title, GtkFileChooserAction action, GobanFileFunc func)
{
  gboolean opens = action == GTK_FILE_CHOOSER_ACTION_OPEN;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      title, GTK_WINDOW (self), action, opens ? _ ("_Open") : _ ("_Save"), _ ("_Cancel"));

  if (self->dialog != NULL)
    gtk_native_dialog_destroy (self->dialog);
  g_set_object (&self->dialog, GTK_NATIVE_DIALOG (dialog));
  g_object_unref (dialog);
  g_object_set_data (G_OBJECT (dialog), "goban-func", (gpointer) func);
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, 0);
  return GTK_FILE_CHOOSER (dialog);
}

static void
add_filter (GtkFileChooser *dialog, const char *name, const char *const *patterns)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (guint i = 0; patterns[i] != NULL; i++)
    gtk_file_filter_add_pattern (filter, patterns[i]);
  gtk_file_chooser_add_filter (dialog, filter);
}

static void
offer_samples (GobanWindow *self, GtkFileChooser *dialog)
{
  g_autoptr (GFile) folder = NULL;

  if (self->samples == NULL)
    return;

  folder = g_file_new_for_path (self->samples);
  /* A shortcut that cannot be added is only a convenience less. */
  gtk_file_chooser_add_shortcut_folder (dialog, folder, NULL);
}

void
goban_window_choose_file (GobanWindow *self, GVariant *parameter)
{
  goban_window_choose_open (self, _ ("Open a session, a graph or a plan"), goban_window_open_file);
}

void
goban_window_choose_open (GobanWindow *self, const char *title, GobanFileFunc func)
{
  static const char *const graphs[]
      = { "*.goban", "*.onnx", "*.pb",   "*.pbtxt", "*.meta", "*.hlo", "*.et",
          "*.dot",   "*.gv",   "*.json", "*.txt",   "*.stg",  "*.csv", NULL };
  static const char *const all[] = { "*", NULL };
  GtkFileChooser *dialog = new_dialog (self, title, GTK_FILE_CHOOSER_ACTION_OPEN, func);

  add_filter (dialog, _ ("Sessions, graphs and plans"), graphs);
  add_filter (dialog, _ ("All files"), all);
  offer_samples (self, dialog);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
open_cluster (GobanWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (path != NULL ? path : "", &error);

  if (cluster != NULL)
    goban_window_adopt_cluster (self, cluster);
  else
    goban_session_say (self->session, TRUE, "%s", error->message);
}

void
goban_window_choose_cluster_file (GobanWindow *self, GVariant *parameter)
{
  static const char *const json[] = { "*.json", NULL };
  GtkFileChooser *dialog
      = new_dialog (self, _ ("Open a cluster"), GTK_FILE_CHOOSER_ACTION_OPEN, open_cluster);

  add_filter (dialog, _ ("Clusters"), json);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* --- saving --------------------------------------------------------------------------------- */

/* Says how saving @file went. */
static void
tell (GobanWindow *self, GFile *file, const GError *error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : g_strdup ("");

  if (error != NULL)
    goban_session_say (self->session, TRUE, "%s", error->message);
  else
    goban_session_say (self->session, FALSE, "Saved %s", name);
}

void
goban_window_choose_target (GobanWindow *self, const char *title, const char *suffix,
                            const char *path, GobanFileFunc func)
{
  GtkFileChooser *dialog = new_dialog (self, title, GTK_FILE_CHOOSER_ACTION_SAVE, func);
  g_autoptr (GFile) old = path != NULL ? g_file_new_for_path (path) : NULL;
  GobanGraph *graph = goban_session_get_graph (self->session);
  const char *name = graph != NULL ? goban_graph_get_name (graph) : "";
  g_autofree char *proposal = g_strconcat (*name != '\0' ? name : "graph", suffix, NULL);

  g_strdelimit (proposal, "/", '-');
  if (old != NULL
      && gtk_file_chooser_set_file (dialog, old, NULL)) /* a deleted folder cannot be proposed */
    g_debug ("proposing %s", path);
  else
    gtk_file_chooser_set_current_name (dialog, proposal);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
save_trace (GobanWindow *self, GFile *file)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;

  if (run == NULL)
    return;

  goban_run_save_trace (run, path, &error);
  tell (self, file, error);
}

static void
save_plan (GobanWindow *self, GFile *file)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;

  if (run == NULL)
    return;

  goban_plan_save (goban_run_get_plan (run), goban_run_get_costs (run), path, &error);
  tell (self, file, error);
}

gboolean
goban_window_has_run (GobanWindow *self)
{
  if (goban_session_get_current_run (self->session) != NULL)
    return TRUE;

  goban_session_say (self->session, TRUE, "There is no plan yet: place the graph first");
  return FALSE;
}

void
goban_window_export_trace (GobanWindow *self, GVariant *parameter)
{
  if (goban_window_has_run (self))
    goban_window_choose_target (self, _ ("Export the trace"), ".trace.json", NULL, save_trace);
}

void
goban_window_save_plan (GobanWindow *self, GVariant *parameter)
{
  if (goban_window_has_run (self))
    goban_window_choose_target (self, _ ("Save the plan"), ".plan.json", NULL, save_plan);
}

/* --- drops ---------------------------------------------------------------------------------- */

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer user_data)
{
  GobanWindow *self = user_data;
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *l = files; l != NULL; l = l->next)
    goban_window_open_file (self, l->data);
  return files != NULL;
}

void
goban_window_accept_drops (GobanWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
