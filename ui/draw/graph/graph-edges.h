/* graph-edges.h: edges and wires of a graph, painted; private to the painter. */
#pragma once

#include "ui/draw/graph/graph-paint.h"

G_BEGIN_DECLS

/* Visible lines are found once, and painted band by band. */
void goban_painter_find_edges (const Painter *p, GobanVisibleItems *visible);
void goban_painter_paint_edges (const Painter *p, const GobanVisibleItems *visible, guint band);
void goban_painter_find_wires (const Painter *p, GobanVisibleItems *visible);
void goban_painter_paint_wires (const Painter *p, const GobanVisibleItems *visible, guint band);
/* Adds a line with the bounding box @box of its route. */
void goban_painter_add_line (const Painter *p, GobanVisibleItems *visible, guint32 id,
                             EdgePass pass, const float *box);
gboolean goban_painter_sees_wire (const Painter *p, guint w);

GobanStroke goban_painter_stroke (const Painter *p, double weight, gboolean is_control,
                                  EdgePass pass);
/* @points are in world coordinates, and are modified. */
void goban_painter_draw_points (const Painter *p, GobanPoint *points, guint n, gboolean has_head,
                                const GobanStroke *stroke);
void goban_painter_thin_distant (const Painter *p, const float *box, EdgePass pass,
                                 GobanStroke *stroke);
GobanStroke goban_painter_edge_stroke (const Painter *p, const GobanSceneEdge *edge, EdgePass pass);
void goban_painter_draw_edge (const Painter *p, const GobanSceneEdge *edge,
                              const GobanStroke *stroke);

G_END_DECLS
