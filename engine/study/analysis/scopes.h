/* scopes.h: node groups by the scopes of their names.
 *
 * At depth 2 "dec/lstm_7/add" belongs to "dec/lstm_7" and "dec/add" to itself. Groups are in the
 * order of their first nodes.
 */
#pragma once

#include "engine/graph/graph.h"

/* Range of the number of groups that depth 0 aims for, few enough to read at a glance. */
#define GOBAN_SCOPES_FEW 5
#define GOBAN_SCOPES_MANY 40

typedef struct
{
  char **names; /* (n_scopes) and NULL */
  guint *sizes; /* (n_scopes) nodes in each */
  guint *of;    /* (n) the scope of each given node */
  guint n_scopes;
} GobanScopes;

/**
 * goban_scopes_new:
 * @depth: number of leading parts of a name that form the scope; 0: the fewest that give 5 to 40
 *   groups. If no depth does, because names have no useful scopes, groups are types of op
 *
 * Returns: (transfer full)
 */
GobanScopes *goban_scopes_new (GobanGraph *graph, const GobanNodeId *ids, guint n,
                               guint depth) G_GNUC_WARN_UNUSED_RESULT;
void goban_scopes_free (GobanScopes *self);

/* Length of the first @depth parts of a name, in bytes. */
gsize goban_scopes_get_prefix_length (const char *name, guint depth);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanScopes, goban_scopes_free)
