/* policies.h: the policies that train a network, each in files of its name. */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

extern const GobanPlacer goban_placer_regal;
extern const GobanPlacer goban_placer_hdp;
extern const GobanPlacer goban_placer_placeto;

G_END_DECLS
