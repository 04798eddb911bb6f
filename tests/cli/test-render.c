/* render and traces: all endings, both views, the same bytes twice, traces that viewers open. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

static char *
make_plan (const char *graph, const char *name)
{
  char *plan = cli_temp (name);
  g_auto (CliResult) result = cli_run ("place", graph, "-p", "heft", "-o", plan, NULL);

  cli_assert (&result, 0);
  return plan;
}

/* "graph svg": a view and an ending. */
static void
test_picture (gconstpointer data)
{
  static const char *const magics[][2]
      = { { "svg", "<?xml" }, { "png", "\211PNG\r\n\032\n" }, { "pdf", "%PDF-" } };
  g_auto (GStrv) words = g_strsplit (data, " ", 2);
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *plan = make_plan (graph, "picture.plan.json");
  g_autofree char *name = g_strdup_printf ("%s.%s", words[0], words[1]);
  g_autofree char *picture = cli_temp (name);
  g_auto (CliResult) result = cli_run ("render", graph, "--plan", plan, "--view", words[0], "-o",
                                       picture, "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *bytes = NULL;
  JsonObject *report;
  gsize size;

  cli_assert (&result, 0);
  root = cli_json (&result);
  report = json_node_get_object (root);
  cli_assert_keys (report, "output:s view:s bytes:n");
  g_assert_cmpstr (json_object_get_string_member (report, "view"), ==, words[0]);
  bytes = cli_read (picture, &size);
  g_assert_cmpint (json_object_get_int_member (report, "bytes"), ==, (gint64) size);
  for (guint i = 0; i < G_N_ELEMENTS (magics); i++)
    if (strcmp (words[1], magics[i][0]) == 0)
      g_assert_cmpint (memcmp (bytes, magics[i][1], strlen (magics[i][1])), ==, 0);
}

static void
test_graph_without_plan (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_auto (CliResult) drawn = cli_run ("render", graph, "-o", "-", NULL);
  g_auto (CliResult) timeline = cli_run ("render", graph, "--view", "timeline", "-o", "-", NULL);

  cli_assert (&drawn, 0);
  g_assert_true (g_str_has_prefix (drawn.out, "<?xml"));
  g_assert_true (g_str_has_suffix (drawn.out, "</svg>\n"));
  cli_assert (&timeline, 2);
  g_assert_nonnull (strstr (timeline.err, "--plan"));
}

static void
test_same_bytes (void)
{
  g_autofree char *graph = project_path ("samples/inception-v3.onnx");
  g_autofree char *plan = make_plan (graph, "same.plan.json");

  for (guint i = 0; i < 2; i++)
    {
      const char *view = i == 0 ? "graph" : "timeline";
      g_auto (CliResult) a
          = cli_run ("render", graph, "--plan", plan, "--view", view, "-o", "-", NULL);
      g_auto (CliResult) b
          = cli_run ("render", graph, "--plan", plan, "--view", view, "-o", "-", NULL);

      cli_assert (&a, 0);
      g_assert_cmpuint (a.out_size, >, 10000);
      g_assert_cmpstr (a.out, ==, b.out);
    }
}

/* Every colouring is another picture; an unknown one, or one that needs a plan, is refused before
 * any work. */
static void
test_color (void)
{
  static const char *const colors[] = { "device", "op", "priority", "cost", "slack", "bytes" };
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *plan = make_plan (graph, "color.plan.json");
  g_auto (CliResult) last = { 0 };
  g_auto (CliResult) none = cli_run ("render", graph, "--color", "mood", "-o", "-", NULL);
  g_auto (CliResult) needs = cli_run ("render", graph, "--color", "slack", "-o", "-", NULL);
  g_auto (CliResult) alone = cli_run ("render", graph, "--color", "cost", "-o", "-", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    {
      CliResult result
          = cli_run ("render", graph, "--plan", plan, "--color", colors[i], "-o", "-", NULL);

      cli_assert (&result, 0);
      g_assert_cmpstr (result.out, !=, last.out);
      cli_result_clear (&last);
      last = result;
    }
  cli_assert (&none, 2);
  g_assert_nonnull (strstr (none.err, "there is no colouring “mood”; there are: device, op, cost"));
  cli_assert (&needs, 2);
  g_assert_nonnull (strstr (needs.err, "slack is known with a plan only"));
  cli_assert (&alone, 0);
}

static void
test_size (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *picture = cli_temp ("size.png");
  g_auto (CliResult) result
      = cli_run ("render", graph, "-o", picture, "--width", "640", "--height", "400", NULL);
  g_autofree guint8 *bytes = NULL;
  gsize size;

  cli_assert (&result, 0);
  bytes = (guint8 *) cli_read (picture, &size);
  g_assert_cmpuint (size, >, 24);
  g_assert_cmpuint (bytes[18] << 8 | bytes[19], ==, 640); /* PNG's IHDR */
  g_assert_cmpuint (bytes[22] << 8 | bytes[23], ==, 400);
}

/* samples/toy.dot has the groups image, text and head. */
static void
test_groups (void)
{
  static const char *const looks[][4] = { { "--group", "none" },
                                          { "--group", "scope" },
                                          { "--group", "scope", "--expand", "text" },
                                          { "--group", "scope", "--layout", "wrapped" } };
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_auto (CliResult) plain = cli_run ("render", graph, "-o", "-", NULL);
  g_auto (CliResult) unknown
      = cli_run ("render", graph, "-o", "-", "--group", "scope", "--expand", "sound", NULL);
  g_autofree char *last = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_auto (CliResult) a = cli_run ("render", graph, "-o", "-", looks[i][0], looks[i][1],
                                      looks[i][2], looks[i][3], NULL);
      g_auto (CliResult) b = cli_run ("render", graph, "-o", "-", looks[i][0], looks[i][1],
                                      looks[i][2], looks[i][3], NULL);

      cli_assert (&a, 0);
      g_assert_cmpstr (a.out, ==, b.out);
      g_assert_cmpint (g_str_equal (a.out, plain.out), ==, i == 0);
      g_assert_cmpstr (a.out, !=, last);
      g_free (last);
      last = g_strdup (a.out);
    }
  g_assert_cmpint (unknown.exit_code, !=, 0);
  g_assert_nonnull (strstr (unknown.err, "there is no group “sound”"));
}

/* A grouping that finds nothing says why, and every node is drawn. */
static void
test_flat (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *sample = project_path ("samples/resnet-50.onnx");
  g_auto (CliResult) plain = cli_run ("render", graph, "-o", "-", NULL);
  g_auto (CliResult) flat = cli_run ("render", graph, "-o", "-", "--group", "use", NULL);
  g_auto (CliResult) nodes = cli_run ("render", sample, "-o", "-", NULL);
  g_auto (CliResult) layers
      = cli_run ("render", sample, "-o", "-", "--group", "parameter", "--expand", "stem", NULL);

  cli_assert (&plain, 0);
  cli_assert (&flat, 0);
  g_assert_cmpstr (plain.out, ==, flat.out);
  g_assert_null (strstr (plain.err, "warning"));
  g_assert_nonnull (
      strstr (flat.err, "warning: No parameter of this graph is used more than once"));
  cli_assert (&nodes, 0);
  cli_assert (&layers, 0);
  g_assert_null (strstr (layers.err, "warning"));
  g_assert_cmpuint (layers.out_size, <, nodes.out_size);
}

/* A script that looks at a graph as the options say draws the same picture. */
static void
test_script_draws_the_same (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *script = cli_temp ("groups.lua");
  g_autofree char *picture = cli_temp ("groups.svg");
  g_autofree char *text = g_strdup_printf ("view.open(graph.load \"%s\")\nview.group \"scope\"\n"
                                           "view.expand \"text\"\nassert(view.save \"%s\")\n",
                                           graph, picture);
  g_auto (CliResult) drawn
      = cli_run ("render", graph, "-o", "-", "--group", "scope", "--expand", "text", NULL);
  g_autofree char *saved = NULL;
  gsize size;

  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  {
    g_auto (CliResult) ran = cli_run ("run", script, NULL);

    cli_assert (&ran, 0);
  }
  saved = cli_read (picture, &size);
  g_assert_cmpmem (saved, size, drawn.out, drawn.out_size);
}

/* A film of the run; more in draw/film. */
static void
test_film (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *plan = make_plan (graph, "film.plan.json");
  g_autofree char *film = g_strconcat (plan, ".apng", NULL);
  g_autofree char *saved = NULL;
  g_auto (CliResult) drawn = cli_run ("render", graph, "--plan", plan, "-o", film, "--width", "160",
                                      "--height", "160", "--json", NULL);
  g_auto (CliResult) planless = cli_run ("render", graph, "-o", film, NULL);
  gsize size;

  cli_assert (&drawn, 0);
  g_assert_nonnull (strstr (drawn.out, "\"view\": \"film\""));
  saved = cli_read (film, &size);
  g_assert_cmpmem (saved + 37, 4, "acTL", 4);
  cli_assert (&planless, 2);
  g_assert_nonnull (strstr (planless.err, "needs a plan"));
}

/* Lanes are named, and every slice lies in one and ends by the makespan. */
static void
test_trace (void)
{
  g_autofree char *graph = project_path ("samples/toy.dot");
  g_autofree char *plan = make_plan (graph, "trace.plan.json");
  g_auto (CliResult) trace
      = cli_run ("simulate", graph, "--plan", plan, "--trace", "-", "--json", NULL);
  g_auto (CliResult) again
      = cli_run ("simulate", graph, "--plan", plan, "--trace", "-", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonArray *events;
  guint n_lanes = 0, n_slices = 0;
  double end_us = 0;

  cli_assert (&trace, 0);
  g_assert_cmpstr (trace.out, ==, again.out);
  root = cli_json (&trace);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (root));
  events = json_object_get_array_member (json_node_get_object (root), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      const char *phase = json_object_get_string_member (event, "ph");

      if (strcmp (phase, "M") == 0)
        n_lanes += strcmp (json_object_get_string_member (event, "name"), "thread_name") == 0;
      if (strcmp (phase, "X") != 0)
        continue;
      cli_assert_keys (event, "name:s ts:n dur:n pid:n tid:n");
      n_slices++;
      end_us = MAX (end_us, json_object_get_double_member (event, "ts")
                                + json_object_get_double_member (event, "dur"));
    }
  g_assert_cmpuint (n_lanes, >=, 4);
  g_assert_cmpuint (n_slices, >=, 12);
  g_assert_cmpfloat_with_epsilon (end_us, 1070, 0.01);
}

TEST_PROGRAM (render)
{
  static const char *const pictures[]
      = { "graph svg", "graph png", "graph pdf", "timeline svg", "timeline png", "timeline pdf" };

  cli_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (pictures[i]), " ", '-');
      g_autofree char *path = g_strdup_printf ("/cli/render/%s", name);

      g_test_add_data_func (path, pictures[i], test_picture);
    }
  g_test_add_func ("/cli/render/graph-without-plan", test_graph_without_plan);
  g_test_add_func ("/cli/render/same-bytes", test_same_bytes);
  g_test_add_func ("/cli/render/color", test_color);
  g_test_add_func ("/cli/render/groups", test_groups);
  g_test_add_func ("/cli/render/flat", test_flat);
  g_test_add_func ("/cli/render/script-draws-the-same", test_script_draws_the_same);
  g_test_add_func ("/cli/render/size", test_size);
  g_test_add_func ("/cli/simulate/trace", test_trace);
  g_test_add_func ("/cli/simulate/film", test_film);
  return cli_end ();
}
