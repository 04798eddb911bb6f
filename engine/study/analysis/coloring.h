/* coloring.h: node colourings by name, as views, scripts and files use them.
 *
 * "device", "op", "priority", "script" (values computed by a script, kept by a view), or a
 * numeric field of node-field.h.
 */
#pragma once

#include "engine/study/analysis/node-values.h"

/* FALSE with %GOBAN_ERROR_INVALID set, whose message lists the valid words. */
gboolean goban_color_check (const char *color, GError **error);

/* The values of a colouring. NULL for devices, ops and scripts, and if no value is known, for
 * example times without a run. (transfer full) (nullable) */
GobanNodeValues *goban_color_get_values (const char *color,
                                         const GobanNodeContext *context) G_GNUC_WARN_UNUSED_RESULT;

/* The same for an explicitly requested colouring: FALSE with %GOBAN_ERROR_INVALID set if it is
 * numeric and no value is known. Priorities without a run are not an error: nodes are coloured by
 * op. */
gboolean goban_color_find_values (const char *color, const GobanNodeContext *context,
                                  GobanNodeValues **values, GError **error);
