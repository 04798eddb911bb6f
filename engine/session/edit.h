/* edit.h: a run's plan changed by hand and simulated again. */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* What to change. Plain values, so that a worker can have them. */
typedef struct
{
  GobanRun *base;
  GobanSelection *nodes;
  gboolean is_move;     /* to device; else priorities are set */
  GobanDeviceId device; /* of base's cluster */
  gint32 priority;
} GobanEdit;

/* Takes references. (transfer full) */
GobanEdit *goban_edit_copy (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;
void goban_edit_free (GobanEdit *edit);

/**
 * goban_edit_run:
 *
 * Copies the base's plan, changes and simulates it; in any thread. A colocation group moves as a
 * whole.
 *
 * Returns: (transfer full) (nullable): a run called "by hand", or %NULL with %GOBAN_ERROR_INVALID
 *   set where a node cannot run there
 */
GobanRun *goban_edit_run (const GobanEdit *edit, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the run that came of @edit, logs it, and says what moved along. */
void goban_session_add_edit (GobanSession *session, const GobanEdit *edit, GobanRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanEdit, goban_edit_free)

G_END_DECLS
