/* node-list.h: nodes sorted by a field, and their text, for tables of nodes.
 *
 * Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/node-field.h"
#include "engine/study/run/selection.h"

/**
 * goban_node_list_sort:
 * @nodes: (nullable): the nodes; NULL: all
 * @field: (nullable): NULL: the order of the graph
 * @n: return location for their number
 *
 * Numbers are sorted by value; text case-insensitively, with the numbers in it by value: "layer_2"
 * before "layer_10". Unknown values come last in both directions; equal ones keep the order of the
 * graph. O(N) for numbers, O(N log N) for text.
 *
 * Returns: (transfer full) (array length=n) (nullable): NULL with %GOBAN_ERROR_CANCELLED set
 */
GobanNodeId *goban_node_list_sort (const GobanNodeContext *context, GobanSelection *nodes,
                                   const GobanNodeField *field, gboolean is_descending,
                                   const GobanProgress *progress, guint *n,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The display text of a node's field: "1.5 ms", "48 MB", "gpu:1"; "" if unknown. (transfer full) */
char *goban_node_list_cell (const GobanNodeContext *context, const GobanNodeField *field,
                            GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* A header line with the names of the fields, "_us" appended to times and "_bytes" to sizes, then
 * one line per node: exact values, separated by tabs, in a locale-independent format. @fields ends
 * with NULL. (transfer full) */
char *goban_node_list_to_tsv (const GobanNodeContext *context, const char *const *fields,
                              const GobanNodeId *nodes, guint n) G_GNUC_WARN_UNUSED_RESULT;

/* Export of nodes as CSV: one line per node, every known field.
 *
 * Numbers are in the units of the engine, which the header names: cost_us, memory_bytes. Quoted as
 * RFC 4180 has it; decimal points under every language. Any thread.
 */

/* Whether the suffix of a path is that of a CSV file. */
gboolean goban_node_csv_is_path (const char *path);

/* @nodes: (nullable): NULL for all of the graph, in its order. (transfer full) */
char *goban_node_csv_to_text (const GobanNodeContext *context, const GobanNodeId *nodes,
                              guint n) G_GNUC_WARN_UNUSED_RESULT;
