/* graph-view-follower.h: graph views of runs of their own, which use the layout of a leader. */
#pragma once

#include "ui/graph/graph-scenes.h"
#include "ui/graph/graph-view.h"

/* A view of a run of its own, which uses the layout and the animations of @leader. @scenes: shared
 * by the followers of one leader. */
GtkWidget *goban_graph_view_new_follower (GobanGraphView *leader,
                                          GobanGraphScenes *scenes) G_GNUC_WARN_UNUSED_RESULT;
/* @run: (nullable). */
void goban_graph_view_set_run (GobanGraphView *self, GobanRun *run);
/* Boxes can be dragged here, too: that makes the run the session's current one, so that the edit
 * applies to it. @refusal: (nullable): a static string, the reason if that is not possible. */
void goban_graph_view_set_refusal (GobanGraphView *self, const char *refusal);
/* (nullable): the present plot. */
GobanPlot *goban_graph_view_get_plot (GobanGraphView *self);
/* Adopts the leader's plot, after its "plot-changed". */
void goban_graph_view_follow_plot (GobanGraphView *self);
/* To be called when the requested scenes are made. */
void goban_graph_view_scenes_changed (GobanGraphView *self);

typedef struct
{
  GobanDifference *difference; /* (nullable): marks */
  GobanUnchanged unchanged;
  GobanRun *other; /* (nullable): the run whose devices are drawn at the left of nodes */
} GobanGraphMarks;

void goban_graph_view_set_changes (GobanGraphView *self, const GobanGraphMarks *marks);
/* Whether the session's selection and time are shown; both are by default. */
void goban_graph_view_set_shows (GobanGraphView *self, gboolean selection, gboolean time);
/* Copies the camera of another view of about the same size, without a signal. */
void goban_graph_view_look_like (GobanGraphView *self, GobanGraphView *other);
/* Legend of the picture's marks, with their counts, "" if nothing is marked; @is_brief as in
 * compare-marks.h. (transfer full) */
char *goban_graph_view_dup_marks_legend (GobanGraphView *self,
                                         gboolean is_brief) G_GNUC_WARN_UNUSED_RESULT;
