/* graph-gen.h: random graphs and plans for property tests.
 *
 * Everything is a function of the seed.
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  guint n_nodes;
  double edges_per_node; /* mean in-degree of nodes beyond the first layer */
  guint width;           /* nodes reach back about this many; 0: to any earlier node */
  double max_time_us;    /* times are whole numbers in 0..max (given for any kind) */
  double max_bytes;      /* tensor sizes, whole numbers */
  double max_param_bytes;
  double control_share; /* of the edges */
  double group_share;   /* of the nodes, in groups of about three */
  guint max_tensors;    /* outputs per node, at least 1 */
} GraphGen;

/* Small, awkward graphs: all of the above in use, zero times included. */
GraphGen graph_gen_small (guint n_nodes);

/* Ten nodes that all have work to do: what is best of them is proven in no time. */
GraphGen graph_gen_ten (void);

/* (transfer full) */
GobanGraph *graph_gen_new (const GraphGen *gen, guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
