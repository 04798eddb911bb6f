/* train-go.h: data shared by the two halves of GO's training: learning (train-go.c) and its report
 * (train-go-report.c).
 */
#pragma once

#include "engine/learn/rl/go/pretrain.h"
#include "engine/study/run/curve-log.h"
#include "engine/study/training/training-kind.h"

G_BEGIN_DECLS

/* Fills the report of a run (#GobanPretrain). */
void goban_go_training_finish (gpointer run, GobanTrainingLog *log, GobanTrainingReport *report);

G_END_DECLS
