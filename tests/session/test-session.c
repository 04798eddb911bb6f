#include "engine/core/error.h"
#include "engine/core/lua-text.h"
#include "engine/machine/cluster/cluster-draft.h"
#include "engine/session/document/opening.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-private.h"
#include "engine/session/session-runs.h"
#include "engine/session/session.h"
#include "engine/session/view-time.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-origin.h"

#include "tests/support/folder.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>

typedef struct
{
  GobanSession *session;
  GString *events; /* what was notified and said, in order */
} Fixture;

static void
notified_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  /* Those are the history's tests', and the steps'. */
  if (!g_str_has_suffix (pspec->name, "do-name") && !g_str_equal (pspec->name, "shown-run"))
    g_string_append_printf (user_data, "%s ", pspec->name);
}

static void
message_cb (GobanSession *session, gboolean is_error, const char *text, gpointer user_data)
{
  g_string_append_printf (user_data, "%s(%s) ", is_error ? "error" : "say", text);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->session = goban_session_new ();
  f->events = g_string_new (NULL);
  g_signal_connect (f->session, "notify", G_CALLBACK (notified_cb), f->events);
  g_signal_connect (f->session, "message", G_CALLBACK (message_cb), f->events);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->session);
  g_string_free (f->events, TRUE);
}

static void
test_opening_forgets (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) diamond = toy_diamond ();
  g_autoptr (GobanGraph) chain = toy_chain ();
  const GobanNodeId ids[] = { 1 };
  g_autoptr (GobanSelection) selection = goban_selection_new (ids, 1);
  g_autoptr (GobanRun) run = NULL;
  guint n;

  goban_session_set_graph (f->session, diamond, "diamond.json");
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, NULL);
  goban_session_add_run (f->session, run);
  goban_session_add_run (f->session, run);
  goban_session_set_selection (f->session, selection);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
  g_assert_true (goban_session_get_current_run (f->session) == run);
  g_assert_cmpstr (f->events->str, ==, "graph current-run selection ");

  g_string_truncate (f->events, 0);
  goban_session_set_graph (f->session, chain, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 0);
  g_assert_null (goban_session_get_current_run (f->session));
  goban_selection_get_ids (goban_session_get_selection (f->session), &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpstr (f->events->str, ==, "current-run selection graph ");
}

static void
test_runs_are_sorted (Fixture *f, gconstpointer data)
{
  static const char *const policies[] = { "single", "heft", "round-robin" };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  double last_us = 0;

  goban_session_set_graph (f->session, graph, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autoptr (GobanRun) run = goban_run_new_from_policy (goban_session_get_costs (f->session),
                                                            policies[i], NULL, NULL);

      goban_session_add_run (f->session, run);
    }
  for (guint i = 0; i < 3; i++)
    {
      GobanRun *run = goban_run_list_get (goban_session_get_runs (f->session), i);

      g_assert_cmpfloat (goban_run_get_makespan_us (run), >=, last_us);
      last_us = goban_run_get_makespan_us (run);
    }
}

static void
test_another_cluster_runs_again (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCluster) slow = goban_cluster_new_from_spec ("equal:4,latency=1", NULL);
  g_autoptr (GobanCluster) one = goban_cluster_new_from_spec ("equal:1", NULL);
  GListModel *runs = goban_session_get_runs (f->session);
  g_autoptr (GobanRun) run = NULL;
  double before_us;

  goban_session_set_graph (f->session, graph, NULL);
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), "round-robin", NULL, NULL);
  goban_session_add_run (f->session, run);
  before_us = goban_run_get_makespan_us (run);

  session_set_cluster (f->session, slow);
  g_assert_true (runs == goban_session_get_runs (f->session));
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 1);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (f->session)), >,
                     before_us + 1e6);

  session_set_cluster (f->session, one);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 0);
  g_assert_nonnull (strstr (f->events->str, "say(1 of 1 plans do not fit the cluster"));
}

static void
test_opens_and_places (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/toy.dot");

  goban_session_open_path (f->session, path);
  g_assert_nonnull (goban_session_get_job (f->session));
  session_wait_for_jobs (f->session);

  g_assert_nonnull (goban_session_get_graph (f->session));
  g_assert_cmpstr (goban_session_get_path (f->session), ==, path);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 5);
  {
    GobanRun *best = goban_run_list_get (goban_session_get_runs (f->session), 0);

    g_assert_true (goban_session_get_current_run (f->session) == best);
  }
}

/* A recorded run is the one plan that is shown. */
static void
test_opens_a_recorded_run (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("tests/fuzz/corpus/chrome-trace/two-kernels.json");
  GobanRun *run;

  goban_session_open_path (f->session, path);
  session_wait_for_jobs (f->session);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
  run = goban_session_get_current_run (f->session);
  g_assert_cmpstr (goban_run_get_name (run), ==, "recorded");
  g_assert_cmpfloat (goban_run_get_makespan_us (run), ==, 90);
}

/* A profile of one op changes its time, and all plans go on. */
static void
test_takes_measured_times (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  static const char text[] = "[{\"ph\": \"X\", \"name\": \"fuse\", \"ts\": 0, \"dur\": 7000000}]";
  g_autofree char *profile = NULL;
  int fd = g_file_open_tmp ("goban-XXXXXX.json", &profile, NULL);
  GobanNodeId fuse;

  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (profile, text, -1, NULL));
  goban_session_open_path (f->session, path);
  session_wait_for_jobs (f->session);

  goban_session_open_profile (f->session, profile);
  session_wait_for_jobs (f->session);
  g_assert_cmpstr (goban_session_get_path (f->session), ==, path);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 5);
  fuse = goban_graph_find_node (goban_session_get_graph (f->session), "fuse");
  g_assert_cmpfloat (goban_cost_model_time_us (goban_session_get_costs (f->session), fuse, 0), ==,
                     7e6);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (f->session)), >=,
                     7e6);
  g_unlink (profile);
}

/* A measured run lies behind the simulated one, a change of the cluster keeps the times and drops
 * it, and undo goes back to the graph's own times. */
static void
test_takes_measured_runs (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GPtrArray) runs = session_make_measured (graph, &costs);
  g_autoptr (GobanCluster) slower = goban_cluster_new_from_spec ("equal:2,latency=1e-3", NULL);
  g_autoptr (GobanEdit) edit = NULL;
  g_autoptr (GobanRun) edited = NULL;
  GobanRun *simulated = g_ptr_array_index (runs, 0), *measured = g_ptr_array_index (runs, 1);

  goban_session_set_graph (f->session, graph, NULL);
  goban_session_add_measured (f->session, costs, runs);
  g_assert_true (goban_session_get_graph (f->session) == graph);
  g_assert_true (goban_session_get_costs (f->session) == costs);
  g_assert_true (goban_session_get_current_run (f->session) == simulated);
  g_assert_true (goban_session_get_ghost (f->session) == measured);
  g_assert_cmpfloat (goban_run_get_makespan_us (simulated), ==, 240);
  goban_session_set_current_run (f->session, measured);
  g_assert_true (goban_session_get_ghost (f->session) == simulated);
  edit = session_new_edit (f->session, GOBAN_EDIT_MOVE, &(const GobanNodeId){ 1 }, 1);
  edit->device = 1;
  edited = goban_edit_run (edit, NULL);
  g_assert_cmpstr (goban_run_get_name (edited), ==, "mine, by hand");
  g_assert_false (goban_run_is_recorded (edited));

  session_set_cluster (f->session, slower);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
  g_assert_false (goban_run_is_recorded (goban_session_get_current_run (f->session)));
  g_assert_cmpfloat (goban_cost_model_time_us (goban_session_get_costs (f->session), 1, 1), ==,
                     200);
  g_assert_true (goban_session_undo (f->session));
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 2);
  g_assert_true (goban_session_undo (f->session));
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 0);
  g_assert_cmpfloat (goban_cost_model_time_us (goban_session_get_costs (f->session), 1, 0), ==,
                     100);
}

static void
test_a_cluster_changed_while_placing_is_placed_for (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCluster) two = goban_cluster_new_from_spec ("equal:2", NULL);

  goban_session_set_graph (f->session, graph, NULL);
  goban_session_place (f->session, "heft", 0);
  session_set_cluster (f->session, two);
  session_wait_for_jobs (f->session);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
  g_assert_true (goban_run_get_cluster (goban_session_get_current_run (f->session)) == two);
}

/* Who asks goes on at once; its words are gone by the time the worker reads them. */
static void
test_keeps_what_placing_was_asked_for (Fixture *f, gconstpointer data)
{
  const char *const policies[] = { "go-zeroshot", NULL };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autofree char *network = project_path ("data/policies/builder.net");
  g_autofree char *settings = g_strdup ("drafts=2");
  g_autofree char *name = g_strdup ("mine");
  GobanRunOptions options
      = { .network = network, .settings = settings, .name = name, .max_evaluations = 1 };

  goban_session_set_graph (f->session, graph, NULL);
  goban_session_place_with (f->session, policies, &options);
  memset (network, 'x', strlen (network));
  memset (settings, 'x', strlen (settings));
  memset (name, 'x', strlen (name));
  session_wait_for_jobs (f->session);
  g_assert_null (strstr (f->events->str, "error("));
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, "mine");
}

static char *
describe_proof (GobanSession *session, const char *name)
{
  GListModel *rows = goban_session_get_runs (session);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GobanRunRow) row = g_list_model_get_item (rows, i);

      if (g_str_equal (goban_run_get_name (goban_run_row_get_run (row)), name))
        return goban_run_describe_proof (goban_run_row_get_run (row));
    }
  g_assert_not_reached ();
}

/* What was proven of the graph's own times holds for those alone, and not for times that a run took
 * either. */
static void
test_a_proof_is_of_its_times (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GPtrArray) runs = session_make_measured (graph, &costs);
  GobanPlan *plan = goban_run_get_plan (g_ptr_array_index (runs, 0));
  g_autofree char *before = NULL;
  g_autofree char *measured = NULL;
  g_autofree char *simulated = NULL;
  g_autofree char *recorded = NULL;
  g_autofree char *again = NULL;

  goban_session_set_graph (f->session, graph, NULL);
  session_set_cluster (f->session, goban_cost_model_get_cluster (costs));
  goban_session_place (f->session, "exact", 0);
  session_wait_for_jobs (f->session);
  before = describe_proof (f->session, "exact");
  g_assert_nonnull (before);

  goban_plan_set_proven_bound_us (plan, costs, 240);
  goban_session_add_measured (f->session, costs, runs);
  measured = describe_proof (f->session, "exact");
  g_assert_null (measured);
  simulated = describe_proof (f->session, "mine");
  g_assert_nonnull (simulated);
  recorded = describe_proof (f->session, "mine, measured");
  g_assert_null (recorded);

  goban_session_undo (f->session);
  again = describe_proof (f->session, "exact");
  g_assert_cmpstr (again, ==, before);
}

static void
test_tells_why_a_policy_fails (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();

  goban_session_set_graph (f->session, graph, NULL);
  goban_session_place (f->session, "alphago", 0);
  session_wait_for_jobs (f->session);
  g_assert_null (goban_session_get_current_run (f->session));
  g_assert_nonnull (strstr (f->events->str, "error("));
  g_assert_nonnull (strstr (f->events->str, "heft"));
}

static void
test_tells_what_cannot_be_opened (Fixture *f, gconstpointer data)
{
  goban_session_open_path (f->session, "/nowhere/model.onnx");
  session_wait_for_jobs (f->session);
  g_assert_null (goban_session_get_graph (f->session));
  g_assert_nonnull (strstr (f->events->str, "error(/nowhere/model.onnx: cannot be read: there is "
                                            "no such file)"));

  goban_session_open_plan (f->session, "plan.json");
  g_assert_nonnull (strstr (f->events->str, "a plan needs its graph"));
  goban_session_place (f->session, "heft", 0);
  g_assert_nonnull (strstr (f->events->str, "There is no graph to place"));
}

static void
test_the_newest_job_wins (Fixture *f, gconstpointer data)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *resnet = project_path ("samples/resnet-50.onnx");

  goban_session_open_path (f->session, resnet);
  goban_session_open_path (f->session, toy);
  session_wait_for_jobs (f->session);
  g_assert_cmpstr (goban_session_get_path (f->session), ==, toy);
}

static void
test_plans_come_back_from_files (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autofree char *folder = g_dir_make_tmp ("goban-session-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "my.plan.json", NULL);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;

  goban_session_set_graph (f->session, graph, NULL);
  run = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, NULL);
  g_assert_true (goban_plan_save (goban_run_get_plan (run), goban_session_get_costs (f->session),
                                  path, &error));
  goban_session_open_plan (f->session, path);
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==,
                   "my.plan.json");
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (f->session)), ==,
                     goban_run_get_makespan_us (run));
  remove_folder (folder);
}

/* --- clusters that come with a graph ---------------------------------------------------------- */

/* Two tasks, of which each device does one faster, and 5 ms between the devices. */
static char *
write_moirai (const char *folder)
{
  static const char *const text = "task,c_task,dir_succ,p0,p1,pc00,pc01,pc10,pc11,mi,m0,m1\n"
                                  "0,2,1,1,9,0,5,5,0,6,10,20\n"
                                  "1,,,9,1,,,,,6,,\n";
  char *path = g_build_filename (folder, "two.csv", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
assert_cluster (Fixture *f, const char *name)
{
  g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster (f->session)), ==, name);
}

static void
test_opens_on_the_files_devices (TestFolder *folder, gconstpointer data)
{
  Fixture f = { 0 };
  g_autofree char *path = write_moirai (folder->folder);
  g_autoptr (GobanGraph) plain = toy_diamond ();
  g_autoptr (GobanCluster) other = goban_cluster_new_from_spec ("v100x2", NULL);
  g_autoptr (GobanCluster) known = goban_cluster_new_from_spec ("devices:p0,p1", NULL);

  set_up (&f, NULL);
  goban_session_open_path (f.session, path);
  session_wait_for_jobs (f.session);
  assert_cluster (&f, "devices:p0=10,p1=20");
  /* Task 0 on p0, 5 ms to p1, task 1 there. */
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (f.session)), ==,
                     7e3);

  /* On devices of which the graph knows nothing no plan would mean anything. */
  g_string_truncate (f.events, 0);
  session_set_cluster (f.session, other);
  assert_cluster (&f, "devices:p0=10,p1=20");
  g_assert_nonnull (
      strstr (f.events->str, "error(two: the graph has times for devices of the kinds"));

  /* Changed, and taken back to what the file says, it is the file's. */
  g_assert_true (session_set_device (f.session, 0, "memory", 12, NULL));
  session_set_cluster (f.session, goban_session_get_origin (f.session));
  g_assert_cmpfloat (
      goban_cluster_get_device (goban_session_get_cluster (f.session), 0)->memory_bytes, ==, 10);

  /* A graph that brings none is on the cluster that was there before. */
  goban_session_set_graph (f.session, plain, NULL);
  assert_cluster (&f, "p100x4");
  session_set_cluster (f.session, other);
  goban_session_open_path (f.session, path);
  session_wait_for_jobs (f.session);
  assert_cluster (&f, "devices:p0=10,p1=20");

  /* Chosen for this graph, it stays when the file is read again. */
  session_set_cluster (f.session, known);
  assert_cluster (&f, "devices:p0,p1");
  goban_session_open_path (f.session, path);
  session_wait_for_jobs (f.session);
  assert_cluster (&f, "devices:p0,p1");
  tear_down (&f, NULL);
}

/* A placed graph is shown as its file has it, be another plan as fast as may be. */
static void
test_shows_the_files_plan (TestFolder *folder, gconstpointer data)
{
  static const char text[] = "node { name: 'a' op: 'MatMul' device: '/device:GPU:3' }\n"
                             "node { name: 'b' op: 'MatMul' input: 'a' device: '/device:GPU:1' }\n";
  Fixture f = { 0 };
  GobanRun *run;

  g_assert_true (g_file_set_contents (folder->path, text, -1, NULL));
  set_up (&f, NULL);
  goban_session_open_path (f.session, folder->path);
  session_wait_for_jobs (f.session);
  run = goban_session_get_current_run (f.session);
  g_assert_cmpstr (goban_plan_get_policy (goban_run_get_plan (run)), ==, "tf-default");
  g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (run), 0), ==, 3);
  g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (run), 1), ==, 1);
  tear_down (&f, NULL);
}

static void
test_plans_of_graphs_that_are_not_open (Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-session-XXXXXX", NULL);
  g_autofree char *path = write_moirai (folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);
  g_autoptr (GobanGraph) plain = toy_diamond ();
  g_autoptr (GobanCluster) same = goban_cluster_new_from_spec ("p100x4", NULL);
  GobanCluster *own;

  g_assert_no_error (error);
  own = goban_session_get_cluster_for (f->session, graph);
  g_assert_cmpstr (goban_cluster_get_name (own), ==, "devices:p0=10,p1=20");
  g_assert_true (goban_session_get_cluster_for (f->session, plain)
                 == goban_session_get_cluster (f->session));
  /* Opening it takes the same object, so that runs made before are on the session's cluster. */
  goban_session_set_graph (f->session, graph, NULL);
  g_assert_true (goban_session_get_cluster (f->session) == own);
  g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster_for (f->session, plain)), ==,
                   "p100x4");

  /* What somebody chooses is meant for other graphs too, even if it is the default. */
  goban_session_set_graph (f->session, plain, NULL);
  session_set_cluster (f->session, same);
  g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster_for (f->session, graph)), ==,
                   "p100x4");
  remove_folder (folder);
}

static const char *
name_of (Fixture *f, guint place)
{
  return goban_run_get_name (goban_run_list_get (goban_session_get_runs (f->session), place));
}

static GobanRun *
add_heft (Fixture *f)
{
  GobanRun *run
      = goban_run_new_from_policy (goban_session_get_costs (f->session), "heft", NULL, NULL);

  goban_session_add_run (f->session, run);
  return run; /* (transfer full) */
}

/* The second run of a name has a number, which an undo frees and another cluster keeps; what is in
 * the list keeps its name, however often it is shown. */
static void
test_one_name_twice (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (4);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_preset ("v100x4");
  g_autoptr (GobanRun) first = NULL;
  g_autoptr (GobanRun) second = NULL;
  g_autoptr (GobanRun) third = NULL;

  goban_session_set_graph (f->session, graph, NULL);
  first = add_heft (f);
  second = add_heft (f);
  g_assert_cmpstr (name_of (f, 0), ==, "heft");
  g_assert_cmpstr (name_of (f, 1), ==, "heft 2");
  g_assert_cmpstr (goban_plan_get_policy (goban_run_get_plan (second)), ==, "heft");
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "add heft 2");
  goban_session_add_run (f->session, second);
  g_assert_cmpstr (name_of (f, 1), ==, "heft 2");
  session_set_cluster (f->session, cluster);
  g_assert_cmpstr (name_of (f, 1), ==, "heft 2");
  g_assert_true (goban_session_undo (f->session));
  g_assert_true (goban_session_undo (f->session));
  third = add_heft (f);
  g_assert_cmpstr (name_of (f, 1), ==, "heft 2");
  goban_session_remove_run (f->session, first);
  g_assert_cmpstr (name_of (f, 0), ==, "heft 2");
}

/* The second request gives the search up, even if the first has ended it meanwhile. */
static void
test_given_up (Fixture *f, gconstpointer data)
{
  static const char *const policies[] = { "anneal", NULL };
  g_autoptr (GobanGraph) graph = toy_two_chains (8);
  GobanRunOptions options = { .max_seconds = 3600 };
  g_autoptr (GobanJob) job = NULL;

  goban_session_set_graph (f->session, graph, NULL);
  goban_session_place_with (f->session, policies, &options);
  job = g_object_ref (goban_session_get_job (f->session));
  goban_session_finish_job (f->session);
  while (goban_job_get_seconds_left (job) != 0) /* the worker has ended, and nobody knows it yet */
    g_thread_yield ();
  goban_session_finish_job (f->session);
  goban_job_wait (job);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 0);
  g_assert_nonnull (strstr (f->events->str, "topped on request"));
}

static GobanRun *
wait_for_another (Fixture *f, GobanRun *run)
{
  GobanRun *current;

  while ((current = goban_session_get_current_run (f->session)) == run)
    g_main_context_iteration (NULL, TRUE);
  return current;
}

/* The plans of a watched policy are shown as it makes them, in no list and no history; who has gone
 * back to a moment stays there, also when the policy has ended. */
static void
test_watched_policy (Fixture *f, gconstpointer data)
{
  static const char *const policies[] = { "anneal", NULL };
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 3, "p100x4");
  GobanRunOptions options = { .max_seconds = 3600 };
  GobanView *view = goban_session_get_view (f->session);
  g_autoptr (GobanRun) before = NULL;
  g_autoptr (GobanRun) live = NULL;
  g_autoptr (GobanRun) later = NULL;
  g_autoptr (GobanJob) job = NULL;
  GobanDecisions *decisions;
  guint n_moments;
  gint64 watched_us;

  goban_session_set_graph (f->session, goban_cost_model_get_graph (costs), NULL);
  before = add_heft (f);
  goban_session_set_watching (f->session, TRUE);
  goban_session_place_with (f->session, policies, &options);
  live = goban_run_ref (wait_for_another (f, before));
  g_assert_cmpstr (goban_run_get_name (live), ==, "anneal");
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 1);
  g_assert_true (goban_session_get_shown_run (f->session) == live);
  n_moments = goban_decisions_get_n_moments (goban_run_get_decisions (live));
  g_assert_cmpuint (n_moments, >, 0);

  goban_view_set_moment (view, 1);
  later = goban_run_ref (wait_for_another (f, live));
  decisions = goban_run_get_decisions (later);
  g_assert_cmpuint (goban_decisions_get_n_moments (decisions), >, n_moments);
  g_assert_cmpint (goban_view_get_moment (view), ==, 1);

  /* Another choice ends it for the job, and so does a script that does not want it any more. */
  goban_session_set_current_run (f->session, before);
  g_assert_true (goban_session_get_current_run (f->session) == before);
  g_assert_null (goban_session_get_live (f->session));
  g_assert_cmpint (goban_view_get_moment (view), ==, GOBAN_NO_MOMENT);

  goban_session_place_with (f->session, policies, &options);
  wait_for_another (f, before);
  goban_session_set_watching (f->session, FALSE);
  g_assert_true (goban_session_get_current_run (f->session) == before);

  /* The time without watching is not one that watching took, after which it would pause long. */
  g_usleep (G_USEC_PER_SEC / 2);
  goban_session_set_watching (f->session, TRUE);
  watched_us = g_get_monotonic_time ();
  wait_for_another (f, before);
  g_assert_cmpint (g_get_monotonic_time () - watched_us, <, 10 * G_USEC_PER_SEC);
  goban_view_set_moment (view, 2);
  job = g_object_ref (goban_session_get_job (f->session));
  goban_session_finish_job (f->session);
  goban_job_wait (job);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (f->session)), ==, 2);
  g_assert_cmpint (goban_view_get_moment (view), ==, 2);
  g_assert_true (goban_session_undo (f->session));
  g_assert_true (goban_session_get_current_run (f->session) == before);
}

/* Nothing can be changed of a plan that is not there yet. */
static void
test_watched_plans_are_not_edited (Fixture *f, gconstpointer data)
{
  static const char *const policies[] = { "anneal", NULL };
  g_autoptr (GobanCostModel) costs = toy_small_costs (60, 3, "p100x4");
  GobanRunOptions options = { .max_seconds = 3600 };
  g_autoptr (GobanEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanJob) job = NULL;

  goban_session_set_graph (f->session, goban_cost_model_get_graph (costs), NULL);
  goban_session_set_watching (f->session, TRUE);
  goban_session_place_with (f->session, policies, &options);
  wait_for_another (f, NULL);
  edit = session_new_edit (f->session, GOBAN_EDIT_MOVE, (GobanNodeId[]){ 0 }, 1);
  edit->device = 1;
  g_assert_false (session_edit (f->session, edit, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "anneal is still running"));
  job = g_object_ref (goban_session_get_job (f->session));
  goban_session_finish_job (f->session);
  goban_job_wait (job);
  g_clear_error (&error);
  g_assert_true (session_edit (f->session, edit, &error));
}

static void
logged_cb (GobanSession *session, guint line, gpointer user_data)
{
  const GPtrArray *lines = session->log;

  g_assert_null (g_ptr_array_index (lines, line));
  ++*(guint *) user_data;
}

/* The log keeps long notes as they are, once, until somebody reads it: nothing is quoted before. */
static void
test_long_notes_are_quoted_when_read (Fixture *f, gconstpointer data)
{
  g_autofree char *quoted = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (GString) notes = g_string_new (NULL);
  const GPtrArray *log;
  guint n = 0;

  for (guint i = 0; i < 100000; i++)
    g_string_append (notes, "a \"line\"\n");
  g_signal_connect (f->session, "log", G_CALLBACK (logged_cb), &n);
  goban_session_set_notes (f->session, notes->str);
  goban_session_set_notes (f->session, "short");
  g_assert_cmpuint (n, ==, 2);

  log = goban_session_get_log (f->session);
  quoted = goban_lua_text_quote (notes->str);
  expected = g_strconcat ("app.notes ", quoted, NULL);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 2), ==, expected);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==, "app.notes \"short\"");
}

TEST_PROGRAM (session)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func)                                                                            \
  g_test_add ("/session/session/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("opening-forgets", test_opening_forgets);
  ADD ("one-name-twice", test_one_name_twice);
  ADD ("runs-are-sorted", test_runs_are_sorted);
  ADD ("another-cluster-runs-again", test_another_cluster_runs_again);
  ADD ("opens-and-places", test_opens_and_places);
  ADD ("opens-a-recorded-run", test_opens_a_recorded_run);
  ADD ("takes-measured-times", test_takes_measured_times);
  ADD ("takes-measured-runs", test_takes_measured_runs);
  ADD ("a-cluster-changed-while-placing-is-placed-for",
       test_a_cluster_changed_while_placing_is_placed_for);
  ADD ("keeps-what-placing-was-asked-for", test_keeps_what_placing_was_asked_for);
  ADD ("a-proof-is-of-its-times", test_a_proof_is_of_its_times);
  ADD ("tells-why-a-policy-fails", test_tells_why_a_policy_fails);
  ADD ("tells-what-cannot-be-opened", test_tells_what_cannot_be_opened);
  ADD ("given-up", test_given_up);
  ADD ("watched-policy", test_watched_policy);
  ADD ("watched-plans-are-not-edited", test_watched_plans_are_not_edited);
  ADD ("the-newest-job-wins", test_the_newest_job_wins);
  ADD ("plans-come-back-from-files", test_plans_come_back_from_files);
  ADD ("plans-of-graphs-that-are-not-open", test_plans_of_graphs_that_are_not_open);
  ADD ("long-notes-are-quoted-when-read", test_long_notes_are_quoted_when_read);
#undef ADD
  g_test_add ("/session/session/opens-on-the-files-devices", TestFolder, "x", test_folder_set_up,
              test_opens_on_the_files_devices, test_folder_tear_down);
  g_test_add ("/session/session/shows-the-files-plan", TestFolder, "x.pbtxt", test_folder_set_up,
              test_shows_the_files_plan, test_folder_tear_down);
  return g_test_run ();
}
