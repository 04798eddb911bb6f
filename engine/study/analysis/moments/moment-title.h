/* moment-title.h: short name of a decision, made of the common scope of its nodes. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/cost-model.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_TITLE_WHOLE, /* "Mixed_6c · branch7x7", "Mixed_5c/branch1x1/relu" */
  GOBAN_TITLE_SHORT, /* "Mixed_6c branch7x7", "Mixed_6c · 12 ops", "branch1x1/relu", "fc +2" */
} GobanTitleStyle;

/* Also "Placement rule" and "Move of 5 ops". O(nodes of the decision). (transfer full) */
char *goban_moment_dup_title (const GobanCostModel *costs, const GobanDecisions *decisions,
                              const GobanDecision *decision,
                              GobanTitleStyle style) G_GNUC_WARN_UNUSED_RESULT;

/* The outermost scope of the name of a node: "Mixed_6c"; the name itself without one. Length in
 * bytes of that beginning of the name. */
gsize goban_node_get_module_length (const char *name);

G_END_DECLS
