/* session-file-probabilities.h: the "probabilities" object of a decision step in a session file.
 *
 *   "probabilities": { "order": [ "1 2 ..." ], "row_of": [ "0 0 1 ..." ], "rows": 9,
 *     "placement": { "actions": 4, "chosen": [ "9*0" ], "entropies": [ ... ],
 *     "units": [ "65534 3*0 ..." ] } }
 *
 * Units are of GOBAN_PROBABILITY_UNITS, -1: not allowed; entropies are millionths of a nat.
 * "row_of" is left out if it is that of the step before, "order" if all rows were decided at once.
 */
#pragma once

#include "engine/learn/policy/decision-log.h"
#include "engine/session/document/session-reader.h"
#include "engine/session/document/session-writer.h"

G_BEGIN_DECLS

/* About the most text for the probabilities of a log; those of the oldest steps are left out. */
#define GOBAN_SESSION_PROBABILITIES_BYTES (8u << 20)

/* The first step whose probabilities are written; the number of steps if none are. */
guint goban_session_find_probabilities (const GobanDecisionLog *log);
/* Writes those of step @step; @first: the first that is written. */
void goban_session_write_probabilities (GobanWriter *writer, const GobanDecisionLog *log,
                                        guint step, guint first);

/* Reads those of the log's last step from its object, if there are any. */
gboolean goban_session_read_probabilities (GobanJsonValue place, guint n_devices,
                                           GobanDecisionLog *log, GError **error);

G_END_DECLS
