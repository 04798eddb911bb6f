#include "engine/study/run/collective-run.h"

#include "engine/core/error.h"
#include "engine/study/analysis/span-totals.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <math.h>

#define LATENCY_US 3.0
#define BYTES_PER_US 1000.0
#define BYTES 1.2e6

/* Devices that add up in no time, a link from each to each, with contention. */
static GobanCluster *
new_cluster (guint n)
{
  g_autoptr (GString) json = g_string_new ("{ \"devices\": [");
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;

  for (guint d = 0; d < n; d++)
    g_string_append_printf (json,
                            "%s{ \"name\": \"gpu:%u\", \"kind\": \"gpu\", \"tflops\": 1e18, "
                            "\"memory_bandwidth\": \"unlimited\", \"memory\": \"unlimited\" }",
                            d > 0 ? ", " : "", d);
  g_string_append (json, "], \"all_pairs\": { \"bandwidth\": 1e9, \"latency\": \"3us\" } }");
  cluster = goban_cluster_new_from_json (json->str, -1, "test", &error);
  g_assert_no_error (error);
  return cluster;
}

static GobanRun *
make (guint n, const char *kind, const char *algorithm, GobanCollectiveFigures *figures)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = new_cluster (n);
  GobanCollectiveRunOptions options = { .kind = kind, .algorithm = algorithm, .bytes = BYTES };
  GobanRun *run;

  g_assert_no_error (error);
  run = goban_collective_run_new (cluster, &options, figures, &error);
  g_assert_no_error (error);
  goban_trace_check (goban_run_get_trace (run), &error);
  g_assert_no_error (error);
  return run;
}

/* Steps of so many bytes each, one after the other. */
static double
steps (double n, double bytes)
{
  return n * (LATENCY_US + bytes / BYTES_PER_US);
}

/* 2 (n - 1) / n x bytes / bandwidth + latencies, and as many bytes on each link of the ring. */
static void
test_ring (void)
{
  for (guint n = 2; n <= 8; n++)
    {
      GobanCollectiveFigures figures;
      g_autoptr (GobanRun) run = make (n, "all-reduce", NULL, &figures);
      g_autofree GobanLinkTotal *totals = goban_link_totals_new (run);
      GobanCluster *cluster = goban_run_get_cluster (run);
      double makespan_us = goban_run_get_makespan_us (run);

      g_assert_cmpfloat_with_epsilon (
          makespan_us, 2.0 * (n - 1) / n * BYTES / BYTES_PER_US + 2 * (n - 1) * LATENCY_US, 1e-6);
      g_assert_cmpfloat_with_epsilon (makespan_us, figures.ideal_us, 1e-6);
      g_assert_cmpfloat_with_epsilon (figures.bus_bytes_per_us * makespan_us,
                                      2.0 * (n - 1) / n * BYTES, 1e-3);
      for (guint l = 0; l < goban_cluster_get_n_links (cluster); l++)
        {
          const GobanLink *link = goban_cluster_get_link (cluster, l);
          gboolean is_used = link->to == (link->from + 1) % n;

          g_assert_cmpfloat_with_epsilon (totals[l].bytes, is_used ? 2.0 * (n - 1) / n * BYTES : 0,
                                          1e-3);
          g_assert_cmpuint (totals[l].n_transfers, ==, is_used ? 2 * (n - 1) : 0);
        }
    }
}

static void
test_others (void)
{
  static const struct
  {
    const char *kind;
    const char *algorithm;
    guint n;
    double n_steps;
    double share; /* of the bytes, in each */
  } cases[] = {
    { "reduce-scatter", "ring", 4, 3, 0.25 },
    { "all-gather", NULL, 5, 4, 0.2 },
    { "all-to-all", "direct", 4, 3, 0.25 },
    { "all-reduce", "tree", 8, 6, 1 },
    { "all-reduce", "tree", 5, 6, 1 },
    { "broadcast", NULL, 8, 3, 1 },
    { "send", NULL, 3, 1, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GobanCollectiveFigures figures;
      g_autoptr (GobanRun) run = make (cases[i].n, cases[i].kind, cases[i].algorithm, &figures);
      double expected_us = steps (cases[i].n_steps, cases[i].share * BYTES);

      g_assert_cmpfloat_with_epsilon (figures.ideal_us, expected_us, 1e-6);
      g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (run), expected_us, 1e-6);
    }
}

/* Every rank's result depends on every rank's tensor where it must. */
static void
test_dependences (void)
{
  static const char *const kinds[] = { "all-reduce", "all-gather", "reduce-scatter", "all-to-all" };

  for (gsize k = 0; k < G_N_ELEMENTS (kinds) + 1; k++)
    {
      gboolean is_tree = k == G_N_ELEMENTS (kinds);
      g_autoptr (GobanRun) run
          = make (6, is_tree ? "all-reduce" : kinds[k], is_tree ? "tree" : NULL, NULL);
      GobanGraph *graph = goban_run_get_graph (run);
      guint n = goban_graph_get_n_nodes (graph);
      g_autofree guint *seen = g_new0 (guint, n);

      for (GobanNodeId v = 0; v < n; v++)
        {
          GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
          const char *name = goban_graph_get_node (graph, v)->name;

          if (g_str_has_suffix (name, "/start"))
            seen[v] = 1u << (name[4] - '0');
          for (guint i = 0; i < in.n; i++)
            seen[v] |= seen[goban_graph_get_edge (graph, in.ids[i])->tail];
          if (g_str_has_suffix (name, "/done"))
            g_assert_cmpuint (seen[v], ==, (1u << 6) - 1);
        }
    }
}

#define DEVICE(name)                                                                               \
  "{ \"name\": \"" name "\", \"kind\": \"gpu\", \"tflops\": 1e18,"                                 \
  " \"memory_bandwidth\": \"unlimited\", \"memory\": \"unlimited\" }"
#define LINK(from, to) "{ \"from\": \"" from "\", \"to\": \"" to "\", \"bandwidth\": 1e9 }"

/* Two devices at each of two switches with one link between them: it carries what each device of
 * one side has for each of the other, one after the other, while a ring crosses it once. */
static void
test_contention (void)
{
  /* clang-format off */
  static const char json[]
      = "{ \"devices\": [" DEVICE ("a") "," DEVICE ("b") "," DEVICE ("c") "," DEVICE ("d") "],"
        " \"switches\": [\"s\", \"t\"],"
        " \"links\": [" LINK ("a", "s") "," LINK ("b", "s") "," LINK ("c", "t") ","
        LINK ("d", "t") "," LINK ("s", "t") "] }";
  /* clang-format on */
  static const char *const kinds[] = { "all-to-all", "all-gather" };
  static const double crossings[] = { 4, 3 };

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_json (json, -1, "test", &error);
      GobanCollectiveRunOptions options = { .kind = kinds[k], .bytes = BYTES };
      g_autoptr (GobanRun) run = goban_collective_run_new (cluster, &options, NULL, &error);
      g_autofree GobanLinkTotal *totals = NULL;

      g_assert_no_error (error);
      goban_trace_check (goban_run_get_trace (run), &error);
      g_assert_no_error (error);
      totals = goban_link_totals_new (run);
      for (guint l = 8; l < 10; l++)
        g_assert_cmpfloat_with_epsilon (totals[l].bytes, crossings[k] * BYTES / 4, 1e-3);
      /* Three steps of a quarter each would do without the common link. */
      if (k == 0)
        g_assert_cmpfloat (goban_run_get_makespan_us (run), >=, 4 * BYTES / 4 / BYTES_PER_US);
      else
        g_assert_cmpfloat_with_epsilon (goban_run_get_makespan_us (run),
                                        3 * BYTES / 4 / BYTES_PER_US, 1e-6);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    GobanCollectiveRunOptions options;
    const char *message;
  } cases[] = {
    { { .kind = "all-sum" },
      "there is no collective “all-sum”; there are all-reduce, reduce-scatter, all-gather, "
      "all-to-all, broadcast, send" },
    { { .kind = "all-gather", .algorithm = "tree" },
      "all-gather has no algorithm “tree”: it is ring" },
    { { .kind = "all-reduce", .n_ranks = 9 }, "9 ranks do not fit on the 4 devices of “equal:4”" },
    { { .kind = "all-reduce", .n_ranks = 1 }, "a collective has 2 to 1024 ranks" },
    { { .kind = "all-reduce", .bytes = -1 },
      "a collective moves a finite number of bytes, at least 0" },
  };
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:4", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_collective_run_new (cluster, &cases[i].options, NULL, &error));
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

TEST_PROGRAM (collective_run)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/collective/ring", test_ring);
  g_test_add_func ("/collective/others", test_others);
  g_test_add_func ("/collective/dependences", test_dependences);
  g_test_add_func ("/collective/contention", test_contention);
  g_test_add_func ("/collective/refused", test_refused);
  return g_test_run ();
}
