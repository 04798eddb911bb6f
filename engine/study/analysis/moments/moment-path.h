/* moment-path.h: place of a moment among the spans of its record, as people read it.
 *
 * "Plan 5 of 17 › Decision 3 of 313": spans are counted among those of the same name within the
 * same span, folded ones included. A span that has all moments of the one around it, or is the only
 * one of the record, has no part of its own, nor has the decision of a span that is one decision.
 */
#pragma once

#include "engine/decisions/decisions.h"

G_BEGIN_DECLS

/* (transfer full): "" at the beginning. O(spans) */
char *goban_moment_describe_path (const GobanDecisions *decisions,
                                  GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* The paths of all moments: O(spans) once, O(depth) for each. @decisions outlives it. */
typedef struct _GobanMomentPaths GobanMomentPaths;

/* @is_translated: FALSE for files. */
GobanMomentPaths *goban_moment_paths_new (const GobanDecisions *decisions,
                                          gboolean is_translated) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_paths_free (GobanMomentPaths *self);
/* (transfer full) */
char *goban_moment_paths_describe (const GobanMomentPaths *self,
                                   GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMomentPaths, goban_moment_paths_free)

G_END_DECLS
