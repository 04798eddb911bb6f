/* bench-policy-board.c: cost of making the policy network's board of a large graph.
 *
 * Prints one line per figure, "name value unit": the least time of several, on the wall and of all
 * threads together, of GNMT with 8 layers on p100x8: a row for every unit, then coarse ones; how
 * many rows there are; and the heaviest row's multiple of an equal share of time and of memory, and
 * the bytes that rows exchange. Arguments are specs instead.
 */
#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/spectrum.h"
#include "tests/bench/bench-clock.h"

#include <stdio.h>

static void
print_heaviest (const GobanBoard *board, guint n_wanted)
{
  g_autofree double *bytes = g_new0 (double, board->n_rows);
  const GobanUnits *units = board->units;
  double all_bytes = 0, most_bytes = 0, most = 0;

  for (guint u = 0; u < units->n_units; u++)
    bytes[board->row_of[units->nodes[units->offsets[u]]]]
        += units->param_bytes[u] + units->output_bytes[u];
  for (guint r = 0; r < board->n_rows; r++)
    {
      all_bytes += bytes[r];
      most_bytes = MAX (most_bytes, bytes[r]);
      most = MAX (most, (double) board->weights[r]);
    }
  printf ("heaviest-time-%u %.2f shares\n", n_wanted, most * board->n_rows);
  printf ("heaviest-memory-%u %.2f shares\n", n_wanted, most_bytes / all_bytes * board->n_rows);
}

/* How much of all traffic would be left if every row were on a device of its own. */
static void
print_cut (const GobanBoard *board, guint n_wanted)
{
  const GobanGraph *graph = board->units->graph;
  double all_bytes = 0, cut_bytes = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      gboolean is_cut = FALSE;

      for (guint i = 0; i < edges.n; i++)
        is_cut |= board->row_of[goban_graph_get_edge (graph, edges.ids[i])->head]
                  != board->row_of[tensor->producer];
      all_bytes += edges.n > 0 ? tensor->size_bytes : 0;
      cut_bytes += is_cut ? tensor->size_bytes : 0;
    }
  printf ("cut-%u %.1f %%\n", n_wanted, 100 * cut_bytes / all_bytes);
}

static void
bench_rows (GobanCostModel *costs, guint n_wanted)
{
  double best_ms = G_MAXDOUBLE, best_cpu_ms = G_MAXDOUBLE, best_spectrum_ms = G_MAXDOUBLE;

  for (guint i = 0; i < 5; i++)
    {
      gint64 start_us = g_get_monotonic_time ();
      double start_cpu_ms = process_ms ();
      g_autoptr (GobanBoard) board = goban_board_new (costs, n_wanted, NULL);
      g_autofree float *vectors = NULL;
      double values[GOBAN_SPECTRUM_SIZE];

      best_ms = MIN (best_ms, (double) (g_get_monotonic_time () - start_us) / 1e3);
      best_cpu_ms = MIN (best_cpu_ms, process_ms () - start_cpu_ms);
      vectors = g_new (float, (gsize) board->n_rows *GOBAN_SPECTRUM_SIZE);
      start_us = g_get_monotonic_time ();
      goban_spectrum (vectors, values, &board->both);
      best_spectrum_ms
          = MIN (best_spectrum_ms, (double) (g_get_monotonic_time () - start_us) / 1e3);
      if (i > 0)
        continue;
      printf ("rows-%u %u rows\n", n_wanted, board->n_rows);
      print_heaviest (board, n_wanted);
      print_cut (board, n_wanted);
    }
  printf ("board-%u %.1f ms\n", n_wanted, best_ms);
  printf ("board-cpu-%u %.1f ms\n", n_wanted, best_cpu_ms);
  printf ("spectrum-%u %.1f ms\n", n_wanted, best_spectrum_ms);
}

static void
bench_spec (const char *spec)
{
  static const guint wanted[] = { 0, 256, 512, 1024, 4096 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate (spec, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", NULL);
  g_autoptr (GobanCostModel) costs = NULL;

  if (graph == NULL)
    g_error ("%s: %s", spec, error->message);
  printf ("nodes-%s %u nodes\n", spec, goban_graph_get_n_nodes (graph));
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    bench_rows (costs, wanted[i]);
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    bench_spec (argv[i]);
  if (argc == 1)
    bench_spec ("gnmt:layers=8");
  return 0;
}
