/* attribution.h: attribution of the makespan difference between two plans to groups of changed
 * nodes.
 *
 * The changes of the second plan against the first (devices, kernels, priorities) are grouped by
 * the scopes of names. Each group alone is reverted to the first plan, and the plan is simulated
 * again: the change of the makespan is the group's share. Shares are exact but do not add up, since
 * changes interact; the remainder is shown.
 *
 * Immutable and reference-counted; made in any thread. The result does not depend on the number of
 * threads.
 */
#pragma once

#include "engine/session/difference.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_SHARE_MOVE,
  GOBAN_SHARE_FUSION,
  GOBAN_SHARE_PRIORITY, /* where both plans go by priority */
  GOBAN_SHARE_ORDER,    /* one goes by priority, the other first come, first served: all of that */
  GOBAN_SHARE_TRANSFER, /* the priorities that plans give transfers themselves */
  GOBAN_N_SHARE_KINDS
} GobanShareKind;

typedef struct
{
  GobanShareKind kind;
  char *name;            /* the scope */
  char *label;           /* "enc/l5 → gpu:1", "softmax (priority)" */
  GobanSelection *nodes; /* what is taken back together; of TRANSFER none */
  guint n_nodes;
  double
      delta_us; /* makespan with the change less the one without: negative is time gained; NAN if the plan without
                      cannot run */
  gboolean is_valid; /* without the change memory suffices */
} GobanShare;

typedef struct
{
  gatomicrefcount ref_count;
  GobanShare *
      shares; /* (n_shares) known so far, by size of delta_us, largest first, then by kind and name */
  guint n_shares;
  guint n_groups;      /* n_shares once all are known */
  double delta_us;     /* makespan of the second less that of the first, on one cost model */
  double remainder_us; /* delta_us less all shares */
} GobanAttribution;

/* All (nullable), or 0. */
typedef struct
{
  const GobanProgress *progress;
  guint n_threads; /* 0: as many as there are processors */
  /* In the thread of the work: what is known by now, each time there is more. */
  void (*on_found) (GobanAttribution *so_far, gpointer user_data);
  gpointer user_data;
} GobanAttributionOptions;

/**
 * goban_attribution_new:
 * @before: the first run
 * @after: the second; both plans are simulated on its costs
 * @options: (nullable)
 *
 * Colocation groups are taken back whole, with the scope of their first node, and so are kernels that have members in
 * common. The largest groups are simulated first.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if a plan does not
 *   fit the second's cluster or graph, or %GOBAN_ERROR_CANCELLED
 */
GobanAttribution *goban_attribution_new (GobanRun *before, GobanRun *after,
                                         const GobanAttributionOptions *options,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanAttribution *goban_attribution_ref (GobanAttribution *self);
void goban_attribution_unref (GobanAttribution *self);

/* The second run's plan with what @kind says of @nodes as the first run has it: what the share was measured with, to
 * the last bit. Kernels that this tears apart are none any more. Of other nodes than a share's, what cannot do without them
 * goes back with them: colocation groups, and kernels that overlap. (transfer full) */
GobanPlan *goban_attribution_revert (GobanRun *before, GobanRun *after, GobanShareKind kind,
                                     const GobanSelection *nodes) G_GNUC_WARN_UNUSED_RESULT;

/* "moved", "fused", "prioritised", "order", "transfers"; and back: FALSE with %GOBAN_ERROR_INVALID set, which lists
 * them. */
const char *goban_share_kind_get_word (GobanShareKind kind);
gboolean goban_share_kind_find (const char *word, GobanShareKind *kind, GError **error);

/* "-31.2 ms", "+2.1 ms"; what is less than rounding makes of times as long as @whole_us is "0 us"; of NAN "cannot run".
 * buffer of GOBAN_QUANTITY_LEN + 1, returned. */
const char *goban_format_change (char *buffer, double delta_us, double whole_us);

/* The first @n_rows shares, a line each, what the others come to, and the rest. (transfer full) */
char *goban_attribution_to_text (const GobanAttribution *self,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanAttribution, goban_attribution_unref)

G_END_DECLS
