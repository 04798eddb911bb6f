/* session-private.h: internal functions of a session, shared by the files that change it. */
#pragma once

#include "engine/session/edit.h"
#include "engine/session/session.h"
#include "engine/session/state.h"

G_BEGIN_DECLS

/* The present state, borrowed; copy it to change it. */
GobanState *goban_session_get_state (GobanSession *self);

/* Every undoable change passes here: the present becomes @next. The caller writes the log
 * afterwards, one line per change, so that a replayed log has as many undo steps. @name: display
 * name, "move 12 nodes to gpu:1"; @next: (transfer full) */
void goban_session_commit (GobanSession *self, const char *name, GobanState *next);

/* Opens @graph like goban_session_set_graph(). @fresh: (transfer full): the state that
 * goban_state_for_graph() made of it, in any thread */
void goban_session_take_graph (GobanSession *self, GobanGraph *graph, const char *path,
                               GobanState *fresh);

/* (nullable): the last cluster named by a graph's file, borrowed. */
GobanCluster *goban_session_get_known_cluster (GobanSession *self);

/* Opens @graph with a copy of @state as the present of an empty history. @state: of that graph */
void goban_session_restore (GobanSession *self, GobanGraph *graph, const char *path,
                            const GobanState *state);

/* Commits another cluster with the plans simulated on it: @next and @n_dropped are results of
 * goban_state_with_cluster() for the present, in any thread. Logs @line and reports dropped plans.
 * @next: (transfer full) */
void goban_session_commit_cluster (GobanSession *self, const char *name, const char *line,
                                   GobanState *next, guint n_dropped);

/* Display name and log line of an edit, computed in any thread. */
typedef struct
{
  char *name;
  char *line;
  char *note; /* (nullable) */
} GobanEditWords;

/* @words: not shared. */
GobanEditWords goban_edit_find_words (const GobanEdit *edit, GobanSetWords *words);
void goban_edit_words_clear (GobanEditWords *self);
/* goban_session_add_edit() with precomputed words. */
gboolean goban_session_add_worded_edit (GobanSession *self, const GobanEdit *edit, GobanRun *run,
                                        const GobanEditWords *words, GError **error);

/* The same without a line in the log. */
void goban_session_keep_notes (GobanSession *self, const char *notes);

/* The functions of a job. @finished gets the job, in the main thread, whatever became of it. */
typedef struct
{
  GobanJobFunc func;
  GDestroyNotify free_data;
  GDestroyNotify free_result;
  void (*finished) (GobanJob *job, GobanSession *self);
} GobanSessionWork;

/* Starts a job in place of the one that runs. @data: (transfer full) */
void goban_session_start_job (GobanSession *self, const char *title, const GobanSessionWork *work,
                              gpointer data);
/* The result of a job that has ended if it is still the session's job; (transfer full) (nullable). An error becomes a notice. */
gpointer goban_session_end_job (GobanSession *self, GobanJob *job);

/* Places a graph that has just been opened with the default policies. */
void goban_session_place_opened (GobanSession *self);

/* Sets the running job. @job: (transfer full) (nullable) */
void goban_session_take_job (GobanSession *self, GobanJob *job);

G_END_DECLS
