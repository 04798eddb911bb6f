/* session-drawing.h: drawing a small graph by hand: each change opens the changed graph.
 *
 * A change is an undoable one (session-derived.h), is logged as a line of Lua, and its graph is
 * placed at once.
 */
#pragma once

#include "engine/graph/drawing.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* Whether the open graph can be drawn on (goban_drawing_is()). */
gboolean goban_session_is_drawing (GobanSession *self);

/* %FALSE with @error set as by goban_drawing_change(); then nothing has changed. */
gboolean goban_session_draw (GobanSession *self, const GobanDrawChange *change, GError **error);

G_END_DECLS
