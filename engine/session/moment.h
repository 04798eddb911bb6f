/* moment.h: what every node of a run does at one moment: what playback shows.
 *
 * Functions of immutable values, for any thread; O(N) and no preparation: 80,000 nodes take well under a
 * millisecond. An op runs from its start up to but not including its finish, so one that takes no time is done at once.
 */
#pragma once

#include "engine/session/run.h"
#include "engine/session/selection.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_NODE_WAITING, /* an input is not there yet */
  GOBAN_NODE_READY,   /* all inputs are there, but the device is busy */
  GOBAN_NODE_RUNNING,
  GOBAN_NODE_DONE,
  GOBAN_N_NODE_STATES
} GobanNodeState;

/* "waiting", "ready", "running", "done". */
const char *goban_node_state_get_name (GobanNodeState state);

/**
 * goban_moment_compute:
 * @states: (nullable) (n_nodes): filled with the GobanNodeState of each node
 * @counts: (nullable) (GOBAN_N_NODE_STATES): filled with the number of nodes in each state
 *
 * Before 0, and in a run that could not start, all wait.
 */
void goban_moment_compute (GobanRun *run, double time_us, guint8 *states, guint *counts);

/* Nodes in one of the states. */
GobanSelection *goban_moment_dup_nodes (GobanRun *run, double time_us,
                                        GobanNodeState state) G_GNUC_WARN_UNUSED_RESULT;

/* "at 12.4 ms: 3 running, 10 ready, 200 done, 5000 waiting", then a line per device: the running
 * op, and the number of ready ones. (transfer full) */
char *goban_moment_describe (GobanRun *run, double time_us) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
