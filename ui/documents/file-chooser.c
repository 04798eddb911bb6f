#include "ui/documents/file-chooser.h"

#include "engine/base/i18n.h"
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
  g_clear_object (&self->dialog);
  if (file != NULL)
    {
      note_choice (self, GTK_FILE_CHOOSER (dialog), file);
      self->func (self->data, file);
    }
  else
    g_signal_emit (self, signals[GIVEN_UP], 0);
}

static GtkFileChooser *
new_dialog (GobanFileChooser *self, const char *title, GtkFileChooserAction action)
{
  gboolean opens = action == GTK_FILE_CHOOSER_ACTION_OPEN;
  GtkFileChooserNative *dialog
      = gtk_file_chooser_native_new (title, GTK_WINDOW (self->site.window), action,
                                     opens ? _ ("_Open") : _ ("_Save"), _ ("_Cancel"));

  if (self->dialog != NULL)
    gtk_native_dialog_destroy (self->dialog);
  g_set_object (&self->dialog, GTK_NATIVE_DIALOG (dialog));
  g_object_unref (dialog);
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
  g_autoptr (GFile) folder = NULL;

  if (self->samples == NULL)
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
  GtkFileChooser *dialog = new_dialog (self, title, GTK_FILE_CHOOSER_ACTION_OPEN);

  add_filter (dialog, _ ("Sessions, graphs, plans and scripts"), graphs);
  add_filter (dialog, _ ("All files"), all);
  offer_samples (self, dialog);
  show (self, func, data);
}

void
goban_file_chooser_open_cluster (GobanFileChooser *self, GobanFileFunc func, gpointer data)
{
  static const char *const json[] = { "*.json", NULL };

  add_filter (new_dialog (self, _ ("Open a cluster"), GTK_FILE_CHOOSER_ACTION_OPEN), _ ("Clusters"),
              json);
  show (self, func, data);
}

void
goban_file_chooser_save (GobanFileChooser *self, const GobanFileTarget *target, GobanFileFunc func,
                         gpointer data)
{
  GtkFileChooser *dialog = new_dialog (self, target->title, GTK_FILE_CHOOSER_ACTION_SAVE);
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

  if (self->dialog != NULL)
    gtk_native_dialog_destroy (self->dialog);
  g_clear_object (&self->dialog);
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
