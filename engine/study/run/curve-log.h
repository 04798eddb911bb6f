/* curve-log.h: learning curves of policies (engine/learn/rl/curve.h) in a training log.
 *
 * A policy that learns on the graph that it places fills the log of its run's options, so that the
 * same views show it as a training of a network. The log begins with the first update: a policy
 * that makes none leaves it empty.
 *
 * Decision E70 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/rl/curve.h"
#include "engine/study/run/training-log.h"

G_BEGIN_DECLS

/* Series of the log: the columns of engine/learn/rl/curve.h, then those of trials, which only
 * trainings of networks have. */
enum
{
  GOBAN_CURVE_LOG_EXPERT_RATIO = GOBAN_CURVE_N,
  GOBAN_CURVE_LOG_RATIO,
  GOBAN_CURVE_LOG_N_SERIES
};
G_STATIC_ASSERT (GOBAN_CURVE_LOG_N_SERIES <= GOBAN_TRAINING_MAX_SERIES);

extern const GobanTrainingSeries goban_curve_log_series[GOBAN_CURVE_LOG_N_SERIES];

/* Adds an update; its subject is the point's lesson. */
void goban_curve_log_add (GobanTrainingLog *log, const GobanCurvePoint *point);
/* The log as the receiver of the updates of a policy; it begins with the first one, and warns while
 * the last ones have collapsed (engine/learn/rl/collapse.h). The log must outlive it. */
GobanCurveSink goban_curve_log_get_sink (GobanTrainingLog *log);

G_END_DECLS
