/* change-groups.h: nodes that one plan treats otherwise than another, grouped by scopes of names.
 *
 * Colocation groups that have moved, and kernels that share members, are in one group: that of the
 * scope of their first node. So each group can be taken from either plan.
 */
#pragma once

#include "engine/study/analysis/difference/difference.h"

G_BEGIN_DECLS

typedef struct
{
  char *name;            /* the scope */
  GobanSelection *nodes; /* at least one */
  guint n_nodes;
  /* (nullable): device of all of them in the second plan, if they moved; owned by the cluster */
  const char *target;
} GobanChangeGroup;

/* GobanChangeGroup, in the order of their first nodes. @change: not TIME. (transfer full) */
GArray *goban_change_groups_new (const GobanDifference *difference,
                                 GobanChange change) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
