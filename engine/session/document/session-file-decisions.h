/* session-file-decisions.h: the "decisions" object of a run in a session file: the decision log of
 * GO.
 *
 *   "decisions": { "entropies": { "placement": [ "0.5 3*0.25 28*-" ] },   nats a node, "-": nobody
 *   knows
 *     "folded": 0,
 *     "start": { "placement": [ "32*0" ] },                  choices before the first step; left
 *     out: none
 *     "start_us": 612000,
 *     "steps": [ { "after_us": 598000, "evaluation": 5, "placement": [ "4 0>1 0.625 0.5 0-1,7" ],
 *     "rows": 9, "update": 1 } ],
 *     "tasks": "placement" }
 *
 * A line of a task's changes is its row, what it had ("-": nothing) and has, the probability, the
 * entropy, and numbers of nodes. The probabilities of what was not chosen are in
 * session-file-probabilities.h. A log of more than GOBAN_SESSION_DECISIONS_BYTES is left out, and
 * "decisions_left_out" says how large it was.
 */
#pragma once

#include "engine/learn/policy/decision-log.h"
#include "engine/session/document/session-reader.h"
#include "engine/session/document/session-writer.h"

G_BEGIN_DECLS

#define GOBAN_SESSION_DECISIONS_BYTES (4u << 20)

/* Writes the log of the current run; %FALSE if it was too large and left out. */
gboolean goban_session_write_decisions (GobanWriter *writer, const GobanDecisionLog *log);

/* *log stays %NULL if the run has none. @n_devices: an upper bound of device numbers; *log:
 * (transfer full) */
gboolean goban_session_read_decisions (GobanReader *reader, GobanJsonValue place, guint n_devices,
                                       GobanDecisionLog **log, GError **error);

G_END_DECLS
