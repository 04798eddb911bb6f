/* Inputs and outputs of a group of units, for the features of its moves. */
#include "engine/learn/policy/move-features-private.h"

#include <math.h>
#include <string.h>

/* Places are sorted by digits, few of them by insertion. */
#define DIGIT_BITS 9
#define N_BUCKETS (1u << DIGIT_BITS)
#define FEW 48

static gboolean
is_in_group (const GobanMoveFeatures *self, GobanNodeId node)
{
  return self->unit_marks[self->profile->units->unit_of[node]] == self->mark;
}

static GobanTouchedTensor *
touch (GobanMoveFeatures *self, GobanTensorId tensor)
{
  if (self->tensor_marks[tensor] != self->mark)
    {
      GobanTouchedTensor touched = { .tensor = tensor };

      self->tensor_marks[tensor] = self->mark;
      self->touched_at[tensor] = self->touched->len;
      g_array_append_val (self->touched, touched);
    }
  return &g_array_index (self->touched, GobanTouchedTensor, self->touched_at[tensor]);
}

static void
sort_places (GobanMoveFeatures *self)
{
  guint n = self->placed->len;

  if (n <= FEW)
    {
      GobanPlacedNode *placed = (GobanPlacedNode *) (void *) self->placed->data;

      for (guint i = 1; i < n; i++)
        {
          GobanPlacedNode one = placed[i];
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
      const GobanPlacedNode *from = (const GobanPlacedNode *) (const void *) self->placed->data;
      GobanPlacedNode *to = (GobanPlacedNode *) (void *) dealt->data;
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
          GobanPlacedNode one = { self->profile->place_of[all->nodes[k]], all->nodes[k] };

          g_array_append_val (self->placed, one);
        }
    }
  sort_places (self);
  if (self->profile->is_fused)
    {
      const GobanPlanProfile *profile = self->profile;

      for (guint i = 0; i < self->placed->len; i++)
        self->n_in_kernel[profile->kernel_of[g_array_index (self->placed, GobanPlacedNode, i).node]]
            = 0;
      for (guint i = 0; i < self->placed->len; i++)
        self->n_in_kernel[profile
                              ->kernel_of[g_array_index (self->placed, GobanPlacedNode, i).node]]++;
    }
  for (guint i = 0; i < self->placed->len; i++)
    {
      GobanGroupMember member = { .node = g_array_index (self->placed, GobanPlacedNode, i).node };

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
      GobanTouchedTensor *touched = touch (self, edge->tensor);

      touched->n_own++;
      if (is_in_group (self, edge->tail))
        g_array_append_val (self->producers, self->member_of[edge->tail]);
      else
        {
          GobanGroupInput input
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
          GobanGroupOutput *output = NULL;

          for (guint k = first; k < self->outputs->len && output == NULL; k++)
            {
              GobanGroupOutput *other = &g_array_index (self->outputs, GobanGroupOutput, k);

              if (other->to == to && other->tensor == edge->tensor)
                output = other;
            }
          if (output == NULL)
            {
              GobanGroupOutput made = { edge->tensor, to, 0, INFINITY, -1 };

              g_array_append_val (self->outputs, made);
              output = &g_array_index (self->outputs, GobanGroupOutput, self->outputs->len - 1);
            }
          output->n++;
          output->latest_us = MIN (output->latest_us, profile->latest_us[edge->head]);
          if (profile->is_critical[edge->head])
            output->critical_ready_us
                = MAX (output->critical_ready_us, profile->ready_us[edge->head]);
        }
    }
}

void
goban_move_features_gather (GobanMoveFeatures *self, const guint32 *units, guint n)
{
  GArray *arrays[] = { self->members, self->inputs, self->producers, self->outputs, self->touched };
  GobanGroupMember end = { .node = GOBAN_NO_NODE };
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
      GobanGroupMember *member = &g_array_index (self->members, GobanGroupMember, i);

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

GobanGroupSums
goban_move_features_sum (const GobanMoveFeatures *self, const guint32 *units, guint n)
{
  const GobanPlanProfile *profile = self->profile;
  GobanGroupSums group = { .least_slack_us = INFINITY, .begin_us = INFINITY };

  for (guint i = 0; i < n; i++)
    group.bytes += profile->units->param_bytes[units[i]] + profile->units->output_bytes[units[i]];
  for (guint i = 0; i + 1 < self->members->len; i++)
    {
      GobanNodeId v = g_array_index (self->members, GobanGroupMember, i).node;
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
