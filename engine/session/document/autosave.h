/* autosave.h: recovery files of unsaved sessions, so that a crash loses at most a second of
 * work.
 *
 * One autosave watches one document. Soon after a change a worker writes the session to a recovery
 * file of its own name; the main thread takes references only. The file goes when the session is
 * saved, or closed with nothing unsaved; closed with changes it stays, and is offered the next
 * time. If another graph takes the place of changes, they are written to a file that is no longer
 * this autosave's, and can be restored at once. What the session has set aside for a derived graph
 * (session-derived.h) comes back without it: that file is for a crash, goes when the graph is back,
 * and can be restored once the session has dropped the graph.
 *
 * Beside each recovery file lies a lock that its owner holds as long as it lives. Who finds a file
 * with a lock that nobody holds may take it: no two windows and no two processes take the same, or
 * what is still in use. Main thread, except finding.
 *
 * Decision E31 (engine/NOTES.md).
 */
#pragma once

#include "engine/session/document/document.h"

/* The folder goban/recovery in the user's state directory. (transfer full) */
char *goban_recovery_folder (void) G_GNUC_WARN_UNUSED_RESULT;

/* --- files left behind ------------------------------------------------------------------------ */

typedef struct _GobanRecovery GobanRecovery;

/* Locks and returns the recovery files in @folder that no running program owns, oldest first;
 * unreadable files stay. In any thread. (transfer full) (element-type GobanRecovery) */
GPtrArray *goban_recovery_find (const char *folder) G_GNUC_WARN_UNUSED_RESULT;
/* "Goban ended unexpectedly; 3 plans of gnmt.json can be restored". Borrowed. */
const char *goban_recovery_get_text (GobanRecovery *self);
const char *goban_recovery_get_path (GobanRecovery *self);
/* Deletes the files. If it is not called, freeing only unlocks them, and they are found again the
 * next time. */
void goban_recovery_discard (GobanRecovery *self);
void goban_recovery_free (GobanRecovery *self);

/* --- writing down ----------------------------------------------------------------------------- */

typedef struct _GobanAutosave GobanAutosave;

/* @delay_ms: minimum delay after a change */
GobanAutosave *goban_autosave_new (GobanDocument *document, const char *folder,
                                   guint delay_ms) G_GNUC_WARN_UNUSED_RESULT;
/* Called with the recovery of unsaved changes when another graph replaces them, or when the session
 * drops them after they were set aside. If it is not set, they are found at the next start.
 * @recovery: (transfer full) */
typedef void (*GobanAutosaveFunc) (GobanRecovery *recovery, gpointer user_data);
void goban_autosave_set_replaced_func (GobanAutosave *self, GobanAutosaveFunc func,
                                       gpointer user_data);
/* To be called when the session is closed normally: waits for the current write, and deletes the
 * file unless something is unsaved. Unsaved changes are kept even if autosave is off, because there
 * was no question to the user. */
void goban_autosave_close (GobanAutosave *self);
/* Leaves the files as a crash would if goban_autosave_close() was not called. */
void goban_autosave_free (GobanAutosave *self);

/* Enabled by default. Disabling deletes the recovery file, and nothing more is written before the
 * session is closed or replaced. */
void goban_autosave_set_enabled (GobanAutosave *self, gboolean is_enabled);
/* Takes over the file of a recovery whose content the document now shows. (transfer full) */
void goban_autosave_adopt (GobanAutosave *self, GobanRecovery *recovery);
/* The last recovery file written, (nullable). */
const char *goban_autosave_get_path (GobanAutosave *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRecovery, goban_recovery_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanAutosave, goban_autosave_free)
