/* settling.h: digests of the plans that policies make of their choices. */
#pragma once

#include "engine/machine/plan/plan.h"

/* A hash of all that a simulation of the plan depends on; never 0. */
guint64 goban_settling_digest_plan (const GobanPlan *plan);
