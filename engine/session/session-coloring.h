/* session-coloring.h: node values of the colours in which a session shows its graph. */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/node-values.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): %NULL if no value is known. */
GobanNodeValues *goban_session_dup_color_values (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether that returns without computing. If not, a worker should call goban_color_get_values()
 * first: a run caches the values. */
gboolean goban_session_has_color_values (GobanSession *session);

G_END_DECLS
