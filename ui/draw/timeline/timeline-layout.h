/* timeline-layout.h: layout of a timeline's lanes: a bar for every device, its sub-rows below it.
 *
 * All bars are as high as each other. They shrink until they fit the room; sub-rows that have no
 * room left scroll under the bars, which stick to the top and the bottom. Only bars that do not fit
 * at their least height scroll, too. Lengths are design pixels.
 *
 * Decision U66 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/lanes.h"
#include "ui/draw/timeline/timeline-scene.h"

G_BEGIN_DECLS

/* Distance from bar to bar. */
#define GOBAN_BAR_LEAST_PITCH 12.0
#define GOBAN_BAR_MOST_PITCH 44.0
/* In a picture without a height of its own, such as a file. */
#define GOBAN_BAR_PITCH 28.0
#define GOBAN_BAR_STRIP_PITCH 8.0
/* So many bars are never scrolled. */
#define GOBAN_BARS_IN_SIGHT 8

/* Height of the bars of @n_devices without the axis: at its least, all of them or the first eight
 * are visible. @is_roomy: more is wanted, if the picture above can spare it. */
double goban_bars_get_least_height (guint n_devices);
double goban_bars_get_wanted_height (guint n_devices, gboolean is_roomy);

/* Computes positions and heights of the lanes, and the positions of ops and transfers. @lanes:
 * (nullable): all sub-rows are open. @room: height for all lanes; INFINITY: as high as they are. */
void goban_timeline_scene_arrange (GobanTimelineScene *self, const GobanLanes *lanes, double room);

G_END_DECLS
