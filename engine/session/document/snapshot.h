/* snapshot.h: contents of a session file, shared by its reader and its writer. */
#pragma once

#include "engine/session/compare-looks.h"
#include "engine/session/compare-set.h"
#include "engine/session/document/session-file.h"
#include "engine/session/navigation.h"
#include "engine/session/state.h"
#include "engine/session/view.h"
#include "engine/study/run/graph-source.h"

/* The compared runs; each is one of the state's runs, and owned. */
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
  /* (nullable): absolute, or a spec; NULL: made by a script, so the file contains the graph */
  char *path;
  GobanLoadOptions load; /* format is interned; no progress */
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
  int moment;              /* GOBAN_NO_MOMENT: none */
  GobanNavigation *places; /* bookmarks alone */
  GobanOwnLanes lanes;     /* set */
  char **marks;            /* goban_time_marks_to_texts() */
  gint n_left_out;         /* atomic: number of logs left out of the last text */

  GobanCompared compared;

  /* recovery */
  char *origin; /* (nullable) */
  GobanDeparture departure;
  char *digest; /* (nullable): digest of the file that was read, or would be overwritten */

  GPtrArray *warnings; /* char *, ends in NULL */
};

/* A snapshot with defaults only. @state: (transfer full). (transfer full) */
GobanSnapshot *goban_snapshot_new_empty (GobanGraph *graph,
                                         GobanState *state) G_GNUC_WARN_UNUSED_RESULT;
