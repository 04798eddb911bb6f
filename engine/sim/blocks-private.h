/* blocks-private.h: state and record of a blocks simulation: blocks.c runs it, blocks-trace.c makes
 * the trace. */
#pragma once

#include "engine/sim/blocks.h"

G_BEGIN_DECLS

#define BLOCKS_NONE G_MAXUINT32

/* Cause of a start: the op or transfer that finishes at that time. */
typedef struct
{
  guint32 index; /* node, or index of a transfer; BLOCKS_NONE: it starts the run */
  gboolean is_transfer;
} BlocksItem;

typedef struct
{
  GobanOpSpan *ops;     /* (n_nodes) */
  BlocksItem *op_cause; /* (n_nodes) */
  GArray *transfers;    /* of GobanTransfer, as they started */
  GArray *move_cause;   /* of BlocksItem, of each */
  /* (n_nodes) the last item that its output waited for: the node itself on a CPU */
  BlocksItem *out_after;
  BlocksItem *block_end; /* (n_devices) the last of the block so far */
  char *why;             /* (nullable) the first path that breaks a block */
} BlocksRecord;

struct _SimBlocks
{
  GobanCostModel *costs; /* borrowed */
  const GobanGraph *graph;
  const GobanCluster *cluster;
  guint n_nodes;
  guint n_tensors;
  guint n_devices;
  GobanDeviceId memory; /* the first CPU, or GOBAN_NO_DEVICE */
  guint8 *is_cpu;       /* (n_devices) */
  double *fetch_us;     /* (n_tensors x n_devices) from the CPUs' memory */
  double *write_us;     /* (n_tensors x n_devices) to it */

  /* state of a run */
  const GobanDeviceId *device; /* (n_nodes) the plan's */
  /* (n_nodes) inputs not yet available, or not yet run within a block */
  guint32 *missing;
  double *out_us;   /* (n_nodes) time at which its tensors are available */
  guint8 *is_done;  /* (n_nodes) */
  guint8 *is_there; /* (n_tensors x n_devices) fetched, or written */
  /* (n_devices) inputs of the block from outside that are not yet available */
  guint32 *entries;
  guint32 *n_left;    /* (n_devices) ops of the block to run */
  double *free_us;    /* (n_devices) end of the block's last piece */
  double *held_bytes; /* (n_devices) */
  guint32 *queue;     /* (n_nodes + n_devices) nodes, or n_nodes + device */
  guint32 *piece;     /* (n_nodes) */
  guint32 *fetched;   /* (n_tensors) of a piece */
  guint n_queued;
  guint n_extra; /* pieces beyond the first of each block */
  double end_us;
  BlocksRecord *record; /* (nullable) */
};

/* Simulates the plan, and fills the record if there is one. */
GobanOutcome blocks_run_plan (SimBlocks *self, const GobanPlan *plan);
/* The largest memory overflow of an accelerator. */
double blocks_overflow (const SimBlocks *self, GobanDeviceId *worst);

G_END_DECLS
