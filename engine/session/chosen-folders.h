/* chosen-folders.h: the folders in which a person chose a file to save, for as long as the session is there.
 *
 * What asks, such as the dialogs of a window, adds them; what decides where a script of the window may write reads
 * them. Another graph of the same session leaves them as they are. No session file holds them. Of the main thread.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* The folder of @file, which need not exist yet; each folder is kept once. */
void goban_chosen_folders_add (GobanSession *session, const char *file);

/* Paths from the root, of type char *, in the order of choice. (transfer none) */
const GPtrArray *goban_chosen_folders_get (GobanSession *session);

G_END_DECLS
