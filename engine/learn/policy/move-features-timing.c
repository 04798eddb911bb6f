/* Transfers and times of a group on another device, for the features of its moves. */
#include "engine/core/sorted-sum.h"
#include "engine/learn/policy/move-features-private.h"

#include <math.h>
#include <string.h>

/* --- transfers ------------------------------------------------------------------------------ */

static inline double
transfer_us (const GobanMoveFeatures *self, GobanTensorId tensor, GobanDeviceId from,
             GobanDeviceId to)
{
  if (from == to)
    return 0;
  if (self->times_us == NULL)
    return goban_cost_model_transfer_us (self->profile->units->costs, tensor, from, to);
  return self
      ->times_us[(gsize) self->pair_of[(gsize) from * self->D + to] * self->profile->n_tensors
                 + tensor];
}

/* Number of readers of a tensor outside the group. */
static guint32
count_others (const GobanMoveFeatures *self, const GobanTouchedTensor *touched, GobanDeviceId here,
              GobanDeviceId device)
{
  guint32 n = self->profile->n_readers[(gsize) touched->tensor * self->D + device];

  return device == here ? n - touched->n_own : n;
}

/* Time of all transfers of an output tensor of the group, if the group is on @from. */
static double
send_us (GobanMoveFeatures *self, const GobanTouchedTensor *touched, GobanDeviceId here,
         GobanDeviceId from)
{
  guint n = 0;

  for (GobanDeviceId d = 0; d < self->D; d++)
    if (d != from && count_others (self, touched, here, d) > 0)
      self->terms[n++] = transfer_us (self, touched->tensor, from, d);
  return n == 1 ? self->terms[0] : goban_sorted_sum (self->terms, n, self->sorted);
}

static void
weigh_made (GobanMoveFeatures *self, const GobanTouchedTensor *touched, GobanDeviceId here,
            GobanGroupSums *group, GobanMoveTiming *there)
{
  gboolean is_read = FALSE;

  for (GobanDeviceId d = 0; d < self->D; d++)
    if (count_others (self, touched, here, d) > 0)
      {
        is_read = TRUE;
        self->traffic_us[d]
            += transfer_us (self, touched->tensor, here, d == here ? (here + 1) % self->D : d);
        self->critical_saved_us[d]
            += self->profile->critical_transfer_us[(gsize) touched->tensor * self->D + d];
      }
  if (!is_read)
    return;
  group->saved_us += send_us (self, touched, here, here);
  for (GobanDeviceId d = 0; d < self->D; d++)
    if (d != here)
      there[d].out_us += send_us (self, touched, here, d);
}

static void
weigh_read (GobanMoveFeatures *self, const GobanTouchedTensor *touched, GobanDeviceId here,
            GobanGroupSums *group, GobanMoveTiming *there)
{
  const GobanPlanProfile *profile = self->profile;
  const guint32 *n_readers = profile->n_readers + (gsize) touched->tensor * self->D;
  GobanDeviceId from
      = profile
            ->device_of[goban_graph_get_tensor (profile->units->graph, touched->tensor)->producer];

  self->traffic_us[from]
      += transfer_us (self, touched->tensor, from, from == here ? (here + 1) % self->D : here);
  self->critical_saved_us[from]
      += profile->critical_transfer_us[(gsize) touched->tensor * self->D + here];
  if (from != here && n_readers[here] <= touched->n_own)
    group->saved_us += transfer_us (self, touched->tensor, from, here);
  for (GobanDeviceId d = 0; d < self->D; d++)
    if (d != from && n_readers[d] == 0)
      there[d].in_us += transfer_us (self, touched->tensor, from, d);
  if (touched->is_critical && from == here)
    for (GobanDeviceId d = 0; d < self->D; d++)
      there[d].cut_us += transfer_us (self, touched->tensor, here, d);
}

void
goban_move_features_weigh (GobanMoveFeatures *self, GobanDeviceId here, GobanGroupSums *group,
                           GobanMoveTiming *there)
{
  memset (self->traffic_us, 0, self->D * sizeof (double));
  memset (self->critical_saved_us, 0, self->D * sizeof (double));
  for (guint i = 0; i < self->touched->len; i++)
    {
      const GobanTouchedTensor *touched = &g_array_index (self->touched, GobanTouchedTensor, i);

      if (touched->is_made)
        weigh_made (self, touched, here, group, there);
      else
        weigh_read (self, touched, here, group, there);
    }

  /* Edges of the critical path that stay on this device. */
  for (guint i = 0; i + 1 < self->members->len; i++)
    {
      const GobanGroupMember *member = &g_array_index (self->members, GobanGroupMember, i);

      if (!self->profile->is_critical[member->node])
        continue;
      for (guint k = member->outputs; k < member[1].outputs; k++)
        {
          const GobanGroupOutput *output = &g_array_index (self->outputs, GobanGroupOutput, k);

          if (output->to == here && output->critical_ready_us >= 0)
            for (GobanDeviceId d = 0; d < self->D; d++)
              there[d].cut_us += transfer_us (self, output->tensor, d, here);
        }
    }

  for (GobanDeviceId d = 0; d < self->D; d++)
    self->transfers_us[d] = d != here ? there[d].in_us + there[d].out_us - group->saved_us : 0;
}

/* --- timing --------------------------------------------------------------------------------- */

/* Time at which the i-th member's inputs are on the device. */
static double
find_ready_us (const GobanMoveFeatures *self, const GobanGroupMember *member, GobanDeviceId device)
{
  double ready_us = 0;

  for (guint k = member->inputs; k < member[1].inputs; k++)
    {
      const GobanGroupInput *input = &g_array_index (self->inputs, GobanGroupInput, k);
      double at_us = input->finish_us;

      if (input->from != device)
        {
          double arrival_us = self->profile->arrival_us[(gsize) input->tensor * self->D + device];

          at_us = isfinite (arrival_us)
                      ? arrival_us
                      : at_us + transfer_us (self, input->tensor, input->from, device);
        }
      ready_us = MAX (ready_us, at_us);
    }
  for (guint k = member->producers; k < member[1].producers; k++)
    {
      double at_us = self->finish_us[g_array_index (self->producers, guint32, k)];

      ready_us = MAX (ready_us, at_us);
    }
  return ready_us;
}

/* Members run one after another on an otherwise idle device; its other work is in the load
 * features. */
void
goban_move_features_time (GobanMoveFeatures *self, GobanDeviceId device, GobanMoveTiming *there)
{
  const GobanPlanProfile *profile = self->profile;
  guint class = profile->units->classes[device];
  double free_us = 0;

  there->begin_us = INFINITY;
  there->late_most_us = -profile->makespan_us;
  for (guint i = 0; i + 1 < self->members->len; i++)
    {
      const GobanGroupMember *member = &g_array_index (self->members, GobanGroupMember, i);
      double time_us = member->times_us[class] * member->share;
      double start_us = MAX (find_ready_us (self, member, device), free_us);

      free_us = self->finish_us[i] = start_us + time_us;
      there->work_us += time_us;
      there->begin_us = MIN (there->begin_us, start_us);
      there->shift_us += free_us - profile->finish_us[member->node];
      for (guint k = member->outputs; k < member[1].outputs; k++)
        {
          const GobanGroupOutput *output = &g_array_index (self->outputs, GobanGroupOutput, k);
          double at_us = free_us + transfer_us (self, output->tensor, device, output->to);
          double late_us = at_us - output->latest_us;

          there->late_most_us = MAX (there->late_most_us, late_us);
          there->late_us += MAX (late_us, 0);
          there->n_late += late_us > 0;
          if (output->critical_ready_us >= 0)
            there->earlier_us = MAX (there->earlier_us, output->critical_ready_us - at_us);
        }
      if (member->outputs == member[1].outputs)
        there->late_most_us = MAX (there->late_most_us, free_us - self->profile->makespan_us);
    }
  there->end_us = free_us;
}
