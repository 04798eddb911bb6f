/* move-search.h: the search of go-improve and go-finetune: a good plan is improved move by move
 * (engine/rl/improver.h).
 *
 * It begins at the best plan of the plan builder, or at the best of some contiguous splits of cells
 * under the static orders; it reads no names and no expert. Other proposals than the network's are
 * controls for it.
 */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

/* If the settings and the options do not say otherwise. */
typedef struct
{
  double learn; /* GobanImproverSettings.learn */
  guint64 default_evaluations;
} GobanMoveSearchUse;

/* As GobanPlaceFunc has it. */
GobanPlan *goban_move_search_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                                    const GobanMoveSearchUse *use, guint64 *evaluations,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
