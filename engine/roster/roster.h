/* roster.h: list of all policies, in the order in which they are shown.
 *
 * The one place that knows them all: quick rules and searches (engine/placers) and those that
 * learn (engine/rl).
 */
#pragma once

#include "engine/placers/placer.h"

G_BEGIN_DECLS

/* (n) borrowed. */
const GobanPlacer *const *goban_roster (gsize *n);

/* (nullable): %NULL with %GOBAN_ERROR_INVALID set, which lists the names there are. */
const GobanPlacer *goban_roster_find (const char *name, GError **error);

G_END_DECLS
