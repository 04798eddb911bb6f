/* session-private.h: internal functions of a session, shared by the files that change it. */
#pragma once

#include "engine/session/edit.h"
#include "engine/session/session.h"
#include "engine/session/state.h"

G_BEGIN_DECLS

/* The present, borrowed: to copy and change. */
GobanState *goban_session_get_state (GobanSession *self);

/* Every change that can be undone comes through here: the present becomes @next. The log is the caller's, afterwards: one line
 * for one change, so that a replayed log has as much to undo. @name: what people call it, "move 12 nodes
 * to gpu:1"; @next: (transfer full) */
void goban_session_commit (GobanSession *self, const char *name, GobanState *next);

/* Opens @graph as goban_session_set_graph() does. @fresh: (transfer full) what goban_state_for_graph() made of it,
 * in whatever thread */
void goban_session_take_graph (GobanSession *self, GobanGraph *graph, const char *path,
                               GobanState *fresh);

/* (nullable): the last cluster that a graph's file named, borrowed. */
GobanCluster *goban_session_get_known_cluster (GobanSession *self);

/* Opens @graph with what was done to it, as the present of a new history. @state: of that graph; copied */
void goban_session_restore (GobanSession *self, GobanGraph *graph, const char *path,
                            const GobanState *state);

/* Takes another cluster with the plans simulated on it: @next and @n_dropped are what goban_state_with_cluster() made of
 * the present, in whatever thread. Logs @line and says what was dropped. @next: (transfer full) */
void goban_session_commit_cluster (GobanSession *self, const char *name, const char *line,
                                   GobanState *next, guint n_dropped);

/* What people and the log call an edit, found in whatever thread. */
typedef struct
{
  char *name;
  char *line;
  char *note; /* (nullable) */
} GobanEditWords;

/* @words: nobody else's. */
GobanEditWords goban_edit_find_words (const GobanEdit *edit, GobanSetWords *words);
void goban_edit_words_clear (GobanEditWords *self);
/* goban_session_add_edit() for who knows its words. */
gboolean goban_session_take_edit (GobanSession *self, const GobanEdit *edit, GobanRun *run,
                                  const GobanEditWords *words, GError **error);

/* The same without a line in the log. */
void goban_session_keep_notes (GobanSession *self, const char *notes);

/* @job: (transfer full) (nullable): the one that runs now. */
void goban_session_take_job (GobanSession *self, GobanJob *job);

G_END_DECLS
