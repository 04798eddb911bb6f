#include "ui/documents/saving.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "ui/panels/scene-bar.h"

#define KEY_GRAPH "graph"
#define KEY_CONFLICT "conflict"

struct _GobanSaving
{
  GObject parent;

  GobanSite site;
  GobanDocument *document;
  GobanFileChooser *chooser;
  GobanReplacing *replacing;
  GobanOpening *opening;
  GobanNotesView *notes;
  char *lost_path; /* (nullable): the session whose graph is being looked for */
};

G_DEFINE_FINAL_TYPE (GobanSaving, goban_saving, G_TYPE_OBJECT)

static void
save_to (gpointer data, GFile *file)
{
  GobanSaving *self = data;
  g_autofree char *path = g_file_get_path (file);

  goban_notes_view_flush (self->notes);
  goban_scene_bar_store_focused (GTK_WIDGET (self->site.window));
  /* The dialog has asked about a file that is there. */
  if (path != NULL)
    goban_document_save_anyway (self->document, path);
}

static void
save_as (GobanSaving *self, GVariant *parameter)
{
  GobanFileTarget target
      = { _ ("Save the session"), GOBAN_SESSION_SUFFIX, goban_document_get_path (self->document) };

  goban_file_chooser_save (self->chooser, &target, save_to, self);
}

static void
save (GobanSaving *self, GVariant *parameter)
{
  const char *path = goban_document_get_path (self->document);

  goban_notes_view_flush (self->notes);
  goban_scene_bar_store_focused (GTK_WIDGET (self->site.window));
  if (path != NULL)
    goban_document_save (self->document, path);
  else
    save_as (self, NULL);
}

static void
conflict_answer_cb (int choice, gpointer user_data)
{
  GobanSaving *self = user_data;
  const char *path = goban_document_get_path (self->document);

  if (choice == 0)
    save_as (self, NULL);
  else if (choice == 2 && path != NULL)
    goban_document_save_anyway (self->document, path);
  else
    goban_replacing_give_up (self->replacing);
  /* The replaced file exists nowhere else, so it can be restored. */
  if (choice == 1)
    goban_opening_reload (self->opening);
}

/* Two programs, or two windows, have the same file open. */
static void
conflict_cb (GobanDocument *document, const char *path, GobanSaving *self)
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

typedef struct
{
  GobanDocument *document;
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
open_lost (gpointer data)
{
  const Lost *lost = data;

  goban_document_open (lost->document, lost->session, lost->graph);
}

static void
graph_found (gpointer data, GFile *file)
{
  GobanSaving *self = data;
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *session = g_steal_pointer (&self->lost_path);

  if (path != NULL && session != NULL)
    {
      g_autofree char *name = g_filename_display_basename (session);
      Lost lost = { self->document, g_steal_pointer (&session), g_steal_pointer (&path) };

      goban_replacing_start (
          self->replacing,
          &(GobanReplacement){ name, open_lost, g_memdup2 (&lost, sizeof lost), lost_free });
    }
}

static void
graph_answer_cb (int choice, gpointer user_data)
{
  GobanSaving *self = user_data;

  if (choice == 0)
    goban_file_chooser_open (self->chooser, _ ("Find the graph of the session"), graph_found, self);
}

static void
graph_missing_cb (GobanDocument *document, const char *path, const char *graph_path,
                  GobanSaving *self)
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

/* --- following -------------------------------------------------------------------------------- */

/* A note that is being typed belongs to the replaced session. */
static void
replacing_cb (GobanSaving *self)
{
  goban_notes_view_flush (self->notes);
  goban_scene_bar_store_focused (GTK_WIDGET (self->site.window));
}

/* The conflict was of another file. */
static void
place_changed_cb (GobanSaving *self)
{
  goban_notice_bar_withdraw (self->site.notice, KEY_CONFLICT);
}

static const GobanCommand commands[] = {
  { "save", G_CALLBACK (save) },
  { "save-as", G_CALLBACK (save_as) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_saving_dispose (GObject *object)
{
  GobanSaving *self = GOBAN_SAVING (object);

  g_clear_pointer (&self->lost_path, g_free);
  G_OBJECT_CLASS (goban_saving_parent_class)->dispose (object);
}

static void
goban_saving_class_init (GobanSavingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_saving_dispose;
}

static void
goban_saving_init (GobanSaving *self)
{
}

GobanSaving *
goban_saving_new (const GobanSite *site, GobanFileChooser *chooser, GobanReplacing *replacing,
                  GobanOpening *opening, GobanNotesView *notes)
{
  GobanSaving *self = g_object_new (GOBAN_TYPE_SAVING, NULL);

  self->site = *site;
  self->document = goban_document_get (site->session);
  self->chooser = chooser;
  self->replacing = replacing;
  self->opening = opening;
  self->notes = notes;
  g_signal_connect_object (site->session, "replacing", G_CALLBACK (replacing_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "conflict", G_CALLBACK (conflict_cb), self, 0);
  g_signal_connect_object (self->document, "graph-missing", G_CALLBACK (graph_missing_cb), self, 0);
  g_signal_connect_object (self->document, "notify::path", G_CALLBACK (place_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (place_changed_cb), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
