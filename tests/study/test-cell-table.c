/* Rows of nodes by parameter and use: every node in one, merged as asked. */
#include "engine/study/analysis/hierarchy/cell-table.h"

#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

static void
check_rows (const GobanCellTable *table, guint n_nodes)
{
  g_autofree guint8 *seen = g_new0 (guint8, n_nodes);

  for (guint i = 0; i < table->n_rows; i++)
    {
      const GobanCellTableRow *row = &table->rows[i];
      gboolean is_first = i == 0 || !g_str_equal (row[-1].parameter, row->parameter);

      g_assert_cmpuint (row->n_nodes, >, 0);
      g_assert_true (is_first || row->use > row[-1].use);
      g_assert_true (is_first || row->n_uses == row[-1].n_uses);
      for (guint k = 0; k < row->n_nodes; k++)
        {
          g_assert_true (k == 0 || row->nodes[k] > row->nodes[k - 1]);
          g_assert_cmpuint (seen[row->nodes[k]]++, ==, 0);
        }
    }
  for (guint v = 0; v < n_nodes; v++)
    g_assert_cmpuint (seen[v], ==, 1);
}

/* The embedding, two layers and the softmax, six times each. */
static void
test_each_its_own (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=2,steps=6", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCellTable) table = NULL;

  g_assert_no_error (error);
  costs = toy_costs (graph, "p100x2");
  table = goban_cell_table_new (costs, 0, 0);
  check_rows (table, goban_graph_get_n_nodes (graph));
  g_assert_cmpuint (table->n_rows, ==, 4 * 6);
  for (guint i = 0; i < table->n_rows; i++)
    {
      g_assert_cmpuint (table->rows[i].n_params, ==, 1);
      g_assert_cmpuint (table->rows[i].use, ==, i % 6);
      g_assert_cmpuint (table->rows[i].n_uses, ==, 6);
    }
}

static void
test_merged (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=2,steps=6", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanCellTable) table = NULL;
  guint n_params = 0;

  g_assert_no_error (error);
  costs = toy_costs (graph, "p100x2");
  table = goban_cell_table_new (costs, 2, 3);
  check_rows (table, goban_graph_get_n_nodes (graph));
  g_assert_cmpuint (table->n_rows, ==, 2 * 3);
  for (guint i = 0; i < table->n_rows; i += 3)
    {
      n_params += table->rows[i].n_params;
      g_assert_cmpint (strstr (table->rows[i].parameter, " +") != NULL, ==,
                       table->rows[i].n_params > 1);
    }
  g_assert_cmpuint (n_params, ==, 4);
}

static void
test_without_parameters (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (20);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");

  g_assert_null (goban_cell_table_new (costs, 0, 0));
}

TEST_PROGRAM (cell_table)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/cell-table/each-its-own", test_each_its_own);
  g_test_add_func ("/analysis/cell-table/merged", test_merged);
  g_test_add_func ("/analysis/cell-table/without-parameters", test_without_parameters);
  return g_test_run ();
}
