/* trace-check-private.h: what the checker knows of a trace, gathered from its public face.
 *
 * Private to trace-check*.c, which share nothing with the simulator.
 */
#pragma once

#include "engine/sim/trace-check.h"

G_BEGIN_DECLS

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
  double *arrival_us;       /* (n_edges) when the edge's tensor is in its head's memory */
  guint32 *by_tensor;       /* (n_transfers) transfers sorted by (tensor, to) */
  guint32 *first_by_tensor; /* (n_tensors + 1) */
} CheckFacts;

/* Sets the error; always FALSE. */
gboolean check_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

const char *check_node_name (const CheckFacts *facts, GobanNodeId node);
const char *check_tensor_name (const CheckFacts *facts, GobanTensorId tensor);
const char *check_device_name (const CheckFacts *facts, GobanDeviceId device);
GobanNodeId check_producer (const CheckFacts *facts, GobanTensorId tensor);

/* Memory recomputed: peaks, when they are reached, and the verdict. */
gboolean check_memory (const CheckFacts *facts, GError **error);

/* Rules 1 to 4, instant by instant: who starts, and that nobody waits for nothing. */
gboolean check_order (const CheckFacts *facts, GError **error);

G_END_DECLS
