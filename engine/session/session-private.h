/* session-private.h: state and internal functions of a session, for the files that change it. */
#pragma once

#include "engine/session/history.h"
#include "engine/session/session.h"
#include "engine/session/state.h"
#include "engine/session/stepper.h"

G_BEGIN_DECLS

/* Edits that are asked for and not yet made, as far as the session that owns them is concerned. */
typedef struct
{
  /* Drops the one pushed last; FALSE if there is none. */
  gboolean (*drop) (gpointer pending);
  GDestroyNotify free;
} GobanPendingFuncs;

struct _GobanSession
{
  GObject parent_instance;

  GobanGraph *graph;
  char *path;
  GobanCluster *known;   /* (nullable): the last that a graph's file named */
  GobanState *state;     /* the present: what can be undone */
  GobanHistory *history; /* of the open graph */
  gpointer pending;      /* (nullable): edits asked for, not yet made */
  const GobanPendingFuncs *pending_funcs;
  GListStore *runs; /* GobanRunRow: the state's runs, as a list model */
  GobanSelection *selection;
  GobanView *view;
  GobanStepper *stepper;
  GobanCompareSet *compared;
  GobanJob *job;
  char *notes;        /* of the open graph; never NULL */
  gboolean has_draft; /* the notes are not logged yet */
  GPtrArray *log;     /* char *, lines of Lua */
};

enum
{
  GOBAN_SESSION_PROP_GRAPH = 1,
  GOBAN_SESSION_PROP_CLUSTER,
  GOBAN_SESSION_PROP_CURRENT_RUN,
  GOBAN_SESSION_PROP_GHOST,
  GOBAN_SESSION_PROP_PINNED,
  GOBAN_SESSION_PROP_SELECTION,
  GOBAN_SESSION_PROP_UNDO_NAME,
  GOBAN_SESSION_PROP_REDO_NAME,
  GOBAN_SESSION_PROP_JOB,
  GOBAN_SESSION_PROP_NOTES,
  GOBAN_SESSION_PROP_SHOWN_RUN,
  GOBAN_SESSION_PROP_SCENES,
  GOBAN_SESSION_N_PROPS
};

void goban_session_notify (GobanSession *self, guint property);
/* Drops the edit that was asked for last and is not made yet; FALSE if there is none. */
gboolean goban_session_drop_pending (GobanSession *self);

/* The present state, borrowed; copy it to change it. */
GobanState *goban_session_get_state (GobanSession *self);

/* Replaces the present state and emits signals for the differences. Handlers see the complete new
 * state. @next: (transfer full) */
void goban_session_become (GobanSession *self, GobanState *next);
void goban_session_notify_names (GobanSession *self);

/* Every undoable change passes here: the present becomes @next. The caller writes the log
 * afterwards, one line per change, so that a replayed log has as many undo steps. @name: display
 * name, "move 12 nodes to gpu:1"; @next: (transfer full) */
void goban_session_commit (GobanSession *self, const char *name, GobanState *next);

G_END_DECLS
