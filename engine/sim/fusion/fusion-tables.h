/* fusion-tables.h: flat arrays of the nodes and edges of a cost model, as fusion reads them.
 *
 * Private to engine/sim/fusion. Made once per cost model, never changed: any thread may read it.
 * Edge ids are the graph's: those of a tensor are consecutive, tensors ascend with their producers.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"
#include "engine/sim/fusion/fusion-rules.h"

#define FUSION_NONE G_MAXUINT32

/* Device data that determine the gain of fusion; equal for all devices of a class. */
typedef struct
{
  double flops_per_us[GOBAN_N_PEAKS]; /* reached, of a type's own peak */
  guint8 peaks[GOBAN_N_PEAKS];        /* the first type that is as fast */
  double bytes_per_us;                /* reached, of the device's own memory */
  double launch_us;
} FusionDevice;

/* Data for the time of a kernel, in one cache line. */
typedef struct
{
  double flops;
  double read_bytes;
  double written_bytes;
  double param_bytes; /* whole bytes */
  GobanPeak peak;
} FusionWork;

typedef struct
{
  GobanCostModel *costs;
  guint n_nodes;
  guint n_tensors;
  guint n_edges;
  guint n_devices;
  guint n_classes;
  guint8 *kind;          /* (n_nodes) GobanFusionClass */
  guint32 *first_tensor; /* (n_nodes + 1) */
  guint32 *first_edge;   /* (n_tensors + 1) */
  guint32 *edge_head;    /* (n_edges) */
  guint32 *edge_tensor;  /* (n_edges) */
  guint32 *first_input;  /* (n_nodes + 1) */
  guint32 *input_edge;   /* (n_edges) by node, in the graph's order */
  guint32 *tensor_node;  /* (n_tensors) */
  double *tensor_bytes;  /* (n_tensors) whole bytes, so that sums do not depend on their order */
  FusionWork *work;      /* (n_nodes) */
  double *time_us;       /* (n_nodes x n_classes) unfused */
  guint8 *is_timed;      /* (n_nodes) 1 if its times are not the roofline's */
  FusionDevice *device;  /* (n_classes) */
  guint *device_class;   /* (n_devices) */
} FusionTables;

FusionTables *fusion_tables_new (GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void fusion_tables_free (FusionTables *self);

/* The tail of an edge. */
static inline guint32
fusion_tail (const FusionTables *self, guint32 edge)
{
  return self->tensor_node[self->edge_tensor[edge]];
}
