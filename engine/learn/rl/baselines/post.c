/* Post: a table of probabilities, learnt by cross-entropy and proximal policy optimization.
 *
 * Parameters are a softmax over devices for every group of ops, no network. Ten samples at a time
 * are simulated and then followed by a few PPO steps; every sixty samples the table is set to what
 * the best six of them have in common, mixed with some uniform exploration. As published, there is
 * no start plan: the first samples are uniform. Ops run by upward rank.
 */
#include "engine/learn/rl/baselines/post.h"

#include "engine/core/i18n.h"
#include "engine/learn/rl/baselines/group-decisions.h"
#include "engine/learn/rl/graph-curve.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_EVALUATIONS 2400
#define N_GROUPS 256
#define N_SAMPLES 10   /* K: between PPO updates */
#define N_ROUND 60     /* N: between cross-entropy updates */
#define ELITE_SHARE 10 /* one in ten */
#define EXPLORATION 0.02
#define N_STEPS 4
#define STEP 0.5
#define CLIP 0.2
#define INVALID_REWARD (-10.0)

/* --- the table ----------------------------------------------------------------------- */

static void
update_probabilities (GobanPostTable *self)
{
  for (guint g = 0; g < self->n_groups; g++)
    {
      const double *z = &self->logits[(gsize) g * self->n_devices];
      double *p = &self->probabilities[(gsize) g * self->n_devices];
      double largest = -INFINITY;
      double sum = 0;

      for (guint d = 0; d < self->n_devices; d++)
        largest = MAX (largest, z[d]);
      for (guint d = 0; d < self->n_devices; d++)
        sum += p[d] = exp (z[d] - largest);
      for (guint d = 0; d < self->n_devices; d++)
        p[d] /= sum;
    }
}

void
goban_post_table_init (GobanPostTable *self, const GobanUnitGroups *groups)
{
  gsize n = (gsize) groups->n_groups * groups->n_devices;

  self->n_groups = groups->n_groups;
  self->n_devices = groups->n_devices;
  self->logits = g_new (double, n);
  self->probabilities = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    self->logits[i] = groups->can_run[i] ? 0 : -INFINITY;
  update_probabilities (self);
}

void
goban_post_table_clear (GobanPostTable *self)
{
  g_clear_pointer (&self->logits, g_free);
  g_clear_pointer (&self->probabilities, g_free);
}

void
goban_post_table_draw (const GobanPostTable *self, GobanRng *rng, GobanDeviceId *sample)
{
  for (guint g = 0; g < self->n_groups; g++)
    {
      const double *p = &self->probabilities[(gsize) g * self->n_devices];
      double at = goban_rng_uniform (rng);
      GobanDeviceId last = 0;

      /* What rounding leaves over goes to the last device with a chance. */
      for (guint d = 0; d < self->n_devices && at >= 0; d++)
        {
          if (p[d] > 0)
            last = (GobanDeviceId) d;
          at -= p[d];
        }
      sample[g] = last;
    }
}

double
goban_post_table_get_entropy (const GobanPostTable *self)
{
  double sum = 0;

  for (gsize i = 0; i < (gsize) self->n_groups * self->n_devices; i++)
    if (self->probabilities[i] > 0)
      sum -= self->probabilities[i] * log (self->probabilities[i]);
  return sum / MAX (self->n_groups, 1);
}

double
goban_post_table_improve (GobanPostTable *self, const GobanDeviceId *samples,
                          const double *advantages, guint n)
{
  gsize size = (gsize) self->n_groups * self->n_devices;
  guint n_clipped = 0;
  g_autofree double *before = g_memdup2 (self->probabilities, size * sizeof *before);

  for (guint step = 0; step < N_STEPS; step++)
    {
      n_clipped = 0;
      for (guint g = 0; g < self->n_groups; g++)
        {
          const double *p = &self->probabilities[(gsize) g * self->n_devices];
          double *z = &self->logits[(gsize) g * self->n_devices];

          for (guint k = 0; k < n; k++)
            {
              GobanDeviceId chosen = samples[(gsize) k * self->n_groups + g];
              double ratio = p[chosen] / before[(gsize) g * self->n_devices + chosen];
              double pull = STEP / n * ratio * advantages[k];

              /* Beyond the clip the surrogate is flat in the direction that pays. */
              if ((advantages[k] > 0 && ratio > 1 + CLIP)
                  || (advantages[k] < 0 && ratio < 1 - CLIP))
                {
                  n_clipped++;
                  continue;
                }
              /* d log p (chosen) / dz (d) = [d = chosen] - p (d) */
              for (guint d = 0; d < self->n_devices; d++)
                z[d] += pull * ((d == chosen) - p[d]);
            }
        }
      update_probabilities (self);
    }
  return (double) n_clipped / MAX (self->n_groups * n, 1);
}

void
goban_post_table_imitate (GobanPostTable *self, const GobanDeviceId *elites, guint n,
                          double exploration)
{
  g_autofree double *share = g_new (double, self->n_devices);

  for (guint g = 0; g < self->n_groups; g++)
    {
      double *z = &self->logits[(gsize) g * self->n_devices];
      guint n_allowed = 0;

      for (guint d = 0; d < self->n_devices; d++)
        {
          share[d] = 0;
          n_allowed += isfinite (z[d]);
        }
      for (guint k = 0; k < n; k++)
        share[elites[(gsize) k * self->n_groups + g]] += 1.0 / n;
      for (guint d = 0; d < self->n_devices; d++)
        if (isfinite (z[d]))
          z[d] = log ((1 - exploration) * share[d] + exploration / n_allowed);
    }
  update_probabilities (self);
}

/* --- learning ------------------------------------------------------------------------ */

typedef struct
{
  GobanSearch *search;
  GobanEvaluator *evaluator;
  const GobanUnits *units;
  const GobanUnitGroups *groups;
  GobanPostTable table;
  GobanRng rng;
  GobanPlan *plans[N_SAMPLES];
  GobanDeviceId *samples; /* (N_ROUND x n_groups) of this round */
  GobanOutcome outcomes[N_ROUND];
  guint n; /* samples in this round */
  double reference_us;
  GobanGraphCurve *curve;

  /* Decisions: of the best sample of a round, if it is the best so far, and of a forced one. */
  GobanForcedGroup forced;
  GobanGroupNodes nodes;
  double *tables[2];  /* probabilities from which these were drawn; the first: the best */
  guint64 n_before;   /* evaluations before the round */
  guint64 n_left_out; /* rounds since the last one written */
} Learner;

static double
get_reward (const Learner *self, const GobanOutcome *outcome)
{
  return outcome->overflow_bytes > 0 ? INVALID_REWARD
                                     : -sqrt (outcome->makespan_us / self->reference_us);
}

/* The samples and the table that they were drawn from, for the learning curve. */
static void
note_samples (Learner *self, const GobanOutcome *outcomes, guint n)
{
  if (self->curve->sink == NULL)
    return;
  for (guint k = 0; k < n; k++)
    goban_graph_curve_add_sample (self->curve, self->plans[k], &outcomes[k],
                                  get_reward (self, &outcomes[k]));
  goban_graph_curve_add_choices (self->curve, goban_post_table_get_entropy (&self->table), 1);
}

static void
keep_table (Learner *self, guint which)
{
  if (self->search->decisions != NULL)
    memcpy (self->tables[which], self->table.probabilities,
            (gsize) self->table.n_groups * self->table.n_devices * sizeof (double));
}

/* Writes a sample of the round to the span of that. */
static void
write_sample (Learner *self, guint64 evaluation, GobanDecisionsWriter *round)
{
  GobanSearch *search = self->search;
  guint k = (guint) (evaluation - self->n_before - 1);
  const GobanDeviceId *sample = &self->samples[(gsize) k * self->table.n_groups];
  const double *table = self->tables[evaluation == search->best_evaluation ? 0 : 1];
  guint D = self->table.n_devices;
  g_autofree float *p = g_new (float, D);
  GobanDecisionsWriter *span
      = goban_decisions_writer_open (round, &(GobanSpanHead){ .name = "sample",
                                                              .level = GOBAN_LEVEL_PLAN,
                                                              .evaluation = evaluation,
                                                              .n_left_out = k,
                                                              .has_base = TRUE });

  for (guint g = 0; g < self->table.n_groups; g++)
    {
      for (guint d = 0; d < D; d++)
        p[d] = (float) table[(gsize) g * D + d];
      goban_group_decision_write (
          span,
          (GobanDecisionHead){ .row = g + 1,
                               .nodes = &self->nodes.nodes[self->nodes.offsets[g]],
                               .n_nodes = self->nodes.offsets[g + 1] - self->nodes.offsets[g],
                               .n_options = D,
                               .flags = GOBAN_DECISION_AT_ONCE },
          p, &self->groups->can_run[(gsize) g * D],
          goban_forced_group_get_drawn (&self->forced, evaluation, g, sample[g]));
    }
  goban_group_decisions_close (span, search, evaluation, self->outcomes[k]);
}

/* Writes the round that ends, and begins the next. */
static void
write_round (Learner *self)
{
  GobanSearch *search = self->search;
  const GobanSpanResult result = goban_search_get_result (search->outcome);
  guint64 evaluations[2];
  guint n = goban_forced_group_list_plans (&self->forced, self->n_before, search->n_evaluations,
                                           search->best_evaluation, evaluations);
  GobanDecisionsWriter *round;

  if (search->decisions != NULL && n > 0)
    {
      round = goban_decisions_writer_open (search->decisions,
                                           &(GobanSpanHead){ .name = "round",
                                                             .level = GOBAN_LEVEL_ROUND,
                                                             .n_left_out = self->n_left_out });
      for (guint i = 0; i < n; i++)
        write_sample (self, evaluations[i], round);
      goban_decisions_writer_close (round, &result, search->best_evaluation > self->n_before);
    }
  self->n_left_out = n > 0 ? 0 : self->n_left_out + 1;
  self->n_before = search->n_evaluations;
}

static void
draw_samples (Learner *self)
{
  guint n = goban_search_clip (self->search, MIN (N_SAMPLES, N_ROUND - self->n));
  GobanDeviceId *samples = &self->samples[(gsize) self->n * self->table.n_groups];
  GobanOutcome *outcomes = &self->outcomes[self->n];
  double advantages[N_SAMPLES];
  double clipped;

  goban_graph_curve_begin_update (self->curve);
  for (guint k = 0; k < n; k++)
    {
      GobanDeviceId *sample = &samples[(gsize) k * self->table.n_groups];
      guint D = self->table.n_devices;
      GobanPlan *plan = self->plans[k];

      goban_post_table_draw (&self->table, &self->rng, sample);
      for (guint g = 0; self->forced.is_any && g < self->table.n_groups; g++)
        sample[g] = goban_forced_group_take (&self->forced, self->search->n_evaluations + k + 1, g,
                                             &self->groups->can_run[(gsize) g * D], D, sample[g]);

      for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
        goban_plan_set_device (plan, v, sample[self->groups->group_of[self->units->unit_of[v]]]);
    }
  goban_evaluator_evaluate (self->evaluator, self->plans, n, outcomes);
  for (guint k = 0; k < n; k++)
    {
      if (goban_search_consider (self->search, self->plans[k], outcomes[k]))
        keep_table (self, 0);
      if (self->forced.is_any && self->forced.evaluation == self->search->n_evaluations)
        keep_table (self, 1);
    }
  if (self->reference_us == 0 && n > 0)
    self->reference_us = MAX (outcomes[0].makespan_us, 1e-9);

  note_samples (self, outcomes, n);

  /* advantages (n): rewards less their mean, over their standard deviation. */
  double mean = 0;
  double variance = 0;

  for (guint k = 0; k < n; k++)
    {
      advantages[k] = get_reward (self, &outcomes[k]);
      mean += advantages[k] / n;
    }
  for (guint k = 0; k < n; k++)
    variance += (advantages[k] - mean) * (advantages[k] - mean) / n;
  for (guint k = 0; k < n; k++)
    advantages[k] = (advantages[k] - mean) / (sqrt (variance) + 1e-9);

  clipped = goban_post_table_improve (&self->table, samples, advantages, n);
  if (n > 0)
    goban_graph_curve_end_update (self->curve, NAN, clipped);
  self->n += n;
}

typedef struct
{
  GobanOutcome outcome;
  guint sample;
} Scored;

static int
compare_scored (const void *a, const void *b)
{
  const Scored *x = a;
  const Scored *y = b;
  int sign = goban_outcome_compare (&x->outcome, &y->outcome);

  return sign != 0 ? sign : (x->sample > y->sample) - (x->sample < y->sample);
}

static void
end_round (Learner *self)
{
  guint n_groups = self->table.n_groups;
  guint n_elites = MAX (self->n / ELITE_SHARE, 1);
  g_autofree GobanDeviceId *elites = g_new (GobanDeviceId, (gsize) n_elites * n_groups);
  Scored scored[N_ROUND];

  for (guint i = 0; i < self->n; i++)
    scored[i] = (Scored){ self->outcomes[i], i };
  qsort (scored, self->n, sizeof *scored, compare_scored);
  for (guint k = 0; k < n_elites; k++)
    memcpy (&elites[(gsize) k * n_groups], &self->samples[(gsize) scored[k].sample * n_groups],
            n_groups * sizeof *elites);
  goban_post_table_imitate (&self->table, elites, n_elites, EXPLORATION);
  write_round (self);
  self->n = 0;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_auto (GobanSearch) search = { NULL };
  g_autoptr (GobanUnitGroups) groups = NULL;
  g_autoptr (GobanEvaluator) evaluator = NULL;
  g_autofree GobanDeviceId *devices = NULL;
  g_autoptr (GobanPlan) base = NULL;
  g_auto (GobanGraphCurve) curve = { 0 };
  Learner learner = { .search = &search, .units = units, .curve = &curve };

  if (units == NULL || !goban_graph_curve_init (&curve, costs, options, error))
    return NULL;
  goban_search_begin (&search, options, DEFAULT_EVALUATIONS);
  if (!goban_search_go_on (&search, "sampling", error))
    return NULL;

  search.bound_us = goban_bounds (costs).bound_us;
  devices = g_new0 (GobanDeviceId, units->n_units);
  base = goban_units_new_plan (units, devices);
  goban_plan_set_order (base, GOBAN_ORDER_PRIORITY);
  learner.groups = groups = goban_unit_groups_new (units, N_GROUPS);
  learner.evaluator = evaluator = goban_search_new_evaluator (costs);
  learner.samples = g_new (GobanDeviceId, (gsize) N_ROUND * groups->n_groups);
  for (guint k = 0; k < N_SAMPLES; k++)
    learner.plans[k] = goban_plan_copy (base);
  goban_rng_init (&learner.rng, options->seed);
  goban_post_table_init (&learner.table, groups);
  if (search.decisions != NULL)
    {
      goban_group_nodes_init (&learner.nodes, units, groups->group_of, groups->n_groups);
      for (guint i = 0; i < 2; i++)
        learner.tables[i] = g_new (double, (gsize) groups->n_groups * groups->n_devices);
    }
  learner.forced = goban_forced_group_find (search.decisions);
  while (goban_search_go_on (learner.search, "sampling", error))
    {
      draw_samples (&learner);
      if (learner.n == N_ROUND)
        end_round (&learner);
    }

  write_round (&learner);
  goban_group_nodes_clear (&learner.nodes);
  for (guint i = 0; i < 2; i++)
    g_free (learner.tables[i]);
  goban_post_table_clear (&learner.table);
  g_free (learner.samples);
  for (guint k = 0; k < N_SAMPLES; k++)
    goban_plan_unref (learner.plans[k]);

  return goban_search_end (&search, evaluations);
}

const GobanPlacer goban_placer_post = {
  .name = "post",
  .blurb = N_ ("a table of probabilities, by cross-entropy and proximal policy optimization"),
  .about
  = N_ ("A softmax over devices for each of at most 256 groups of ops, merged by heavy-edge "
        "matching. "
        "Of every ten samples PPO takes a few steps on the table; of every sixty the best six set "
        "it, "
        "mixed with a tenth of uniform exploration. Starts from nothing, as published. It searches "
        "devices alone: ops run by upward rank."),
  .source = "Gao, Chen and Li, Post: Device Placement with Cross-Entropy Minimization and Proximal "
            "Policy Optimization, 2018",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
