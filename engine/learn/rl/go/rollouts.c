#include "engine/learn/rl/go/rollouts.h"

#include "engine/core/arrays.h"
#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/graph-curve.h"
#include "engine/learn/rl/joint-choices.h"
#include "engine/placers/placed-ranks.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"
#include "engine/placers/search/unit-groups.h"
#include "engine/sim/fusion/fusion.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const GobanTrace *trace;
  const GobanGraph *graph;
  const GobanOpSpan *ops;
  const GobanTransfer *transfers;
  double *blame_us;
} Walk;

static GobanNodeId
get_producer (const Walk *self, guint32 transfer)
{
  return goban_graph_get_tensor (self->graph, self->transfers[transfer].tensor)->producer;
}

static double
get_length_us (const Walk *self, const GobanStep *step)
{
  return step->is_transfer
             ? self->transfers[step->index].finish_us - self->transfers[step->index].start_us
             : self->ops[step->index].finish_us - self->ops[step->index].start_us;
}

/* How long the step waited for its cause, which held the device or the channel. */
static double
get_waited_us (const Walk *self, const GobanStep *step, const GobanStep *cause)
{
  return MIN (step->waited_us, get_length_us (self, cause));
}

static gboolean
waits_for_turn (const GobanStep *step)
{
  return step->wait == GOBAN_WAIT_DEVICE || step->wait == GOBAN_WAIT_CHANNEL;
}

static void
blame_wait (Walk *self, const GobanStep *step, const GobanStep *cause)
{
  double time_us = get_waited_us (self, step, cause);

  self->blame_us[step->is_transfer ? get_producer (self, step->index) : step->index] += time_us / 2;
  self->blame_us[cause->is_transfer ? get_producer (self, cause->index) : cause->index]
      += time_us / 2;
}

static void
blame_placement (Walk *self, const GobanStep *steps, guint n)
{
  for (guint i = 0; i < n; i++)
    if (steps[i].is_transfer)
      {
        /* A transfer on the path is followed by the op that needed it, or by a transfer that
         * waited for the channel. In the second case its reader is not on the path, and the
         * other transfer's producer gets half of the waited time. So each microsecond is
         * assigned once. */
        const GobanStep *step = &steps[i];
        const GobanStep *next = i + 1 < n ? &steps[i + 1] : NULL;
        double time_us = get_length_us (self, step), shared_us = 0;
        GobanNodeId producer = get_producer (self, step->index), other = producer;

        if (next != NULL && !next->is_transfer)
          {
            other = next->index;
            shared_us = time_us;
          }
        else if (next != NULL && waits_for_turn (next))
          {
            other = get_producer (self, next->index);
            shared_us = get_waited_us (self, next, step);
          }
        self->blame_us[producer] += time_us - shared_us / 2;
        self->blame_us[other] += shared_us / 2;
      }
    else if (i > 0 && steps[i].wait == GOBAN_WAIT_DEVICE)
      blame_wait (self, &steps[i], &steps[i - 1]);
}

static void
blame_fusion (Walk *self, const GobanStep *steps, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      double time_us;

      if (steps[i].is_transfer)
        continue;

      /* Overhead of running an op as a kernel of its own: if it were fused with its producer,
       * launch and reads of that tensor would be saved. */
      GobanNodeId v = steps[i].index;
      const GobanCluster *cluster
          = goban_cost_model_get_cluster (goban_trace_get_costs (self->trace));
      GobanDeviceId device = goban_plan_get_device (goban_trace_get_plan (self->trace), v);
      double peak = goban_device_get_flops_per_us (goban_cluster_get_device (cluster, device),
                                                   goban_node_get_peak (self->graph, v));
      double length_us = self->ops[v].finish_us - self->ops[v].start_us;

      time_us = MAX (length_us - goban_graph_get_node (self->graph, v)->flops / peak, 0);

      self->blame_us[steps[i].index] += time_us / 2;
      self->blame_us[i > 0 && steps[i].wait == GOBAN_WAIT_INPUT ? steps[i - 1].index
                                                                : steps[i].index]
          += time_us / 2;
    }
}

void
goban_credit_blame (const GobanTrace *trace, GobanTask decision, double *blame_us)
{
  Walk walk = { .trace = trace, .ops = goban_trace_get_ops (trace), .blame_us = blame_us };
  const GobanStep *steps;
  guint n;

  if (walk.ops == NULL)
    return;
  walk.graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  walk.transfers = goban_trace_get_transfers (trace, &n);
  steps = goban_trace_get_critical_path (trace, &n);

  switch (decision)
    {
    case GOBAN_TASK_FUSION:
      blame_fusion (&walk, steps, n);
      break;
    case GOBAN_TASK_PLACEMENT:
      blame_placement (&walk, steps, n);
      break;
    case GOBAN_TASK_SCHEDULING:
      {
        for (guint i = 1; i < n; i++)
          if (waits_for_turn (&steps[i]))
            blame_wait (&walk, &steps[i], &steps[i - 1]);
      }
      break;
    case GOBAN_N_TASKS:
      break;
    }
}

#define WORST_REWARD (-10.0)

/* Working data for making a plan; one per plan made in parallel. */
typedef struct
{
  GobanFuser *fuser;
  double *ranks_us;   /* (n_nodes) */
  gint32 *priorities; /* (n_nodes) */
} Executor;

static void
executor_clear (gpointer data)
{
  Executor *self = data;

  g_clear_pointer (&self->fuser, goban_fuser_free);
  g_clear_pointer (&self->ranks_us, g_free);
  g_clear_pointer (&self->priorities, g_free);
}

/* --- construction --------------------------------------------------------------------------- */

static GobanPlan *
new_base (GobanProblem *self, const GobanProblemOptions *options, const GobanProgress *progress,
          GError **error)
{
  GobanPlacerOptions quiet = { .progress = progress };
  g_autoptr (GobanPlan) base = NULL;
  guint64 evaluations = 0;

  if (options->start != NULL && !goban_plan_check (options->start, self->costs, error))
    return NULL;
  if (options->start != NULL)
    base = goban_plan_copy (options->start);
  else if (goban_tasks_have (self->decisions, GOBAN_TASK_PLACEMENT))
    base = goban_plan_new (self->board->units->graph, self->board->n_devices);
  else
    base = goban_placer_place (&goban_placer_expert, self->costs, &quiet, &evaluations, error);
  if (base == NULL)
    return NULL;

  /* Kernels of one placement need not be legal for another. */
  if (goban_tasks_have (self->decisions, GOBAN_TASK_PLACEMENT) || options->start == NULL)
    for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (base); v++)
      goban_plan_set_fusion (base, v, GOBAN_NO_FUSION);
  if (options->start == NULL)
    goban_plan_set_order (base, GOBAN_ORDER_FIFO);
  if (goban_tasks_have (self->decisions, GOBAN_TASK_SCHEDULING) || self->ranks_alike)
    {
      goban_plan_set_order (base, GOBAN_ORDER_PRIORITY);
      goban_plan_set_transfer_priorities (base, NULL);
    }
  goban_plan_set_proven_bound_us (base, NULL, 0);
  return g_steal_pointer (&base);
}

GobanProblem *
goban_problem_new (GobanCostModel *costs, const GobanProblemOptions *options,
                   const GobanProgress *progress, GError **error)
{
  g_autoptr (GobanProblem) self = g_new0 (GobanProblem, 1);

  self->costs = goban_cost_model_ref (costs);
  self->decisions = options->decisions != 0 ? options->decisions : GOBAN_TASKS_DEFAULT;
  /* A start overrides the defaults; its kernels are kept if its placement is. */
  self->fuses_alike
      = options->fuses_alike
        && (options->start == NULL || goban_tasks_have (self->decisions, GOBAN_TASK_PLACEMENT));
  self->ranks_alike = options->ranks_alike && options->start == NULL;
  self->executors = g_array_new (FALSE, TRUE, sizeof (Executor));
  g_array_set_clear_func (self->executors, executor_clear);
  self->board = goban_board_new (costs, options->n_rows, error);
  if (self->board == NULL)
    return NULL;

  self->evaluator = goban_search_new_evaluator (costs);
  self->base = new_base (self, options, progress, error);
  if (self->base == NULL
      || !goban_graph_curve_measure_reference (costs, self->evaluator, progress,
                                               &self->reference_us, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
goban_problem_free (GobanProblem *self)
{
  g_clear_pointer (&self->pass, goban_pass_free);
  g_clear_pointer (&self->pass_config, g_free);
  g_clear_pointer (&self->executors, g_array_unref);
  g_clear_pointer (&self->base, goban_plan_unref);
  g_clear_pointer (&self->evaluator, goban_evaluator_free);
  g_clear_pointer (&self->board, goban_board_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self);
}

GobanPass *
goban_problem_get_pass (GobanProblem *self, const GobanNetConfig *config)
{
  g_autofree char *text = goban_net_config_to_text (config);

  if (g_strcmp0 (text, self->pass_config) != 0)
    {
      g_clear_pointer (&self->pass, goban_pass_free);
      g_free (self->pass_config);
      self->pass = goban_pass_new (config, self->board);
      self->pass_config = g_steal_pointer (&text);
    }
  return self->pass;
}

/* --- executors ------------------------------------------------------------------------------- */

/* Sets priorities by upward rank; the level of a row shifts its ops (levels nullable). */
static void
schedule_units (GobanProblem *self, Executor *executor, GobanPlan *plan, const guint32 *levels)
{
  const GobanUnits *units = self->board->units;
  guint n_nodes = goban_plan_get_n_nodes (plan);
  double longest_us = 0;

  goban_placed_ranks (units, plan, executor->ranks_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    longest_us = MAX (longest_us, executor->ranks_us[v]);
  for (GobanNodeId v = 0; v < n_nodes && levels != NULL; v++)
    {
      double level
          = ((double) levels[units->unit_of[v]] - GOBAN_MIDDLE_LEVEL) / (GOBAN_N_LEVELS - 1);

      executor->ranks_us[v] += level * GOBAN_LEVEL_REACH * longest_us;
    }
  goban_plan_set_priorities_by_key (plan, executor->ranks_us);
}

/* choices: (n_units) by task. */
static GobanPlan *
make_plan (GobanProblem *self, Executor *executor, guint32 *const *choices)
{
  GobanPlan *plan = goban_plan_copy (self->base);

  if (goban_tasks_have (self->decisions, GOBAN_TASK_PLACEMENT))
    {
      const GobanUnits *units = self->board->units;
      const guint32 *devices = choices[GOBAN_TASK_PLACEMENT];

      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
        goban_plan_set_device (plan, v, (GobanDeviceId) devices[units->unit_of[v]]);
    }
  if (goban_tasks_have (self->decisions, GOBAN_TASK_FUSION))
    {
      /* Fuses units by descending level, ties by id; level 0 is not fused. */
      const GobanUnits *units = self->board->units;
      const guint32 *levels = choices[GOBAN_TASK_FUSION];

      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
        executor->priorities[v] = (gint32) levels[units->unit_of[v]];
      goban_fuser_fuse_by_priority (executor->fuser, plan, executor->priorities);
    }
  else if (self->fuses_alike)
    goban_fuser_fuse_default (executor->fuser, plan);
  if (goban_tasks_have (self->decisions, GOBAN_TASK_SCHEDULING))
    schedule_units (self, executor, plan, choices[GOBAN_TASK_SCHEDULING]);
  else if (self->ranks_alike)
    schedule_units (self, executor, plan, NULL);
  return plan;
}

typedef struct
{
  GobanProblem *problem;
  GobanChoices *const *choices;
  GobanPlan **plans;
} Making;

static void
make_part (guint part, gpointer data)
{
  Making *making = data;
  GobanProblem *self = making->problem;
  const GobanUnits *units = self->board->units;
  const GobanChoices *choices = making->choices[part];
  guint32 *const *chosen = choices->chosen[choices->n_iterations - 1];
  guint32 *spread[GOBAN_N_TASKS] = { NULL };

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (goban_tasks_have (self->decisions, k) && chosen[k] != NULL)
      {
        spread[k] = g_new (guint32, units->n_units);
        for (guint u = 0; u < units->n_units; u++)
          spread[k][u] = chosen[k][self->board->row_of[units->nodes[units->offsets[u]]]];
      }
  making->plans[part] = make_plan (self, &g_array_index (self->executors, Executor, part), spread);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    g_free (spread[k]);
}

static void
grow_executors (GobanProblem *self, guint n)
{
  guint n_nodes = goban_plan_get_n_nodes (self->base);

  while (self->executors->len < n)
    {
      Executor executor = { .fuser = goban_fuser_new (self->costs),
                            .ranks_us = g_new (double, n_nodes),
                            .priorities = g_new (gint32, n_nodes) };

      g_array_append_val (self->executors, executor);
    }
}

void
goban_problem_new_plans (GobanProblem *self, GobanChoices *const *choices, guint n,
                         GobanPlan **plans)
{
  Making making = { self, choices, plans };

  grow_executors (self, n);
  goban_parallel_for (n, make_part, &making);
}

double
goban_problem_reward (const GobanProblem *self, const GobanOutcome *outcome)
{
  double reward = -sqrt (outcome->makespan_us / self->reference_us);

  if (outcome->overflow_bytes > 0)
    {
      const GobanCluster *cluster = self->board->units->cluster;
      double least_bytes = INFINITY;

      for (guint d = 0; d < self->board->n_devices; d++)
        least_bytes = MIN (least_bytes,
                           goban_cluster_get_device (cluster, (GobanDeviceId) d)->memory_bytes);
      /* Worse than any valid plan, and worse the more memory is missing. */
      reward = MIN (reward, -1) - 1 - 4 * outcome->overflow_bytes / MAX (least_bytes, 1);
    }
  return MAX (reward, WORST_REWARD);
}

void
goban_ppo_log_probs (float *old, const float *logits, const guint32 *chosen, int N, int A)
{
  g_autofree float *l = g_new (float, A);

  for (int n = 0; n < N; n++)
    {
      goban_log_softmax_forward (l, logits + (gsize) n * A, 1, A);
      old[n] = l[chosen[n]];
    }
}

/* Weight of row n's choice in rollout r in the gradient of its log-probability: ratio A, or 0 if
 * the clipped term is smaller. */
static double
weigh (const GobanPpo *self, double log_prob, gsize rn, GobanPpoStats *stats)
{
  double ratio = exp (log_prob - (double) self->old[rn]);
  double advantage = (double) self->advantages[rn];
  double bounded = CLAMP (ratio, 1 - self->clip, 1 + self->clip);

  stats->surrogate += MIN (ratio * advantage, bounded * advantage);
  if (bounded * advantage < ratio * advantage)
    {
      stats->clipped++;
      return 0;
    }
  return ratio * advantage;
}

void
goban_ppo_backward (float *dlogits, const GobanPpo *self, GobanPpoStats *stats)
{
  const int N = self->N, A = self->A;
  double per_choice = self->scale / ((double) self->R * N);
  float per_row = (float) (-self->scale * self->entropy / N);
  g_autofree float *l = g_new (float, A);
  g_autofree float *p = g_new (float, A);
  g_autofree double *weights = g_new (double, A);

  *stats = (GobanPpoStats){ 0 };
  for (int n = 0; n < N; n++)
    {
      const float *z = self->logits + (gsize) n * A;
      float *dz = dlogits + (gsize) n * A;
      double total = 0;
      float entropy;

      goban_softmax_forward (p, z, 1, A);
      goban_log_softmax_forward (l, z, 1, A);
      for (int a = 0; a < A; a++)
        weights[a] = 0;
      for (int r = 0; r < self->R; r++)
        {
          guint32 chosen = self->chosen[r][n];
          double weight = weigh (self, (double) l[chosen], (gsize) r * N + n, stats);

          weights[chosen] += weight;
          total += weight;
        }
      /* d log p_c / d z_a = [a = c] - p_a, summed over rollouts */
      for (int a = 0; a < A; a++)
        dz[a] -= (float) (per_choice * (weights[a] - total * (double) p[a]));
      goban_entropy_forward (&entropy, p, 1, A);
      goban_entropy_backward (dz, &per_row, p, 1, A);
      stats->entropy += (double) entropy;
    }
  stats->surrogate /= (double) self->R * N;
  stats->clipped /= (double) self->R * N;
  stats->entropy /= N;
}

/* Traces in memory at a time; a trace of 80,000 nodes takes some 20 MB. */
#define TRACES_AT_ONCE 8

static gboolean
decides (const GobanRollouts *self, guint task)
{
  return goban_tasks_have (self->config.decisions & self->problem->decisions, task);
}

static int
get_n_actions (const GobanRollouts *self, guint task)
{
  return (int) goban_board_get_n_actions (self->board, task);
}

GobanRollouts *
goban_rollouts_new (GobanProblem *problem, const GobanNetConfig *config, guint n)
{
  const GobanBoard *board = problem->board;
  gsize size = (gsize) n * board->n_rows;
  GobanRollouts *self = g_new0 (GobanRollouts, 1);

  self->arrays = goban_arrays_new ();
  self->problem = problem;
  self->board = board;
  self->config = *config;
  self->n = n;
  self->n_rows = board->n_rows;
  self->choices = goban_arrays_add (self->arrays, n, sizeof *self->choices);
  for (guint r = 0; r < n; r++)
    self->choices[r] = goban_choices_new (config, board->n_rows);
  self->plans = goban_arrays_add (self->arrays, n, sizeof *self->plans);
  self->outcomes = goban_own (self, GobanOutcome, n);
  self->rewards = goban_own (self, double, n);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (decides (self, k))
      {
        for (int t = 0; t < config->n_iterations; t++)
          self->old[t][k] = goban_own (self, float, size);
        self->advantages[k] = goban_own (self, float, size);
      }
  self->blame_us = goban_own (self, double, goban_graph_get_n_nodes (board->units->graph));
  return self;
}

static void
drop_plans (GobanRollouts *self)
{
  for (guint r = 0; r < self->n; r++)
    g_clear_pointer (&self->plans[r], goban_plan_unref);
}

void
goban_rollouts_free (GobanRollouts *self)
{
  drop_plans (self);
  for (guint r = 0; r < self->n; r++)
    goban_choices_free (self->choices[r]);
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- drawing --------------------------------------------------------------------------------- */

static void
draw_choices (const float *logits, int A, guint32 *chosen, guint n_rows, GobanRng *rng)
{
  g_autofree float *p = g_new (float, A);

  for (guint n = 0; n < n_rows; n++)
    {
      goban_softmax_forward (p, logits + (gsize) n * A, 1, A);
      chosen[n] = (guint32) goban_categorical_sample (p, A, rng);
    }
}

int
goban_rollouts_get_first_iteration (const GobanRollouts *self)
{
  return self->config.is_sampled ? 0 : self->config.n_iterations - 1;
}

static void
note_log_probs (GobanRollouts *self, GobanPass *pass, guint r)
{
  for (int t = goban_rollouts_get_first_iteration (self); t < self->config.n_iterations; t++)
    for (guint k = 0; k < GOBAN_N_TASKS; k++)
      if (decides (self, k))
        goban_ppo_log_probs (self->old[t][k] + (gsize) r * self->n_rows,
                             goban_pass_get_logits (pass, t, k), self->choices[r]->chosen[t][k],
                             (int) self->n_rows, get_n_actions (self, k));
}

/* Replaces choices that are not allowed, which only a network with NAN draws, so that plans can be
 * made. */
static void
keep_allowed (GobanRollouts *self, guint r)
{
  guint32 *devices = self->choices[r]->chosen[self->config.n_iterations - 1][GOBAN_TASK_PLACEMENT];
  guint D = self->board->n_devices;

  for (guint n = 0; devices != NULL && n < self->n_rows; n++)
    {
      const guint8 *allowed = &self->board->allowed[(gsize) n * D];

      while (!allowed[devices[n]])
        devices[n] = (devices[n] + 1) % D;
    }
}

static void
draw_all (GobanRollouts *self, GobanPass *pass, guint r, GobanRng *rng)
{
  int last = self->config.n_iterations - 1;

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (decides (self, k))
      draw_choices (goban_pass_get_logits (pass, last, k), get_n_actions (self, k),
                    self->choices[r]->chosen[last][k], self->n_rows, rng);
}

void
goban_rollouts_draw (GobanRollouts *self, GobanPass *pass, const GobanNet *net, GobanRng *rng)
{
  if (!self->config.is_sampled)
    goban_pass_decide (pass, net, NULL, NULL);
  for (guint r = 0; r < self->n; r++)
    {
      if (self->config.is_sampled)
        goban_pass_decide (pass, net, self->choices[r], rng);
      else
        draw_all (self, pass, r, rng);
      keep_allowed (self, r);
      note_log_probs (self, pass, r);
    }
}

void
goban_rollouts_set_best (GobanRollouts *self, GobanPass *pass, const GobanNet *net)
{
  for (int t = goban_rollouts_get_first_iteration (self); t < self->config.n_iterations; t++)
    for (guint k = 0; k < GOBAN_N_TASKS; k++)
      if (decides (self, k))
        {
          GobanTask task = k;
          const float *logits = goban_pass_get_logits (pass, t, task);
          int A = get_n_actions (self, task);

          for (guint n = 0; n < self->n_rows; n++)
            self->choices[0]->chosen[t][task][n]
                = (guint32) goban_categorical_best (logits + (gsize) n * A, A);

          if (self->config.is_sampled)
            goban_pass_decide (pass, net, self->choices[0], NULL);
        }
  keep_allowed (self, 0);
}

/* --- recording ------------------------------------------------------------------------------- */

/* The rows that row @n attends to most. */
static guint
list_attended (const guint32 *rows, const float *shares, guint n, GobanAttended *attended)
{
  guint n_attended = 0;

  for (gsize i = (gsize) n * GOBAN_N_ATTENDED; n_attended < GOBAN_N_ATTENDED; i++, n_attended++)
    {
      if (rows[i] == GOBAN_NO_ROW)
        break;
      attended[n_attended] = (GobanAttended){ rows[i] + 1, shares[i] };
    }
  return n_attended;
}

static void
write_task (GobanRollouts *self, GobanPass *pass, guint r, GobanTask task, guint flags,
            GobanDecisionsWriter *span)
{
  const GobanBoard *board = self->board;
  int last = self->config.n_iterations - 1;
  int A = get_n_actions (self, task);
  const guint32 *chosen = self->choices[r]->chosen[last][task];
  const float *logits = goban_pass_get_logits (pass, last, task);
  g_autofree float *p = g_new (float, A);
  g_autofree guint32 *rows = g_new (guint32, (gsize) self->n_rows * GOBAN_N_ATTENDED);
  g_autofree float *shares = g_new (float, (gsize) self->n_rows *GOBAN_N_ATTENDED);
  gboolean attends = goban_pass_find_attended (pass, last, task, rows, shares);

  for (guint n = 0; n < self->n_rows; n++)
    {
      GobanAttended attended[GOBAN_N_ATTENDED];
      GobanDecisionHead head
          = { .task = task,
              .options = task == GOBAN_TASK_PLACEMENT ? GOBAN_OPTION_DEVICE : GOBAN_OPTION_LEVEL,
              .score = GOBAN_SCORE_PROBABILITY,
              .nodes = board->nodes + board->offsets[n],
              .n_nodes = board->offsets[n + 1] - board->offsets[n],
              .row = n + 1,
              .n_options = (guint) A,
              .attended = attended,
              .flags = flags };

      goban_softmax_forward (p, logits + (gsize) n * A, 1, A);
      goban_entropy_forward (&head.entropy, p, 1, A);
      /* The last one first: room for the others is made once. */
      for (int a = A - 1; a >= 0; a--)
        goban_decisions_writer_score (
            span, (guint) a, (double) p[a],
            isfinite (logits[(gsize) n * A + a]) ? 0 : GOBAN_REFUSAL_CANNOT_RUN);
      head.n_attended = attends ? list_attended (rows, shares, n, attended) : 0;
      goban_decisions_writer_decide (span, &head, chosen[n]);
    }
}

void
goban_rollouts_write (GobanRollouts *self, GobanPass *pass, const GobanNet *net, guint r,
                      gboolean is_drawn, GobanDecisionsWriter *span)
{
  guint flags = GOBAN_DECISION_AT_ONCE | (is_drawn ? GOBAN_DECISION_SAMPLED : 0);

  /* The pass belongs to the last rollout, whose later tasks depend on other decisions. */
  if (self->config.is_sampled)
    goban_pass_decide (pass, net, self->choices[r], NULL);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (decides (self, k))
      write_task (self, pass, r, (GobanTask) k, flags, span);
}

/* --- simulating ------------------------------------------------------------------------------ */

static void
note_blame (GobanRollouts *self, const GobanTrace *trace, guint r, GobanTask task)
{
  const GobanBoard *board = self->board;
  guint n_nodes = goban_graph_get_n_nodes (board->units->graph);
  g_autofree double *blames = g_new0 (double, self->n_rows);
  float *credits = self->advantages[task] + (gsize) r * self->n_rows;

  memset (self->blame_us, 0, n_nodes * sizeof *self->blame_us);
  goban_credit_blame (trace, task, self->blame_us);
  for (guint v = 0; v < n_nodes; v++)
    blames[board->row_of[v]] += self->blame_us[v];
  for (guint n = 0; n < self->n_rows; n++)
    credits[n] = (float) (-blames[n] / self->problem->reference_us);
}

static void
simulate_with_credit (GobanRollouts *self)
{
  GobanEvaluator *evaluator = self->problem->evaluator;
  GobanTrace *traces[TRACES_AT_ONCE];

  for (guint first = 0; first < self->n; first += TRACES_AT_ONCE)
    {
      guint n = MIN (TRACES_AT_ONCE, self->n - first);

      goban_evaluator_run (evaluator, self->plans + first, n, traces);
      for (guint i = 0; i < n; i++)
        {
          self->outcomes[first + i] = goban_outcome_of_trace (traces[i]);
          for (guint k = 0; k < GOBAN_N_TASKS; k++)
            if (decides (self, k))
              note_blame (self, traces[i], first + i, k);
          goban_trace_unref (traces[i]);
        }
    }
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (decides (self, k))
      {
        /* Standardises credit: the mean over rollouts minus a row's blame, divided by the
         * deviation over all rows. */
        float *credits = self->advantages[k];
        gsize size = (gsize) self->n * self->n_rows;
        double square = 0;
        float inverse;

        for (guint n = 0; n < self->n_rows; n++)
          {
            double total = 0;

            for (guint r = 0; r < self->n; r++)
              total += (double) credits[(gsize) r * self->n_rows + n];
            for (guint r = 0; r < self->n; r++)
              {
                float *credit = &credits[(gsize) r * self->n_rows + n];

                *credit -= (float) (total / self->n);
                square += (double) *credit * (double) *credit;
              }
          }
        inverse = square > 0 ? (float) (1 / sqrt (square / (double) size)) : 0.0f;
        for (gsize i = 0; i < size; i++)
          credits[i] *= inverse;
      }
}

void
goban_rollouts_simulate (GobanRollouts *self, GobanSearch *search, gboolean with_credit)
{
  drop_plans (self);
  goban_problem_new_plans (self->problem, self->choices, self->n, self->plans);
  if (with_credit)
    simulate_with_credit (self);
  else
    {
      goban_evaluator_evaluate (self->problem->evaluator, self->plans, self->n, self->outcomes);
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        if (decides (self, k))
          memset (self->advantages[k], 0,
                  (gsize) self->n * self->n_rows * sizeof *self->advantages[k]);
    }
  for (guint r = 0; r < self->n; r++)
    {
      self->rewards[r] = goban_problem_reward (self->problem, &self->outcomes[r]);
      if (search != NULL)
        goban_search_consider (search, self->plans[r], self->outcomes[r]);
    }
}

double
goban_rollouts_get_top_share (const GobanRollouts *self)
{
  const GobanBoard *board = self->board;
  g_autofree double *shares = g_new (double, board->n_devices);
  double total = 0;

  if (!decides (self, GOBAN_TASK_PLACEMENT) || self->n == 0 || board->n_devices < 2)
    return NAN;
  for (guint r = 0; r < self->n; r++)
    {
      const guint32 *devices
          = self->choices[r]->chosen[self->config.n_iterations - 1][GOBAN_TASK_PLACEMENT];
      double top = 0;

      memset (shares, 0, board->n_devices * sizeof *shares);
      for (guint n = 0; n < self->n_rows; n++)
        {
          shares[devices[n]] += (double) board->weights[n];
          top = MAX (top, shares[devices[n]]);
        }
      total += top / self->n;
    }
  return total;
}

/* --- advantages ----------------------------------------------------------------------------- */

void
goban_rollouts_add_rewards (GobanRollouts *self, const double *advantages_of, double weight)
{
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (guint r = 0; decides (self, k) && r < self->n; r++)
      {
        float *advantages = self->advantages[k] + (gsize) r * self->n_rows;

        for (guint n = 0; n < self->n_rows; n++)
          advantages[n] = (float) (advantages_of[r] + weight * (double) advantages[n]);
      }
}
