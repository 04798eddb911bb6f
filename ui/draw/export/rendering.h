/* rendering.h: a picture of a graph, a run or a comparison that is drawn at any size.
 *
 * Counted, and not changed; any thread may draw it.
 */
#pragma once

#include "engine/study/run/run.h"
#include "ui/draw/export/painting.h"

G_BEGIN_DECLS

typedef struct _GobanRendering GobanRendering;

/* Two runs of one graph on clusters with the same devices, lane below lane. (transfer full) */
GobanRendering *goban_rendering_new_comparison (GobanRun *before,
                                                GobanRun *after) G_GNUC_WARN_UNUSED_RESULT;
GobanRendering *goban_rendering_ref (GobanRendering *self);
void goban_rendering_unref (GobanRendering *self);

/* "Timeline of heft", also for screen readers. Borrowed. */
const char *goban_rendering_get_title (const GobanRendering *self);
/* The run that it shows; (nullable), borrowed. */
GobanRun *goban_rendering_get_run (const GobanRendering *self);

/* The height that it needs to be seen whole, in pixels of the design. */
double goban_rendering_get_height (const GobanRendering *self);

/* An RGB24 image of @size, which has a width and a height, and a scale of text and lines (0: 1).
 * NULL with @error set if it cannot be drawn. (transfer full) */
cairo_surface_t *goban_rendering_draw (const GobanRendering *self, const GobanPaintingOptions *size,
                                       GError **error);
/* Writes .svg, .png or .pdf; of a graph or a run also its nodes as .csv. */
gboolean goban_rendering_write (const GobanRendering *self, const GobanPaintingOptions *size,
                                const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRendering, goban_rendering_unref)

G_END_DECLS
