/* trace-check-private.h: index of a trace for the checker, built from the public interface of the
 * trace.
 *
 * Private to trace-check*.c, which share nothing with the simulator.
 */
#pragma once

#include "engine/core/error.h"
#include "tests/support/trace-check.h"

typedef struct
{
  const GobanTrace *trace;
  const GobanCostModel *costs;
  const GobanPlan *plan;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  guint n_nodes;
  guint n_tensors;
  guint n_edges;
  guint n_devices;
  guint n_transfers;
  const GobanOpSpan *ops;
  const GobanTransfer *transfers;
  const GobanDeviceUse *uses;
  guint32 *kernel;          /* (n_nodes) the lowest node with the same fusion number */
  guint32 *next;            /* (n_nodes) the next higher node of the kernel, or none (all bits) */
  double *kernel_us;        /* (n_nodes) by kernel: its time */
  guint32 *n_inputs;        /* (n_nodes) by kernel: edges from others */
  gint32 *priority;         /* (n_nodes) by kernel: the highest of its nodes */
  guint32 *tensor_place;    /* (n_tensors) by (kernel of the producer, tensor) */
  double *arrival_us;       /* (n_edges) time at which the edge's tensor is in its head's memory */
  guint32 *by_tensor;       /* (n_transfers) transfers sorted by (tensor, to) */
  guint32 *first_by_tensor; /* (n_tensors + 1) */
} CheckFacts;

const char *check_node_name (const CheckFacts *facts, GobanNodeId node);
const char *check_tensor_name (const CheckFacts *facts, GobanTensorId tensor);
const char *check_device_name (const CheckFacts *facts, GobanDeviceId device);
GobanNodeId check_producer (const CheckFacts *facts, GobanTensorId tensor);

/* trace-check-fusion.c: finds the kernels, their times and their validity; allocates kernel and the
 * arrays indexed by it. */
gboolean check_fusion (CheckFacts *facts, GError **error);
void check_fusion_clear (CheckFacts *facts);
/* TRUE if only the kernel that makes the tensor reads it. */
gboolean check_is_internal (const CheckFacts *facts, GobanTensorId tensor);

/* Recomputes the memory: staircases, peaks with their times, and the validity. */
gboolean check_memory (const CheckFacts *facts, GError **error);

/* Rules 1 to 4, instant by instant: starts, and no needless waiting. */
gboolean check_order (const CheckFacts *facts, GError **error);
