/* window-replace.c: asks about unsaved changes before something else is opened in their place. */
#include "ui/shell/window-private.h"

#include "engine/base/i18n.h"
#include "engine/document/document.h"
#include "engine/run/graph-source.h"

#define KEY_REPLACE "replace"

/* What waits for an answer, or for the changes to be saved. */
struct _GobanPending
{
  GobanReplacement replacement; /* the name is owned */
  gboolean is_saving;
};

static void
pending_free (GobanPending *pending)
{
  if (pending->replacement.free_data != NULL)
    pending->replacement.free_data (pending->replacement.data);
  g_free ((char *) pending->replacement.name);
  g_free (pending);
}

void
goban_window_stop_replacing (GobanWindow *self)
{
  g_clear_pointer (&self->pending, pending_free);
  goban_notice_bar_withdraw (GOBAN_NOTICE_BAR (self->notice), KEY_REPLACE);
}

void
goban_window_give_up_saving (GobanWindow *self)
{
  if (self->pending != NULL && self->pending->is_saving)
    goban_window_stop_replacing (self);
}

static void
open_now (GobanWindow *self)
{
  GobanPending *pending = g_steal_pointer (&self->pending);

  pending->replacement.open (self, pending->replacement.data);
  pending_free (pending);
}

static void
answer_cb (int choice, gpointer user_data)
{
  GobanWindow *self = user_data;

  if (self->pending == NULL)
    return;
  if (choice == 0)
    {
      self->pending->is_saving = TRUE;
      goban_window_save_session (self, NULL);
    }
  else if (choice == 1)
    {
      goban_document_discard (goban_document_get (self->session));
      open_now (self);
    }
  else
    goban_window_stop_replacing (self);
}

/* (transfer full): what the title calls what is open. */
static char *
dup_open_name (GobanWindow *self)
{
  const char *path = goban_document_get_path (goban_document_get (self->session));

  if (path == NULL)
    path = goban_session_get_path (self->session);
  if (path == NULL)
    return g_strdup (goban_graph_get_name (goban_session_get_graph (self->session)));
  return goban_graph_source_is_spec (path) ? g_strdup (path) : g_filename_display_basename (path);
}

static void
ask (GobanWindow *self)
{
  gboolean has_file = goban_document_get_path (goban_document_get (self->session)) != NULL;
  const char *const labels[]
      = { has_file ? _ ("Save") : _ ("Save…"), _ ("Discard"), _ ("Cancel"), NULL };
  g_autofree char *name = dup_open_name (self);
  const char *other = self->pending->replacement.name;
  g_autofree char *text
      = other != NULL
            ? g_strdup_printf (_ ("Save the changes of “%s” before “%s” is opened?"), name, other)
            : g_strdup_printf (_ ("Save the changes of “%s” before the other session is restored?"),
                               name);

  goban_notice_bar_ask (GOBAN_NOTICE_BAR (self->notice), &(GobanQuestion){ .key = KEY_REPLACE,
                                                                           .text = text,
                                                                           .labels = labels,
                                                                           .func = answer_cb,
                                                                           .user_data = self,
                                                                           .is_urgent = TRUE });
}

/* What was changed while it was being saved is asked about again. */
static void
open_or_ask (GobanWindow *self)
{
  self->pending->is_saving = FALSE;
  goban_notes_view_flush (GOBAN_NOTES_VIEW (self->notes));
  if (goban_document_is_changed (goban_document_get (self->session)))
    ask (self);
  else
    open_now (self);
}

void
goban_window_replace (GobanWindow *self, const GobanReplacement *replacement)
{
  goban_window_stop_replacing (self);
  self->pending = g_new0 (GobanPending, 1);
  self->pending->replacement = *replacement;
  self->pending->replacement.name = g_strdup (replacement->name);
  open_or_ask (self);
}

static void
saved_cb (GobanDocument *document, gboolean is_saved, GobanWindow *self)
{
  if (!is_saved)
    goban_window_give_up_saving (self);
  else if (self->pending != NULL && self->pending->is_saving)
    open_or_ask (self);
}

void
goban_window_follow_replacing (GobanWindow *self)
{
  g_signal_connect_object (goban_document_get (self->session), "saved", G_CALLBACK (saved_cb), self,
                           0);
}
