/* playback-state.h: the state of every node at one time of a run, for playback.
 *
 * Any thread. O(N) without preparation: 80,000 nodes take well under a millisecond. An op runs from
 * its start up to but not including its finish, so an op of zero length is done at once.
 */
#pragma once

#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_NODE_WAITING, /* an input is not there yet */
  GOBAN_NODE_READY,   /* all are, but the device is busy */
  GOBAN_NODE_RUNNING,
  GOBAN_NODE_DONE,
  GOBAN_N_NODE_STATES
} GobanNodeState;

/* "waiting", "ready", "running", "done". */
const char *goban_node_state_get_name (GobanNodeState state);

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

G_END_DECLS
