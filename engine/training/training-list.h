/* training-list.h: the trainings that were started for an object, such as a session.
 *
 * Whoever starts a training adds it; panes observe the list. A training goes on for as long as it
 * is in the list, or somebody else holds it. Main thread.
 */
#pragma once

#include "engine/training/training-job.h"

G_BEGIN_DECLS

/* The list of #GobanTrainingJob of @owner, the newest last; empty at first. It lives as long as
 * @owner. Borrowed. */
GListModel *goban_training_list_of (GObject *owner);

/* Adds a training. A reference is taken. */
void goban_training_list_add (GObject *owner, GobanTrainingJob *training);

/* A file for a network that is neither there nor the output of a listed training:
 * "FOLDER/builder-2.net". @owner: (nullable). (transfer full) */
char *goban_training_list_dup_free_output (GObject *owner, const char *folder,
                                           const char *network) G_GNUC_WARN_UNUSED_RESULT;

/* @first and the folders of the listed trainings' networks, each once. (transfer full) */
char **goban_training_list_dup_folders (GObject *owner,
                                        const char *first) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
