#include "engine/study/analysis/node-list.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/study/run/policy-run.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanCostModel *costs;
  GobanNodeContext context;
} Fixture;

/* Without edges: ids are in the order of names added. */
static void
set_up (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *op;
    double time_us;
    double bytes;
  } rows[] = {
    { "layer_10/a", "MatMul", 30, 5e6 },
    { "layer_2/b", "", 10, 100 },
    { "Layer_2/a", "conv", 30, 2000 },
    { "layer_007", "Add", 1500, 0 },
  };
  GobanGraphBuilder *builder = goban_graph_builder_new ("list", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 id = goban_graph_builder_add_node (builder, rows[i].name, rows[i].op);

      goban_graph_builder_set_time (builder, id, GOBAN_ANY_KIND, rows[i].time_us,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, id, rows[i].bytes);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  goban_graph_builder_free (builder);
  f->costs = toy_costs (graph, "equal:2");
  f->context = (GobanNodeContext){ f->costs, NULL };
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  goban_cost_model_unref (f->costs);
}

/* "3 1 0 2" */
static char *
sorted (Fixture *f, const char *field, gboolean is_descending, GobanSelection *nodes)
{
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);
  guint n;
  g_autofree GobanNodeId *ids = goban_node_list_sort (
      &f->context, nodes, field != NULL ? goban_node_field_find (field, NULL) : NULL, is_descending,
      NULL, &n, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", ids[i]);
  return g_string_free (text, FALSE);
}

static void
test_sort (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *field;
    gboolean is_descending;
    const char *expected;
  } cases[] = {
    { NULL, FALSE, "0 1 2 3" },    { "cost", FALSE, "1 0 2 3" },
    { "cost", TRUE, "3 0 2 1" }, /* equal: the order of the graph either way */
    { "name", FALSE, "2 1 3 0" },  { "name", TRUE, "0 3 1 2" },
    { "op", FALSE, "3 2 0 1" }, /* what nobody knows is last either way */
    { "op", TRUE, "0 2 3 1" },     { "start", FALSE, "0 1 2 3" },
    { "device", TRUE, "0 1 2 3" }, { "bytes", TRUE, "0 2 1 3" },
  };
  const GobanNodeId some[] = { 3, 0 };
  g_autoptr (GobanSelection) two = goban_selection_new (some, 2);
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  g_autofree char *chosen = sorted (f, "name", FALSE, two);
  g_autofree char *empty = sorted (f, "name", FALSE, nothing);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *order = sorted (f, cases[i].field, cases[i].is_descending, NULL);

      g_test_message ("%s", cases[i].field);
      g_assert_cmpstr (order, ==, cases[i].expected);
    }
  g_assert_cmpstr (chosen, ==, "3 0");
  g_assert_cmpstr (empty, ==, "");
}

/* Every field, both ways: each node once, no neighbours in the wrong order, the unknown last. */
static void
test_sort_of_random_graphs (void)
{
  gsize n_fields;
  const GobanNodeField *fields = goban_node_field_table (&n_fields);

  for (guint64 seed = 0; seed < 10; seed++)
    {
      GraphGen gen = graph_gen_small (40);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, seed);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:3");
      g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
      GobanNodeContext context = { costs, run };

      for (gsize k = 0; k < 2 * n_fields; k++)
        {
          const GobanNodeField *field = &fields[k / 2];
          double sign = k % 2 ? -1 : 1;
          guint n;
          g_autofree GobanNodeId *ids
              = goban_node_list_sort (&context, NULL, field, k % 2 == 1, NULL, &n, NULL);
          g_autofree guint8 *seen = g_malloc0 (n);

          g_assert_cmpuint (n, ==, goban_graph_get_n_nodes (graph));
          for (guint i = 0; i < n; i++)
            seen[ids[i]]++;
          for (guint i = 0; i < n; i++)
            g_assert_cmpuint (seen[i], ==, 1);
          for (guint i = 1; field->kind != GOBAN_FIELD_TEXT && i < n; i++)
            {
              double before = field->number (&context, ids[i - 1]);
              double after = field->number (&context, ids[i]);

              g_assert_true (isnan (after) || sign * before < sign * after
                             || (before == after && ids[i - 1] < ids[i]));
            }
        }
    }
}

static gboolean
always (gpointer data)
{
  return TRUE;
}

static void
test_stops (Fixture *f, gconstpointer data)
{
  GobanProgress progress = { .should_stop = always };
  g_autoptr (GError) error = NULL;
  guint n;

  g_assert_null (goban_node_list_sort (&f->context, NULL, NULL, FALSE, &progress, &n, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

static void
test_cells (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *field;
    GobanNodeId node;
    const char *expected;
  } cases[] = {
    { "name", 0, "layer_10/a" }, { "op", 1, "" },        { "cost", 3, "1.5 ms" },
    { "bytes", 0, "5 MB" },      { "start", 0, "" },     { "device", 0, "" },
    { "index", 2, "2" },         { "memory", 3, "0 B" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *cell = goban_node_list_cell (
          &f->context, goban_node_field_find (cases[i].field, NULL), cases[i].node);

      g_assert_cmpstr (cell, ==, cases[i].expected);
    }
}

static void
test_tsv (Fixture *f, gconstpointer data)
{
  static const char *const fields[]
      = { "name", "op", "cost", "memory", "param_bytes", "start", NULL };
  const GobanNodeId ids[] = { 3, 1 };
  g_autofree char *text = goban_node_list_to_tsv (&f->context, fields, ids, 2);

  g_assert_cmpstr (text, ==,
                   "name\top\tcost_us\tmemory_bytes\tparam_bytes\tstart_us\n"
                   "layer_007\tAdd\t1500\t0\t0\t\n"
                   "layer_2/b\t\t10\t100\t0\t\n");
}

TEST_PROGRAM (node_list)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/analysis/node-list/sort", Fixture, NULL, set_up, test_sort, tear_down);
  g_test_add_func ("/analysis/node-list/sort/random-graphs", test_sort_of_random_graphs);
  g_test_add ("/analysis/node-list/stops", Fixture, NULL, set_up, test_stops, tear_down);
  g_test_add ("/analysis/node-list/cells", Fixture, NULL, set_up, test_cells, tear_down);
  g_test_add ("/analysis/node-list/tsv", Fixture, NULL, set_up, test_tsv, tear_down);
  return g_test_run ();
}
