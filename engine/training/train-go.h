/* train-go.h: data shared by the two halves of GO's training: learning (train-go.c) and its report
 * (train-go-report.c).
 */
#pragma once

#include "engine/rl/pretrain.h"
#include "engine/training/training-kind.h"

G_BEGIN_DECLS

/* Series of GO's log: the columns of engine/rl/curve.h, then those of trials. */
enum
{
  GOBAN_GO_EXPERT_RATIO = GOBAN_CURVE_N,
  GOBAN_GO_RATIO,
  GOBAN_GO_N_SERIES
};
G_STATIC_ASSERT (GOBAN_GO_N_SERIES <= GOBAN_TRAINING_MAX_SERIES);

/* Fills the report of a run (#GobanPretrain). */
void goban_go_training_finish (gpointer run, GobanTrainingLog *log, GobanTrainingReport *report);

G_END_DECLS
