/* snapshot.h: contents of a session file, shared by its reader and its writer. */
#pragma once

#include "engine/session/compare-set.h"
#include "engine/session/session-file.h"
#include "engine/session/state.h"

G_BEGIN_DECLS

/* Which plans are beside each other: of the state's runs, each owned. */
typedef struct
{
  gboolean is_open;
  guint n_runs;
  GobanRun *runs[GOBAN_COMPARE_MAX];
  guint pair[2];
  GobanCompareLooks looks;
} GobanCompared;

struct _GobanSnapshot
{
  gatomicrefcount ref_count;

  GobanGraph *graph;
  char *path; /* (nullable): absolute, or a spec; NULL: a script made it, so the file holds it */
  GobanLoadOptions load; /* format is owned; no progress */
  GobanState *state;
  GobanSelection *selection;
  char *notes;

  /* the view */
  char *color;
  GobanNames *expanded;
  GobanGrouping grouping;
  GobanSelection *hidden;
  GobanArrangement layout;
  double time_us;
  int step;            /* GOBAN_NO_STEP: none */
  GobanPlaces *places; /* bookmarks alone */
  GobanLanes lanes;    /* owned, no list is NULL */
  char **marks;        /* goban_time_marks_to_texts() */
  gint n_left_out;     /* atomic: how many logs the last text had no room for */

  GobanCompared compared;

  /* recovery */
  char *origin; /* (nullable) */
  GobanDeparture departure;
  char *digest; /* (nullable): of the file that was read, or would be saved to */

  GPtrArray *warnings; /* char *, ends in NULL */
};

/* With nothing in it but what every session has; @state: (transfer full). (transfer full) */
GobanSnapshot *goban_snapshot_new_empty (GobanGraph *graph,
                                         GobanState *state) G_GNUC_WARN_UNUSED_RESULT;

/* A fingerprint of the nodes' names in their order: where it is the same, numbers of nodes mean the same.
 * (transfer full) */
char *goban_snapshot_make_names (const GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
