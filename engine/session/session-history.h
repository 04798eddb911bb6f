/* session-history.h: undo and redo of a session. */
#pragma once

#include "engine/session/session.h"

/* Undo and redo, as far as memory allows (history.h). The names are those of the changes, "move 12
 * nodes to gpu:1", (nullable) if there is none. %FALSE: there was nothing to do. Showing
 * another plan is not a change by itself, but is restored with the others. */
gboolean goban_session_undo (GobanSession *self);
gboolean goban_session_redo (GobanSession *self);
const char *goban_session_get_undo_name (GobanSession *self);
const char *goban_session_get_redo_name (GobanSession *self);

/* Whether the run is in the list, or in a state that undo or redo can restore. */
gboolean goban_session_has_seen_run (GobanSession *self, GobanRun *run);
