/* move-features.h: a group of units goes to another device: what of that a network that proposes
 * moves is shown.
 *
 * All features compare (group, device where it is) with (group, device where it would go), by the
 * run of the plan (plan-profile.h): transfers added and saved, the group's ops timed anew against
 * the latest starts of their consumers, loads of both devices meanwhile, memory. No device's
 * number, no name and no position in the graph is among them: exchanging two devices of a kind
 * exchanges the features to the bit.
 *
 * Times over the makespan are squeezed by sign (x) log (1 + 1000 |x|) / log (1001).
 *
 * Decision G13 (engine/NOTES.md).
 */
#pragma once

#include "engine/policy/plan-profile.h"

G_BEGIN_DECLS

/* "Here" is where the group is, "there" where it would go. */
typedef enum
{
  /* of the group */
  GOBAN_MOVE_SIZE,               /* log of its units over that of all */
  GOBAN_MOVE_WORK,               /* time here */
  GOBAN_MOVE_CRITICAL,           /* of it on the critical path */
  GOBAN_MOVE_CRITICAL_SHARE,     /* likewise, share of its time */
  GOBAN_MOVE_CRITICAL_WAIT,      /* waits for the device on the critical path */
  GOBAN_MOVE_CRITICAL_TRANSFERS, /* its transfers there, all devices */
  GOBAN_MOVE_SLACK_LEAST,
  GOBAN_MOVE_SLACK_MEAN,
  GOBAN_MOVE_QUEUE,    /* mean wait for the device */
  GOBAN_MOVE_BEGIN,    /* first start, over the makespan */
  GOBAN_MOVE_SPAN,     /* from there to the last finish, likewise */
  GOBAN_MOVE_BACKWARD, /* shares of its nodes by phase */
  GOBAN_MOVE_UPDATE,
  GOBAN_MOVE_TRAFFIC,   /* time of its tensors to and from other groups, wherever they are */
  GOBAN_MOVE_NEAR_HERE, /* share of that with groups here */
  /* of where it would go */
  GOBAN_MOVE_NEAR_THERE,
  GOBAN_MOVE_WORK_CHANGE,
  GOBAN_MOVE_SLOWNESS,          /* log of the time there over that here */
  GOBAN_MOVE_TRANSFERS,         /* transfer time added less saved; a tensor goes to a device once */
  GOBAN_MOVE_TRANSFERS_BY_WORK, /* likewise, over the group's time */
  GOBAN_MOVE_CRITICAL_SAVED,    /* critical transfers that end */
  GOBAN_MOVE_CRITICAL_ADDED,    /* transfers between critical ops that begin */
  GOBAN_MOVE_LATE_MOST, /* of a consumer, beyond its latest start; negative: all are early */
  GOBAN_MOVE_LATE_SUM,
  GOBAN_MOVE_LATE_SHARE,     /* of consumers */
  GOBAN_MOVE_EARLIER,        /* most that a critical consumer gains, or 0 */
  GOBAN_MOVE_SHIFT,          /* mean of finishes */
  GOBAN_MOVE_LAST_SHIFT,     /* of the last finish */
  GOBAN_MOVE_FILLED,         /* likewise, if it takes only time that the device has left */
  GOBAN_MOVE_BUSY_THERE,     /* share of the group's time window that the device works */
  GOBAN_MOVE_BUSY_HERE,      /* likewise, others */
  GOBAN_MOVE_CRITICAL_THERE, /* share of the window that critical ops take */
  GOBAN_MOVE_CRITICAL_HERE,
  GOBAN_MOVE_SLACK_THERE, /* mean slack of the device's ops in the window */
  GOBAN_MOVE_OVERFILL,    /* work beyond what the window has left */
  GOBAN_MOVE_LOAD_HERE,   /* over the mean, over the makespan */
  GOBAN_MOVE_LOAD_THERE,
  GOBAN_MOVE_LOAD_GAP,      /* load there after the move less load here before */
  GOBAN_MOVE_CHANNEL_HERE,  /* busier of both channels, over the makespan */
  GOBAN_MOVE_CHANNEL_THERE, /* with the transfers added */
  GOBAN_MOVE_MEMORY_THERE,  /* share of the memory with the group */
  GOBAN_MOVE_MEMORY_SHORT,  /* what it lacks then */
  GOBAN_MOVE_MEMORY_RELIEF, /* of what the device here lacks, the share that goes */
  GOBAN_MOVE_N_FEATURES
} GobanMoveFeature;

typedef struct _GobanMoveFeatures GobanMoveFeatures;

/* @profile must outlive it; it may be read anew meanwhile. O(T) for the times of transfers. */
GobanMoveFeatures *
goban_move_features_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_features_free (GobanMoveFeatures *self);

/* Sum of the edges of the group's nodes times the devices.
 * units (n): all of one device in the profile's plan, none twice.
 * x (D, GOBAN_MOVE_N_FEATURES): rows where it cannot go are 0
 * can (D): 1 where all of it can run, but for the device where it is */
void goban_move_features_look (GobanMoveFeatures *self, const guint32 *units, guint n, float *x,
                               guint8 *can);

/* Transfer time that the group last looked at adds less saves if it goes to @device, in
 * microseconds. */
double goban_move_features_get_transfers_us (const GobanMoveFeatures *self, GobanDeviceId device);

/* "transfers", "late most": for tables and tests. Static. */
const char *goban_move_feature_get_name (guint feature);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveFeatures, goban_move_features_free)

G_END_DECLS
