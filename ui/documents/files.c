/* Decision U52 (ui/NOTES.md). */
#include "ui/documents/files.h"

#include "engine/core/i18n.h"
#include "engine/session/document/autosave.h"
#include "engine/session/document/document.h"
#include "engine/session/document/opening.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/view-time.h"
#include "engine/study/run/graph-source.h"
#include "ui/dialogs/generate-dialog.h"
#include "ui/documents/file-groups.h"
#include "ui/panels/scene-bar.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/toplevels.h"

#include <string.h>

#define KEY_CONFLICT "conflict"
#define KEY_GRAPH "graph"
#define KEY_PROFILE "profile"
#define KEY_RECOVERY "recovery"
#define KEY_RELOAD "reload"
#define KEY_REPLACE "replace"
/* Writing begins so long after a change that a crash takes less than a second. */
#define AUTOSAVE_MS 700
/* Each holds a file open. Those before are offered by the next start. */
#define MAX_OFFERED 32
/* How often a file that follows a graph looks whether that is open. */
#define FOLLOW_MS 20
/* An editor may write a file in several steps: it is settled this long after the last. */
#define SETTLE_MS 400
/* The demonstration opens this and places it with that. */
#define SAMPLE "inception-v3.onnx"
#define POLICY "go-zeroshot"

typedef enum
{
  AT_REST,
  OPENING, /* until the sample is open and its quick policies have placed it */
  PLACING
} Stage;

/* An action that waits for an answer, or for the changes to be saved. */
typedef struct
{
  GobanReplacement replacement;
  char *name; /* the replacement's */
  gboolean is_saving;
} Pending;

/* Files that were named with a graph. */
typedef struct
{
  GPtrArray *followers;  /* (nullable) GFile, to be opened after the graph that is opened next */
  GPtrArray *of_read;    /* (nullable) the same, while that is being read */
  GPtrArray *waiting;    /* (nullable) the same, once that is being opened */
  gboolean awaits_graph; /* they are opened if another graph comes than ... */
  GobanGraph *replaced;  /* ... this (nullable) */
  gboolean has_graph;    /* it has come */
  gboolean awaits_read;  /* no later file has been opened since its reading began */
  guint follow_id;
} Following;

/* The first step of the start page: a sample whose decisions are shown. */
typedef struct
{
  char *sample; /* (nullable) */
  Stage stage;
  GobanGraph *before; /* (nullable): open when it began */
  guint look_id;      /* a job has ended, and its result is about to be there, or 0 */
} Demonstration;

typedef struct
{
  GobanHeader *header;
  GobanAutosave *autosave; /* (nullable): a window that remembers nothing writes nothing down */
  GPtrArray *offered;      /* GobanRecovery, asked about one after the other */
  gboolean is_restoring;   /* the first of them */
} Recovery;

struct _GobanFiles
{
  GObject parent;

  GobanSite site;
  GobanDocument *document;
  GobanFileChooser *chooser;
  GobanScripts *scripts;
  GobanNotesView *notes;
  Pending *pending;     /* (nullable) */
  char *lost_path;      /* (nullable): the session whose graph is being looked for */
  GCancellable *closed; /* with the window: stops the search for groups of files */
  GtkWidget *generator; /* the open dialog for a generated graph, else NULL */
  Following following;

  GFileMonitor *monitor; /* (nullable): of the open file */
  guint settle_id;
  char *etag; /* (nullable): of the file as it was read */

  Demonstration demonstration;
  Recovery recovery;
};

GOBAN_DEFINE_PART (GobanFiles, goban_files)

/* A note or a caption that is being typed belongs to the session that is saved or replaced. */
static void
store_typed (GobanFiles *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));
  GtkWidget *bar = focus != NULL ? gtk_widget_get_ancestor (focus, GOBAN_TYPE_SCENE_BAR) : NULL;

  goban_notes_view_flush (self->notes);
  if (bar != NULL)
    goban_scene_bar_store (GOBAN_SCENE_BAR (bar));
}

/* --- replacement of the open document --------------------------------------------------------- */

static void
pending_free (Pending *pending)
{
  if (pending->replacement.free_data != NULL)
    pending->replacement.free_data (pending->replacement.data);
  g_free (pending->name);
  g_free (pending);
}

static void
stop_replacing (GobanFiles *self)
{
  g_clear_pointer (&self->pending, pending_free);
  goban_notice_bar_withdraw (self->site.notice, KEY_REPLACE);
}

static void
give_up (GobanFiles *self)
{
  if (self->pending != NULL && self->pending->is_saving)
    stop_replacing (self);
}

static void
open_now (GobanFiles *self)
{
  Pending *pending = g_steal_pointer (&self->pending);

  pending->replacement.open (pending->replacement.data);
  pending_free (pending);
}

static void
replace_answer_cb (int choice, gpointer user_data)
{
  GobanFiles *self = user_data;

  if (self->pending == NULL)
    return;
  if (choice == 0)
    {
      self->pending->is_saving = TRUE;
      goban_site_activate (&self->site, "save", NULL);
    }
  else if (choice == 1)
    {
      goban_document_discard (self->document);
      open_now (self);
    }
  else
    stop_replacing (self);
}

/* (transfer full): the open document's name in the title. */
static char *
dup_open_name (GobanFiles *self)
{
  const char *path = goban_document_get_path (self->document);

  if (path == NULL)
    path = goban_session_get_path (self->site.session);
  return goban_graph_source_dup_title (path, goban_session_get_graph (self->site.session));
}

static void
ask_replace (GobanFiles *self)
{
  gboolean has_file = goban_document_get_path (self->document) != NULL;
  const char *const labels[]
      = { has_file ? _ ("Save") : _ ("Save…"), _ ("Discard"), _ ("Cancel"), NULL };
  g_autofree char *name = dup_open_name (self);
  const char *other = self->pending->replacement.name;
  g_autofree char *text
      = other != NULL
            ? g_strdup_printf (_ ("Save the changes of “%s” before “%s” is opened?"), name, other)
            : g_strdup_printf (_ ("Save the changes of “%s” before the other session is restored?"),
                               name);

  goban_notice_bar_ask (self->site.notice, &(GobanQuestion){ .key = KEY_REPLACE,
                                                             .text = text,
                                                             .labels = labels,
                                                             .func = replace_answer_cb,
                                                             .user_data = self,
                                                             .is_urgent = TRUE });
}

/* Changes made during the save are asked about again. */
static void
open_or_ask (GobanFiles *self)
{
  self->pending->is_saving = FALSE;
  store_typed (self);
  if (goban_document_is_changed (self->document))
    ask_replace (self);
  else
    open_now (self);
}

void
goban_files_replace (GobanFiles *self, const GobanReplacement *replacement)
{
  stop_replacing (self);
  self->pending = g_new0 (Pending, 1);
  self->pending->replacement = *replacement;
  self->pending->name = g_strdup (replacement->name);
  self->pending->replacement.name = self->pending->name;
  open_or_ask (self);
}

static void
saved_cb (GobanDocument *document, gboolean is_saved, GobanFiles *self)
{
  if (!is_saved)
    give_up (self);
  else if (self->pending != NULL && self->pending->is_saving)
    open_or_ask (self);
}

/* --- what belongs to a graph ------------------------------------------------------------------ */

static void
stop_following (GobanFiles *self)
{
  g_clear_handle_id (&self->following.follow_id, g_source_remove);
  g_clear_pointer (&self->following.waiting, g_ptr_array_unref);
  g_clear_pointer (&self->following.replaced, goban_graph_unref);
  self->following.has_graph = FALSE;
}

/* Without a session's file, all that was named is what was opened, and no change of it. */
static void
settle (GobanFiles *self)
{
  if (self->following.has_graph && goban_document_get_path (self->document) == NULL)
    goban_document_set_settled (self->document, TRUE);
}

/* One file at a time: a plan needs the graph, and the cluster that was named with it. */
static gboolean
follow_cb (gpointer user_data)
{
  GobanFiles *self = user_data;
  GobanSession *session = self->site.session;
  g_autoptr (GFile) file = NULL;

  if (goban_session_get_job (session) != NULL || goban_session_has_pending_edit (session))
    return G_SOURCE_CONTINUE;
  if (self->following.waiting->len == 0
      || (self->following.awaits_graph
          && goban_session_get_graph (session) == self->following.replaced))
    {
      /* All are open, or the graph could not be read, which has been reported. */
      self->following.follow_id = 0;
      settle (self);
      stop_following (self);
      return G_SOURCE_REMOVE;
    }
  self->following.has_graph |= self->following.awaits_graph;
  self->following.awaits_graph = FALSE;
  file = g_ptr_array_steal_index (self->following.waiting, 0);
  goban_files_open (self, file);
  return G_SOURCE_CONTINUE;
}

/* @files: (nullable): opened one after another whenever the session rests; if @awaits_graph, not
 * before it has another graph */
static void
follow (GobanFiles *self, GPtrArray *files, gboolean awaits_graph)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  stop_following (self);
  if (files == NULL)
    return;
  self->following.waiting = g_ptr_array_ref (files);
  self->following.awaits_graph = awaits_graph;
  self->following.replaced = graph != NULL ? goban_graph_ref (graph) : NULL;
  self->following.follow_id = g_timeout_add (FOLLOW_MS, follow_cb, self);
}

/* --- graphs ----------------------------------------------------------------------------------- */

/* A request to open a graph that has been read, or else a session. */
typedef struct
{
  GobanFiles *self;
  GobanReadGraph *read; /* (nullable) */
  char *path;
  char *graph;          /* (nullable): the file of the session's graph, if that was moved */
  GPtrArray *followers; /* (nullable) GFile, opened after it */
} Target;

static void
target_free (gpointer data)
{
  Target *target = data;

  g_clear_pointer (&target->read, goban_read_graph_free);
  g_free (target->path);
  g_free (target->graph);
  g_clear_pointer (&target->followers, g_ptr_array_unref);
  g_free (target);
}

static void
open_target (gpointer data)
{
  const Target *target = data;

  /* Before: it looks for another graph than the present one. */
  follow (target->self, target->followers, TRUE);
  if (target->read != NULL)
    goban_read_graph_open (target->read);
  else
    goban_document_open (target->self->document, target->path, target->graph);
}

/* @read: (transfer full) (nullable); @path may be a spec. Takes the files that are to follow. */
static void
replace_by (GobanFiles *self, GobanReadGraph *read, const char *path, GPtrArray **followers)
{
  g_autofree char *name = goban_graph_source_dup_title (path, NULL);
  Target *target = g_new (Target, 1);

  self->following.awaits_read = FALSE;
  *target = (Target){ self, read, g_strdup (path), NULL, g_steal_pointer (followers) };
  goban_files_replace (self, &(GobanReplacement){ name, open_target, target, target_free });
}

static void
read_cb (gpointer owner, GobanReadGraph *read)
{
  GobanFiles *self = owner;

  if (!self->following.awaits_read)
    {
      goban_read_graph_free (read);
      return;
    }
  replace_by (self, read, goban_read_graph_get_path (read), &self->following.of_read);
}

/* @path may be a spec. Whether to save the open document is asked once the graph has been read. */
static void
open_graph_instead (GobanFiles *self, const char *path)
{
  g_clear_pointer (&self->following.of_read, g_ptr_array_unref);
  self->following.of_read = g_steal_pointer (&self->following.followers);
  self->following.awaits_read = TRUE;
  goban_session_read_path (self->site.session, path, read_cb, self);
}

/* --- profiles -------------------------------------------------------------------------------- */

/* Asks how to use a profile: as a run of its own, or as times for the open graph. */
typedef struct
{
  GobanFiles *self;
  char *path;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_free (asked->path);
  g_free (asked);
}

static void
profile_cb (int choice, gpointer user_data)
{
  const Asked *asked = user_data;

  if (choice == 0)
    goban_session_open_profile (asked->self->site.session, asked->path);
  else if (choice == 1)
    open_graph_instead (asked->self, asked->path);
}

static void
ask_about_profile (GobanFiles *self, const char *path)
{
  const char *const labels[]
      = { _ ("Use as measured times"), _ ("Open the recorded run"), _ ("Cancel"), NULL };
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf (
      _ ("“%s” is a profile. Take the times of the open graph from it, or open its own run?"),
      name);
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){ self, g_strdup (path) };
  goban_notice_bar_ask (self->site.notice, &(GobanQuestion){ .key = KEY_PROFILE,
                                                             .text = text,
                                                             .labels = labels,
                                                             .func = profile_cb,
                                                             .user_data = asked,
                                                             .free_data = asked_free,
                                                             .is_urgent = TRUE });
}

/* A profile may be of any graph but a recording. */
static gboolean
may_take_times (GobanFiles *self)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  return graph != NULL && goban_graph_get_n_nodes (graph) > 0
         && goban_graph_get_node (graph, 0)->lane == GOBAN_NO_LANE;
}

void
goban_files_open (GobanFiles *self, GFile *file)
{
  g_autofree char *spec = NULL;
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;

  g_return_if_fail (GOBAN_IS_FILES (self));

  spec = goban_file_dup_spec (file);
  if (spec != NULL)
    {
      goban_notice_bar_hide (self->site.notice);
      open_graph_instead (self, spec);
      return;
    }
  path = g_file_get_path (file);
  if (path == NULL)
    {
      uri = g_file_get_uri (file);
      goban_session_say (self->site.session, TRUE, "%s is not a file of this machine", uri);
      return;
    }

  goban_notice_bar_hide (self->site.notice);
  /* Who waits for the writer of a pipe may wait for ever. */
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL)
    {
      goban_session_say (self->site.session, TRUE, "%s: it is a pipe or a device, not a file",
                         path);
      return;
    }

  switch (goban_file_find_kind (file))
    {
    case GOBAN_FILE_IS_SCRIPT:
      goban_scripts_open (self->scripts, path);
      break;
    case GOBAN_FILE_IS_SESSION:
      replace_by (self, NULL, path, &self->following.followers);
      break;
    case GOBAN_FILE_IS_PLAN:
      goban_session_open_plan (self->site.session, path);
      break;
    case GOBAN_FILE_IS_CLUSTER:
      goban_site_activate (&self->site, "cluster", g_variant_new_string (path));
      break;
    case GOBAN_FILE_IS_PROFILE:
      if (may_take_times (self))
        ask_about_profile (self, path);
      else
        open_graph_instead (self, path);
      break;
    case GOBAN_FILE_IS_GRAPH:
    default:
      open_graph_instead (self, path);
    }
}

void
goban_files_open_group (GobanFiles *self, GPtrArray *group)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_graphs = goban_file_group_has_graph (group) ? 1 : 0;

  g_return_if_fail (GOBAN_IS_FILES (self));

  for (guint i = n_graphs; i < group->len; i++)
    g_ptr_array_add (others, g_object_ref (g_ptr_array_index (group, i)));
  if (n_graphs == 0)
    {
      follow (self, others, FALSE);
      return;
    }
  self->following.followers = g_ptr_array_ref (others);
  goban_files_open (self, g_ptr_array_index (group, 0));
  g_clear_pointer (&self->following.followers, g_ptr_array_unref); /* if it is no file */
}

static void
open_path (GobanFiles *self, GVariant *parameter)
{
  const char *target = g_variant_get_string (parameter, NULL);
  g_autoptr (GFile) file = g_str_has_prefix (target, "file://") ? g_file_new_for_uri (target)
                                                                : g_file_new_for_path (target);

  goban_files_open (self, file);
}

static void
chosen_cb (GobanGenerateDialog *dialog, const char *spec, GobanFiles *self)
{
  goban_notice_bar_hide (self->site.notice);
  open_graph_instead (self, spec);
}

static void
generate (GobanFiles *self, GVariant *parameter)
{
  if (self->generator == NULL)
    {
      self->generator
          = goban_generate_dialog_new (GTK_WINDOW (self->site.window), self->site.session);
      g_signal_connect_object (self->generator, "chosen", G_CALLBACK (chosen_cb), self, 0);
      g_object_add_weak_pointer (G_OBJECT (self->generator), (gpointer *) &self->generator);
    }
  gtk_window_present (GTK_WINDOW (self->generator));
}

static void
open_chosen (gpointer data, GFile *file)
{
  goban_files_open (data, file);
}

static void
choose_file (GobanFiles *self, GVariant *parameter)
{
  goban_file_chooser_open (self->chooser, _ ("Open a session, a graph, a plan or a script"),
                           open_chosen, self);
}

/* The first group is for this window, the others for windows of their own. */
static void
open_groups_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GPtrArray) groups = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  GobanFiles *self = user_data;
  GtkApplication *application;

  if (groups == NULL)
    return; /* the window is closed, and @self gone */
  application = gtk_window_get_application (GTK_WINDOW (self->site.window));
  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *group = g_ptr_array_index (groups, i);

      if (i == 0)
        goban_files_open_group (self, group);
      else
        g_ptr_array_extend (others, group, NULL, NULL);
    }
  if (others->len > 0 && application != NULL)
    g_application_open (G_APPLICATION (application), (GFile **) others->pdata, (int) others->len,
                        "");
}

void
goban_files_drop (GobanFiles *self, GFile *const *files, guint n)
{
  goban_file_groups_find (files, n, self->closed, open_groups_cb, self);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, GobanFiles *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (GSList *l = files; l != NULL; l = l->next)
    g_ptr_array_add (all, l->data);
  goban_files_drop (self, (GFile *const *) all->pdata, all->len);
  return files != NULL;
}

static void
accept_drops (GobanFiles *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->site.window), GTK_EVENT_CONTROLLER (target));
}

/* --- changes on disk -------------------------------------------------------------------------- */

/* (transfer full) (nullable): something else after every change. */
static char *
read_etag (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info
      = g_file_query_info (file, G_FILE_ATTRIBUTE_ETAG_VALUE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                           G_FILE_QUERY_INFO_NONE, NULL, NULL); /* a file that is gone has none */

  if (info == NULL || g_file_info_get_etag (info) == NULL)
    return NULL;
  return g_strdup_printf ("%s %" G_GOFFSET_FORMAT, g_file_info_get_etag (info),
                          g_file_info_get_size (info));
}

/* Reads the open session or graph again; changes are lost. */
static void
read_again (gpointer data)
{
  GobanFiles *self = data;
  const char *session = goban_document_get_path (self->document);
  g_autofree char *path = g_strdup (goban_session_get_path (self->site.session));

  if (session != NULL)
    goban_document_open (self->document, session, NULL);
  else if (path != NULL)
    goban_session_open_path (self->site.session, path);
}

/* Asks the user unless there are no changes, or the user has already agreed to discard them. */
static void
reload_instead (GobanFiles *self)
{
  g_autofree char *path = goban_site_dup_file (&self->site);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : g_strdup ("");

  goban_files_replace (self, &(GobanReplacement){ name, read_again, self, NULL });
}

static void
reload_answer_cb (int choice, gpointer user_data)
{
  if (choice == 0)
    reload_instead (user_data);
}

/* The question already named the loss. */
static void
reload_and_lose_cb (int choice, gpointer user_data)
{
  GobanFiles *self = user_data;

  if (choice != 0)
    return;
  goban_document_discard (self->document);
  read_again (self);
}

/* Reading the file clears the undo stack; a loss is announced first. @text: (transfer full) */
static void
ask_reload (GobanFiles *self, char *text)
{
  const char *const labels[] = { _ ("Reload"), _ ("Ignore"), NULL };
  gboolean is_session = goban_document_get_path (self->document) != NULL;
  gboolean is_changed = goban_document_is_changed (self->document);
  const char *loss = "";
  g_autofree char *name = text;
  g_autofree char *all = NULL;

  if (is_changed && is_session)
    loss = _ (". Reloading cannot be undone: what is not saved is lost");
  else if (is_changed || goban_session_get_undo_name (self->site.session) != NULL)
    loss = _ (". Reloading cannot be undone; plans go on by the names of their nodes");
  all = g_strconcat (name, loss, NULL);
  goban_notice_bar_ask (self->site.notice, &(GobanQuestion){ .key = KEY_RELOAD,
                                                             .text = all,
                                                             .labels = labels,
                                                             .func = is_changed ? reload_and_lose_cb
                                                                                : reload_answer_cb,
                                                             .user_data = self });
}

static void
reload_command (GobanFiles *self, GVariant *parameter)
{
  g_autofree char *path = goban_site_dup_file (&self->site);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (name != NULL && goban_document_is_changed (self->document))
    ask_reload (self, g_strdup_printf (_ ("Reload %s?"), name));
  else
    read_again (self);
}

static gboolean
settle_cb (gpointer user_data)
{
  GobanFiles *self = user_data;
  g_autofree char *path = goban_site_dup_file (&self->site);
  g_autofree char *etag = path != NULL ? read_etag (path) : NULL;
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  self->settle_id = 0;
  if (etag == NULL || g_strcmp0 (etag, self->etag) == 0)
    return G_SOURCE_REMOVE;

  g_free (self->etag);
  self->etag = g_steal_pointer (&etag);
  ask_reload (self, g_strdup_printf (_ ("%s has changed on disk"), name));
  return G_SOURCE_REMOVE;
}

static void
file_changed_cb (GobanFiles *self)
{
  g_clear_handle_id (&self->settle_id, g_source_remove);
  self->settle_id = g_timeout_add (SETTLE_MS, settle_cb, self);
}

/* A file that the program itself has just read or written has not changed. */
static void
watch (GobanFiles *self)
{
  g_autofree char *path = goban_site_dup_file (&self->site);
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->etag, g_free);
  goban_notice_bar_withdraw (self->site.notice, KEY_RELOAD);
  if (file == NULL)
    return;
  self->etag = read_etag (path);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  /* Not supported by every file system: then changes are not detected. */
  if (self->monitor == NULL)
    return;
  g_object_set_data (G_OBJECT (self->monitor), GOBAN_OWN_MONITOR, self);
  GOBAN_CONNECT (self->monitor, "changed", file_changed_cb, self);
}

/* --- saving ----------------------------------------------------------------------------------- */

static void
save_to (gpointer data, GFile *file)
{
  GobanFiles *self = data;
  g_autofree char *path = g_file_get_path (file);

  store_typed (self);
  /* The dialog has asked about a file that is there. */
  if (path != NULL)
    goban_document_save_anyway (self->document, path);
}

static void
save_as (GobanFiles *self, GVariant *parameter)
{
  GobanFileTarget target
      = { _ ("Save the session"), GOBAN_SESSION_SUFFIX, goban_document_get_path (self->document) };

  goban_file_chooser_save (self->chooser, &target, save_to, self);
}

static void
save (GobanFiles *self, GVariant *parameter)
{
  const char *path = goban_document_get_path (self->document);

  store_typed (self);
  if (path != NULL)
    goban_document_save (self->document, path);
  else
    save_as (self, NULL);
}

static void
conflict_answer_cb (int choice, gpointer user_data)
{
  GobanFiles *self = user_data;
  const char *path = goban_document_get_path (self->document);

  if (choice == 0)
    save_as (self, NULL);
  else if (choice == 2 && path != NULL)
    goban_document_save_anyway (self->document, path);
  else
    give_up (self);
  /* The replaced file exists nowhere else, so it can be restored. */
  if (choice == 1)
    read_again (self);
}

/* Two programs, or two windows, have the same file open. */
static void
conflict_cb (GobanDocument *document, const char *path, GobanFiles *self)
{
  /* The first has the focus: the answer that loses nothing. */
  const char *const labels[] = { _ ("Save as…"), _ ("Reload"), _ ("Save anyway"), NULL };
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf (
      _ ("Another program has changed %s, and saving would replace its changes"), name);

  goban_notice_bar_ask (self->site.notice, &(GobanQuestion){ .key = KEY_CONFLICT,
                                                             .text = text,
                                                             .labels = labels,
                                                             .func = conflict_answer_cb,
                                                             .user_data = self,
                                                             .is_urgent = TRUE });
}

/* --- a session whose graph is gone ------------------------------------------------------------ */

static void
graph_found (gpointer data, GFile *file)
{
  GobanFiles *self = data;
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *session = g_steal_pointer (&self->lost_path);

  if (path != NULL && session != NULL)
    {
      g_autofree char *name = g_filename_display_basename (session);
      Target lost
          = { .self = self, .path = g_steal_pointer (&session), .graph = g_steal_pointer (&path) };

      goban_files_replace (
          self,
          &(GobanReplacement){ name, open_target, g_memdup2 (&lost, sizeof lost), target_free });
    }
}

static void
graph_answer_cb (int choice, gpointer user_data)
{
  GobanFiles *self = user_data;

  if (choice == 0)
    goban_file_chooser_open (self->chooser, _ ("Find the graph of the session"), graph_found, self);
}

static void
graph_missing_cb (GobanDocument *document, const char *path, const char *graph_path,
                  GobanFiles *self)
{
  const char *const labels[] = { _ ("Find it…"), NULL };
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *graph = g_filename_display_basename (graph_path);
  g_autofree char *text = g_strdup_printf (_ ("The graph of %s was not found: %s"), name, graph);

  g_free (self->lost_path);
  self->lost_path = g_strdup (path);
  goban_notice_bar_ask (self->site.notice, &(GobanQuestion){ .key = KEY_GRAPH,
                                                             .text = text,
                                                             .labels = labels,
                                                             .func = graph_answer_cb,
                                                             .user_data = self });
}

/* The conflict, and the file that was watched, were of another place. */
static void
place_changed_cb (GobanFiles *self)
{
  goban_notice_bar_withdraw (self->site.notice, KEY_CONFLICT);
  watch (self);
}

/* --- the demonstration: the first step of the start page -------------------------------------- */

static void
set_stage (GobanFiles *self, Stage stage)
{
  self->demonstration.stage = stage;
  if (stage == AT_REST)
    g_clear_pointer (&self->demonstration.before, goban_graph_unref);
}

static void
demonstrate (GobanFiles *self, GVariant *parameter)
{
  GobanGraph *graph = goban_session_get_graph (self->site.session);
  g_autoptr (GFile) file = NULL;

  if (self->demonstration.sample == NULL)
    return;
  file = g_file_new_for_path (self->demonstration.sample);
  set_stage (self, AT_REST);
  self->demonstration.before = graph != NULL ? goban_graph_ref (graph) : NULL;
  set_stage (self, OPENING);
  goban_files_open (self, file);
}

static void
show_first_decision (GobanFiles *self)
{
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("decisions"));
  if (goban_view_get_moment (goban_session_get_view (self->site.session)) == GOBAN_NO_MOMENT)
    goban_view_set_moment (goban_session_get_view (self->site.session), 1);
}

/* Each stage ends when its job does; a job that failed or was stopped ends the demonstration. */
static gboolean
look_cb (gpointer user_data)
{
  GobanFiles *self = user_data;
  GobanSession *session = self->site.session;
  GobanRun *run = goban_session_get_current_run (session);

  self->demonstration.look_id = 0;
  if (goban_session_get_job (session) != NULL)
    return G_SOURCE_REMOVE;
  if (self->demonstration.stage == OPENING
      && goban_session_get_graph (session) != self->demonstration.before && run != NULL)
    {
      set_stage (self, PLACING);
      goban_session_place (session, POLICY, 0);
      return G_SOURCE_REMOVE;
    }
  if (self->demonstration.stage == PLACING && run != NULL
      && g_str_equal (goban_plan_get_policy (goban_run_get_plan (run)), POLICY))
    show_first_decision (self);
  if (self->demonstration.stage == PLACING)
    set_stage (self, AT_REST);
  return G_SOURCE_REMOVE;
}

static void
job_changed_cb (GobanFiles *self)
{
  if (self->demonstration.stage != AT_REST && self->demonstration.look_id == 0)
    self->demonstration.look_id = g_idle_add (look_cb, self);
}

void
goban_files_set_samples (GobanFiles *self, const char *folder)
{
  const char *const actions[] = { "watch", NULL };

  g_return_if_fail (GOBAN_IS_FILES (self));

  goban_file_chooser_set_samples (self->chooser, folder);
  g_free (self->demonstration.sample);
  self->demonstration.sample = folder != NULL ? g_build_filename (folder, SAMPLE, NULL) : NULL;
  if (self->demonstration.sample != NULL
      && !g_file_test (self->demonstration.sample, G_FILE_TEST_EXISTS))
    g_clear_pointer (&self->demonstration.sample, g_free);
  goban_site_set_enabled (&self->site, actions, self->demonstration.sample != NULL);
}

static const GobanCommand commands[] = {
  { "open", G_CALLBACK (choose_file) },  { "open-path", G_CALLBACK (open_path) },
  { "generate", G_CALLBACK (generate) }, { "reload", G_CALLBACK (reload_command) },
  { "save", G_CALLBACK (save) },         { "save-as", G_CALLBACK (save_as) },
  { "watch", G_CALLBACK (demonstrate) },
};

/* --- autosave, and offers to restore what was not saved --------------------------------------- */

static void ask_recovery (GobanFiles *self);

static void
recovered_cb (gboolean is_open, gpointer user_data)
{
  GobanFiles *self = user_data;
  GobanRecovery *recovery = self->recovery.offered->pdata[0];

  self->recovery.is_restoring = FALSE;
  /* A file that cannot be opened stays for the next time; its error has been shown. */
  g_ptr_array_steal_index (self->recovery.offered, 0);
  if (is_open && self->recovery.autosave != NULL)
    goban_autosave_adopt (self->recovery.autosave, recovery);
  else
    goban_recovery_free (recovery);
  if (is_open)
    goban_header_update (self->recovery.header);
  ask_recovery (self);
}

static void
recover_cb (gpointer data)
{
  GobanFiles *self = data;

  goban_notice_bar_withdraw (self->site.notice, KEY_RECOVERY);
  if (self->recovery.is_restoring || self->recovery.offered == NULL
      || self->recovery.offered->len == 0)
    return;
  self->recovery.is_restoring = TRUE;
  goban_document_recover (self->document,
                          goban_recovery_get_path (self->recovery.offered->pdata[0]), recovered_cb,
                          self);
}

static void
recovery_answer_cb (int choice, gpointer user_data)
{
  GobanFiles *self = user_data;

  if (choice == 0)
    {
      /* The open session may be unsaved too; the user is asked again before it is replaced. */
      ask_recovery (self);
      goban_files_replace (self, &(GobanReplacement){ NULL, recover_cb, self, NULL });
      return;
    }
  for (guint i = 0; i < self->recovery.offered->len && (choice == 1 ? i == 0 : choice == 2); i++)
    goban_recovery_discard (self->recovery.offered->pdata[i]);
  g_ptr_array_remove_range (self->recovery.offered, 0,
                            choice == 2 ? self->recovery.offered->len : 1);
  ask_recovery (self);
}

static void
ask_recovery (GobanFiles *self)
{
  GPtrArray *recoveries = self->recovery.offered;
  gboolean has_many = recoveries->len > 1;
  const char *const labels[]
      = { _ ("Restore"), _ ("Discard"), has_many ? _ ("Discard all") : NULL, NULL };

  if (recoveries->len == 0 || self->recovery.is_restoring)
    return;
  goban_notice_bar_ask (self->site.notice,
                        &(GobanQuestion){ .key = KEY_RECOVERY,
                                          .text = goban_recovery_get_text (recoveries->pdata[0]),
                                          .labels = labels,
                                          .func = recovery_answer_cb,
                                          .user_data = self });
}

static gpointer
find_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return goban_recovery_find (data);
}

static void
found_cb (GobanJob *job, GobanFiles *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *found = goban_job_steal_result (job, &error);

  if (found == NULL)
    return;
  g_ptr_array_extend_and_steal (self->recovery.offered, found);
  ask_recovery (self);
}

/* A script opened something else, or a command whose question was about less than was there in the
 * end. */
static void
replaced_cb (GobanRecovery *recovery, gpointer user_data)
{
  GobanFiles *self = user_data;

  g_ptr_array_add (self->recovery.offered, recovery);
  if (self->recovery.offered->len > MAX_OFFERED)
    g_ptr_array_remove_index (self->recovery.offered, self->recovery.is_restoring ? 1 : 0);
  ask_recovery (self);
}

void
goban_files_offer_recovery (GobanFiles *self)
{
  g_autoptr (GobanJob) job = NULL;

  g_return_if_fail (GOBAN_IS_FILES (self));

  job = goban_job_start ("Looking for what was not saved", find_worker, goban_recovery_folder (),
                         g_free, (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (job, "done", G_CALLBACK (found_cb), self, 0);
}

void
goban_files_update_autosave (GobanFiles *self)
{
  if (self->recovery.autosave != NULL)
    goban_autosave_set_enabled (
        self->recovery.autosave,
        goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_AUTOSAVE));
}

void
goban_files_close (GobanFiles *self)
{
  goban_document_finish (self->document);
  if (self->recovery.autosave != NULL)
    goban_autosave_close (self->recovery.autosave);
}

static void
start_autosave (GobanFiles *self)
{
  g_autofree char *folder = goban_recovery_folder ();

  self->recovery.autosave = goban_autosave_new (self->document, folder, AUTOSAVE_MS);
  goban_autosave_set_replaced_func (self->recovery.autosave, replaced_cb, self);
  goban_files_update_autosave (self);
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_files_clear (GobanFiles *self)
{
  stop_replacing (self);
  stop_following (self);
  if (self->closed != NULL)
    g_cancellable_cancel (self->closed);
  g_clear_object (&self->closed);
  g_clear_pointer (&self->following.followers, g_ptr_array_unref);
  g_clear_pointer (&self->following.of_read, g_ptr_array_unref);
  goban_site_drop_dialog (&self->generator);
  g_clear_pointer (&self->lost_path, g_free);
  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->etag, g_free);
  g_clear_handle_id (&self->demonstration.look_id, g_source_remove);
  g_clear_pointer (&self->demonstration.sample, g_free);
  g_clear_pointer (&self->demonstration.before, goban_graph_unref);
  if (self->recovery.autosave != NULL)
    goban_autosave_close (self->recovery.autosave);
  g_clear_pointer (&self->recovery.autosave, goban_autosave_free);
  g_clear_pointer (&self->recovery.offered, g_ptr_array_unref);
}

GobanFiles *
goban_files_new (const GobanSite *site, GobanFileChooser *chooser, GobanScripts *scripts,
                 GobanNotesView *notes, GobanHeader *header)
{
  GobanFiles *self = g_object_new (GOBAN_TYPE_FILES, NULL);
  GobanSession *session = site->session;

  self->site = *site;
  self->closed = g_cancellable_new ();
  self->document = goban_document_get (session);
  self->chooser = chooser;
  self->scripts = scripts;
  self->notes = notes;
  accept_drops (self);
  GOBAN_CONNECT (chooser, "given-up", give_up, self);
  g_signal_connect_object (self->document, "saved", G_CALLBACK (saved_cb), self, 0);
  g_signal_connect_object (self->document, "conflict", G_CALLBACK (conflict_cb), self, 0);
  g_signal_connect_object (self->document, "graph-missing", G_CALLBACK (graph_missing_cb), self, 0);
  GOBAN_CONNECT (self->document, "notify::path", place_changed_cb, self);
  GOBAN_CONNECT (session, "notify::graph", place_changed_cb, self);
  GOBAN_CONNECT (session, "replacing", store_typed, self);
  GOBAN_CONNECT (session, "notify::job", job_changed_cb, self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  goban_files_set_samples (self, NULL);
  self->recovery.header = header;
  self->recovery.offered = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_recovery_free);
  if (site->settings != NULL)
    start_autosave (self);
  return self;
}
