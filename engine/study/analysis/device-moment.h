/* device-moment.h: each device at one time of a run: running ops, ready queue, channels, memory.
 *
 * Any thread. Everything is read from the trace in one pass, O(N + transfers), without preparation.
 *
 * Queues are in the order in which the simulator takes from them (engine/sim/simulator.h). Ops go
 * by the plan's order, FIFO or PRIORITY; what becomes ready later may still go first. Transfers
 * are in the order in which they are asked: one whose channels or links are held is passed over.
 */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* The first items of a queue; @n_all counts those that were left out, too. */
typedef struct
{
  guint32 *items;
  guint n;
  guint n_all;
} GobanQueueHead;

/* Ops are lowest nodes of kernels, transfers are indices. */
typedef struct
{
  GobanQueueHead running; /* one op at most */
  GobanQueueHead ready;
  GobanQueueHead sending;   /* transfers from the device that are under way */
  GobanQueueHead receiving; /* transfers to it that are under way */
  GobanQueueHead waiting;   /* transfers from it that have not started */
  GobanNodeId next;         /* the op that starts next, or GOBAN_NO_NODE */
  double memory_bytes;      /* in use; NAN if the run could not start */
} GobanDeviceMoment;

/* All devices at that time. */
typedef struct
{
  double time_us;
  guint n_devices; /* of the plan */
  GobanDeviceMoment devices[];
} GobanDeviceMoments;

/* @most: items to keep of each queue. (transfer full) */
GobanDeviceMoments *goban_device_moments_new (GobanRun *run, double time_us,
                                              guint most) G_GNUC_WARN_UNUSED_RESULT;
void goban_device_moments_free (GobanDeviceMoments *self);

/* The priority by which an op is taken: the highest of its kernel. */
gint32 goban_device_moment_get_priority (GobanRun *run, GobanNodeId kernel);

/* Describes a device: "gpu:0 runs conv1 until 12.6 ms; 12 ready, 1 sent, 0
 * received, 3 waiting to be sent; 2.1 GB of 16 GB in use".
 * (transfer full) */
char *goban_device_moments_describe (const GobanDeviceMoments *self, GobanRun *run,
                                     GobanDeviceId device) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDeviceMoments, goban_device_moments_free)

G_END_DECLS
