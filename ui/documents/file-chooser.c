#include "ui/documents/file-chooser.h"

#include "engine/core/i18n.h"
#include "engine/session/chosen-folders.h"

struct _GobanFileChooser
{
  GObject parent;

  GobanSite site;
  GtkNativeDialog *dialog; /* the one that is open, else NULL */
  char *samples;           /* (nullable) folder */
  GobanFileFunc func;      /* of the open dialog */
  gpointer data;
};

G_DEFINE_FINAL_TYPE (GobanFileChooser, goban_file_chooser, G_TYPE_OBJECT)

enum
{
  GIVEN_UP,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* Dialogs that are not shown. They are shown again and never freed: signals of a folder's model in
 * GTK 4.8 call into a GtkFileChooserWidget that was finalised, if the folder changes or its loading
 * ends later. */
static GPtrArray *hidden_dialogs;

static gboolean
is_for (GtkNativeDialog *dialog, GtkFileChooserAction action)
{
  return gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog)) == action;
}

static GtkFileChooserNative *
take_hidden (GtkFileChooserAction action)
{
  for (guint i = 0; hidden_dialogs != NULL && i < hidden_dialogs->len; i++)
    if (is_for (g_ptr_array_index (hidden_dialogs, i), action))
      return g_ptr_array_steal_index_fast (hidden_dialogs, i);
  return gtk_file_chooser_native_new (NULL, NULL, action, NULL, NULL);
}

static gboolean
keep_cb (gpointer dialog)
{
  if (hidden_dialogs == NULL)
    hidden_dialogs = g_ptr_array_new ();
  g_ptr_array_add (hidden_dialogs, dialog);
  return G_SOURCE_REMOVE;
}

/* Not at once: the dialog may be emitting its response. */
static void
put_away (GobanFileChooser *self)
{
  GtkNativeDialog *dialog = g_steal_pointer (&self->dialog);

  if (dialog == NULL)
    return;
  g_signal_handlers_disconnect_by_data (dialog, self);
  gtk_native_dialog_hide (dialog);
  gtk_native_dialog_set_transient_for (dialog, NULL);
  g_idle_add (keep_cb, dialog);
}

/* Scripts of this window may write in folders in which the user saves. */
static void
note_choice (GobanFileChooser *self, GtkFileChooser *dialog, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL && gtk_file_chooser_get_action (dialog) == GTK_FILE_CHOOSER_ACTION_SAVE)
    goban_chosen_folders_add (self->site.session, path);
}

static void
response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  GobanFileChooser *self = user_data;
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  put_away (self);
  if (file != NULL)
    {
      note_choice (self, GTK_FILE_CHOOSER (dialog), file);
      self->func (self->data, file);
    }
  else
    g_signal_emit (self, signals[GIVEN_UP], 0);
}

static void
remove_filters (GtkFileChooser *dialog)
{
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (dialog);
  guint n = g_list_model_get_n_items (filters);

  while (n-- > 0)
    {
      g_autoptr (GtkFileFilter) filter = g_list_model_get_item (filters, n);

      gtk_file_chooser_remove_filter (dialog, filter);
    }
}

static GtkFileChooser *
take_dialog (GobanFileChooser *self, const char *title, GtkFileChooserAction action)
{
  gboolean opens = action == GTK_FILE_CHOOSER_ACTION_OPEN;
  GtkFileChooserNative *native = take_hidden (action);
  GtkNativeDialog *dialog = GTK_NATIVE_DIALOG (native);

  put_away (self);
  self->dialog = dialog;
  remove_filters (GTK_FILE_CHOOSER (dialog));
  gtk_native_dialog_set_title (dialog, title);
  gtk_native_dialog_set_transient_for (dialog, GTK_WINDOW (self->site.window));
  gtk_file_chooser_native_set_accept_label (native, opens ? _ ("_Open") : _ ("_Save"));
  gtk_file_chooser_native_set_cancel_label (native, _ ("_Cancel"));
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
offer_samples (GobanFileChooser *self, GtkFileChooser *dialog)
{
  g_autoptr (GListModel) offered = gtk_file_chooser_get_shortcut_folders (dialog);
  g_autoptr (GFile) folder = NULL;

  if (self->samples == NULL || g_list_model_get_n_items (offered) > 0)
    return;

  folder = g_file_new_for_path (self->samples);
  /* A shortcut that cannot be added is only a convenience less. */
  gtk_file_chooser_add_shortcut_folder (dialog, folder, NULL);
}

static void
show (GobanFileChooser *self, GobanFileFunc func, gpointer data)
{
  self->func = func;
  self->data = data;
  gtk_native_dialog_show (self->dialog);
}

void
goban_file_chooser_set_samples (GobanFileChooser *self, const char *folder)
{
  g_free (self->samples);
  self->samples = g_strdup (folder);
}

void
goban_file_chooser_open (GobanFileChooser *self, const char *title, GobanFileFunc func,
                         gpointer data)
{
  static const char *const graphs[]
      = { "*.goban", "*.onnx", "*.pt2",  "*.gxl", "*.pb",  "*.pbtxt", "*.meta", "*.hlo", "*.et",
          "*.dot",   "*.gv",   "*.json", "*.txt", "*.stg", "*.csv",   "*.lua",  NULL };
  static const char *const all[] = { "*", NULL };
  GtkFileChooser *dialog = take_dialog (self, title, GTK_FILE_CHOOSER_ACTION_OPEN);

  add_filter (dialog, _ ("Sessions, graphs, plans and scripts"), graphs);
  add_filter (dialog, _ ("All files"), all);
  offer_samples (self, dialog);
  show (self, func, data);
}

void
goban_file_chooser_open_cluster (GobanFileChooser *self, GobanFileFunc func, gpointer data)
{
  static const char *const json[] = { "*.json", NULL };

  add_filter (take_dialog (self, _ ("Open a cluster"), GTK_FILE_CHOOSER_ACTION_OPEN),
              _ ("Clusters"), json);
  show (self, func, data);
}

void
goban_file_chooser_save (GobanFileChooser *self, const GobanFileTarget *target, GobanFileFunc func,
                         gpointer data)
{
  GtkFileChooser *dialog = take_dialog (self, target->title, GTK_FILE_CHOOSER_ACTION_SAVE);
  g_autoptr (GFile) old = target->path != NULL ? g_file_new_for_path (target->path) : NULL;
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  const char *name = graph != NULL ? goban_graph_get_name (graph) : "";
  g_autofree char *proposal = g_strconcat (*name != '\0' ? name : "graph", target->suffix, NULL);

  g_strdelimit (proposal, "/", '-');
  if (old != NULL
      && gtk_file_chooser_set_file (dialog, old, NULL)) /* a deleted folder cannot be proposed */
    g_debug ("proposing %s", target->path);
  else
    gtk_file_chooser_set_current_name (dialog, proposal);
  show (self, func, data);
}

/* --- life ------------------------------------------------------------------------------------ */

static void
goban_file_chooser_dispose (GObject *object)
{
  GobanFileChooser *self = GOBAN_FILE_CHOOSER (object);

  put_away (self);
  g_clear_pointer (&self->samples, g_free);

  G_OBJECT_CLASS (goban_file_chooser_parent_class)->dispose (object);
}

static void
goban_file_chooser_class_init (GobanFileChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_file_chooser_dispose;
  signals[GIVEN_UP] = g_signal_new ("given-up", GOBAN_TYPE_FILE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
}

static void
goban_file_chooser_init (GobanFileChooser *self)
{
}

GobanFileChooser *
goban_file_chooser_new (const GobanSite *site)
{
  GobanFileChooser *self = g_object_new (GOBAN_TYPE_FILE_CHOOSER, NULL);

  self->site = *site;
  return self;
}
