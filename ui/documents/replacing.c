#include "ui/documents/replacing.h"

#include "engine/core/i18n.h"
#include "engine/session/document/document.h"
#include "engine/study/run/graph-source.h"
#include "ui/panels/scene-bar.h"

#define KEY_REPLACE "replace"

/* An action that waits for an answer, or for the changes to be saved. */
typedef struct
{
  GobanReplacement replacement;
  char *name; /* the replacement's */
  gboolean is_saving;
} Pending;

struct _GobanReplacing
{
  GObject parent;

  GobanSite site;
  GobanNotesView *notes;
  Pending *pending; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (GobanReplacing, goban_replacing, G_TYPE_OBJECT)

static void
pending_free (Pending *pending)
{
  if (pending->replacement.free_data != NULL)
    pending->replacement.free_data (pending->replacement.data);
  g_free (pending->name);
  g_free (pending);
}

static void
stop (GobanReplacing *self)
{
  g_clear_pointer (&self->pending, pending_free);
  goban_notice_bar_withdraw (self->site.notice, KEY_REPLACE);
}

void
goban_replacing_give_up (GobanReplacing *self)
{
  if (self->pending != NULL && self->pending->is_saving)
    stop (self);
}

static void
open_now (GobanReplacing *self)
{
  Pending *pending = g_steal_pointer (&self->pending);

  pending->replacement.open (pending->replacement.data);
  pending_free (pending);
}

static void
answer_cb (int choice, gpointer user_data)
{
  GobanReplacing *self = user_data;

  if (self->pending == NULL)
    return;
  if (choice == 0)
    {
      self->pending->is_saving = TRUE;
      goban_site_activate (&self->site, "save", NULL);
    }
  else if (choice == 1)
    {
      goban_document_discard (goban_document_get (self->site.session));
      open_now (self);
    }
  else
    stop (self);
}

/* (transfer full): the open document's name in the title. */
static char *
dup_open_name (GobanReplacing *self)
{
  const char *path = goban_document_get_path (goban_document_get (self->site.session));

  if (path == NULL)
    path = goban_session_get_path (self->site.session);
  if (path == NULL)
    return g_strdup (goban_graph_get_name (goban_session_get_graph (self->site.session)));
  return goban_graph_source_is_spec (path) ? g_strdup (path) : g_filename_display_basename (path);
}

static void
ask (GobanReplacing *self)
{
  gboolean has_file = goban_document_get_path (goban_document_get (self->site.session)) != NULL;
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
                                                             .func = answer_cb,
                                                             .user_data = self,
                                                             .is_urgent = TRUE });
}

/* Changes made during the save are asked about again. */
static void
open_or_ask (GobanReplacing *self)
{
  self->pending->is_saving = FALSE;
  goban_notes_view_flush (self->notes);
  goban_scene_bar_store_focused (GTK_WIDGET (self->site.window));
  if (goban_document_is_changed (goban_document_get (self->site.session)))
    ask (self);
  else
    open_now (self);
}

void
goban_replacing_start (GobanReplacing *self, const GobanReplacement *replacement)
{
  stop (self);
  self->pending = g_new0 (Pending, 1);
  self->pending->replacement = *replacement;
  self->pending->name = g_strdup (replacement->name);
  self->pending->replacement.name = self->pending->name;
  open_or_ask (self);
}

static void
saved_cb (GobanDocument *document, gboolean is_saved, GobanReplacing *self)
{
  if (!is_saved)
    goban_replacing_give_up (self);
  else if (self->pending != NULL && self->pending->is_saving)
    open_or_ask (self);
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_replacing_dispose (GObject *object)
{
  GobanReplacing *self = GOBAN_REPLACING (object);

  stop (self);
  G_OBJECT_CLASS (goban_replacing_parent_class)->dispose (object);
}

static void
goban_replacing_class_init (GobanReplacingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_replacing_dispose;
}

static void
goban_replacing_init (GobanReplacing *self)
{
}

GobanReplacing *
goban_replacing_new (const GobanSite *site, GobanFileChooser *chooser, GobanNotesView *notes)
{
  GobanReplacing *self = g_object_new (GOBAN_TYPE_REPLACING, NULL);

  self->site = *site;
  self->notes = notes;
  g_signal_connect_object (chooser, "given-up", G_CALLBACK (goban_replacing_give_up), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_document_get (site->session), "saved", G_CALLBACK (saved_cb), self,
                           0);
  return self;
}
