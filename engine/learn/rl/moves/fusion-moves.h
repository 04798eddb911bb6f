/* fusion-moves.h: changes of fusion levels that may shorten the run of a plan, and their scores.
 *
 * Fusing an op with its readers on the same device saves launches, and the traffic of a tensor
 * without other readers. Taking an op out of a kernel helps if critical readers elsewhere wait for
 * its tensor. A score is the time saved as a share of the makespan, less if the op has slack.
 * Similar ops (one type, one phase, readers of the same types) are changed together as well as one
 * by one.
 */
#pragma once

#include "engine/learn/policy/plan-profile.h"
#include "engine/learn/rl/moves/scored-moves.h"

G_BEGIN_DECLS

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *nodes;                   /* guint32 */
  guint8 *classes;                 /* (n_nodes) GobanFusionClass */
  guint32 *kind_of;                /* (n_nodes) ops with the same number are similar */
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
