/* rendering-view.h: a picture of a graph, a run or a comparison among the console's output. A
 * worker draws it; a click or Enter shows the run.
 *
 * Signal "follow" (const GobanReference *reference).
 */
#pragma once

#include "ui/draw/export/rendering.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_RENDERING_VIEW (goban_rendering_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanRenderingView, goban_rendering_view, GOBAN, RENDERING_VIEW, GtkWidget)

/* Call goban_rendering_view_draw() once it has its size request. */
GtkWidget *goban_rendering_view_new (GobanRendering *rendering) G_GNUC_WARN_UNUSED_RESULT;
/* Draws it at the size that was requested for it. */
void goban_rendering_view_draw (GobanRenderingView *self, GobanTheme theme);

G_END_DECLS
