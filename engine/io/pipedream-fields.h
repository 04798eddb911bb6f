/* pipedream-fields.h: the measured numbers of one node, as PipeDream's profiler prints them.
 *
 * "forward_compute_time=1.370, backward_compute_time=2.930, activation_size=[4.0; 8.0],
 * parameter_size=0.0", in graph.txt and in the labels of its DOT twin. Times are
 * milliseconds there and microseconds here. The sizes of a bracketed list are summed,
 * as PipeDream does: which consumer reads which the file does not say.
 */
#pragma once

#include "engine/graph/graph-builder.h"

typedef struct
{
  double forward_us;
  double backward_us;
  double activation_bytes;
  double param_bytes;
} GobanPipedreamFields;

/**
 * goban_pipedream_parse_fields:
 * @problem: (out) (transfer full): the mistake, on failure
 *
 * All four must be there, in any order, none of them negative. Others are passed over.
 */
gboolean goban_pipedream_parse_fields (const char *text, GobanPipedreamFields *fields,
                                       char **problem);

/* The op of a description: "Conv2d(64, 96)" is a "Conv2d". (transfer full) */
char *goban_pipedream_dup_op (const char *description) G_GNUC_WARN_UNUSED_RESULT;

/* Puts the numbers on a node; returns the tensor of its activations. */
guint32 goban_pipedream_fill_node (GobanGraphBuilder *builder, guint32 node,
                                   const GobanPipedreamFields *fields);
