/* builder-training.h: the training of the network that builds plans: imitation, then REINFORCE,
 * checkpoints by validation.
 *
 * An update takes some problems and builds several plans (rollouts) of each with the same network.
 * The rewards of the rollouts of one problem are compared with each other:
 *
 *   z = (reward - mean) / (deviation + 0.02)
 *   advantage = n e^(risk z) / sum of e^(risk z) - 1, scaled to the mean square of z; z if risk = 0
 *
 * Adam maximises the mean of advantage x log-likelihood + entropy. A policy is used for the best of
 * several plans, so the best rollouts weigh more than the worst (Petersen et al., Deep symbolic
 * regression, ICLR 2021, section 3.3). The first updates imitate annealed plans instead. The moving
 * average of the weights is measured regularly on validation problems, which are not learned from;
 * the result of a run is the average with the best validation score.
 *
 * A resumed run gives the same bytes (engine/learn/rl/learning-run.h) on whatever number of ranks.
 */
#pragma once

#include "engine/core/ranks/ranks.h"
#include "engine/core/ranks/scaling.h"
#include "engine/learn/policy/row-encoding.h"
#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/learn/rl/learning-run.h"

typedef struct
{
  GobanLearningSettings base;
  guint n_problems;     /* of an update */
  guint n_rollouts;     /* of a problem */
  guint n_imitations;   /* updates at first that follow annealed plans */
  guint n_labels;       /* evaluations of each of these plans */
  double entropy;       /* weight of the bonus */
  double entropy_floor; /* nats of a decision below which the bonus is raised; 0: never */
  double risk;          /* how much more the best rollouts of a problem weigh; 0: as they are */
  double temperature;   /* of rollouts */
  guint structures;     /* 1: lessons and validation have them (builder-lessons.h) */
  gboolean families;    /* every fourth lesson is of a model family that is not left out */
  /* parts of the network (engine/learn/policy/decoder.h): 0 or 1 */
  guint embedding, attention, modulation, devices, actions;
  double encoder_rate; /* of Adam for its parameters, as a share of the others' */
} GobanBuilderTrainingConfig;

/* With the settings of a GobanBuilderTrainingConfig. */
extern const GobanLearningKind goban_builder_training_kind;

GobanBuilderTrainingConfig goban_builder_training_config_default (void);
GobanDecoderParts goban_builder_training_config_get_parts (const GobanBuilderTrainingConfig *self);

#define GOBAN_BUILDER_POINT_N_VALUES 7

/* One update, as the curve has it. NAN for what was not measured. */
typedef struct
{
  guint update; /* from 1 */
  gboolean imitates;
  union
  {
    struct
    {
      double reward;     /* mean of all rollouts */
      double entropy;    /* nats of a decision */
      double top_share;  /* of the work on the device with most, mean over rollouts */
      double even_share; /* the top share if all devices had equal work */
      double gradient_norm;
      double valid_greedy; /* geometric mean of the likeliest plan's score over the control's */
      double valid_best;   /* the same for the best of 17 plans */
    };
    double values[GOBAN_BUILDER_POINT_N_VALUES];
  };
} GobanBuilderPoint;

/* The time and traffic at which something began. */
typedef struct
{
  gint64 time_us;
  GobanRanksTraffic traffic;
} GobanSharedMoment;

/* The rollouts of one problem in an update. */
typedef struct
{
  GobanBuilderProblem *problem; /* borrowed */
  const char *name;             /* borrowed */
  gboolean imitates;            /* an annealed plan of the lesson below */
  guint lesson;                 /* that was drawn */
  GobanRowEncoding *encoding;   /* (nullable) */
  guint n_rollouts;             /* 1 if it imitates */
  guint32 *devices;             /* (n_rollouts, R) */
  double *scores_us;            /* (n_rollouts) makespans, longer if memory lacks */
  double *rewards;              /* (n_rollouts) */
  double *entropies;            /* (n_rollouts) nats of a decision */
  double *top_shares;           /* (n_rollouts) of the work on the device with most */
  GobanBuildRecord **records;   /* (config.n_rollouts), used again by later updates */
} GobanBuilderGroup;

/* A lesson of the caller's. */
typedef struct
{
  GobanBuilderProblem *problem; /* with a reference on its costs */
  char *name;
} GobanBuilderTaught;

typedef struct
{
  GobanLearningRun base;
  GobanBuilderTrainingConfig config;
  GobanCurriculum *families;
  GobanBuilderPoint first; /* of the initial network */

  /* Caches, which are made on demand and always the same; they are not saved. */
  GobanBuilderProblem **lessons;    /* (n_lessons) */
  char **names;                     /* (n_lessons) */
  GobanBuilderProblem **validation; /* (n_validation) */
  guint32 **labels;                 /* (n_lessons) annealed devices of rows */

  GPtrArray *known;            /* GobanBuilderTaught, the last lessons of the caller's */
  GobanBuilderTaught **taught; /* (nullable): (n_problems) borrowed from known */
  gboolean has_own_goal;       /* it learns from lessons or rewards of the caller's */
  gboolean has_own_validation; /* else its trials do not say how good it is at these */
  guint n_flat;                /* last updates in which no problem had rewards that differ */

  GobanBuilderGroup *groups; /* (n_problems) */
  gboolean has_rollouts;
  GobanRng earlier; /* if so: the generator before them, as a file has it */

  /* (nullable) borrowed: for the caller to set; they share updates and trials, and make the same
   * calls */
  GobanRanks *ranks;
  GobanScaling scaling;    /* of the updates since it was made */
  GobanSharedMoment begun; /* of the rollouts */
  gint64 own_us;           /* that this rank's rollouts have taken */
} GobanBuilderTraining;

/**
 * goban_builder_training_new:
 * @left_out: (nullable): names of families without lessons, NULL-terminated
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set
 */
GobanBuilderTraining *goban_builder_training_new (const GobanBuilderTrainingConfig *config,
                                                  const char *const *left_out,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Begins with the weights of a network, which may lack some of the parts: these begin without
 * influence. Before the first step. */
void goban_builder_training_begin_with (GobanBuilderTraining *self, const GobanBuilderNet *net);

/* A warning if the last updates have collapsed (all rollouts on one device, or no entropy left) or
 * had no rewards that differ, or if the last trials were worse than the first.
 * (nullable) static */
const char *goban_builder_training_get_warning (const GobanBuilderTraining *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderTraining, goban_learning_run_free)

/* The rollouts of one update of a training of plan builders, between their
 * simulation and the learning.
 *
 * goban_learning_run_step() makes the rollouts and learns from them at once. A caller with
 * rewards or lessons of its own makes them first, changes rewards, and then calls the step, which
 * learns from what there is. Without changes the run's bytes are the same. Rollouts are not saved
 * with a run: a resumed run makes the same ones again.
 *
 * One thread at a time.
 */

/* Makes the rollouts of the next update, unless they are there already. %FALSE with an error set as
 * by goban_learning_run_step(); the run is unchanged then. */
gboolean goban_builder_training_roll_out (GobanBuilderTraining *self, const GobanProgress *progress,
                                          GError **error);

/* The plan of a rollout. (transfer full) */
GobanPlan *goban_builder_training_dup_plan (GobanBuilderTraining *self, guint group,
                                            guint rollout) G_GNUC_WARN_UNUSED_RESULT;
/* @reward: finite. Updates that imitate ignore it. */
void goban_builder_training_set_reward (GobanBuilderTraining *self, guint group, guint rollout,
                                        double reward);

/**
 * goban_builder_training_teach:
 * @costs: (array length=n): the lessons of the next update, in place of drawn ones
 * @n: number of them, as many as the configuration has problems; 0: they are drawn again
 *
 * Drops rollouts. Such updates do not imitate. The last 64 lessons are kept prepared.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INFEASIBLE set; the lessons are unchanged then
 */
gboolean goban_builder_training_teach (GobanBuilderTraining *self, GobanCostModel *const *costs,
                                       guint n, GError **error);

/* Validates on these problems from now on, in place of drawn ones; @n: from 1. %FALSE with
 * %GOBAN_ERROR_INFEASIBLE set; nothing has changed then. */
gboolean goban_builder_training_set_validation (GobanBuilderTraining *self,
                                                GobanCostModel *const *costs, guint n,
                                                GError **error);

/* Measures the average of the weights on the validation problems, without influence on the run. */
gboolean goban_builder_training_measure (GobanBuilderTraining *self, GobanBuilderPoint *point,
                                         const GobanProgress *progress, GError **error);

/* --- shared with learning on one graph (fine-tuning.h) ---------------------------------------- */

/* Factor of gradients, which are means over decisions and so small that Adam's epsilon would
 * matter. */
#define GOBAN_BUILDER_GRADIENT_SCALE 10

/* Replaces the rewards (n) of a problem's rollouts by advantages (builder-training.h). */
void goban_builder_training_weigh (double *rewards, guint n, double risk);
/* Factor of the bonus of entropy: above 1 if rollouts differ less than they should. */
double goban_builder_training_raise_entropy (double entropy, double entropy_floor);
/* @encoder_rate: for the encoder's parameters, as a share of the others' */
GobanAdam goban_builder_training_new_adam (double rate, double encoder_rate);
