#include "engine/learn/rl/moves/joint-moves.h"

#include "engine/core/arrays.h"
#include "engine/core/key-sort.h"
#include "engine/sim/fusion/fusion-rules.h"

#include <math.h>
#include <string.h>

static int
compare_moves (const void *a, const void *b)
{
  const GobanScoredMove *x = a;
  const GobanScoredMove *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

/* By descending score, equal scores by their first change. */
static void
sort_moves (GArray *moves)
{
  g_array_sort (moves, compare_moves);
}

const GobanScoredMove *
goban_scored_moves_choose (GArray *moves)
{
  for (guint i = 0; i < moves->len; i++)
    {
      GobanScoredMove *move = &g_array_index (moves, GobanScoredMove, i);

      if (move->is_tried)
        continue;
      move->is_tried = TRUE;
      return move;
    }
  return NULL;
}

/* Waits below this share of the makespan are ignored. */
#define LEAST_WAIT 1e-5
/* Most ops that one op may overtake. */
#define MOST_OVERTAKEN 256
/* Number of waiting ops for which moves are made. */
#define MOST_WAITING 48
/* Least difference of keys, as a share of their range. */
#define STEP 1e-7

/* Factors of the estimated gain of moves that postpone other ops, and of chains. */
#define TRUST_OTHERS 0.9
#define TRUST_CHAIN 0.8

/* --- construction and disposal -------------------------------------------------------------- */

GobanOrderMoves *
goban_order_moves_new (const GobanPlanProfile *profile)
{
  GobanOrderMoves *self = g_new0 (GobanOrderMoves, 1);
  gsize n = (gsize) profile->n_nodes + 1;

  self->profile = profile;
  self->arrays = goban_arrays_new ();
  self->moves = g_array_new (FALSE, FALSE, sizeof (GobanScoredMove));
  self->shifts = g_array_new (FALSE, FALSE, sizeof (GobanKeyShift));
  self->keys = goban_own (self, double, n);
  self->latest = goban_own (self, double, n);
  self->kernel_of = goban_own (self, guint32, n);
  self->next_fused = goban_own (self, guint32, n);
  self->kernel_start = goban_own (self, double, n);
  self->kernel_end = goban_own (self, double, n);
  self->sequence = goban_own (self, guint32, n);
  self->place_of = goban_own (self, guint32, n);
  self->first = goban_own (self, guint32, (gsize) profile->n_devices + 1);
  return self;
}

void
goban_order_moves_free (GobanOrderMoves *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->moves);
  g_array_unref (self->shifts);
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- the run -------------------------------------------------------------------------------- */

static void
read_kernels (GobanOrderMoves *self, const GobanTrace *trace)
{
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n = self->profile->n_nodes;
  guint n_kernels = 0;
  g_autofree guint32 *order = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *next = g_new0 (guint32, self->profile->n_devices + 1);

  memset (self->first, 0, ((gsize) self->profile->n_devices + 1) * sizeof *self->first);
  for (GobanNodeId v = 0; v < n; v++)
    {
      self->kernel_of[v] = goban_trace_get_kernel (trace, v);
      self->next_fused[v] = goban_trace_get_next_fused (trace, v);
      self->kernel_start[v] = ops[v].start_us;
      self->kernel_end[v] = ops[v].finish_us;
      if (self->kernel_of[v] != v)
        continue;
      order[n_kernels++] = v;
      self->first[self->profile->device_of[v] + 1]++;
    }
  goban_key_sort (order, self->kernel_start, n_kernels);
  for (guint d = 0; d < self->profile->n_devices; d++)
    {
      self->first[d + 1] += self->first[d];
      next[d] = self->first[d];
    }
  for (guint i = 0; i < n_kernels; i++)
    {
      guint32 at = next[self->profile->device_of[order[i]]]++;

      self->sequence[at] = order[i];
      self->place_of[order[i]] = at;
    }
}

/* The member with the kernel's key. */
static GobanNodeId
find_head (const GobanOrderMoves *self, GobanNodeId kernel)
{
  GobanNodeId head = kernel;

  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = self->next_fused[v])
    if (self->keys[v] > self->keys[head])
      head = v;
  return head;
}

/* Slack before consumers are late. The next op on the device is ignored, because a moved op would
 * run before another one. */
static double
get_data_slack_us (const GobanOrderMoves *self, GobanNodeId kernel)
{
  double slack_us = INFINITY;

  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = self->next_fused[v])
    slack_us = MIN (slack_us, -self->latest[v] - self->profile->start_us[v]);
  return MAX (slack_us, 0);
}

static double
get_slack_us (const GobanOrderMoves *self, GobanNodeId kernel)
{
  double slack_us = INFINITY;

  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = self->next_fused[v])
    slack_us = MIN (slack_us, self->profile->latest_us[v] - self->profile->start_us[v]);
  return MAX (slack_us, 0);
}

/* --- moves ---------------------------------------------------------------------------------- */

static void
add_shift (GobanOrderMoves *self, GobanNodeId node, double by)
{
  GobanKeyShift shift = { node, by };

  g_array_append_val (self->shifts, shift);
}

/* Adds a move of the shifts from @first on. */
static void
add_move (GobanOrderMoves *self, guint first, double score)
{
  GobanScoredMove move = { .first = first, .n = self->shifts->len - first, .score = (float) score };

  if (move.n > 0)
    g_array_append_val (self->moves, move);
}

/* An op that waited, and the ops that its device ran in that time: sequence[first] .. sequence[at -
 * 1]. */
typedef struct
{
  GobanNodeId kernel;
  guint32 at;
  guint32 first;
  guint32 free_from; /* first of the last ops that have enough slack */
  double key;        /* largest of their keys */
  double free_key;   /* of those with slack */
  double gain_us;
  double free_gain_us;
  double harm_us;
  double weight;
} Waiting;

static gboolean
look_at (const GobanOrderMoves *self, GobanNodeId kernel, Waiting *waiting)
{
  const GobanPlanProfile *profile = self->profile;
  guint32 begin = self->first[profile->device_of[kernel]];
  double ready_us = profile->ready_us[kernel];
  double start_us = self->kernel_start[kernel];
  double time_us = self->kernel_end[kernel] - start_us;
  gboolean is_free = TRUE;
  guint32 i = self->place_of[kernel];

  *waiting = (Waiting){ .kernel = kernel, .at = i, .first = i, .free_from = i };
  waiting->key = waiting->free_key = -INFINITY;
  while (i > begin && self->place_of[kernel] - i < MOST_OVERTAKEN
         && self->kernel_start[self->sequence[i - 1]] >= ready_us)
    {
      GobanNodeId other = self->sequence[--i];
      double short_us = MAX (time_us - get_data_slack_us (self, other), 0);
      double key = self->keys[find_head (self, other)];

      waiting->harm_us = MAX (waiting->harm_us, short_us);
      is_free = is_free && short_us <= 0;
      waiting->first = i;
      waiting->key = MAX (waiting->key, key);
      if (!is_free)
        continue;
      waiting->free_from = i;
      waiting->free_key = MAX (waiting->free_key, key);
    }
  waiting->gain_us = start_us - self->kernel_start[self->sequence[waiting->first]];
  waiting->free_gain_us = start_us - self->kernel_start[self->sequence[waiting->free_from]];
  waiting->weight = goban_plan_profile_weigh_slack (profile, get_slack_us (self, kernel));
  return waiting->gain_us > LEAST_WAIT * profile->makespan_us;
}

static double
get_score (const GobanOrderMoves *self, const Waiting *waiting)
{
  double safe = waiting->free_gain_us * waiting->weight;
  double bold = waiting->gain_us * waiting->weight - waiting->harm_us;

  return MAX (safe, bold) / self->profile->makespan_us;
}

/* How much the kernel's key must rise to be above @key; 0 if it is. */
static double
get_rise (const GobanOrderMoves *self, GobanNodeId kernel, double key)
{
  double by = key - self->keys[find_head (self, kernel)] + STEP * self->range;

  return MAX (by, 0);
}

static void
raise_op (GobanOrderMoves *self, const Waiting *waiting, double key, double score)
{
  guint first = self->shifts->len;
  double by = get_rise (self, waiting->kernel, key);

  if (by > 0)
    add_shift (self, find_head (self, waiting->kernel), by);
  add_move (self, first, score);
}

/* Adds a move that postpones the ops with slack. */
static void
put_off (GobanOrderMoves *self, const Waiting *waiting)
{
  guint first = self->shifts->len;
  double key = self->keys[find_head (self, waiting->kernel)] - STEP * self->range;

  for (guint32 i = waiting->free_from; i < waiting->at; i++)
    for (GobanNodeId v = self->sequence[i]; v != GOBAN_NO_NODE; v = self->next_fused[v])
      if (self->keys[v] > key)
        add_shift (self, v, key - self->keys[v]);
  add_move (self, first,
            TRUST_OTHERS * waiting->free_gain_us * waiting->weight / self->profile->makespan_us);
}

/* Adds a move of the op and its successors on the critical path, which keep their relative
 * order. */
static void
raise_chain (GobanOrderMoves *self, const Waiting *waiting)
{
  const GobanPlanProfile *profile = self->profile;
  guint first = self->shifts->len;
  double by = get_rise (self, waiting->kernel, waiting->key);

  if (by <= 0 || !profile->is_critical[waiting->kernel])
    return;
  for (GobanNodeId v = 0; v < profile->n_nodes; v++)
    if (profile->is_critical[v] && profile->start_us[v] >= profile->start_us[waiting->kernel])
      add_shift (self, v, by);
  add_move (self, first, TRUST_CHAIN * get_score (self, waiting));
}

static int
compare_waiting (const void *a, const void *b)
{
  const Waiting *x = a;
  const Waiting *y = b;
  double by_gain = y->weight * y->gain_us - x->weight * x->gain_us;

  if (by_gain != 0)
    return by_gain > 0 ? 1 : -1;
  return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

/* Adds a move of all waiting ops on the critical path before the ops that delay them. */
static void
raise_path (GobanOrderMoves *self, const GArray *all)
{
  guint first = self->shifts->len;
  double gain_us = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const Waiting *waiting = &g_array_index (all, Waiting, i);
      double by = get_rise (self, waiting->kernel, waiting->key);

      if (!self->profile->is_critical[waiting->kernel] || by <= 0)
        continue;
      add_shift (self, find_head (self, waiting->kernel), by);
      gain_us = MAX (gain_us, waiting->gain_us - waiting->harm_us);
    }
  if (self->shifts->len - first > 1)
    add_move (self, first, MAX (gain_us, 0) / self->profile->makespan_us);
}

static void
find_moves_of_ops (GobanOrderMoves *self)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Waiting));
  double least_us = LEAST_WAIT * self->profile->makespan_us;
  Waiting waiting;

  for (GobanNodeId v = 0; v < self->profile->n_nodes; v++)
    if (self->kernel_of[v] == v && self->kernel_start[v] - self->profile->ready_us[v] > least_us
        && look_at (self, v, &waiting))
      g_array_append_val (all, waiting);
  g_array_sort (all, compare_waiting);
  raise_path (self, all);
  for (guint i = 0; i < MIN (all->len, MOST_WAITING); i++)
    {
      const Waiting *one = &g_array_index (all, Waiting, i);
      double makespan_us = self->profile->makespan_us;

      raise_op (self, one, one->key, (one->gain_us * one->weight - one->harm_us) / makespan_us);
      if (one->free_from > one->first && one->free_from < one->at)
        raise_op (self, one, one->free_key, one->free_gain_us * one->weight / makespan_us);
      put_off (self, one);
      raise_chain (self, one);
    }
}

/* The most urgent reader of a transfer on its target device. */
static GobanNodeId
find_reader (const GobanOrderMoves *self, const GobanTransfer *transfer)
{
  const GobanGraph *graph = self->profile->units->graph;
  GobanEdgeSpan out = goban_graph_get_out_edges (
      graph, goban_graph_get_tensor (graph, transfer->tensor)->producer);
  GobanNodeId best = GOBAN_NO_NODE;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);

      if (edge->tensor != transfer->tensor || self->profile->device_of[edge->head] != transfer->to)
        continue;
      GobanNodeId head = find_head (self, self->kernel_of[edge->head]);

      if (best == GOBAN_NO_NODE || self->keys[head] > self->keys[best])
        best = head;
    }
  return best;
}

void
goban_order_moves_read (GobanOrderMoves *self, const GobanTrace *trace, const double *keys)
{
  g_array_set_size (self->moves, 0);
  g_array_set_size (self->shifts, 0);
  read_kernels (self, trace);

  double least = INFINITY;
  double most = -INFINITY;

  for (GobanNodeId v = 0; v < self->profile->n_nodes; v++)
    {
      self->keys[v] = keys != NULL ? keys[v] : -self->kernel_start[v];
      least = MIN (least, self->keys[v]);
      most = MAX (most, self->keys[v]);
    }
  self->range = most > least ? most - least : 1;

  goban_order_moves_fill_latest (self, self->latest);
  find_moves_of_ops (self);

  /* Finds moves of transfers on the critical path before those that held their channel. */
  guint n, n_transfers;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);

  for (guint i = 1; i < n; i++)
    {
      GobanNodeId own, other;
      guint first = self->shifts->len;
      double by;

      if (!steps[i].is_transfer || !steps[i - 1].is_transfer || steps[i].wait != GOBAN_WAIT_CHANNEL)
        continue;
      own = find_reader (self, &transfers[steps[i].index]);
      other = find_reader (self, &transfers[steps[i - 1].index]);
      if (own == GOBAN_NO_NODE || other == GOBAN_NO_NODE)
        continue;
      by = self->keys[other] - self->keys[own] + STEP * self->range;
      if (by > 0)
        add_shift (self, own, by);
      add_move (self, first, steps[i].waited_us / self->profile->makespan_us);
    }

  sort_moves (self->moves);
}

void
goban_order_moves_fill_latest (const GobanOrderMoves *self, double *keys)
{
  const GobanPlanProfile *profile = self->profile;
  const GobanGraph *graph = profile->units->graph;
  guint D = profile->n_devices;
  g_autofree guint32 *order = g_new (guint32, (gsize) profile->n_nodes + 1);

  for (GobanNodeId v = 0; v < profile->n_nodes; v++)
    order[profile->place_of[v]] = v;
  for (guint i = profile->n_nodes; i-- > 0;)
    {
      GobanNodeId v = order[i];
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);
      double by_us = profile->makespan_us;

      for (guint j = 0; j < out.n; j++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[j]);
          GobanDeviceId to = profile->device_of[edge->head];
          double delay_us = 0;

          if (to != profile->device_of[v])
            delay_us = MAX (
                profile->arrival_us[(gsize) edge->tensor * D + to] - profile->finish_us[v], 0);
          by_us = MIN (by_us, -keys[edge->head] - delay_us);
        }
      keys[v] = -(by_us - (profile->finish_us[v] - profile->start_us[v]));
    }
}

/* Least weight of an op with slack, because saved work leaves room for other work. */
#define LEAST_WEIGHT 0.05

/* Largest number of stored moves. */
#define MOST_MOVES 512

/* --- construction and disposal -------------------------------------------------------------- */

/* Text of the types of the op and of its readers, and of its phase. (transfer full) */
static char *
describe (const GobanGraph *graph, GobanNodeId node)
{
  const GobanNode *own = goban_graph_get_node (graph, node);
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GString *text = g_string_new (own->op);

  g_string_append_printf (text, "|%d", own->phase);
  for (guint i = 0; i < MIN (out.n, 4); i++)
    g_string_append_printf (
        text, "|%s",
        goban_graph_get_node (graph, goban_graph_get_edge (graph, out.ids[i])->head)->op);
  return g_string_free (text, FALSE);
}

static void
find_kinds (GobanFusionMoves *self)
{
  const GobanGraph *graph = self->profile->units->graph;
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (GobanNodeId v = 0; v < self->profile->n_nodes; v++)
    {
      g_autofree char *text = describe (graph, v);
      gpointer known;

      self->classes[v] = (guint8) goban_fusion_classify (goban_graph_get_node (graph, v)->op);
      if (!g_hash_table_lookup_extended (kinds, text, NULL, &known))
        {
          known = GUINT_TO_POINTER (self->n_kinds++);
          g_hash_table_insert (kinds, g_steal_pointer (&text), known);
        }
      self->kind_of[v] = GPOINTER_TO_UINT (known);
    }
}

GobanFusionMoves *
goban_fusion_moves_new (const GobanPlanProfile *profile)
{
  GobanFusionMoves *self = g_new0 (GobanFusionMoves, 1);

  self->profile = profile;
  self->moves = g_array_new (FALSE, FALSE, sizeof (GobanScoredMove));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->classes = g_new0 (guint8, (gsize) profile->n_nodes + 1);
  self->kind_of = g_new0 (guint32, (gsize) profile->n_nodes + 1);
  find_kinds (self);
  return self;
}

void
goban_fusion_moves_free (GobanFusionMoves *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->moves);
  g_array_unref (self->nodes);
  g_free (self->classes);
  g_free (self->kind_of);
  g_free (self);
}

/* --- scores --------------------------------------------------------------------------------- */

static double
get_weight (const GobanFusionMoves *self, GobanNodeId node)
{
  const GobanPlanProfile *profile = self->profile;
  double slack_us = profile->latest_us[node] - profile->start_us[node];

  return MAX (goban_plan_profile_weigh_slack (profile, slack_us), LEAST_WEIGHT);
}

/* Time saved if the op is fused with all its readers on its device; 0 if they are fused or cannot
 * be. */
static double
get_saving_us (const GobanFusionMoves *self, const GobanTrace *trace, GobanNodeId node)
{
  const GobanGraph *graph = self->profile->units->graph;
  GobanDeviceId here = self->profile->device_of[node];
  const GobanDevice *device = goban_cluster_get_device (self->profile->units->cluster, here);
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GobanNodeId last = goban_trace_get_kernel (trace, node);
  double bytes = 0;
  double saved_us = 0;
  gboolean is_shared = FALSE;
  guint n_heavy = self->classes[node] == GOBAN_FUSION_HEAVY;
  guint n_reductions = self->classes[node] == GOBAN_FUSION_REDUCTION;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);
      const GobanTensor *tensor = goban_graph_get_tensor (graph, edge->tensor);
      GobanNodeId kernel = goban_trace_get_kernel (trace, edge->head);
      guint8 class = self->classes[edge->head];

      if (tensor->is_control)
        continue;
      if (self->profile->device_of[edge->head] != here)
        {
          is_shared = TRUE;
          continue;
        }
      n_heavy += class == GOBAN_FUSION_HEAVY;
      n_reductions += class == GOBAN_FUSION_REDUCTION;
      if (class == GOBAN_FUSION_OPAQUE || n_heavy > 1 || n_reductions > 1)
        return 0;
      if (kernel == last)
        continue;
      saved_us += MIN (device->launch_us,
                       self->profile->finish_us[edge->head] - self->profile->start_us[edge->head]);
      bytes += tensor->size_bytes;
      last = kernel;
    }
  if (!is_shared && bytes > 0)
    saved_us += (bytes + goban_graph_get_output_bytes (graph, node))
                / goban_device_get_memory_per_us (device);
  return saved_us;
}

/* How much earlier readers on other devices could get the output of a kernel's member. */
static double
get_delay_us (const GobanFusionMoves *self, const GobanTrace *trace, GobanNodeId node)
{
  const GobanPlanProfile *profile = self->profile;
  const GobanGraph *graph = profile->units->graph;
  const GobanOpSpan *span = &goban_trace_get_ops (trace)[node];
  GobanNodeId kernel = goban_trace_get_kernel (trace, node);
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  double most_us = 0;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);

      if (goban_trace_get_kernel (trace, edge->head) != kernel)
        most_us = MAX (most_us, get_weight (self, edge->head)
                                    * (span->finish_us - profile->finish_us[node]));
    }
  return most_us;
}

/* --- moves ---------------------------------------------------------------------------------- */

typedef struct
{
  double sum_us;
  guint n;
} Kind;

static void
add_single (GobanFusionMoves *self, GobanNodeId node, gboolean joins, double score_us)
{
  GobanScoredMove move = { .first = self->nodes->len,
                           .n = 1,
                           .joins = joins,
                           .score = (float) (score_us / self->profile->makespan_us) };

  g_array_append_val (self->nodes, node);
  g_array_append_val (self->moves, move);
}

/* Adds moves of all ops of a kind that would gain. */
static void
add_kinds (GobanFusionMoves *self, const double *gains_us, gboolean joins)
{
  guint n = self->profile->n_nodes;
  g_autofree Kind *kinds = g_new0 (Kind, self->n_kinds + 1);
  g_autofree guint32 *at = g_new0 (guint32, self->n_kinds + 1);
  guint32 first = self->nodes->len;

  for (GobanNodeId v = 0; v < n; v++)
    if (gains_us[v] > 0)
      {
        kinds[self->kind_of[v]].sum_us += gains_us[v];
        kinds[self->kind_of[v]].n++;
      }
  for (guint k = 0; k < self->n_kinds; k++)
    {
      GobanScoredMove move = { .first = first,
                               .n = kinds[k].n,
                               .joins = joins,
                               .score = (float) (kinds[k].sum_us / self->profile->makespan_us) };

      at[k] = first;
      if (kinds[k].n < 2)
        continue;
      first += kinds[k].n;
      g_array_append_val (self->moves, move);
    }
  g_array_set_size (self->nodes, first);
  for (GobanNodeId v = 0; v < n; v++)
    if (gains_us[v] > 0 && kinds[self->kind_of[v]].n > 1)
      g_array_index (self->nodes, guint32, at[self->kind_of[v]]++) = v;
}

void
goban_fusion_moves_read (GobanFusionMoves *self, const GobanTrace *trace)
{
  guint n = self->profile->n_nodes;
  g_autofree double *savings_us = g_new0 (double, (gsize) n + 1);
  g_autofree double *delays_us = g_new0 (double, (gsize) n + 1);

  g_array_set_size (self->moves, 0);
  g_array_set_size (self->nodes, 0);
  for (GobanNodeId v = 0; v < n; v++)
    {
      if (self->classes[v] == GOBAN_FUSION_OPAQUE)
        continue;
      savings_us[v] = get_saving_us (self, trace, v) * get_weight (self, v);
      if (goban_trace_get_kernel (trace, v) != v
          || goban_trace_get_next_fused (trace, v) != GOBAN_NO_NODE)
        delays_us[v] = get_delay_us (self, trace, v);
      if (savings_us[v] > 0)
        add_single (self, v, TRUE, savings_us[v]);
      if (delays_us[v] > 0)
        add_single (self, v, FALSE, delays_us[v]);
    }
  add_kinds (self, savings_us, TRUE);
  add_kinds (self, delays_us, FALSE);
  sort_moves (self->moves);
  if (self->moves->len > MOST_MOVES)
    g_array_set_size (self->moves, MOST_MOVES);
}

/* Plans that are taken without being the best so far are settled on graphs of up to so many
 * nodes. */
#define MOST_SETTLED_NODES 2000

GobanMoveStep *
goban_move_step_new (GobanSearch *search)
{
  GobanMoveStep *self;
  guint index;

  if (search->decisions == NULL)
    return NULL;
  self = g_new0 (GobanMoveStep, 1);
  self->search = search;
  self->changes = g_array_new (FALSE, FALSE, sizeof (GobanDecisionChange));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  self->is_forcing = goban_decisions_writer_get_forced (search->decisions, &self->forced_evaluation,
                                                        &index, &self->forced_option);
  return self;
}

void
goban_move_step_free (GobanMoveStep *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->changes);
  g_array_unref (self->nodes);
  g_free (self);
}

void
goban_move_step_begin (GobanMoveStep *self, GobanTask task, const char *proposer, double before_us)
{
  self->task = task;
  self->proposer = proposer;
  self->is_scored = self->is_drawn = self->is_forced = FALSE;
  self->n_options = 0;
  self->before_us = before_us;
  g_array_set_size (self->changes, 0);
  g_array_set_size (self->nodes, 0);
}

guint32
goban_move_step_choose (GobanMoveStep *self, guint n_options)
{
  self->n_options = n_options;
  self->is_forced = self->is_forcing && self->search->n_evaluations + 1 == self->forced_evaluation
                    && self->forced_option > 0 && self->forced_option < n_options;
  return self->is_forced ? self->forced_option : 0;
}

void
goban_move_step_add_node (GobanMoveStep *self, GobanNodeId node, guint32 from, guint32 to)
{
  const GobanDecisionChange change = { GOBAN_TASK_PLACEMENT, node, from, to };

  g_array_append_val (self->nodes, node);
  if (from != to)
    g_array_append_val (self->changes, change);
}

/* Settles the plan of the present state, unless it is one of many on a large graph. */
static void
settle (GobanMoveStep *self, GobanDecisionsWriter *writer, const GobanPlan *plan, gboolean is_best)
{
  if (is_best)
    goban_search_set_best (self->search, writer, NULL);
  else if (goban_plan_get_n_nodes (plan) <= MOST_SETTLED_NODES)
    goban_decisions_writer_settle (writer, plan);
}

/* The span of evaluations up to @evaluation that are not in the record yet. */
static GobanDecisionsWriter *
open_span (GobanMoveStep *self, const char *name, guint64 evaluation)
{
  GobanSearch *search = self->search;
  const GobanSpanHead head
      = { .name = name,
          .level = GOBAN_LEVEL_PLAN,
          .evaluation = evaluation,
          .n_left_out = search->n_evaluations - search->written - (evaluation > 0 ? 1 : 0) };

  search->written = search->n_evaluations;
  return goban_decisions_writer_open (search->decisions, &head);
}

static void
write_step (GobanMoveStep *self, const GobanPlan *plan, GobanOutcome outcome, gboolean is_best,
            gboolean is_taken)
{
  const GobanSpanResult result = goban_search_get_result (outcome);
  GobanDecisionsWriter *writer = open_span (self, "move", self->search->n_evaluations);
  const GobanDecisionHead head
      = { .task = self->task,
          .options = GOBAN_OPTION_MOVE,
          .score = self->is_scored ? GOBAN_SCORE_GAIN : GOBAN_SCORE_NONE,
          .nodes = (const GobanNodeId *) (gpointer) self->nodes->data,
          .n_nodes = self->nodes->len,
          .n_options = self->n_options,
          .changes = (const GobanDecisionChange *) (gpointer) self->changes->data,
          .n_changes = self->changes->len,
          .before_us = self->before_us,
          .after_us = outcome.makespan_us,
          .note = self->proposer,
          .flags = self->is_drawn ? GOBAN_DECISION_SAMPLED : 0 };

  for (guint k = 0; self->is_scored && k < self->n_options; k++)
    goban_decisions_writer_score (writer, k, (double) self->scores[k], 0);
  goban_decisions_writer_decide (writer, &head, 0);
  if (is_taken || is_best)
    settle (self, writer, plan, is_best);
  goban_decisions_writer_close (writer, &result, is_taken);
}

void
goban_move_step_offer (GobanMoveStep *self, GobanSearch *search, const GobanPlan *plan,
                       GobanOutcome outcome, gboolean is_taken)
{
  gboolean is_best = goban_search_consider (search, plan, outcome);

  if (self != NULL && (is_taken || is_best || goban_search_is_due (search)))
    write_step (self, plan, outcome, is_best, is_taken);
}

void
goban_move_step_start (GobanMoveStep *self, const GobanPlan *plan, GobanOutcome outcome)
{
  const GobanSpanResult result = goban_search_get_result (outcome);
  GobanSearch *search = self->search;
  GobanDecisionsWriter *writer;

  if (goban_decisions_writer_get_digest (search->decisions) == goban_settling_digest_plan (plan))
    return;
  writer = open_span (self, "start", 0);
  goban_decisions_writer_set_plan (writer,
                                   &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                         .options = GOBAN_OPTION_PLAN,
                                                         .flags = GOBAN_DECISION_AT_ONCE },
                                   plan);
  goban_decisions_writer_settle (writer, plan);
  goban_decisions_writer_close (writer, &result, TRUE);
}

void
goban_rule_trials_clear (GobanRuleTrials *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
}

GobanDecisionsWriter *
goban_move_step_open_rules (GobanMoveStep *self, const GobanRuleTrials *trials, guint32 *taken)
{
  guint n_options = MAX (trials->n_rules, trials->here + 1);
  const GobanDecisionHead head = { .task = trials->task,
                                   .options = GOBAN_OPTION_RULE,
                                   .score = GOBAN_SCORE_MAKESPAN_US,
                                   .takes_least = TRUE,
                                   .n_options = n_options,
                                   .before_us = trials->scores_us[n_options - 1],
                                   .note = trials->names };
  GobanDecisionsWriter *writer = open_span (self, "rules", trials->evaluation);

  for (guint k = 0; k < n_options; k++)
    goban_decisions_writer_score (writer, k, trials->scores_us[k], 0);
  *taken = goban_decisions_writer_decide (writer, &head, trials->best);
  return writer;
}

void
goban_move_step_close_rules (GobanMoveStep *self, GobanDecisionsWriter *writer,
                             const GobanPlan *plan, GobanOutcome outcome, gboolean is_best,
                             gboolean is_taken)
{
  const GobanSpanResult result = goban_search_get_result (outcome);

  if (plan != NULL)
    settle (self, writer, plan, is_best);
  goban_decisions_writer_close (writer, plan != NULL ? &result : NULL, is_taken);
}
