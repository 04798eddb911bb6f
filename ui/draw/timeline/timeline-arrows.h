/* timeline-arrows.h: arrows between slices of a timeline: dependencies of a selection, and chains
 * of causes.
 *
 * Lists of positions in a scene that was made from the same trace. Any thread.
 */
#pragma once

#include "engine/study/analysis/causes.h"
#include "engine/study/run/selection.h"
#include "ui/draw/timeline/timeline-painter.h"

/* Above this number, arrows are useless and none are returned. */
#define GOBAN_MAX_TIMELINE_ARROWS 400

/* Dependencies of nodes, @n_hops steps in both directions, from op to op or, between devices, from
 * op to transfer to op. (transfer full) (element-type GobanTimelineArrow): empty if there are too
 * many. */
GArray *goban_timeline_arrows_new (const GobanTimelineScene *scene, GobanTrace *trace,
                                   const GobanSelection *nodes,
                                   guint n_hops) G_GNUC_WARN_UNUSED_RESULT;

/* From each cause to its effect; for long chains only the nearest ones. (transfer full)
 * (element-type GobanTimelineArrow) */
GArray *goban_timeline_chain_new (const GobanTimelineScene *scene,
                                  const GobanCauses *causes) G_GNUC_WARN_UNUSED_RESULT;
