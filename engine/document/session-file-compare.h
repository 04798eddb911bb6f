/* session-file-compare.h: the "compare" object of a session file: the compared plans and the
 * options.
 *
 *   "compare": {
 *     "lanes": "all",            left out: of devices alone
 *     "mode": "side",
 *     "open": true,              left out: the comparison is not shown
 *     "pair": "1 3",             places among "runs"; left out: "1 2"
 *     "runs": "4 1 2",           numbers of runs, from 1; left out: none
 *     "scales": "own",           left out: one for all
 *     "sync": [ "view" ],        of view, time and selection; left out: all of them
 *     "threshold_us": 100,
 *     "unchanged": "dim" }
 *
 * It is left out if nothing is compared, and would be in the usual way.
 */
#pragma once

#include "engine/document/session-reader.h"
#include "engine/document/session-writer.h"

G_BEGIN_DECLS

void goban_session_write_compare (GobanWriter *writer, const GobanSnapshot *snapshot);

/* @runs: (element-type GobanRun): the runs of the file, in its order; an element is NULL if it no
 * longer fits. */
gboolean goban_session_read_compare (GobanReader *reader, GobanJsonValue root, GPtrArray *runs,
                                     GError **error);

G_END_DECLS
