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

#include "engine/session/document/session-reader.h"
#include "engine/session/document/session-writer.h"

G_BEGIN_DECLS

/* Options of a comparison in an object: the keys up to "mode", then, after what stands between
 * them, those from "scales" on. */
void goban_session_write_looks_start (GobanWriter *writer, const GobanCompareLooks *looks);
void goban_session_write_looks_end (GobanWriter *writer, const GobanCompareLooks *looks);
gboolean goban_session_read_looks (GobanJsonValue place, GobanCompareLooks *looks, GError **error);
/* Two places from 0 as "1 3"; @n: how many places there are. */
void goban_session_write_pair (GobanWriter *writer, const guint pair[2]);
gboolean goban_session_read_pair (GobanJsonValue place, guint n, guint pair[2], GError **error);

void goban_session_write_compare (GobanWriter *writer, const GobanSnapshot *snapshot);

/* @runs: (element-type GobanRun): the runs of the file, in its order; an element is NULL if it no
 * longer fits. */
gboolean goban_session_read_compare (GobanReader *reader, GobanJsonValue root, GPtrArray *runs,
                                     GError **error);

G_END_DECLS
