/* figure-view.h: figures and pictures among the console's output.
 *
 * The pointer reads points out, a click follows the one under it. Keys: Left and Right go from
 * point to point, Up and Down from series to series, Enter follows, Escape leaves the point.
 *
 * Signal "follow" (const GobanReference *reference): what is behind a point was asked for.
 */
#pragma once

#include "ui/draw/export/picture.h"
#include "ui/draw/figures/figure.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_FIGURE_VIEW (goban_figure_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanFigureView, goban_figure_view, GOBAN, FIGURE_VIEW, GobanPicture)

GtkWidget *goban_figure_view_new (GobanFigure *figure) G_GNUC_WARN_UNUSED_RESULT;

GobanFigure *goban_figure_view_get_figure (GobanFigureView *self);
/* Another figure in its place; the size stays. */
void goban_figure_view_set_figure (GobanFigureView *self, GobanFigure *figure);

/* The point that is read out; FALSE for none. */
gboolean goban_figure_view_get_point (GobanFigureView *self, GobanFigurePoint *point);

/* A picture of a graph, a run or a comparison. A worker draws it; a click or Enter shows the run,
 * by the same signal "follow". */
#define GOBAN_TYPE_RENDERING_VIEW (goban_rendering_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanRenderingView, goban_rendering_view, GOBAN, RENDERING_VIEW, GtkWidget)

/* Call goban_rendering_view_draw() once it has its size request. */
GtkWidget *goban_rendering_view_new (GobanRendering *rendering) G_GNUC_WARN_UNUSED_RESULT;
/* Draws it at the size that was requested for it. */
void goban_rendering_view_draw (GobanRenderingView *self, GobanTheme theme);
