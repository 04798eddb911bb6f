/* compare-set-looks.h: options of a compare set; each change is logged and notified. */
#pragma once

#include "engine/session/compare-looks.h"
#include "engine/session/compare-set.h"

GobanCompareMode goban_compare_set_get_mode (GobanCompareSet *self);
void goban_compare_set_set_mode (GobanCompareSet *self, GobanCompareMode mode);
GobanUnchanged goban_compare_set_get_unchanged (GobanCompareSet *self);
void goban_compare_set_set_unchanged (GobanCompareSet *self, GobanUnchanged unchanged);
GobanSync goban_compare_set_get_sync (GobanCompareSet *self);
void goban_compare_set_set_sync (GobanCompareSet *self, GobanSync sync);

/* Time differences below this are ignored; 100 us by default. */
double goban_compare_set_get_min_change_us (GobanCompareSet *self);
void goban_compare_set_set_min_change_us (GobanCompareSet *self, double min_change_us);

gboolean goban_compare_set_get_own_scales (GobanCompareSet *self);
void goban_compare_set_set_own_scales (GobanCompareSet *self, gboolean has_own_scales);
gboolean goban_compare_set_get_all_lanes (GobanCompareSet *self);
void goban_compare_set_set_all_lanes (GobanCompareSet *self, gboolean has_all_lanes);
/* While plans race, nobody is told how long they are. Not an option, and not logged. */
gboolean goban_compare_set_is_racing (GobanCompareSet *self);
void goban_compare_set_set_racing (GobanCompareSet *self, gboolean is_racing);
/* All options at once. */
GobanCompareLooks goban_compare_set_get_looks (GobanCompareSet *self);

/* Restores the state from a session file, without logging. @runs: of the list; @pair: indices into
 * them. */
void goban_compare_set_restore_looks (GobanCompareSet *self, const GobanCompareLooks *looks);
