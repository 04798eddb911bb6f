#include "engine/core/error.h"
#include "tests/draw/draw-golden.h"
#include "tests/draw/outlines.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "ui/draw/graph/graph-layout.h"

#include <string.h>

static GobanGraph *
any_graph (guint n_nodes, guint width, guint64 seed)
{
  GraphGen gen = { .n_nodes = n_nodes, .edges_per_node = 1.7, .width = width, .max_bytes = 10 };

  return graph_gen_new (&gen, seed);
}

/* A line a node, "id column row x y"; rows of nested layouts are 0. (transfer full) */
static char *
dump_layout (const GobanLayout *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s, %u rows, %u columns\n",
                          self->kind == GOBAN_LAYOUT_WRAPPED ? "wrapped" : "layered", self->rows.n,
                          self->rows.n_columns);
  for (guint v = 0; v < self->n_nodes; v++)
    {
      char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%u %u %u %s %s\n", v,
                              self->rows.of_node != NULL ? self->rows.column[self->rows.of_node[v]]
                                                         : 0,
                              self->rows.of_node != NULL ? self->rows.of_node[v] : 0,
                              g_ascii_formatd (x, sizeof x, "%.1f", (double) self->x[v]),
                              g_ascii_formatd (y, sizeof y, "%.1f", (double) self->y[v]));
    }
  return g_string_free (text, FALSE);
}

static int
compare_places (gconstpointer pa, gconstpointer pb, gpointer data)
{
  const GobanLayout *layout = data;
  guint a = *(const guint *) pa;
  guint b = *(const guint *) pb;

  if (layout->rows.of_node[a] != layout->rows.of_node[b])
    return layout->rows.of_node[a] < layout->rows.of_node[b] ? -1 : 1;
  return layout->x[a] < layout->x[b] ? -1 : layout->x[a] > layout->x[b];
}

/* No two boxes overlap: rows are a node's height apart within a column, and nodes within a row a
 * width; columns have areas of their own. */
static void
check_apart (const GobanLayout *layout)
{
  g_autofree guint *sorted = g_new (guint, layout->n_nodes);

  for (guint v = 0; v < layout->n_nodes; v++)
    sorted[v] = v;
  g_qsort_with_data (sorted, (int) layout->n_nodes, sizeof *sorted, compare_places,
                     (gpointer) layout);
  for (guint i = 1; i < layout->n_nodes; i++)
    if (layout->rows.of_node[sorted[i]] == layout->rows.of_node[sorted[i - 1]])
      g_assert_cmpfloat (layout->x[sorted[i]] - layout->x[sorted[i - 1]], >=, GOBAN_NODE_WIDTH);
  for (guint r = 1; r < layout->rows.n; r++)
    if (layout->rows.column[r] == layout->rows.column[r - 1])
      g_assert_cmpfloat (layout->rows.y[r] - layout->rows.y[r - 1], >=, GOBAN_NODE_HEIGHT);
  for (guint c = 1; c < layout->rows.n_columns; c++)
    g_assert_cmpfloat (layout->rows.columns[c].x0, >, layout->rows.columns[c - 1].x1);
}

static void
check_inside (const GobanLayout *layout)
{
  for (guint v = 0; v < layout->n_nodes; v++)
    {
      GobanBox box = goban_layout_node_box (layout, v);
      GobanBox area = layout->rows.columns[layout->rows.column[layout->rows.of_node[v]]];

      g_assert_cmpfloat (box.x0, >=, area.x0 - 0.5);
      g_assert_cmpfloat (box.x1, <=, area.x1 + 0.5);
      g_assert_cmpfloat (box.x0, >=, layout->bounds.x0 - 0.5);
      g_assert_cmpfloat (box.y0, >=, layout->bounds.y0 - 0.5);
      g_assert_cmpfloat (box.x1, <=, layout->bounds.x1 + 0.5);
      g_assert_cmpfloat (box.y1, <=, layout->bounds.y1 + 0.5);
    }
}

/* Routes begin and end at their nodes, stay within their boxes, and cross no node's box on the
 * way. */
static void
check_routes (const GobanLayout *layout, const GobanGraph *graph)
{
  for (guint e = 0; e < layout->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      GobanPoint points[GOBAN_MAX_ROUTE];
      guint n = goban_layout_route (layout, e, edge->tail, edge->head, points);
      GobanBox tail = goban_layout_node_box (layout, edge->tail);
      GobanBox head = goban_layout_node_box (layout, edge->head);

      g_assert_cmpuint (n, >=, 2);
      g_assert_cmpuint (n, <=, GOBAN_MAX_ROUTE);
      g_assert_cmpfloat_with_epsilon (points[0].y, tail.y1, 1e-3);
      g_assert_cmpfloat_with_epsilon (points[n - 1].y, head.y0, 1e-3);
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpfloat (points[i].x, >=, (double) layout->routes.boxes[4 * e] - 0.1);
          g_assert_cmpfloat (points[i].y, >=, (double) layout->routes.boxes[4 * e + 1] - 0.1);
          g_assert_cmpfloat (points[i].x, <=, (double) layout->routes.boxes[4 * e + 2] + 0.1);
          g_assert_cmpfloat (points[i].y, <=, (double) layout->routes.boxes[4 * e + 3] + 0.1);
        }
      for (guint i = 1; i < n && layout->kind == GOBAN_LAYOUT_LAYERED; i++)
        g_assert_cmpfloat (points[i].y, >=, points[i - 1].y);
    }
}

static void
test_properties (void)
{
  for (guint round = 0; round < 24; round++)
    {
      guint n_nodes = round < 3 ? round : (guint) g_test_rand_int_range (3, 900);
      guint width = round % 4 == 0 ? 0 : (guint) g_test_rand_int_range (1, 40);
      g_autoptr (GobanGraph) graph = any_graph (n_nodes, width, (guint64) g_test_rand_int ());
      GobanLayoutOptions options = { .kind = round % 3 };
      g_autoptr (GobanLayout) layout = outlines_lay_out_graph (graph, &options, NULL);

      g_assert_cmpuint (layout->n_nodes, ==, n_nodes);
      for (guint e = 0; e < layout->n_edges; e++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, e);

          g_assert_cmpuint (layout->rows.of_node[edge->tail], <, layout->rows.of_node[edge->head]);
          if (layout->kind == GOBAN_LAYOUT_LAYERED)
            g_assert_cmpfloat (layout->y[edge->tail], <, layout->y[edge->head]);
        }
      check_apart (layout);
      check_inside (layout);
      check_routes (layout, graph);
    }
}

static void
test_same_bytes (void)
{
  g_autoptr (GobanGraph) graph = any_graph (700, 9, 3);
  g_autoptr (GobanLayout) a = outlines_lay_out_graph (graph, NULL, NULL);
  g_autoptr (GobanLayout) b = outlines_lay_out_graph (graph, NULL, NULL);

  g_assert_cmpmem (a->x, 700 * sizeof (float), b->x, 700 * sizeof (float));
  g_assert_cmpmem (a->y, 700 * sizeof (float), b->y, 700 * sizeof (float));
  g_assert_cmpmem (a->routes.boxes, 4 * a->n_edges * sizeof (float), b->routes.boxes,
                   4 * b->n_edges * sizeof (float));
}

static void
test_chain_is_wrapped (void)
{
  guint32 tails[500], heads[500];
  GobanLayoutInput input = { 501, 500, tails, heads, NULL, NULL };
  g_autoptr (GobanLayout) layout = NULL;
  double aspect;

  for (guint i = 0; i < 500; i++)
    {
      tails[i] = i;
      heads[i] = i + 1;
    }
  layout = goban_layout_new_from_edges (&input, NULL, NULL);
  g_assert_cmpint (layout->kind, ==, GOBAN_LAYOUT_WRAPPED);
  aspect = (layout->bounds.x1 - layout->bounds.x0) / (layout->bounds.y1 - layout->bounds.y0);
  g_assert_cmpfloat (aspect, >, 1);
  g_assert_cmpfloat (aspect, <, 2.5);
  /* A chain is upright: each column has one x. */
  for (guint v = 1; v <= 500; v++)
    if (layout->rows.column[v] == layout->rows.column[v - 1])
      g_assert_cmpfloat (layout->x[v], ==, layout->x[v - 1]);
}

static void
test_wide_row_is_split (void)
{
  guint n = 20000;
  g_autofree guint32 *tails = g_new0 (guint32, n);
  g_autofree guint32 *heads = g_new (guint32, n);
  GobanLayoutInput input = { n + 1, n, tails, heads, NULL, NULL };
  g_autoptr (GobanLayout) layout = NULL;

  for (guint i = 0; i < n; i++)
    heads[i] = i + 1;
  layout = goban_layout_new_from_edges (&input, NULL, NULL);
  g_assert_cmpuint (layout->rows.n, >, 20);
  check_apart (layout);
}

static void
test_weights_are_near_their_readers (void)
{
  /* 0 -> 1 -> 2 -> 3 and a weight, 4 -> 5, that only node 6 reads beside 3. */
  const guint32 tails[] = { 0, 1, 2, 4, 3, 5 };
  const guint32 heads[] = { 1, 2, 3, 5, 6, 6 };
  GobanLayoutInput input = { 7, 6, tails, heads, NULL, NULL };
  g_autoptr (GobanLayout) layout = goban_layout_new_from_edges (&input, NULL, NULL);

  g_assert_cmpuint (layout->rows.of_node[6], ==, 4);
  g_assert_cmpuint (layout->rows.of_node[5], ==, 3);
  g_assert_cmpuint (layout->rows.of_node[4], ==, 2);
}

static gboolean
stop_at_once (gpointer data)
{
  return ++*(guint *) data > 3;
}

static void
test_cancelled (void)
{
  g_autoptr (GobanGraph) graph = any_graph (500, 9, 3);
  guint n_asked = 0;
  GobanProgress progress = { NULL, stop_at_once, &n_asked };
  GobanLayoutOptions options = { .progress = &progress };
  g_autoptr (GError) error = NULL;

  g_assert_null (outlines_lay_out_graph (graph, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

static void
test_golden (void)
{
  g_autoptr (GobanGraph) graph = any_graph (40, 6, 11);
  g_autoptr (GobanLayout) layout = outlines_lay_out_graph (graph, NULL, NULL);
  g_autofree char *dump = dump_layout (layout);

  draw_golden_check_text (dump, "draw-layout-40");
}

TEST_PROGRAM (graph_layout)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/layout/properties", test_properties);
  g_test_add_func ("/draw/layout/same-bytes", test_same_bytes);
  g_test_add_func ("/draw/layout/chain-is-wrapped", test_chain_is_wrapped);
  g_test_add_func ("/draw/layout/wide-row-is-split", test_wide_row_is_split);
  g_test_add_func ("/draw/layout/weights-are-near-their-readers",
                   test_weights_are_near_their_readers);
  g_test_add_func ("/draw/layout/cancelled", test_cancelled);
  g_test_add_func ("/draw/layout/golden", test_golden);
  return g_test_run ();
}
