/* training-loop.h: steps of a training until it is done or stopped, with files and log kept up to
 * date.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"
#include "engine/machine/plan/plan.h"
#include "engine/study/training/training.h"

/* training-kind.h */
typedef struct _GobanTrainingKind GobanTrainingKind;

typedef struct _GobanTrainingLoop GobanTrainingLoop;

/* (transfer full) (nullable): as goban_training_run(). The options have been checked. */
GobanTrainingReport *goban_training_loop_run (const GobanTrainingKind *kind,
                                              const GobanTrainingOptions *options,
                                              GobanTrainingLog *log, const GobanProgress *progress,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Path of the network: the output, or the run that is followed or resumed without its suffix; the
 * film is beside it. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if none is
 * given. */
char *goban_training_loop_choose_output (const GobanTrainingOptions *options,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_training_loop_follow:
 * @path: the run file
 *
 * Follows a training of another process. The file, which is replaced as a
 * whole about once a minute and at every trial, has all points; it is read again whenever it has
 * changed. So jobs on other machines can be watched that share nothing but a folder.
 *
 * Returns: (transfer full) (nullable): when the run is done or the job is cancelled; %NULL with
 *   @error set if the file was never there
 */
GobanTrainingReport *goban_training_loop_follow (const GobanTrainingKind *kind, const char *path,
                                                 GobanTrainingLog *log,
                                                 const GobanProgress *progress,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* --- trainings that make their steps when their owner asks for them --------------------------- */

/* The training is a job as others are (engine/study/training/training-list.h): a worker holds the
 * run, keeps the log and writes the files. With a trainer among its options it makes no step by
 * itself, but lends itself to requests, one at a time, until it is closed or cancelled. Updates
 * without rewards and lessons of the owner's give the same bytes as the job's.
 *
 * Reference-counted. Requests may come from any thread but the worker's, and wait for their turn:
 * %FALSE with %GOBAN_ERROR_CANCELLED set if @progress asks to stop, or if the training has ended.
 *
 * Decision E67 (engine/NOTES.md).
 */
GobanTrainer *goban_trainer_new (void) G_GNUC_WARN_UNUSED_RESULT;
GobanTrainer *goban_trainer_ref (GobanTrainer *self);
void goban_trainer_unref (GobanTrainer *self);

/* The worker writes its state and ends. */
void goban_trainer_close (GobanTrainer *self);

/* Any thread. */
gboolean goban_trainer_is_closed (GobanTrainer *self);

/* --- the worker ------------------------------------------------------------------------------- */

/* Refuses all further requests. @why: (nullable): the error of the training */
void goban_trainer_end (GobanTrainer *self, const GError *why);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainer, goban_trainer_unref)

/* --- requests --------------------------------------------------------------------------------- */

/* One update, with the trials that are due. @is_made: (out): %FALSE if all steps were made. */
gboolean goban_trainer_update (GobanTrainer *self, gboolean *is_made, const GobanProgress *progress,
                               GError **error);
/* Writes the present network, or the one that the training keeps, and the run beside it. @path:
 * (nullable): where the training writes it. */
gboolean goban_trainer_save (GobanTrainer *self, const char *path, gboolean is_present,
                             const GobanProgress *progress, GError **error);
/* What the report would be if the training ended now. (transfer full) (nullable) */
GobanTrainingReport *goban_trainer_report (GobanTrainer *self, const GobanProgress *progress,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Measures the network on validation problems, without influence on the run. */
gboolean goban_trainer_measure (GobanTrainer *self, GobanTrainingPoint *point,
                                const GobanProgress *progress, GError **error);

/* A plan that the next update learns from. */
typedef struct
{
  char *lesson;
  double time_us;      /* makespan, longer if memory lacks */
  double reference_us; /* that a reward of 0 stands for */
  double reward;
  double entropy;   /* nats of a decision */
  double top_share; /* of the work on the device with most */
} GobanTrainerRollout;

/* Rollouts of the next update, which are made if need be; none if all steps are made. (transfer
 * full) (nullable)
 * (element-type GobanTrainerRollout) */
GArray *goban_trainer_roll_out (GobanTrainer *self, const GobanProgress *progress,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The plan of a rollout by its index. @costs: (out) (transfer full). (transfer full) (nullable) */
GobanPlan *goban_trainer_dup_plan (GobanTrainer *self, guint index, GobanCostModel **costs,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Rewards (n) of all rollouts, in their order; finite. */
gboolean goban_trainer_set_rewards (GobanTrainer *self, const double *rewards, guint n,
                                    GError **error);
/* Lessons of an update, and of the next one in place of drawn ones: as many. */
gboolean goban_trainer_get_n_lessons (GobanTrainer *self, guint *n, GError **error);
gboolean goban_trainer_teach (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                              const GobanProgress *progress, GError **error);
/* Problems of the validation from now on, in place of drawn ones; @n: from 1. */
gboolean goban_trainer_set_validation (GobanTrainer *self, GobanCostModel *const *costs, guint n,
                                       const GobanProgress *progress, GError **error);
