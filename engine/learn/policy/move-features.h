/* move-features.h: features of a move, which takes a group of units to another device.
 *
 * Features compare the group on its present device with the group on the target device, using the
 * run of the plan (plan-profile.h): transfers added and saved, new times of the group's ops
 * relative to the latest starts of their consumers, loads of both devices in that time, memory.
 * Device numbers, names and positions in the graph are not features: exchanging two equal devices
 * exchanges their features to the bit.
 *
 * In a fused plan an op takes the same share of its own time there as in its kernel here, if the
 * group has all of the kernel. Otherwise one of the n - 1 savings of a kernel of n ops is lost.
 *
 * Times relative to the makespan are compressed by sign (x) log (1 + 1000 |x|) / log (1001).
 *
 * Decisions G8 and G13 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/policy/plan-profile.h"
#include "engine/learn/policy/scorer-net.h"

/* "Here" is the present device of the group, "there" the target device. */
typedef enum
{
  /* of the group */
  GOBAN_MOVE_SIZE,               /* log of its units over that of all */
  GOBAN_MOVE_WORK,               /* time here */
  GOBAN_MOVE_CRITICAL,           /* of it on the critical path */
  GOBAN_MOVE_CRITICAL_SHARE,     /* likewise, share of its time */
  GOBAN_MOVE_CRITICAL_WAIT,      /* waits for the device on the critical path */
  GOBAN_MOVE_CRITICAL_TRANSFERS, /* its transfers on the critical path, over all devices */
  GOBAN_MOVE_SLACK_LEAST,
  GOBAN_MOVE_SLACK_MEAN,
  GOBAN_MOVE_QUEUE,    /* mean wait for the device */
  GOBAN_MOVE_BEGIN,    /* first start, over the makespan */
  GOBAN_MOVE_SPAN,     /* from there to the last finish, likewise */
  GOBAN_MOVE_BACKWARD, /* shares of its nodes by phase */
  GOBAN_MOVE_UPDATE,
  GOBAN_MOVE_TRAFFIC,   /* time of its tensors to and from other groups on any device */
  GOBAN_MOVE_NEAR_HERE, /* share of that with groups here */
  /* of the target device */
  GOBAN_MOVE_NEAR_THERE,
  GOBAN_MOVE_WORK_CHANGE,
  GOBAN_MOVE_SLOWNESS,          /* log of the time there over that here */
  GOBAN_MOVE_TRANSFERS,         /* transfer time added less saved; a tensor goes to a device once */
  GOBAN_MOVE_TRANSFERS_BY_WORK, /* likewise, over the group's time */
  GOBAN_MOVE_CRITICAL_SAVED,    /* saved critical transfers */
  GOBAN_MOVE_CRITICAL_ADDED,    /* new transfers between critical ops */
  /* largest delay of a consumer beyond its latest start; negative: all are early */
  GOBAN_MOVE_LATE_MOST,
  GOBAN_MOVE_LATE_SUM,
  GOBAN_MOVE_LATE_SHARE,     /* of consumers */
  GOBAN_MOVE_EARLIER,        /* largest gain of a critical consumer, or 0 */
  GOBAN_MOVE_SHIFT,          /* mean change of finish times */
  GOBAN_MOVE_LAST_SHIFT,     /* change of the last finish time */
  GOBAN_MOVE_FILLED,         /* likewise, if it runs in idle time of the device only */
  GOBAN_MOVE_BUSY_THERE,     /* busy share of the device in the group's time window */
  GOBAN_MOVE_BUSY_HERE,      /* likewise here, by other ops */
  GOBAN_MOVE_CRITICAL_THERE, /* share of the window with critical ops */
  GOBAN_MOVE_CRITICAL_HERE,
  GOBAN_MOVE_SLACK_THERE, /* mean slack of the device's ops in the window */
  GOBAN_MOVE_OVERFILL,    /* work beyond the idle time of the window */
  GOBAN_MOVE_LOAD_HERE,   /* over the mean, over the makespan */
  GOBAN_MOVE_LOAD_THERE,
  GOBAN_MOVE_LOAD_GAP,      /* load there after the move less load here before */
  GOBAN_MOVE_CHANNEL_HERE,  /* busy time of the busier channel, over the makespan */
  GOBAN_MOVE_CHANNEL_THERE, /* with the transfers added */
  GOBAN_MOVE_MEMORY_THERE,  /* share of the memory in use with the group */
  GOBAN_MOVE_MEMORY_SHORT,  /* memory missing then */
  GOBAN_MOVE_MEMORY_RELIEF, /* share of the memory missing here that the move frees */
  GOBAN_MOVE_N_FEATURES
} GobanMoveFeature;

typedef struct _GobanMoveFeatures GobanMoveFeatures;

/* @profile must outlive it, and may read other runs in between. O(T) for the times of transfers. */
GobanMoveFeatures *
goban_move_features_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_features_free (GobanMoveFeatures *self);

/* Computes the features of moving a group to each device. O(edges of the group's nodes x devices).
 * units (n): all of one device in the profile's plan, none twice. x (D, GOBAN_MOVE_N_FEATURES): 0
 * for devices to which it cannot go can (D): 1 if all of the group can run there and it is another
 * device */
void goban_move_features_look (GobanMoveFeatures *self, const guint32 *units, guint n, float *x,
                               guint8 *can);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveFeatures, goban_move_features_free)

/* Parameters of the network that scores moves of a plan by their expected gain.
 *
 * One scorer (engine/learn/nn/scorer.h) for all moves, states, graphs and clusters: features of
 * move-features.h, and as the context the facts of plan-profile.h. It is trained on exact gains of
 * moves (engine/learn/rl/moves/move-training.h).
 */

/* Kind of network in the header of its files. */
#define GOBAN_MOVE_NET_KIND "moves"

/* A network with random weights, which must be trained before use. */
GobanScorerNet *goban_move_net_new (GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
/* A network with hand-set weights of some features: the control for trained networks. */
GobanScorerNet *goban_move_net_new_by_hand (void) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanScorerNet *goban_move_net_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether a file contains such a network; %FALSE, too, for unreadable files. */
gboolean goban_move_net_is_file (const char *path);
