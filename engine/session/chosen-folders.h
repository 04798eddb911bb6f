/* chosen-folders.h: folders in which the user chose a file to save, kept while the session exists.
 *
 * Dialogs of a window add them; the check of the paths that a script of the window may write to
 * reads them. Opening another graph in the same session keeps them. They are not saved in session
 * files. Of the main thread.
 */
#pragma once

#include "engine/session/session.h"

/* Folders and files in the working folder that scripts and trainings of a window may always write
 * to. */
#define GOBAN_OUT_FOLDER "goban-out"

/* The folder of @file, which need not exist yet; each folder is kept once. */
void goban_chosen_folders_add (GobanSession *session, const char *file);

/* Paths from the root, of type char *, in the order of choice. (transfer none) */
const GPtrArray *goban_chosen_folders_get (GobanSession *session);

/* Trained networks that the user chose for policies, kept while the session
 * exists.
 *
 * The Place menu's policies use them; scripts name theirs. They are not saved in session files. Of
 * the main thread.
 */

/* @policies: NULL-terminated: all of them use the network in @file */
void goban_chosen_networks_set (GobanSession *session, const char *const *policies,
                                const char *file);
/* Every policy uses its own network again. */
void goban_chosen_networks_clear (GobanSession *session);

/* (nullable): the file of the network for a policy; %NULL: its own. Borrowed until it is set. */
const char *goban_chosen_networks_get (GobanSession *session, const char *policy);
