/* autosave.h: recovery files of unsaved sessions, so that a crash loses at most a second of
 * work.
 *
 * One autosave watches one document. Soon after a change a worker writes the session to a recovery
 * file of its own name; the main thread takes references only. The file goes when the session is
 * saved, or closed with nothing unsaved; closed with changes it stays, and is offered the next
 * time. If another graph takes the place of changes, they are written to a file that is no longer
 * this autosave's, and can be restored at once.
 *
 * Beside each recovery file lies a lock that its owner holds as long as it lives. Who finds a file
 * with a lock that nobody holds may take it: no two windows and no two processes take the same, or
 * what is still in use. Main thread, except finding.
 */
#pragma once

#include "engine/session/document.h"

G_BEGIN_DECLS

/* goban/recovery in the user's folder for state. (transfer full) */
char *goban_recovery_folder (void) G_GNUC_WARN_UNUSED_RESULT;

/* --- what was left behind -------------------------------------------------------------------------- */

typedef struct _GobanRecovery GobanRecovery;

/* Takes what others left in @folder, oldest first; what cannot be read stays where it is. In any thread.
 * (transfer full) (element-type GobanRecovery) */
GPtrArray *goban_recovery_find (const char *folder) G_GNUC_WARN_UNUSED_RESULT;
/* "Goban ended unexpectedly; 3 plans of gnmt.json can be restored". Borrowed. */
const char *goban_recovery_get_text (GobanRecovery *self);
const char *goban_recovery_get_path (GobanRecovery *self);
/* Removes the files. Without it, freeing lets go of them, and they are found again the next time. */
void goban_recovery_discard (GobanRecovery *self);
void goban_recovery_free (GobanRecovery *self);

/* --- writing down ------------------------------------------------------------------------------------ */

typedef struct _GobanAutosave GobanAutosave;

/* @delay_ms: how long after a change, at least */
GobanAutosave *goban_autosave_new (GobanDocument *document, const char *folder,
                                   guint delay_ms) G_GNUC_WARN_UNUSED_RESULT;
/* What to do with the recovery of changes that another graph took the place of; without it they are found the next time.
 * @recovery: (transfer full) */
typedef void (*GobanAutosaveFunc) (GobanRecovery *recovery, gpointer user_data);
void goban_autosave_set_replaced_func (GobanAutosave *self, GobanAutosaveFunc func,
                                       gpointer user_data);
/* The session has been closed in good order: waits for what is being written, and removes the file unless something is
 * unsaved. Changes are kept even while autosave is off, for nobody is asked. */
void goban_autosave_close (GobanAutosave *self);
/* As a crash would leave it, if not closed. */
void goban_autosave_free (GobanAutosave *self);

/* On at first. Off removes what was written, and writes nothing before the session is closed or replaced. */
void goban_autosave_set_enabled (GobanAutosave *self, gboolean is_enabled);
/* From now on the recovery's file is this autosave's: its content is what the document shows. (transfer full) */
void goban_autosave_adopt (GobanAutosave *self, GobanRecovery *recovery);
/* (nullable): where the session was last written to. */
const char *goban_autosave_get_path (GobanAutosave *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRecovery, goban_recovery_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanAutosave, goban_autosave_free)

G_END_DECLS
