/* Records of policies in session files: what was decided comes back, and whatever is wrong is
 * refused. */
#include "engine/analysis/step.h"
#include "engine/document/session-file.h"

#include "engine/analysis/step-choices.h"
#include "engine/base/error.h"
#include "engine/plan/placement-record-writer.h"
#include "engine/plan/placement-record.h"
#include "engine/run/run-origin.h"
#include "engine/session/session-cluster.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
#include "tests/support/graph-gen.h"
#include "tests/support/rounds.h"
#include "tests/support/session-text.h"
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
  goban_session_set_cluster (session, goban_cost_model_get_cluster (costs));
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/file-record/records", test_records);
  g_test_add_func ("/session/file-record/kept-step", test_kept_step);
  g_test_add_func ("/session/file-record/wrong-records", test_wrong_records);
  if (!TEST_IS_SANITIZED) /* sizes, of 50,000 nodes: the same code as above */
    g_test_add_func ("/session/file-record/too-long-records", test_too_long_records);
  return g_test_run ();
}
