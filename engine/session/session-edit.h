/* session-edit.h: edits of a plan as undoable changes of a session. */
#pragma once

#include "engine/session/edit.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* An edit of the current run with the pinned nodes of the session. @nodes: (nullable). (transfer
 * full) */
GobanEdit *goban_edit_new (GobanSession *session, GobanEditKind kind,
                           GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_session_add_edit:
 *
 * Adds the run made by @edit as one undoable change, logs it, and reports side effects. It replaces
 * the base in the list if that was itself made by hand; a policy's run is kept. The base becomes
 * the ghost. Does nothing if the run is the base. For another cluster, the other plans are
 * simulated synchronously; goban_session_edit() uses a worker.
 *
 * Returns: %TRUE; or %FALSE with %GOBAN_ERROR_INVALID set if the base is no longer in the list
 */
gboolean goban_session_add_edit (GobanSession *session, const GobanEdit *edit, GobanRun *run,
                                 GError **error);

/* Display name and log line of an edit, computed in any thread. */
typedef struct
{
  char *name;
  char *line;
  char *note; /* (nullable) */
} GobanEditWords;

/* @words: not shared. */
GobanEditWords goban_edit_find_words (const GobanEdit *edit, GobanSetDescription *words);
void goban_edit_words_clear (GobanEditWords *self);
/* goban_session_add_edit() with precomputed words. */
gboolean goban_session_add_worded_edit (GobanSession *self, const GobanEdit *edit, GobanRun *run,
                                        const GobanEditWords *words, GError **error);

G_END_DECLS
