/* Records of policies in session files: what was decided comes back, and whatever is wrong is
 * refused. */
#include "engine/session/document/session-file.h"
#include "engine/study/analysis/steps/step.h"

#include "engine/core/error.h"
#include "engine/learn/policy/decision-log-writer.h"
#include "engine/learn/policy/step-probabilities.h"
#include "engine/machine/plan/placement-record-writer.h"
#include "engine/machine/plan/placement-record.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/steps/step-choices.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/session-text.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanGraph *
make_graph (guint n_nodes, guint64 seed)
{
  const GraphGen gen = graph_gen_small (n_nodes);

  return graph_gen_new (&gen, seed);
}

static void
assert_same_records (GobanRun *a, GobanRun *b)
{
  GobanPlacementRecord *left = goban_run_get_record (a), *right = goban_run_get_record (b);
  guint n = goban_placement_record_get_n_steps (left);
  guint n_values = goban_placement_record_get_n_columns (left);

  g_assert_nonnull (right);
  g_assert_cmpuint (goban_placement_record_get_n_steps (right), ==, n);
  g_assert_cmpstr (goban_placement_record_get_reason (right), ==,
                   goban_placement_record_get_reason (left));
  for (guint s = 1; s <= n; s++)
    {
      g_autofree char *told = goban_steps_describe (a, s), *again = goban_steps_describe (b, s);
      g_autofree char *why = goban_steps_explain (a, n, s % 4);
      g_autofree char *why_again = goban_steps_explain (b, n, s % 4);
      g_autoptr (GobanRun) step = goban_steps_new_run (a, s, NULL);
      g_autoptr (GobanRun) step_again = goban_steps_new_run (b, s, NULL);

      g_assert_cmpstr (told, ==, again);
      g_assert_cmpstr (why, ==, why_again);
      g_assert_true (
          toy_plans_are_same (goban_run_get_plan (step), goban_run_get_plan (step_again)));
    }
  g_assert_cmpuint (goban_placement_record_get_n_rows (right), ==,
                    goban_placement_record_get_n_rows (left));
  for (guint r = 0; r < goban_placement_record_get_n_rows (left); r++)
    for (guint c = 0; c < n_values; c++)
      {
        double x = goban_placement_record_get_row (left, r)[c];
        double y = goban_placement_record_get_row (right, r)[c];

        g_assert_true (x == y || (isnan (x) && isnan (y)));
      }
}

/* What was decided comes back with the session, in the same bytes. */
static void
test_records (void)
{
  static const char *const policies[]
      = { "heft", "cpop", "m-etf", "m-topo", "single", "metis", "brkga", "anneal", "hdp", "exact" };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = make_graph (40, 1);
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  goban_session_set_graph (session, graph, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      const GobanRunOptions options = { .seed = i, .max_evaluations = 130 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) run = goban_run_new_from_policy (goban_session_get_costs (session),
                                                            policies[i], &options, &error);

      g_assert_no_error (error);
      goban_session_add_run (session, run);
    }
  text = session_to_text (session, NULL);
  read = session_read_text (text, "s.goban", graph);
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, G_N_ELEMENTS (policies));
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      GobanRun *run = goban_run_list_get (goban_session_get_runs (session), i);

      assert_same_records (run, goban_snapshot_get_runs (read)->pdata[i]);
    }
  goban_session_open_snapshot (session, read);
  again = session_to_text (session, NULL);
  g_assert_cmpstr (text, ==, again);
}

/* A step that is kept as a plan has the choices up to it; the other nodes stay undecided. */
static void
test_kept_step (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = make_graph (12, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanRun) heft = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanRun) step = goban_steps_new_run (heft, 3, NULL);
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;

  goban_session_add_run (session, step);
  text = session_to_text (session, NULL);
  read = session_read_text (text, "s.goban", graph);
  assert_same_records (step, goban_snapshot_get_runs (read)->pdata[0]);
  g_assert_cmpuint (goban_steps_count (goban_snapshot_get_runs (read)->pdata[0]), ==, 3);
}

static GobanRun *
new_recorded_run (GobanCostModel *costs)
{
  static const GobanChoiceWords words = { "rank", "finish_us", TRUE, "the first device" };
  static const char *const kinds[] = { "up", "down", NULL };
  static const GobanRecordTable table = { .names = { "kind", "value" }, .kinds = kinds };
  static const GobanNodeId nodes[] = { 0, 1, 3 }, last = 2;
  g_autoptr (GobanPlan) plan = toy_place (costs, "single", 0);
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (4, 4);

  goban_placement_record_begin (record, &words);
  goban_placement_record_weigh (record, 1, 12.5, GOBAN_REFUSAL_MEMORY);
  goban_placement_record_choose_device (record, nodes, 3, 0, "first");
  goban_placement_record_choose_device (record, &last, 1, 0, NULL);
  goban_placement_record_set_table (record, &table);
  goban_placement_record_add_row (record, &table, (double[]){ 1, INFINITY });
  goban_placement_record_finish (record);
  return goban_run_new_kept (costs, plan, "mine", &(GobanRunOrigin){ .record = record });
}

static void
test_wrong_records (void)
{
  static const SessionDamage cases[] = {
    { "0-1,3>0 ", "0-1,3>1 ", "choices[0]: it does not match" },
    { "0-1,3>0 ", "0-1,3>4 ", "choices[0]: it does not match" },
    { "0-1,3>0 ", "0-1,4>0 ", "choices[0]: it does not match" },
    { "0-1,3>0 ", "0-2,3>0 ", "choices[0]: it does not match" },
    { "0-1,3>0 ", "0-4000000000>0 ", "choices[0]: it does not match" },
    { ";2>0 ", ";1>0 ", "choices[0]: it does not match" },
    { "12.5!4", "12.5!16", "choices[0]: it does not match" },
    { "12.5!4", "inf!4", "choices[0]: it does not match" },
    { "- - - 0 - ", "- - - 1 - ", "choices[0]: it does not match" },
    { "\"ties\"", "\"undecided\": 1, \"ties\"", "record.undecided: it does not match" },
    { "0-1,3>0 ", "0-1>0 ", "no choice is for node 3" },
    { "1 inf", "2 inf", "rows[0]: it does not match" },
    { "1 inf", "1", "rows[0]: it does not match" },
    { "\"folded_rows\"", "\"faded_rows\"", "faded_rows is not known: did you mean folded_rows?" },
  };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanRun) run = new_recorded_run (costs);
  g_autofree char *text = NULL;

  goban_session_add_run (session, run);
  text = session_to_text (session, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    session_assert_refused (text, &cases[i], GOBAN_ERROR_PARSE);
}

/* A long record loses its candidates first, then all of it. */
static void
test_too_long_records (void)
{
  enum
  {
    N = 50000
  };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) graph = make_graph (N, 1);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:24");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 24);
  g_autoptr (GobanPlacementRecord) record = goban_placement_record_new (N, 24);
  g_autoptr (GobanRun) heft = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanRun) searched = NULL;
  g_autoptr (GobanSnapshot) saved = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  GobanRun *again;
  gsize size;

  for (guint i = 0; i < 20; i++)
    {
      for (GobanNodeId v = 0; v < N; v++)
        goban_plan_set_priority (plan, v, (gint32) (v * 7919 % (N + i)));
      goban_placement_record_add_plan (record, i, plan, 100.0 - i, NULL);
    }
  goban_placement_record_finish (record);
  searched = goban_run_new_kept (costs, plan, "search", &(GobanRunOrigin){ .record = record });
  goban_session_set_graph (session, graph, NULL);
  session_set_cluster (session, goban_cost_model_get_cluster (costs));
  goban_session_add_run (session, heft);
  goban_session_add_run (session, searched);
  saved = goban_snapshot_new (session);
  text = goban_snapshot_to_text (saved, NULL, &size, NULL);
  g_assert_cmpuint (goban_snapshot_get_n_left_out (saved), ==, 1);
  read = session_read_text (text, "s.goban", graph);
  g_assert_nonnull (strstr (goban_snapshot_get_warnings (read)[0], "the 20 decisions"));

  again = goban_snapshot_get_runs (read)->pdata[0];
  g_assert_cmpuint (goban_steps_count (again), ==, N);
  g_assert_nonnull (goban_placement_record_get_choice (goban_run_get_record (heft), N).candidates);
  g_assert_null (goban_placement_record_get_choice (goban_run_get_record (again), N).candidates);
  g_assert_cmpuint (goban_steps_count (goban_snapshot_get_runs (read)->pdata[1]), ==, 0);
}

/* --- decisions of GO ------------------------------------------------------------------------ */

static void
assert_same_probabilities (const GobanStepProbabilities *a, const GobanStepProbabilities *b)
{
  guint n_rows = goban_step_probabilities_get_n_rows (a);

  g_assert_cmpuint (goban_step_probabilities_get_n_rows (b), ==, n_rows);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      const GobanTaskProbabilities *x = goban_step_probabilities_get_task (a, k);
      const GobanTaskProbabilities *y = goban_step_probabilities_get_task (b, k);
      gsize n = (gsize) n_rows * x->n_actions * sizeof *x->units;

      g_assert_cmpmem (x->units, n, y->units, (gsize) n_rows * y->n_actions * sizeof *y->units);
      g_assert_cmpmem (x->chosen, n_rows * sizeof *x->chosen, y->chosen,
                       n_rows * sizeof *y->chosen);
      g_assert_true ((x->attended != NULL) == (x->n_actions > 0));
      if (x->attended != NULL)
        {
          guint n_attended = n_rows * GOBAN_N_ATTENDED;

          g_assert_cmpmem (x->attended, n_attended * sizeof *x->attended, y->attended,
                           n_attended * sizeof *y->attended);
          g_assert_cmpmem (x->attention, n_attended * sizeof *x->attention, y->attention,
                           n_attended * sizeof *y->attention);
        }
      for (guint r = 0; r < n_rows; r++)
        g_assert_cmpfloat (fabsf (x->entropies[r] - y->entropies[r]), <, 1e-6f);
    }
}

static void
assert_same_decisions (GobanRun *a, GobanRun *b)
{
  guint n = goban_steps_count (a);
  const GobanDecisionLog *left = goban_run_get_log (a), *right = goban_run_get_log (b);

  g_assert_cmpuint (goban_steps_count (b), ==, n);
  g_assert_cmpuint (goban_decision_log_get_decisions (left), ==,
                    goban_decision_log_get_decisions (right));
  for (guint s = 0; s <= n; s++)
    {
      g_autofree char *said = goban_steps_describe (a, s);
      g_autofree char *read = goban_steps_describe (b, s);

      if (s > 0)
        assert_same_probabilities (goban_decision_log_get_probabilities (left, s - 1),
                                   goban_decision_log_get_probabilities (right, s - 1));
      g_assert_cmpstr (said, ==, read);
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        for (guint v = 0; v < goban_decision_log_get_n_nodes (left); v++)
          g_assert_cmpuint (goban_steps_get_choice (a, s, k, v), ==,
                            goban_steps_get_choice (b, s, k, v));
    }
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (guint v = 0; v < goban_decision_log_get_n_nodes (left); v++)
      {
        double x = goban_decision_log_get_entropy (left, k, v);
        double y = goban_decision_log_get_entropy (right, k, v);

        g_assert_true ((isnan (x) && isnan (y)) || fabs (x - y) <= 1e-5 * fabs (x));
      }
}

static GobanRun *
new_go_run (GobanCostModel *costs, guint64 seed)
{
  const GobanRunOptions options
      = { .seed = seed, .max_evaluations = 160, .decisions = GOBAN_TASKS_ALL };
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, "go", &options, &error);

  g_assert_no_error (error);
  return run;
}

/* How GO came to its plan, and the step that is shown. */
static void
test_decisions (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  for (guint64 seed = 1; seed <= 3; seed++)
    {
      g_autoptr (GobanCostModel) costs = toy_small_costs (60, seed, "p100x4");
      g_autoptr (GobanRun) run = new_go_run (costs, seed);
      g_autoptr (GobanSession) other = goban_session_new ();
      g_autoptr (GobanSnapshot) read = NULL;
      g_autofree char *text = NULL;
      g_autofree char *again = NULL;
      int step = (int) goban_steps_count (run);

      g_assert_cmpint (step, >, 0);
      goban_session_add_run (session, run);
      goban_view_set_step (goban_session_get_view (session), step);
      text = session_to_text (session, NULL);
      read = session_read_text (text, "s.goban", NULL);
      g_assert_null (goban_snapshot_get_warnings (read)[0]);
      goban_session_open_snapshot (other, read);
      assert_same_decisions (run, goban_session_get_current_run (other));
      g_assert_cmpint (goban_view_get_step (goban_session_get_view (other)), ==, step);
      again = session_to_text (other, NULL);
      g_assert_cmpstr (text, ==, again);
    }
}

static GobanRun *
new_logged_run (GobanCostModel *costs)
{
  static const GobanNodeId nodes[] = { 0, 1, 3 };
  const GobanLogChange change = { GOBAN_TASK_PLACEMENT, 2, 0, 1, 0.625f, 0.5f, nodes, 3 };
  const GobanDecisionMove move = { 1, 5, 0, 30, 4, 1, &change };
  guint32 start[4] = { 0 };
  guint32 *choices[GOBAN_N_TASKS] = { [GOBAN_TASK_PLACEMENT] = start };
  g_autoptr (GobanDecisionLog) log = goban_decision_log_new (4, GOBAN_TASKS_DEFAULT);
  g_autoptr (GobanPlan) plan = toy_place (costs, "single", 0);

  goban_decision_log_begin (log, choices, (GobanOutcome){ 40, 0 });
  g_assert_true (goban_decision_log_add_known (log, &move));
  return goban_run_new_kept (costs, plan, "go", &(GobanRunOrigin){ .log = log });
}

/* What is wrong with them. */
static void
test_wrong_decisions (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  static const SessionDamage cases[] = {
    { "0>1 0.625", "0>9 0.625", "”: “ROW FROM>TO PROBABILITY ENTROPY NODES” is needed" },
    { "0>1 0.625", "1>0 0.625", "does not lead on from the step before" },
    { "0-1,3", "0-1,4", "”: “ROW FROM>TO PROBABILITY ENTROPY NODES” is needed" },
    { "0-1,3", "1-0,3", "”: “ROW FROM>TO PROBABILITY ENTROPY NODES” is needed" },
    { "0-1,3", "0-1,1", "”: “ROW FROM>TO PROBABILITY ENTROPY NODES” is needed" },
    { "0-1,3", "0-4000000000", "”: “ROW FROM>TO PROBABILITY ENTROPY NODES” is needed" },
    { "\"start\": {\n          \"placement\": [\n            \"4*0\"",
      "\"start\": {\n          \"placement\": [\n            \"4*7\"",
      "placement: there is no choice 7" },
    { "2*0.5 - 0.5", "2*0.5 - 0.5 1", "row 1 is not one of 4 numbers" },
    { "2*0.5 - 0.5", "9*0.5", "row 1 is not one of 4 numbers" },
    { "\"tasks\": \"placement\"", "\"tasks\": \"luck\"", "tasks: " },
    { "\"folded\"", "\"faded\"", "decisions.faded is not known; known are entropies, folded" },
  };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanRun) run = new_logged_run (costs);
  g_autofree char *text = NULL;

  goban_session_add_run (session, run);
  text = session_to_text (session, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    session_assert_refused (text, &cases[i], GOBAN_ERROR_PARSE);
}

/* Of a log that is too long for the file its length is told, and the plan is kept. */
static void
test_too_many_decisions (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  enum
  {
    N = 20000
  };
  g_autoptr (GobanGraph) graph = make_graph (N, 1);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);
  g_autoptr (GobanDecisionLog) log = goban_decision_log_new (N, GOBAN_TASKS_DEFAULT);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSnapshot) saved = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  g_autofree GobanNodeId *odd = g_new (GobanNodeId, N / 2);
  guint32 *choices[GOBAN_N_TASKS] = { [GOBAN_TASK_PLACEMENT] = g_new0 (guint32, N) };
  gsize size;

  for (guint v = 0; v < N / 2; v++)
    odd[v] = 2 * v + 1;
  goban_decision_log_begin (log, choices, (GobanOutcome){ 40, 0 });
  for (guint s = 0; s < 100; s++)
    {
      const GobanLogChange change
          = { GOBAN_TASK_PLACEMENT, 2, s % 2, (s + 1) % 2, 0.5f, 0.5f, odd, N / 2 };
      const GobanDecisionMove move = { 1, s, 0, 30, 4, 1, &change };

      g_assert_true (goban_decision_log_add_known (log, &move));
    }
  run = goban_run_new_kept (costs, plan, "go", &(GobanRunOrigin){ .log = log });
  goban_session_add_run (session, run);
  saved = goban_snapshot_new (session);
  text = goban_snapshot_to_text (saved, NULL, &size, NULL);
  g_assert_cmpuint (goban_snapshot_get_n_left_out (saved), ==, 1);
  read = session_read_text (text, "s.goban", graph);
  g_assert_nonnull (strstr (goban_snapshot_get_warnings (read)[0], "the 100 decisions"));
  g_assert_cmpuint (goban_steps_count (goban_snapshot_get_current_run (read)), ==, 0);
  g_free (choices[GOBAN_TASK_PLACEMENT]);
}

TEST_PROGRAM (session_file_record)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/file-record/records", test_records);
  g_test_add_func ("/session/file-record/kept-step", test_kept_step);
  g_test_add_func ("/session/file-record/wrong-records", test_wrong_records);
  g_test_add_func ("/session/file-record/decisions", test_decisions);
  g_test_add_func ("/session/file-record/wrong-decisions", test_wrong_decisions);
  g_test_add_func ("/session/file-record/too-many-decisions", test_too_many_decisions);
  if (!TEST_IS_SANITIZED) /* sizes, of 50,000 nodes: the same code as above */
    g_test_add_func ("/session/file-record/too-long-records", test_too_long_records);
  return g_test_run ();
}
