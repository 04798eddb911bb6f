/* rendering.h: a picture of a graph, a timeline or a comparison that is drawn at any size.
 *
 * Counted, and not changed; any thread may draw it.
 */
#pragma once

#include "ui/draw/pen.h"

G_BEGIN_DECLS

typedef struct _GobanRendering GobanRendering;

GobanRendering *goban_rendering_ref (GobanRendering *self);
void goban_rendering_unref (GobanRendering *self);

/* The size at which it is easily read, in pixels of the design. */
double goban_rendering_get_height (const GobanRendering *self, double width);
/* "Timeline of heft, 12.4 ms". Borrowed. */
const char *goban_rendering_get_title (const GobanRendering *self);

/* Draws it as an image of @width x @height pixels, with text @ui_scale times as large. NULL with
 * @error set if it cannot be drawn. (transfer full) */
cairo_surface_t *goban_rendering_draw (const GobanRendering *self, GobanTheme theme, double width,
                                       double height, double ui_scale);
/* Writes .svg, .png or .pdf; of a graph or a run also its nodes as .csv. */
gboolean goban_rendering_write (const GobanRendering *self, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRendering, goban_rendering_unref)

G_END_DECLS
