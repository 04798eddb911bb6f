/* training-list.h: trainings, and lists of those that were started for an object, as a session.
 *
 * The starter of a training adds it; panes observe the list. A training continues as long as it is
 * in the list, or has another owner. Main thread.
 *
 * A training runs in a worker with its curves. A policy that learns on the graph that it places is
 * one, too, so that lists and panes show it like the others. It has curves and no network; its plan
 * belongs to the caller.
 *
 * Properties of a training: "done" (boolean). When it ends, "notify::done" is emitted once,
 * whatever came of it.
 */
#pragma once

#include "engine/study/training/training.h"

#define GOBAN_TYPE_TRAINING_JOB (goban_training_job_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingJob, goban_training_job, GOBAN, TRAINING_JOB, GObject)

typedef enum
{
  GOBAN_TRAINING_RUNNING,
  GOBAN_TRAINING_PAUSED,
  GOBAN_TRAINING_FINISHED,
  GOBAN_TRAINING_STOPPED, /* its state is written */
  GOBAN_TRAINING_FAILED,
} GobanTrainingState;

/* Makes the folder of the network, and starts it if goban_training_check() approves of the
 * options. (transfer full) (nullable): %NULL with @error set */
GobanTrainingJob *goban_training_job_start (const GobanTrainingOptions *options,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_training_job_new_on_graph:
 * @policy: that learns
 * @number: of those in the list, from 1
 * @log: its curves; a reference is taken
 * @job: (nullable): that places, to pause it; it goes on without this object
 *
 * Returns: (transfer full): done when the log has ended
 */
GobanTrainingJob *goban_training_job_new_on_graph (const char *policy, guint number,
                                                   GobanTrainingLog *log,
                                                   GobanJob *job) G_GNUC_WARN_UNUSED_RESULT;

/* Which network it trains; on a graph, the policy that learns. */
const char *goban_training_job_get_network (GobanTrainingJob *self);
/* 0, or the number of one that learns on a graph. */
guint goban_training_job_get_number_on_graph (GobanTrainingJob *self);
/* Whether another process makes it, and only its curves are read here. */
gboolean goban_training_job_is_followed (GobanTrainingJob *self);
/* (nullable): the file of the network, also of a followed training: its film is beside it. %NULL on
 * a graph. */
const char *goban_training_job_get_output (GobanTrainingJob *self);
/* (nullable): the job to pause, cancel or wait for; on a graph %NULL after the end, or if a script
 * learns. Borrowed. */
GobanJob *goban_training_job_get_job (GobanTrainingJob *self);
/* Borrowed. */
GobanTrainingLog *goban_training_job_get_log (GobanTrainingJob *self);
GobanTrainingState goban_training_job_get_state (GobanTrainingJob *self);
/* Progress in words: what the job does, or the number of updates on a graph. (transfer full) */
char *goban_training_job_dup_what (GobanTrainingJob *self) G_GNUC_WARN_UNUSED_RESULT;
/* "running", "paused", "finished", "stopped", "failed": for scripts. Static. */
const char *goban_training_job_get_state_name (GobanTrainingJob *self);
/* After the end: the report, or %NULL if it failed. Borrowed. */
const GobanTrainingReport *goban_training_job_get_report (GobanTrainingJob *self);
/* (nullable): the reason if it failed. Borrowed. */
const char *goban_training_job_get_error (GobanTrainingJob *self);

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
