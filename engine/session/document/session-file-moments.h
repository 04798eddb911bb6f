/* session-file-moments.h: the "moments" object of a run in a session file: its record of decisions
 * (engine/decisions/decisions.h).
 *
 *   "moments": {
 *     "beginning": { "folded": 12, "moment": 8, "placement": [ "3*0 1" ] },
 *     "bytes": { "finish_us": [ "..." ], "scores": [ "..." ] },
 *     "columns": { "chosen": [ "12*0 3*1" ], "nodes": [ "0 1 2 ..." ] },
 *     "kinds": [ "placement device finish_us takes_least" ],
 *     "last": 4211,
 *     "left_out": { "moments": 12, "scores": 40 },
 *     "n": 4211,
 *     "proven_for": "...",
 *     "settled": [ "4211 5f3a000000000000 priority 0 1 0 0 0" ],
 *     "spans": [ "plan 1 0 0 4211 0 4211 1 0 612000 598000 0 5f3a000000000000 1 0 0 2" ],
 *     "values": [ { "n": 4, "rows": [ "4 3 2 1" ] } ],
 *     "version": 1,
 *     "words": [ "attempt", "upward_rank_us" ] }
 *
 * Columns are whole numbers of the moments that are written, GOBAN_SESSION_ROW a line; bytes are
 * base64 of little-endian numbers: f32 scores, keys and times, f64 makespans, u16 shares of 65535
 * for probabilities. What is left out has its usual value everywhere. "left_out" counts the moments
 * that are not written, and the moments without their scores. A settled plan is its moment, digest,
 * order, proven bound, and a number of "values" for priorities, fusions, transfers and moved nodes.
 * Names, notes and reasons are numbers of "words", from 1.
 *
 * Of a record of more than @max_bytes less is written, dropped as in memory.
 *
 * Decision E72 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/session/document/session-writer.h"
#include "engine/study/run/run-origin.h"

G_BEGIN_DECLS

#define GOBAN_SESSION_MOMENTS_BYTES ((gsize) 8 << 20)

/* Writes the record of a run that has one; %FALSE if even its last plan is too large, and
 * "moments_left_out" counts what was left out. */
gboolean goban_session_write_moments (GobanWriter *writer, GobanRun *run, gsize max_bytes);

/* @place: the "moments" object; @plan: of the run, to which the record must lead. (transfer full)
 * (nullable): %NULL with an error set if it is wrong */
GobanDecisions *goban_session_read_moments (GobanJsonValue place, const GobanPlan *plan,
                                            const GobanCostModel *costs,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
