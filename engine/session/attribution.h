/* attribution.h: which moves a difference between two plans comes from.
 *
 * The nodes that the second plan has elsewhere than the first are put together by the scopes of
 * their names. Each group is taken back alone, to where the first plan has it, and the plan is
 * simulated again: the group's share is what that changes. Shares are exact but do not add up,
 * since moves help or hinder each other; the rest is shown, with what priorities do.
 */
#pragma once

#include "engine/session/run.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;
  guint n_nodes;
  double delta_us;   /* makespan with the moves less the one without: negative is time gained */
  gboolean is_valid; /* without the moves memory suffices */
} GobanShare;

typedef struct
{
  GobanShare *shares; /* (n_shares) by size of delta_us, largest first, then by name */
  guint n_shares;
  double delta_us;     /* makespan of the second less that of the first, on one cost model */
  double remainder_us; /* delta_us less all shares */
} GobanAttribution;

/**
 * goban_attribution_new:
 * @before: the first run
 * @after: the second; both plans are simulated on its costs
 * @progress: (nullable)
 *
 * Colocation groups are taken back whole, with the scope of their first node.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set where a plan does not
 *   fit the second's cluster or graph, or %GOBAN_ERROR_CANCELLED
 */
GobanAttribution *goban_attribution_new (GobanRun *before, GobanRun *after,
                                         const GobanProgress *progress,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_attribution_free (GobanAttribution *self);

/* The first @n_rows shares, a line each, what the others come to, and the rest. (transfer full) */
char *goban_attribution_to_text (const GobanAttribution *self,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanAttribution, goban_attribution_free)

G_END_DECLS
