/* draw-fixture.h: fixtures for tests of pictures: scenes of any graph, and images to paint on.
 *
 * Images are RGB24; the caller destroys them.
 */
#pragma once

#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/timeline/timeline-painter.h"

/* (transfer full): devices gpu:0, gpu:1 and so on take turns at so many nodes each; nodes have
 * their names, and an edge is as wide as the next. */
GobanGraphScene *draw_scene_new (GobanGraph *graph, guint n_devices,
                                 guint n_in_turn) G_GNUC_WARN_UNUSED_RESULT;

cairo_surface_t *draw_image_new (int width, int height) G_GNUC_WARN_UNUSED_RESULT;
cairo_surface_t *draw_graph_new (const GobanGraphPicture *picture, int width,
                                 int height) G_GNUC_WARN_UNUSED_RESULT;
cairo_surface_t *draw_timeline_new (const GobanTimelinePicture *picture, int width,
                                    int height) G_GNUC_WARN_UNUSED_RESULT;
void draw_graph_overlay (cairo_surface_t *surface, const GobanGraphPicture *picture,
                         const GobanGraphOverlay *overlay);
void draw_timeline_overlay (cairo_surface_t *surface, const GobanTimelinePicture *picture,
                            const GobanTimelineOverlay *overlay);
/* So many rows of it, from the row @top on. */
cairo_surface_t *draw_rows_new (cairo_surface_t *surface, int top,
                                int height) G_GNUC_WARN_UNUSED_RESULT;

GobanPoint draw_middle_of (GobanBox box);

/* A picture painted in pieces, as a widget does when it scrolls, is the picture painted at once. */
void draw_check_strips (const GobanGraphPicture *picture, int width, int height);
/* Each of the first devices has pixels of its colour. */
void draw_check_devices_show (cairo_surface_t *surface, GobanTheme theme, guint n_devices);
