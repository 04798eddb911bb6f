/* move-training.h: the training of the network that proposes moves: regression on the exact gains
 * of moves.
 *
 * An update runs one search from a random start on a random problem, with the present network, with
 * hand-set weights or with uniform moves. At some states of the search moves are simulated, each
 * alone: random ones, and those with the network's best scores. The target of a move is
 *
 *   max (0, gain) / best gain of the state
 *
 * and not whether the move improves the plan, because most improvements are tiny. So the labelled
 * states are those that the network's own searches reach (Ross, Gordon and Bagnell, DAgger, 2011).
 * The last states are kept, and each update reduces the squared error on a random sample of them.
 *
 * The moving average of the weights is measured regularly on validation problems, compared with
 * uniform moves; the result of a run is the average with the best validation score.
 */
#pragma once

#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/learn/rl/learning-run.h"
#include "engine/learn/rl/moves/improver.h"

typedef struct
{
  GobanLearningSettings base;
  guint n_evaluations; /* of a search, at most; log-uniform */
  guint n_labels;      /* moves labelled in a state */
  guint n_states;      /* that are kept */
  guint n_batches;     /* steps of Adam in an update */
  guint batch;         /* states of each */
} GobanMoveTrainingConfig;

/* With the settings of a GobanMoveTrainingConfig. */
extern const GobanLearningKind goban_move_training_kind;

GobanMoveTrainingConfig goban_move_training_config_default (void);

/* Number of budgets in a validation. */
#define GOBAN_MOVE_N_TRIED 2 /* 17 and 64 evaluations after the start */
#define GOBAN_MOVE_POINT_N_VALUES (5 + GOBAN_MOVE_N_TRIED)

/* A point of the learning curve: one update. NAN: not measured. */
typedef struct
{
  guint update; /* from 1 */
  union
  {
    struct
    {
      double error;          /* mean squared error */
      double constant_error; /* error of predicting the mean target of each state */
      double improving;      /* share of the labelled moves that improve the plan */
      double best_gain;      /* mean over the states, as a share of the makespan */
      double gradient_norm;
      double valid[GOBAN_MOVE_N_TRIED]; /* geometric mean of the score over that of uniform moves */
    };
    double values[GOBAN_MOVE_POINT_N_VALUES];
  };
} GobanMovePoint;

/* A state of a search, with its labelled moves. */
typedef struct
{
  float facts[GOBAN_PROFILE_N];
  guint n;
  float *x;      /* (n, GOBAN_MOVE_N_FEATURES) */
  float *target; /* (n) */
} GobanLabelledState;

typedef struct
{
  GobanLearningRun base;
  GobanMoveTrainingConfig config;
  guint64 n_labels;           /* labelled moves so far */
  guint n_kept;               /* number of stored states, at most config.n_states */
  guint next;                 /* index for the next state */
  GobanLabelledState *states; /* (n_states) */

  /* Caches, which are made on demand and always the same; they are not saved. */
  GobanScorerNet *hand;
  GobanMoveProblem **lessons;    /* (n_lessons) */
  GobanMoveProblem **validation; /* (n_validation) */
  /* (n_validation, GOBAN_MOVE_N_TRIED): log of the score with uniform moves */
  double *uniform_us;
} GobanMoveTraining;

GobanMoveTraining *
goban_move_training_new (const GobanMoveTrainingConfig *config) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveTraining, goban_learning_run_free)
