#include "engine/session/session-marks.h"

#include "engine/core/i18n.h"
#include "engine/session/edit.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"

const char *
goban_session_get_notes (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), "");

  return self->notes;
}

void
goban_session_keep_notes (GobanSession *self, const char *notes)
{
  g_autofree char *valid = NULL;

  if (g_str_equal (self->notes, notes))
    return;

  if (!g_utf8_validate (notes, -1, NULL))
    valid = g_utf8_make_valid (notes, -1);
  g_ref_string_release (self->notes);
  self->notes = g_ref_string_new (valid != NULL ? valid : notes);
  goban_session_notify (self, GOBAN_SESSION_PROP_NOTES);
}

void
goban_session_set_notes (GobanSession *self, const char *notes)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && notes != NULL);

  if (g_str_equal (self->notes, notes) && !self->has_draft)
    return;

  self->has_draft = FALSE;
  goban_session_keep_notes (self, notes);
  goban_session_log_notes (self);
}

void
goban_session_draft_notes (GobanSession *self, const char *notes)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && notes != NULL);

  if (g_str_equal (self->notes, notes))
    return;

  self->has_draft = TRUE;
  goban_session_keep_notes (self, notes);
}

gboolean
goban_session_keep_selection (GobanSession *self, GobanSelection *selection)
{
  if (goban_selection_equal (self->selection, selection))
    return FALSE;

  goban_selection_ref (selection);
  goban_selection_unref (self->selection);
  self->selection = selection;
  goban_session_notify (self, GOBAN_SESSION_PROP_SELECTION);
  return TRUE;
}

void
goban_session_set_selection (GobanSession *self, GobanSelection *selection)
{
  guint n;

  g_return_if_fail (GOBAN_IS_SESSION (self) && selection != NULL);

  if (!goban_session_keep_selection (self, selection) || self->graph == NULL)
    return;

  goban_selection_get_ids (selection, &n);
  if (n > 0)
    goban_session_log_nodes (self, "view.select(", selection, self->state->current, ")");
  else
    goban_session_log (self, "view.select()");
}

void
goban_session_pin (GobanSession *self, GobanSelection *nodes, gboolean is_pinned)
{
  GobanGraph *graph;
  GobanState *state;
  GobanState *next;
  g_autoptr (GobanSelection) pinned = NULL;
  g_autofree char *what = NULL;
  g_autofree char *name = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && nodes != NULL);

  graph = goban_session_get_graph (self);
  state = goban_session_get_state (self);
  pinned = is_pinned ? goban_selection_union (state->pinned, nodes)
                     : goban_selection_difference (state->pinned, nodes);
  if (goban_selection_equal (pinned, state->pinned))
    return;

  what = goban_edit_describe_nodes (graph, nodes);
  name = g_strdup_printf (is_pinned ? _ ("pin %s") : _ ("unpin %s"), what);
  next = goban_state_copy (state);
  goban_state_set_pinned (next, pinned);
  goban_session_commit (self, name, next);
  goban_session_log_nodes (self, "", nodes, self->state->current,
                           is_pinned ? ":pin()" : ":unpin()");
}
