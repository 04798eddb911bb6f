#include "engine/placers/exact/exact-dispatch.h"
#include "engine/core/i18n.h"

#include <math.h>
#include <string.h>

/* Sums in another order differ in their last digits; a gain under that is none. */
#define ROUNDING 1e-12
#define MAX_ORDERS 1024
#define NO_MOVE G_MAXUINT16

typedef enum
{
  MOVE_BLOCKED, /* not made yet */
  MOVE_WAITING,
  MOVE_UNDER_WAY,
  MOVE_DONE,
} MoveState;

/* A tensor to one device. */
typedef struct
{
  guint16 tensor;
  guint8 sent; /* the number of the tensor among those that are sent */
  guint8 from;
  guint8 to;
  double time_us;
  double tail_us; /* after its arrival */
  guint64 consumers;
} Move;

/* A moment of a run: copied at every branch. */
typedef struct
{
  double now_us;
  guint64 started;
  guint64 done;
  guint64 ready;
  guint next_device; /* the first that has not been checked in this round; D: transfers */
  guint8 running[EXACT_MAX_DEVICES]; /* or EXACT_NONE */
  double finish_us[EXACT_MAX_DEVICES];
  guint16 sending[EXACT_MAX_DEVICES]; /* or NO_MOVE */
  guint8 missing[EXACT_MAX_NODES];
  guint8 turn[EXACT_MAX_NODES]; /* how many ops started before */
  guint8 n_started;
  guint8 move_state[EXACT_MAX_MOVES];
  double move_finish_us[EXACT_MAX_MOVES];
  double level_bytes[EXACT_MAX_DEVICES];
  guint8 live[EXACT_MAX_TENSORS + EXACT_MAX_MOVES]; /* who will release a tensor at home, a move */
  double end_us;
  guint n_ops_orders;
  guint n_tensor_orders;
  guint n_swaps;
  gboolean by_ops;     /* some list of priorities for ops gives this run */
  gboolean by_tensors; /* some list for tensors does */
} Moment;

typedef struct
{
  ExactContext *context;
  const ExactProblem *problem;
  const guint8 *device;
  double bound_us;
  guint n_moves;
  guint n_sent;
  Move moves[EXACT_MAX_MOVES];
  guint16 first_move[EXACT_MAX_TENSORS + 1];
  guint16 sent_tensor[EXACT_MAX_NODES];
  double time_us[EXACT_MAX_NODES];
  double tail_us[EXACT_MAX_NODES]; /* after the node's finish, on these devices */
  guint64 near_of[EXACT_MAX_NODES];
  guint64 on[EXACT_MAX_DEVICES];
  ExactOrder ops_orders[MAX_ORDERS];
  ExactOrder tensor_orders[MAX_ORDERS];
  guint8 swaps[MAX_ORDERS][2]; /* of one tensor, to the first device before to the second */
} Dispatch;

double
exact_target_us (const ExactContext *self)
{
  return self->best_us * (1 - ROUNDING);
}

void
exact_count (ExactContext *self)
{
  self->is_over = !goban_search_step (self->search, N_ ("proving"), self->error);
}

/* --- the placement's tables -------------------------------------------------------------- */

/* FALSE if they are too small. */
static gboolean
list_moves (Dispatch *self)
{
  const ExactProblem *problem = self->problem;
  guint64 readers[EXACT_MAX_TENSORS][EXACT_MAX_DEVICES];

  memset (readers, 0, sizeof readers[0] * problem->T);
  for (guint e = 0; e < problem->E; e++)
    readers[problem->edges[e].tensor][self->device[problem->edges[e].head]]
        |= G_GUINT64_CONSTANT (1) << problem->edges[e].head;
  for (guint t = 0; t < problem->T; t++)
    {
      guint8 from = self->device[problem->producer[t]];
      guint n_before = self->n_moves;

      self->first_move[t] = n_before;
      for (guint8 to = 0; to < problem->D; to++)
        {
          if (to == from || readers[t][to] == 0)
            continue;
          if (self->n_moves == EXACT_MAX_MOVES || self->n_sent == EXACT_MAX_NODES)
            return FALSE;
          self->moves[self->n_moves++] = (Move){
            .tensor = t,
            .sent = self->n_sent,
            .from = from,
            .to = to,
            .time_us = exact_transfer_us (problem, t, from, to),
            .consumers = readers[t][to],
          };
        }
      if (self->n_moves > n_before)
        self->sent_tensor[self->n_sent++] = t;
    }
  self->first_move[problem->T] = self->n_moves;
  return TRUE;
}

static Move *
find_move (Dispatch *self, guint tensor, guint8 to)
{
  for (guint m = self->first_move[tensor]; m < self->first_move[tensor + 1]; m++)
    if (self->moves[m].to == to)
      return &self->moves[m];
  return NULL;
}

static void
find_rests (Dispatch *self)
{
  const ExactProblem *problem = self->problem;

  for (guint v = 0; v < problem->N; v++)
    {
      self->time_us[v] = problem->time_us[v][self->device[v]];
      self->on[self->device[v]] |= G_GUINT64_CONSTANT (1) << v;
    }
  for (guint e = problem->E; e-- > 0;)
    {
      ExactEdge edge = problem->edges[e];
      double rest_us = self->time_us[edge.head] + self->tail_us[edge.head];
      Move *move = find_move (self, edge.tensor, self->device[edge.head]);

      if (move == NULL)
        self->near_of[edge.tail] |= G_GUINT64_CONSTANT (1) << edge.head;
      else
        {
          move->tail_us = MAX (move->tail_us, rest_us);
          rest_us += move->time_us;
        }
      self->tail_us[edge.tail] = MAX (self->tail_us[edge.tail], rest_us);
    }
}

/* Inputs are counted by edge, so that an op that reads a tensor twice waits once for both. */
static void
start_run (const Dispatch *self, Moment *at)
{
  const ExactProblem *problem = self->problem;

  memset (at, 0, sizeof *at);
  at->by_ops = at->by_tensors = TRUE;
  for (guint d = 0; d < problem->D; d++)
    {
      at->running[d] = EXACT_NONE;
      at->sending[d] = NO_MOVE;
      at->finish_us[d] = 0;
    }
  for (guint v = 0; v < problem->N; v++)
    {
      at->missing[v] = problem->first_edge[v + 1] - problem->first_edge[v];
      at->level_bytes[self->device[v]] += problem->param_bytes[v];
      if (at->missing[v] == 0)
        at->ready |= G_GUINT64_CONSTANT (1) << v;
    }
  for (guint e = 0; e < problem->E; e++)
    {
      ExactEdge edge = problem->edges[e];
      const Move *move = find_move ((Dispatch *) self, edge.tensor, self->device[edge.head]);

      at->live[move == NULL ? edge.tensor : problem->T + (move - self->moves)]++;
    }
  for (guint m = 0; m < self->n_moves; m++)
    at->live[self->moves[m].tensor]++;
}

/* --- a moment's bound -------------------------------------------------------------------- */

static double
move_arrival_us (const Dispatch *self, const Moment *at, guint m, double made_us)
{
  const Move *move = &self->moves[m];
  double start_us = MAX (at->now_us, made_us);

  if (at->move_state[m] == MOVE_DONE)
    return 0;
  if (at->move_state[m] == MOVE_UNDER_WAY)
    return at->move_finish_us[m];
  if (at->sending[move->from] != NO_MOVE)
    start_us = MAX (start_us, at->move_finish_us[at->sending[move->from]]);
  return start_us + move->time_us;
}

/* head_us (N): no sooner can each op start that has not. */
static double
find_heads (const Dispatch *self, const Moment *at, double *head_us)
{
  const ExactProblem *problem = self->problem;
  double finish_us[EXACT_MAX_NODES];
  double bound_us = at->end_us;

  for (guint v = 0; v < problem->N; v++)
    {
      guint8 d = self->device[v];

      if (at->done >> v & 1)
        {
          finish_us[v] = 0;
          continue;
        }
      if (at->started >> v & 1)
        {
          finish_us[v] = at->finish_us[d];
          bound_us = MAX (bound_us, finish_us[v] + self->tail_us[v]);
          continue;
        }
      head_us[v] = at->running[d] == EXACT_NONE ? at->now_us : at->finish_us[d];
      for (guint e = problem->first_edge[v]; e < problem->first_edge[v + 1]; e++)
        {
          ExactEdge edge = problem->edges[e];
          double there_us = finish_us[edge.tail];

          for (guint m = self->first_move[edge.tensor]; m < self->first_move[edge.tensor + 1]; m++)
            if (self->moves[m].to == d)
              there_us = move_arrival_us (self, at, m, finish_us[edge.tail]);
          head_us[v] = MAX (head_us[v], there_us);
        }
      finish_us[v] = head_us[v] + self->time_us[v];
      bound_us = MAX (bound_us, finish_us[v] + self->tail_us[v]);
    }
  return bound_us;
}

static double
bound_channel (const Dispatch *self, const Moment *at, const double *head_us, guint d,
               gboolean is_sender)
{
  ExactJob jobs[EXACT_MAX_MOVES];
  guint n = 0;

  for (guint m = 0; m < self->n_moves; m++)
    {
      const Move *move = &self->moves[m];
      guint8 producer = self->problem->producer[move->tensor];
      double made_us = at->now_us;

      if ((is_sender ? move->from : move->to) != d || at->move_state[m] >= MOVE_UNDER_WAY)
        continue;
      if (!(at->started >> producer & 1))
        made_us = head_us[producer] + self->time_us[producer];
      else if (!(at->done >> producer & 1))
        made_us = at->finish_us[move->from];
      if (at->sending[move->from] != NO_MOVE)
        made_us = MAX (made_us, at->move_finish_us[at->sending[move->from]]);
      jobs[n++] = (ExactJob){ made_us, move->time_us, move->tail_us };
    }
  return exact_machine_bound (jobs, n);
}

static double
find_bound (const Dispatch *self, const Moment *at, double target_us)
{
  const ExactProblem *problem = self->problem;
  double head_us[EXACT_MAX_NODES];
  double bound_us = find_heads (self, at, head_us);

  for (guint d = 0; d < problem->D && bound_us < target_us; d++)
    {
      ExactJob jobs[EXACT_MAX_NODES];
      guint n = 0;

      for (guint64 set = self->on[d] & ~at->started; set != 0; set &= set - 1)
        {
          guint v = __builtin_ctzll (set);

          jobs[n++] = (ExactJob){ head_us[v], self->time_us[v], self->tail_us[v] };
        }
      bound_us = fmax (bound_us, exact_machine_bound (jobs, n));
    }
  for (guint d = 0; d < problem->D && bound_us < target_us && !problem->is_contention_free; d++)
    {
      bound_us = fmax (bound_us, bound_channel (self, at, head_us, d, TRUE));
      bound_us = fmax (bound_us, bound_channel (self, at, head_us, d, FALSE));
    }
  return bound_us;
}

/* --- rules ------------------------------------------------------------------------------- */

static void
start_op (const Dispatch *self, Moment *at, guint v)
{
  const ExactProblem *problem = self->problem;
  guint8 d = self->device[v];

  at->ready &= ~(G_GUINT64_CONSTANT (1) << v);
  at->started |= G_GUINT64_CONSTANT (1) << v;
  at->turn[v] = at->n_started++;
  at->running[d] = v;
  at->finish_us[d] = at->now_us + self->time_us[v];
  for (guint t = problem->first_tensor[v]; t < problem->first_tensor[v + 1]; t++)
    at->level_bytes[d] += problem->tensor_bytes[t];
}

static void
start_move (const Dispatch *self, Moment *at, guint m)
{
  const Move *move = &self->moves[m];

  at->move_state[m] = MOVE_UNDER_WAY;
  at->move_finish_us[m] = at->now_us + move->time_us;
  at->level_bytes[move->to] += self->problem->tensor_bytes[move->tensor];
  if (!self->problem->is_contention_free)
    at->sending[move->from] = m;
}

static void
deliver (Moment *at, guint v)
{
  if (--at->missing[v] == 0)
    at->ready |= G_GUINT64_CONSTANT (1) << v;
}

static void
release (const Dispatch *self, Moment *at, guint tensor, const Move *move)
{
  guint holding = move == NULL ? tensor : self->problem->T + (guint) (move - self->moves);

  if (--at->live[holding] == 0)
    at->level_bytes[move == NULL ? self->device[self->problem->producer[tensor]] : move->to]
        -= self->problem->tensor_bytes[tensor];
}

static void
finish_op (Dispatch *self, Moment *at, guint8 d)
{
  const ExactProblem *problem = self->problem;
  guint v = at->running[d];

  at->running[d] = EXACT_NONE;
  at->done |= G_GUINT64_CONSTANT (1) << v;
  at->end_us = at->now_us;
  for (guint e = problem->first_edge[v]; e < problem->first_edge[v + 1]; e++)
    release (self, at, problem->edges[e].tensor, find_move (self, problem->edges[e].tensor, d));
  for (guint t = problem->first_tensor[v]; t < problem->first_tensor[v + 1]; t++)
    {
      if (at->live[t] == 0)
        at->level_bytes[d] -= problem->tensor_bytes[t];
      for (guint m = self->first_move[t]; m < self->first_move[t + 1]; m++)
        {
          at->move_state[m] = MOVE_WAITING;
          if (problem->is_contention_free)
            start_move (self, at, m);
        }
    }
  for (guint64 set = self->near_of[v]; set != 0; set &= set - 1)
    {
      guint w = __builtin_ctzll (set);

      for (guint e = problem->first_edge[w]; e < problem->first_edge[w + 1]; e++)
        if (problem->edges[e].tail == v)
          deliver (at, w);
    }
}

static void
finish_move (const Dispatch *self, Moment *at, guint m)
{
  const ExactProblem *problem = self->problem;
  const Move *move = &self->moves[m];

  at->move_state[m] = MOVE_DONE;
  if (at->sending[move->from] == m)
    at->sending[move->from] = NO_MOVE;
  for (guint64 set = move->consumers; set != 0; set &= set - 1)
    {
      guint w = __builtin_ctzll (set);

      for (guint e = problem->first_edge[w]; e < problem->first_edge[w + 1]; e++)
        if (problem->edges[e].tensor == move->tensor)
          deliver (at, w);
    }
  release (self, at, move->tensor, NULL);
}

static gboolean
keeps_within_memory (const Dispatch *self, const Moment *at)
{
  for (guint d = 0; d < self->problem->D; d++)
    if (at->level_bytes[d] > self->problem->capacity_bytes[d])
      return FALSE;
  return TRUE;
}

static double
next_finish_us (const Dispatch *self, const Moment *at)
{
  double next_us = (double) INFINITY;

  for (guint d = 0; d < self->problem->D; d++)
    if (at->running[d] != EXACT_NONE)
      next_us = MIN (next_us, at->finish_us[d]);
  for (guint m = 0; m < self->n_moves; m++)
    if (at->move_state[m] == MOVE_UNDER_WAY)
      next_us = MIN (next_us, at->move_finish_us[m]);
  return next_us;
}

/* One round: all that is due now. Events that they cause belong to the next. */
static void
finish_due (Dispatch *self, Moment *at)
{
  guint16 due[EXACT_MAX_MOVES];
  guint n_due = 0;

  for (guint m = 0; m < self->n_moves; m++)
    if (at->move_state[m] == MOVE_UNDER_WAY && at->move_finish_us[m] == at->now_us)
      due[n_due++] = m;
  for (guint d = 0; d < self->problem->D; d++)
    if (at->running[d] != EXACT_NONE && at->finish_us[d] == at->now_us)
      finish_op (self, at, d);
  for (guint i = 0; i < n_due; i++)
    finish_move (self, at, due[i]);
  at->next_device = 0;
}

/* --- leaves ------------------------------------------------------------------------------ */

static void
leave_open (Dispatch *self, double bound_us)
{
  self->context->open_us = MIN (self->context->open_us, MAX (bound_us, self->bound_us));
}

/* Gives twins their places in turn until every tensor that goes to several devices goes to the
 * lower first, as ties are decided; FALSE if no exchange does it. */
static gboolean
exchange_twins (const Dispatch *self, const Moment *at, guint8 *place, guint d)
{
  const ExactProblem *problem = self->problem;

  if (d == problem->D)
    {
      for (guint i = 0; i < at->n_swaps; i++)
        if (place[self->swaps[i][0]] > place[self->swaps[i][1]])
          return FALSE;
      return TRUE;
    }
  for (guint to = 0; to < problem->D; to++)
    {
      gboolean is_taken = FALSE;

      for (guint i = 0; i < d; i++)
        is_taken |= place[i] == to;
      if (is_taken || problem->twin_of[to] != problem->twin_of[d])
        continue;
      place[d] = to;
      if (exchange_twins (self, at, place, d + 1))
        return TRUE;
    }
  return FALSE;
}

static gboolean
set_priorities (const Dispatch *self, const Moment *at, GobanPlan *plan, guint8 *place)
{
  const ExactProblem *problem = self->problem;
  g_autofree gint32 *transfers = NULL;
  guint8 rank[EXACT_MAX_NODES];

  for (guint d = 0; d < problem->D; d++)
    place[d] = d;
  if (at->by_ops)
    {
      exact_orders_solve (self->ops_orders, at->n_ops_orders, problem->N, rank);
      for (guint v = 0; v < problem->N; v++)
        goban_plan_set_priority (plan, v, (gint32) (problem->N - 1 - rank[v]));
      return TRUE;
    }
  if (at->n_swaps > 0 && !exchange_twins (self, at, place, 0))
    return FALSE;
  exact_orders_solve (self->tensor_orders, at->n_tensor_orders, self->n_sent, rank);
  transfers = g_new0 (gint32, problem->T);
  for (guint i = 0; i < self->n_sent; i++)
    transfers[self->sent_tensor[i]] = (gint32) (self->n_sent - rank[i]);
  goban_plan_set_transfer_priorities (plan, transfers);
  for (guint v = 0; v < problem->N; v++)
    goban_plan_set_priority (plan, v, (gint32) (problem->N - 1 - at->turn[v]));
  return TRUE;
}

static void
offer_run (Dispatch *self, const Moment *at)
{
  ExactContext *context = self->context;
  const ExactProblem *problem = self->problem;
  g_autoptr (GobanPlan) plan = goban_plan_new (problem->units->graph, problem->D);
  guint8 place[EXACT_MAX_DEVICES];
  GobanOutcome outcome;

  if (goban_search_clip (context->search, 1) == 0)
    {
      context->is_over = TRUE;
      leave_open (self, self->bound_us);
      return;
    }
  if (!set_priorities (self, at, plan, place))
    return;
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (guint v = 0; v < problem->N; v++)
    goban_plan_set_device (plan, v, place[self->device[v]]);
  outcome = goban_simulator_evaluate (context->simulator, plan);
  if (goban_search_consider (context->search, plan, outcome))
    context->found (context->data, place);
  if (outcome.overflow_bytes <= 0)
    context->best_us = MIN (context->best_us, outcome.makespan_us);
  /* Never so far; a proof that the simulator does not share would be none. */
  if (outcome.overflow_bytes > 0 || outcome.makespan_us != at->end_us)
    leave_open (self, self->bound_us);
}

/* --- branching --------------------------------------------------------------------------- */

static void branch (Dispatch *self, Moment *at);

/* Checks whether the new orders can still be met; FALSE if no plan gives this run. */
static gboolean
check_orders (Dispatch *self, Moment *at)
{
  at->by_ops = at->by_ops
               && exact_orders_solve (self->ops_orders, at->n_ops_orders, self->problem->N, NULL);
  at->by_tensors
      = at->by_tensors
        && exact_orders_solve (self->tensor_orders, at->n_tensor_orders, self->n_sent, NULL);
  return at->by_ops || at->by_tensors;
}

static void
branch_on_op (Dispatch *self, const Moment *at, guint64 choices)
{
  guint64 left = choices;

  while (left != 0)
    {
      Moment next = *at;
      guint best = __builtin_ctzll (left);

      for (guint64 set = left; set != 0; set &= set - 1)
        if (self->tail_us[__builtin_ctzll (set)] > self->tail_us[best])
          best = __builtin_ctzll (set);
      left &= ~(G_GUINT64_CONSTANT (1) << best);
      if (next.n_ops_orders == MAX_ORDERS)
        {
          leave_open (self, 0);
          return;
        }
      self->ops_orders[next.n_ops_orders++] = (ExactOrder){
        .above = G_GUINT64_CONSTANT (1) << best,
        .below = choices & ~(G_GUINT64_CONSTANT (1) << best),
      };
      if (!check_orders (self, &next))
        continue;
      start_op (self, &next, best);
      next.next_device++;
      branch (self, &next);
    }
}

static gboolean
add_move_orders (Dispatch *self, Moment *at, guint first, const guint16 *rivals, guint n_rivals)
{
  const Move *winner = &self->moves[first];

  for (guint i = 0; i < n_rivals; i++)
    {
      const Move *loser = &self->moves[rivals[i]];

      if (rivals[i] == first
          || !exact_in_conflict (self->problem, winner->from, winner->to, loser->from, loser->to))
        continue;
      if (at->n_ops_orders == MAX_ORDERS || at->n_tensor_orders == MAX_ORDERS
          || at->n_swaps == MAX_ORDERS)
        {
          leave_open (self, 0);
          return FALSE;
        }
      self->ops_orders[at->n_ops_orders++]
          = (ExactOrder){ winner->consumers, loser->consumers, rivals[i] < first };
      if (loser->tensor != winner->tensor)
        self->tensor_orders[at->n_tensor_orders++]
            = (ExactOrder){ G_GUINT64_CONSTANT (1) << winner->sent,
                            G_GUINT64_CONSTANT (1) << loser->sent, TRUE };
      else
        {
          self->swaps[at->n_swaps][0] = winner->to;
          self->swaps[at->n_swaps++][1] = loser->to;
        }
    }
  return check_orders (self, at);
}

static gboolean
can_start (const Dispatch *self, const Moment *at, guint m)
{
  const Move *move = &self->moves[m];

  for (guint d = 0; d < self->problem->D; d++)
    if (at->sending[d] != NO_MOVE)
      {
        const Move *held = &self->moves[at->sending[d]];

        if (exact_in_conflict (self->problem, move->from, move->to, held->from, held->to))
          return FALSE;
      }
  return TRUE;
}

/* The waiting moves that could start and compete with the first of them by chains of conflicts. */
static guint
find_rivals (const Dispatch *self, const Moment *at, guint16 *rivals)
{
  guint16 free_moves[EXACT_MAX_MOVES];
  guint n_free = 0;
  guint n = 0;

  for (guint m = 0; m < self->n_moves; m++)
    if (at->move_state[m] == MOVE_WAITING && can_start (self, at, m))
      free_moves[n_free++] = m;
  if (n_free == 0)
    return 0;
  rivals[n++] = free_moves[0];
  free_moves[0] = free_moves[--n_free];
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n_free;)
      {
        const Move *a = &self->moves[rivals[i]];
        const Move *b = &self->moves[free_moves[j]];

        if (!exact_in_conflict (self->problem, a->from, a->to, b->from, b->to))
          {
            j++;
            continue;
          }
        rivals[n++] = free_moves[j];
        free_moves[j] = free_moves[--n_free];
      }
  return n;
}

static void
branch_on_move (Dispatch *self, const Moment *at, const guint16 *rivals, guint n_rivals)
{
  guint8 is_tried[EXACT_MAX_MOVES] = { 0 };

  for (guint i = 0; i < n_rivals; i++)
    {
      Moment next = *at;
      guint best = n_rivals;

      for (guint j = 0; j < n_rivals; j++)
        if (!is_tried[j]
            && (best == n_rivals
                || self->moves[rivals[j]].tail_us > self->moves[rivals[best]].tail_us))
          best = j;
      is_tried[best] = TRUE;
      if (!add_move_orders (self, &next, rivals[best], rivals, n_rivals))
        continue;
      start_move (self, &next, rivals[best]);
      branch (self, &next);
    }
}

/* Simulates until a decision is needed. FALSE if the run is over or cannot be valid. */
static gboolean
go_on (Dispatch *self, Moment *at, guint64 *choices, guint16 *rivals, guint *n_rivals)
{
  const ExactProblem *problem = self->problem;

  *choices = 0;
  *n_rivals = 0;
  for (;;)
    {
      double next_us;

      for (; at->next_device < problem->D; at->next_device++)
        {
          guint64 ready = at->ready & self->on[at->next_device];

          if (ready == 0 || at->running[at->next_device] != EXACT_NONE)
            continue;
          if ((ready & (ready - 1)) != 0)
            {
              *choices = ready;
              return TRUE;
            }
          start_op (self, at, __builtin_ctzll (ready));
        }
      while (!problem->is_contention_free && (*n_rivals = find_rivals (self, at, rivals)) > 0)
        {
          if (*n_rivals > 1)
            return TRUE;
          start_move (self, at, rivals[0]);
        }

      next_us = next_finish_us (self, at);
      if (isinf (next_us))
        {
          if (at->done
                  == (problem->N == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << problem->N) - 1)
              && at->end_us < exact_target_us (self->context))
            offer_run (self, at);
          return FALSE;
        }
      if (next_us > at->now_us)
        {
          if (problem->may_overflow && !keeps_within_memory (self, at))
            return FALSE;
          at->now_us = next_us;
        }
      finish_due (self, at);
    }
}

static void
branch (Dispatch *self, Moment *at)
{
  double target_us = exact_target_us (self->context);
  double bound_us = find_bound (self, at, target_us);
  guint16 rivals[EXACT_MAX_MOVES];
  guint64 choices;
  guint n_rivals;

  if (bound_us >= target_us)
    return;
  if (self->context->is_over)
    {
      leave_open (self, bound_us);
      return;
    }
  exact_count (self->context);
  if (!go_on (self, at, &choices, rivals, &n_rivals))
    return;
  if (choices != 0)
    branch_on_op (self, at, choices);
  else
    branch_on_move (self, at, rivals, n_rivals);
}

void
exact_dispatch (ExactContext *context, const guint8 *device, double bound_us)
{
  Dispatch *self = g_new0 (Dispatch, 1);
  Moment at;

  self->context = context;
  self->problem = context->problem;
  self->device = device;
  self->bound_us = bound_us;
  if (list_moves (self))
    {
      find_rests (self);
      start_run (self, &at);
      branch (self, &at);
    }
  else
    leave_open (self, bound_us);
  g_free (self);
}
