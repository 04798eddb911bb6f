/* window-document.c: the session file of a window: saving, recovery, what has changed on disk, recent files. */
#include "ui/shell/window-private.h"

#include "engine/base/i18n.h"
#include "engine/document/autosave.h"
#include "engine/run/graph-source.h"
#include "engine/session/session-history.h"
#include "ui/shell/recent-files.h"

/* Writing begins so long after a change that a crash takes less than a second. */
#define AUTOSAVE_MS 700
#define MAX_RECENT 9
/* Each holds a file open. Those before are offered by the next start. */
#define MAX_OFFERED 32
/* An editor may write a file in several steps: it is settled this long after the last. */
#define SETTLE_MS 400

#define KEY_RELOAD "reload"
#define KEY_RECOVERY "recovery"
#define KEY_GRAPH "graph"
#define KEY_CONFLICT "conflict"

struct _GobanWindowFiles
{
  GobanWindow *window; /* it owns us */
  GobanDocument *document;
  GobanAutosave *autosave; /* (nullable): a window that remembers nothing writes nothing down */
  GPtrArray *recoveries;   /* GobanRecovery, asked about one after the other */
  gboolean is_restoring;   /* the first of them */
  GFileMonitor *monitor;   /* (nullable): of the file that is open */
  guint settle_id;
  char *etag;      /* (nullable): of the file as it was read */
  char *lost_path; /* (nullable): the session whose graph is being looked for */
  GMenu *recent;
};

/* --- saving --------------------------------------------------------------------------------------- */

static void
save_to (GobanWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  goban_notes_view_flush (GOBAN_NOTES_VIEW (self->notes));
  /* The dialog has asked about a file that is there. */
  if (path != NULL)
    goban_document_save_anyway (self->files->document, path);
}

void
goban_window_save_session_as (GobanWindow *self, GVariant *parameter)
{
  const char *path = goban_document_get_path (self->files->document);

  goban_window_choose_target (self, _ ("Save the session"), GOBAN_SESSION_SUFFIX, path, save_to);
}

void
goban_window_save_session (GobanWindow *self, GVariant *parameter)
{
  const char *path = goban_document_get_path (self->files->document);

  goban_notes_view_flush (GOBAN_NOTES_VIEW (self->notes));
  if (path != NULL)
    goban_document_save (self->files->document, path);
  else
    goban_window_save_session_as (self, NULL);
}

static void
conflict_answer_cb (int choice, gpointer user_data)
{
  GobanWindow *self = user_data;
  const char *path = goban_document_get_path (self->files->document);

  if (choice == 0)
    goban_window_save_session_as (self, NULL);
  else if (choice == 2 && path != NULL)
    goban_document_save_anyway (self->files->document, path);
  else
    goban_window_give_up_saving (self);
  /* What this takes the place of is nowhere else, so it can be restored. */
  if (choice == 1)
    goban_window_reload_now (self);
}

/* Two programs, or two windows, have the same file open. */
static void
conflict_cb (GobanDocument *document, const char *path, GobanWindow *self)
{
  /* The first has the focus: what loses nothing. */
  const char *const labels[] = { _ ("Save as…"), _ ("Reload"), _ ("Save anyway"), NULL };
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf (
      _ ("Another program has changed %s, and saving would replace its changes"), name);

  goban_notice_bar_ask (GOBAN_NOTICE_BAR (self->notice),
                        &(GobanQuestion){ .key = KEY_CONFLICT,
                                          .text = text,
                                          .labels = labels,
                                          .func = conflict_answer_cb,
                                          .user_data = self,
                                          .is_urgent = TRUE });
}

void
goban_window_open_session (GobanWindow *self, const char *path)
{
  goban_document_open (self->files->document, path, NULL);
}

/* --- a session whose graph is gone ----------------------------------------------------------------- */

typedef struct
{
  char *session;
  char *graph;
} Lost;

static void
lost_free (gpointer data)
{
  Lost *lost = data;

  g_free (lost->session);
  g_free (lost->graph);
  g_free (lost);
}

static void
open_lost (GobanWindow *self, gpointer data)
{
  const Lost *lost = data;

  goban_document_open (self->files->document, lost->session, lost->graph);
}

static void
graph_found (GobanWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *session = g_steal_pointer (&self->files->lost_path);

  if (path != NULL && session != NULL)
    {
      g_autofree char *name = g_filename_display_basename (session);
      Lost lost = { g_steal_pointer (&session), g_steal_pointer (&path) };

      goban_window_replace (
          self, &(GobanReplacement){ name, open_lost, g_memdup2 (&lost, sizeof lost), lost_free });
    }
}

static void
graph_answer_cb (int choice, gpointer user_data)
{
  GobanWindow *self = user_data;

  if (choice == 0)
    goban_window_choose_open (self, _ ("Find the graph of the session"), graph_found);
}

static void
graph_missing_cb (GobanDocument *document, const char *path, const char *graph_path,
                  GobanWindow *self)
{
  const char *const labels[] = { _ ("Find it…"), NULL };
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *graph = g_filename_display_basename (graph_path);
  g_autofree char *text = g_strdup_printf (_ ("The graph of %s was not found: %s"), name, graph);

  g_free (self->files->lost_path);
  self->files->lost_path = g_strdup (path);
  goban_notice_bar_ask (GOBAN_NOTICE_BAR (self->notice), &(GobanQuestion){ .key = KEY_GRAPH,
                                                                           .text = text,
                                                                           .labels = labels,
                                                                           .func = graph_answer_cb,
                                                                           .user_data = self });
}

/* --- what has changed on disk ---------------------------------------------------------------------- */

/* The session's file, else the graph's; (transfer full) (nullable). */
static char *
dup_watched (GobanWindow *self)
{
  const char *path = goban_document_get_path (self->files->document);

  if (path == NULL)
    path = goban_session_get_path (self->session);
  return path != NULL && !goban_graph_source_is_spec (path) ? g_strdup (path) : NULL;
}

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

static void
reload (GobanWindow *self, gpointer data)
{
  goban_window_reload_now (self);
}

/* Asks the user unless there are no changes, or the user has already agreed to discard them. */
static void
reload_instead (GobanWindow *self)
{
  g_autofree char *path = dup_watched (self);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : g_strdup ("");

  goban_window_replace (self, &(GobanReplacement){ name, reload, NULL, NULL });
}

static void
reload_answer_cb (int choice, gpointer user_data)
{
  if (choice == 0)
    reload_instead (user_data);
}

/* The question had said what is lost. */
static void
reload_and_lose_cb (int choice, gpointer user_data)
{
  GobanWindow *self = user_data;

  if (choice != 0)
    return;
  goban_document_discard (self->files->document);
  goban_window_reload_now (self);
}

/* Undo begins anew with what is read: where that loses something, it is said before. @text: (transfer full) */
static void
ask_reload (GobanWindow *self, char *text)
{
  const char *const labels[] = { _ ("Reload"), _ ("Ignore"), NULL };
  gboolean is_session = goban_document_get_path (self->files->document) != NULL;
  gboolean is_changed = goban_document_is_changed (self->files->document);
  const char *loss = "";
  g_autofree char *name = text;
  g_autofree char *all = NULL;

  if (is_changed && is_session)
    loss = _ (". Reloading cannot be undone: what is not saved is lost");
  else if (is_changed || goban_session_get_undo_name (self->session) != NULL)
    loss = _ (". Reloading cannot be undone; plans go on by the names of their nodes");
  all = g_strconcat (name, loss, NULL);
  goban_notice_bar_ask (
      GOBAN_NOTICE_BAR (self->notice),
      &(GobanQuestion){ .key = KEY_RELOAD,
                        .text = all,
                        .labels = labels,
                        .func = is_changed ? reload_and_lose_cb : reload_answer_cb,
                        .user_data = self });
}

void
goban_window_reload (GobanWindow *self, GVariant *parameter)
{
  g_autofree char *path = dup_watched (self);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (name != NULL && goban_document_is_changed (self->files->document))
    ask_reload (self, g_strdup_printf (_ ("Reload %s?"), name));
  else
    goban_window_reload_now (self);
}

static gboolean
settle_cb (gpointer user_data)
{
  GobanWindow *self = user_data;
  GobanWindowFiles *files = self->files;
  g_autofree char *path = dup_watched (self);
  g_autofree char *etag = path != NULL ? read_etag (path) : NULL;
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  files->settle_id = 0;
  if (etag == NULL || g_strcmp0 (etag, files->etag) == 0)
    return G_SOURCE_REMOVE;

  g_free (files->etag);
  files->etag = g_steal_pointer (&etag);
  ask_reload (self, g_strdup_printf (_ ("%s has changed on disk"), name));
  return G_SOURCE_REMOVE;
}

static void
file_changed_cb (GobanWindow *self)
{
  g_clear_handle_id (&self->files->settle_id, g_source_remove);
  self->files->settle_id = g_timeout_add (SETTLE_MS, settle_cb, self);
}

/* A file that the program itself has just read or written has not changed. */
static void
watch (GobanWindow *self)
{
  GobanWindowFiles *files = self->files;
  g_autofree char *path = dup_watched (self);
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  g_clear_handle_id (&files->settle_id, g_source_remove);
  g_clear_object (&files->monitor);
  g_clear_pointer (&files->etag, g_free);
  goban_notice_bar_withdraw (GOBAN_NOTICE_BAR (self->notice), KEY_RELOAD);
  goban_notice_bar_withdraw (GOBAN_NOTICE_BAR (self->notice), KEY_CONFLICT);
  if (file == NULL)
    return;
  files->etag = read_etag (path);
  files->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (files->monitor != NULL) /* not supported by every file system: then changes are not
                                 detected */
    g_signal_connect_object (files->monitor, "changed", G_CALLBACK (file_changed_cb), self,
                             G_CONNECT_SWAPPED);
}

/* --- recent files ----------------------------------------------------------------------------------- */

/* (transfer full) */
static char **
list_recent (GobanWindow *self)
{
  int limit = self->settings != NULL
                  ? goban_settings_get_int (self->settings, GOBAN_SETTING_RECENT_LIMIT)
                  : 0;

  return goban_recent_files_list ((guint) CLAMP (limit, 0, MAX_RECENT));
}

void
goban_window_update_recent (GobanWindow *self)
{
  g_auto (GStrv) paths = list_recent (self);

  g_menu_remove_all (self->files->recent);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);
      g_autofree char *target = goban_recent_files_dup_target (paths[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);

      g_menu_item_set_action_and_target (item, "win.open-path", "s", target);
      g_menu_append_item (self->files->recent, item);
    }
  goban_start_page_set_recent (GOBAN_START_PAGE (self->start), (const char *const *) paths);
}

/* A program that remembers nothing leaves no trace among the files used lately either. */
static void
remember (GobanWindow *self)
{
  g_autofree char *path = self->settings != NULL ? dup_watched (self) : NULL;

  if (path != NULL)
    goban_recent_files_add (path);
}

/* The n-th recent file by Ctrl+n, while nothing is open: later the same keys colour. */
static gboolean
recent_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
               GdkModifierType state, GobanWindow *self)
{
  g_auto (GStrv) paths = NULL;
  g_autofree char *target = NULL;
  guint n = keyval - GDK_KEY_1;

  if ((state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK || keyval < GDK_KEY_1
      || keyval > GDK_KEY_9 || goban_session_get_graph (self->session) != NULL)
    return FALSE;
  paths = list_recent (self);
  if (n >= g_strv_length (paths))
    return FALSE;
  target = goban_recent_files_dup_target (paths[n]);
  g_action_group_activate_action (G_ACTION_GROUP (self), "open-path",
                                  g_variant_new_string (target));
  return TRUE;
}

/* --- recovery ---------------------------------------------------------------------------------------- */

static void ask_recovery (GobanWindow *self);

static void
recovered_cb (gboolean is_open, gpointer user_data)
{
  GobanWindow *self = user_data;
  GobanRecovery *recovery = self->files->recoveries->pdata[0];

  self->files->is_restoring = FALSE;
  /* What cannot be opened stays for the next time, and the reason has been said. */
  g_ptr_array_steal_index (self->files->recoveries, 0);
  if (is_open && self->files->autosave != NULL)
    goban_autosave_adopt (self->files->autosave, recovery);
  else
    goban_recovery_free (recovery);
  if (is_open)
    goban_window_update_title (self);
  ask_recovery (self);
}

static void
restore (GobanWindow *self, gpointer data)
{
  GobanWindowFiles *files = self->files;

  goban_notice_bar_withdraw (GOBAN_NOTICE_BAR (self->notice), KEY_RECOVERY);
  if (files->is_restoring || files->recoveries == NULL || files->recoveries->len == 0)
    return;
  files->is_restoring = TRUE;
  goban_document_recover (files->document, goban_recovery_get_path (files->recoveries->pdata[0]),
                          recovered_cb, self);
}

static void
recovery_answer_cb (int choice, gpointer user_data)
{
  GobanWindow *self = user_data;
  GobanWindowFiles *files = self->files;

  if (choice == 0)
    {
      /* What is open here is somebody's work as well; who keeps it is asked again. */
      ask_recovery (self);
      goban_window_replace (self, &(GobanReplacement){ NULL, restore, NULL, NULL });
      return;
    }
  for (guint i = 0; i < files->recoveries->len && (choice == 1 ? i == 0 : choice == 2); i++)
    goban_recovery_discard (files->recoveries->pdata[i]);
  g_ptr_array_remove_range (files->recoveries, 0, choice == 2 ? files->recoveries->len : 1);
  ask_recovery (self);
}

static void
ask_recovery (GobanWindow *self)
{
  GPtrArray *recoveries = self->files->recoveries;
  gboolean has_many = recoveries->len > 1;
  const char *const labels[]
      = { _ ("Restore"), _ ("Discard"), has_many ? _ ("Discard all") : NULL, NULL };

  if (recoveries->len == 0 || self->files->is_restoring)
    return;
  goban_notice_bar_ask (GOBAN_NOTICE_BAR (self->notice),
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
found_cb (GobanJob *job, GobanWindow *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *found = goban_job_steal_result (job, &error);

  if (found == NULL)
    return;
  g_ptr_array_extend_and_steal (self->files->recoveries, found);
  ask_recovery (self);
}

/* A script opened something else, or a command whose question was about less than was there in the end. */
static void
replaced_cb (GobanRecovery *recovery, gpointer user_data)
{
  GobanWindow *self = user_data;

  g_ptr_array_add (self->files->recoveries, recovery);
  if (self->files->recoveries->len > MAX_OFFERED)
    g_ptr_array_remove_index (self->files->recoveries, self->files->is_restoring ? 1 : 0);
  ask_recovery (self);
}

void
goban_window_offer_recovery (GobanWindow *self)
{
  g_autoptr (GobanJob) job = NULL;

  g_return_if_fail (GOBAN_IS_WINDOW (self));

  job = goban_job_start ("Looking for what was not saved", find_worker, goban_recovery_folder (),
                         g_free, (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (job, "done", G_CALLBACK (found_cb), self, 0);
}

/* --- life --------------------------------------------------------------------------------------------- */

static void
document_changed_cb (GobanWindow *self)
{
  goban_window_update_title (self);
}

/* The words that are being typed belong to what goes. */
static void
replacing_cb (GobanWindow *self)
{
  goban_notes_view_flush (GOBAN_NOTES_VIEW (self->notes));
}

static void
place_changed_cb (GobanWindow *self)
{
  watch (self);
  remember (self);
  goban_window_update_title (self);
}

void
goban_window_update_autosave (GobanWindow *self)
{
  if (self->files->autosave != NULL)
    goban_autosave_set_enabled (
        self->files->autosave, goban_settings_get_boolean (self->settings, GOBAN_SETTING_AUTOSAVE));
}

static void
add_recent_menu (GobanWindow *self)
{
  g_autoptr (GMenuModel) files = g_menu_model_get_item_link (self->menu, 0, G_MENU_LINK_SECTION);

  self->files->recent = g_menu_new ();
  if (G_IS_MENU (files))
    g_menu_insert_submenu (G_MENU (files), 1, _ ("Open _recent"),
                           G_MENU_MODEL (self->files->recent));
}

void
goban_window_follow_document (GobanWindow *self)
{
  GobanWindowFiles *files = g_new0 (GobanWindowFiles, 1);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_autofree char *folder = goban_recovery_folder ();

  self->files = files;
  files->window = self;
  files->document = goban_document_get (self->session);
  files->recoveries = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_recovery_free);
  if (self->settings != NULL)
    {
      files->autosave = goban_autosave_new (files->document, folder, AUTOSAVE_MS);
      goban_autosave_set_replaced_func (files->autosave, replaced_cb, self);
    }
  g_signal_connect_object (self->session, "replacing", G_CALLBACK (replacing_cb), self,
                           G_CONNECT_SWAPPED);
  goban_window_update_autosave (self);
  goban_window_follow_replacing (self);
  add_recent_menu (self);
  g_signal_connect_object (files->document, "notify::changed", G_CALLBACK (document_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (files->document, "notify::path", G_CALLBACK (place_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (files->document, "touched", G_CALLBACK (document_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (files->document, "conflict", G_CALLBACK (conflict_cb), self, 0);
  g_signal_connect_object (files->document, "graph-missing", G_CALLBACK (graph_missing_cb), self,
                           0);
  g_signal_connect_object (self->session, "notify::graph", G_CALLBACK (place_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                           G_CALLBACK (goban_window_update_recent), self, G_CONNECT_SWAPPED);
  goban_window_update_recent (self);

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (recent_key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
goban_window_close_document (GobanWindow *self)
{
  goban_notes_view_flush (GOBAN_NOTES_VIEW (self->notes));
  goban_document_finish (self->files->document);
  if (self->files->autosave != NULL)
    goban_autosave_close (self->files->autosave);
}

void
goban_window_drop_document (GobanWindow *self)
{
  GobanWindowFiles *files = self->files;

  if (files == NULL)
    return;
  goban_window_stop_replacing (self);
  self->files = NULL;
  g_clear_handle_id (&files->settle_id, g_source_remove);
  if (files->autosave != NULL)
    goban_autosave_close (files->autosave);
  g_clear_pointer (&files->autosave, goban_autosave_free);
  g_clear_pointer (&files->recoveries, g_ptr_array_unref);
  g_clear_object (&files->monitor);
  g_clear_object (&files->recent);
  g_free (files->etag);
  g_free (files->lost_path);
  g_free (files);
}
