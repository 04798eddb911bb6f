/* Times of finding nodes among 84,464, in milliseconds of this thread's processor time: best of
 * 5. */
#include "engine/session/session.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/analysis/query.h"
#include "engine/study/log/set-description.h"
#include "engine/study/run/graph-source.h"
#include "tests/bench/bench-clock.h"

#include <math.h>
#include <stdio.h>

#define GRAPH "gnmt:layers=8"
#define N_TIMES 5

static void
bench_search (const char *name, const char *text, const GobanNodeContext *context)
{
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();
      g_autoptr (GobanQuery) query = goban_query_new (text, NULL);
      g_autoptr (GobanSelection) found = goban_query_select (query, context);
      guint n;

      best = MIN (best, cpu_ms () - start);
      goban_selection_get_ids (found, &n);
      g_assert_cmpuint (n, >, 0);
    }
  printf ("%s %.1f ms\n", name, best);
}

static void
bench_sort (const char *name, const char *field, const GobanNodeContext *context)
{
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();
      guint n;
      g_autofree GobanNodeId *nodes = goban_node_list_sort (
          context, NULL, goban_node_field_find (field, NULL), TRUE, NULL, &n, NULL);

      best = MIN (best, cpu_ms () - start);
      g_assert_nonnull (nodes);
    }
  printf ("%s %.1f ms\n", name, best);
}

/* What the log says of a set that is no range and no group: half of all nodes, here and there. */
static void
bench_words (const char *name, const char *text, const GobanNodeContext *context)
{
  GobanGraph *graph = goban_cost_model_get_graph (context->costs);
  g_autoptr (GobanSetDescription) words = goban_set_description_new ();
  g_autoptr (GobanQuery) query = goban_query_new (text, NULL);
  g_autoptr (GobanSelection) found = goban_query_select (query, context);
  double best = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start = cpu_ms ();

      g_free (
          goban_set_description_to_lua (words, graph, found, goban_run_get_source (context->run)));
      best = MIN (best, cpu_ms () - start);
    }
  printf ("%s %.1f ms\n", name, best);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (GRAPH, &(GobanLoadOptions){ 0 }, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  GobanNodeContext context;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  run = goban_run_new_from_policy (costs, "critical-path", NULL, &error);
  g_assert_no_error (error);
  context = (GobanNodeContext){ costs, run };

  bench_search ("search-80k", "lstm", &context);
  bench_search ("search-80k-letter", "e", &context);
  bench_search ("search-80k-pattern", "/layer_[13].*MatMul/", &context);
  bench_search ("search-80k-expression", "cost > 20us and device = gpu:1 and slack < 1s", &context);
  bench_words ("words-80k-scattered", "cost > 5us", &context);
  bench_words ("words-80k-few", "cost > 60us and device = gpu:1", &context);
  bench_sort ("sort-80k-number", "slack", &context);
  bench_sort ("sort-80k-text", "name", &context);
  return 0;
}
