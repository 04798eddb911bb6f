/* segments.h: runs of consecutive nodes of a device, which a plan is executed by.
 *
 * A device runs its nodes in the order of the simulated run. A segment ends before a node that
 * reads a tensor of another device, and after a node that another device reads: so a segment waits
 * only before its first node, and hands over only after its last. Segments are numbered in an
 * order in which every one follows all that it waits for.
 */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

typedef struct
{
  GobanDeviceId device;
  guint first; /* of the nodes, and of the ops that it waits for */
  guint n;
  guint first_wait;
  guint n_waits;
} GobanSegment;

typedef struct _GobanSegments
{
  GobanSegment *segments;
  guint n;
  guint n_devices;
  GobanNodeId *nodes;  /* (n_nodes) segment by segment, in the order of execution */
  guint32 *waits;      /* segments of other devices, by segment */
  guint32 *segment_of; /* (n_nodes) */
  guint n_hand_overs;  /* pairs of segments of different devices, one waiting for the other */
} GobanSegments;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set if the run could not start or
 * if its plan makes kernels of several nodes */
GobanSegments *goban_segments_new (GobanRun *run, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* All nodes on one device, in one segment. (transfer full) */
GobanSegments *goban_segments_new_single (const GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
void goban_segments_free (GobanSegments *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSegments, goban_segments_free)

G_END_DECLS
