/* decoding.h: a search by the decoder of plans: likeliest plans, samples, learning on the graph.
 *
 * The network is the shipped one, a named one, or a new one. It uses no heuristics, no expert's
 * plan and no names.
 */
#pragma once

#include "engine/learn/rl/builder/fine-tuning.h"
#include "engine/placers/placer.h"

/* The first round: likeliest plans, samples and orders. */
#define GOBAN_DECODING_EVALUATIONS 17
/* Plans of an update, each an evaluation. */
#define GOBAN_DECODING_FELLOWS 16
/* Updates between plans that show what was learned, each an evaluation, too. */
#define GOBAN_DECODING_CHECK_EVERY 5
/* Most updates on a graph: GO fine-tunes in fewer than 50 steps. */
#define GOBAN_DECODING_MOST_UPDATES 49

typedef struct
{
  guint64 default_evaluations;
  gboolean is_untrained;          /* begins with a new network */
  guint n_updates;                /* after the first round; 0: nothing is learned */
  GobanFineTuningSettings tuning; /* if so */
} GobanDecodingUse;

/* (transfer full) (nullable) */
GobanPlan *goban_decoding_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                                 const GobanDecodingUse *use, guint64 *evaluations,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
