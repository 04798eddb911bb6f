/* fusing.h: fusion applied to a plan after placement, on request: none or XLA's default.
 * Thread-safe. */
#pragma once

#include "engine/plan/plan.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_FUSE_AS_IS,   /* what the plan says; a policy's says nothing */
  GOBAN_FUSE_NONE,    /* every op is a kernel of its own */
  GOBAN_FUSE_DEFAULT, /* as XLA:GPU does */
} GobanFusing;

/* "none" or "default"; %NULL is AS_IS. %FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_fusing_parse (const char *word, GobanFusing *fusing, GError **error);

/* The same word; %NULL for AS_IS. */
const char *goban_fusing_get_word (GobanFusing fusing);

/* A plan like @plan but for its fusion: a copy, or the same if that is as asked. (transfer full) */
GobanPlan *goban_fusing_apply (GobanFusing fusing, GobanCostModel *costs,
                               GobanPlan *plan) G_GNUC_WARN_UNUSED_RESULT;

/* goban_plan_check() and what fusion-rules.h says of its clusters. */
gboolean goban_fusing_check (const GobanPlan *plan, GobanCostModel *costs, GError **error);

/* How many kernels the plan makes of its nodes. */
guint goban_fusing_count_kernels (const GobanPlan *plan);

G_END_DECLS
