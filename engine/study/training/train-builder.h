/* train-builder.h: parts of the plan builder's training that its source files share. */
#pragma once

#include "engine/learn/rl/builder/builder-training.h"
#include "engine/study/training/training-kind.h"

G_BEGIN_DECLS

/* A trial's point of the log. */
GobanTrainingPoint goban_builder_trial_new (const GobanBuilderPoint *from);

G_END_DECLS
