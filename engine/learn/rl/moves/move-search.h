/* move-search.h: the search of go-finetune and go-one: a good plan is improved move by move
 * (engine/learn/rl/moves/improver.h).
 *
 * It starts at the best plan of the plan builder, or at the best of some contiguous splits of cells
 * under the static orders; it uses neither names nor the expert's plan. Proposals by hand-set
 * weights, an untrained network or uniform draws are controls.
 */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

/* Defaults, which settings and options override. */
typedef struct
{
  guint64 default_evaluations;
  gboolean is_untrained; /* the decoder begins as a new network */
} GobanMoveSearchUse;

/* Runs the search; parameters and result as for GobanPlaceFunc. */
GobanPlan *goban_move_search_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                                    const GobanMoveSearchUse *use, guint64 *evaluations,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
