/* session-marks.h: selection, pinned nodes and notes of a session. */
#pragma once

#include "engine/session/session.h"

/* Logged. */
void goban_session_set_selection (GobanSession *self, GobanSelection *selection);
/* The same without a line in the log, because not every change is the user's; FALSE if nothing
 * changes. */
gboolean goban_session_keep_selection (GobanSession *self, GobanSelection *selection);

/* Pins nodes to their devices, or unpins them, as a logged change. */
void goban_session_pin (GobanSession *session, GobanSelection *nodes, gboolean is_pinned);

/* The user's notes about the open graph, saved in the session file: "" at first, never NULL. They
 * are reset when a graph with other nodes is opened. A change is logged as one line, so an editor
 * sets the notes when typing pauses. They are not undoable here, because text editors have an undo
 * of their own. */
const char *goban_session_get_notes (GobanSession *self);
void goban_session_set_notes (GobanSession *self, const char *notes);
/* The same during typing: not logged before goban_session_set_notes(). */
void goban_session_draft_notes (GobanSession *self, const char *notes);
/* The same without a line in the log. */
void goban_session_keep_notes (GobanSession *self, const char *notes);
