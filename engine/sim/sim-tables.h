/* sim-tables.h: flat tables of the graph that the simulator reads.
 *
 * Private to engine/sim. One set of tables belongs to the cost model and stays; a plan that fuses
 * nodes has its own, made of the graph with every cluster merged into one op.
 */
#pragma once

#include "engine/sim/fusion/contraction.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

/* Node, tensor and edge data of a run. If a plan fuses, a node of these tables is an op of the
 * contraction. */
typedef struct
{
  guint n_nodes;
  guint n_tensors;
  guint n_edges;
  guint32 *first_tensor;  /* (n_nodes + 1) */
  guint32 *first_edge;    /* (n_tensors + 1) edges are numbered by (tensor, head) */
  guint32 *edge_head;     /* (n_edges) */
  guint32 *edge_input;    /* (n_edges) index of the edge among all inputs */
  guint32 *first_input;   /* (n_nodes + 1) */
  guint32 *tensor_node;   /* (n_tensors) its producer */
  guint32 *tensor_source; /* (n_tensors) the graph's tensor; NULL if it is the same */
  double *size_bytes;     /* (n_tensors) */
  double *tensor_bytes;   /* (n_tensors) rounded up */
  double tensors_bytes;   /* sum of them */
  double *output_bytes;   /* (n_nodes) */
  double *param_bytes;    /* (n_nodes) */
  double *time_us;        /* (n_nodes x n_columns) */
  guint n_columns;        /* one per class of devices, or one for all */
  const guint32 *column;  /* (n_devices) */
} SimTables;

/* Contraction of a fused plan, and memory for its tables. Allocated on first use. */
typedef struct
{
  GobanContraction *contraction;
  const GobanContracted *ops; /* of the plan laid out; NULL if it fuses nothing */
  double *size_bytes;         /* (n_tensors) */
  double *tensor_bytes;       /* (n_tensors) */
  guint32 *column;            /* (n_devices) zeroes */
} SimFused;

/* sim-tables.c */
void sim_tables_init (GobanSimulator *self);
void sim_tables_clear (GobanSimulator *self);

/* sim-fused.c: contracts the plan's clusters, and activates the tables of the contraction. */
void sim_fused_use (GobanSimulator *self, const GobanPlan *plan);
/* The contraction, made on first use. */
GobanContraction *sim_fused_get_contraction (GobanSimulator *self);
void sim_fused_clear (GobanSimulator *self);

G_END_DECLS
