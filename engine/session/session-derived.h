/* session-derived.h: graphs derived from the open one, such as a pipeline's, as undoable changes.
 *
 * A derived graph has each op of the original once for every micro-batch or copy, so pictures of
 * the original cannot show its run. It is opened in its place: graph, timeline, plans and cluster
 * are those of the derived graph, every command works on it, and a session file holds it.
 *
 * The original is set aside with plans, cluster, undo stack, notes, selection, hidden nodes, open
 * groups and colouring; time, time marks, bookmarks and compared plans are not kept. It comes back
 * by undo beyond the first change of the derived graph, or at once by goban_session_return(). Redo
 * opens the derived graph again as it was left; a change of the original drops it. A derived graph
 * can be derived from, too. A run of a graph that is set aside is shown there
 * (goban_session_reopen()); opening any other graph drops all that is set aside. Unsaved changes of
 * the original are written down for recovery, and offered once they are dropped (autosave.h); after
 * the way back they still count as unsaved (document.h).
 *
 * Decision E23 (engine/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

/* Opens the graph of @run with @run as its one plan, and logs a line that makes the same if the run
 * has a derivation (engine/study/run/run-origin.h), whose name is that of the change. Without an
 * open graph there is nothing to go back to. */
void goban_session_derive (GobanSession *self, GobanRun *run);

/* Brings back the graph that is not derived; %FALSE if it is open. Logged. */
gboolean goban_session_return (GobanSession *self);
gboolean goban_session_can_return (GobanSession *self);

/* The graph that is not derived: the open one, or the one that it was made from. (nullable),
 * borrowed. */
GobanGraph *goban_session_get_original (GobanSession *self);

/* Opens a graph that is set aside, as it was left, by the steps of "back" and redo, which are
 * logged. %FALSE if it is not set aside, or a redo of other changes lies before it. */
gboolean goban_session_reopen (GobanSession *self, GobanGraph *graph);

/* Whether the graph is set aside, for undo or for redo. */
gboolean goban_session_has_aside (GobanSession *self, GobanGraph *graph);
