/* settling.h: the plan that a policy makes of the state of its choices. */
#pragma once

#include "engine/machine/plan/plan.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_SETTLE_DEVICES, /* order, priorities and kernels are as the plan has them */
} GobanSettlingRule;

typedef struct
{
  GobanSettlingRule rule;
  double proven_bound_us; /* of the plan; 0: nothing is proven */
} GobanSettling;

/* A hash of all that a simulation of the plan depends on; never 0. */
guint64 goban_settling_digest_plan (const GobanPlan *plan);

G_END_DECLS
