/* session-file-places.h: the "bookmarks" and "scenes" of a session file.
 *
 *   "bookmarks": [
 *     { "color": "device", "expanded": [ "encoder" ], "grouping": "auto", "layout": "auto",
 *       "number": 1, "sight": "0 0 200 100" } ]
 *   "scenes": [
 *     { "color": ...,
 *       "compare": {               left out: no comparison was shown
 *         "mode": ..., "pair": ...,
 *         "plans": [ { "makespan_us": 182.5, "plan": "heft" }, { "plan": "metis" } ],
 *         and the other options of a comparison },
 *       "expanded": ..., "grouping": ..., "layout": ...,
 *       "makespan_us": 182.5,      with plan
 *       "plan": "heft",            left out: none was shown
 *       "selection": [ "0-3" ],
 *       "sight": ...,
 *       "step": 3,                 left out: none
 *       "text": [ "a line" ],      left out: no caption
 *       "time_us": 12.5 } ]        left out: no moment
 *
 * A list without elements is left out.
 */
#pragma once

#include "engine/session/document/session-values.h"

void goban_session_write_bookmarks (GobanWriter *writer, const GobanNavigation *places);
gboolean goban_session_read_bookmarks (GobanReader *reader, GobanJsonValue root, GError **error);

/* Fields that the view, bookmarks and scenes share: "color", "expanded", "grouping" and "layout".
 * The texts of @look are the reader's; its list is (transfer container), never %NULL. */
gboolean goban_session_read_look (GobanJsonValue place, GobanBookmark *look, GError **error);

void goban_session_write_scenes (GobanWriter *writer, const GobanSceneList *scenes);
gboolean goban_session_read_scenes (GobanReader *reader, GobanJsonValue root, GError **error);

/* --- comparisons ------------------------------------------------------------------------------ */

/* The "compare" object of a session file: the compared plans and the
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

void goban_session_write_compare (GobanWriter *writer, const GobanSnapshot *snapshot);

/* @runs: (element-type GobanRun): the runs of the file, in its order; an element is NULL if it no
 * longer fits. */
gboolean goban_session_read_compare (GobanReader *reader, GobanJsonValue root, GPtrArray *runs,
                                     GError **error);
