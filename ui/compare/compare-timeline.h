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

#define GOBAN_TYPE_COMPARE_TIMELINE (goban_compare_timeline_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareTimeline, goban_compare_timeline, GOBAN, COMPARE_TIMELINE,
                      GobanPicture)

GtkWidget *goban_compare_timeline_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether a worker is making lanes, which will replace the present ones. */
gboolean goban_compare_timeline_is_busy (GobanCompareTimeline *self);

void goban_compare_timeline_fit (GobanCompareTimeline *self);
void goban_compare_timeline_show_selection (GobanCompareTimeline *self);
