/* test-go-decisions.c: what GO's policies say of how they came to their plans is how they did. */
#include "engine/learn/policy/decision-log.h"
#include "engine/learn/policy/step-probabilities.h"
#include "engine/learn/rl/go/incumbent.h"
#include "engine/learn/rl/go/rollouts.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/roster.h"
#include "engine/placers/search/starts.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define SMALL "width=16,heads=2,sage=1,ffn=16,attention=1,segment=16,rollouts=6"

typedef struct
{
  const char *policy;
  const char *settings;
  const char *tasks;
} Way;

/* All that a run can do: from plans, from nothing, at once, drawn task by task, with levels. */
static const Way ways[] = {
  { "go", SMALL, "placement" },
  { "go", SMALL ",start=nothing,direct=0.5", "all" },
  { "go", SMALL ",direct=0.5", "all" },
  { "go", "preset=paper,iterations=2," SMALL, "all" },
  { "go", SMALL ",sampled=1,iterations=2,start=nothing,direct=0.5", "placement,scheduling" },
  { "go-zeroshot", NULL, "placement" },
  { "go-portfolio", NULL, "placement" },
  { "go-finetune", NULL, "placement" },
  { "go-finetune", "start=cells,learn=0", "placement" },
  { "go-finetune", "method=paper", "placement" },
  { "go-refine", SMALL, "placement" },
  { "go-improve", NULL, "placement" },
};

typedef struct
{
  GobanPlan *plan;
  GobanDecisionLog *log;
  GArray *improvements;
} Result;

static void
clear_result (Result *result)
{
  g_clear_pointer (&result->plan, goban_plan_unref);
  g_clear_pointer (&result->log, goban_decision_log_unref);
  g_clear_pointer (&result->improvements, g_array_unref);
}

static GobanCostModel *
new_costs (guint seed)
{
  GraphGen gen = graph_gen_small (40);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);

  return toy_costs (graph, "equal:3,bandwidth=4e6");
}

static Result
place (GobanCostModel *costs, const Way *way, gboolean with_log)
{
  g_autoptr (GError) error = NULL;
  const GobanPlacer *placer = goban_roster_find (way->policy, &error);
  Result result = { .improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement)) };
  GobanLearnedOptions learned = { .log = with_log ? &result.log : NULL };
  GobanPlacerOptions options = { .seed = 5,
                                 .max_evaluations = 70,
                                 .settings = way->settings,
                                 .improvements = result.improvements,
                                 .learned = &learned };
  guint64 evaluations = 0;

  g_assert_no_error (error);
  g_assert_true (goban_tasks_parse (way->tasks, &learned.decisions, &error));
  result.plan = goban_placer_place (placer, costs, &options, &evaluations, &error);
  g_assert_no_error (error);
  return result;
}

/* All probabilities of a step sum to 1, and those of its changes are what was drawn by; moves that
 * were scored have none, and neither has a node that a refinement of the drawn plan moved. */
static void
assert_probabilities (const GobanDecisionLog *log, guint s)
{
  const GobanDecisionMove *move = goban_decision_log_get_step (log, s);
  const GobanStepProbabilities *table = goban_decision_log_get_probabilities (log, s);

  for (guint k = 0; table != NULL && k < GOBAN_N_TASKS; k++)
    for (guint r = 0; r < goban_step_probabilities_get_n_rows (table); r++)
      {
        guint n = goban_step_probabilities_get_task (table, k)->n_actions;
        double sum = 0;

        for (guint a = 0; a < n; a++)
          sum += goban_step_probabilities_get (table, k, r, a);
        g_assert_true (n == 0 || fabs (sum - 1) < 1e-12);
      }
  for (guint c = 0; table == NULL && c < move->n_changes; c++)
    g_assert_true (isnan (move->changes[c].probability));
  for (guint c = 0; table != NULL && c < move->n_changes; c++)
    {
      const GobanLogChange *change = &move->changes[c];
      const GobanTaskProbabilities *part = goban_step_probabilities_get_task (table, change->task);
      double stored = goban_step_probabilities_get (table, change->task, change->row, change->to);

      if (isnan (change->probability))
        {
          g_assert_cmpuint (part->chosen[change->row], !=, change->to);
          continue;
        }
      g_assert_cmpuint (goban_step_probabilities_get_row_of (table, change->nodes[0]), ==,
                        change->row);
      g_assert_cmpuint (part->chosen[change->row], ==, change->to);
      g_assert_cmpfloat (part->entropies[change->row], ==, change->entropy);
      g_assert_cmpfloat (fabs (stored - (double) change->probability), <, 3e-5);
    }
}

/* Steps are linked, and all of them evaluations; each is shorter than all before, or where work
 * counts hardly longer than the best of these, and then a shorter one follows. */
static void
assert_linked (const Result *result)
{
  const GobanDecisionLog *log = result->log;
  double before_us = goban_decision_log_get_start_us (log), best_us = before_us;
  guint64 evaluation = 0;

  for (guint s = 0; s < goban_decision_log_get_n_steps (log); s++)
    {
      const GobanDecisionMove *move = goban_decision_log_get_step (log, s);

      g_assert_true (move->before_us == before_us || (isnan (before_us) && s == 0));
      g_assert_true (s == 0 || move->after_us < best_us * 1.01 || isnan (best_us));
      g_assert_cmpuint (move->evaluation, >, evaluation);
      g_assert_true (move->n_changes > 0 || move->after_us < move->before_us); /* by order alone */
      for (guint c = 0; c < move->n_changes; c++)
        {
          const GobanLogChange *change = &move->changes[c];

          g_assert_cmpuint (change->from, !=, change->to);
          g_assert_cmpuint (change->row, <, move->n_rows);
          g_assert_true (isnan (change->probability)
                         || (change->probability > 0 && change->probability <= 1));
          g_assert_true (isnan (change->entropy) || change->entropy >= 0);
        }
      assert_probabilities (log, s);
      best_us = isnan (best_us) ? move->after_us : fmin (best_us, move->after_us);
      before_us = move->after_us;
      evaluation = move->evaluation;
    }
  g_assert_true (before_us == best_us || isnan (before_us));
}

/* The log ends in what was returned, and where that was found. */
static void
assert_ends_in_plan (const Result *result, const Way *way)
{
  const GobanDecisionLog *log = result->log;
  const GobanImprovement *last
      = &g_array_index (result->improvements, GobanImprovement, result->improvements->len - 1);
  guint n_steps = goban_decision_log_get_n_steps (log);
  g_autofree guint32 *devices = goban_decision_log_dup_choices (log, GOBAN_TASK_PLACEMENT, n_steps);

  g_test_message ("%s %s: %u steps", way->policy, way->settings, n_steps);
  if (n_steps > 0)
    g_assert_cmpuint (goban_decision_log_get_step (log, n_steps - 1)->evaluation, ==,
                      last->evaluation);
  g_assert_cmpfloat (n_steps > 0 ? goban_decision_log_get_step (log, n_steps - 1)->after_us
                                 : goban_decision_log_get_start_us (log),
                     ==, last->makespan_us);
  for (guint v = 0; v < goban_plan_get_n_nodes (result->plan); v++)
    g_assert_cmpuint (devices[v], ==, goban_plan_get_device (result->plan, v));
}

static void
test_tells_the_plan (gconstpointer data)
{
  const Way *way = data;
  guint n_told = 0;

  /* One such log is enough for the sanitizers. */
  for (guint seed = 1; seed <= 3 && (n_told == 0 || !TEST_IS_SANITIZED); seed++)
    {
      g_autoptr (GobanCostModel) costs = new_costs (seed);
      Result result = place (costs, way, TRUE);

      /* A search has no levels of several tasks to tell of. */
      g_assert_true (result.log != NULL || !g_str_equal (way->tasks, "placement"));
      if (result.log != NULL)
        {
          assert_linked (&result);
          assert_ends_in_plan (&result, way);
          n_told += goban_decision_log_get_n_steps (result.log) > 0;
        }
      clear_result (&result);
    }
  g_assert_cmpuint (n_told, >, 0);
}

static gboolean
is_same_plan (const GobanPlan *a, const GobanPlan *b)
{
  for (guint v = 0; v < goban_plan_get_n_nodes (a); v++)
    if (goban_plan_get_device (a, v) != goban_plan_get_device (b, v)
        || goban_plan_get_priority (a, v) != goban_plan_get_priority (b, v))
      return FALSE;
  return TRUE;
}

/* Logging does not change decisions, and the same run gives the same log. */
static void
test_changes_nothing (gconstpointer data)
{
  const Way *way = data;
  g_autoptr (GobanCostModel) costs = new_costs (2);
  Result watched = place (costs, way, TRUE), again = place (costs, way, TRUE);
  Result alone = place (costs, way, FALSE);
  gsize n_bytes = watched.improvements->len * sizeof (GobanImprovement);

  g_assert_null (alone.log);
  g_assert_true (is_same_plan (watched.plan, alone.plan));
  g_assert_cmpmem (watched.improvements->data, n_bytes, alone.improvements->data,
                   alone.improvements->len * sizeof (GobanImprovement));
  g_assert_cmpuint (goban_decision_log_get_n_steps (watched.log), ==,
                    goban_decision_log_get_n_steps (again.log));
  for (guint s = 0; s < goban_decision_log_get_n_steps (watched.log); s++)
    {
      const GobanDecisionMove *a = goban_decision_log_get_step (watched.log, s);
      const GobanDecisionMove *b = goban_decision_log_get_step (again.log, s);

      g_assert_cmpuint (a->n_changes, ==, b->n_changes);
      for (guint c = 0; c < a->n_changes; c++)
        {
          const GobanLogChange *x = &a->changes[c], *y = &b->changes[c];

          g_assert_cmpmem (&x->probability, sizeof (float), &y->probability, sizeof (float));
          g_assert_cmpmem (&x->entropy, sizeof (float), &y->entropy, sizeof (float));
          g_assert_cmpuint (x->nodes[0], ==, y->nodes[0]);
        }
    }
  clear_result (&watched);
  clear_result (&again);
  clear_result (&alone);
}

/* Searches without a network have none. */
static void
test_of_go_alone (void)
{
  static const Way other = { "anneal", NULL, "placement" };
  g_autoptr (GobanCostModel) costs = new_costs (1);
  Result result = place (costs, &other, TRUE);

  g_assert_null (result.log);
  clear_result (&result);
}

/* --- chances -------------------------------------------------------------------------------- */

/* What learning takes for the chance of each choice is what the record says of it. */
static void
assert_chances (const GobanRollouts *rollouts, const GobanDecisionRecord *record, guint r)
{
  guint N = rollouts->n_rows, n_compared = 0;

  g_assert_cmpuint (goban_decision_record_get_n_rows (record), ==, N);
  for (guint s = 0; s < goban_decision_record_get_n_steps (record); s++)
    {
      const GobanDecisionStep *step = goban_decision_record_get_step (record, s);
      const float *old = rollouts->old[step->iteration][step->task];

      for (guint n = 0; step->chosen != NULL && n < N; n++)
        {
          float p = step->probabilities[(gsize) n * step->n_actions + step->chosen[n]];

          g_assert_cmpfloat_with_epsilon (logf (p), old[(gsize) r * N + n], 1e-4);
          n_compared++;
        }
    }
  g_assert_cmpuint (n_compared, >=, 2 * N);
}

typedef struct
{
  gboolean is_sampled;
  gboolean has_plan;
} Kind;

static void
test_chances (gconstpointer data)
{
  const Kind *kind = data;
  GobanProblemOptions how = { .decisions = 1u << GOBAN_TASK_PLACEMENT | 1u };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCostModel) costs = new_costs (3);
  g_autoptr (GobanProblem) problem = goban_problem_new (costs, &how, NULL, &error);
  GobanNetConfig config = goban_net_config_goban ();
  g_auto (GobanIncumbent) incumbent = { 0 };
  g_autoptr (GobanBoard) own = NULL;
  const GobanBoard *board = goban_problem_get_board (problem);
  GobanRng rng;

  g_assert_no_error (error);
  goban_rng_init (&rng, 9);
  config.width = 8;
  config.n_heads = 2;
  config.is_sampled = kind->is_sampled;
  config.n_iterations = kind->is_sampled ? 2 : 1;
  config.decisions = GOBAN_TASKS_ALL; /* more than is asked for */
  if (kind->has_plan)
    {
      g_autoptr (GobanPlan) cut = goban_starts_new_cut (board->units);

      goban_incumbent_set_plan (&incumbent, problem, cut, NULL);
      goban_incumbent_look (&incumbent, problem, NULL);
      own = goban_refiner_new_board (goban_problem_get_refiner (problem), &incumbent.choices, 20,
                                     &rng);
      board = own;
    }
  {
    g_autoptr (GobanNet) net = goban_net_new (&config, &rng);
    g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
    g_autoptr (GobanRollouts) rollouts = goban_rollouts_new (problem, board, &config, 4);

    goban_pass_embed (pass, net);
    goban_rollouts_draw (rollouts, pass, net, 4, &rng);
    for (guint r = 0; r < 4; r++)
      {
        g_autoptr (GobanDecisionRecord) record = goban_rollouts_new_record (rollouts, pass, net, r);

        assert_chances (rollouts, record, r);
      }
  }
}

static const Kind kinds[] = { { FALSE, FALSE }, { TRUE, FALSE }, { FALSE, TRUE } };

TEST_PROGRAM (go_decisions)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *tells = g_strdup_printf ("/go-decisions/tells-the-plan/%u", i);
      g_autofree char *same = g_strdup_printf ("/go-decisions/changes-nothing/%u", i);

      g_test_add_data_func (tells, &ways[i], test_tells_the_plan);
      g_test_add_data_func (same, &ways[i], test_changes_nothing);
    }
  g_test_add_func ("/go-decisions/of-go-alone", test_of_go_alone);
  g_test_add_data_func ("/go-decisions/chances/at-once", &kinds[0], test_chances);
  g_test_add_data_func ("/go-decisions/chances/drawn-in-turn", &kinds[1], test_chances);
  g_test_add_data_func ("/go-decisions/chances/of-a-plan", &kinds[2], test_chances);
  return g_test_run ();
}
