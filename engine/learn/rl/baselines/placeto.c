/* placeto.c: Placeto, which places one group after another on a device drawn from its network.
 *
 * Addanki et al., Placeto: Learning Generalizable Device Placement Algorithms for Distributed
 * Machine Learning, NeurIPS 2019, with the constants of the authors' code. An episode starts with
 * everything on one device, one with enough memory if there is any, and visits every group once, in
 * topological order. The action is the group's new device, the reward the decrease of the run time.
 * REINFORCE, with the mean return of the last episodes at the same step as baseline. Several
 * episodes run in parallel, step by step, as the authors' workers, and make one update.
 */
#include "engine/core/i18n.h"
#include "engine/learn/nn/params.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/baselines/group-decisions.h"
#include "engine/learn/rl/baselines/group-graph.h"
#include "engine/learn/rl/graph-curve.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"

#include <math.h>
#include <string.h>

#define DEFAULT_EVALUATIONS 8000
#define MAX_GROUPS 64
#define WIDTH 16
#define N_ROUNDS 8
#define N_WORKERS 4 /* episodes of an update */
#define BASELINE_EPISODES 10
#define FIRST_RATE 3e-3
#define LAST_RATE 3e-4
#define CLIP_NORM 1.25
#define FIRST_ENTROPY 0.05
#define N_PLAIN_FEATURES 6
#define SMALLEST_SCALE 1e-6

/* Penalty in seconds for each missing GiB of memory, up to MOST_SECONDS or a multiple of the run
 * time, whichever is larger. */
#define SECONDS_PER_GIB 2.0
#define MOST_SECONDS 10.0
#define MOST_TIMES 10

typedef struct
{
  GobanPlan *plan;
  GobanDeviceId *devices; /* (n_groups) */
  double *starts_us;      /* (n_groups) of its first op, in the last run */
  float *features;        /* (n_groups steps, n_groups, F) at each step */
  guint32 *actions;       /* (n_groups) by step, which is by group */
  float *probabilities;   /* (n_groups,A) by step */
  double *costs;          /* (n_groups + 1) before each step, and at the end */
  GobanOutcome *outcomes; /* (n_groups + 1) likewise */
} Episode;

typedef struct
{
  GobanCostModel *model;
  const GobanUnits *units;
  GobanGroups *groups;
  GobanEvaluator *evaluator;
  GobanSearch search;
  GobanRng rng;
  GobanPlacetoNet net;
  GobanPlacetoWork *work;
  GobanAdam adam;
  Episode episodes[N_WORKERS];
  GobanPlan *first_plan;
  GobanTrace *first_trace;
  double first_cost;
  double *returns; /* (BASELINE_EPISODES, n_groups) the last ones, a ring */
  guint n_returns; /* episodes seen so far */
  double scale;    /* of the advantages of the last episodes */
  GobanGraphCurve curve;
  gboolean learns; /* FALSE: the network stays as it is initialised, as a control */

  /* Decisions: of episodes that found the best plan so far. */
  GobanForcedGroup forced;
  GobanGroupNodes nodes;
  GobanMoment first_moment; /* whose state is the first plan */
  guint64 n_before;         /* evaluations before the present episodes */
  guint n_left_out;         /* episodes since the last one written */
} Placeto;

/* --- construction and disposal ---------------------------------------------------------------- */

static int
n_features (const Placeto *self)
{
  return N_PLAIN_FEATURES + (int) self->units->n_devices;
}

static void
placeto_init (Placeto *self, GobanCostModel *model, const GobanUnits *units,
              const GobanPlacerOptions *options)
{
  GobanPlacetoShape shape
      = { .n_devices = (int) units->n_devices, .width = WIDTH, .n_rounds = N_ROUNDS };
  gsize K;

  *self = (Placeto){ .model = model, .units = units };
  self->groups = goban_groups_new (units, MAX_GROUPS);
  K = self->groups->n_groups;
  self->evaluator = goban_evaluator_new (model, 0);
  goban_search_begin (&self->search, options, DEFAULT_EVALUATIONS);
  goban_rng_init (&self->rng, options->seed);
  shape.n_features = n_features (self);
  goban_placeto_net_init (&self->net, shape, &self->rng);
  self->work = goban_placeto_work_new (&self->net, (int) K);
  self->adam = goban_adam_new (FIRST_RATE);
  self->adam.clip_norm = CLIP_NORM;
  for (guint w = 0; w < N_WORKERS; w++)
    {
      Episode *episode = &self->episodes[w];

      episode->devices = g_new (GobanDeviceId, K);
      episode->starts_us = g_new (double, K);
      episode->features = g_new (float, K *K *(gsize) shape.n_features);
      episode->actions = g_new (guint32, K);
      episode->probabilities = g_new (float, K * units->n_devices);
      episode->costs = g_new (double, K + 1);
      episode->outcomes = g_new (GobanOutcome, K + 1);
    }
  self->returns = g_new0 (double, BASELINE_EPISODES *K);
  goban_group_nodes_init (&self->nodes, units, self->groups->groups->group_of, (guint) K);
  self->forced = goban_forced_group_find (self->search.decisions);
}

/* --- the environment -------------------------------------------------------------------------- */

/* The run time for rewards, in seconds, with a penalty for missing memory; a run that never ends
 * counts as missing all memory. */
static double
cost_of (const Placeto *self, GobanOutcome outcome)
{
  double seconds = outcome.makespan_us / 1e6;
  double most = MAX (MOST_SECONDS, MOST_TIMES * (isfinite (seconds) ? seconds : self->first_cost));

  return MIN (seconds + SECONDS_PER_GIB * outcome.overflow_bytes / (1024.0 * 1024 * 1024), most);
}

static void
note_starts (const Placeto *self, Episode *episode, const GobanTrace *trace)
{
  const GobanOpSpan *ops = goban_trace_get_ops (trace);

  if (ops == NULL)
    {
      memset (episode->starts_us, 0, self->groups->n_groups * sizeof *episode->starts_us);
      return;
    }
  for (guint k = 0; k < self->groups->n_groups; k++)
    episode->starts_us[k] = INFINITY;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->units->graph); v++)
    {
      guint32 k = goban_groups_find (self->groups, v);

      episode->starts_us[k] = MIN (episode->starts_us[k], ops[v].start_us);
    }
}

/* Simulates the plan of the policy “single”: everything on the fastest device with enough memory,
 * if there is one. %FALSE if cancelled. */
static gboolean
run_first_plan (Placeto *self, GError **error)
{
  const GobanUnits *units = self->units;
  const GobanUnitGroups *groups = self->groups->groups;
  guint A = units->n_devices;
  GobanPlacerOptions quiet = { .progress = self->search.options->progress };
  g_autoptr (GobanPlan) single
      = goban_placer_place (&goban_placer_single, self->model, &quiet, NULL, error);
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, groups->n_groups);
  g_autofree GobanDeviceId *unit_devices = g_new (GobanDeviceId, units->n_units);
  GobanOutcome outcome;

  if (single == NULL)
    return FALSE;
  for (guint u = units->n_units; u-- > 0;)
    devices[groups->group_of[u]] = goban_plan_get_device (single, units->nodes[units->offsets[u]]);
  for (guint k = 0; k < groups->n_groups; k++)
    for (guint a = 0; a < A && !groups->can_run[k * A + devices[k]]; a++)
      devices[k] = (GobanDeviceId) a;
  for (guint u = 0; u < units->n_units; u++)
    unit_devices[u] = devices[groups->group_of[u]];
  self->first_plan = goban_units_new_plan (units, unit_devices);
  goban_evaluator_run (self->evaluator, &self->first_plan, 1, &self->first_trace);
  outcome = goban_outcome_of_trace (self->first_trace);
  self->first_cost = cost_of (self, outcome);
  goban_search_offer (&self->search, self->first_plan, outcome);
  self->first_moment = self->search.best_moment;
  return TRUE;
}

/* x (K,F): cost, output, done, current, start after the current one's, memory, and the device;
 * every column but the device's divided by its largest. */
static void
fill_features (const Placeto *self, const Episode *episode, guint current, float *x)
{
  const GobanGroups *groups = self->groups;
  int F = n_features (self);
  double largest[N_PLAIN_FEATURES] = { 0 };

  memset (x, 0, (gsize) groups->n_groups * (gsize) F * sizeof *x);
  for (guint pass = 0; pass < 2; pass++)
    for (guint k = 0; k < groups->n_groups; k++)
      {
        float *row = x + (gsize) k * (gsize) F;
        double values[N_PLAIN_FEATURES] = { groups->time_us[k],
                                            groups->output_bytes[k],
                                            k < current,
                                            k == current,
                                            episode->starts_us[k] - episode->starts_us[current],
                                            groups->memory_bytes[k] };

        for (guint i = 0; i < N_PLAIN_FEATURES; i++)
          if (pass == 0)
            largest[i] = MAX (largest[i], fabs (values[i]));
          else
            row[i] = largest[i] > 0 ? (float) (values[i] / largest[i]) : 0;
        row[N_PLAIN_FEATURES + episode->devices[k]] = 1;
      }
}

/* --- acting ----------------------------------------------------------------------------------- */

static void
think (Placeto *self, const Episode *episode, guint step, float *probabilities)
{
  int A = (int) self->units->n_devices;
  gsize KF = (gsize) self->groups->n_groups * (gsize) n_features (self);

  goban_placeto_forward (&self->net, self->work, probabilities, episode->features + step * KF,
                         &self->groups->graph, (int) step);
  goban_mask_logits (probabilities, self->groups->groups->can_run + (gsize) step * (gsize) A, 1, A);
  goban_softmax_forward (probabilities, probabilities, 1, A);
}

/* What the user forces on episode @w, whose plans are simulated every N_WORKERS evaluations: the
 * plan of the record is that of this step or of a later one. */
static GobanDeviceId
force (Placeto *self, guint w, guint step, GobanDeviceId drawn)
{
  guint64 evaluation = self->search.n_evaluations + w + 1;
  guint64 last = evaluation + (guint64) N_WORKERS * (self->groups->n_groups - 1 - step);
  guint64 forced = self->forced.evaluation;
  guint A = self->units->n_devices;

  if (!self->forced.is_any || forced < evaluation || forced > last
      || (forced - evaluation) % N_WORKERS != 0)
    return drawn;
  return goban_forced_group_take (&self->forced, forced, step,
                                  &self->groups->groups->can_run[(gsize) step * A], A, drawn);
}

static void
act (Placeto *self, guint w, guint step)
{
  Episode *episode = &self->episodes[w];
  guint A = self->units->n_devices;
  float *probabilities = &episode->probabilities[(gsize) step * A];
  gsize KF = (gsize) self->groups->n_groups * (gsize) n_features (self);

  fill_features (self, episode, step, episode->features + step * KF);
  think (self, episode, step, probabilities);
  episode->actions[step] = force (
      self, w, step, (GobanDeviceId) goban_categorical_sample (probabilities, (int) A, &self->rng));

  GobanDeviceId device = (GobanDeviceId) episode->actions[step];

  if (episode->devices[step] == device)
    return;

  episode->devices[step] = device;
  for (guint u = 0; u < self->units->n_units; u++)
    if (self->groups->groups->group_of[u] == step)
      for (guint32 i = self->units->offsets[u]; i < self->units->offsets[u + 1]; i++)
        goban_plan_set_device (episode->plan, self->units->nodes[i], device);
}

/* Makes one step of all episodes. %FALSE if the budget is spent. */
static gboolean
take_step (Placeto *self, guint step, GError **error)
{
  GobanPlan *plans[N_WORKERS];
  g_autoptr (GPtrArray) traces
      = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_trace_unref);
  guint n = goban_search_clip (&self->search, N_WORKERS);

  if (!goban_search_go_on (&self->search, "learning with Placeto", error) || n == 0)
    return FALSE;

  for (guint w = 0; w < N_WORKERS; w++)
    {
      act (self, w, step);
      plans[w] = self->episodes[w].plan;
    }
  g_ptr_array_set_size (traces, (int) n);
  goban_evaluator_run (self->evaluator, plans, n, (GobanTrace **) traces->pdata);
  for (guint w = 0; w < n; w++)
    {
      GobanOutcome outcome = goban_outcome_of_trace (traces->pdata[w]);

      goban_search_consider (&self->search, plans[w], outcome);
      self->episodes[w].outcomes[step + 1] = outcome;
      goban_graph_curve_add_draft (&self->curve, &outcome);
      self->episodes[w].costs[step + 1] = cost_of (self, outcome);
      note_starts (self, &self->episodes[w], traces->pdata[w]);
    }
  return n == N_WORKERS;
}

/* --- learning --------------------------------------------------------------------------------- */

/* Decrease of the run time from a step on, relative to the first run time. */
static double
return_of (const Placeto *self, const Episode *episode, guint step)
{
  return (episode->costs[step] - episode->costs[self->groups->n_groups]) / self->first_cost;
}

static double
baseline_at (const Placeto *self, guint step)
{
  guint n = MIN (self->n_returns, BASELINE_EPISODES);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += self->returns[(gsize) i * self->groups->n_groups + step];
  return sum / n;
}

static double
advantage_at (const Placeto *self, const Episode *episode, guint step)
{
  return return_of (self, episode, step) - baseline_at (self, step);
}

/* How sure the network was, for the learning curve. */
static void
note_choice (Placeto *self, const float *probabilities)
{
  float entropy;

  if (self->curve.sink == NULL)
    return;
  goban_entropy_forward (&entropy, probabilities, 1, (int) self->units->n_devices);
  goban_graph_curve_add_choices (&self->curve, (double) entropy, 1);
}

/* The ends of the episodes, for the learning curve. */
static void
note_episodes (Placeto *self)
{
  for (guint w = 0; w < N_WORKERS; w++)
    {
      const Episode *episode = &self->episodes[w];

      goban_graph_curve_add_sample (&self->curve, episode->plan,
                                    &episode->outcomes[self->groups->n_groups],
                                    return_of (self, episode, 0));
    }
}

/* loss = - mean over steps of (advantage log p (action) + weight entropy) */
static void
answer_for (Placeto *self, const Episode *episode, guint step, double entropy_weight)
{
  int A = (int) self->units->n_devices;
  gsize KF = (gsize) self->groups->n_groups * (gsize) n_features (self);
  double advantage = advantage_at (self, episode, step) / self->scale;
  float n = (float) (N_WORKERS * self->groups->n_groups);
  float weight = (float) -advantage / n;
  float dentropy = (float) -entropy_weight / n;
  g_autofree float *probabilities = g_new (float, (gsize) A);
  g_autofree float *dlogits = g_new0 (float, (gsize) A);

  think (self, episode, step, probabilities);
  note_choice (self, probabilities);
  goban_log_prob_backward (dlogits, &weight, &episode->actions[step], probabilities, 1, A);
  goban_entropy_backward (dlogits, &dentropy, probabilities, 1, A);
  goban_placeto_backward (&self->net, self->work, dlogits, episode->features + step * KF,
                          &self->groups->graph, (int) step);
}

static gboolean
update (Placeto *self, GError **error)
{
  double spent = goban_search_get_fraction (&self->search);
  double norm = 0;

  guint K = self->groups->n_groups;

  for (guint w = 0; w < N_WORKERS; w++)
    {
      double *row = self->returns + (gsize) (self->n_returns++ % BASELINE_EPISODES) * K;

      for (guint k = 0; k < K; k++)
        row[k] = return_of (self, &self->episodes[w], k);
    }

  if (!self->learns)
    return TRUE;

  /* The root mean square of the advantages. */
  guint n = N_WORKERS * self->groups->n_groups;
  double sum = 0;

  for (guint w = 0; w < N_WORKERS; w++)
    for (guint k = 0; k < self->groups->n_groups; k++)
      {
        double advantage = advantage_at (self, &self->episodes[w], k);

        sum += advantage * advantage;
      }
  self->scale = MAX (sqrt (sum / n), SMALLEST_SCALE);

  note_episodes (self);
  goban_params_zero_grad (self->net.params);
  for (guint w = 0; w < N_WORKERS; w++)
    for (guint k = 0; k < self->groups->n_groups; k++)
      answer_for (self, &self->episodes[w], k, FIRST_ENTROPY * (1 - spent));
  self->adam.rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * spent;
  if (!goban_adam_step (&self->adam, self->net.params, &norm, error))
    return FALSE;
  goban_graph_curve_end_update (&self->curve, norm, NAN);
  return TRUE;
}

/* --- decisions ------------------------------------------------------------------------------ */

/* Writes the episode that came to the plan of @evaluation, until then. */
static void
write_episode (Placeto *self, guint64 evaluation)
{
  guint64 index = evaluation - self->n_before - 1;
  const Episode *episode = &self->episodes[index % N_WORKERS];
  guint last = (guint) (index / N_WORKERS);
  guint A = self->units->n_devices;
  const GobanSpanResult result = goban_search_get_result (episode->outcomes[last + 1]);
  gboolean is_best = evaluation == self->search.best_evaluation;
  gboolean has_first = goban_decisions_writer_has (self->search.decisions, self->first_moment);
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      self->search.decisions, &(GobanSpanHead){ .name = "episode",
                                                .level = GOBAN_LEVEL_PLAN,
                                                .evaluation = evaluation,
                                                .n_left_out = MAX (self->n_left_out, 1) - 1,
                                                .has_base = has_first,
                                                .base = self->first_moment });

  if (!has_first)
    {
      goban_decisions_writer_set_plan (span,
                                       &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                             .options = GOBAN_OPTION_PLAN,
                                                             .flags = GOBAN_DECISION_CARRIED },
                                       self->first_plan);
      goban_decisions_writer_settle (span, self->first_plan);
    }
  for (guint k = 0; k <= last; k++)
    {
      const float *probabilities = &episode->probabilities[(gsize) k * A];
      GobanDecisionHead head = { .row = k + 1,
                                 .nodes = &self->nodes.nodes[self->nodes.offsets[k]],
                                 .n_nodes = self->nodes.offsets[k + 1] - self->nodes.offsets[k],
                                 .n_options = A,
                                 .before_us = episode->outcomes[k].makespan_us,
                                 .after_us = episode->outcomes[k + 1].makespan_us };

      goban_entropy_forward (&head.entropy, probabilities, 1, (int) A);
      goban_group_decision_write (
          span, head, probabilities, &self->groups->groups->can_run[(gsize) k * A],
          goban_forced_group_get_drawn (&self->forced, evaluation, k, episode->actions[k]));
    }
  if (is_best)
    goban_search_set_best (&self->search, span, NULL);
  self->search.written = self->search.n_evaluations;
  self->n_left_out = 0;
  goban_decisions_writer_close (span, &result, is_best);
}

static void
write_episodes (Placeto *self)
{
  guint64 evaluations[2];
  guint n
      = goban_forced_group_list_plans (&self->forced, self->n_before, self->search.n_evaluations,
                                       self->search.best_evaluation, evaluations);

  self->n_left_out += N_WORKERS;
  for (guint i = 0; i < n; i++)
    write_episode (self, evaluations[i]);
}

/* %FALSE at the end of the budget, or with an error set. */
static gboolean
run_episodes (Placeto *self, GError **error)
{
  gboolean is_whole = TRUE;

  goban_graph_curve_begin_update (&self->curve);
  for (guint w = 0; w < N_WORKERS; w++)
    {
      Episode *episode = &self->episodes[w];

      g_clear_pointer (&episode->plan, goban_plan_unref);
      episode->plan = goban_plan_copy (self->first_plan);
      for (guint u = self->units->n_units; u-- > 0;)
        episode->devices[self->groups->groups->group_of[u]]
            = goban_plan_get_device (episode->plan, self->units->nodes[self->units->offsets[u]]);
      note_starts (self, episode, self->first_trace);
      episode->costs[0] = self->first_cost;
      episode->outcomes[0] = goban_outcome_of_trace (self->first_trace);
    }
  self->n_before = self->search.n_evaluations;
  for (guint k = 0; is_whole && k < self->groups->n_groups; k++)
    is_whole = take_step (self, k, error);
  if (self->search.decisions != NULL)
    write_episodes (self);
  return is_whole && update (self, error);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  static const char *const words[] = { "1", "0", NULL };
  g_autoptr (GobanUnits) units = NULL;
  GobanGraphCurve curve;
  GError *failure = NULL;
  GobanPlan *plan;
  Placeto self;
  guint choice;

  if (!goban_placer_choose (options->settings, "learn", words, &choice, error)
      || (units = goban_units_new (costs, error)) == NULL
      || !goban_graph_curve_init (&curve, costs, options, error))
    return NULL;

  placeto_init (&self, costs, units, options);
  self.learns = choice == 0;
  self.curve = curve;
  if (run_first_plan (&self, &failure))
    while (run_episodes (&self, &failure))
      continue;
  plan = goban_search_end (&self.search, evaluations);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      g_clear_pointer (&plan, goban_plan_unref);
    }
  for (guint w = 0; w < N_WORKERS; w++)
    {
      g_clear_pointer (&self.episodes[w].plan, goban_plan_unref);
      g_free (self.episodes[w].devices);
      g_free (self.episodes[w].starts_us);
      g_free (self.episodes[w].features);
      g_free (self.episodes[w].actions);
      g_free (self.episodes[w].probabilities);
      g_free (self.episodes[w].costs);
      g_free (self.episodes[w].outcomes);
    }
  g_clear_pointer (&self.first_plan, goban_plan_unref);
  g_clear_pointer (&self.first_trace, goban_trace_unref);
  g_clear_pointer (&self.work, goban_placeto_work_free);
  goban_placeto_net_clear (&self.net);
  goban_group_nodes_clear (&self.nodes);
  g_clear_pointer (&self.evaluator, goban_evaluator_free);
  g_clear_pointer (&self.groups, goban_groups_free);
  g_free (self.returns);
  goban_graph_curve_clear (&self.curve);
  goban_search_clear (&self.search);

  return plan;
}

const GobanPlacer goban_placer_placeto = {
  .name = "placeto",
  .blurb = N_ ("a graph network that moves one group after another, taught by each move's gain"),
  .about
  = N_ ("Placeto walks through the groups of the graph in topological order and draws a device "
        "for each, from a network that passes messages along the edges and against them and "
        "pools over what comes before, after and beside the group. The reward of a move is "
        "what the run time fell by; memory that lacks counts as two seconds for each GiB. The "
        "constants are those of the authors' code (eight rounds, the mean return of the last "
        "ten episodes as baseline, clipping at 1.25), but for advantages in units of their "
        "root mean square and rates from 3e-3 to 3e-4, which found better plans in as many "
        "evaluations. Units are merged into at most 64 groups along their heaviest edges, as "
        "the authors merge ops; each step of an episode is one evaluation. Episodes start with "
        "everything on one device, as “single” has it; plans run in FIFO order. “learn=0” leaves "
        "the network untrained, as a control."),
  .source = "Addanki et al., Placeto: Learning Generalizable Device Placement Algorithms for "
            "Distributed Machine Learning, NeurIPS 2019",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .setting = "learn",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
