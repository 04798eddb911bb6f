/* Shared pages: whole, without addresses of others, as much of a graph as they can hold, and the
 * same bytes for the same runs. tests/cli/share-in-browser.sh looks at one in a browser. */
#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/study/run/policy-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/shared-data.h"
#include "ui/draw/palette.h"
#include "ui/draw/reports/share.h"

#include "engine/study/run/graph-source.h"
#include "tests/support/test-program.h"

#include <json-glib/json-glib.h>
#include <string.h>

static GobanCostModel *
new_costs (GobanGraph *graph, const char *cluster_name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (cluster_name, &error);

  g_assert_no_error (error);
  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static GobanRun *
place (GobanCostModel *costs, const char *policy)
{
  g_autoptr (GError) error = NULL;
  GobanRun *run = goban_run_new_from_policy (costs, policy, NULL, &error);

  g_assert_no_error (error);
  return run;
}

static char *
make_page (GobanRun *const *runs, guint n_runs)
{
  GobanShareOrder order = { .runs = runs, .n_runs = n_runs, .shown = n_runs - 1 };
  g_autoptr (GError) error = NULL;
  char *page = goban_share_new_page (&order, &error);

  g_assert_no_error (error);
  return page;
}

/* The data inside the page. */
static JsonNode *
read_data (const char *page)
{
  static const char *const begin = "<script id=\"data\" type=\"application/json\">";
  const char *start = strstr (page, begin);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  const char *end;

  g_assert_nonnull (start);
  start += strlen (begin);
  end = strstr (start, "</script>");
  g_assert_nonnull (end);
  json_parser_load_from_data (parser, start, end - start, &error);
  g_assert_no_error (error);
  return json_parser_steal_root (parser);
}

static guint
count (JsonObject *object, const char *member)
{
  return json_array_get_length (json_object_get_array_member (object, member));
}

/* Nothing that a browser would load. */
static void
check_alone (const char *page)
{
  static const char *const loads[]
      = { "http:", "https:", " src=", "@import", "url(", "<link", "fetch(", "XMLHttp", "import(" };

  for (guint i = 0; i < G_N_ELEMENTS (loads); i++)
    g_assert_null (strstr (page, loads[i]));
  g_assert_true (g_str_has_prefix (page, "<!DOCTYPE html>"));
  g_assert_true (g_str_has_suffix (page, "</html>\n"));
  g_assert_true (g_utf8_validate (page, -1, NULL));
}

/* Times of the slices of a lane add up to what the device computed, if none are merged. */
static void
check_busy (JsonObject *data, guint p)
{
  JsonObject *plan
      = json_array_get_object_element (json_object_get_array_member (data, "plans"), p);
  JsonArray *lanes = json_object_get_array_member (plan, "lanes");
  JsonArray *devices = json_object_get_array_member (plan, "devices");
  double tick = json_object_get_double_member (data, "tick");

  for (guint d = 0; d < json_array_get_length (lanes); d++)
    {
      JsonArray *lane = json_array_get_array_element (lanes, d);
      double busy = json_object_get_double_member_with_default (
          json_array_get_object_element (devices, d), "busy", 0);
      double sum = 0;

      for (guint i = 0; i < json_array_get_length (lane); i += 5)
        sum += tick * (double) json_array_get_int_element (lane, i + 1);
      g_assert_cmpfloat_with_epsilon (sum, busy, tick * (1 + json_array_get_length (lane)));
    }
}

static void
test_toy (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, NULL); /* asserted */
  g_autoptr (GobanCostModel) costs = new_costs (graph, "p100x2");
  g_autoptr (GobanRun) a = place (costs, "single");
  g_autoptr (GobanRun) b = place (costs, "heft");
  GobanRun *runs[] = { a, b };
  g_autofree char *page = make_page (runs, 2);
  g_autofree char *again = make_page (runs, 2);
  g_autoptr (JsonNode) root = read_data (page);
  JsonObject *data = json_node_get_object (root);
  JsonArray *plans = json_object_get_array_member (data, "plans");
  guint n_nodes = goban_graph_get_n_nodes (graph);

  check_alone (page);
  g_assert_cmpstr (page, ==, again);
  g_assert_cmpuint (count (data, "names"), ==, n_nodes);
  g_assert_cmpuint (count (data, "boxes"), ==, 6 * n_nodes);
  g_assert_cmpuint (count (data, "edges"), ==, 3 * goban_graph_get_n_edges (graph));
  g_assert_cmpuint (json_array_get_length (plans), ==, 2);
  g_assert_cmpuint (count (data, "differences"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (data, "shown"), ==, 1);
  for (guint p = 0; p < 2; p++)
    {
      check_busy (data, p);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        g_assert_cmpint (
            json_array_get_int_element (
                json_object_get_array_member (json_array_get_object_element (plans, p), "place"),
                v),
            ==, goban_plan_get_device (goban_run_get_plan (runs[p]), v));
    }
}

/* A plan with the two equal devices exchanged is called like the first one, in which nothing moved;
 * under their own names all of it has moved. */
static void
test_renamed (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);
  g_autoptr (GobanCostModel) costs = new_costs (graph, "equal:2");
  g_autoptr (GobanRun) run = place (costs, "heft");
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_run_get_plan (run));
  guint n_nodes = goban_graph_get_n_nodes (graph);

  g_assert_no_error (error);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_device (plan, v, 1 - goban_plan_get_device (plan, v));
  for (guint is_own = 0; is_own < 2; is_own++)
    {
      g_autoptr (GobanRun) exchanged = goban_run_new (costs, plan, "exchanged");
      GobanShareOrder order = { .runs = (GobanRun *[]){ run, exchanged },
                                .n_runs = 2,
                                .has_own_devices = is_own == 1,
                                .script = "compare(1, 2) -- </script>" };
      g_autofree char *page = goban_share_new_page (&order, &error);
      g_autoptr (JsonNode) root = read_data (page);
      JsonObject *data = json_node_get_object (root);
      JsonObject *shown
          = json_array_get_object_element (json_object_get_array_member (data, "plans"), 1);
      JsonArray *moves = json_object_get_array_member (
          json_array_get_object_element (json_object_get_array_member (data, "differences"), 0),
          "moves");
      gint64 n_moved = 0;

      g_assert_no_error (error);
      for (guint i = 2; i < json_array_get_length (moves); i += 3)
        n_moved += json_array_get_int_element (moves, i);
      g_assert_cmpint (n_moved, ==, is_own ? n_nodes : 0);
      g_assert_cmpuint (count (shown, "to"), ==, is_own ? 0 : 2);
      g_assert_cmpint (*json_object_get_string_member (shown, "renamed") != '\0', ==, !is_own);
      g_assert_cmpint (json_object_get_int_member (shown, "kernels"), ==, n_nodes);
      g_assert_cmpstr (json_object_get_string_member (data, "script"), ==, order.script);
    }
}

/* The devices of the last step are those of the plan; before the first nothing is decided. */
static void
test_steps (void)
{
  GraphGen gen = graph_gen_small (70);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 3);
  g_autoptr (GobanCostModel) costs = new_costs (graph, "equal:3");
  g_autoptr (GobanRun) run = place (costs, "heft");
  g_autofree char *page = make_page (&run, 1);
  g_autoptr (JsonNode) root = read_data (page);
  JsonObject *plan = json_array_get_object_element (
      json_object_get_array_member (json_node_get_object (root), "plans"), 0);
  JsonArray *steps = json_object_get_array_member (plan, "steps");
  JsonArray *places = json_object_get_array_member (plan, "place");
  g_autofree gint64 *shown = g_new (gint64, 70);

  g_assert_cmpuint (json_array_get_length (steps), >, 1);
  g_assert_cmpuint (json_array_get_length (steps), <=, GOBAN_SHARE_STEPS);
  for (guint i = 0; i < 70; i++)
    shown[i] = -1;
  for (guint s = 0; s < json_array_get_length (steps); s++)
    {
      JsonArray *changes
          = json_object_get_array_member (json_array_get_object_element (steps, s), "changes");

      for (guint i = 0; i < json_array_get_length (changes); i += 2)
        shown[json_array_get_int_element (changes, i)]
            = json_array_get_int_element (changes, i + 1);
    }
  for (guint i = 0; i < 70; i++)
    g_assert_cmpint (shown[i], ==, json_array_get_int_element (places, i));
}

/* A graph too large to be shown node by node: fewer boxes, which still stand for all nodes. */
static void
test_large (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (9000, 5);
  g_autoptr (GobanCostModel) costs = new_costs (graph, "equal:2,bandwidth=10e9B/s");
  g_autoptr (GobanRun) run = place (costs, "m-topo");
  g_autofree char *page = make_page (&run, 1);
  g_autoptr (JsonNode) root = read_data (page);
  JsonObject *data = json_node_get_object (root);
  JsonArray *boxes = json_object_get_array_member (data, "boxes");
  gint64 n = 0;

  check_alone (page);
  g_assert_true (json_object_get_boolean_member (data, "grouped"));
  g_assert_cmpuint (count (data, "names"), <=, GOBAN_SHARE_ITEMS);
  g_assert_cmpuint (count (data, "names"), >, GOBAN_SHARE_ITEMS / 10);
  for (guint i = 4; i < json_array_get_length (boxes); i += 6)
    n += json_array_get_int_element (boxes, i);
  g_assert_cmpint (n, ==, 9000);
  g_assert_cmpuint (strlen (page), <, 1000000);
}

/* A name cannot end the data, and a page is of one graph. */
static void
test_hostile (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("</script><b>", "json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanGraph) toy = goban_graph_source_load ("rnnlm:layers=1,steps=2", NULL, &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCostModel) other = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *page = NULL;
  GobanRun *runs[2];

  g_assert_no_error (error);
  goban_graph_builder_add_node (builder, "</script>", "<!--");
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = new_costs (graph, "equal:2");
  other = new_costs (toy, "equal:2");
  runs[0] = place (costs, "single");
  runs[1] = place (other, "single");
  page = make_page (runs, 1);
  root = read_data (page);
  g_assert_cmpstr (json_array_get_string_element (
                       json_object_get_array_member (json_node_get_object (root), "names"), 0),
                   ==, "</script>");
  g_assert_null (strstr (page, "<b>"));
  g_assert_null (goban_share_new_page (&(GobanShareOrder){ .runs = runs, .n_runs = 2 }, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  goban_run_unref (runs[0]);
  goban_run_unref (runs[1]);
}

/* Whether the page has all of these words, each after the one before. */
static void
check_words (const char *page, const char *const *words, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const char *found = strstr (page, words[i]);

      if (found == NULL)
        g_error ("the page has no “%s” after “%s”", words[i], i > 0 ? words[i - 1] : "");
      page = found;
    }
}

/* What a phone, a keyboard and eyes that do not tell colours apart need, as far as it can be read
 * in the page; tests/cli/share-in-browser.js uses it. */
static void
test_reach (void)
{
  static const char *const style[] = {
    "touch-action: pan-y",
    "canvas.picture.zoomed { touch-action: none; }",
    "@media (pointer: coarse)",
    "min-height: 40px",
    "min-width: 40px",
    "@media (max-width: 700px)",
    "#plans tr { display: flex;",
  };
  static const char *const body[] = {
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    "aria-label=\"Zoom in\"",
    "<canvas id=\"graph\" class=\"picture\" tabindex=\"0\" role=\"group\"",
    "<section id=\"steps-section\" hidden",
  };
  static const char *const script[] = {
    "pointercancel",
    "pinch (event)",
    "setAttribute('aria-label'",
    "setAttribute('aria-pressed'",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load ("rnnlm:layers=1,steps=2", NULL, &error);
  g_autoptr (GobanCostModel) costs = new_costs (graph, "equal:9");
  g_autoptr (GobanRun) run = place (costs, "m-topo");
  g_autofree char *page = make_page (&run, 1);
  g_autoptr (JsonNode) root = read_data (page);
  JsonObject *data = json_node_get_object (root);
  JsonArray *cues = json_object_get_array_member (data, "cues");

  g_assert_no_error (error);
  check_words (page, style, G_N_ELEMENTS (style));
  check_words (page, body, G_N_ELEMENTS (body));
  check_words (page, script, G_N_ELEMENTS (script));
  g_assert_null (strstr (page, "user-scalable"));
  g_assert_cmpuint (json_array_get_length (cues), ==, 9);
  for (guint d = 0; d < 9; d++)
    for (guint y = 0; y < 8; y++)
      g_assert_cmpint (json_array_get_int_element (json_array_get_array_element (cues, d), y), ==,
                       goban_palette_cue_bits (goban_palette_cue (d))[y]);
  g_assert_cmpuint (count (json_object_get_object_member (data, "dark"), "hatches"), ==, 9);
}

TEST_PROGRAM (share)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/share/toy", test_toy);
  g_test_add_func ("/share/renamed", test_renamed);
  g_test_add_func ("/share/steps", test_steps);
  g_test_add_func ("/share/large", test_large);
  g_test_add_func ("/share/hostile", test_hostile);
  g_test_add_func ("/share/reach", test_reach);
  return g_test_run ();
}
