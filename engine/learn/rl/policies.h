/* policies.h: the policies that learn or use a network, each in files of its name. */
#pragma once

#include "engine/placers/placer.h"

extern const GobanPlacer goban_placer_regal;
extern const GobanPlacer goban_placer_hdp;
extern const GobanPlacer goban_placer_placeto;
extern const GobanPlacer goban_placer_post;
extern const GobanPlacer goban_placer_go_zeroshot;
extern const GobanPlacer goban_placer_go_finetune;
extern const GobanPlacer goban_placer_go_one;
extern const GobanPlacer goban_placer_go_oneshot;
