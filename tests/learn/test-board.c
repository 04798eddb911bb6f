#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/op-kinds.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanBoard *
new_board (GobanCostModel *costs, guint n_wanted)
{
  g_autoptr (GError) error = NULL;
  GobanBoard *board = goban_board_new (costs, n_wanted, &error);

  g_assert_no_error (error);
  g_assert_nonnull (board);
  return board;
}

static double
get (const GobanBoard *board, guint row, guint column)
{
  g_assert_cmpuint (row, <, board->n_rows);
  return (double) board->x[(gsize) row * GOBAN_BOARD_N_FEATURES + column];
}

static double
get_device (const GobanBoard *board, guint device, guint column)
{
  return (double) board->devices[(gsize) device * GOBAN_DEVICE_N_FEATURES + column];
}

/* --- what always holds --------------------------------------------------------------------- */

static void
check_rows (const GobanBoard *board)
{
  guint n_nodes = goban_graph_get_n_nodes (board->units->graph);

  g_assert_cmpuint (board->offsets[0], ==, 0);
  g_assert_cmpuint (board->offsets[board->n_rows], ==, n_nodes);
  for (guint r = 0; r < board->n_rows; r++)
    {
      g_assert_cmpuint (board->offsets[r + 1], >, board->offsets[r]);
      if (r > 0)
        g_assert_cmpuint (board->nodes[board->offsets[r]], >, board->nodes[board->offsets[r - 1]]);
      for (guint i = board->offsets[r]; i < board->offsets[r + 1]; i++)
        {
          g_assert_cmpuint (board->row_of[board->nodes[i]], ==, r);
          if (i > board->offsets[r])
            g_assert_cmpuint (board->nodes[i], >, board->nodes[i - 1]);
        }
    }
  for (GobanNodeId v = 1; v < n_nodes; v++)
    if (board->units->unit_of[v] == board->units->unit_of[v - 1])
      g_assert_cmpuint (board->row_of[v], ==, board->row_of[v - 1]);
}

static gboolean
has_neighbour (const GobanSegments *segments, guint row, guint32 other)
{
  for (guint32 i = segments->offsets[row]; i < segments->offsets[row + 1]; i++)
    if (segments->ids[i] == other)
      return TRUE;
  return FALSE;
}

static guint
count_pairs (const GobanSegments *segments, const GobanBoard *board)
{
  g_assert_cmpint (segments->N, ==, (int) board->n_rows);
  for (guint r = 0; r < board->n_rows; r++)
    for (guint32 i = segments->offsets[r]; i < segments->offsets[r + 1]; i++)
      {
        g_assert_cmpuint (segments->ids[i], <, board->n_rows);
        g_assert_cmpuint (segments->ids[i], !=, r);
        if (i > segments->offsets[r])
          g_assert_cmpuint (segments->ids[i], >, segments->ids[i - 1]);
      }
  return segments->offsets[board->n_rows];
}

/* By the edges, the slow way. */
static void
check_neighbours (const GobanBoard *board)
{
  const GobanGraph *graph = board->units->graph;
  guint n = board->n_rows;
  g_autofree guint8 *links = g_new0 (guint8, (gsize) n * n);
  guint n_pairs = 0, n_both = 0;

  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      guint32 a = board->row_of[edge->tail], b = board->row_of[edge->head];

      if (a != b)
        links[(gsize) a * n + b] = 1;
    }
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      {
        if (links[(gsize) a * n + b])
          {
            n_pairs++;
            g_assert_true (has_neighbour (&board->outputs, a, b));
            g_assert_true (has_neighbour (&board->inputs, b, a));
          }
        if (links[(gsize) a * n + b] || links[(gsize) b * n + a])
          {
            n_both++;
            g_assert_true (has_neighbour (&board->both, a, b));
          }
      }
  g_assert_cmpuint (count_pairs (&board->inputs, board), ==, n_pairs);
  g_assert_cmpuint (count_pairs (&board->outputs, board), ==, n_pairs);
  g_assert_cmpuint (count_pairs (&board->both, board), ==, n_both);
}

static void
check_allowed (const GobanBoard *board)
{
  for (guint r = 0; r < board->n_rows; r++)
    {
      guint n_allowed = 0;

      for (guint d = 0; d < board->n_devices; d++)
        {
          gboolean can_run = TRUE;

          for (guint i = board->offsets[r]; i < board->offsets[r + 1]; i++)
            can_run = can_run
                      && goban_cost_model_can_run (board->units->costs, board->nodes[i],
                                                   (GobanDeviceId) d);
          g_assert_cmpuint (board->allowed[(gsize) r * board->n_devices + d], ==, can_run);
          n_allowed += can_run;
        }
      g_assert_cmpuint (n_allowed, >, 0);
    }
}

static void
check_numbers (const GobanBoard *board)
{
  double weight = 0;

  for (guint r = 0; r < board->n_rows; r++)
    {
      double kinds = 0, phases = 0;

      for (guint c = 0; c < GOBAN_BOARD_N_FEATURES; c++)
        if (!(fabs (get (board, r, c)) <= 3))
          g_error ("row %u: column %u is %g", r, c, get (board, r, c));
      for (guint k = 0; k < GOBAN_BOARD_N_KINDS; k++)
        kinds += get (board, r, GOBAN_FEATURE_KIND + k);
      for (guint p = 0; p < 3; p++)
        phases += get (board, r, GOBAN_FEATURE_PHASE + p);
      g_assert_cmpfloat_with_epsilon (kinds, 1, 1e-4);
      g_assert_cmpfloat_with_epsilon (phases, 1, 1e-4);
      g_assert_cmpfloat ((double) board->weights[r], >=, 0);
      weight += (double) board->weights[r];
    }
  g_assert_cmpfloat_with_epsilon (weight, 1, 1e-4);
  for (guint d = 0; d < board->n_devices; d++)
    for (guint c = 0; c < GOBAN_DEVICE_N_FEATURES; c++)
      g_assert_true (fabs (get_device (board, d, c)) <= 3);
}

/* By what the header promises of rows of several ops. */
static void
check_levels (const GobanBoard *board)
{
  guint n_nodes = goban_graph_get_n_nodes (board->units->graph);
  g_autofree double *top_us = g_new (double, n_nodes);
  g_autofree double *bottom_us = g_new (double, n_nodes);
  double longest_us = 0;

  goban_units_downward_ranks (board->units, top_us);
  goban_units_upward_ranks (board->units, bottom_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    longest_us = MAX (longest_us, top_us[v] + bottom_us[v]);
  for (guint r = 0; r < board->n_rows && longest_us > 0; r++)
    {
      double top = 1, bottom = 0, slack = 1;

      for (GobanNodeId v = 0; v < n_nodes; v++)
        if (board->row_of[v] == r)
          {
            top = MIN (top, top_us[v] / longest_us);
            bottom = MAX (bottom, bottom_us[v] / longest_us);
            slack = MIN (slack, 1 - (top_us[v] + bottom_us[v]) / longest_us);
          }
      g_assert_cmpfloat_with_epsilon (get (board, r, GOBAN_FEATURE_TOP), 2 * top - 1, 1e-5);
      g_assert_cmpfloat_with_epsilon (get (board, r, GOBAN_FEATURE_BOTTOM), 2 * bottom - 1, 1e-5);
      g_assert_cmpfloat_with_epsilon (get (board, r, GOBAN_FEATURE_SLACK), slack, 1e-5);
    }
}

static void
check_board (GobanCostModel *costs, guint n_wanted)
{
  g_autoptr (GobanBoard) board = new_board (costs, n_wanted);

  check_rows (board);
  check_neighbours (board);
  check_allowed (board);
  check_numbers (board);
  check_levels (board);
  if (n_wanted == 0 || n_wanted >= board->units->n_units)
    g_assert_cmpuint (board->n_rows, ==, board->units->n_units);
}

static void
test_random_graphs (void)
{
  static const char *const clusters[]
      = { "p100x2", "v100x8", "cpu+gpu", "equal:1", "equal:5", "equal:40", "msr:3" };
  GobanRng rng;

  goban_rng_init (&rng, (guint64) g_test_rand_int_range (0, G_MAXINT32));
  for (guint i = 0; i < 100; i++)
    {
      GraphGen gen = graph_gen_small (1 + goban_rng_below (&rng, 60));
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;

      if (i % 5 == 0)
        gen.max_bytes = gen.max_time_us = 0;
      if (i % 7 == 0)
        gen.edges_per_node = 0;
      graph = graph_gen_new (&gen, goban_rng_next (&rng));
      costs = toy_costs (graph, clusters[i % G_N_ELEMENTS (clusters)]);
      check_board (costs, 0);
      check_board (costs, 1 + goban_rng_below (&rng, gen.n_nodes));
    }
}

/* Bytes, FLOPs and times as large as doubles go. */
static void
test_absurd_numbers (void)
{
  static const double sizes[] = { 0, 1, 1e15, 1e300 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("absurd", "test");
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      const gint64 dims[] = { G_MAXINT64, -1, 0, 7, G_MAXINT64, G_MAXINT64 };

      for (guint v = 0; v < 3; v++)
        {
          guint32 node = goban_graph_builder_add_node (builder, "", "Conv");
          guint32 tensor = goban_graph_builder_add_tensor (builder, node, sizes[i]);

          goban_graph_builder_get_node (builder, node)->flops = sizes[i];
          goban_graph_builder_get_node (builder, node)->param_bytes = sizes[i];
          goban_graph_builder_get_node (builder, node)->read_bytes = sizes[i];
          goban_graph_builder_set_tensor_shape (builder, tensor, "f32", dims, G_N_ELEMENTS (dims));
          if (v > 0)
            goban_graph_builder_add_edge (builder, tensor - 1, node);
        }
      graph = goban_graph_builder_finish (builder, NULL, NULL);
      g_assert_nonnull (graph);
      costs = toy_costs (graph, "p100x2");
      check_board (costs, 0);
      check_board (costs, 2);
    }
}

/* --- single features ----------------------------------------------------------------------- */

static void
test_diamond (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanBoard) board = new_board (costs, 0);

  g_assert_cmpuint (board->n_rows, ==, 4);
  g_assert_cmpfloat (get (board, 0, GOBAN_FEATURE_KIND + GOBAN_OP_SPLIT), ==, 1);
  g_assert_cmpfloat (get (board, 1, GOBAN_FEATURE_KIND + GOBAN_OP_CONV), ==, 1);
  g_assert_cmpfloat (get (board, 0, GOBAN_FEATURE_POSITION), ==, -1);
  g_assert_cmpfloat (get (board, 3, GOBAN_FEATURE_POSITION), ==, 1);
  g_assert_cmpfloat (get (board, 0, GOBAN_FEATURE_TOP), ==, -1);
  g_assert_cmpfloat (get (board, 0, GOBAN_FEATURE_BOTTOM), ==, 1);
  g_assert_cmpfloat_with_epsilon (get (board, 1, GOBAN_FEATURE_SLACK), 0, 1e-6);
  g_assert_cmpfloat (get (board, 1, GOBAN_FEATURE_TIME), >, get (board, 0, GOBAN_FEATURE_TIME));
  g_assert_cmpfloat_with_epsilon ((double) board->weights[1], 100 / 220.0, 1e-6);
  g_assert_cmpfloat (get (board, 1, GOBAN_FEATURE_PARAMS), >, get (board, 2, GOBAN_FEATURE_PARAMS));
  g_assert_cmpfloat (get (board, 0, GOBAN_FEATURE_OUT_DEGREE), >,
                     get (board, 0, GOBAN_FEATURE_IN_DEGREE));
  g_assert_cmpfloat (get (board, 1, GOBAN_FEATURE_PHASE), ==, 1);
}

static GobanGraph *
new_speckled (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("speckled", "test");

  for (guint v = 0; v < 20; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      if (v % 4 == 3)
        goban_graph_builder_set_time (builder, v, "gpu", (double) INFINITY, GOBAN_SOURCE_GIVEN);
      else
        goban_graph_builder_set_time (builder, v, "gpu", 1, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu", 8, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 8);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
    }
  return goban_graph_builder_finish (builder, NULL, NULL);
}

/* Some ops run on the CPU alone; the GPU is eight times as fast. */
static void
test_cpu_and_gpu (void)
{
  g_autoptr (GobanGraph) graph = new_speckled ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "cpu+gpu");
  g_autoptr (GobanBoard) board = new_board (costs, 0);

  check_board (costs, 0);
  check_board (costs, 5);
  for (guint d = 0; d < board->n_devices; d++)
    {
      const GobanDevice *device
          = goban_cluster_get_device (board->units->cluster, (GobanDeviceId) d);

      if (strcmp (device->kind, "gpu") == 0)
        g_assert_cmpfloat_with_epsilon (get_device (board, d, GOBAN_DEVICE_SPEED), 0, 1e-6);
      else
        g_assert_cmpfloat (get_device (board, d, GOBAN_DEVICE_SPEED), >, 0.5);
    }
}

static void
test_devices_are_told_apart (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x8");
  g_autoptr (GobanBoard) board = new_board (costs, 0);

  for (guint d = 0; d < 8; d++)
    {
      g_assert_cmpfloat (get_device (board, d, GOBAN_DEVICE_SPEED), ==, 0);
      g_assert_cmpfloat (get_device (board, d, GOBAN_DEVICE_MEMORY), ==, 0);
      g_assert_cmpfloat (get_device (board, d, GOBAN_DEVICE_PLACE + d), ==, 1);
      for (guint other = 0; other < d; other++)
        {
          double distance = 0;

          for (guint k = 0; k < 8; k++)
            distance += fabs (get_device (board, d, GOBAN_DEVICE_WAVE + k)
                              - get_device (board, other, GOBAN_DEVICE_WAVE + k));
          g_assert_cmpfloat (distance, >, 0.1);
        }
    }
}

static void
assert_equal_devices (const char *cluster, guint n, const guint32 *expected)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GobanBoard) board = new_board (costs, 0);
  g_autofree guint32 *first = goban_board_dup_equal_devices (board);

  g_assert_cmpuint (board->n_devices, ==, n);
  for (guint d = 0; d < n; d++)
    g_assert_cmpuint (first[d], ==, expected[d]);
}

/* Devices may be exchanged if they are alike and reach all others alike: in two pairs joined by a
 * slow link the two of a pair. */
static void
test_equal_devices (void)
{
  static const guint32 all[] = { 0, 0, 0, 0 }, distinct[] = { 0, 1, 2 }, pairs[] = { 0, 0, 2, 2 };

  assert_equal_devices ("p100x4", 4, all);
  assert_equal_devices (TOY_MIXED_CLUSTER, 3, distinct);
  assert_equal_devices (
      "{ \"devices\": [" TOY_DEVICE ("a", "gpu", "300") "," TOY_DEVICE (
          "b", "gpu",
          "300") "," TOY_DEVICE ("c", "gpu",
                                 "300") "," TOY_DEVICE ("d", "gpu",
                                                        "300") "],"
                                                               "\"links\": [{ \"from\": \"a\", "
                                                               "\"to\": \"b\", \"bandwidth\": 5e9 "
                                                               "},"
                                                               " { \"from\": \"c\", \"to\": \"d\", "
                                                               "\"bandwidth\": 5e9 }],"
                                                               "\"all_pairs\": { \"bandwidth\": "
                                                               "1e9 } }",
      4, pairs);
}

static void
test_infeasible (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("nowhere", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GError) error = NULL;

  goban_graph_builder_add_node (builder, "lost", "Task");
  goban_graph_builder_set_time (builder, 0, "gpu", (double) INFINITY, GOBAN_SOURCE_GIVEN);
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = toy_costs (graph, "p100x2");
  g_assert_null (goban_board_new (costs, 0, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INFEASIBLE);
}

/* --- the same again ------------------------------------------------------------------------ */

/* Copies a graph under other names of nodes, itself and its format. */
static GobanGraph *
rename_nodes (const GobanGraph *graph)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("another", "other");
  g_autoptr (GError) error = NULL;
  GobanGraph *copy;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      g_autofree char *name = g_strdup_printf ("z/%x/%u", g_str_hash (node->name), 100000 - v);
      guint32 id = goban_graph_builder_add_node (builder, name, node->op);
      GobanNode *fresh = goban_graph_builder_get_node (builder, id);
      GobanNode values = *node;
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);

      values.name = fresh->name;
      values.op = fresh->op;
      values.group = GOBAN_NO_GROUP;
      *fresh = values;
      if (node->group != GOBAN_NO_GROUP)
        goban_graph_builder_set_group (builder, id, node->group);
      for (GobanTensorId t = first; t < first + n_tensors; t++)
        {
          const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

          goban_graph_builder_add_tensor (builder, id, tensor->size_bytes);
          if (tensor->has_shape)
            goban_graph_builder_set_tensor_shape (builder, t, tensor->dtype, tensor->dims,
                                                  tensor->n_dims);
        }
    }
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan edges = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < edges.n; i++)
        goban_graph_builder_add_edge (builder, goban_graph_get_edge (graph, edges.ids[i])->tensor,
                                      v);
    }
  copy = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return copy;
}

static void
assert_same_bytes (const GobanBoard *a, const GobanBoard *b)
{
  guint n_nodes = goban_graph_get_n_nodes (a->units->graph);
  gsize n_cells = (gsize) a->n_rows * GOBAN_BOARD_N_FEATURES;
  gsize n_devices = (gsize) a->n_devices * GOBAN_DEVICE_N_FEATURES;

  g_assert_cmpuint (a->n_rows, ==, b->n_rows);
  g_assert_cmpmem (a->row_of, n_nodes * sizeof (guint32), b->row_of, n_nodes * sizeof (guint32));
  g_assert_cmpmem (a->x, n_cells * sizeof (float), b->x, n_cells * sizeof (float));
  g_assert_cmpmem (a->devices, n_devices * sizeof (float), b->devices, n_devices * sizeof (float));
  g_assert_cmpmem (a->weights, a->n_rows * sizeof (float), b->weights, b->n_rows * sizeof (float));
}

static void
test_names_do_not_matter (void)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=2,steps=4", NULL);
  g_autoptr (GobanGraph) renamed = rename_nodes (graph);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanCostModel) other_costs = toy_costs (renamed, "p100x4");

  for (guint n_wanted = 0; n_wanted <= 64; n_wanted += 32)
    {
      g_autoptr (GobanBoard) a = new_board (costs, n_wanted);
      g_autoptr (GobanBoard) again = new_board (costs, n_wanted);
      g_autoptr (GobanBoard) b = new_board (other_costs, n_wanted);

      assert_same_bytes (a, again);
      assert_same_bytes (a, b);
    }
}

static void
test_coarse_rows (void)
{
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=2,steps=4", NULL);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanBoard) board = new_board (costs, 50);

  g_assert_cmpuint (board->n_rows, ==, 50);
  check_board (costs, 50);
  for (guint r = 0; r < board->n_rows; r++)
    {
      g_assert_cmpfloat (get (board, r, GOBAN_FEATURE_SLACK), >=, 0);
      /* Far from one row holding everything. */
      g_assert_cmpfloat ((double) board->weights[r], <, 0.5);
    }
}

TEST_PROGRAM (board)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/board/random-graphs", test_random_graphs);
  g_test_add_func ("/board/absurd-numbers", test_absurd_numbers);
  g_test_add_func ("/board/diamond", test_diamond);
  g_test_add_func ("/board/cpu-and-gpu", test_cpu_and_gpu);
  g_test_add_func ("/board/devices-are-told-apart", test_devices_are_told_apart);
  g_test_add_func ("/board/equal-devices", test_equal_devices);
  g_test_add_func ("/board/infeasible", test_infeasible);
  g_test_add_func ("/board/names-do-not-matter", test_names_do_not_matter);
  g_test_add_func ("/board/coarse-rows", test_coarse_rows);
  return g_test_run ();
}
