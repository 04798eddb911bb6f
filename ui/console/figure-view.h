/* figure-view.h: a figure among the console's output.
 *
 * The pointer reads points out, a click follows the one under it. Keys: Left and Right go from
 * point to point, Up and Down from series to series, Enter follows, Escape leaves the point.
 *
 * Signal "follow" (const GobanReference *reference): what is behind a point was asked for.
 */
#pragma once

#include "ui/draw/figures/figure.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_FIGURE_VIEW (goban_figure_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanFigureView, goban_figure_view, GOBAN, FIGURE_VIEW, GobanPicture)

GtkWidget *goban_figure_view_new (GobanFigure *figure) G_GNUC_WARN_UNUSED_RESULT;

GobanFigure *goban_figure_view_get_figure (GobanFigureView *self);
/* Another figure in its place; the size stays. */
void goban_figure_view_set_figure (GobanFigureView *self, GobanFigure *figure);

/* The point that is read out; FALSE for none. */
gboolean goban_figure_view_get_point (GobanFigureView *self, GobanFigurePoint *point);

G_END_DECLS
