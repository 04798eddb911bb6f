#include "engine/graph/cells.h"

#include "engine/core/rng.h"
#include "engine/graph/workloads/workload.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* --- a toy: layers x steps, unrolled ---------------------------------------------------------- */

#define MAX_NODES 600

typedef struct
{
  GobanGraphBuilder *builder;
  guint32 tensors[MAX_NODES]; /* of every node, its only one */
  guint n_nodes;
} Toy;

static void
toy_begin (Toy *self)
{
  *self = (Toy){ .builder = goban_graph_builder_new ("toy", "test") };
}

static guint32
toy_add (Toy *self, const char *name, const char *op, double bytes)
{
  guint32 v = goban_graph_builder_add_node (self->builder, name, op);

  g_assert_cmpuint (v, <, MAX_NODES);
  self->tensors[v] = goban_graph_builder_add_tensor (self->builder, v, bytes);
  self->n_nodes = v + 1;
  return v;
}

/* An op that computes: what multiplies matrices makes parameters count. */
static guint32
toy_compute (Toy *self, const char *name, const char *op, double bytes)
{
  guint32 v = toy_add (self, name, op, bytes);

  goban_graph_builder_get_node (self->builder, v)->flops = 100;
  if (strcmp (op, "MatMul") == 0)
    goban_graph_builder_get_node (self->builder, v)->macs = 100;
  return v;
}

static guint32
toy_variable (Toy *self, const char *name, double bytes)
{
  guint32 v = toy_add (self, name, "Variable", 8);

  goban_graph_builder_get_node (self->builder, v)->param_bytes = bytes;
  return v;
}

static void
toy_link (Toy *self, guint32 from, guint32 to)
{
  goban_graph_builder_add_edge (self->builder, self->tensors[from], to);
}

static GobanGraph *
toy_end (Toy *self)
{
  GobanGraph *graph = toy_finish (self->builder);

  goban_graph_builder_free (self->builder);
  return graph;
}

#define LAYERS 3
#define STEPS 6

/*   w1 - read -+-------------+----...          (and an L2 loss of w1, added to what comes out)
 *              |             |
 *   x1 ----- mul 1,1   x2 - mul 1,2 ...
 *              |     \       |    \
 *            act 1,1 -+--- act 1,2 ...         each step also waits for the step before it
 *              |             |
 *   w2 ----- mul 2,1       mul 2,2 ...
 */
typedef struct
{
  GobanGraph *graph;
  guint32 variable[LAYERS];
  guint32 mul[LAYERS][STEPS];
  guint32 act[LAYERS][STEPS];
  guint32 loss;
} Unrolled;

static void
add_step (Toy *toy, Unrolled *net, const guint32 *reads, guint step)
{
  g_autofree char *input = g_strdup_printf ("x%u", step);
  guint32 below = toy_add (toy, input, "Placeholder", 1000);

  for (guint l = 0; l < LAYERS; l++)
    {
      g_autofree char *mul = g_strdup_printf ("mul_%u_%u", l, step);
      g_autofree char *act = g_strdup_printf ("act_%u_%u", l, step);

      net->mul[l][step] = toy_compute (toy, mul, "MatMul", 4000);
      net->act[l][step] = toy_compute (toy, act, "Tanh", 1000);
      toy_link (toy, below, net->mul[l][step]);
      toy_link (toy, reads[l], net->mul[l][step]);
      toy_link (toy, net->mul[l][step], net->act[l][step]);
      if (step > 0)
        toy_link (toy, net->act[l][step - 1], net->mul[l][step]);
      below = net->act[l][step];
    }
}

static Unrolled
new_unrolled (void)
{
  Unrolled net;
  guint32 reads[LAYERS];
  guint32 total;
  Toy toy;

  toy_begin (&toy);
  for (guint l = 0; l < LAYERS; l++)
    {
      g_autofree char *name = g_strdup_printf ("w%u", l);
      g_autofree char *read = g_strdup_printf ("w%u/read", l);

      net.variable[l] = toy_variable (&toy, name, 1e6);
      reads[l] = toy_add (&toy, read, "Identity", 1e6);
      toy_link (&toy, net.variable[l], reads[l]);
    }
  net.loss = toy_compute (&toy, "l2", "L2Loss", 4);
  toy_link (&toy, reads[0], net.loss);
  for (guint step = 0; step < STEPS; step++)
    add_step (&toy, &net, reads, step);
  total = toy_compute (&toy, "total", "Add", 4);
  toy_link (&toy, net.loss, total);
  toy_link (&toy, net.act[LAYERS - 1][STEPS - 1], total);
  net.graph = toy_end (&toy);
  return net;
}

/* Every node weighs the same. */
static GobanCells *
make_cells (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *work = g_new (double, n_nodes);

  for (guint v = 0; v < n_nodes; v++)
    work[v] = 1;
  return goban_cells_new (graph, work);
}

static guint32
param_of (const GobanCells *cells, GobanNodeId node)
{
  return cells->param_of[cells->cell_of[node]];
}

static guint32
use_of (const GobanCells *cells, GobanNodeId node)
{
  return cells->use_of[cells->cell_of[node]];
}

static void
test_unrolled (void)
{
  Unrolled net = new_unrolled ();
  g_autoptr (GobanGraph) graph = net.graph;
  g_autoptr (GobanCells) cells = make_cells (graph);

  g_assert_true (cells->has_params);
  g_assert_cmpuint (cells->n_params, ==, LAYERS);
  g_assert_cmpuint (cells->n_cells, ==, LAYERS * STEPS);
  g_assert_cmpuint (goban_cells_get_max_uses (cells), ==, STEPS);
  g_assert_cmpfloat (cells->shared, >, 0.5);
  for (guint l = 0; l < LAYERS; l++)
    {
      g_assert_cmpuint (cells->n_uses[l], ==, STEPS);
      g_assert_cmpuint (param_of (cells, net.variable[l]), ==, l);
      g_assert_cmpuint (use_of (cells, net.variable[l]), ==, 0);
      for (guint k = 0; k < STEPS; k++)
        {
          g_assert_cmpuint (param_of (cells, net.mul[l][k]), ==, l);
          g_assert_cmpuint (use_of (cells, net.mul[l][k]), ==, k);
          g_assert_cmpuint (param_of (cells, net.act[l][k]), ==, l);
          g_assert_cmpuint (use_of (cells, net.act[l][k]), ==, k);
        }
    }
}

/* A loss reads the weight, but computes a number with it. */
static void
test_losses_are_not_uses (void)
{
  Unrolled net = new_unrolled ();
  g_autoptr (GobanGraph) graph = net.graph;
  g_autoptr (GobanCells) cells = make_cells (graph);

  g_assert_cmpuint (param_of (cells, net.loss), ==, 0);
  g_assert_cmpuint (use_of (cells, net.loss), ==, 0);
  g_assert_cmpuint (use_of (cells, net.mul[0][0]), ==, 0);
}

/* --- what counts as a use ------------------------------------------------------------------- */

/*   table -+- gather k -- body k (own weight) -- mul k -+- table, transposed     20 times
 *
 * The table is used at both ends, by different ops: two parameters of 20 uses each. */
static void
test_tied_embeddings (void)
{
  Toy toy;
  guint32 table, transposed, axes, gathers[20], muls[20];
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCells) cells = NULL;

  toy_begin (&toy);
  table = toy_variable (&toy, "table", 1e6);
  axes = toy_add (&toy, "axes", "Const", 16);
  transposed = toy_compute (&toy, "transposed", "Transpose", 1e6);
  toy_link (&toy, table, transposed);
  toy_link (&toy, axes, transposed);
  for (guint k = 0; k < 20; k++)
    {
      guint32 ids = toy_add (&toy, "ids", "Placeholder", 256);

      gathers[k] = toy_compute (&toy, "gather", "Gather", 1000);
      muls[k] = toy_compute (&toy, "mul", "MatMul", 1000);
      toy_link (&toy, table, gathers[k]);
      toy_link (&toy, ids, gathers[k]);
      toy_link (&toy, gathers[k], muls[k]);
      toy_link (&toy, transposed, muls[k]);
    }
  graph = toy_end (&toy);
  cells = make_cells (graph);
  g_assert_cmpuint (cells->n_params, ==, 2);
  g_assert_cmpuint (cells->n_cells, ==, 40);
  for (guint k = 0; k < 20; k++)
    {
      g_assert_cmpuint (param_of (cells, gathers[k]), ==, 0);
      g_assert_cmpuint (use_of (cells, gathers[k]), ==, k);
      g_assert_cmpuint (param_of (cells, muls[k]), ==, 1);
      g_assert_cmpuint (use_of (cells, muls[k]), ==, k);
    }
  g_assert_cmpuint (cells->cell_of[transposed], ==, cells->cell_of[table]);
}

/*   x - fc 1 (weight 1, bias 1) - fc 2 (weight 2, bias 2) - ... - fc 20
 *
 * The bias of 10 of them belongs to another op. */
static void
test_biases_go_with_their_weights (void)
{
  Toy toy;
  guint32 below, biases[20], fcs[20];
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCells) cells = NULL;

  toy_begin (&toy);
  below = toy_add (&toy, "x", "Placeholder", 1000);
  for (guint k = 0; k < 20; k++)
    {
      guint32 weight = toy_variable (&toy, "weight", 1e6);
      guint32 add;

      biases[k] = toy_variable (&toy, "bias", 1000);
      fcs[k] = toy_compute (&toy, "fc", "MatMul", 1000);
      add = k % 2 == 0 ? fcs[k] : toy_compute (&toy, "add", "BiasAdd", 1000);
      toy_link (&toy, below, fcs[k]);
      toy_link (&toy, weight, fcs[k]);
      toy_link (&toy, biases[k], add);
      if (add != fcs[k])
        toy_link (&toy, fcs[k], add);
      below = add;
    }
  graph = toy_end (&toy);
  cells = make_cells (graph);
  g_assert_cmpuint (cells->n_params, ==, 20);
  g_assert_cmpuint (cells->n_cells, ==, 20);
  g_assert_cmpfloat (cells->shared, ==, 0);
  for (guint k = 0; k < 20; k++)
    g_assert_cmpuint (cells->cell_of[biases[k]], ==, cells->cell_of[fcs[k]]);
}

/* Layers with weights of their own, as profiles and inference graphs have them: one use each. */
static void
test_ops_that_hold_their_weights (void)
{
  Toy toy;
  guint32 below;
  guint n_groups, n_slots;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCells) cells = NULL;

  toy_begin (&toy);
  below = toy_add (&toy, "x", "Input", 1000);
  for (guint k = 0; k < 30; k++)
    {
      guint32 layer = toy_compute (&toy, "layer", "Conv", 1000);
      guint32 relu = toy_compute (&toy, "relu", "Relu", 1000);

      goban_graph_builder_get_node (toy.builder, layer)->param_bytes = 1e6;
      toy_link (&toy, below, layer);
      toy_link (&toy, layer, relu);
      below = relu;
    }
  graph = toy_end (&toy);
  cells = make_cells (graph);
  goban_cells_choose (cells, 4, &n_groups, &n_slots);
  g_assert_cmpuint (cells->n_params, ==, 30);
  g_assert_cmpuint (cells->n_cells, ==, 30);
  g_assert_cmpuint (n_slots, ==, 1);
  g_assert_cmpuint (n_groups, ==, 128);
}

/* --- rows ----------------------------------------------------------------------------------- */

static void
test_slots_for_many_devices (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=2,steps=12", &error);
  g_autoptr (GobanCells) cells = NULL;
  guint n_groups, n_slots;

  g_assert_no_error (error);
  cells = make_cells (graph);
  goban_cells_choose (cells, 2, &n_groups, &n_slots);
  g_assert_cmpuint (n_groups, ==, 24);
  g_assert_cmpuint (n_slots, ==, 8);
  goban_cells_choose (cells, 10, &n_groups, &n_slots);
  g_assert_cmpuint (n_slots, ==, 10);
  goban_cells_choose (cells, 64, &n_groups, &n_slots);
  g_assert_cmpuint (n_slots, ==, 12);
}

/* Every node in one row, rows of whole groups, and their lists the same partition. */
static void
check_rows (const GobanGraph *graph, const GobanCellRows *rows)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint32 *row_of_group = g_new (guint32, goban_graph_get_n_groups (graph) + 1);

  memset (row_of_group, 0xff, (goban_graph_get_n_groups (graph) + 1) * sizeof *row_of_group);
  g_assert_cmpuint (rows->offsets[rows->n_rows], ==, n_nodes);
  for (guint r = 0; r < rows->n_rows; r++)
    {
      g_assert_cmpuint (rows->offsets[r], <, rows->offsets[r + 1]);
      g_assert_cmpuint (rows->group_of[r], <, rows->n_groups);
      g_assert_cmpuint (rows->slot_of[r], <, rows->n_slots);
      for (guint i = rows->offsets[r]; i < rows->offsets[r + 1]; i++)
        {
          g_assert_cmpuint (rows->row_of[rows->nodes[i]], ==, r);
          g_assert_true (i == rows->offsets[r] || rows->nodes[i] > rows->nodes[i - 1]);
        }
    }
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group == GOBAN_NO_GROUP)
        continue;
      if (row_of_group[group] == G_MAXUINT32)
        row_of_group[group] = rows->row_of[v];
      g_assert_cmpuint (row_of_group[group], ==, rows->row_of[v]);
    }
}

/* A row of @fine never reaches over two of @coarse. */
static void
check_refines (const GobanCellRows *fine, const GobanCellRows *coarse)
{
  for (guint r = 0; r < fine->n_rows; r++)
    for (guint i = fine->offsets[r]; i < fine->offsets[r + 1]; i++)
      g_assert_cmpuint (coarse->row_of[fine->nodes[i]], ==,
                        coarse->row_of[fine->nodes[fine->offsets[r]]]);
}

static void
check_levels (const GobanGraph *graph)
{
  g_autoptr (GobanCells) cells = make_cells (graph);
  guint most = cells->n_params;
  const guint groups[] = { 1, 3, 8, 24, 128, most };
  const guint slots[] = { 1, 2, 4, 8, 16, 32 };
  g_autoptr (GobanCellRows) coarse = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autoptr (GobanCellRows) rows = goban_cell_rows_new (cells, groups[i], slots[i]);

      check_rows (graph, rows);
      g_assert_cmpuint (rows->n_groups, ==, MIN (groups[i], most));
      if (coarse != NULL)
        check_refines (rows, coarse);
      g_clear_pointer (&coarse, goban_cell_rows_free);
      coarse = g_steal_pointer (&rows);
    }
}

static void
test_rows_only_split (void)
{
  static const char *const specs[] = { "rnnlm:layers=2,steps=5", "transformer-xl:layers=2",
                                       "inception-v3", "wavenet:stacks=1,layers=8" };
  Unrolled net = new_unrolled ();

  check_levels (net.graph);
  goban_graph_unref (net.graph);
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i], &error);

      g_assert_no_error (error);
      check_levels (graph);
    }
  for (guint seed = 0; seed < 200; seed++)
    {
      GraphGen gen = graph_gen_small (1 + seed % 80);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);

      check_levels (graph);
    }
}

/* Task graphs: units are cells, and so few groups as are asked for. */
static void
test_without_parameters (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (40);
  g_autoptr (GobanCells) cells = make_cells (graph);
  g_autoptr (GobanCellRows) rows = goban_cell_rows_new (cells, 2, 1);

  g_assert_false (cells->has_params);
  g_assert_cmpuint (cells->n_cells, ==, 80);
  g_assert_cmpuint (rows->n_rows, ==, 2);
  /* Traffic alone finds the chains. */
  for (guint v = 0; v < 80; v++)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);

      for (guint i = 0; i < out.n; i++)
        g_assert_cmpuint (rows->row_of[goban_graph_get_edge (graph, out.ids[i])->head], ==,
                          rows->row_of[v]);
    }
}

/* Too few to place by, but enough to look at: one layer that is used five times. */
static void
test_few (void)
{
  Toy toy;
  guint32 weight, below, muls[5];
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanGraph) tasks = toy_two_chains (40);
  g_autoptr (GobanCells) placed = NULL;
  g_autoptr (GobanCells) shown = NULL;

  toy_begin (&toy);
  weight = toy_variable (&toy, "weight", 1e6);
  below = toy_add (&toy, "x", "Input", 1000);
  for (guint k = 0; k < 5; k++)
    {
      muls[k] = toy_compute (&toy, "mul", "MatMul", 1000);
      toy_link (&toy, weight, muls[k]);
      toy_link (&toy, below, muls[k]);
      below = muls[k];
    }
  graph = toy_end (&toy);
  placed = make_cells (graph);
  shown = goban_cells_new_of_params (graph, NULL);
  g_assert_false (placed->has_params);
  g_assert_cmpuint (placed->n_params, ==, 7);
  g_assert_cmpuint (placed->holder_of[6], ==, 6);
  g_assert_true (shown->has_params);
  g_assert_cmpuint (shown->n_params, ==, 1);
  g_assert_cmpuint (shown->holder_of[0], ==, weight);
  g_assert_cmpuint (shown->user_of[0], ==, muls[0]);
  g_assert_null (shown->joins);
  for (guint k = 0; k < 5; k++)
    g_assert_cmpuint (use_of (shown, muls[k]), ==, k);
  g_assert_null (goban_cells_new_of_params (tasks, NULL));
}

/* --- names and numbers ---------------------------------------------------------------------- */

/* The same graph with its nodes added in another order, and nonsense for names. ids (n_nodes): old
 * to new. */
static GobanGraph *
new_shuffled (const GobanGraph *graph, guint64 seed, GobanNodeId *ids)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("other", "test");
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *order = g_new (guint32, n_nodes);
  g_autofree guint32 *added = g_new (guint32, n_nodes);
  g_autofree guint32 *tensors = g_new (guint32, goban_graph_get_n_tensors (graph));
  g_autofree GobanNodeId *numbers = NULL;
  GobanGraph *other;
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint v = 0; v < n_nodes; v++)
    order[v] = v;
  if (seed > 0)
    goban_rng_shuffle (&rng, order, n_nodes);
  for (guint i = 0; i < n_nodes; i++)
    {
      const GobanNode *node = goban_graph_get_node (graph, order[i]);
      g_autofree char *name
          = g_strdup_printf ("q%u/%" G_GUINT64_FORMAT, i % 7, goban_rng_next (&rng));
      GobanNode *copy;
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, order[i], &n_tensors);

      added[order[i]] = goban_graph_builder_add_node (builder, name, node->op);
      copy = goban_graph_builder_get_node (builder, added[order[i]]);
      copy->flops = node->flops;
      copy->macs = node->macs;
      copy->param_bytes = node->param_bytes;
      copy->phase = node->phase;
      if (node->group != GOBAN_NO_GROUP)
        goban_graph_builder_set_group (builder, added[order[i]], node->group);
      for (guint t = first; t < first + n_tensors; t++)
        tensors[t]
            = goban_graph_get_tensor (graph, t)->is_control
                  ? goban_graph_builder_add_control_tensor (builder, added[order[i]])
                  : goban_graph_builder_add_tensor (builder, added[order[i]],
                                                    goban_graph_get_tensor (graph, t)->size_bytes);
    }
  for (guint v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n; i++)
        goban_graph_builder_add_edge (
            builder, tensors[goban_graph_get_edge (graph, in.ids[i])->tensor], added[v]);
    }
  other = goban_graph_builder_finish (builder, &numbers, &error);
  g_assert_no_error (error);
  for (guint v = 0; v < n_nodes; v++)
    ids[v] = numbers != NULL ? numbers[added[v]] : added[v];
  return other;
}

static void
check_same_partition (const GobanGraph *graph, guint64 seed)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n_nodes);
  g_autoptr (GobanGraph) other = new_shuffled (graph, seed, ids);
  g_autoptr (GobanCells) cells = make_cells (graph);
  g_autoptr (GobanCells) again = make_cells (other);
  g_autofree guint32 *image = g_new (guint32, cells->n_cells);

  g_assert_cmpuint (cells->n_cells, ==, again->n_cells);
  memset (image, 0xff, cells->n_cells * sizeof *image);
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 cell = cells->cell_of[v];

      if (image[cell] == G_MAXUINT32)
        image[cell] = again->cell_of[ids[v]];
      g_assert_cmpuint (image[cell], ==, again->cell_of[ids[v]]);
      g_assert_cmpuint (use_of (cells, v), ==, use_of (again, ids[v]));
    }
}

static void
test_names_do_not_matter (void)
{
  static const char *const specs[]
      = { "rnnlm:layers=2,steps=6", "gnmt:layers=2", "transformer-xl:layers=2",
          "inception-v3",           "amoebanet",     "wavenet:stacks=1,layers=8" };

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (specs[i], &error);

      g_assert_no_error (error);
      check_same_partition (graph, 0);
    }
}

/* Nothing ties in the toy: numbers do not matter either. */
static void
test_numbers_do_not_matter (void)
{
  Unrolled net = new_unrolled ();

  for (guint64 seed = 1; seed < 50; seed++)
    check_same_partition (net.graph, seed);
  goban_graph_unref (net.graph);
}

/* --- the generated families ----------------------------------------------------------------- */

static void
test_rnnlm_is_layers_by_steps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=3,steps=7", &error);
  g_autoptr (GobanCells) cells = NULL;

  g_assert_no_error (error);
  cells = make_cells (graph);
  /* The embedding, three layers and the softmax, in this order. */
  g_assert_cmpuint (cells->n_params, ==, 5);
  g_assert_cmpuint (cells->n_cells, ==, 5 * 7);
  for (guint l = 1; l <= 3; l++)
    for (guint k = 1; k <= 7; k++)
      {
        g_autofree char *name = g_strdup_printf ("rnn/layer_%u/step_%u/lstm/MatMul", l, k);
        GobanNodeId node = goban_graph_find_node (graph, name);

        g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
        g_assert_cmpuint (param_of (cells, node), ==, l);
        g_assert_cmpuint (use_of (cells, node), ==, k - 1);
      }
}

typedef struct
{
  const char *spec;
  gboolean is_shared;
  guint max_uses;
} Family;

static void
test_families (void)
{
  static const Family families[] = {
    { "rnnlm:layers=2,steps=10", TRUE, 10 },
    { "gnmt:layers=2", TRUE, 50 },
    { "transformer-xl:layers=4", TRUE, 4 },
    { "inception-v3", FALSE, 1 },
    { "amoebanet", FALSE, 1 },
    { "wavenet:stacks=2,layers=18", FALSE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (families[i].spec, &error);
      g_autoptr (GobanCells) cells = NULL;
      guint n_groups, n_slots;

      g_assert_no_error (error);
      cells = make_cells (graph);
      goban_cells_choose (cells, 4, &n_groups, &n_slots);
      g_assert_true (cells->has_params);
      g_assert_cmpuint (goban_cells_get_max_uses (cells), ==, families[i].max_uses);
      g_assert_cmpuint (n_slots > 1, ==, families[i].is_shared);
    }
}

TEST_PROGRAM (cells)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/cells/unrolled", test_unrolled);
  g_test_add_func ("/graph/cells/losses-are-not-uses", test_losses_are_not_uses);
  g_test_add_func ("/graph/cells/tied-embeddings", test_tied_embeddings);
  g_test_add_func ("/graph/cells/biases-go-with-their-weights", test_biases_go_with_their_weights);
  g_test_add_func ("/graph/cells/ops-that-hold-their-weights", test_ops_that_hold_their_weights);
  g_test_add_func ("/graph/cells/slots-for-many-devices", test_slots_for_many_devices);
  g_test_add_func ("/graph/cells/rows-only-split", test_rows_only_split);
  g_test_add_func ("/graph/cells/without-parameters", test_without_parameters);
  g_test_add_func ("/graph/cells/few", test_few);
  g_test_add_func ("/graph/cells/names-do-not-matter", test_names_do_not_matter);
  g_test_add_func ("/graph/cells/numbers-do-not-matter", test_numbers_do_not_matter);
  g_test_add_func ("/graph/cells/rnnlm-is-layers-by-steps", test_rnnlm_is_layers_by_steps);
  g_test_add_func ("/graph/cells/families", test_families);
  return g_test_run ();
}
