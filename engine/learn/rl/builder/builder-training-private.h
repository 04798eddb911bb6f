/* builder-training-private.h: state of a training run, shared by builder-training.c and
 * builder-rollouts.c. */
#pragma once

#include "engine/learn/nn/params.h"
#include "engine/learn/policy/row-encoding.h"
#include "engine/learn/rl/builder/builder-training.h"

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
  double *scores_us;            /* (n_rollouts) */
  double *rewards;              /* (n_rollouts) */
  double *entropies;            /* (n_rollouts) */
  double *top_shares;           /* (n_rollouts) */
  GobanBuildRecord **records;   /* (config.n_rollouts), used again by later updates */
} GobanBuilderGroup;

/* A lesson of the caller's. */
typedef struct
{
  GobanBuilderProblem *problem; /* with a reference on its costs */
  char *name;
} GobanBuilderTaught;

struct _GobanBuilderTraining
{
  GobanBuilderTrainingConfig config;
  GobanCurriculum *families;
  GobanBuilderNet *net;     /* with Adam's moments */
  GobanBuilderNet *average; /* of its values */
  GobanBuilderNet *best;    /* the average with the best validation score */
  double best_score;        /* NAN before the first validation */
  GobanRng rng;
  guint n_done;
  GobanBuilderPoint first; /* of the initial network */
  GArray *points;

  /* Caches, which are made on demand and always the same; they are not saved. */
  GobanBuilderProblem **lessons;    /* (n_lessons) */
  char **names;                     /* (n_lessons) */
  GobanBuilderProblem **validation; /* (n_validation) */
  guint32 **labels;                 /* (n_lessons) annealed devices of rows */

  GPtrArray *known;            /* GobanBuilderTaught, the last lessons of the caller's */
  GobanBuilderTaught **taught; /* (nullable): (n_problems) borrowed from known */
  gboolean has_own_goal;       /* it learns from lessons or rewards of the caller's */
  gboolean has_own_validation;
  guint n_flat; /* last updates in which no problem had rewards that differ */

  GobanBuilderGroup *groups; /* (n_problems) */
  gboolean has_rollouts;
  GobanRng earlier; /* if so: the generator before them, as a file has it */

  GobanRanks *ranks;       /* (nullable) borrowed */
  GobanScaling scaling;    /* of the updates since it was made */
  GobanSharedMoment begun; /* of the rollouts */
  gint64 own_us;           /* that this rank's rollouts have taken */
};

/* Lessons and rollouts: part of making and freeing the state. */
void goban_builder_rollouts_init (GobanBuilderTraining *self);
void goban_builder_rollouts_clear (GobanBuilderTraining *self);

/* A drawn problem; @index: a lesson from 0, or -1 - number of a validation problem. (nullable)
 * borrowed */
GobanBuilderProblem *goban_builder_training_get_problem (GobanBuilderTraining *self, gint index,
                                                         GError **error);

/* Sets the network's gradient to that of the rollouts, fills what @point has of them, and drops
 * them. %FALSE with @error set as goban_ranks_meet() does. */
gboolean goban_builder_training_learn (GobanBuilderTraining *self, GobanBuilderPoint *point,
                                       GError **error);

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
