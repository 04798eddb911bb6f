/* move-search.h: what go-improve and go-finetune share: a good plan, improved move by move (engine/rl/improver.h).
 *
 * The plan at first is the best of what the plan builder makes, or of some contiguous splits of cells under the static orders: no
 * names, no expert. Other proposals than the network's are controls for it.
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
