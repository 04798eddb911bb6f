/* plan-profile.h: figures of a plan's run by which changes are judged: slack, critical path, loads
 * over time.
 *
 * Computed once for a plan, in O(N + E + D T) and a sort, and read for every move from it
 * (move-features.h).
 *
 * The latest start of an op is the one that delays nothing beyond the end of the run: consumers,
 * transfers that take as long as they did, and the next op on its device keep theirs. Members of a
 * kernel share its time in order of their ids.
 */
#pragma once

#include "engine/placers/units.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

/* Of the whole run: the same for all moves from it. */
typedef enum
{
  GOBAN_PROFILE_N_DEVICES,          /* log2, over 3 */
  GOBAN_PROFILE_N_UNITS,            /* log, over 10 */
  GOBAN_PROFILE_TRANSFERS,          /* time of all transfers over the devices' */
  GOBAN_PROFILE_EFFICIENCY,         /* time of all ops over the devices' */
  GOBAN_PROFILE_CRITICAL_OPS,       /* share of the makespan that ops on the critical path take */
  GOBAN_PROFILE_CRITICAL_TRANSFERS, /* and transfers */
  GOBAN_PROFILE_FIFO,               /* 1: first in, first out */
  GOBAN_PROFILE_MEMORY_SHORT,       /* 1: some device lacks memory */
  GOBAN_PROFILE_N
} GobanProfileFact;

/* One device over time. Ops are sorted by start; sums are over those before the i-th. */
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
  guint n_nodes;
  guint n_tensors;
  guint n_devices;
  double makespan_us;
  double mean_busy_us; /* of devices */
  float facts[GOBAN_PROFILE_N];

  /* Of nodes. */
  GobanDeviceId *device_of;
  guint32 *place_of; /* rank among all by start: topological */
  double *start_us;
  double *finish_us;
  double *ready_us;
  double *latest_us;        /* start that delays nothing */
  double *critical_us;      /* time on the critical path */
  double *critical_wait_us; /* wait for its device there */
  guint8 *is_critical;      /* on the critical path, however short */

  /* Of tensors (row) on devices. */
  double *arrival_us;           /* when a transfer brings it; INFINITY if none does */
  double *critical_transfer_us; /* on the critical path, waits included */
  guint32 *n_readers;           /* edges to nodes there */

  /* Of devices. */
  GobanDeviceProfile *devices;
  double *busy_us;
  double *send_us;
  double *receive_us;
  double *peak_bytes;
  double *capacity_bytes;

  double *storage[4]; /* of what the device profiles point at: (n_nodes + n_devices) each */
} GobanPlanProfile;

/* @units must outlive it. */
GobanPlanProfile *goban_plan_profile_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_plan_profile_free (GobanPlanProfile *self);

/* Of the run that @trace tells of, which must have spans. */
void goban_plan_profile_read (GobanPlanProfile *self, const GobanTrace *trace);

/* How much an op with @slack_us counts: 1 without slack, and less by exp (-slack / 2 % of the
 * makespan). */
double goban_plan_profile_weigh_slack (const GobanPlanProfile *self, double slack_us);

/* Time that ops of a device which start in [from, to) take; any of the sums above. */
double goban_device_profile_sum (const GobanDeviceProfile *self, const double *sums, double from_us,
                                 double to_us);

/* When @work_us more work from @from_us on would be done if it took only time that the device has
 * left. */
double goban_device_profile_fill (const GobanDeviceProfile *self, double from_us, double work_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlanProfile, goban_plan_profile_free)

G_END_DECLS
