/* coloring.h: node colourings by name, as views, scripts and files use them.
 *
 * "device", "op", "priority", "script" (values computed by a script, kept by the view), or a
 * numeric field of node-field.h.
 */
#pragma once

#include "engine/session/node-values.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* FALSE with %GOBAN_ERROR_INVALID set, which lists the words there are. */
gboolean goban_color_check (const char *color, GError **error);

/* The numbers behind a colouring: NULL for devices, ops and scripts, and where nobody knows any, as times
 * without a run. (transfer full) (nullable) */
GobanNodeValues *goban_color_get_values (const char *color,
                                         const GobanNodeContext *context) G_GNUC_WARN_UNUSED_RESULT;

/* The same for who asked for that colouring and no other: FALSE with %GOBAN_ERROR_INVALID set if it is
 * of numbers and nobody knows any. Priorities without a run are no mistake: ops stand for them. */
gboolean goban_color_find_values (const char *color, const GobanNodeContext *context,
                                  GobanNodeValues **values, GError **error);

/* The same for what the session's view shows of its graph and current run, scripts included. */
GobanNodeValues *goban_session_dup_color_values (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether it answers at once. Where not, a worker should ask goban_color_get_values() first: a run keeps them. */
gboolean goban_session_has_color_values (GobanSession *session);

G_END_DECLS
