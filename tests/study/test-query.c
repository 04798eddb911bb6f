#include "engine/study/analysis/query.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/slack.h"
#include "tests/sim/random-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

/* a (Conv, 10 us, 1 kB) -> b (MatMul, 2 ms) -> d (Conv, 0 us); a -> c (Relu, 500 us) -> d */
typedef struct
{
  GobanCostModel *costs;
  GobanRun *run; /* c on gpu:1, the rest on gpu:0 */
} Fixture;

static guint32
add (GobanGraphBuilder *builder, const char *name, const char *op, double time_us, double bytes)
{
  guint32 id = goban_graph_builder_add_node (builder, name, op);

  goban_graph_builder_set_time (builder, id, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
  return goban_graph_builder_add_tensor (builder, id, bytes);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GobanGraphBuilder *builder = goban_graph_builder_new ("four", "test");
  g_autoptr (GError) error = NULL;
  guint32 a = add (builder, "enc/a", "Conv", 10, 1000);
  guint32 b = add (builder, "enc/b", "MatMul", 2000, 5e6);
  guint32 c = add (builder, "dec/c", "Relu", 500, 0);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  add (builder, "dec/d", "Conv", 0, 0);
  goban_graph_builder_add_edge (builder, a, 1);
  goban_graph_builder_add_edge (builder, a, 2);
  goban_graph_builder_add_edge (builder, b, 3);
  goban_graph_builder_add_edge (builder, c, 3);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  goban_graph_builder_free (builder);
  cluster = goban_cluster_new_from_spec ("equal:2", &error);
  g_assert_no_error (error);

  fixture->costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, 2);
  goban_plan_set_device (plan, goban_graph_find_node (graph, "dec/c"), 1);
  fixture->run = goban_run_new (fixture->costs, plan, "test");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  goban_cost_model_unref (fixture->costs);
  goban_run_unref (fixture->run);
}

/* The last letters of the names of the nodes that match, in order of name. */
static char *
answer (const Fixture *fixture, const char *text)
{
  GobanNodeContext context = { fixture->costs, fixture->run };
  GobanGraph *graph = goban_cost_model_get_graph (fixture->costs);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanQuery) query = goban_query_new (text, &error);
  GString *letters = g_string_new (NULL);

  g_assert_no_error (error);
  for (const char *letter = "abcd"; *letter != '\0'; letter++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%c", *letter < 'c' ? "enc" : "dec", *letter);

      if (goban_query_matches (query, &context, goban_graph_find_node (graph, name)))
        g_string_append_c (letters, *letter);
    }

  return g_string_free (letters, FALSE);
}

static void
test_matches (Fixture *fixture, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "", "abcd" },
    { "  ", "abcd" },
    { "op = Conv", "ad" },
    { "op == 'Conv'", "ad" },
    { "op != Conv", "bc" },
    { "op ~= \"Conv\"", "bc" },
    { "name ~ '^enc/'", "ab" },
    { "name ~ enc", "ab" },
    { "name !~ '^enc/'", "cd" },
    { "name ~ /^enc.[ab]$/", "ab" },
    { "name = /enc/", "" },
    { "name = 'enc/a' or name = dec/c", "ac" },
    { "/^enc/", "ab" },
    { "/^Conv$/", "ad" },
    { "/^conv$/", "" },
    { "/^conv$/i", "ad" },
    { "/enc.(a|x y)/ or /Relu/", "ac" },
    { "not (/enc/ or /c$/)", "d" },
    { "/enc\\/b/ and op = MatMul", "b" },
    { "/a", "a" },
    { "enc/", "ab" },
    { "~ ^enc", "ab" },
    { "!~ '^(Conv|Relu)$'", "b" },
    { "~ /^relu/i", "c" },
    { "name = 'dec/d'", "d" },
    { "cost > 1ms", "b" },
    { "cost >= 500us", "bc" },
    { "cost<=10us", "ad" },
    { "cost = 0", "d" },
    { "cost < '0.6 ms'", "acd" },
    { "bytes > 1kB", "b" },
    { "bytes >= 1000", "ab" },
    { "bytes = 5MB", "b" },
    { "device = gpu:1", "c" },
    { "device = 'gpu:0' and op = Conv", "ad" },
    { "op = Relu or op = Conv and name ~ enc", "ac" },
    { "(op = Relu or op = Conv) and name ~ enc", "a" },
    { "not op = Conv and not op = Relu", "b" },
    { "not (op = Conv or op = Relu)", "b" },
    { "NOT op = Conv AND cost > 1ms", "b" },
    { "not not op = Conv", "ad" },
    { "start = 0", "a" },
    { "start >= 10us", "bcd" },
    { "slack > 0", "c" },
    { "slack = 1500us", "c" },
    { "group = 0", "" },
    { "group != 0", "abcd" },
    { "phase = forward and source = given", "abcd" },
    /* Words alone search names and ops. */
    { "conv", "ad" },
    { "ENC", "ab" },
    { "dec and relu", "c" },
    { "dec or matmul", "bcd" },
    { "not conv", "bc" },
    { "(enc)", "ab" },
    { "'and'", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *got = answer (fixture, cases[i][0]);

      g_test_message ("%s", cases[i][0]);
      g_assert_cmpstr (got, ==, cases[i][1]);
    }
}

static void
test_mistakes (void)
{
  static const char *const cases[][2] = {
    { "cost > 1", "query, column 8: cost 1: a time needs a unit: 1us, 1ms or 1s" },
    { "cost > fast",
      "query, column 8: cost is compared with a number, but “fast” is not a number" },
    { "cost >", "query, column 7: cost is compared with nothing" },
    { "cost > and", "query, column 8: cost is compared with a number, but “and” is not a number" },
    { "cost ~ 3us", "query, column 8: cost is a number; ~ searches text" },
    { "bytes = 3us",
      "query, column 9: bytes is compared with a number, but “3us” is not a number" },
    { "op = Conv and", "query, column 14: a field, a word or a ( is missing" },
    { "op = Conv op = Relu", "query, column 11: 'and' or 'or' is missing before this" },
    { "'dec/' relu", "query, column 8: 'and' or 'or' is missing before this" },
    { "(op = Conv", "query, column 11: a ) is missing" },
    { "op = Conv)", "query, column 10: 'and' or 'or' is missing before this" },
    { "()", "query, column 2: a field, a word or a ( is missing" },
    { "name ~ 'x", "query, column 8: the string is not closed" },
    { "op ! Conv", "query, column 4: '!' means nothing here" },
    { "= 3", "query, column 1: a field, a word or a ( is missing" },
    { "~", "query, column 2: a regular expression is missing: a word, or write it /so/" },
    { "~ (a|b)", "query, column 3: a regular expression is missing: a word, or write it /so/" },
    { "/conv/ relu", "query, column 8: 'and' or 'or' is missing before this" },
    { "not", "query, column 4: a field, a word or a ( is missing" },
    { "größe \xff", "the query is not UTF-8 text" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("case %" G_GSIZE_FORMAT, i); /* the text itself may be no text */
      g_assert_null (goban_query_new (cases[i][0], &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_cmpstr (error->message, ==, cases[i][1]);
    }
}

static void
test_mistakes_in_names (void)
{
  g_autoptr (GError) field = NULL;
  g_autoptr (GError) regex = NULL;

  g_assert_null (goban_query_new ("conv and größe > 3", &field));
  g_assert_true (
      g_str_has_prefix (field->message, "query, column 10: a node has no field “größe”; it has: "));
  g_assert_null (goban_query_new ("name ~ '('", &regex));
  g_assert_true (
      g_str_has_prefix (regex->message, "query, column 8: “(” is not a valid regular expression"));
}

/* Whatever is typed, the answer is a query or a message. */
static void
test_survives_anything (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GString) longest = g_string_new ("a");
  static const char *const pieces[]
      = { "(",  ")",     "not ", "and ", "or ", "op ", "= ", "'x' ", "3us ",
          "~ ", "cost ", "<",    "'",    " ",   "é",   "/",  "/i " };

  for (int i = 0; i < 100000; i++)
    {
      g_string_append (deep, i % 2 ? "(" : "not ");
      g_string_append (longest, " or a");
    }
  g_assert_null (goban_query_new (deep->str, NULL));
  g_assert_null (goban_query_new (longest->str, NULL));

  for (int i = 0; i < 20000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanQuery) query = NULL;
      int n = g_test_rand_int_range (0, 12);

      for (int k = 0; k < n; k++)
        g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      query = goban_query_new (text->str, &error);
      g_assert_true ((query == NULL) == (error != NULL));
    }
}

static void
test_needs_run (Fixture *fixture, gconstpointer data)
{
  GobanNodeContext context = { fixture->costs, NULL };
  g_autoptr (GobanQuery) plain = goban_query_new ("op = Conv", NULL);
  g_autoptr (GobanQuery) placed = goban_query_new ("op = Conv or not device = gpu:0", NULL);
  g_autoptr (GobanSelection) selection = goban_query_select (plain, &context);
  guint n;

  g_assert_null (goban_query_needs_run (plain));
  g_assert_cmpstr (goban_query_needs_run (placed), ==, "device");
  goban_selection_get_ids (selection, &n);
  g_assert_cmpuint (n, ==, 2);
}

/* --- slack ---------------------------------------------------------------------------------- */

/* On random graphs: nothing has negative slack, the last to finish has none, and steps of the
 * critical path that are ops have none where transfers do not wait for each other. */
static void
test_slack_of_random_runs (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      GraphGen gen = graph_gen_small (3 + seed % 20);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanCluster) cluster
          = goban_cluster_new_from_spec ("equal:3,bandwidth=1e9", &error);
      g_autoptr (GobanCostModel) costs
          = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_CONTENTION_FREE);
      GobanRunOptions options = { .seed = seed };
      g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "random", &options, &error);
      const double *slack_us;
      const GobanStep *steps;
      guint n;

      g_assert_no_error (error);
      slack_us = goban_run_get_slacks (run);
      g_assert_true (slack_us == goban_run_get_slacks (run));
      for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
        g_assert_true (slack_us[v] >= 0 && slack_us[v] <= goban_run_get_makespan_us (run));

      steps = goban_trace_get_critical_path (goban_run_get_trace (run), &n);
      for (guint i = 0; i < n; i++)
        if (!steps[i].is_transfer)
          g_assert_cmpfloat_with_epsilon (slack_us[steps[i].index], 0, 1e-6);
    }
}

/* The same of fused runs: nodes of one kernel have one slack, and those of a path have none. */
static void
test_slack_of_fused_runs (void)
{
  guint n_fused = 0;

  for (guint64 seed = 0; seed < 100; seed++)
    {
      g_auto (RandomRun) made = { NULL };
      g_autoptr (GobanCluster) cluster
          = goban_cluster_new_from_spec ("equal:3,bandwidth=1e9", NULL);
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanRun) run = NULL;
      GobanTrace *trace;
      const double *slack_us;
      const GobanStep *steps;
      GobanRng rng;
      guint n;

      fused_run_init (&made, 3 + seed % 20, seed);
      goban_rng_init (&rng, seed);
      costs = goban_cost_model_new (made.graph, cluster, GOBAN_EXECUTION_CONTENTION_FREE);
      plan = random_plan (costs, &rng);
      fuse_at_random (plan, costs, &rng);
      run = goban_run_new (costs, plan, NULL);
      trace = goban_run_get_trace (run);
      if (goban_trace_get_ops (trace) == NULL)
        continue;
      n_fused += goban_trace_is_fused (trace);
      slack_us = goban_run_get_slacks (run);
      for (guint v = 0; v < goban_graph_get_n_nodes (made.graph); v++)
        {
          g_assert_true (slack_us[v] >= 0 && slack_us[v] <= goban_run_get_makespan_us (run));
          g_assert_cmpfloat (slack_us[v], ==, slack_us[goban_trace_get_kernel (trace, v)]);
        }
      steps = goban_trace_get_critical_path (trace, &n);
      for (guint i = 0; i < n; i++)
        if (!steps[i].is_transfer)
          g_assert_cmpfloat_with_epsilon (slack_us[steps[i].index], 0, 1e-6);
    }
  g_assert_cmpuint (n_fused, >, 40);
}

static void
test_longest_path (Fixture *fixture, gconstpointer data)
{
  guint n;
  g_autofree GobanNodeId *path = goban_longest_path_nodes (fixture->costs, &n);
  GobanGraph *graph = goban_cost_model_get_graph (fixture->costs);

  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (path[0], ==, goban_graph_find_node (graph, "enc/a"));
  g_assert_cmpuint (path[1], ==, goban_graph_find_node (graph, "enc/b"));
  g_assert_cmpuint (path[2], ==, goban_graph_find_node (graph, "dec/d"));
}

TEST_PROGRAM (query)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/analysis/query/matches", Fixture, NULL, set_up, test_matches, tear_down);
  g_test_add_func ("/analysis/query/mistakes", test_mistakes);
  g_test_add_func ("/analysis/query/mistakes/names", test_mistakes_in_names);
  g_test_add_func ("/analysis/query/survives-anything", test_survives_anything);
  g_test_add ("/analysis/query/needs-run", Fixture, NULL, set_up, test_needs_run, tear_down);
  g_test_add_func ("/slack/random-runs", test_slack_of_random_runs);
  g_test_add_func ("/slack/fused-runs", test_slack_of_fused_runs);
  g_test_add ("/longest-path/nodes", Fixture, NULL, set_up, test_longest_path, tear_down);
  return g_test_run ();
}
