/* timeline-partial.h: timeline of a plan under construction: the ops that are placed so far.
 *
 * Of a policy with a schedule of its own they are at its times; else at those of the finished plan.
 * Transfers and memory follow from the finished plan and are left out. The axis ends where the
 * finished plan does, so that it is the same for all moments that lead to it.
 */
#pragma once

#include "engine/study/run/run.h"
#include "ui/draw/timeline/timeline-scene.h"

G_BEGIN_DECLS

/* Leaves only the ops that are decided at the last step of @run, whose steps are choices
 * (goban_run_is_unfinished()). @self: a scene of its trace. */
void goban_timeline_scene_keep_decided (GobanTimelineScene *self, GobanRun *run);

/* A scene of @run; if it @is_step and its steps are choices, with what is decided alone. */
GobanTimelineScene *goban_timeline_scene_new_of_step (GobanRun *run,
                                                      gboolean is_step) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
