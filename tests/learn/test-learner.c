/* The learner: the same bytes again, better plans with time, no more than its budget, and nothing
 * but numbers. */
#include "engine/learn/rl/go/learner.h"

#include "engine/core/error.h"
#include "engine/core/parallel.h"
#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* A graph to learn on, and a small network that learns. */
typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanBaseline baseline;
} Case;

static void
case_clear (Case *self)
{
  goban_learner_free (self->learner);
  goban_problem_free (self->problem);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

typedef struct
{
  GobanGraph *graph; /* (transfer full) */
  const char *cluster;
  const char *net;             /* over a small one */
  GobanTasks decisions;        /* of the problem, and of the network */
  GobanTasks more;             /* those of the network alone */
  GobanPpoConfig ppo;          /* zero: goban's, of 8 rollouts */
  GobanProblemOptions options; /* but for decisions */
  guint64 seed;
} Shape;

static GobanNet *
new_net (const char *settings, GobanTasks decisions, guint64 seed)
{
  g_autofree char *text
      = g_strdup_printf ("width=16,heads=2,sage=1,ffn=16,attention=1,segment=16%s%s",
                         settings != NULL ? "," : "", settings != NULL ? settings : "");
  g_autoptr (GError) error = NULL;
  GobanNetConfig config = goban_net_config_goban ();
  GobanRng rng;

  goban_net_config_parse (text, &config, &error);
  g_assert_no_error (error);
  config.decisions = decisions;
  goban_rng_init (&rng, seed);
  return goban_net_new (&config, &rng);
}

static Case
new_case (Shape shape)
{
  GobanTasks decisions = shape.decisions != 0 ? shape.decisions : GOBAN_TASKS_DEFAULT;
  GobanPpoConfig ppo = shape.ppo;
  Case self = { .graph = shape.graph, .costs = toy_costs (shape.graph, shape.cluster) };
  g_autoptr (GError) error = NULL;

  if (ppo.n_rollouts == 0)
    {
      ppo = goban_ppo_config_goban ();
      ppo.n_rollouts = 8;
    }
  shape.options.decisions = decisions;
  self.problem = goban_problem_new (self.costs, &shape.options, NULL, &error);
  g_assert_no_error (error);
  self.learner = goban_learner_new (new_net (shape.net, decisions | shape.more, shape.seed + 1),
                                    &ppo, shape.seed);
  return self;
}

static GobanUpdate
update_once (Case *self, GobanSearch *search, double fraction)
{
  g_autoptr (GError) error = NULL;
  GobanUpdate update;
  gboolean is_done = goban_learner_update (self->learner, self->problem, &self->baseline, search,
                                           fraction, &update, &error);

  g_assert_no_error (error);
  g_assert_true (is_done);
  return update;
}

/* --- the same bytes ------------------------------------------------------------------------- */

static GByteArray *
learn_a_little (guint n_threads, guint64 seed, const char *net)
{
  GobanPpoConfig ppo = goban_ppo_config_goban ();
  g_auto (Case) self = { NULL };

  ppo.n_rollouts = 8;
  goban_parallel_set_max_threads (n_threads);
  self = new_case ((Shape){ .graph = goban_workload_generate ("rnnlm:layers=2,steps=6", NULL),
                            .cluster = "p100x4",
                            .net = net,
                            .ppo = ppo,
                            .options = { .n_rows = 48, .ranks_alike = TRUE },
                            .decisions = GOBAN_TASKS_ALL,
                            .seed = seed });
  for (guint i = 0; i < 3; i++)
    update_once (&self, NULL, i / 3.0);
  goban_parallel_set_max_threads (0);
  return goban_params_write (self.learner->net->params);
}

static void
check_same (const char *net)
{
  g_autoptr (GByteArray) one = learn_a_little (1, 5, net);
  g_autoptr (GByteArray) again = learn_a_little (1, 5, net);
  g_autoptr (GByteArray) two = learn_a_little (2, 5, net);
  g_autoptr (GByteArray) other = learn_a_little (1, 6, net);

  g_assert_cmpmem (one->data, one->len, again->data, again->len);
  g_assert_cmpmem (one->data, one->len, two->data, two->len);
  g_assert_true (one->len != other->len || memcmp (one->data, other->data, one->len) != 0);
}

static void
test_same_update (void)
{
  check_same (NULL);
}

static void
test_same_sampled (void)
{
  check_same ("sampled=1,iterations=2");
}

/* --- learning ------------------------------------------------------------------------------- */

/* Two chains of 8 ops of 10 us: 80 us where each has a device of its own, and nothing is
 * shorter. */
static Case
new_chains (guint64 seed)
{
  return new_case ((Shape){ .graph = toy_two_chains (8),
                            .cluster = "p100x2",
                            .options = { .ranks_alike = TRUE },
                            .seed = seed });
}

static void
test_learns_directly (void)
{
  for (guint64 seed = 1; seed <= 3; seed++)
    {
      const GobanPlacerOptions options = { .max_evaluations = 400 };
      g_auto (Case) self = new_chains (seed);
      g_auto (GobanSearch) search = { 0 };
      double first = 0, last = 0;

      goban_search_begin (&search, &options, 0);
      for (guint i = 0; i < 50; i++)
        {
          double reward = update_once (&self, &search, i / 50.0).mean_reward;

          first += i < 5 ? reward / 5 : 0;
          last += i >= 45 ? reward / 5 : 0;
        }
      g_test_message ("mean reward from %g to %g, best %g us", first, last,
                      search.outcome.makespan_us);
      g_assert_cmpuint (search.n_evaluations, ==, 400);
      g_assert_cmpfloat (last, >, first + 0.03);
      g_assert_cmpfloat (search.outcome.makespan_us, <, 80 * 1.2);
    }
}

/* --- the budget ----------------------------------------------------------------------------- */

static void
test_budget (void)
{
  static const guint64 budgets[] = { 1, 2, 3, 9, 10, 11, 25 };

  for (gsize i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      const GobanPlacerOptions options = { .max_evaluations = budgets[i] };
      g_auto (Case) self = new_chains (i);
      g_auto (GobanSearch) direct = { 0 };

      goban_search_begin (&direct, &options, 0);
      for (guint j = 0; j < 5; j++)
        update_once (&self, &direct, 0);
      g_assert_cmpuint (direct.n_evaluations, ==, budgets[i]);
    }
}

/* Where nothing may be simulated nothing is learned. */
static void
test_spent (void)
{
  const GobanPlacerOptions options = { .max_evaluations = 8 };
  g_auto (Case) self = new_chains (1);
  g_auto (GobanSearch) search = { 0 };
  GobanParams *params = self.learner->net->params;
  g_autoptr (GByteArray) before = NULL;
  g_autoptr (GByteArray) after = NULL;

  goban_search_begin (&search, &options, 0);
  g_assert_cmpuint (update_once (&self, &search, 0).n_rollouts, ==, 8);
  before = goban_params_write (params);
  g_assert_cmpuint (update_once (&self, &search, 0).n_rollouts, ==, 0);
  after = goban_params_write (params);
  g_assert_cmpmem (before->data, before->len, after->data, after->len);
}

/* --- nothing but numbers -------------------------------------------------------------------- */

/* A number of each tensor in turn is none: where that is noticed it is said, by name, and all is as
 * it was. */
static void
test_not_finite (void)
{
  g_auto (Case) self = new_case ((Shape){
      .graph = toy_mixed (30, 3), .cluster = TOY_MIXED_CLUSTER, .decisions = GOBAN_TASKS_ALL });
  GobanParams *params = self.learner->net->params;
  guint n_refused = 0, n_named = 0;

  for (guint t = 0; t < params->tensors->len; t++)
    {
      float *value = goban_params_value (params, t), kept = *value;
      g_autoptr (GError) error = NULL;
      GobanUpdate update;
      gboolean is_done;

      *value = NAN;
      is_done = goban_learner_update (self.learner, self.problem, &self.baseline, NULL, 0, &update,
                                      &error);
      g_assert_true (is_done == (error == NULL));
      if (!is_done)
        {
          n_refused++;
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
          g_assert_nonnull (strstr (error->message, "not finite"));
          n_named += strstr (error->message, goban_params_get_tensor (params, t)->name) != NULL;
        }
      *value = kept;
    }
  g_test_message ("%u of %u refused, %u by their names", n_refused, params->tensors->len, n_named);
  g_assert_cmpuint (n_refused, >, params->tensors->len * 3 / 4);
  g_assert_cmpuint (n_named, >, n_refused * 3 / 4);
  update_once (&self, NULL, 0);
}

static GobanPlan *
try_likeliest (Case *self)
{
  GobanPlacerOptions options = { .max_evaluations = 1 };
  GobanSearch search;
  guint64 evaluations = 0;

  goban_search_begin (&search, &options, 1);
  goban_learner_try (self->learner, self->problem, &search);
  return goban_search_end (&search, &evaluations);
}

/* Even then plans can be run. */
static void
test_not_finite_plans (void)
{
  g_auto (Case) self = new_case ((Shape){
      .graph = toy_mixed (30, 3), .cluster = TOY_MIXED_CLUSTER, .decisions = GOBAN_TASKS_ALL });
  GobanParams *params = self.learner->net->params;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) greedy = NULL;

  *goban_params_value (params, 0) = NAN;
  greedy = try_likeliest (&self);
  goban_plan_check (greedy, self.costs, &error);
  g_assert_no_error (error);
}

/* The likeliest plan is no matter of chance, and asking for it leaves chance alone. */
static void
test_greedy (void)
{
  g_auto (Case) self = new_case ((Shape){
      .graph = toy_mixed (40, 3), .cluster = TOY_MIXED_CLUSTER, .decisions = GOBAN_TASKS_ALL });
  g_auto (Case) other = new_case ((Shape){
      .graph = toy_mixed (40, 3), .cluster = TOY_MIXED_CLUSTER, .decisions = GOBAN_TASKS_ALL });
  g_autoptr (GobanPlan) a = try_likeliest (&self);
  g_autoptr (GobanPlan) b = try_likeliest (&self);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GByteArray) others = NULL;

  g_assert_true (toy_plans_are_same (a, b));
  update_once (&self, NULL, 0);
  update_once (&other, NULL, 0);
  bytes = goban_params_write (self.learner->net->params);
  others = goban_params_write (other.learner->net->params);
  g_assert_cmpmem (bytes->data, bytes->len, others->data, others->len);
}

TEST_PROGRAM (learner)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/learner/same-bytes-updating", test_same_update);
  g_test_add_func ("/rl/learner/same-bytes-sampled", test_same_sampled);
  g_test_add_func ("/rl/learner/learns-directly", test_learns_directly);
  g_test_add_func ("/rl/learner/budget", test_budget);
  g_test_add_func ("/rl/learner/budget-is-spent", test_spent);
  g_test_add_func ("/rl/learner/not-finite", test_not_finite);
  g_test_add_func ("/rl/learner/not-finite-plans", test_not_finite_plans);
  g_test_add_func ("/rl/learner/greedy", test_greedy);
  return g_test_run ();
}
