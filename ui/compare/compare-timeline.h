/* compare-timeline.h: timeline of the compared pair: lanes over time, the second run's below the
 * first's.
 *
 * Lanes of links and memory are shown if the set demands it. Linked with the selection; the hint
 * gives the times of the op under the pointer in both runs.
 *
 * Signal: "lanes-changed": requested lanes are now shown.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_COMPARE_TIMELINE (goban_compare_timeline_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareTimeline, goban_compare_timeline, GOBAN, COMPARE_TIMELINE,
                      GobanPicture)

GtkWidget *goban_compare_timeline_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether a worker is making lanes, which will replace the present ones. */
gboolean goban_compare_timeline_is_busy (GobanCompareTimeline *self);

void goban_compare_timeline_fit (GobanCompareTimeline *self);
void goban_compare_timeline_show_selection (GobanCompareTimeline *self);

/* The centre of an op's slice in the first or the second run, in device pixels; FALSE if there is
 * none. */
gboolean goban_compare_timeline_locate (GobanCompareTimeline *self, GobanNodeId node,
                                        gboolean is_after, GobanPoint *at);
/* The number of visible lanes. */
guint goban_compare_timeline_get_n_lanes (GobanCompareTimeline *self);

/* "conv1: gpu:0 from 1 ms to 2 ms, then gpu:1 from 1.5 ms to 2.5 ms: 500 µs later (▲)", in both
 * runs of the pair. (transfer full) (nullable) */
char *goban_compare_describe_node (GobanCompareSet *set,
                                   GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
