/* attributor.h: background job that attributes the difference of two runs (attribution.h).
 *
 * A GObject of the main thread: shares are added as they are found, sorted, and stay when it is
 * stopped. Reverting one of them permanently is a command of the session.
 *
 * Signal: "changed": there are more shares, or the job has begun or ended.
 */
#pragma once

#include "engine/analysis/attribution.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_ATTRIBUTOR (goban_attributor_get_type ())
G_DECLARE_FINAL_TYPE (GobanAttributor, goban_attributor, GOBAN, ATTRIBUTOR, GObject)

GobanAttributor *goban_attributor_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Cancels the running job, drops the shares of other runs, and starts. */
void goban_attributor_start (GobanAttributor *self, GobanRun *before, GobanRun *after);
/* Keeps the shares found so far. */
void goban_attributor_stop (GobanAttributor *self);
/* Stops, and drops the shares. */
void goban_attributor_clear (GobanAttributor *self);

/* (nullable): NULL before the first share. Borrowed until the next "changed". */
GobanAttribution *goban_attributor_get_found (GobanAttributor *self);
/* The compared runs, (nullable), borrowed. */
GobanRun *goban_attributor_get_before (GobanAttributor *self);
GobanRun *goban_attributor_get_after (GobanAttributor *self);
gboolean goban_attributor_is_running (GobanAttributor *self);
double goban_attributor_get_fraction (GobanAttributor *self); /* 0..1 of the groups */
/* The error message of a failed attribution, (nullable). */
const char *goban_attributor_get_trouble (GobanAttributor *self);

/* --- trying ----------------------------------------------------------------------------------- */

/* A change to revert, and its label. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GobanShareKind kind;
  GobanSelection *nodes;
  const char *label;
} GobanRevert;

/* Simulates the second run's plan without the change, named "heft without enc/l5 → gpu:1"; in any
 * thread. (transfer full) (nullable): NULL with %GOBAN_ERROR_INVALID set if the plan is not
 * possible. */
GobanRun *goban_revert_run (const GobanRevert *revert, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds and shows that run as one undoable change, with its log line: compare.try(1, 2, "moved",
 * g:nodes{"a"}, "enc/l5"). The second run becomes the ghost. FALSE with %GOBAN_ERROR_INVALID set if
 * one of the two is no longer in the list. */
gboolean goban_session_add_revert (GobanSession *session, const GobanRevert *revert, GobanRun *run,
                                   GError **error);

/* Simulates in a worker, then adds the run; errors are emitted as messages. */
void goban_session_try_revert (GobanSession *session, const GobanRevert *revert);

G_END_DECLS
