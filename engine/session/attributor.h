/* attributor.h: background job that breaks down the difference of two runs (breakdown.h): by
 * decisions, or by causes if they are of two graphs.
 *
 * A GObject of the main thread: the parts come first, then groups; the result so far stays when it
 * is stopped. Reverting one of them permanently is a command of the session.
 *
 * Signal: "changed": the result has grown, or the job has begun or ended.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/difference/breakdown.h"

#define GOBAN_TYPE_ATTRIBUTOR (goban_attributor_get_type ())
G_DECLARE_FINAL_TYPE (GobanAttributor, goban_attributor, GOBAN, ATTRIBUTOR, GObject)

GobanAttributor *goban_attributor_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Cancels the running job, drops results for other runs, and starts. */
void goban_attributor_start (GobanAttributor *self, GobanDifference *difference);
void goban_attributor_start_causes (GobanAttributor *self, GobanRun *before, GobanRun *after);
/* Keeps the result so far. */
void goban_attributor_stop (GobanAttributor *self);
/* Stops, and drops the result. */
void goban_attributor_clear (GobanAttributor *self);

/* (nullable): NULL before the parts are known. Borrowed until the next "changed". */
GobanBreakdown *goban_attributor_get_found (GobanAttributor *self);
/* The comparison of the runs, (nullable), borrowed. */
GobanDifference *goban_attributor_get_difference (GobanAttributor *self);
gboolean goban_attributor_is_running (GobanAttributor *self);
double goban_attributor_get_fraction (GobanAttributor *self); /* 0..1 of the running job */
/* The error message of a failed breakdown, (nullable). */
const char *goban_attributor_get_trouble (GobanAttributor *self);

/* --- trying ----------------------------------------------------------------------------------- */

/* Adds and shows that run as one undoable change, with its log line: compare.try(1, 2, "moved",
 * g:nodes{"a"}, "enc/l5"). The second run becomes the ghost. FALSE with %GOBAN_ERROR_INVALID set if
 * one of the two is no longer in the list. */
gboolean goban_session_add_revert (GobanSession *session, const GobanRevert *revert, GobanRun *run,
                                   GError **error);

/* Simulates in a worker, then adds the run; errors are emitted as messages. */
void goban_session_try_revert (GobanSession *session, const GobanRevert *revert);
