/* graph-pick.h: hit test of a graph layout: the item at a point, and the items within a rectangle.
 *
 * A uniform grid over the boxes of a layout; nodes are its items. Immutable and reference-counted;
 * keeps a reference on the layout.
 */
#pragma once

#include "ui/draw/graph/graph-layout.h"

typedef struct _GobanPick GobanPick;

GobanPick *goban_pick_new (GobanLayout *layout) G_GNUC_WARN_UNUSED_RESULT;
GobanPick *goban_pick_ref (GobanPick *self);
void goban_pick_unref (GobanPick *self);

/* The node whose box is nearest to @screen, within @reach_px pixels, so that tiny nodes can be hit.
 * Ties go to the lower id. GOBAN_NO_NODE if there is none. */
GobanNodeId goban_pick_at (const GobanPick *self, const GobanCamera *camera, GobanPoint screen,
                           double reach_px);

/* The innermost open group around a point, except the whole graph; GOBAN_NO_ITEM if there is
 * none. */
guint32 goban_pick_hull_at (const GobanPick *self, const GobanCamera *camera, GobanPoint screen);
/* Whether the point is on its header, which has a height of at least @least_px pixels. */
gboolean goban_pick_is_on_head (const GobanPick *self, const GobanCamera *camera, guint32 hull,
                                GobanPoint screen, double least_px);

/* Nodes whose boxes touch a rectangle of the world, ascending; (transfer full), @n of them. */
GobanNodeId *goban_pick_inside (const GobanPick *self, GobanBox world,
                                guint *n) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPick, goban_pick_unref)
