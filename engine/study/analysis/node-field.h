/* node-field.h: fields of a node by name, one table row per field.
 *
 * Queries, scripts and columns of tables share these names. Times are microseconds and sizes bytes;
 * NAN and NULL mean unknown. Some fields depend on a run: devices, priorities and times. Immutable
 * values only, for any thread.
 */
#pragma once

#include "engine/study/run/run.h"

typedef enum
{
  GOBAN_FIELD_TEXT,
  GOBAN_FIELD_TIME,
  GOBAN_FIELD_BYTES,
  GOBAN_FIELD_COUNT,
} GobanFieldKind;

/* The graph and the run that fields are read from. */
typedef struct
{
  GobanCostModel *costs;
  GobanRun *run; /* (nullable), of the same graph */
} GobanNodeContext;

typedef struct
{
  const char *name;
  const char *title; /* for a column or a legend: "Bytes out" */
  GobanFieldKind kind;
  gboolean needs_run;
  gboolean is_rank; /* only the order of the numbers has a meaning */
  const char *blurb;
  /* Exactly one is set, by the kind. */
  const char *(*text) (const GobanNodeContext *context, GobanNodeId node);
  double (*number) (const GobanNodeContext *context, GobanNodeId node);
} GobanNodeField;

const GobanNodeField *goban_node_field_table (gsize *n);

/* (nullable): %NULL with %GOBAN_ERROR_INVALID set, whose message lists the valid names. */
const GobanNodeField *goban_node_field_find (const char *name, GError **error);

/* FALSE if it is known, without reading every node, that no node has a value. */
gboolean goban_node_field_is_known (const GobanNodeField *self, const GobanNodeContext *context);

/* Nodes of the longest path on the least times, transfers free, in order; (transfer full). */
GobanNodeId *goban_longest_path_nodes (GobanCostModel *costs, guint *n) G_GNUC_WARN_UNUSED_RESULT;
