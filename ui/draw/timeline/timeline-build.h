/* timeline-build.h: scenes of traces whose lanes are those of another trace or scene, so that both
 * can be shown in one picture.
 */
#pragma once

#include "ui/draw/timeline/timeline-scene.h"

G_BEGIN_DECLS

/* A scene of a trace with lanes for the links of @other as well, so that both can be shown in one
 * picture: both clusters must have the same devices. Or with given lanes (element-type GobanLane).
 * @words: known words of its graph. All but @trace are (nullable). */
GobanTimelineScene *
goban_timeline_scene_new_for_lanes (GobanTrace *trace, GobanTrace *other, const GArray *lanes,
                                    GobanSliceWords *words) G_GNUC_WARN_UNUSED_RESULT;
/* The same with the lanes of @like, at the same positions. */
GobanTimelineScene *
goban_timeline_scene_new_like (GobanTrace *trace,
                               const GobanTimelineScene *like) G_GNUC_WARN_UNUSED_RESULT;
/* The same in parts, for workers without access to @like: the lanes of @like without their slices
 * (element-type GobanLane); a scene with these; then goban_timeline_scene_follow(). */
GArray *goban_timeline_scene_dup_lanes (const GobanTimelineScene *self) G_GNUC_WARN_UNUSED_RESULT;
/* The lanes that goban_timeline_scene_new_for_lanes() makes. */
GArray *goban_timeline_list_lanes (const GobanTrace *trace,
                                   const GobanTrace *other) G_GNUC_WARN_UNUSED_RESULT;
GobanTimelineScene *goban_timeline_scene_new_in (GobanTrace *trace,
                                                 const GArray *lanes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
