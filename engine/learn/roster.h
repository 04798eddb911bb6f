/* roster.h: list of all policies, in the order in which they are shown.
 *
 * The only complete list: quick rules and searches (engine/placers), those that
 * learn (engine/learn/rl), and those that a host adds while the program runs.
 */
#pragma once

#include "engine/placers/placer.h"

/* (n) the built-in policies, borrowed. */
const GobanPlacer *const *goban_roster (gsize *n);

gboolean goban_roster_is_built_in (const char *name);

/* --- policies of a running program, from any thread ------------------------------------------ */

/* @placer: stays valid for ever; its name is unique. */
void goban_roster_add (const GobanPlacer *placer);
void goban_roster_remove (const GobanPlacer *placer);
/* The built-in policies and those that were added. (transfer container) */
GPtrArray *goban_roster_dup_all (void) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable): %NULL with %GOBAN_ERROR_INVALID set, which lists the names there are. */
const GobanPlacer *goban_roster_find (const char *name, GError **error);
