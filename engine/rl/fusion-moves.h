/* fusion-moves.h: changes of fusion levels that may shorten the run of a plan, and their scores.
 *
 * An op whose readers on its device run in other kernels may be fused with them first: that saves
 * launches, and the traffic of a tensor that nobody else reads. A member of a kernel that keeps
 * critical readers elsewhere waiting may be left alone. Scores are times saved, as shares of the
 * makespan; they count for less as the op has slack. Ops that are alike (one type, one phase,
 * readers of the same types) are changed together as well as one by one.
 */
#pragma once

#include "engine/policy/plan-profile.h"
#include "engine/rl/scored-moves.h"

G_BEGIN_DECLS

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *nodes;                   /* guint32 */
  guint8 *classes;                 /* (n_nodes) GobanFusionClass */
  guint32 *kind_of;                /* (n_nodes) ops of a number are alike */
  guint n_kinds;
} GobanFusionMoves;

/* @profile must outlive it. */
GobanFusionMoves *
goban_fusion_moves_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_fusion_moves_free (GobanFusionMoves *self);

/* Finds moves from the plan of @trace, which the profile has read. O(N + E) and a sort. */
void goban_fusion_moves_read (GobanFusionMoves *self, const GobanTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFusionMoves, goban_fusion_moves_free)

G_END_DECLS
