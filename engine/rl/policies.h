/* policies.h: the policies of this folder, each in a file of its name: those that learn. */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

extern const GobanPlacer goban_placer_placeto;

G_END_DECLS
