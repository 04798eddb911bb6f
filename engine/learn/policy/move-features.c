#include "engine/core/sorted-sum.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/move-features-private.h"

#include <math.h>
#include <string.h>

/* Most transfer times that are tabulated. */
#define MOST_TABULATED 4000000

#define LOG_1001 6.908754779315220

/* --- transfer times ------------------------------------------------------------------------- */

static gboolean
are_alike (const GobanUnits *units, const guint *a, const guint *b)
{
  const GobanRoute *x
      = goban_cluster_get_route (units->cluster, (GobanDeviceId) a[0], (GobanDeviceId) a[1]);
  const GobanRoute *y
      = goban_cluster_get_route (units->cluster, (GobanDeviceId) b[0], (GobanDeviceId) b[1]);
  gboolean is_same = memcmp (&x->latency_us, &y->latency_us, sizeof (double)) == 0
                     && memcmp (&x->bytes_per_us, &y->bytes_per_us, sizeof (double)) == 0;

  return is_same && units->classes[a[0]] == units->classes[b[0]]
         && units->classes[a[1]] == units->classes[b[1]];
}

/* Pairs of devices with the same routes and kinds share a table. */
static void
tabulate (GobanMoveFeatures *self)
{
  const GobanUnits *units = self->profile->units;
  g_autoptr (GArray) kinds = g_array_new (FALSE, FALSE, 2 * sizeof (guint));
  guint n_tensors = self->profile->n_tensors;

  for (guint i = 0; i < self->D * self->D; i++)
    {
      guint pair[2] = { i / self->D, i % self->D };
      guint k = 0;

      if (pair[0] == pair[1])
        continue;
      while (k < kinds->len
             && !are_alike (units, (const guint *) (const void *) kinds->data + 2 * k, pair))
        k++;
      if (k == kinds->len)
        g_array_append_val (kinds, pair);
      self->pair_of[i] = k;
    }
  if ((gsize) kinds->len * n_tensors > MOST_TABULATED)
    return;
  self->times_us = g_new (double, (gsize) kinds->len *n_tensors + 1);
  for (guint k = 0; k < kinds->len; k++)
    {
      const guint *pair = (const guint *) (const void *) kinds->data + 2 * k;

      for (GobanTensorId t = 0; t < n_tensors; t++)
        self->times_us[(gsize) k * n_tensors + t] = goban_cost_model_transfer_us (
            units->costs, t, (GobanDeviceId) pair[0], (GobanDeviceId) pair[1]);
    }
}

/* --- construction and disposal -------------------------------------------------------------- */

GobanMoveFeatures *
goban_move_features_new (const GobanPlanProfile *profile)
{
  GobanMoveFeatures *self = g_new0 (GobanMoveFeatures, 1);
  guint D = profile->n_devices;

  self->profile = profile;
  self->D = D;
  self->pair_of = g_new0 (guint32, (gsize) D * D);
  self->unit_marks = g_new0 (guint32, profile->units->n_units + 1);
  self->tensor_marks = g_new0 (guint32, profile->n_tensors + 1);
  self->touched_at = g_new (guint32, profile->n_tensors + 1);
  self->member_of = g_new (guint32, profile->n_nodes + 1);
  self->n_in_kernel = g_new0 (guint32, profile->n_nodes + 1);
  self->placed = g_array_new (FALSE, FALSE, sizeof (GobanPlacedNode));
  self->dealt = g_array_new (FALSE, FALSE, sizeof (GobanPlacedNode));
  self->there = g_new0 (GobanMoveTiming, D);
  self->members = g_array_new (FALSE, FALSE, sizeof (GobanGroupMember));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (GobanGroupInput));
  self->producers = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (GobanGroupOutput));
  self->touched = g_array_new (FALSE, FALSE, sizeof (GobanTouchedTensor));
  self->finish_us = g_new (double, profile->n_nodes + 1);
  self->traffic_us = g_new0 (double, D);
  self->critical_saved_us = g_new0 (double, D);
  self->transfers_us = g_new0 (double, D);
  self->terms = g_new0 (double, D + 1);
  self->sorted = g_new0 (double, D + 1);
  tabulate (self);
  return self;
}

void
goban_move_features_free (GobanMoveFeatures *self)
{
  GArray *arrays[] = { self->placed,    self->dealt,   self->members, self->inputs,
                       self->producers, self->outputs, self->touched };
  gpointer all[] = { self->times_us,     self->there,      self->pair_of,   self->unit_marks,
                     self->tensor_marks, self->touched_at, self->member_of, self->finish_us,
                     self->traffic_us,   self->terms,      self->sorted,    self->critical_saved_us,
                     self->transfers_us, self->n_in_kernel };

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    g_free (all[i]);
  g_free (self);
}

/* --- features ------------------------------------------------------------------------------- */

/* Compresses a number; see the header. */
static float
squeeze (double x)
{
  double log_us = goban_log (1 + 1000 * fabs (x)) / LOG_1001;

  return (float) (x < 0 ? -log_us : log_us);
}

static float
clip (double x, double limit)
{
  return (float) CLAMP (x, -limit, limit);
}

static void
describe_group (GobanMoveFeatures *self, const GobanGroupSums *group, guint n_units, float *x)
{
  const GobanPlanProfile *profile = self->profile;
  double M = profile->makespan_us;
  double n = self->members->len - 1;
  double traffic_us = goban_sorted_sum (self->traffic_us, self->D, self->sorted);
  double critical_us = goban_sorted_sum (self->critical_saved_us, self->D, self->sorted);

  x[GOBAN_MOVE_SIZE] = (float) (goban_log (n_units) / goban_log (profile->units->n_units + 1));
  x[GOBAN_MOVE_WORK] = squeeze (group->work_us / M);
  x[GOBAN_MOVE_CRITICAL] = squeeze (group->critical_us / M);
  x[GOBAN_MOVE_CRITICAL_SHARE] = (float) (group->critical_us / MAX (group->work_us, 1e-9));
  x[GOBAN_MOVE_CRITICAL_WAIT] = squeeze (group->critical_wait_us / M);
  x[GOBAN_MOVE_CRITICAL_TRANSFERS] = squeeze (critical_us / M);
  x[GOBAN_MOVE_SLACK_LEAST] = squeeze (group->least_slack_us / M);
  x[GOBAN_MOVE_SLACK_MEAN] = squeeze (group->slack_us2 / MAX (group->work_us, 1e-9) / M);
  x[GOBAN_MOVE_QUEUE] = squeeze (group->queue_us / n / M);
  x[GOBAN_MOVE_BEGIN] = (float) (group->begin_us / M);
  x[GOBAN_MOVE_SPAN] = (float) ((group->end_us - group->begin_us) / M);
  x[GOBAN_MOVE_BACKWARD] = (float) (group->n_backward / n);
  x[GOBAN_MOVE_UPDATE] = (float) (group->n_update / n);
  x[GOBAN_MOVE_TRAFFIC] = squeeze (traffic_us / M);
}

static void
describe_times (const GobanMoveFeatures *self, const GobanGroupSums *group,
                const GobanMoveTiming *there, float *x)
{
  double M = self->profile->makespan_us;
  double n = self->members->len - 1;
  double work_us = MAX (group->work_us, 1e-9);

  x[GOBAN_MOVE_WORK_CHANGE] = squeeze ((there->work_us - group->work_us) / M);
  x[GOBAN_MOVE_SLOWNESS] = clip (goban_log (MAX (there->work_us, 1e-9) / work_us), 3);
  x[GOBAN_MOVE_CRITICAL_ADDED] = squeeze (there->cut_us / M);
  x[GOBAN_MOVE_LATE_MOST] = squeeze (there->late_most_us / M);
  x[GOBAN_MOVE_LATE_SUM] = squeeze (there->late_us / n / M);
  x[GOBAN_MOVE_LATE_SHARE] = (float) there->n_late / (float) MAX (self->outputs->len, 1);
  x[GOBAN_MOVE_EARLIER] = squeeze (there->earlier_us / M);
  x[GOBAN_MOVE_SHIFT] = squeeze (there->shift_us / n / M);
  x[GOBAN_MOVE_LAST_SHIFT] = squeeze ((there->end_us - group->end_us) / M);
}

static void
describe_devices (const GobanMoveFeatures *self, GobanDeviceId here, GobanDeviceId device,
                  const GobanGroupSums *group, const GobanMoveTiming *there, float *x)
{
  const GobanPlanProfile *profile = self->profile;
  double M = profile->makespan_us;
  double mean_us = profile->mean_busy_us;
  double sending_us = profile->send_us[device] + there->out_us;
  double receiving_us = profile->receive_us[device] + there->in_us;
  double needed = profile->peak_bytes[device] + group->bytes;
  double room = profile->capacity_bytes[device];
  double lacks = profile->peak_bytes[here] - profile->capacity_bytes[here];

  x[GOBAN_MOVE_LOAD_HERE] = clip ((profile->busy_us[here] - mean_us) / M, 2);
  x[GOBAN_MOVE_LOAD_THERE] = clip ((profile->busy_us[device] - mean_us) / M, 2);
  x[GOBAN_MOVE_LOAD_GAP]
      = clip ((profile->busy_us[device] + there->work_us - profile->busy_us[here]) / M, 2);
  x[GOBAN_MOVE_CHANNEL_HERE]
      = clip (MAX (profile->send_us[here], profile->receive_us[here]) / M, 2);
  x[GOBAN_MOVE_CHANNEL_THERE] = clip (MAX (sending_us, receiving_us) / M, 2);
  x[GOBAN_MOVE_MEMORY_THERE] = clip (needed / room, 2);
  x[GOBAN_MOVE_MEMORY_SHORT] = clip (MAX (needed - room, 0) / room, 2);
  x[GOBAN_MOVE_MEMORY_RELIEF] = lacks > 0 ? clip (group->bytes / lacks, 1) : 0;
}

static void
describe_transfers (GobanMoveFeatures *self, GobanDeviceId here, GobanDeviceId device,
                    const GobanGroupSums *group, float *x)
{
  double M = self->profile->makespan_us;
  double traffic_us = goban_sorted_sum (self->traffic_us, self->D, self->sorted) + 1e-9;

  x[GOBAN_MOVE_NEAR_HERE] = (float) (self->traffic_us[here] / traffic_us);
  x[GOBAN_MOVE_NEAR_THERE] = (float) (self->traffic_us[device] / traffic_us);
  x[GOBAN_MOVE_TRANSFERS] = squeeze (self->transfers_us[device] / M);
  x[GOBAN_MOVE_TRANSFERS_BY_WORK]
      = squeeze (self->transfers_us[device] / MAX (group->work_us, 1e-9) / 100);
  x[GOBAN_MOVE_CRITICAL_SAVED] = squeeze (self->critical_saved_us[device] / M);
}

static gboolean
can_go (const GobanMoveFeatures *self, const guint32 *units, guint n, GobanDeviceId device)
{
  for (guint i = 0; i < n; i++)
    if (!goban_units_can_run (self->profile->units, units[i], device))
      return FALSE;
  return TRUE;
}

void
goban_move_features_look (GobanMoveFeatures *self, const guint32 *units, guint n, float *x,
                          guint8 *can)
{
  const GobanUnits *all = self->profile->units;
  GobanDeviceId here = self->profile->device_of[all->nodes[all->offsets[units[0]]]];
  float own[GOBAN_MOVE_N_FEATURES] = { 0 }; /* features that are equal for all devices */
  GobanGroupSums group;

  goban_move_features_gather (self, units, n);
  group = goban_move_features_sum (self, units, n);
  memset (self->there, 0, self->D * sizeof *self->there);
  goban_move_features_weigh (self, here, &group, self->there);
  describe_group (self, &group, n, own);
  memset (x, 0, (gsize) self->D * GOBAN_MOVE_N_FEATURES * sizeof *x);
  for (GobanDeviceId d = 0; d < self->D; d++)
    {
      float *row = x + (gsize) d * GOBAN_MOVE_N_FEATURES;

      can[d] = d != here && can_go (self, units, n, d);
      if (!can[d])
        continue;
      memcpy (row, own, sizeof own);
      goban_move_features_time (self, d, &self->there[d]);
      describe_transfers (self, here, d, &group, row);
      describe_times (self, &group, &self->there[d], row);

      /* Loads of both devices in the group's time window, before and after the move. */
      const GobanMoveTiming *there = &self->there[d];
      const GobanPlanProfile *profile = self->profile;
      const GobanDeviceProfile *mine = &profile->devices[here];
      const GobanDeviceProfile *its = &profile->devices[d];
      double from_us = MIN (group.begin_us, there->begin_us);
      double to_us = MAX (group.end_us, there->end_us);
      double window_us = MAX (to_us - from_us, 1e-9);
      double busy_us = goban_device_profile_sum (its, its->busy_us, from_us, to_us);
      double others_us
          = goban_device_profile_sum (mine, mine->busy_us, from_us, to_us) - group.work_us;
      double critical_us = goban_device_profile_sum (its, its->critical_us, from_us, to_us);
      double own_us = goban_device_profile_sum (mine, mine->critical_us, from_us, to_us);
      double slack_us2 = goban_device_profile_sum (its, its->slack_us2, from_us, to_us);
      double filled_us = goban_device_profile_fill (its, there->begin_us, there->work_us);
      double M = profile->makespan_us;

      row[GOBAN_MOVE_FILLED] = squeeze ((filled_us - group.end_us) / M);
      row[GOBAN_MOVE_BUSY_THERE] = clip (busy_us / window_us, 2);
      row[GOBAN_MOVE_BUSY_HERE] = clip (others_us / window_us, 2);
      row[GOBAN_MOVE_CRITICAL_THERE] = clip (critical_us / window_us, 2);
      row[GOBAN_MOVE_CRITICAL_HERE] = clip ((own_us - group.critical_us) / window_us, 2);
      row[GOBAN_MOVE_SLACK_THERE] = squeeze (busy_us > 0 ? slack_us2 / busy_us / M : 1);
      row[GOBAN_MOVE_OVERFILL] = squeeze ((there->work_us - MAX (window_us - busy_us, 0)) / M);

      describe_devices (self, here, d, &group, &self->there[d], row);
    }
}

double
goban_move_features_get_transfers_us (const GobanMoveFeatures *self, GobanDeviceId device)
{
  return self->transfers_us[device];
}

const char *
goban_move_feature_get_name (guint feature)
{
  static const char *const names[GOBAN_MOVE_N_FEATURES] = {
    "size",           "work",
    "critical",       "critical share",
    "critical wait",  "critical transfers",
    "least slack",    "mean slack",
    "queue",          "begin",
    "span",           "backward",
    "update",         "traffic",
    "near here",      "near there",
    "work change",    "slowness",
    "transfers",      "transfers by work",
    "critical saved", "critical added",
    "late most",      "late sum",
    "late share",     "earlier",
    "shift",          "last shift",
    "filled",         "busy there",
    "busy here",      "critical there",
    "critical here",  "slack there",
    "overfill",       "load here",
    "load there",     "load gap",
    "channel here",   "channel there",
    "memory there",   "memory short",
    "memory relief",
  };

  return names[feature];
}
