/* Runs as values: counted on many threads, and simulated again from their sources. */
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define N_THREADS 3
#define N_PEEKS 150000
#define N_MADE 6000

static GobanRun *
new_run (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (8);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);

  goban_plan_set_device (plan, 3, 1);
  return goban_run_new_kept (
      costs, plan, "mine",
      &(GobanRunOrigin){ .seed = 3, .evaluations = 7, .expression = "plan.single(g)" });
}

/* --- threads ---------------------------------------------------------------------------------- */

static GQuark
double_quark (void)
{
  return g_quark_from_static_string ("test-double");
}

static double
get_kept (GobanRun *run)
{
  double value = goban_run_get_makespan_us (run);
  double *kept = goban_run_get_derived (run, double_quark ());

  if (kept == NULL)
    kept = goban_run_keep_derived (run, double_quark (), g_memdup2 (&value, sizeof value), g_free);
  return *kept;
}

/* Asks for the run without making it: often while its last user drops it. */
static gpointer
peek_and_drop (gpointer data)
{
  GobanRunSource *source = data;
  gsize n_wrong = 0;

  for (guint i = 0; i < N_PEEKS; i++)
    {
      g_autoptr (GobanRun) run = goban_run_source_peek_run (source);
      g_autoptr (GobanRun) same = goban_run_ref (run);

      n_wrong += run != NULL && get_kept (run) != goban_run_get_makespan_us (same);
    }
  return GSIZE_TO_POINTER (n_wrong);
}

static void
test_threads (void)
{
  g_autoptr (GobanRun) run = new_run ();
  g_autoptr (GobanRunSource) source = goban_run_source_ref (goban_run_get_source (run));
  GThread *threads[N_THREADS];

  g_clear_pointer (&run, goban_run_unref);
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("run", peek_and_drop, source);
  for (guint i = 0; i < N_MADE; i++)
    {
      g_autoptr (GobanRun) made = goban_run_source_get_run (source);
      g_autoptr (GobanRun) same = goban_run_source_get_run (source);

      g_assert_true (same == made && get_kept (made) == goban_run_get_makespan_us (made));
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (threads[i])), ==, 0);
  g_assert_null (goban_run_source_peek_run (source));
}

/* --- sources ---------------------------------------------------------------------------------- */

static void
test_again (void)
{
  g_autoptr (GobanRun) run = new_run ();
  g_autoptr (GobanRun) same = NULL;
  g_autoptr (GobanRun) again = NULL;
  g_autoptr (GobanRunSource) source = goban_run_source_ref (goban_run_get_source (run));
  g_autoptr (GobanTrace) trace = goban_trace_ref (goban_run_get_trace (run));
  const GobanRunParts *parts;
  gsize n_bytes;

  same = goban_run_source_get_run (source);
  g_assert_true (same == run);
  g_clear_pointer (&same, goban_run_unref);
  g_clear_pointer (&run, goban_run_unref);
  g_assert_null (goban_run_source_peek_run (source));

  again = goban_run_source_get_run (source);
  parts = goban_run_get_parts (again);
  g_assert_true (parts->trace != trace && parts->plan == goban_trace_get_plan (trace));
  g_assert_true (parts->costs == goban_trace_get_costs (trace));
  g_assert_true (parts->graph == goban_cost_model_get_graph (parts->costs));
  g_assert_true (parts->cluster == goban_cost_model_get_cluster (parts->costs));
  n_bytes = goban_graph_get_n_nodes (parts->graph) * sizeof (GobanOpSpan);
  g_assert_cmpmem (goban_trace_get_ops (parts->trace), n_bytes, goban_trace_get_ops (trace),
                   n_bytes);
  g_assert_cmpstr (goban_run_get_name (again), ==, "mine");
  g_assert_cmpuint (goban_run_get_origin (again)->seed, ==, 3);
  g_assert_cmpuint (goban_run_get_origin (again)->evaluations, ==, 7);
  g_assert_cmpstr (goban_run_get_origin (again)->expression, ==, "plan.single(g)");
}

static void
raise_flag (gpointer data)
{
  *(gboolean *) data = TRUE;
}

/* What is derived goes with the run; of two, the first stays. */
static void
test_derived (void)
{
  g_autoptr (GobanRun) run = new_run ();
  gboolean is_first_gone = FALSE, is_second_gone = FALSE;

  g_assert_null (goban_run_get_derived (run, double_quark ()));
  g_assert_true (goban_run_keep_derived (run, double_quark (), &is_first_gone, raise_flag)
                 == &is_first_gone);
  g_assert_true (goban_run_keep_derived (run, double_quark (), &is_second_gone, raise_flag)
                 == &is_first_gone);
  g_assert_true (is_second_gone && !is_first_gone);
  g_clear_pointer (&run, goban_run_unref);
  g_assert_true (is_first_gone);
}

/* --- lists ------------------------------------------------------------------------------------ */

static void
test_lists (void)
{
  g_autoptr (GobanRun) run = new_run ();
  g_autoptr (GobanRun) other = new_run ();
  g_autoptr (GobanRun) slot = NULL;
  g_autoptr (GobanRunRow) row = goban_run_row_new (run);
  g_autoptr (GListStore) rows = g_list_store_new (GOBAN_TYPE_RUN_ROW);
  g_autoptr (GPtrArray) array = goban_run_array_new ();
  g_autoptr (GPtrArray) copy = NULL;
  guint place = 7;

  g_list_store_append (rows, row);
  g_assert_true (goban_run_list_get (G_LIST_MODEL (rows), 0) == run);
  g_assert_null (goban_run_list_get (G_LIST_MODEL (rows), 1));
  g_assert_false (goban_run_list_find (G_LIST_MODEL (rows), other, &place));
  g_assert_cmpuint (place, ==, 7);
  g_assert_true (goban_run_list_find (G_LIST_MODEL (rows), run, &place));
  g_assert_cmpuint (place, ==, 0);

  g_ptr_array_add (array, goban_run_ref (run));
  copy = goban_run_array_copy (array);
  g_ptr_array_set_size (array, 0);
  g_assert_true (goban_run_set (&slot, copy->pdata[0]));
  g_assert_false (goban_run_set (&slot, run));
  g_assert_true (goban_run_set (&slot, NULL));
}

TEST_PROGRAM (run)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/run/threads", test_threads);
  g_test_add_func ("/run/run/again", test_again);
  g_test_add_func ("/run/run/derived", test_derived);
  g_test_add_func ("/run/run/lists", test_lists);
  return g_test_run ();
}
