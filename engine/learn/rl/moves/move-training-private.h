/* move-training-private.h: state of a training run, shared by move-training.c and the file that
 * saves it. */
#pragma once

#include "engine/learn/rl/moves/move-training.h"

/* A state of a search, with its labelled moves. */
typedef struct
{
  float facts[GOBAN_PROFILE_N];
  guint n;
  float *x;      /* (n, GOBAN_MOVE_N_FEATURES) */
  float *target; /* (n) */
} GobanLabelledState;

struct _GobanMoveTraining
{
  GobanMoveTrainingConfig config;
  GobanScorerNet *net;     /* with Adam's moments */
  GobanScorerNet *average; /* of its values */
  GobanScorerNet *best;    /* the average with the best validation score */
  double best_score;       /* NAN before the first validation */
  double first_score;      /* of the initial network; NAN before it is measured */
  GobanRng rng;
  guint n_done;
  guint64 n_labels;
  guint n_kept;               /* number of stored states, at most config.n_states */
  guint next;                 /* index for the next state */
  GobanLabelledState *states; /* (n_states) */
  GArray *points;

  /* Caches, which are made on demand and always the same; they are not saved. */
  GobanScorerNet *hand;
  GobanMoveProblem **lessons;    /* (n_lessons) */
  GobanMoveProblem **validation; /* (n_validation) */
  /* (n_validation, GOBAN_MOVE_N_TRIED): log of the score with uniform moves */
  double *uniform_us;
};
