/* training-job.h: a training in a worker with its curves, as an object of the main thread.
 *
 * Properties: "done" (boolean). When the training ends, "notify::done" is emitted once, whatever
 * came of it.
 */
#pragma once

#include "engine/training/training.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TRAINING_JOB (goban_training_job_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingJob, goban_training_job, GOBAN, TRAINING_JOB, GObject)

typedef enum
{
  GOBAN_TRAINING_RUNNING,
  GOBAN_TRAINING_PAUSED,
  GOBAN_TRAINING_FINISHED,
  GOBAN_TRAINING_STOPPED, /* it has written what it had */
  GOBAN_TRAINING_FAILED,
} GobanTrainingState;

/* Makes the folder of the network, and starts it if goban_training_check() approves of the
 * options. (transfer full) (nullable): %NULL with @error set */
GobanTrainingJob *goban_training_job_start (const GobanTrainingOptions *options,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

const char *goban_training_job_get_network (GobanTrainingJob *self);
/* Whether another process makes it, and only its curves are read here. */
gboolean goban_training_job_is_followed (GobanTrainingJob *self);
/* The file of the network, also of a followed training: its film is beside it. */
const char *goban_training_job_get_output (GobanTrainingJob *self);
/* The job to pause, cancel or wait for. Borrowed. */
GobanJob *goban_training_job_get_job (GobanTrainingJob *self);
/* Borrowed. */
GobanTrainingLog *goban_training_job_get_log (GobanTrainingJob *self);
GobanTrainingState goban_training_job_get_state (GobanTrainingJob *self);
/* "running", "paused", "finished", "stopped", "failed": for scripts. Static. */
const char *goban_training_job_get_state_name (GobanTrainingJob *self);
/* After the end: the report, or %NULL if it failed. Borrowed. */
const GobanTrainingReport *goban_training_job_get_report (GobanTrainingJob *self);
/* (nullable): the reason if it failed. Borrowed. */
const char *goban_training_job_get_error (GobanTrainingJob *self);

G_END_DECLS
