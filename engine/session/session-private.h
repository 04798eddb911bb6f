/* session-private.h: state and internal functions of a session, for the files that change it. */
#pragma once

#include "engine/session/history.h"
#include "engine/session/session.h"
#include "engine/session/state.h"

/* Edits that are asked for and not yet made (session-edit.c). */
typedef struct _GobanEditQueue GobanEditQueue;
/* Maker of the run of the step that the view shows, and a policy that is watched while it runs
 * (session-live.c). */
typedef struct _GobanStepper GobanStepper;
typedef struct _GobanLive GobanLive;

struct _GobanSession
{
  GObject parent_instance;

  GobanGraph *graph;
  char *path;
  GobanCluster *known;   /* (nullable): the last that a graph's file named */
  GobanState *state;     /* the present state, which can be undone */
  GobanHistory *history; /* of the open graph */
  GPtrArray *before;     /* graphs set aside (session-derived.h) for undo, the nearest last */
  GPtrArray *after;      /* the same for redo */
  gboolean is_swapping;  /* one of them takes the place of the open one, which is set aside */
  GobanEditQueue *edits; /* (nullable) */
  GListStore *runs;      /* GobanRunRow: the state's runs, as a list model */
  GobanSelection *selection;
  GobanView *view;
  GobanStepper *stepper;
  GobanCompareSet *compared;
  GobanJob *job;
  GobanLive *live; /* (nullable): of the job */
  gboolean is_watching;
  GRefString *notes;   /* of the open graph; never NULL */
  gboolean has_draft;  /* the notes are not logged yet */
  GPtrArray *log;      /* char *, lines of Lua; NULL before it is asked for ... */
  GPtrArray *unworded; /* (nullable): ... what these are made of (session-log.c) */
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
gboolean goban_session_drop_edit (GobanSession *self);
/* The queue must be empty. */
void goban_edit_queue_free (GobanEditQueue *self);

/* The job of one policy begins, which makes its decisions in @feed, on these costs. */
void goban_session_start_live (GobanSession *self, GobanDecisionsFeed *feed, GobanCostModel *costs,
                               const char *policy);
/* Shows the session's own run again, and no more of the job's. */
void goban_session_end_live (GobanSession *self);
/* The run so far, if it is shown; (nullable), borrowed. */
GobanRun *goban_session_get_live (GobanSession *self);

/* The present state, borrowed; copy it to change it. */
GobanState *goban_session_get_state (GobanSession *self);

/* Replaces the present state and emits signals for the differences. Handlers see the complete new
 * state. @next: (transfer full) */
void goban_session_become (GobanSession *self, GobanState *next);
void goban_session_notify_names (GobanSession *self);

void goban_aside_free (gpointer data);

/* Every undoable change passes here: the present becomes @next. The caller writes the log
 * afterwards, one line per change, so that a replayed log has as many undo steps. @name: display
 * name, "move 12 nodes to gpu:1"; @next: (transfer full) */
void goban_session_commit (GobanSession *self, const char *name, GobanState *next);

/* The steps of another run, or of none, without a moment that is shown and stops of the player. */
void goban_session_begin_steps (GobanSession *self, GobanRun *run);

/* The same for a run with the same decisions, and later ones: keeps what is shown and made. */
void goban_stepper_extend_base (GobanStepper *self, GobanRun *base);
