/* fusing.h: fusion applied to a plan after placement, on request: none or XLA's default.
 * Thread-safe. */
#pragma once

#include "engine/machine/plan/plan.h"

typedef enum
{
  GOBAN_FUSE_AS_IS,   /* the plan's own fusion; plans of policies have none */
  GOBAN_FUSE_NONE,    /* every op is a kernel of its own */
  GOBAN_FUSE_DEFAULT, /* like XLA:GPU */
} GobanFusing;

/* "none" or "default"; %NULL is AS_IS. %FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_fusing_parse (const char *word, GobanFusing *fusing, GError **error);

/* The same word; %NULL for AS_IS. */
const char *goban_fusing_get_word (GobanFusing fusing);

/* A plan like @plan with that fusion: a copy, or @plan itself if it has it already. (transfer
 * full) */
GobanPlan *goban_fusing_apply (GobanFusing fusing, GobanCostModel *costs,
                               GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

/* goban_plan_check() and the rules of fusion-rules.h for its clusters. */
gboolean goban_fusing_check (const GobanPlan *plan, GobanCostModel *costs, GError **error);

/* The number of kernels of the plan. */
guint goban_fusing_count_kernels (const GobanPlan *plan);
