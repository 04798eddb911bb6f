/* plan-profile.h: figures of a plan's run from which moves are scored: slack, critical path, loads
 * over time.
 *
 * Computed once per plan, in O(N + E + D T) and a sort, and read for every move (move-features.h).
 *
 * The latest start of an op is the last one that does not lengthen the run, if transfers take as
 * long as in the run and each device keeps its order. Members of a kernel share its time in order
 * of their ids.
 */
#pragma once

#include "engine/placers/units.h"
#include "engine/sim/trace.h"

/* Figures of the whole run, equal for all moves. */
typedef enum
{
  GOBAN_PROFILE_N_DEVICES,          /* log2, over 3 */
  GOBAN_PROFILE_N_UNITS,            /* log, over 10 */
  GOBAN_PROFILE_TRANSFERS,          /* time of all transfers over the devices' */
  GOBAN_PROFILE_EFFICIENCY,         /* time of all ops over the devices' */
  GOBAN_PROFILE_CRITICAL_OPS,       /* share of the makespan that ops on the critical path take */
  GOBAN_PROFILE_CRITICAL_TRANSFERS, /* the same for transfers */
  GOBAN_PROFILE_FIFO,               /* 1: first in, first out */
  GOBAN_PROFILE_MEMORY_SHORT,       /* 1: some device is short of memory */
  GOBAN_PROFILE_N
} GobanProfileFact;

/* One device over time. Ops are sorted by start; the i-th sum is over the ops before the i-th. */
typedef struct
{
  guint n_ops;
  double *starts_us;   /* (n_ops) */
  double *busy_us;     /* (n_ops + 1) */
  double *critical_us; /* (n_ops + 1) of ops on the critical path */
  double *slack_us2;   /* (n_ops + 1) time times slack */
} GobanDeviceProfile;

typedef struct
{
  const GobanUnits *units; /* borrowed */
  GPtrArray *arrays;       /* all below */
  guint n_nodes;
  guint n_tensors;
  guint n_devices;
  double makespan_us;
  double mean_busy_us; /* of devices */
  float facts[GOBAN_PROFILE_N];

  /* Nodes. */
  GobanDeviceId *device_of;
  guint32 *place_of; /* rank by start time, which is topological */
  double *start_us;
  double *finish_us;
  double *ready_us;
  double *latest_us;        /* latest start that does not lengthen the run */
  double *critical_us;      /* time on the critical path */
  double *critical_wait_us; /* wait for its device there */
  guint8 *is_critical;      /* on the critical path, however short */
  gboolean is_fused;
  GobanNodeId *kernel_of;  /* lowest node of its kernel, often the node itself */
  GobanNodeId *next_fused; /* next node of the kernel, or GOBAN_NO_NODE */
  guint32 *kernel_sizes;   /* by lowest nodes */
  double *kernel_shares;   /* time of the kernel over that of its members one by one, likewise */

  /* Tensors (row) on devices. */
  double *arrival_us;           /* arrival by transfer; INFINITY without one */
  double *critical_transfer_us; /* on the critical path, waits included */
  guint32 *n_readers;           /* edges to nodes there */

  /* Devices. */
  GobanDeviceProfile *devices;
  double *busy_us;
  double *send_us;
  double *receive_us;
  double *peak_bytes;
  double *capacity_bytes;

  double *storage[4]; /* memory of the device profiles, (n_nodes + n_devices) each */
} GobanPlanProfile;

/* @units must outlive it. */
GobanPlanProfile *goban_plan_profile_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_plan_profile_free (GobanPlanProfile *self);

/* Reads the run of @trace, which must have spans. */
void goban_plan_profile_read (GobanPlanProfile *self, const GobanTrace *trace);

/* Weight of an op with @slack_us: exp (-slack / 2 % of the makespan). */
double goban_plan_profile_weigh_slack (const GobanPlanProfile *self, double slack_us);

/* Sum over the ops of a device that start in [from, to). @sums: one of the arrays above. */
double goban_device_profile_sum (const GobanDeviceProfile *self, const double *sums, double from_us,
                                 double to_us);

/* Time at which @work_us of additional work from @from_us on is done, if it runs in idle time
 * only. */
double goban_device_profile_fill (const GobanDeviceProfile *self, double from_us, double work_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlanProfile, goban_plan_profile_free)
