/* move-groups.h: groups of units that may go to another device together, drawn by chance.
 *
 * A group is of one device: a set that grows along tensors, any way or along the order; a stretch
 * of the topological order; or what the device has of a part of the graph, or of one phase or a
 * stretch of it. Parts are cells, rows of cells, groups of parameters and slots
 * (engine/graph/cells.h), and clusters of heavy edges. No kind alone finds nearly as many good
 * moves as all together. Sizes are log-uniform: small numbers are as likely as large ones of the
 * same ratio.
 *
 * The same seed and the same plans draw the same groups. One thread at a time.
 */
#pragma once

#include "engine/graph/cells.h"
#include "engine/placers/unit-set.h"

G_BEGIN_DECLS

typedef struct _GobanMoveGroups GobanMoveGroups;

/* @units must outlive it. @rows: of @cells. */
GobanMoveGroups *goban_move_groups_new (const GobanUnits *units, const GobanCells *cells,
                                        const GobanCellRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_groups_free (GobanMoveGroups *self);

/**
 * goban_move_groups_draw:
 * @most: units that a group has at most
 *
 * Returns: (element-type guint32): borrowed until the next one; never empty
 */
const GArray *goban_move_groups_draw (GobanMoveGroups *self, GobanRng *rng, const GobanPlan *plan,
                                      guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveGroups, goban_move_groups_free)

G_END_DECLS
