/* attributor.h: background job that attributes the difference of two runs (attribution.h).
 *
 * A GObject of the main thread: shares are added as they are found, sorted, and stay when it is
 * stopped. Reverting one of them permanently is a command of the session.
 *
 * Signal: "changed": there are more shares, or the job has begun or ended.
 */
#pragma once

#include "engine/session/attribution.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_ATTRIBUTOR (goban_attributor_get_type ())
G_DECLARE_FINAL_TYPE (GobanAttributor, goban_attributor, GOBAN, ATTRIBUTOR, GObject)

GobanAttributor *goban_attributor_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Forgets what was found of other runs; whatever runs is given up. */
void goban_attributor_start (GobanAttributor *self, GobanRun *before, GobanRun *after);
/* Keeps what is found. */
void goban_attributor_stop (GobanAttributor *self);
/* Stops, and forgets. */
void goban_attributor_clear (GobanAttributor *self);

/* (nullable): NULL before the first share. Borrowed until the next "changed". */
GobanAttribution *goban_attributor_get_found (GobanAttributor *self);
/* (nullable): of which runs, borrowed. */
GobanRun *goban_attributor_get_before (GobanAttributor *self);
GobanRun *goban_attributor_get_after (GobanAttributor *self);
gboolean goban_attributor_is_running (GobanAttributor *self);
double goban_attributor_get_fraction (GobanAttributor *self); /* 0..1 of the groups */
/* (nullable): why there is nothing to be found. */
const char *goban_attributor_get_trouble (GobanAttributor *self);

/* --- trying ----------------------------------------------------------------------------------- */

/* What is taken back, and what people call it. */
typedef struct
{
  GobanRun *before;
  GobanRun *after;
  GobanShareKind kind;
  GobanSelection *nodes;
  const char *label;
} GobanRevert;

/* The run of the second's plan without it, called "heft without enc/l5 → gpu:1"; in any thread. (transfer full)
 * (nullable): NULL with %GOBAN_ERROR_INVALID set if the plan cannot be. */
GobanRun *goban_revert_run (const GobanRevert *revert, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds and shows that run as one change, with its line: compare.try(1, 2, "moved", g:nodes{"a"}, "enc/l5"). The second
 * run becomes the ghost. FALSE with %GOBAN_ERROR_INVALID set if one of the two is not in the list any more. */
gboolean goban_session_add_revert (GobanSession *session, const GobanRevert *revert, GobanRun *run,
                                   GError **error);

/* Both, the simulation in a worker; what fails is said. */
void goban_session_try_revert (GobanSession *session, const GobanRevert *revert);

G_END_DECLS
