/* share-private.h: parts of the data of a shared page, each appended to its JSON. */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/difference/device-matching.h"
#include "ui/draw/graph/graph-plot.h"

G_BEGIN_DECLS

/* The graph with as many groups open as the page can hold. (transfer full) (nullable): as
 * goban_plot_new() */
GobanPlot *goban_share_plot_new (GobanGraph *graph, const GobanProgress *progress,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_share_add_graph (GString *json, const GobanPlot *plot);

/* The shared data of one run. */
typedef struct
{
  GobanRun *run;
  const GobanPlot *plot;
  double tick_us;                      /* unit of the times of slices */
  guint max_slices;                    /* of each lane */
  const GobanDeviceMatching *matching; /* (nullable) with the first run */
  const GobanProgress *progress;
} GobanShareRun;

/* An object of the run: figures, devices of the items, lanes, causes of its length. */
void goban_share_add_run (GString *json, const GobanShareRun *share);
/* "steps": the decisions that led to the plan, or why there are none. FALSE with
 * %GOBAN_ERROR_CANCELLED set. */
gboolean goban_share_add_steps (GString *json, const GobanShareRun *share, GError **error);

/* The place of the largest count, the first of equal ones. */
guint goban_share_find_most (const guint *counts, guint n);

/* Elements of a list, with commas between them: "[1,2,3]". */
void goban_share_add_int (GString *json, gint64 value);
void goban_share_add_text (GString *json, const char *text);
void goban_share_open (GString *json, const char *key, char bracket);
void goban_share_close (GString *json, char bracket);

G_END_DECLS
