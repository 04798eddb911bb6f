#include "engine/study/report/report.h"

#include "engine/core/text-table.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static JsonNode *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *root = json_from_string (text, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (text, "\n"));
  return root;
}

/* The promise of the man page: these keys, of these types. */
static void
assert_keys (JsonObject *object, const char *const *keys)
{
  for (guint i = 0; keys[i] != NULL; i++)
    if (!json_object_has_member (object, keys[i]))
      g_error ("the key %s is missing", keys[i]);
}

static void
test_info_keeps_its_keys (void)
{
  static const char *const keys[]
      = { "format",           "nodes",   "edges",    "ops", "parameters", "macs", "work_us",
          "critical_path_us", "sources", "warnings", NULL };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autofree char *text = goban_report_info_json (costs);
  g_autoptr (JsonNode) root = parse (text);
  JsonObject *info = json_node_get_object (root);

  assert_keys (info, keys);
  g_assert_cmpint (json_object_get_int_member (info, "nodes"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (info, "edges"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (info, "parameters"), ==, 1000);
  g_assert_cmpfloat (json_object_get_double_member (info, "macs"), ==, 5e6);
  g_assert_cmpfloat (json_object_get_double_member (info, "work_us"), ==, 220);
  g_assert_cmpfloat (json_object_get_double_member (info, "critical_path_us"), ==, 120);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (info, "ops"), "Conv"),
                   ==, 2);
  g_assert_cmpint (
      json_object_get_int_member (json_object_get_object_member (info, "sources"), "given"), ==, 4);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (info, "warnings")), ==, 0);
}

static void
test_comparison_keeps_its_keys (void)
{
  static const char *const policies[] = { "heft", "round-robin", NULL };
  static const char *const keys[] = { "graph", "cluster", "bound_us", "results", NULL };
  static const char *const result_keys[] = { "policy",
                                             "valid",
                                             "why",
                                             "makespan_us",
                                             "ratio_to_bound",
                                             "peak_bytes",
                                             "transferred_bytes",
                                             "evaluations",
                                             "seconds",
                                             NULL };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanComparison) comparison
      = goban_compare_policies (costs, policies, NULL, NULL, &error);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *results;

  g_assert_no_error (error);
  text = goban_report_comparison_json (comparison, NULL);
  root = parse (text);
  assert_keys (json_node_get_object (root), keys);
  results = json_object_get_array_member (json_node_get_object (root), "results");

  /* The order asked for, and everything on one device at the end. */
  g_assert_cmpuint (json_array_get_length (results), ==, 3);
  for (guint i = 0; i < 3; i++)
    assert_keys (json_array_get_object_element (results, i), result_keys);
  g_assert_cmpstr (
      json_object_get_string_member (json_array_get_object_element (results, 0), "policy"), ==,
      "heft");
  g_assert_cmpfloat (
      json_object_get_double_member (json_array_get_object_element (results, 0), "makespan_us"), ==,
      120);
  g_assert_cmpstr (
      json_object_get_string_member (json_array_get_object_element (results, 2), "policy"), ==,
      "single");
  g_assert_cmpfloat (
      json_object_get_double_member (json_array_get_object_element (results, 2), "makespan_us"), ==,
      220);
}

static void
test_verdict_is_honest (void)
{
  static const char *const policies[] = { "heft", NULL };
  g_autoptr (GobanGraph) diamond = toy_diamond ();
  g_autoptr (GobanGraph) chain = toy_chain ();
  g_autoptr (GobanCostModel) diamond_costs = toy_costs (diamond, "equal:2");
  g_autoptr (GobanCostModel) chain_costs = toy_costs (chain, "equal:2");
  g_autoptr (GobanComparison) a
      = goban_compare_policies (diamond_costs, policies, NULL, NULL, NULL);
  g_autoptr (GobanComparison) b = goban_compare_policies (chain_costs, policies, NULL, NULL, NULL);
  g_autofree char *helps = goban_comparison_get_verdict (a);
  g_autofree char *helps_not = goban_comparison_get_verdict (b);

  g_assert_cmpstr (
      helps, ==,
      "heft is best with 120 µs, the lower bound itself, 45.5 % less than on one device");
  g_assert_nonnull (strstr (helps_not, "nothing here beats everything on one device"));
}

/* What a policy has proven of its plan is said wherever the plan is told of. */
static void
test_proofs_are_told (void)
{
  static const struct
  {
    double bound_us;
    const char *says;
  } cases[] = { { 120, "optimal (proven)" }, { 100, "within 20.0 % of the proven bound" } };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanPlan) plan = toy_place (costs, "heft", 0);
      g_autoptr (GobanRun) run = NULL;
      g_autoptr (GPtrArray) runs = g_ptr_array_new ();
      g_autoptr (GobanComparison) comparison = NULL;
      g_autofree char *text = NULL;
      g_autofree char *table = NULL;
      g_autofree char *verdict = NULL;
      g_autofree char *json = NULL;
      g_autoptr (JsonNode) root = NULL;

      goban_plan_set_proven_bound_us (plan, costs, cases[i].bound_us);
      run = goban_run_new (costs, plan, NULL);
      g_ptr_array_add (runs, run);
      comparison = goban_comparison_new (runs);
      text = goban_report_run_text (run, NULL);
      table = goban_report_comparison_text (comparison);
      verdict = goban_comparison_get_verdict (comparison);
      json = goban_report_run_json (run, NULL);
      root = parse (json);
      g_assert_nonnull (strstr (text, cases[i].says));
      g_assert_nonnull (strstr (table, cases[i].says));
      g_assert_nonnull (strstr (verdict, cases[i].says));
      g_assert_cmpfloat (
          json_object_get_double_member (json_node_get_object (root), "proven_bound_us"), ==,
          cases[i].bound_us);
    }
}

/* The whole story of an out-of-memory would break a table; JSON keeps it. */
static void
test_table_tells_the_short_of_it (void)
{
  static const char *const policies[] = { "heft", NULL };
  static const char small[] = "{\"name\": \"small\", \"devices\": [{\"name\": \"gpu:0\", "
                              "\"kind\": \"gpu\", \"flops_per_s\": 1e12, "
                              "\"memory_bandwidth\": 1e12, \"memory\": 1000}]}";
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, small);
  g_autoptr (GobanComparison) comparison
      = goban_compare_policies (costs, policies, NULL, NULL, NULL);
  g_autofree char *text = goban_report_comparison_text (comparison);
  g_autofree char *json = goban_report_comparison_json (comparison, NULL);

  g_assert_nonnull (strstr (text, "gpu:0 runs out of memory before the start\n"));
  g_assert_nonnull (strstr (text, "its memory cannot hold what has to be resident"));
  g_assert_nonnull (strstr (json, "gpu:0 runs out of memory before the start: "));
}

static void
test_texts_name_what_they_show (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
  g_autoptr (GobanRun) single = goban_run_new_from_policy (costs, "single", NULL, NULL);
  g_autofree char *info = goban_report_info_text (costs);
  g_autofree char *report = goban_report_run_text (run, NULL);
  g_autofree char *node = goban_report_node_text (graph, run, 1);
  g_autofree char *bare = goban_report_node_text (graph, NULL, 1);
  g_autoptr (GobanDifference) difference = goban_difference_new (single, run, 0, NULL);
  g_autofree char *diff = goban_report_diff_text (difference);
  g_autofree char *sentence = goban_report_run_sentence (run);

  g_assert_nonnull (strstr (info, "at most 1.83 times faster"));
  g_assert_nonnull (strstr (report, "gpu:1"));
  g_assert_nonnull (strstr (node, "left"));
  g_assert_nonnull (strstr (node, "start     10 µs"));
  g_assert_null (strstr (bare, "device"));
  g_assert_nonnull (strstr (diff, "−45.5 %"));
  g_assert_cmpstr (sentence, ==,
                   "diamond: 4 nodes on 2 devices by heft, 120 µs, 1.00 times the lower bound");
}

static void
test_info_omits_kinds_without_times (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("one", "test");
  guint32 node = goban_graph_builder_add_node (builder, "a", "op");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autofree char *info = NULL;

  goban_graph_builder_set_time (builder, node, "cpu", INFINITY, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, node, "gpu", 10, GOBAN_SOURCE_GIVEN);
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = toy_costs (graph, "equal:2");
  info = goban_report_info_text (costs);
  g_assert_nonnull (strstr (info, "in the file    10 µs on gpu\n"));
  g_assert_null (strstr (info, "cpu"));
}

static void
test_policies_are_all_told (void)
{
  g_autofree char *text = goban_report_policies_json ();
  g_autoptr (JsonNode) root = parse (text);
  JsonArray *list = json_node_get_array (root);

  g_assert_cmpuint (json_array_get_length (list), >=, 8);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *policy = json_array_get_object_element (list, i);

      g_assert_cmpstr (json_object_get_string_member (policy, "name"), !=, "");
      g_assert_cmpstr (json_object_get_string_member (policy, "blurb"), !=, "");
      g_assert_cmpstr (json_object_get_string_member (policy, "source"), !=, "");
    }
}

static void
test_table_aligns_characters (void)
{
  static const char *const headings[] = { "name", "µs", "<note", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  g_autoptr (GString) text = g_string_new (NULL);

  goban_table_add (table, "a");
  goban_table_add (table, "%d", 100);
  goban_table_add (table, "é");
  goban_table_add (table, "longer");
  goban_table_add (table, "%d", 7);
  goban_table_add (table, "%s", "");
  goban_table_append_to (table, text);
  g_assert_cmpstr (text->str, ==,
                   "name     µs  note\n"
                   "a       100  é\n"
                   "longer    7\n");
}

/* A heading above nothing takes room that the other columns need. */
static void
test_table_leaves_out_empty_columns (void)
{
  static const char *const headings[] = { "name", "none", "µs", "<note", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 2; i++)
    {
      goban_table_add (table, "%s", i == 0 ? "" : "b");
      goban_table_add (table, "%s", "");
      goban_table_add (table, "%d", i);
      goban_table_add (table, "%s", "");
    }
  goban_table_append_to (table, text);
  g_assert_cmpstr (text->str, ==,
                   "name  µs\n"
                   "       0\n"
                   "b      1\n");
}

TEST_PROGRAM (report)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/report/info-keeps-its-keys", test_info_keeps_its_keys);
  g_test_add_func ("/report/report/info-omits-kinds-without-times",
                   test_info_omits_kinds_without_times);
  g_test_add_func ("/report/report/comparison-keeps-its-keys", test_comparison_keeps_its_keys);
  g_test_add_func ("/report/report/verdict-is-honest", test_verdict_is_honest);
  g_test_add_func ("/report/report/table-tells-the-short-of-it", test_table_tells_the_short_of_it);
  g_test_add_func ("/report/report/texts-name-what-they-show", test_texts_name_what_they_show);
  g_test_add_func ("/report/report/proofs-are-told", test_proofs_are_told);
  g_test_add_func ("/report/report/policies-are-all-told", test_policies_are_all_told);
  g_test_add_func ("/report/report/table-aligns-characters", test_table_aligns_characters);
  g_test_add_func ("/report/report/table-leaves-out-empty-columns",
                   test_table_leaves_out_empty_columns);
  return g_test_run ();
}
