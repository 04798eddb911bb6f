/* graph-overlays.h: marks over the nodes of a graph: differences, a moment, a step; private to the
 * painter. */
#pragma once

#include "ui/draw/graph/graph-paint.h"

G_BEGIN_DECLS

/* compare-painter.c: differences from another plan, if the picture shows them. */
gboolean goban_painter_leaves_out (const Painter *p, guint v);
guint8 *goban_painter_find_needed_wires (const Painter *p) G_GNUC_WARN_UNUSED_RESULT;
/* (nullable): the scene whose devices are drawn at the left of nodes. */
const GobanGraphScene *goban_painter_other (const Painter *p);
void goban_painter_veil_edges (const Painter *p);
/* Draws the ring below the node of that box. The other: whether the ring must be drawn over the
 * node's neighbours. */
void goban_painter_ring_change (const Painter *p, GobanBox box, guint v, double radius);
gboolean goban_painter_is_over_specks (const Painter *p, guint v);
/* Bands of @width: the other's device at the left, the scene's at the right. */
void goban_painter_draw_halves (const Painter *p, GobanBox box, guint v, double width);
void goban_painter_paint_changes (const Painter *p);
/* The label of a node under a veil, of that share of the canvas, which can still be read. */
void goban_painter_label_veiled (const Painter *p, guint v, double veil);

/* graph-playback-state.c: over the nodes. @states: as a picture's. */
void goban_painter_paint_moment (const Painter *p, const guint8 *states);
/* graph-step.c: over the nodes, those that the scene's step has changed. */
void goban_painter_paint_step (const Painter *p);

G_END_DECLS
