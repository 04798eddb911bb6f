/* pretrain-private.h: state of a pre-training run, shared by pretrain.c and training-file.c, which
 * saves it. */
#pragma once

#include "engine/learn/rl/go/pretrain.h"
#include "engine/learn/rl/go/problem-cache.h"

G_BEGIN_DECLS

struct _GobanPretrain
{
  GobanPretrainConfig config;
  GobanCurriculum *curriculum;
  GobanLearner *learner;
  GobanProblemCache *cache; /* not saved; its content affects the speed only */
  GobanRanks *ranks;        /* (nullable) borrowed */
  GobanScaling scaling;     /* of its steps on several graphs since it was made */

  GobanRng rng;     /* for batches; the learner has its own */
  guint *batch;     /* (n_in_batch) lessons */
  guint n_in_batch; /* 0 before the first batch */
  guint batch_step; /* steps made on this batch */
  guint step;       /* steps made in total */
  guint tried_step; /* when trials were last measured; G_MAXUINT: never */
  double spent_seconds;
  GobanNet *best;                 /* (nullable) by validation */
  double best_score, first_score; /* NAN before the first */
  guint best_step;
  GobanBaseline *baselines; /* (n_lessons) */
  GArray *points;           /* GobanCurvePoint */
  GArray *trials;           /* GobanCurveTrial */
};

G_END_DECLS
