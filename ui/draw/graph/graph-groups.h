/* graph-groups.h: groups and lanes of a graph, painted; private to the painter. */
#pragma once

#include "ui/draw/graph/graph-paint.h"

G_BEGIN_DECLS

/* Hulls and lanes lie under everything, heads and names over it. */
void goban_painter_draw_group (const Painter *p, guint v);
void goban_painter_label_group (const Painter *p, guint v);
void goban_painter_find_hulls (const Painter *p, GobanVisibleItems *visible);
void goban_painter_paint_hulls (const Painter *p, const GobanVisibleItems *visible, guint band);
void goban_painter_paint_heads (const Painter *p);
void goban_painter_paint_lanes (const Painter *p);
void goban_painter_label_lanes (const Painter *p);

G_END_DECLS
