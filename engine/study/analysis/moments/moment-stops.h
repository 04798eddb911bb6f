/* moment-stops.h: stops of a player in a record of decisions, and lengths of the plans there.
 *
 * Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/decisions/decisions.h"

G_BEGIN_DECLS

/* FALSE if there is nothing to walk through: the whole plan is at most one decision. */
gboolean goban_moments_can_be_walked (const GobanDecisions *decisions);
/* The policy's reason for having no finer decisions; (nullable): interned. */
const char *goban_moments_get_reason (const GobanDecisions *decisions);

/* Whether the record has spans of a level; it always has moments. */
gboolean goban_moments_have_level (const GobanDecisions *decisions, GobanLevel level);

/* Ascending, of GobanMoment: the beginning, the stops of a level, and the last moment. (transfer
 * full): O(moments) */
GArray *goban_moments_list_stops (const GobanDecisions *decisions, GobanLevel level,
                                  GobanStops which) G_GNUC_WARN_UNUSED_RESULT;
/* The index of the last stop up to @moment. */
guint goban_moments_find_stop (const GArray *stops, GobanMoment moment);

/* (n_stops): makespans of the plans there, or lengths of the policy's schedule so far; NAN:
 * unknown. (transfer full): O(moments) */
double *goban_moments_dup_lengths_us (const GobanDecisions *decisions,
                                      const GArray *stops) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
