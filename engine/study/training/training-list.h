/* training-list.h: the trainings that were started for an object, such as a session.
 *
 * The starter of a training adds it; panes observe the list. A training continues as long as it is
 * in the list, or has another owner. Main thread.
 */
#pragma once

#include "engine/study/training/training-job.h"

G_BEGIN_DECLS

/* The list of #GobanTrainingJob of @owner, the newest last; empty at first. It lives as long as
 * @owner. Borrowed. */
GListModel *goban_training_list_of (GObject *owner);

/* Adds a training. A reference is taken. */
void goban_training_list_add (GObject *owner, GobanTrainingJob *training);

/**
 * goban_training_list_watch:
 * @owner: borrowed; the list forgets the policy if @owner goes first
 * @policy: that fills @log while it places a graph (engine/study/run/policy-run.h)
 * @job: (nullable): that places; borrowed
 *
 * Adds the learning to the list as soon as @policy has made an update; never, if it makes none. A
 * log is watched once. Of those that have ended, the oldest leave the list when there are more than
 * %GOBAN_TRAINING_LIST_MAX_ENDED. Any thread.
 */
void goban_training_list_watch (GObject *owner, const char *policy, GobanTrainingLog *log,
                                GobanJob *job);
#define GOBAN_TRAINING_LIST_MAX_ENDED 8
/* Adds it at once, if an update has been made: without a main loop that would call. */
void goban_training_list_add_learning (GObject *owner, const char *policy, GobanTrainingLog *log);

/* A file for a network that is neither there nor the output of a listed training:
 * "FOLDER/builder-2.net". @owner: (nullable). (transfer full) */
char *goban_training_list_dup_free_output (GObject *owner, const char *folder,
                                           const char *network) G_GNUC_WARN_UNUSED_RESULT;

/* @first and the folders of the listed trainings' networks, each once. (transfer full) */
char **goban_training_list_dup_folders (GObject *owner,
                                        const char *first) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
