/* learned-options.h: options that only policies that learn take, beside those of every policy. */
#pragma once

#include "engine/learn/rl/curve.h"
#include "engine/machine/plan/task.h"
#include "engine/placers/placer.h"

struct _GobanLearnedOptions
{
  GobanTasks decisions;   /* 0: placement */
  const char *network;    /* (nullable): a file of parameters; NULL: the policy's own */
  const GobanPlan *start; /* (nullable): source of what is not decided */
  /* (nullable): gets the updates of a policy that learns on this graph, without influence on the
   * plan */
  const GobanCurveSink *curve;
};

/* The learned policies' part of @options, zeroes if it has none; borrowed. */
static inline const GobanLearnedOptions *
goban_learned_options (const GobanPlacerOptions *options)
{
  static const GobanLearnedOptions none = { 0 };

  return options->learned != NULL ? options->learned : &none;
}
