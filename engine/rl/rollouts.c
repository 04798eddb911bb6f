#include "engine/rl/rollouts.h"

#include "engine/nn/softmax.h"
#include "engine/rl/credit.h"
#include "engine/rl/ppo.h"

#include <math.h>
#include <string.h>

/* Whole traces of 80,000 nodes are some 20 MB each. */
#define TRACES_AT_ONCE 8

static gboolean
decides (const GobanRollouts *self, guint task)
{
  return (self->config.decisions & (1u << task)) != 0;
}

GobanRollouts *
goban_rollouts_new (GobanProblem *problem, const GobanNetConfig *config, guint n_room)
{
  const GobanBoard *board = goban_problem_get_board (problem);
  gsize size = (gsize) n_room * board->n_rows;
  GobanRollouts *self = g_new0 (GobanRollouts, 1);

  self->problem = problem;
  self->config = *config;
  self->n_room = n_room;
  self->n_rows = board->n_rows;
  self->choices = g_new0 (GobanChoices *, n_room);
  for (guint r = 0; r < n_room; r++)
    self->choices[r] = goban_choices_new (config, board->n_rows);
  self->plans = g_new0 (GobanPlan *, n_room);
  self->outcomes = g_new0 (GobanOutcome, n_room);
  self->rewards = g_new0 (double, n_room);
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    if (decides (self, k))
      {
        for (int t = 0; t < config->n_iterations; t++)
          self->old[t][k] = g_new (float, size);
        self->advantages[k] = g_new0 (float, size);
      }
  self->blames = g_new (double, size);
  self->blame_us = g_new (double, goban_graph_get_n_nodes (board->units->graph));
  return self;
}

static void
drop_plans (GobanRollouts *self)
{
  for (guint r = 0; r < self->n_room; r++)
    g_clear_pointer (&self->plans[r], goban_plan_unref);
}

void
goban_rollouts_free (GobanRollouts *self)
{
  drop_plans (self);
  for (guint r = 0; r < self->n_room; r++)
    goban_choices_free (self->choices[r]);
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    {
      for (int t = 0; t < GOBAN_NET_MAX_ITERATIONS; t++)
        g_free (self->old[t][k]);
      g_free (self->advantages[k]);
    }
  g_free (self->choices);
  g_free (self->plans);
  g_free (self->outcomes);
  g_free (self->rewards);
  g_free (self->blames);
  g_free (self->blame_us);
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

/* Where all rollouts share one pass, iterations before the last are no decisions. */
static int
get_first_iteration (const GobanRollouts *self)
{
  return self->config.is_sampled ? 0 : self->config.n_iterations - 1;
}

static void
note_log_probs (GobanRollouts *self, GobanPass *pass, guint r)
{
  for (int t = get_first_iteration (self); t < self->config.n_iterations; t++)
    for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
      if (decides (self, k))
        goban_ppo_log_probs (self->old[t][k] + (gsize) r * self->n_rows,
                             goban_pass_get_logits (pass, t, k), self->choices[r]->chosen[t][k],
                             (int) self->n_rows, goban_pass_get_n_actions (pass, k));
}

void
goban_rollouts_draw (GobanRollouts *self, GobanPass *pass, const GobanNet *net, guint n,
                     GobanRng *rng)
{
  int last = self->config.n_iterations - 1;

  self->n = MIN (n, self->n_room);
  if (!self->config.is_sampled)
    goban_pass_decide (pass, net, NULL, NULL);
  for (guint r = 0; r < self->n; r++)
    {
      if (self->config.is_sampled)
        goban_pass_decide (pass, net, self->choices[r], rng);
      else
        for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
          if (decides (self, k))
            draw_choices (goban_pass_get_logits (pass, last, k), goban_pass_get_n_actions (pass, k),
                          self->choices[r]->chosen[last][k], self->n_rows, rng);
      note_log_probs (self, pass, r);
    }
}

static void
take_best_of (GobanRollouts *self, GobanPass *pass, int t, GobanDecision task)
{
  const float *logits = goban_pass_get_logits (pass, t, task);
  int A = goban_pass_get_n_actions (pass, task);

  for (guint n = 0; n < self->n_rows; n++)
    self->choices[0]->chosen[t][task][n]
        = (guint32) goban_categorical_best (logits + (gsize) n * A, A);
}

void
goban_rollouts_take_best (GobanRollouts *self, GobanPass *pass, const GobanNet *net)
{
  for (int t = get_first_iteration (self); t < self->config.n_iterations; t++)
    for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
      if (decides (self, k))
        {
          take_best_of (self, pass, t, k);
          if (self->config.is_sampled)
            goban_pass_decide (pass, net, self->choices[0], NULL);
        }
}

/* --- simulating ------------------------------------------------------------------------------ */

static void
note_blame (GobanRollouts *self, const GobanTrace *trace, guint r, GobanDecision task)
{
  const GobanBoard *board = goban_problem_get_board (self->problem);
  guint n_nodes = goban_graph_get_n_nodes (board->units->graph);
  double *blames = self->blames + (gsize) r * self->n_rows;
  float *credits = self->advantages[task] + (gsize) r * self->n_rows;

  memset (self->blame_us, 0, n_nodes * sizeof *self->blame_us);
  memset (blames, 0, self->n_rows * sizeof *blames);
  goban_credit_blame (trace, task, self->blame_us);
  for (guint v = 0; v < n_nodes; v++)
    blames[board->row_of[v]] += self->blame_us[v];
  for (guint n = 0; n < self->n_rows; n++)
    credits[n] = (float) (-blames[n] / goban_problem_get_reference_us (self->problem));
}

/* From minus the blame to how much less a row was blamed than in its fellows, over the deviation of all. */
static void
standardize_credit (GobanRollouts *self, float *credits)
{
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

static double
find_overflow (const GobanTrace *trace)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  double overflow_bytes = 0;

  for (guint d = 0; uses != NULL && d < goban_cluster_get_n_devices (cluster); d++)
    overflow_bytes
        = MAX (overflow_bytes, uses[d].peak_bytes - goban_cluster_get_device (cluster, d)->memory_bytes);
  return overflow_bytes;
}

static void
simulate_with_credit (GobanRollouts *self)
{
  GobanEvaluator *evaluator = goban_problem_get_evaluator (self->problem);
  GobanTrace *traces[TRACES_AT_ONCE];

  for (guint first = 0; first < self->n; first += TRACES_AT_ONCE)
    {
      guint n = MIN (TRACES_AT_ONCE, self->n - first);

      goban_evaluator_run (evaluator, self->plans + first, n, traces);
      for (guint i = 0; i < n; i++)
        {
          self->outcomes[first + i]
              = (GobanOutcome){ goban_trace_get_makespan (traces[i]), find_overflow (traces[i]) };
          for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
            if (decides (self, k))
              note_blame (self, traces[i], first + i, k);
          goban_trace_unref (traces[i]);
        }
    }
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    if (decides (self, k))
      standardize_credit (self, self->advantages[k]);
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
      goban_evaluator_evaluate (goban_problem_get_evaluator (self->problem), self->plans, self->n,
                                self->outcomes);
      for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
        if (decides (self, k))
          memset (self->advantages[k], 0,
                  (gsize) self->n * self->n_rows * sizeof *self->advantages[k]);
    }
  for (guint r = 0; r < self->n; r++)
    {
      self->rewards[r] = goban_problem_reward (self->problem, &self->outcomes[r]);
      if (search != NULL)
        goban_search_offer (search, self->plans[r], self->outcomes[r]);
    }
}

void
goban_rollouts_add_rewards (GobanRollouts *self, const double *advantages_of, double weight)
{
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    for (guint r = 0; decides (self, k) && r < self->n; r++)
      {
        float *advantages = self->advantages[k] + (gsize) r * self->n_rows;

        for (guint n = 0; n < self->n_rows; n++)
          advantages[n] = (float) (advantages_of[r] + weight * (double) advantages[n]);
      }
}
