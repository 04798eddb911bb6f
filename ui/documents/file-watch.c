/* Decision U52 (ui/NOTES.md). */
#include "ui/documents/file-watch.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/session/session-history.h"
#include "ui/widgets/toplevels.h"

/* An editor may write a file in several steps: it is settled this long after the last. */
#define SETTLE_MS 400

#define KEY_RELOAD "reload"

struct _GobanFileWatch
{
  GObject parent;

  GobanSite site;
  GobanDocument *document;
  GobanOpening *opening;
  GobanReplacing *replacing;
  GFileMonitor *monitor; /* (nullable) */
  guint settle_id;
  char *etag; /* (nullable): of the file as it was read */
};

G_DEFINE_FINAL_TYPE (GobanFileWatch, goban_file_watch, G_TYPE_OBJECT)

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
reload (gpointer data)
{
  goban_opening_reload (data);
}

/* Asks the user unless there are no changes, or the user has already agreed to discard them. */
static void
reload_instead (GobanFileWatch *self)
{
  g_autofree char *path = goban_site_dup_file (&self->site);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : g_strdup ("");

  goban_replacing_start (self->replacing, &(GobanReplacement){ name, reload, self->opening, NULL });
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
  GobanFileWatch *self = user_data;

  if (choice != 0)
    return;
  goban_document_discard (self->document);
  goban_opening_reload (self->opening);
}

/* Reading the file clears the undo stack; a loss is announced first. @text: (transfer full) */
static void
ask_reload (GobanFileWatch *self, char *text)
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
reload_command (GobanFileWatch *self, GVariant *parameter)
{
  g_autofree char *path = goban_site_dup_file (&self->site);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  if (name != NULL && goban_document_is_changed (self->document))
    ask_reload (self, g_strdup_printf (_ ("Reload %s?"), name));
  else
    goban_opening_reload (self->opening);
}

static gboolean
settle_cb (gpointer user_data)
{
  GobanFileWatch *self = user_data;
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
file_changed_cb (GobanFileWatch *self)
{
  g_clear_handle_id (&self->settle_id, g_source_remove);
  self->settle_id = g_timeout_add (SETTLE_MS, settle_cb, self);
}

/* A file that the program itself has just read or written has not changed. */
static void
watch (GobanFileWatch *self)
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
  g_signal_connect_object (self->monitor, "changed", G_CALLBACK (file_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

static const GobanCommand commands[] = {
  { "reload", G_CALLBACK (reload_command) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_file_watch_dispose (GObject *object)
{
  GobanFileWatch *self = GOBAN_FILE_WATCH (object);

  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->etag, g_free);

  G_OBJECT_CLASS (goban_file_watch_parent_class)->dispose (object);
}

static void
goban_file_watch_class_init (GobanFileWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_file_watch_dispose;
}

static void
goban_file_watch_init (GobanFileWatch *self)
{
}

GobanFileWatch *
goban_file_watch_new (const GobanSite *site, GobanOpening *opening, GobanReplacing *replacing)
{
  GobanFileWatch *self = g_object_new (GOBAN_TYPE_FILE_WATCH, NULL);

  self->site = *site;
  self->document = goban_document_get (site->session);
  self->opening = opening;
  self->replacing = replacing;
  g_signal_connect_object (self->document, "notify::path", G_CALLBACK (watch), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (watch), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
