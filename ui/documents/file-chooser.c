#include "ui/documents/file-chooser.h"

#include "engine/core/i18n.h"
#include "engine/session/chosen-folders.h"
#include "engine/study/run/graph-source.h"
#include "ui/widgets/signals.h"

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

/* A dialog for each: GTK 4.8 drops a reference too many of a filter that is removed from one. */
typedef enum
{
  TO_OPEN,
  TO_OPEN_CLUSTER,
  TO_SAVE
} Purpose;

#define KEY_PURPOSE "goban-purpose"

/* Dialogs that are not shown. They are shown again and never freed: signals of a folder's model in
 * GTK 4.8 call into a GtkFileChooserWidget that was finalised, if the folder changes or its loading
 * ends later. */
static GPtrArray *hidden_dialogs;

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
add_filters (GtkFileChooser *dialog, Purpose purpose)
{
  static const char *const graphs[]
      = { "*.goban", "*.onnx", "*.pt2",  "*.gxl", "*.pb",  "*.pbtxt", "*.meta", "*.hlo", "*.et",
          "*.dot",   "*.gv",   "*.json", "*.txt", "*.stg", "*.csv",   "*.lua",  NULL };
  static const char *const all[] = { "*", NULL };
  static const char *const json[] = { "*.json", NULL };

  if (purpose == TO_OPEN)
    {
      add_filter (dialog, _ ("Sessions, graphs, plans and scripts"), graphs);
      add_filter (dialog, _ ("All files"), all);
    }
  else if (purpose == TO_OPEN_CLUSTER)
    add_filter (dialog, _ ("Clusters"), json);
}

/* Alt+R lists recent files, Alt+S what a search finds. */
static gboolean
list_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
             GdkModifierType modifiers, gpointer user_data)
{
  guint key = gdk_keyval_to_lower (keyval);

  return (modifiers & GDK_ALT_MASK) != 0 && (key == GDK_KEY_r || key == GDK_KEY_s);
}

static GtkWidget *
find_chooser_widget (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_FILE_CHOOSER_WIDGET (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_chooser_widget (child);
  return found;
}

/* No key makes the dialog that was made last list recent files or results of a search: when it
 * saves, GTK 4.8 takes a row of any list for one of the folder's, and crashes. */
static void
stay_in_folders (void)
{
  GListModel *all = gtk_window_get_toplevels ();
  g_autoptr (GtkWidget) window = g_list_model_get_item (all, g_list_model_get_n_items (all) - 1);
  GtkWidget *widget = find_chooser_widget (window);
  GtkEventController *keys;

  if (widget == NULL)
    return;
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (list_key_cb), NULL);
  gtk_widget_add_controller (widget, keys);
}

static GtkFileChooserNative *
new_dialog (Purpose purpose)
{
  GtkFileChooserAction action
      = purpose == TO_SAVE ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (NULL, NULL, action, NULL, NULL);

  g_object_set_data (G_OBJECT (dialog), KEY_PURPOSE, GUINT_TO_POINTER (purpose));
  add_filters (GTK_FILE_CHOOSER (dialog), purpose);
  if (purpose == TO_SAVE)
    stay_in_folders ();
  return dialog;
}

static GtkFileChooserNative *
take_hidden (Purpose purpose)
{
  for (guint i = 0; hidden_dialogs != NULL && i < hidden_dialogs->len; i++)
    if (g_object_get_data (g_ptr_array_index (hidden_dialogs, i), KEY_PURPOSE)
        == GUINT_TO_POINTER (purpose))
      return g_ptr_array_steal_index_fast (hidden_dialogs, i);
  return new_dialog (purpose);
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
response_cb (GtkNativeDialog *dialog, int response, GobanFileChooser *self)
{
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
    g_signal_emit_by_name (self, "given-up");
}

static GtkFileChooser *
take_dialog (GobanFileChooser *self, const char *title, Purpose purpose)
{
  GtkFileChooserNative *native = take_hidden (purpose);
  GtkNativeDialog *dialog = GTK_NATIVE_DIALOG (native);

  put_away (self);
  self->dialog = dialog;
  gtk_native_dialog_set_title (dialog, title);
  gtk_native_dialog_set_transient_for (dialog, GTK_WINDOW (self->site.window));
  gtk_file_chooser_native_set_accept_label (native, purpose == TO_SAVE ? _ ("_Save") : _ ("_Open"));
  gtk_file_chooser_native_set_cancel_label (native, _ ("_Cancel"));
  g_signal_connect_object (dialog, "response", G_CALLBACK (response_cb), self, 0);
  return GTK_FILE_CHOOSER (dialog);
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
  GtkFileChooser *dialog = take_dialog (self, title, TO_OPEN);

  offer_samples (self, dialog);
  show (self, func, data);
}

void
goban_file_chooser_open_cluster (GobanFileChooser *self, GobanFileFunc func, gpointer data)
{
  take_dialog (self, _ ("Open a cluster"), TO_OPEN_CLUSTER);
  show (self, func, data);
}

void
goban_file_chooser_save (GobanFileChooser *self, const GobanFileTarget *target, GobanFileFunc func,
                         gpointer data)
{
  GtkFileChooser *dialog = take_dialog (self, target->title, TO_SAVE);
  g_autoptr (GFile) old = target->path != NULL ? g_file_new_for_path (target->path) : NULL;
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  const char *name = graph != NULL ? goban_graph_get_name (graph) : "";
  gboolean is_titled = *name != '\0' && !g_str_equal (name, GOBAN_UNTITLED);
  g_autofree char *proposal = g_strconcat (is_titled ? name : _ ("untitled"), target->suffix, NULL);

  g_strdelimit (proposal, "/", '-');
  if (old != NULL
      && gtk_file_chooser_set_file (dialog, old, NULL)) /* a deleted folder cannot be proposed */
    g_debug ("proposing %s", target->path);
  else
    gtk_file_chooser_set_current_name (dialog, proposal);
  show (self, func, data);
}

/* --- construction and disposal --------------------------------------------------------------- */

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
  goban_signal_add (klass, "given-up", 0);
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
