/* policies.h: the policies that train a network, or ask one, each in files of its name. */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

extern const GobanPlacer goban_placer_regal;
extern const GobanPlacer goban_placer_hdp;
extern const GobanPlacer goban_placer_placeto;
extern const GobanPlacer goban_placer_go;
extern const GobanPlacer goban_placer_go_zeroshot;
extern const GobanPlacer goban_placer_go_portfolio;
extern const GobanPlacer goban_placer_go_improve;
extern const GobanPlacer goban_placer_go_finetune;
extern const GobanPlacer goban_placer_go_refine;

/* go-zeroshot and go-portfolio of networks of whole plans; what settings do not say is as for any
 * of GO's policies. */
GobanPlan *goban_whole_plans_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                                    guint64 *evaluations, GError **error);

G_END_DECLS
