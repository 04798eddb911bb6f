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
 *         and the other options of session-file-compare.h },
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

#include "engine/session/document/session-reader.h"
#include "engine/session/document/session-writer.h"

G_BEGIN_DECLS

void goban_session_write_bookmarks (GobanWriter *writer, const GobanNavigation *places);
gboolean goban_session_read_bookmarks (GobanReader *reader, GobanJsonValue root, GError **error);

/* Fields that the view, bookmarks and scenes share: "color", "expanded", "grouping" and "layout".
 * The texts of @look are the reader's; its list is (transfer container), never %NULL. */
gboolean goban_session_read_look (GobanJsonValue place, GobanBookmark *look, GError **error);

void goban_session_write_scenes (GobanWriter *writer, const GobanSceneList *scenes);
gboolean goban_session_read_scenes (GobanReader *reader, GobanJsonValue root, GError **error);

G_END_DECLS
