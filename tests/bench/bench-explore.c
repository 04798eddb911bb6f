/* bench-explore.c: cost of exploring the largest graph: "name value unit", in milliseconds of this
 * thread's processor time, the best of several. Arguments are specs or files, whose hierarchies are
 * printed instead, for people.
 */
#include "engine/graph/workloads/workload.h"
#include "engine/io/io.h"
#include "engine/machine/cluster/cluster.h"
#include "engine/session/session-graph.h"
#include "engine/session/session.h"
#include "engine/session/view-groups.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/analysis/hierarchy/hierarchy.h"
#include "engine/study/analysis/playback-state.h"
#include "tests/bench/bench-clock.h"

#include <math.h>
#include <stdio.h>

#define N_TIMES 7

static GobanGraph *
read_graph (const char *name)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_workload_is_spec (name) ? goban_workload_generate (name, &error)
                                                    : goban_graph_load (name, NULL, NULL, &error);

  if (graph == NULL)
    g_error ("%s", error->message);
  return graph;
}

static void
print_hierarchies (const char *name)
{
  g_autoptr (GobanGraph) graph = read_graph (name);

  for (int i = 0; i < GOBAN_N_GROUPINGS; i++)
    {
      g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, (GobanGrouping) i, NULL);
      g_autofree char *text = goban_hierarchy_to_text (hierarchy, 2);

      printf ("== %s by %s: %s\n%s", name, goban_grouping_name ((GobanGrouping) i),
              goban_grouping_name (goban_hierarchy_get_grouping (hierarchy)), text);
    }
}

static void
bench_hierarchy (GobanGraph *graph, const char *name, GobanGrouping grouping)
{
  double best_ms = INFINITY;

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_hierarchy_unref (goban_hierarchy_new (graph, grouping, NULL));
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("%s %.1f ms\n", name, best_ms);
}

/* What the main thread does when all groups are opened: the view's list of them, and its line of
 * the log. */
static void
bench_open_all (GobanGraph *graph)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  GobanView *view = goban_session_get_view (session);
  guint n = goban_hierarchy_get_n_groups (hierarchy);
  g_autofree const char **paths = g_new0 (const char *, n + 1);
  double best_ms = INFINITY;

  goban_session_set_graph (session, graph, NULL);
  for (guint g = 1; g < n; g++)
    paths[g - 1] = goban_hierarchy_get_group (hierarchy, g)->path;
  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms;

      goban_view_set_expanded (view, paths + n - 1);
      start_ms = cpu_ms ();
      goban_view_set_expanded (view, paths);
      best_ms = MIN (best_ms, cpu_ms () - start_ms);
    }
  printf ("open-all-80k %.1f ms\n", best_ms);
}

/* Of a run on eight devices, and the same with a tenth of its ops elsewhere and all priorities
 * turned round. */
static void
bench_runs (GobanGraph *graph)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanRun) after = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *states = g_new (guint8, n_nodes);
  double moment_ms = INFINITY;
  double difference_ms = INFINITY;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  before = goban_run_new_from_policy (costs, "heft", NULL, &error);
  g_assert_no_error (error);
  plan = goban_plan_copy (goban_run_get_plan (before));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      goban_plan_set_priority (plan, v, -goban_plan_get_priority (plan, v));
      if (v % 10 == 0)
        goban_plan_set_device (plan, v, (goban_plan_get_device (plan, v) + 1) % 8);
    }
  after = goban_run_new (costs, plan, "turned round");

  for (guint i = 0; i < N_TIMES; i++)
    {
      double start_ms = cpu_ms ();

      goban_playback_state_compute (before, goban_run_get_makespan_us (before) * (i + 1) / N_TIMES,
                                    states, NULL);
      moment_ms = MIN (moment_ms, cpu_ms () - start_ms);
      start_ms = cpu_ms ();
      goban_difference_unref (goban_difference_new (before, after, 10, NULL)); /* one graph */
      difference_ms = MIN (difference_ms, cpu_ms () - start_ms);
    }
  printf ("moment-80k %.2f ms\n", moment_ms);
  printf ("difference-80k %.2f ms\n", difference_ms);
}

int
main (int argc, char **argv)
{
  g_autoptr (GobanGraph) graph = NULL;

  for (int i = 1; i < argc; i++)
    print_hierarchies (argv[i]);
  if (argc > 1)
    return 0;

  graph = read_graph ("gnmt:layers=8");
  bench_hierarchy (graph, "hierarchy-80k", GOBAN_GROUPING_SCOPE);
  bench_hierarchy (graph, "hierarchy-80k-layers", GOBAN_GROUPING_LAYER);
  bench_hierarchy (graph, "hierarchy-80k-steps", GOBAN_GROUPING_STEP);
  bench_open_all (graph);
  bench_runs (graph);
  return 0;
}
