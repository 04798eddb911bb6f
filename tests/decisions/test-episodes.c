/* Episodes side by side, each with a fork of the writer: the record is that of one thread. */
#include "engine/decisions/decisions-writer.h"
#include "engine/decisions/replay.h"

#include "engine/core/rng.h"
#include "engine/sim/simulator.h"
#include "tests/support/decisions-check.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define N_ROUNDS 6
#define N_EPISODES 7

typedef struct
{
  GobanCostModel *costs;
  GobanSimulator *simulator;
  GobanRng rng;
  GobanDecisionsWriter *in;
  GobanMoment base;
  gboolean fails;   /* leaves its spans open */
  gboolean is_bare; /* decides outside of spans, too */
} Episode;

static guint
get_n_nodes (const Episode *self)
{
  return goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs));
}

static guint
get_n_devices (const Episode *self)
{
  return goban_cluster_get_n_devices (goban_cost_model_get_cluster (self->costs));
}

static void
decide (Episode *self, GobanDecisionsWriter *writer, GobanNodeId node, guint32 *devices)
{
  guint32 wanted = goban_rng_below (&self->rng, get_n_devices (self));

  for (guint d = 0; d < get_n_devices (self); d++)
    goban_decisions_writer_score (writer, d, 0.1 + goban_rng_uniform (&self->rng),
                                  d == wanted || goban_rng_below (&self->rng, 2) == 0 ? 0
                                  : d % 2 == 0 ? GOBAN_REFUSAL_MEMORY
                                               : GOBAN_REFUSAL_RULE);
  devices[node] = goban_decisions_writer_decide (
      writer,
      &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                            .score = GOBAN_SCORE_PROBABILITY,
                            .nodes = &node,
                            .n_nodes = 1,
                            .n_options = get_n_devices (self),
                            .attended = &(const GobanAttended){ node, 0.5f },
                            .n_attended = node % 2,
                            .key = (float) node,
                            .has_key = node % 3 == 0,
                            .flags = GOBAN_DECISION_SAMPLED },
      wanted);
}

/* Settles the devices with one of two orders; the makespan. */
static GobanOutcome
settle (Episode *self, GobanDecisionsWriter *writer, const guint32 *devices)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, get_n_devices (self));
  gboolean is_backward = goban_rng_below (&self->rng, 2) == 0;

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < get_n_nodes (self); v++)
    {
      goban_plan_set_device (plan, v, (GobanDeviceId) devices[v]);
      goban_plan_set_priority (plan, v, is_backward ? -(gint32) v : (gint32) v);
    }
  goban_decisions_writer_settle (writer, plan);
  return goban_simulator_evaluate (self->simulator, plan);
}

static GobanSpanResult
get_result (GobanOutcome outcome)
{
  return (GobanSpanResult){ outcome.makespan_us, outcome.overflow_bytes, NULL };
}

/* A plan that starts from @base, with passes that change some nodes again. */
static void
run_episode (Episode *self)
{
  guint n = get_n_nodes (self);
  g_autofree guint32 *devices = g_new0 (guint32, n);
  g_autofree guint32 *draft = NULL;
  GobanDecisionsWriter *plan;
  GobanSpanResult result;

  if (self->is_bare)
    decide (self, self->in, 0, devices);
  plan = goban_decisions_writer_open (self->in, &(GobanSpanHead){ .name = "rollout",
                                                                  .level = GOBAN_LEVEL_PLAN,
                                                                  .has_base = !self->is_bare,
                                                                  .base = self->base });
  for (GobanNodeId v = 0; v < n; v++)
    decide (self, plan, v, devices);
  result = get_result (settle (self, plan, devices));
  for (guint pass = 0; pass < 3; pass++)
    {
      GobanDecisionsWriter *refinement = goban_decisions_writer_open (
          plan, &(GobanSpanHead){ .name = "refinement", .level = GOBAN_LEVEL_PASS });
      gboolean is_accepted = goban_rng_below (&self->rng, 2) == 0;
      GobanSpanResult refined;

      g_free (draft);
      draft = g_memdup2 (devices, n * sizeof *devices);
      for (guint k = 0; k < 3; k++)
        decide (self, refinement, goban_rng_below (&self->rng, n), draft);
      if (self->fails && pass == 1)
        return;
      refined = get_result (settle (self, refinement, draft));
      goban_decisions_writer_close (refinement, &refined, is_accepted);
      if (!is_accepted)
        continue;
      result = refined;
      memcpy (devices, draft, n * sizeof *devices);
    }
  goban_decisions_writer_close (plan, &result, goban_rng_below (&self->rng, 3) == 0);
}

static gpointer
episode_worker (gpointer data)
{
  Episode *self = data;

  self->simulator = goban_simulator_new (self->costs);
  run_episode (self);
  goban_simulator_free (self->simulator);
  return NULL;
}

typedef enum
{
  ONE_BY_ONE,       /* without forks */
  FORKS_ONE_BY_ONE, /* each committed before the next begins */
  SIDE_BY_SIDE,
} Way;

static void
run_round (GobanCostModel *costs, GobanDecisionsWriter *round, guint64 seed, GobanMoment base,
           Way way)
{
  Episode episodes[N_EPISODES];
  GThread *threads[N_EPISODES];

  for (guint k = 0; k < N_EPISODES; k++)
    {
      Episode *self = &episodes[k];

      *self = (Episode){ .costs = costs, .base = k % 3 == 2 ? 0 : base, .in = round };
      goban_rng_init (&self->rng, seed * N_EPISODES + k);
      if (way != ONE_BY_ONE)
        self->in = goban_decisions_writer_fork (round);
      if (way == SIDE_BY_SIDE)
        {
          threads[k] = g_thread_new ("episode", episode_worker, self);
          continue;
        }
      episode_worker (self);
      if (way == FORKS_ONE_BY_ONE)
        goban_decisions_writer_commit (round, self->in);
    }
  for (guint k = 0; way == SIDE_BY_SIDE && k < N_EPISODES; k++)
    g_thread_join (threads[k]);
  for (guint k = 0; way == SIDE_BY_SIDE && k < N_EPISODES; k++)
    goban_decisions_writer_commit (round, episodes[k].in);
}

/* Rounds of episodes, after a plan of all nodes on the first device; and the last plan at the end
 * in one moment. */
static GobanDecisions *
record (GobanCostModel *costs, GobanDecisionsWriter *first, guint64 seed, Way way,
        GobanPlan **final)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  Episode start = { .costs = costs, .in = first };
  GobanMoment base = n_nodes;
  g_autofree guint32 *devices = g_new0 (guint32, n_nodes);

  goban_rng_init (&start.rng, seed);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    decide (&start, first, v, devices);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      GobanDecisionsWriter *round = goban_decisions_writer_open (
          first,
          &(GobanSpanHead){
              .name = "update", .level = GOBAN_LEVEL_ROUND, .has_base = TRUE, .base = base });

      run_round (costs, round, seed * N_ROUNDS + i, base, way);
      base = goban_decisions_writer_get_moment (round);
      goban_decisions_writer_close (round, NULL, TRUE);
    }
  *final = goban_plan_new (goban_cost_model_get_graph (costs),
                           goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)));
  goban_decisions_writer_set_plan (first, &(GobanDecisionHead){ .options = GOBAN_OPTION_PLAN },
                                   *final);
  goban_decisions_writer_settle (first, *final);
  return goban_decisions_writer_end (first);
}

static GobanDecisionsWriter *
new_writer (GobanCostModel *costs, gsize max_bytes)
{
  return goban_decisions_writer_new (&(GobanDecisionsOptions){
      .max_bytes = max_bytes,
      .n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)),
      .n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)) });
}

static gboolean
is_same_number (double a, double b)
{
  return (isnan (a) && isnan (b)) || a == b;
}

static void
assert_same_spans (const GobanDecisions *a, const GobanDecisions *b)
{
  g_assert_cmpuint (goban_decisions_get_n_spans (a), ==, goban_decisions_get_n_spans (b));
  for (guint32 s = 1; s <= goban_decisions_get_n_spans (a); s++)
    {
      const GobanSpan *left = goban_decisions_get_span (a, s);
      const GobanSpan *right = goban_decisions_get_span (b, s);

      g_assert_cmpstr (left->name, ==, right->name);
      g_assert_cmpuint (left->parent, ==, right->parent);
      g_assert_cmpuint (left->begin, ==, right->begin);
      g_assert_cmpuint (left->end, ==, right->end);
      g_assert_cmpuint (left->base, ==, right->base);
      g_assert_cmpuint (left->last, ==, right->last);
      g_assert_cmphex (left->digest, ==, right->digest);
      g_assert_true (is_same_number (left->before_us, right->before_us));
      g_assert_true (is_same_number (left->after_us, right->after_us));
      g_assert_cmpint (left->is_accepted, ==, right->is_accepted);
    }
}

static void
assert_same_moments (const GobanDecisions *a, const GobanDecisions *b)
{
  GobanDecisionRoom left_room = { 0 };
  GobanDecisionRoom right_room = { 0 };

  g_assert_cmpuint (goban_decisions_get_n_moments (a), ==, goban_decisions_get_n_moments (b));
  g_assert_cmpuint (goban_decisions_get_last (a), ==, goban_decisions_get_last (b));
  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (a); m++)
    {
      GobanDecision left, right;

      g_assert_true (goban_decisions_get (a, m, &left_room, &left));
      g_assert_true (goban_decisions_get (b, m, &right_room, &right));
      g_assert_cmpuint (left.span, ==, right.span);
      g_assert_cmpuint (left.had, ==, right.had);
      g_assert_cmpuint (left.chosen, ==, right.chosen);
      g_assert_cmpmem (left.nodes, left.n_nodes * sizeof (GobanNodeId), right.nodes,
                       right.n_nodes * sizeof (GobanNodeId));
      if (left.scores != NULL)
        g_assert_cmpmem (left.scores, left.n_options * sizeof (float), right.scores,
                         right.n_options * sizeof (float));
      g_assert_cmpint (left.refusals == NULL, ==, right.refusals == NULL);
      if (left.refusals != NULL)
        g_assert_cmpmem (left.refusals, left.n_options, right.refusals, right.n_options);
      g_assert_cmpmem (left.attended, left.n_attended * sizeof (GobanAttended), right.attended,
                       right.n_attended * sizeof (GobanAttended));
      g_assert_true (is_same_number ((double) left.key, (double) right.key));
      g_assert_cmpuint (goban_decisions_get_previous (a, m), ==,
                        goban_decisions_get_previous (b, m));
      g_assert_cmpint (goban_decisions_is_on_line (a, m), ==, goban_decisions_is_on_line (b, m));
    }
  goban_decision_room_clear (&left_room);
  goban_decision_room_clear (&right_room);
}

static void
test_same (void)
{
  for (guint round = 0; round < 8; round++)
    {
      g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (5 + round), "p100x4");
      guint64 seed = (guint64) g_test_rand_int ();
      g_autoptr (GobanDecisions) expected = NULL;

      for (Way way = ONE_BY_ONE; way <= SIDE_BY_SIDE; way++)
        {
          g_autoptr (GobanPlan) final = NULL;
          g_autoptr (GobanDecisions) decisions
              = record (costs, new_writer (costs, 0), seed, way, &final);

          check_decisions (costs, final, decisions);
          if (way == ONE_BY_ONE)
            {
              expected = g_steal_pointer (&decisions);
              continue;
            }
          assert_same_spans (expected, decisions);
          assert_same_moments (expected, decisions);
        }
    }
}

typedef struct
{
  GobanDecisionsWriter *writer;
  gint is_done;
  GPtrArray *snapshots;
} Watch;

static gpointer
peek_worker (gpointer data)
{
  Watch *self = data;

  while (!g_atomic_int_get (&self->is_done))
    {
      if (self->snapshots->len < 300)
        g_ptr_array_add (self->snapshots, goban_decisions_writer_peek (self->writer));
      g_usleep (20);
    }
  return NULL;
}

/* Snapshots of another thread are beginnings of the whole record. */
static void
test_peek (void)
{
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (40), "p100x4");
  g_autoptr (GobanPlan) final = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GPtrArray) snapshots
      = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_decisions_unref);
  Watch watch = { new_writer (costs, 0), 0, snapshots };
  /* The peeking thread ends before the writer does. */
  GobanDecisionsWriter *round = goban_decisions_writer_open (
      watch.writer, &(GobanSpanHead){ .name = "update", .level = GOBAN_LEVEL_ROUND });
  GThread *thread = g_thread_new ("peek", peek_worker, &watch);

  for (guint k = 0; k < 20; k++)
    run_round (costs, round, k, goban_decisions_writer_get_moment (round), SIDE_BY_SIDE);
  g_atomic_int_set (&watch.is_done, 1);
  g_thread_join (thread);
  g_ptr_array_add (snapshots, goban_decisions_writer_peek (watch.writer));
  goban_decisions_writer_close (round, NULL, TRUE);
  decisions = goban_decisions_writer_end (watch.writer);
  for (guint i = 0; i < snapshots->len; i++)
    {
      const GobanDecisions *snapshot = g_ptr_array_index (snapshots, i);
      GobanDecision seen, kept;

      g_assert_cmpuint (goban_decisions_get_n_moments (snapshot), <=,
                        goban_decisions_get_n_moments (decisions));
      for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (snapshot); m += 7)
        {
          g_assert_true (goban_decisions_get (snapshot, m, NULL, &seen));
          g_assert_true (goban_decisions_get (decisions, m, NULL, &kept));
          g_assert_cmpuint (seen.chosen, ==, kept.chosen);
          g_assert_cmpuint (seen.span, ==, kept.span);
          g_assert_cmpuint (goban_decisions_get_previous (snapshot, m), ==,
                            goban_decisions_get_previous (decisions, m));
        }
    }
}

/* Dropping waits until all forks are committed or freed; the rest is as in a record without a
 * limit. */
static void
test_limit (void)
{
  const gsize limit = 80 << 10;
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (30), "p100x4");
  g_autoptr (GobanPlan) final = NULL;
  g_autoptr (GobanPlan) other = NULL;
  g_autoptr (GobanDecisions) whole = record (costs, new_writer (costs, 0), 5, SIDE_BY_SIDE, &final);
  GobanDecisionsWriter *writer = new_writer (costs, limit);
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanDecisionState expected = { 0 };
  GobanDecisionState state = { 0 };
  guint n_left = 0;

  goban_decisions_writer_free (goban_decisions_writer_fork (writer));
  decisions = record (costs, writer, 5, SIDE_BY_SIDE, &other);
  goban_decision_state_init (&expected, 60);
  goban_decision_state_init (&state, 60);
  g_assert_cmpuint (goban_decisions_get_n_bytes (whole), >, 2 * limit);
  g_assert_cmpuint (goban_decisions_get_n_bytes (decisions), <=, limit);
  g_assert_cmpuint (goban_decisions_get_last (decisions), ==, goban_decisions_get_last (whole));
  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (whole); m++)
    if (goban_decisions_has (decisions, m))
      {
        goban_decisions_fill_state (whole, m, &expected);
        goban_decisions_fill_state (decisions, m, &state);
        g_assert_cmpmem (state.choices[GOBAN_TASK_PLACEMENT], 60 * sizeof (guint32),
                         expected.choices[GOBAN_TASK_PLACEMENT], 60 * sizeof (guint32));
        n_left++;
      }
  g_assert_cmpuint (n_left, >, 10);
  goban_decision_state_clear (&expected);
  goban_decision_state_clear (&state);
}

/* An episode that failed is rejected; one that decided outside of spans leads on from its state;
 * one that is freed leaves nothing. */
static void
test_ends (void)
{
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (4), "p100x4");
  GobanDecisionsWriter *first = new_writer (costs, 0);
  Episode episode = { .costs = costs };
  g_autoptr (GobanDecisions) decisions = NULL;
  GobanMoment before, last;
  const GobanSpan *span;
  GobanDecision decision;

  goban_rng_init (&episode.rng, 11);
  for (guint k = 0; k < 3; k++)
    {
      guint32 devices[8];

      before = goban_decisions_writer_get_moment (first);
      episode.in = goban_decisions_writer_fork (first);
      episode.fails = k == 0;
      episode.is_bare = k == 2;
      if (k == 2)
        decide (&episode, episode.in, 5, devices);
      else
        episode_worker (&episode);
      if (k == 1)
        goban_decisions_writer_free (episode.in);
      else
        goban_decisions_writer_commit (first, episode.in);
      if (k < 2)
        g_assert_cmpuint (goban_decisions_writer_get_moment (first), ==, before);
    }
  g_assert_null (goban_decisions_writer_fork (NULL));
  goban_decisions_writer_commit (NULL, NULL);
  decisions = goban_decisions_writer_end (first);
  last = goban_decisions_get_last (decisions);
  g_assert_cmpuint (last, ==, goban_decisions_get_n_moments (decisions));
  g_assert_cmpuint (goban_decisions_get_previous (decisions, last), ==, 0);
  g_assert_true (goban_decisions_get (decisions, last, NULL, &decision));
  g_assert_cmpuint (decision.span, ==, 0);
  g_assert_cmpuint (decision.nodes[0], ==, 5);
  /* Eight nodes, three changes, and three that were under way. */
  g_assert_cmpuint (last, ==, 8 + 3 + 3 + 1);
  g_assert_cmpuint (goban_decisions_get_n_spans (decisions), ==, 3);
  span = goban_decisions_get_span (decisions, 1);
  g_assert_cmpuint (span->end, ==, last - 1);
  for (guint32 s = 1; s <= 3; s++)
    g_assert_false (goban_decisions_get_span (decisions, s)->is_open);
  g_assert_false (span->is_accepted);
  g_assert_false (goban_decisions_get_span (decisions, 3)->is_accepted);
}

/* In a run that commits each before the next begins, a moment of any episode can be forced. */
static void
test_forcing (void)
{
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (6), "p100x4");
  g_autoptr (GobanPlan) final = NULL;
  g_autoptr (GobanPlan) other = NULL;
  g_autoptr (GobanDecisions) whole = record (costs, new_writer (costs, 0), 3, SIDE_BY_SIDE, &final);
  g_autoptr (GobanDecisions) forced = NULL;
  GobanMoment moment = 2 * goban_decisions_get_n_moments (whole) / 3;
  GobanDecision decision, there;
  GobanDecisionsOptions options = { .n_nodes = 12, .n_devices = 4, .moment = moment };

  g_assert_true (goban_decisions_get (whole, moment, NULL, &decision));
  g_assert_cmpuint (goban_decisions_get_span (whole, decision.span)->level, <=, GOBAN_LEVEL_PLAN);
  options.option = (decision.chosen + 1) % 4;
  options.expected = whole;
  forced = record (costs, goban_decisions_writer_new (&options), 3, FORKS_ONE_BY_ONE, &other);
  g_assert_cmpuint (goban_decisions_get_n_moments (forced), ==,
                    goban_decisions_get_n_moments (whole));
  for (GobanMoment m = 1; m <= moment; m++)
    {
      g_assert_true (goban_decisions_get (whole, m, NULL, &decision));
      g_assert_true (goban_decisions_get (forced, m, NULL, &there));
      g_assert_cmpint (decision.chosen == there.chosen, ==, m < moment);
    }
  g_assert_cmpuint (there.chosen, ==, options.option);
  g_assert_cmpuint (there.flags & GOBAN_DECISION_FORCED, !=, 0);
}

/* Episodes side by side are not compared with the record by numbers that they do not have yet. */
static void
test_expected (void)
{
  g_autoptr (GobanCostModel) costs = toy_costs (toy_two_chains (6), "p100x4");
  GobanDecisionsOptions options = { .n_nodes = 12, .n_devices = 4 };
  g_autoptr (GobanDecisions) whole = NULL;

  for (guint again = 0; again < 2; again++)
    {
      GobanDecisionsWriter *first = goban_decisions_writer_new (&options);
      GobanDecisionsWriter *round = goban_decisions_writer_open (
          first, &(GobanSpanHead){ .name = "update", .level = GOBAN_LEVEL_ROUND });

      run_round (costs, round, 9, 0, SIDE_BY_SIDE);
      goban_decisions_writer_close (round, NULL, TRUE);
      g_assert_null (goban_decisions_writer_get_problem (first));
      g_clear_pointer (&whole, goban_decisions_unref);
      options.expected = whole = goban_decisions_writer_end (first);
      options.moment = goban_decisions_get_n_moments (whole);
    }
}

TEST_PROGRAM (episodes)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/episodes/same", test_same);
  g_test_add_func ("/episodes/peek", test_peek);
  g_test_add_func ("/episodes/limit", test_limit);
  g_test_add_func ("/episodes/ends", test_ends);
  g_test_add_func ("/episodes/forcing", test_forcing);
  g_test_add_func ("/episodes/expected", test_expected);
  return g_test_run ();
}
