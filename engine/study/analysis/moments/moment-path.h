/* moment-path.h: place of a moment among the spans of its record, as people read it.
 *
 * "Plan 5 of 17 › Decision 3 of 313": spans are counted among those of the same name within the
 * same span, folded ones included. A span that is alone in its span has no part of its own, nor has
 * the decision of a span that is one decision.
 */
#pragma once

#include "engine/decisions/decisions.h"

G_BEGIN_DECLS

/* (transfer full): "" at the beginning. O(spans) */
char *goban_moment_describe_path (const GobanDecisions *decisions,
                                  GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;

/* The paths of all moments: O(spans) once, O(depth) for each. */
typedef struct _GobanMomentPaths GobanMomentPaths;

GobanMomentPaths *goban_moment_paths_new (GobanDecisions *decisions) G_GNUC_WARN_UNUSED_RESULT;
void goban_moment_paths_free (GobanMomentPaths *self);
/* The same text. (transfer full) */
char *goban_moment_paths_describe (const GobanMomentPaths *self,
                                   GobanMoment moment) G_GNUC_WARN_UNUSED_RESULT;
/* The number of the moment within its innermost span, from 1, and the number of moments there. */
void goban_moment_paths_count (const GobanMomentPaths *self, GobanMoment moment, guint *number,
                               guint *total);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMomentPaths, goban_moment_paths_free)

G_END_DECLS
