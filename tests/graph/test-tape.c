#include "engine/graph/workloads/tape-ops.h"
#include "tests/support/test-program.h"

#include <string.h>

static GobanGraph *
finish (Tape *tape, Value loss)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = tape_finish (tape, loss, &optimizer_sgd, &error);

  g_assert_no_error (error);
  return graph;
}

static const GobanNode *
find (const GobanGraph *graph, const char *name, GobanNodeId *id)
{
  GobanNodeId found = goban_graph_find_node (graph, name);

  if (found == GOBAN_NO_NODE)
    g_error ("there is no node “%s”", name);
  if (id != NULL)
    *id = found;
  return goban_graph_get_node (graph, found);
}

static gboolean
reads (const GobanGraph *graph, const char *head, const char *tail)
{
  GobanNodeId from, to;
  GobanEdgeSpan in;

  find (graph, tail, &from);
  find (graph, head, &to);
  in = goban_graph_get_in_edges (graph, to);
  for (guint i = 0; i < in.n; i++)
    if (goban_graph_get_edge (graph, in.ids[i])->tail == from)
      return TRUE;
  return FALSE;
}

static void
assert_shape (const GobanGraph *graph, const char *name, const Shape *shape)
{
  GobanNodeId id;
  guint n;
  const GobanTensor *tensor;

  find (graph, name, &id);
  tensor = goban_graph_get_tensor (graph, goban_graph_get_node_tensors (graph, id, &n));
  g_assert_cmpuint (tensor->n_dims, ==, shape->n_dims);
  for (guint i = 0; i < shape->n_dims; i++)
    g_assert_cmpint (tensor->dims[i], ==, shape->dims[i]);
}

/* y = relu (x w1) w2: the textbook's backward pass, operand by operand. */
static void
test_matmul (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  Value x = tape_input (tape, "x", SHAPE (5, 7), "f32");
  Value w;

  tape_push (tape, "a");
  w = tape_read (tape, tape_variable (tape, "kernel", SHAPE (7, 11)));
  x = tape_relu (tape, tape_matmul (tape, x, w));
  tape_pop (tape);
  tape_push (tape, "b");
  w = tape_read (tape, tape_variable (tape, "kernel", SHAPE (11, 3)));
  x = tape_matmul (tape, x, w);
  tape_pop (tape);
  graph = finish (tape, tape_sum (tape, x, 3, FALSE));

  g_assert_cmpfloat (find (graph, "a/MatMul", NULL)->flops, ==, 2 * 5 * 7 * 11);
  g_assert_cmpfloat (find (graph, "a/MatMul", NULL)->macs, ==, 5 * 7 * 11);
  g_assert_true (reads (graph, "gradients/b/MatMul_grad/MatMul", "b/kernel/Read"));
  g_assert_true (reads (graph, "gradients/b/MatMul_grad/MatMul_1", "a/Relu"));
  g_assert_true (reads (graph, "gradients/a/Relu_grad/ReluGrad", "a/Relu"));
  /* x is not learned: the only gradient of the first product is the kernel's. */
  g_assert_true (reads (graph, "gradients/a/MatMul_grad/MatMul", "x"));
  g_assert_cmpuint (goban_graph_find_node (graph, "gradients/a/MatMul_grad/MatMul_1"), ==,
                    GOBAN_NO_NODE);
  assert_shape (graph, "gradients/b/MatMul_grad/MatMul", &SHAPE (5, 11));
  assert_shape (graph, "gradients/b/MatMul_grad/MatMul_1", &SHAPE (11, 3));
  assert_shape (graph, "gradients/a/MatMul_grad/MatMul", &SHAPE (7, 11));
  g_assert_true (reads (graph, "optimizer/a/kernel/ResourceApplyGradientDescent",
                        "gradients/a/MatMul_grad/MatMul"));
}

/* Every way of storing the operands: both gradients have their operand's shape, and as many FLOPs
 * as the product. */
static void
test_transposes (void)
{
  for (guint transpose = 0; transpose < 4; transpose++)
    {
      g_autoptr (Tape) tape = tape_new ("test", TRUE);
      g_autoptr (GobanGraph) graph = NULL;
      Shape a = (transpose & TAPE_TRANSPOSE_A) != 0 ? SHAPE (2, 7, 5) : SHAPE (2, 5, 7);
      Shape b = (transpose & TAPE_TRANSPOSE_B) != 0 ? SHAPE (2, 3, 7) : SHAPE (2, 7, 3);
      Value left = tape_read (tape, tape_variable (tape, "a", a));
      Value right = tape_read (tape, tape_variable (tape, "b", b));
      Value y = tape_batch_matmul (tape, left, right, (TapeTranspose) transpose);

      graph = finish (tape, tape_sum (tape, y, 7, FALSE));
      assert_shape (graph, "BatchMatMulV2", &SHAPE (2, 5, 3));
      assert_shape (graph, "gradients/BatchMatMulV2_grad/BatchMatMulV2", &a);
      assert_shape (graph, "gradients/BatchMatMulV2_grad/BatchMatMulV2_1", &b);
      g_assert_cmpfloat (find (graph, "gradients/BatchMatMulV2_grad/BatchMatMulV2", NULL)->flops,
                         ==, 420);
    }
}

/* A value that is read twice has the sum of two gradients, made in its producer's scope. */
static void
test_sums (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  Value w = tape_read (tape, tape_variable (tape, "w", SHAPE (4)));
  Value x;

  tape_push (tape, "p");
  x = tape_tanh (tape, w);
  tape_pop (tape);
  graph = finish (tape, tape_sum (tape, tape_mul (tape, tape_sigmoid (tape, x), x), 1, FALSE));
  g_assert_true (reads (graph, "gradients/p/AddN", "gradients/Sigmoid_grad/SigmoidGrad"));
  g_assert_true (
      reads (graph, "gradients/p/AddN", "gradients/Mul_grad/tuple/control_dependency_1"));
  g_assert_true (reads (graph, "gradients/p/Tanh_grad/TanhGrad", "gradients/p/AddN"));
  g_assert_true (reads (graph, "gradients/p/Tanh_grad/TanhGrad", "p/Tanh"));
}

/* An operand that was spread is summed over what it was spread over; the other one is not. */
static void
test_broadcast (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  Value a = tape_read (tape, tape_variable (tape, "a", SHAPE (6, 1, 4)));
  Value b = tape_read (tape, tape_variable (tape, "b", SHAPE (5, 4)));
  Value y = tape_mul (tape, a, b);

  graph = finish (tape, tape_sum (tape, y, 7, FALSE));
  assert_shape (graph, "Mul", &SHAPE (6, 5, 4));
  assert_shape (graph, "gradients/Mul_grad/Sum", &SHAPE (6, 4));
  assert_shape (graph, "gradients/Mul_grad/Reshape", &SHAPE (6, 1, 4));
  assert_shape (graph, "gradients/Mul_grad/Reshape_1", &SHAPE (5, 4));
  g_assert_cmpuint (goban_graph_find_node (graph, "gradients/Mul_grad/BroadcastGradientArgs_1"), ==,
                    GOBAN_NO_NODE);
}

/* Rows stay rows: nothing of the table's size is ever made. */
static void
test_gather (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  Variable table = tape_variable (tape, "table", SHAPE (1000000, 8));
  Value parts[2];

  for (guint i = 0; i < 2; i++)
    {
      Value ids = tape_input (tape, "ids", SHAPE (3), "s32");

      parts[i] = tape_sum (tape, tape_gather (tape, table, ids), 3, FALSE);
    }
  graph = finish (tape, tape_add_n (tape, parts, 2));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    g_assert_cmpfloat (goban_graph_get_output_bytes (graph, v), <, 1000);
  assert_shape (graph, "gradients/concat", &SHAPE (6, 8));
  g_assert_true (reads (graph, "optimizer/table/ResourceScatterSub", "gradients/concat"));
  g_assert_cmpuint (find (graph, "ResourceGather", NULL)->group, ==,
                    find (graph, "table", NULL)->group);
}

/* A table that is also read as a matrix needs one gradient of its own shape. */
static void
test_tied (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  Variable table = tape_variable (tape, "table", SHAPE (10, 8));
  Value x = tape_gather (tape, table, tape_input (tape, "ids", SHAPE (3), "s32"));

  x = tape_matmul_with (tape, x, tape_read (tape, table), TAPE_TRANSPOSE_B);
  graph = finish (tape, tape_sum (tape, x, 3, FALSE));
  assert_shape (graph, "gradients/AddN", &SHAPE (10, 8));
  g_assert_true (reads (graph, "gradients/AddN", "gradients/UnsortedSegmentSum"));
  g_assert_true (reads (graph, "optimizer/table/ResourceApplyGradientDescent", "gradients/AddN"));
}

/* Moving things about and back again gives the shapes one began with. */
static void
test_arrays (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  Value w = tape_read (tape, tape_variable (tape, "w", SHAPE (4, 6, 2)));
  Value x = tape_transpose (tape, w, (const guint[]){ 1, 2, 0 });
  Value parts;

  x = tape_pad (tape, x, 0, 2, 1); /* 9, 2, 4 */
  x = tape_slice (tape, x, 0, 1, 6);
  parts = tape_split (tape, x, 2, 1);
  x = tape_concat (tape, (Value[]){ parts, parts + 1, parts }, 3, 2);
  g_assert_cmpint (tape_dim (tape, x, 0), ==, 6);
  g_assert_cmpint (tape_dim (tape, x, 1), ==, 1);
  g_assert_cmpint (tape_dim (tape, x, 2), ==, 12);
  x = tape_squeeze (tape, x, 1);
  parts = tape_unstack (tape, x);
  x = tape_stack (tape, (Value[]){ parts + 5, parts }, 2);
  graph = finish (tape, tape_mean (tape, x, 3, FALSE));

  assert_shape (graph, "gradients/strided_slice_grad/StridedSliceGrad", &SHAPE (9, 2, 4));
  assert_shape (graph, "gradients/Pad_grad/Slice", &SHAPE (6, 2, 4));
  assert_shape (graph, "gradients/transpose_grad/transpose", &SHAPE (4, 6, 2));
  assert_shape (graph, "gradients/unstack_grad/stack", &SHAPE (6, 12));
  g_assert_true (reads (graph, "gradients/unstack_grad/stack", "gradients/unstack_grad/ZerosLike"));
}

/* All four gates are used, each by its own function, and the cell's gradient has two sources. */
static void
test_lstm (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GobanGraph) graph = NULL;
  LstmWeights weights = tape_lstm_weights (tape, 6, 4);
  LstmState state = tape_lstm_zero_state (tape, 3, 4);
  const char *const pairs[][2] = {
    { "gradients/step_2/lstm/Sigmoid_grad/SigmoidGrad", "step_2/lstm/Sigmoid" },
    { "gradients/step_2/lstm/Sigmoid_1_grad/SigmoidGrad", "step_2/lstm/Sigmoid_1" },
    { "gradients/step_2/lstm/Sigmoid_2_grad/SigmoidGrad", "step_2/lstm/Sigmoid_2" },
    { "gradients/step_2/lstm/Tanh_grad/TanhGrad", "step_2/lstm/Tanh" },
    { "step_2/lstm/AddV2", "step_2/lstm/split" },
    { "step_2/lstm/Tanh", "step_2/lstm/split" },
    { "step_2/lstm/concat", "step_1/lstm/Mul_2" },
    { "gradients/step_2/lstm/split_grad/concat", "gradients/step_2/lstm/Tanh_grad/TanhGrad" },
    { "gradients/step_2/lstm/split_grad/concat",
      "gradients/step_2/lstm/Sigmoid_2_grad/SigmoidGrad" },
  };
  Value x = tape_input (tape, "x", SHAPE (3, 6), "f32");

  for (guint i = 0; i < 2; i++)
    {
      tape_push (tape, "step_%u", i + 1);
      state = tape_lstm_step (tape, &weights, &x, 1, state);
      tape_pop (tape);
    }
  graph = finish (tape, tape_sum (tape, state.h, 3, FALSE));

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_assert_true (reads (graph, pairs[i][0], pairs[i][1]));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    g_assert_cmpstr (goban_graph_get_node (graph, v)->op, !=, "ZerosLike");
  assert_shape (graph, "gradients/AddN", &SHAPE (10, 16));
  assert_shape (graph, "gradients/AddN_1", &SHAPE (16));
}

/* Slots stay with their variable, and so does what touches its handle; nothing else does. */
static void
test_groups (void)
{
  g_autoptr (Tape) tape = tape_new ("test", TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  Value w = tape_read (tape, tape_variable (tape, "w", SHAPE (100)));
  guint n_grouped = 0;

  graph = tape_finish (tape, tape_sum (tape, w, 1, FALSE), &optimizer_adam, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (find (graph, "w", NULL)->param_bytes, ==, 3 * 400);
  g_assert_cmpfloat (find (graph, "w", NULL)->param_count, ==, 100);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    n_grouped += goban_graph_get_node (graph, v)->group != GOBAN_NO_GROUP;
  g_assert_cmpuint (n_grouped, ==, 3);
  g_assert_cmpuint (find (graph, "w/Read", NULL)->group, ==,
                    find (graph, "optimizer/w/ResourceApplyAdam", NULL)->group);
  g_assert_true (reads (graph, "optimizer/w/ResourceApplyAdam", "optimizer/w/clip"));
  g_assert_true (reads (graph, "optimizer/w/clip", "optimizer/global_norm/mul_1"));
}

TEST_PROGRAM (tape)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workloads/tape/product-reads-the-other-operand", test_matmul);
  g_test_add_func ("/workloads/tape/transposed-operands", test_transposes);
  g_test_add_func ("/workloads/tape/gradients-add-up", test_sums);
  g_test_add_func ("/workloads/tape/broadcast-operand-is-summed", test_broadcast);
  g_test_add_func ("/workloads/tape/rows-stay-rows", test_gather);
  g_test_add_func ("/workloads/tape/tied-table-has-one-gradient", test_tied);
  g_test_add_func ("/workloads/tape/arrays-there-and-back", test_arrays);
  g_test_add_func ("/workloads/tape/lstm-uses-all-gates", test_lstm);
  g_test_add_func ("/workloads/tape/only-handles-are-grouped", test_groups);
  return g_test_run ();
}
