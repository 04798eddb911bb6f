/* compare: policies, plan files, and pages about two of them. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static char *
make_plan (const char *graph, const char *policy)
{
  g_autofree char *name = g_strdup_printf ("%s.plan.json", policy);
  char *plan = cli_temp (name);
  g_auto (CliResult) result = cli_run ("place", graph, "-p", policy, "-o", plan, NULL);

  cli_assert (&result, 0);
  return plan;
}

/* A policy that fails is told, and does not take the others along. */
static void
test_failing_policy (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_auto (CliResult) result = cli_run ("compare", graph, "-p", "heft,mine,metis", "--external",
                                       "mine=sh -c 'exit 3'", NULL);

  cli_assert (&result, 1);
  g_assert_nonnull (strstr (result.out, "heft"));
  g_assert_nonnull (strstr (result.out, "metis"));
  g_assert_nonnull (strstr (result.err, "mine is left out: mine ended too early"));
}

/* Plans are compared in the order given; the second is slower than asked for. */
static void
test_plans (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *single = make_plan (graph, "single");
  g_autofree char *heft = make_plan (graph, "heft");
  g_auto (CliResult) better
      = cli_run ("compare", graph, single, heft, "--fail-if-worse", "0", "--json", NULL);
  g_auto (CliResult) worse
      = cli_run ("compare", graph, heft, single, "--fail-if-worse", "2%", NULL);
  g_auto (CliResult) both = cli_run ("compare", graph, heft, "-p", "metis", "--json", NULL);
  g_auto (CliResult) one = cli_run ("compare", graph, heft, NULL);
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (JsonNode) root_of_both = NULL;
  JsonArray *results;

  cli_assert (&better, 0);
  cli_assert (&worse, 1);
  cli_assert (&both, 0);
  cli_assert (&one, 2);
  root = cli_json (&better);
  results = json_object_get_array_member (json_node_get_object (root), "results");
  g_assert_cmpuint (json_array_get_length (results), ==, 2);
  g_assert_cmpstr (
      json_object_get_string_member (json_array_get_object_element (results, 0), "policy"), ==,
      "single.plan.json");
  root_of_both = cli_json (&both);
  results = json_object_get_array_member (json_node_get_object (root_of_both), "results");
  g_assert_cmpuint (json_array_get_length (results), ==, 3);
}

/* Bars lead from the first makespan to the second; devices in other places change nothing. */
static void
test_why (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_auto (CliResult) text = cli_run ("compare", graph, "-p", "single,heft", "--why", NULL);
  g_auto (CliResult) json
      = cli_run ("compare", graph, "-p", "single,heft", "--why", "--json", NULL);
  g_auto (CliResult) own
      = cli_run ("compare", graph, "-p", "single,heft", "--why", "--own-devices", NULL);
  g_auto (CliResult) alone = cli_run ("compare", graph, "-p", "heft", "--why", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *bars;
  JsonObject *why;
  double at_us;

  cli_assert (&text, 0);
  cli_assert (&json, 0);
  cli_assert (&own, 0);
  cli_assert (&alone, 2);
  g_assert_nonnull (strstr (text.out, "heft takes 740 µs less than single (−40.9 %): placement "));
  root = cli_json (&json);
  why = json_object_get_object_member (json_node_get_object (root), "why");
  bars = json_object_get_array_member (why, "bars");
  at_us = json_object_get_double_member (json_array_get_object_element (bars, 0), "to_us");
  for (guint i = 1; i + 1 < json_array_get_length (bars); i++)
    {
      JsonObject *bar = json_array_get_object_element (bars, i);

      if (!g_str_equal (json_object_get_string_member (bar, "kind"), "group"))
        at_us += json_object_get_double_member (bar, "to_us")
                 - json_object_get_double_member (bar, "from_us");
    }
  g_assert_cmpfloat_with_epsilon (
      at_us,
      json_object_get_double_member (
          json_array_get_object_element (bars, json_array_get_length (bars) - 1), "to_us"),
      1e-6);
}

/* The same comparison gives the same bytes; the page has the lines that make it again, also of what
 * was not asked for. */
static void
test_report (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *path = cli_temp ("report.html");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  gsize sizes[2];

  for (guint i = 0; i < 2; i++)
    {
      g_auto (CliResult) result
          = cli_run ("compare", graph, "-p", "heft,metis", "--report", path, NULL);

      cli_assert (&result, 0);
      g_assert_nonnull (strstr (result.out, "heft is best"));
      *(i == 0 ? &first : &second) = cli_read (path, &sizes[i]);
    }
  g_assert_cmpmem (first, sizes[0], second, sizes[1]);
  g_assert_true (g_str_has_prefix (first, "<!DOCTYPE html>"));
  g_assert_nonnull (strstr (first, "\\np2 = plan.metis(g)\\np3 = plan.single(g)\\n"
                                   "compare(p1, p2, p3):report \\\"report.html\\\""));
}

/* A page on standard output has it for itself; what cannot be is said before any work. */
static void
test_where_to (void)
{
  static const char *const others[] = { "a.pdf", "a.svg", "a.png", "a.gif" };
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_auto (CliResult) out = cli_run ("compare", graph, "-p", "single,heft", "--report", "-", NULL);
  g_auto (CliResult) alone = cli_run ("compare", graph, "-p", "heft", "--report", "a.html", NULL);
  g_auto (CliResult) lost
      = cli_run ("compare", graph, "-p", "single,heft", "--report", "/no/such/a.html", NULL);

  cli_assert (&out, 0);
  g_assert_true (g_str_has_prefix (out.out, "<!DOCTYPE html>"));
  g_assert_null (strstr (out.out, "heft is best"));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_auto (CliResult) other
          = cli_run ("compare", graph, "-p", "single,heft", "--report", others[i], NULL);

      cli_assert (&other, 2);
      g_assert_nonnull (strstr (other.err, "print that page"));
    }
  cli_assert (&alone, 2);
  cli_assert (&lost, 3);
}

/* A share of nothing is no number. */
static void
test_no_work (void)
{
  g_autofree char *in = cli_temp_with ("bare.dot", "digraph { a -> b }", -1);
  g_auto (CliResult) result = cli_run ("compare", in, "-p", "single,heft", NULL);

  cli_assert (&result, 0);
  g_assert_nonnull (strstr (result.out, "is best with 0 µs"));
  g_assert_nonnull (strstr (result.out, "nothing here beats everything on one device"));
  g_assert_null (strstr (result.out, "nan"));
}

/* What two graphs share, and why the plan of the second takes longer. */
static void
test_two_graphs (void)
{
  g_auto (CliResult) text = cli_run ("compare", "gpt:layers=2,batch=1", "gpt:layers=2,batch=1,tp=2",
                                     "-c", "p100x2", NULL);
  g_auto (CliResult) json = cli_run ("compare", "gpt:layers=2,batch=1", "gpt:layers=2,batch=1,tp=2",
                                     "-c", "p100x2", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *matched;
  JsonArray *causes;
  double rest = 0;

  cli_assert (&text, 0);
  g_assert_nonnull (strstr (text.out, "by name, 0 by structure; 0 are in"));
  g_assert_nonnull (strstr (text.out, "computing"));
  cli_assert (&json, 0);
  root = cli_json (&json);
  matched = json_object_get_object_member (json_node_get_object (root), "matched");
  g_assert_cmpint (json_object_get_int_member (matched, "first_alone"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (matched, "second_alone"), >, 0);
  causes = json_object_get_array_member (json_node_get_object (root), "causes");
  for (guint i = 0; i < json_array_get_length (causes); i++)
    {
      double seconds
          = json_object_get_double_member (json_array_get_object_element (causes, i), "seconds");

      rest += i + 1 < json_array_get_length (causes) ? seconds : -seconds;
    }
  g_assert_cmpfloat (fabs (rest), <, 1e-9);
}

TEST_PROGRAM (compare)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/compare/failing-policy", test_failing_policy);
  g_test_add_func ("/cli/compare/plans", test_plans);
  g_test_add_func ("/cli/compare/two-graphs", test_two_graphs);
  g_test_add_func ("/cli/compare/why", test_why);
  g_test_add_func ("/cli/compare/no-work", test_no_work);
  g_test_add_func ("/cli/compare/report", test_report);
  g_test_add_func ("/cli/compare/where-to", test_where_to);
  return cli_end ();
}
