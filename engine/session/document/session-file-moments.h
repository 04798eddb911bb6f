/* session-file-moments.h: the "moments" object of a run in a session file: its record of decisions
 * (engine/decisions/decisions.h).
 *
 *   "moments": {
 *     "attended": { "row": [ "0 4" ], "weight": [ "..." ] },
 *     "beginning": { "placement": [ "3*0 1" ], "finish_us": [ "..." ] },
 *     "begins_after": 8,
 *     "changes": { "node": [ "0 1 2" ], "to": [ "3*1" ] },
 *     "columns": [ { "n": 4, "rows": [ "4 3 2 1" ] } ],
 *     "folded": 12,
 *     "last": 4211,
 *     "left_out": { "moments": 12, "scores": 40 },
 *     "n_moments": 4211,
 *     "n_settled": 1,
 *     "n_spans": 2,
 *     "moments": { "number": [ "13 31*1" ], "chosen": [ "12*0 20*1" ], "nodes": [ "32*1" ] },
 *     "nodes": { "node": [ "0 1 2" ] },
 *     "proven_for": "...",
 *     "refusals": [ "..." ],
 *     "scores": [ "..." ],
 *     "settled": { "moment": [ "4211" ], "digest": [ "..." ], "priorities": [ "1" ] },
 *     "spans": { "begin": [ "2*0" ], "end": [ "4211 0" ], "name": [ "1 2" ] },
 *     "version": 1,
 *     "words": [ "attempt", "draft" ] }
 *
 * A table has a column for each field of its items; one that is 0 or unknown everywhere is left
 * out. Whole numbers are text, GOBAN_SESSION_ROW a line; moments are differences from the item
 * before. Other columns are base64 of little-endian numbers: f32 scores, keys and times, f64
 * makespans, u16 shares of 65535 for probabilities.
 *
 * A moment has the numbers of its nodes, changes, attended rows and options; the items of all
 * moments are one after the other. "changes" are those that the nodes and the chosen option do not
 * give. If the first moments up to "folded" were dropped, "beginning" is the state after moment
 * "begins_after". "left_out" counts the moments that are not written, and those without their
 * scores. A settled plan has numbers of "columns" for priorities, fusions, transfers and moved
 * nodes. Names, notes and reasons are numbers of "words". Both are from 1; 0 is none.
 *
 * A record that needs more than @max_bytes is written without parts of it, dropped as in memory.
 *
 * Decision E72 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/session/document/session-values.h"
#include "engine/study/run/run-origin.h"

#define GOBAN_SESSION_MOMENTS_BYTES ((gsize) 8 << 20)

/* Writes the record of a run that has one; %FALSE if even its last plan is too large, and
 * "moments_left_out" counts what was left out. */
gboolean goban_session_write_moments (GobanWriter *writer, GobanRun *run, gsize max_bytes);

/* @place: the "moments" object; @plan: of the run, to which the record must lead at @moment (0: at
 * its last). (transfer full) (nullable): %NULL with an error set if it is wrong */
GobanDecisions *goban_session_read_moments (GobanJsonValue place, const GobanPlan *plan,
                                            GobanMoment moment, const GobanCostModel *costs,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
