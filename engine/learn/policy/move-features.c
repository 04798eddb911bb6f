#include "engine/learn/policy/move-features.h"

#include "engine/core/sorted-sum.h"
#include "engine/learn/nn/vector.h"

#include <math.h>
#include <string.h>

/* A node with its rank by start time. */
typedef struct
{
  guint32 place;
  GobanNodeId node;
} PlacedNode;

/* A tensor that a node of the group reads from outside. */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId from;
  double finish_us; /* of the producer */
} GroupInput;

/* Consumers outside the group of one tensor on one device. */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId to;
  guint n;
  double latest_us;         /* earliest of their latest starts */
  double critical_ready_us; /* when the critical one among them was ready; -1: none is critical */
} GroupOutput;

/* A node of the group; offsets point to the first of its entries. */
typedef struct
{
  GobanNodeId node;
  const double *times_us; /* (n_classes) */
  double share;           /* of its own time that it takes as a part of a kernel */
  guint inputs;
  guint producers; /* in the group */
  guint outputs;
} GroupMember;

/* A tensor that the group reads or makes. */
typedef struct
{
  GobanTensorId tensor;
  guint32 n_own; /* readers in the group */
  gboolean is_made;
  gboolean is_critical; /* read: an edge of the critical path on one device */
} TouchedTensor;

/* Sums over a group that do not depend on the target device. */
typedef struct
{
  double work_us;
  double critical_us;
  double critical_wait_us;
  double least_slack_us;
  double slack_us2;
  double queue_us;
  double begin_us;
  double end_us;
  double bytes;
  double n_backward;
  double n_update;
  double saved_us; /* transfers that any move makes unnecessary */
} GroupSums;

/* Data of one target device. */
typedef struct
{
  double work_us;
  double in_us; /* new transfers */
  double out_us;
  double cut_us; /* between critical ops */
  double begin_us;
  double end_us;
  double late_most_us;
  double late_us;
  guint n_late;
  double earlier_us;
  double shift_us;
} MoveTiming;

struct _GobanMoveFeatures
{
  const GobanPlanProfile *profile;
  guint D;
  double *times_us;    /* (n_pairs, n_tensors) NULL if there are too many */
  guint32 *pair_of;    /* (D, D) */
  guint32 *unit_marks; /* (n_units) equal to mark: in the group */
  guint32 *tensor_marks;
  guint32 *touched_at; /* (n_tensors) index of marked tensors */
  guint32 mark;
  guint32 *member_of;   /* (n_nodes) index of the group's nodes */
  guint32 *n_in_kernel; /* (n_nodes) by lowest nodes of kernels: members in the group */
  GArray *placed;       /* PlacedNode: the members before they are sorted */
  GArray *dealt;        /* PlacedNode: working memory of the sort */
  GArray *members;      /* GroupMember, by start, and one more for the ends */
  GArray *inputs;
  GArray *producers; /* guint32: members */
  GArray *outputs;
  GArray *touched;
  double *finish_us;  /* (n_nodes) of members: timed anew */
  double *traffic_us; /* (D) with groups of a device */
  double *critical_saved_us;
  double *transfers_us; /* (D) */
  MoveTiming *there;    /* (D) */
  double *terms;        /* (D) */
  double *sorted;
};

/* Places are sorted by digits, few of them by insertion. */
#define DIGIT_BITS 9
#define N_BUCKETS (1u << DIGIT_BITS)
#define FEW 48

static gboolean
is_in_group (const GobanMoveFeatures *self, GobanNodeId node)
{
  return self->unit_marks[self->profile->units->unit_of[node]] == self->mark;
}

static TouchedTensor *
touch (GobanMoveFeatures *self, GobanTensorId tensor)
{
  if (self->tensor_marks[tensor] != self->mark)
    {
      TouchedTensor touched = { .tensor = tensor };

      self->tensor_marks[tensor] = self->mark;
      self->touched_at[tensor] = self->touched->len;
      g_array_append_val (self->touched, touched);
    }
  return &g_array_index (self->touched, TouchedTensor, self->touched_at[tensor]);
}

static void
sort_places (GobanMoveFeatures *self)
{
  guint n = self->placed->len;

  if (n <= FEW)
    {
      PlacedNode *placed = (PlacedNode *) (void *) self->placed->data;

      for (guint i = 1; i < n; i++)
        {
          PlacedNode one = placed[i];
          guint j = i;

          for (; j > 0 && placed[j - 1].place > one.place; j--)
            placed[j] = placed[j - 1];
          placed[j] = one;
        }

      return;
    }
  g_array_set_size (self->dealt, n);
  for (guint shift = 0; shift < 32 && self->profile->n_nodes >> shift > 0; shift += DIGIT_BITS)
    {
      GArray *dealt = self->dealt;

      /* One pass of a radix sort, by the digit from @shift on. */
      const PlacedNode *from = (const PlacedNode *) (const void *) self->placed->data;
      PlacedNode *to = (PlacedNode *) (void *) dealt->data;
      guint32 starts[N_BUCKETS + 1] = { 0 };

      for (guint i = 0; i < n; i++)
        starts[(from[i].place >> shift) % N_BUCKETS + 1]++;
      for (guint b = 0; b < N_BUCKETS; b++)
        starts[b + 1] += starts[b];
      for (guint i = 0; i < n; i++)
        to[starts[(from[i].place >> shift) % N_BUCKETS]++] = from[i];

      self->dealt = self->placed;
      self->placed = dealt;
    }
}

/* Members of a kernel that moves as a whole take the same share of their own times there. A cut
 * between its members loses one of the n - 1 savings. */
static double
get_share (const GobanMoveFeatures *self, GobanNodeId node)
{
  const GobanPlanProfile *profile = self->profile;
  GobanNodeId kernel = profile->kernel_of[node];
  guint n = profile->kernel_sizes[kernel];
  double share = profile->kernel_shares[kernel];

  if (!profile->is_fused || n < 2)
    return 1;
  if (self->n_in_kernel[kernel] == n)
    return share;
  return share + (1 - share) / (n - 1);
}

/* Collects the nodes by start time, so producers come before consumers. */
static void
gather_members (GobanMoveFeatures *self, const guint32 *units, guint n)
{
  const GobanUnits *all = self->profile->units;

  g_array_set_size (self->placed, 0);
  for (guint i = 0; i < n; i++)
    {
      self->unit_marks[units[i]] = self->mark;
      for (guint32 k = all->offsets[units[i]]; k < all->offsets[units[i] + 1]; k++)
        {
          PlacedNode one = { self->profile->place_of[all->nodes[k]], all->nodes[k] };

          g_array_append_val (self->placed, one);
        }
    }
  sort_places (self);
  if (self->profile->is_fused)
    {
      const GobanPlanProfile *profile = self->profile;

      for (guint i = 0; i < self->placed->len; i++)
        self->n_in_kernel[profile->kernel_of[g_array_index (self->placed, PlacedNode, i).node]] = 0;
      for (guint i = 0; i < self->placed->len; i++)
        self->n_in_kernel[profile->kernel_of[g_array_index (self->placed, PlacedNode, i).node]]++;
    }
  for (guint i = 0; i < self->placed->len; i++)
    {
      GroupMember member = { .node = g_array_index (self->placed, PlacedNode, i).node };

      member.times_us = goban_cost_model_times_us (all->costs, member.node);
      member.share = get_share (self, member.node);
      self->member_of[member.node] = i;
      g_array_append_val (self->members, member);
    }
}

static void
gather_inputs (GobanMoveFeatures *self, GobanNodeId node)
{
  const GobanPlanProfile *profile = self->profile;
  GobanEdgeSpan in = goban_graph_get_in_edges (profile->units->graph, node);

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (profile->units->graph, in.ids[i]);
      TouchedTensor *touched = touch (self, edge->tensor);

      touched->n_own++;
      if (is_in_group (self, edge->tail))
        g_array_append_val (self->producers, self->member_of[edge->tail]);
      else
        {
          GroupInput input
              = { edge->tensor, profile->device_of[edge->tail], profile->finish_us[edge->tail] };

          g_array_append_val (self->inputs, input);
          if (profile->is_critical[edge->tail] && profile->is_critical[node])
            touched->is_critical = TRUE;
        }
    }
}

/* Consumers in the group are touched as inputs. */
static void
gather_outputs (GobanMoveFeatures *self, GobanNodeId node)
{
  const GobanGraph *graph = self->profile->units->graph;
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  guint first = self->outputs->len;
  guint n;
  GobanTensorId tensor = goban_graph_get_node_tensors (graph, node, &n);

  for (guint i = 0; i < n; i++)
    touch (self, tensor + i)->is_made = TRUE;
  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);

      if (!is_in_group (self, edge->head))
        {
          const GobanPlanProfile *profile = self->profile;
          GobanDeviceId to = profile->device_of[edge->head];
          GroupOutput *output = NULL;

          for (guint k = first; k < self->outputs->len && output == NULL; k++)
            {
              GroupOutput *other = &g_array_index (self->outputs, GroupOutput, k);

              if (other->to == to && other->tensor == edge->tensor)
                output = other;
            }
          if (output == NULL)
            {
              GroupOutput made = { edge->tensor, to, 0, INFINITY, -1 };

              g_array_append_val (self->outputs, made);
              output = &g_array_index (self->outputs, GroupOutput, self->outputs->len - 1);
            }
          output->n++;
          output->latest_us = MIN (output->latest_us, profile->latest_us[edge->head]);
          if (profile->is_critical[edge->head])
            output->critical_ready_us
                = MAX (output->critical_ready_us, profile->ready_us[edge->head]);
        }
    }
}

/* Collects the nodes of the units, their inputs and their consumers. */
static void
gather (GobanMoveFeatures *self, const guint32 *units, guint n)
{
  GArray *arrays[] = { self->members, self->inputs, self->producers, self->outputs, self->touched };
  GroupMember end = { .node = GOBAN_NO_NODE };
  guint n_members;

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_set_size (arrays[i], 0);
  /* After an overflow, old marks could be mistaken for new ones. */
  if (++self->mark == 0)
    {
      memset (self->unit_marks, 0, self->profile->units->n_units * sizeof (guint32));
      memset (self->tensor_marks, 0, self->profile->n_tensors * sizeof (guint32));
      self->mark = 1;
    }
  gather_members (self, units, n);
  n_members = self->members->len;
  for (guint i = 0; i < n_members; i++)
    {
      GroupMember *member = &g_array_index (self->members, GroupMember, i);

      member->inputs = self->inputs->len;
      member->producers = self->producers->len;
      member->outputs = self->outputs->len;
      gather_inputs (self, member->node);
      gather_outputs (self, member->node);
    }
  end.inputs = self->inputs->len;
  end.producers = self->producers->len;
  end.outputs = self->outputs->len;
  g_array_append_val (self->members, end);
}

static GroupSums
sum_members (const GobanMoveFeatures *self, const guint32 *units, guint n)
{
  const GobanPlanProfile *profile = self->profile;
  GroupSums group = { .least_slack_us = INFINITY, .begin_us = INFINITY };

  for (guint i = 0; i < n; i++)
    group.bytes += profile->units->param_bytes[units[i]] + profile->units->output_bytes[units[i]];
  for (guint i = 0; i + 1 < self->members->len; i++)
    {
      GobanNodeId v = g_array_index (self->members, GroupMember, i).node;
      GobanPhase phase = goban_graph_get_node (profile->units->graph, v)->phase;
      double time_us = profile->finish_us[v] - profile->start_us[v];
      double slack_us = profile->latest_us[v] - profile->start_us[v];

      group.work_us += time_us;
      group.critical_us += profile->critical_us[v];
      group.critical_wait_us += profile->critical_wait_us[v];
      group.least_slack_us = MIN (group.least_slack_us, slack_us);
      group.slack_us2 += time_us * slack_us;
      group.queue_us += profile->start_us[v] - profile->ready_us[v];
      group.begin_us = MIN (group.begin_us, profile->start_us[v]);
      group.end_us = MAX (group.end_us, profile->finish_us[v]);
      group.n_backward += phase == GOBAN_PHASE_BACKWARD;
      group.n_update += phase == GOBAN_PHASE_UPDATE;
    }
  return group;
}

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
count_others (const GobanMoveFeatures *self, const TouchedTensor *touched, GobanDeviceId here,
              GobanDeviceId device)
{
  guint32 n = self->profile->n_readers[(gsize) touched->tensor * self->D + device];

  return device == here ? n - touched->n_own : n;
}

/* Time of all transfers of an output tensor of the group, if the group is on @from. */
static double
send_us (GobanMoveFeatures *self, const TouchedTensor *touched, GobanDeviceId here,
         GobanDeviceId from)
{
  guint n = 0;

  for (GobanDeviceId d = 0; d < self->D; d++)
    if (d != from && count_others (self, touched, here, d) > 0)
      self->terms[n++] = transfer_us (self, touched->tensor, from, d);
  return n == 1 ? self->terms[0] : goban_sorted_sum (self->terms, n, self->sorted);
}

static void
weigh_made (GobanMoveFeatures *self, const TouchedTensor *touched, GobanDeviceId here,
            GroupSums *group, MoveTiming *there)
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
weigh_read (GobanMoveFeatures *self, const TouchedTensor *touched, GobanDeviceId here,
            GroupSums *group, MoveTiming *there)
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

/* Sums the new transfers for each target device, and the transfers that become unnecessary. there
 * (D): must be zero. */
static void
weigh_transfers (GobanMoveFeatures *self, GobanDeviceId here, GroupSums *group, MoveTiming *there)
{
  memset (self->traffic_us, 0, self->D * sizeof (double));
  memset (self->critical_saved_us, 0, self->D * sizeof (double));
  for (guint i = 0; i < self->touched->len; i++)
    {
      const TouchedTensor *touched = &g_array_index (self->touched, TouchedTensor, i);

      if (touched->is_made)
        weigh_made (self, touched, here, group, there);
      else
        weigh_read (self, touched, here, group, there);
    }

  /* Edges of the critical path that stay on this device. */
  for (guint i = 0; i + 1 < self->members->len; i++)
    {
      const GroupMember *member = &g_array_index (self->members, GroupMember, i);

      if (!self->profile->is_critical[member->node])
        continue;
      for (guint k = member->outputs; k < member[1].outputs; k++)
        {
          const GroupOutput *output = &g_array_index (self->outputs, GroupOutput, k);

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
find_ready_us (const GobanMoveFeatures *self, const GroupMember *member, GobanDeviceId device)
{
  double ready_us = 0;

  for (guint k = member->inputs; k < member[1].inputs; k++)
    {
      const GroupInput *input = &g_array_index (self->inputs, GroupInput, k);
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
static void
time_members (GobanMoveFeatures *self, GobanDeviceId device, MoveTiming *there)
{
  const GobanPlanProfile *profile = self->profile;
  guint class = profile->units->classes[device];
  double free_us = 0;

  there->begin_us = INFINITY;
  there->late_most_us = -profile->makespan_us;
  for (guint i = 0; i + 1 < self->members->len; i++)
    {
      const GroupMember *member = &g_array_index (self->members, GroupMember, i);
      double time_us = member->times_us[class] * member->share;
      double start_us = MAX (find_ready_us (self, member, device), free_us);

      free_us = self->finish_us[i] = start_us + time_us;
      there->work_us += time_us;
      there->begin_us = MIN (there->begin_us, start_us);
      there->shift_us += free_us - profile->finish_us[member->node];
      for (guint k = member->outputs; k < member[1].outputs; k++)
        {
          const GroupOutput *output = &g_array_index (self->outputs, GroupOutput, k);
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
  self->placed = g_array_new (FALSE, FALSE, sizeof (PlacedNode));
  self->dealt = g_array_new (FALSE, FALSE, sizeof (PlacedNode));
  self->there = g_new0 (MoveTiming, D);
  self->members = g_array_new (FALSE, FALSE, sizeof (GroupMember));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (GroupInput));
  self->producers = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (GroupOutput));
  self->touched = g_array_new (FALSE, FALSE, sizeof (TouchedTensor));
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
describe_group (GobanMoveFeatures *self, const GroupSums *group, guint n_units, float *x)
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
describe_times (const GobanMoveFeatures *self, const GroupSums *group, const MoveTiming *there,
                float *x)
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
                  const GroupSums *group, const MoveTiming *there, float *x)
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
                    const GroupSums *group, float *x)
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
  GroupSums group;

  gather (self, units, n);
  group = sum_members (self, units, n);
  memset (self->there, 0, self->D * sizeof *self->there);
  weigh_transfers (self, here, &group, self->there);
  describe_group (self, &group, n, own);
  memset (x, 0, (gsize) self->D * GOBAN_MOVE_N_FEATURES * sizeof *x);
  for (GobanDeviceId d = 0; d < self->D; d++)
    {
      float *row = x + (gsize) d * GOBAN_MOVE_N_FEATURES;

      can[d] = d != here && can_go (self, units, n, d);
      if (!can[d])
        continue;
      memcpy (row, own, sizeof own);
      time_members (self, d, &self->there[d]);
      describe_transfers (self, here, d, &group, row);
      describe_times (self, &group, &self->there[d], row);

      /* Loads of both devices in the group's time window, before and after the move. */
      const MoveTiming *there = &self->there[d];
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

static const GobanScorerNetKind kind = {
  .kind = GOBAN_MOVE_NET_KIND,
  .n_features = GOBAN_MOVE_N_FEATURES,
  .n_context = GOBAN_PROFILE_N,
};

GobanScorerNet *
goban_move_net_new (GobanRng *rng)
{
  return goban_scorer_net_new (&kind, rng);
}

GobanScorerNet *
goban_move_net_new_by_hand (void)
{
  GobanRng rng;
  GobanScorerNet *self;
  const GobanScorer *scorer;

  goban_rng_init (&rng, 0);
  self = goban_scorer_net_new (&kind, &rng);
  scorer = &self->scorer;
  memset (scorer->out, 0, GOBAN_SCORER_SECOND * sizeof (float));

  /* Hand-set weights: save transfers, speed up the critical path, delay no consumer, even out
   * loads, respect memory. */
  float *linear = scorer->linear;

  linear[GOBAN_MOVE_TRANSFERS] = -1;
  linear[GOBAN_MOVE_CRITICAL_SAVED] = 1;
  linear[GOBAN_MOVE_CRITICAL_ADDED] = -1;
  linear[GOBAN_MOVE_CRITICAL_WAIT] = 1;
  linear[GOBAN_MOVE_LATE_MOST] = -1;
  linear[GOBAN_MOVE_EARLIER] = 1;
  linear[GOBAN_MOVE_OVERFILL] = -0.5f;
  linear[GOBAN_MOVE_LOAD_GAP] = -1;
  linear[GOBAN_MOVE_NEAR_THERE] = 1;
  linear[GOBAN_MOVE_NEAR_HERE] = -1;
  linear[GOBAN_MOVE_SLOWNESS] = -1;
  linear[GOBAN_MOVE_MEMORY_SHORT] = -10;
  linear[GOBAN_MOVE_MEMORY_RELIEF] = 5;

  return self;
}

GobanScorerNet *
goban_move_net_load (const char *path, GError **error)
{
  return goban_scorer_net_load (&kind, path, error);
}

gboolean
goban_move_net_is_file (const char *path)
{
  return goban_scorer_net_find_kind (&kind, 1, path) != NULL;
}
