/* move-groups.h: random groups of units, as candidates to be moved together.
 *
 * All units of a group are on one device. A group is a set grown along tensors, in any direction or
 * along the order; a stretch of the topological order; or the device's share of a part of the
 * graph, or of one phase or stretch of that part. Parts are cells, rows of cells, groups of
 * parameters and slots (engine/graph/cells.h), and clusters of heavy edges. No single kind finds
 * nearly as many good moves as all together. Sizes are drawn log-uniformly.
 *
 * The same seed and the same plans draw the same groups. One thread at a time.
 */
#pragma once

#include "engine/graph/cells.h"
#include "engine/placers/search/unit-set.h"

typedef struct _GobanMoveGroups GobanMoveGroups;

/* @units must outlive it. @rows: of @cells. */
GobanMoveGroups *goban_move_groups_new (const GobanUnits *units, const GobanCells *cells,
                                        const GobanCellRows *rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_groups_free (GobanMoveGroups *self);

/**
 * goban_move_groups_draw:
 * @most: maximum number of units in a group
 *
 * Returns: (element-type guint32): the units, never empty; borrowed until the next call
 */
const GArray *goban_move_groups_draw (GobanMoveGroups *self, GobanRng *rng, const GobanPlan *plan,
                                      guint most);

/* Adds the other units of all kernels that the last group cuts. kernel_of, next_fused (n_nodes): as
 * in plan-profile.h */
void goban_move_groups_close (GobanMoveGroups *self, const GobanNodeId *kernel_of,
                              const GobanNodeId *next_fused);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveGroups, goban_move_groups_free)
