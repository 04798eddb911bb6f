/* move-training-private.h: the inside of a run, for move-training.c and the file that writes it
 * down. */
#pragma once

#include "engine/rl/move-training.h"

G_BEGIN_DECLS

/* One state with the moves that were labelled. */
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
  GobanScorerNet *best;    /* the average that did best in a trial */
  double best_score;       /* NAN before the first */
  GobanRng rng;
  guint n_done;
  guint64 n_labels;
  guint n_kept;               /* states so far, at most config.n_states */
  guint next;                 /* where the next one goes */
  GobanLabelledState *states; /* (n_states) */
  GArray *points;

  /* Made when they are needed, always the same: no part of the state. */
  GobanScorerNet *hand;
  GobanMoveProblem **lessons;    /* (n_lessons) */
  GobanMoveProblem **validation; /* (n_validation) */
  double *uniform_us;            /* (n_validation, GOBAN_MOVE_N_TRIED): log of uniform moves' */
};

/* Without networks, states and points. */
GobanMoveTraining *
goban_move_training_new_empty (const GobanMoveTrainingConfig *config) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
