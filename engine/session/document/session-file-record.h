/* session-file-record.h: the "record" object of a run in a session file: the decisions of a policy
 * (engine/machine/plan/placement-record.h).
 *
 *   "record": {
 *     "candidate": "finish_us", "key": "upward_rank_us", "takes_least": true,
 *     "ties": "the first device",
 *     "choices": [ "0-1,7>2 108 0 9 - 14 16 9!4;2>1 80 9 28 1" ],
 *     "columns": [ "evaluation", "kind" ], "kinds": [ "unit", "jump" ],
 *     "folded": 0, "folded_rows": 0,
 *     "notes": [ "carried along" ],
 *     "plans": [ { "after_us": 598000, "changes": [ "0>1:17 3>2:4" ], "evaluation": 5,
 *                  "note": 0 } ],
 *     "reason": "why there are no steps",
 *     "rows": [ "5 1;6 0" ], "undecided": 2 }
 *
 * A choice is its nodes, the device, key, start, finish and note ("-": none), then a candidate for
 * each device, if there are any, each with its refusals as a number. "undecided" counts the nodes
 * without a choice, as a step that was kept as a plan has them; left out if 0. A change of a plan
 * is a node, its device and its priority; a whole plan has devices, fusions, order, priorities and
 * transfers as a run has them. Of a record of more than GOBAN_SESSION_RECORD_BYTES the candidates
 * are left out, and if that does not suffice the record itself; "record_left_out" then tells the
 * number of its steps.
 */
#pragma once

#include "engine/machine/plan/placement-record.h"
#include "engine/session/document/session-reader.h"
#include "engine/session/document/session-writer.h"

G_BEGIN_DECLS

#define GOBAN_SESSION_RECORD_BYTES (4u << 20)

/* %FALSE if it was too large and left out. */
gboolean goban_session_write_record (GobanWriter *writer, const GobanPlacementRecord *record);

/* *record stays %NULL if the run has none. @plan: of the run; choices must lead to it. *record:
 * (transfer full) */
gboolean goban_session_read_record (GobanReader *reader, GobanJsonValue place,
                                    const GobanPlan *plan, GobanPlacementRecord **record,
                                    GError **error);

G_END_DECLS
