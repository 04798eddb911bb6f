/* change-rows.h: the changed nodes of a difference as rows, for lists of changes and exported
 * files.
 *
 * Functions of immutable values, for any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/difference/difference.h"

typedef enum
{
  GOBAN_CHANGE_ROW_NODE,
  GOBAN_CHANGE_ROW_OP,
  GOBAN_CHANGE_ROW_FROM,
  GOBAN_CHANGE_ROW_TO,
  GOBAN_CHANGE_ROW_RANK,   /* change of the rank by priority: positive is later */
  GOBAN_CHANGE_ROW_FUSION, /* whether the other members of its kernel changed */
  GOBAN_CHANGE_ROW_START,
  GOBAN_CHANGE_ROW_FINISH,
  GOBAN_N_CHANGE_ROWS
} GobanChangeColumn;

/* All nodes with any change. (transfer full) */
GobanSelection *
goban_change_rows_find (const GobanDifference *difference) G_GNUC_WARN_UNUSED_RESULT;

/* The nodes of goban_change_rows_find() sorted by a column; equal ones keep the order of the graph.
 * O(N) for numbers, O(N log N) for names and ops. (transfer full) (array length=n) (nullable): NULL
 * with %GOBAN_ERROR_CANCELLED set */
GobanNodeId *goban_change_rows_sort (const GobanDifference *difference, GobanChangeColumn column,
                                     gboolean is_descending, const GobanProgress *progress,
                                     guint *n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "+1.5 ms", "gpu:1", "-3"; "" if unchanged or unknown. (transfer full) */
char *goban_change_rows_cell (const GobanDifference *difference, GobanChangeColumn column,
                              GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* A line of headings and one for each node, with numbers in full: RFC 4180 but for line ends.
 * (transfer full) */
char *goban_change_rows_to_csv (const GobanDifference *difference, const GobanNodeId *nodes,
                                guint n) G_GNUC_WARN_UNUSED_RESULT;
