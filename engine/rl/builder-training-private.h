/* builder-training-private.h: state of a training run, shared by builder-training.c and the file
 * that saves it. */
#pragma once

#include "engine/rl/builder-training.h"

G_BEGIN_DECLS

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
  GobanBuilderProblem **validation; /* (n_validation) */
  guint32 **labels;                 /* (n_lessons) annealed devices of rows */
  GobanBuildRecord **records;       /* (n_rollouts) */
};

/* Without networks and points. (nullable): as goban_builder_training_new(). */
GobanBuilderTraining *goban_builder_training_new_empty (const GobanBuilderTrainingConfig *config,
                                                        const char *const *left_out,
                                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Replaces the rewards (n) of a problem's rollouts by advantages (engine/rl/builder-training.h). */
void goban_builder_training_weigh (double *rewards, guint n, double risk);

G_END_DECLS
