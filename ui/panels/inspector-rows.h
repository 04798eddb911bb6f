/* inspector-rows.h: contents of the inspector as plain rows, without widgets or a display. */
#pragma once

#include "engine/session/session.h"

typedef struct
{
  char *key;                /* "" continues the row above */
  char *value;              /* NULL: @key is a heading */
  GobanNodeId node;         /* the node that a click on the value selects, or GOBAN_NO_NODE */
  GobanSelection *nodes;    /* (nullable) the same for many, owned */
  double share;             /* 0..1: a bar beside the value; NAN: none */
  gboolean has_device_time; /* the bars of the devices' time follow */
} GobanInspectorRow;

/* All return (transfer full) (element-type GobanInspectorRow); @run is nullable. */
GArray *goban_inspector_rows_for_graph (GobanCostModel *costs,
                                        GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
GArray *goban_inspector_rows_for_node (GobanCostModel *costs, GobanRun *run,
                                       GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;
GArray *goban_inspector_rows_for_many (GobanCostModel *costs, GobanRun *run,
                                       const GobanSelection *selection) G_GNUC_WARN_UNUSED_RESULT;
