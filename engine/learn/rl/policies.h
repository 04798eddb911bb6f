/* policies.h: the policies that learn or use a network, each in files of its name. */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

extern const GobanPlacer goban_placer_regal;
extern const GobanPlacer goban_placer_hdp;
extern const GobanPlacer goban_placer_placeto;
extern const GobanPlacer goban_placer_post;
extern const GobanPlacer goban_placer_go;
extern const GobanPlacer goban_placer_go_zeroshot;
extern const GobanPlacer goban_placer_go_portfolio;
extern const GobanPlacer goban_placer_go_improve;
extern const GobanPlacer goban_placer_go_finetune;
extern const GobanPlacer goban_placer_go_refine;

/* go-zeroshot and go-portfolio with a network of whole plans. Defaults of settings are those of all
 * GO policies. */
GobanPlan *goban_whole_plans_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                                    guint64 *evaluations, GError **error);

G_END_DECLS
