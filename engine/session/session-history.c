#include "engine/session/session-history.h"

#include "engine/session/session-log.h"
#include "engine/session/session-private.h"

const char *
goban_session_get_undo_name (GobanSession *self)
{
  const char *name;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  name = goban_history_get_undo_name (self->history);
  return name != NULL ? name : goban_session_get_derived_name (self->before);
}

const char *
goban_session_get_redo_name (GobanSession *self)
{
  const char *name;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  name = goban_history_get_redo_name (self->history);
  return name != NULL ? name : goban_session_get_derived_name (self->after);
}

gboolean
goban_session_undo (GobanSession *self)
{
  GobanState *before;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  /* Undo first cancels the pending edit, which was asked for last. */
  if (goban_session_drop_edit (self))
    return TRUE;

  before = goban_history_undo (self->history, self->state);
  if (before == NULL)
    return goban_session_undo_derived (self);

  goban_session_become (self, before);
  goban_session_log (self, "app.undo()");
  goban_session_notify_names (self);
  return TRUE;
}

gboolean
goban_session_redo (GobanSession *self)
{
  GobanState *after;

  g_return_val_if_fail (GOBAN_IS_SESSION (self), FALSE);

  after = goban_history_redo (self->history, self->state);
  if (after == NULL)
    return goban_session_redo_derived (self);

  goban_session_become (self, after);
  goban_session_log (self, "app.redo()");
  goban_session_notify_names (self);
  return TRUE;
}

gboolean
goban_session_has_seen_run (GobanSession *self, GobanRun *run)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self) && run != NULL, FALSE);

  return goban_state_has_run (self->state, run) || goban_history_has_run (self->history, run)
         || goban_session_has_run_aside (self, run);
}
