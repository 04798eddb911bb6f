/* attribution.h: attribution of the makespan difference between two plans to groups of changed
 * nodes.
 *
 * The changes of the second plan against the first (devices, kernels, priorities) are grouped by
 * the scopes of names. Each group alone is reverted to the first plan, and the plan is simulated
 * again: the change of the makespan is the group's share. Shares are exact but do not add up, since
 * changes interact; the remainder is shown.
 *
 * Made in any thread. The result does not depend on the number of threads.
 *
 * Decision E39 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/difference/difference.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_SHARE_MOVE,
  GOBAN_SHARE_FUSION,
  GOBAN_SHARE_PRIORITY, /* both plans are ordered by priority */
  GOBAN_SHARE_ORDER,    /* one is ordered by priority, the other FIFO: the whole difference */
  GOBAN_SHARE_TRANSFER, /* priorities of the transfers themselves */
  GOBAN_N_SHARE_KINDS
} GobanAttributionKind;

typedef struct
{
  GobanAttributionKind kind;
  char *name;            /* the scope */
  char *label;           /* "enc/l5 → gpu:1", "softmax (priority)" */
  GobanSelection *nodes; /* nodes that are reverted together; empty for TRANSFER */
  guint n_nodes;
  /* makespan with the change minus without it: negative is time gained; NAN if the plan without it
   * cannot run */
  double delta_us;
  gboolean is_valid; /* the plan without the change fits into memory */
} GobanShare;

typedef struct
{
  /* (n_shares) by size of delta_us, largest first, then by kind and name. */
  GobanShare *shares;
  guint n_shares;
  double delta_us;     /* makespan of the second minus the first, on one cost model */
  double remainder_us; /* delta_us minus the sum of the shares */
} GobanAttribution;

/* All (nullable), or 0. */
typedef struct
{
  const GobanProgress *progress;
  guint n_threads; /* 0: as many as there are processors */
} GobanAttributionOptions;

/**
 * goban_attribution_new:
 * @before: the first run
 * @after: the second; both plans are simulated on its costs
 * @options: (nullable)
 *
 * Colocation groups and kernels that share members are reverted as a whole, with the scope of their
 * first node. The largest groups are simulated first.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if a plan does not
 *   fit the second's cluster or graph, or %GOBAN_ERROR_CANCELLED
 */
GobanAttribution *goban_attribution_new (GobanRun *before, GobanRun *after,
                                         const GobanAttributionOptions *options,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_attribution_free (GobanAttribution *self);

/* Returns the second run's plan with the decisions of @kind for @nodes taken from the first run:
 * exactly the plan that a share was measured with. Kernels that this splits are dissolved. If
 * @nodes is not a share's, the colocation groups and overlapping kernels of the nodes are reverted
 * with them. (transfer full) */
GobanPlan *goban_attribution_revert (GobanRun *before, GobanRun *after, GobanAttributionKind kind,
                                     const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;

/* "moved", "fused", "prioritised", "order", "transfers", and the inverse. The inverse returns FALSE
 * with %GOBAN_ERROR_INVALID set, whose message lists the words. */
const char *goban_attribution_kind_get_word (GobanAttributionKind kind);
gboolean goban_attribution_kind_find (const char *word, GobanAttributionKind *kind, GError **error);

/* The first @n_rows shares, a line each, the sum of the others, and the remainder. (transfer
 * full) */
char *goban_attribution_to_text (const GobanAttribution *self,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanAttribution, goban_attribution_free)

G_END_DECLS
