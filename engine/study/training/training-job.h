/* training-job.h: a training in a worker with its curves, as an object of the main thread.
 *
 * A policy that learns on the graph that it places is one, too, so that lists and panes show it
 * like the others. It has curves and no network; its plan belongs to the caller.
 *
 * Properties: "done" (boolean). When the training ends, "notify::done" is emitted once, whatever
 * came of it.
 */
#pragma once

#include "engine/study/training/training.h"

G_BEGIN_DECLS

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

G_END_DECLS
