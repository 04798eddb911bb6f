/* playback-state.h: the state of every node at one time of a run, for playback.
 *
 * Any thread. O(N) without preparation: 80,000 nodes take well under a millisecond. An op runs from
 * its start up to but not including its finish, so an op of zero length is done at once.
 */
#pragma once

#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

typedef enum
{
  GOBAN_NODE_WAITING, /* an input is not there yet */
  GOBAN_NODE_READY,   /* all are, but the device is busy */
  GOBAN_NODE_RUNNING,
  GOBAN_NODE_DONE,
  GOBAN_N_NODE_STATES
} GobanNodeState;

/* "waiting", "ready", "running", "done". */
extern const char *const goban_node_state_names[GOBAN_N_NODE_STATES];

/**
 * goban_playback_state_compute:
 * @states: (nullable) (n_nodes): receives a GobanNodeState per node
 * @counts: (nullable) (GOBAN_N_NODE_STATES): receives the number of nodes per state
 *
 * All nodes wait before 0, and in a run that could not start.
 */
void goban_playback_state_compute (GobanRun *run, double time_us, guint8 *states, guint *counts);

/* Nodes in one of the states. */
GobanSelection *goban_playback_state_dup_nodes (GobanRun *run, double time_us,
                                                GobanNodeState state) G_GNUC_WARN_UNUSED_RESULT;

/* Describes all states: "at 12.4 ms: 3 running, 10 ready, 200 done, 5000 waiting", then a line per
 * device with its running op and the number of ready ones. (transfer full) */
char *goban_playback_state_describe (GobanRun *run, double time_us) G_GNUC_WARN_UNUSED_RESULT;

/* --- a device's state at a moment ------------------------------------------------------------- */

/* Each device at one time of a run: running ops, ready queue, channels, memory.
 *
 * Any thread. Everything is read from the trace in one pass, O(N + transfers), without preparation.
 *
 * Queues are in the order in which the simulator takes from them (engine/sim/simulator.h). Ops go
 * by the plan's order, FIFO or PRIORITY; what becomes ready later may still go first. Transfers
 * are in the order in which they are asked: one whose channels or links are held is passed over.
 */

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
