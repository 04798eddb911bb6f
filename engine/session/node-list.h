/* node-list.h: nodes sorted by a field, and their text, for tables of nodes.
 *
 * Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/session/node-field.h"
#include "engine/session/selection.h"

G_BEGIN_DECLS

/**
 * goban_node_list_sort:
 * @nodes: (nullable): which nodes; NULL: all
 * @field: (nullable): NULL: the order of the graph
 * @n: return location for how many
 *
 * Numbers by size; text with its numbers by size too, "layer_2" before "layer_10", whatever the case.
 * What nobody knows comes last either way, and what is equal keeps the order of the graph. O(N) for
 * numbers, O(N log N) for text.
 *
 * Returns: (transfer full) (array length=n) (nullable): NULL with %GOBAN_ERROR_CANCELLED set
 */
GobanNodeId *goban_node_list_sort (const GobanNodeContext *context, GobanSelection *nodes,
                                   const GobanNodeField *field, gboolean is_descending,
                                   const GobanProgress *progress, guint *n,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A field of a node as people read it: "1.5 ms", "48 MB", "gpu:1"; "" if nobody knows. (transfer full) */
char *goban_node_list_cell (const GobanNodeContext *context, const GobanNodeField *field,
                            GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* A line of names of fields, with "_us" behind times and "_bytes" behind sizes, and a line for each node:
 * values between tabs, numbers in full as every program reads them. @fields ends with NULL.
 * (transfer full) */
char *goban_node_list_to_tsv (const GobanNodeContext *context, const char *const *fields,
                              const GobanNodeId *nodes, guint n) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
