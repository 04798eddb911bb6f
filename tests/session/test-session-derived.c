/* Graphs derived from the open one: what comes back by undo, redo and "back", what is dropped. */
#include "engine/session/session-derived.h"

#include "engine/graph/training.h"
#include "engine/graph/workloads/workload.h"
#include "engine/session/document/document.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/parallel-order.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"

#include "tests/support/folder.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* Carries the order out, of the open graph. (transfer full) */
static GobanRun *
make_run (GobanSession *session, GobanParallelKind kind)
{
  g_autoptr (GobanParallelOrder) order = goban_parallel_order_new (
      kind, goban_session_get_costs (session), goban_session_get_cluster (session));
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanParallelResult) result = NULL;

  order->n = 2;
  order->n_batches = 3;
  order->schedule = g_strdup ("gpipe");
  order->collective = g_strdup ("broadcast");
  order->bytes = 1e6;
  result = goban_parallel_order_run (NULL, order, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&result->run);
}

static void
derive (GobanSession *session, GobanParallelKind kind)
{
  g_autoptr (GobanRun) run = make_run (session, kind);

  goban_session_derive (session, run);
  g_assert_true (goban_session_get_current_run (session) == run);
  g_assert_true (goban_session_get_graph (session) == goban_run_get_graph (run));
}

static const char *
get_last_line (GobanSession *session)
{
  const GPtrArray *log = goban_session_get_log (session);

  return g_ptr_array_index (log, log->len - 1);
}

static guint
count_runs (GobanSession *session)
{
  return g_list_model_get_n_items (goban_session_get_runs (session));
}

/* The toy graph with a plan, a pinned and a selected node, a hidden one and notes. */
static GobanSession *
open_model (void)
{
  static const GobanNodeId first[] = { 0 };
  static const GobanNodeId second[] = { 1 };
  GobanSession *session = goban_session_new ();
  g_autoptr (GobanSelection) a = goban_selection_new (first, 1);
  g_autoptr (GobanSelection) b = goban_selection_new (second, 1);

  session_open_toy (session);
  session_add_policy (session, "round-robin", 0);
  goban_session_pin (session, a, TRUE);
  goban_session_set_selection (session, b);
  goban_session_set_notes (session, "of the model");
  goban_view_set_hidden (goban_session_get_view (session), b, goban_session_get_graph (session));
  return session;
}

static void
assert_is_model (GobanSession *session, GobanGraph *graph, GobanRun *run)
{
  guint n_pinned, n_selected, n_hidden;

  g_assert_true (goban_session_get_graph (session) == graph);
  g_assert_true (goban_session_get_current_run (session) == run);
  g_assert_cmpuint (count_runs (session), ==, 1);
  g_assert_true (g_str_has_suffix (goban_session_get_path (session), "toy.dot"));
  g_assert_cmpstr (goban_session_get_notes (session), ==, "of the model");
  goban_selection_get_ids (goban_session_get_pinned (session), &n_pinned);
  goban_selection_get_ids (goban_session_get_selection (session), &n_selected);
  goban_selection_get_ids (goban_view_get_hidden (goban_session_get_view (session)), &n_hidden);
  g_assert_cmpuint (n_pinned, ==, 1);
  g_assert_cmpuint (n_selected, ==, 1);
  g_assert_cmpuint (n_hidden, ==, 1);
}

static void
test_undo_and_redo (void)
{
  g_autoptr (GobanSession) session = open_model ();
  g_autoptr (GobanGraph) graph = goban_graph_ref (goban_session_get_graph (session));
  g_autoptr (GobanRun) run = goban_run_ref (goban_session_get_current_run (session));
  g_autoptr (GobanRun) piped = NULL;
  guint n_hidden;

  derive (session, GOBAN_PARALLEL_PIPELINE);
  piped = goban_run_ref (goban_session_get_current_run (session));
  g_assert_cmpstr (get_last_line (session), ==,
                   "view.derive(assert(g:pipeline{ schedule = \"gpipe\", micro_batches = 3, "
                   "stages = 2 }))");
  g_assert_cmpstr (goban_session_get_undo_name (session), ==, "make a pipeline");
  g_assert_null (goban_session_get_redo_name (session));
  g_assert_null (goban_session_get_path (session));
  g_assert_cmpstr (goban_session_get_notes (session), ==, "");
  goban_selection_get_ids (goban_view_get_hidden (goban_session_get_view (session)), &n_hidden);
  g_assert_cmpuint (n_hidden, ==, 0);
  g_assert_true (goban_session_has_aside (session, graph));
  g_assert_true (goban_session_has_seen_run (session, run));

  /* A change of the derived graph is undone first. */
  session_add_policy (session, "single", 0);
  g_assert_cmpuint (count_runs (session), ==, 2);
  g_assert_true (goban_session_undo (session));
  g_assert_true (goban_session_get_current_run (session) == piped);
  g_assert_true (goban_session_undo (session));
  assert_is_model (session, graph, run);
  g_assert_true (g_str_has_prefix (goban_session_get_undo_name (session), "pin "));
  g_assert_cmpstr (goban_session_get_redo_name (session), ==, "make a pipeline");
  g_assert_false (goban_session_can_return (session));

  /* The model's own changes lie before it, and redo goes through all of them in order. */
  g_assert_true (goban_session_undo (session));
  g_assert_true (g_str_has_prefix (goban_session_get_redo_name (session), "pin "));
  g_assert_true (goban_session_redo (session));
  g_assert_true (goban_session_redo (session));
  g_assert_true (goban_session_get_current_run (session) == piped);
  g_assert_true (goban_session_redo (session));
  g_assert_cmpuint (count_runs (session), ==, 2);
  g_assert_false (goban_session_redo (session));
}

/* What was undone before is gone, and so is what is derived once the model changes. */
static void
test_changes_drop_redo (void)
{
  g_autoptr (GobanSession) session = open_model ();

  g_assert_true (goban_session_undo (session));
  g_assert_nonnull (goban_session_get_redo_name (session));
  derive (session, GOBAN_PARALLEL_PIPELINE);
  g_assert_true (goban_session_undo (session));
  g_assert_cmpstr (goban_session_get_redo_name (session), ==, "make a pipeline");
  session_add_policy (session, "single", 0);
  g_assert_null (goban_session_get_redo_name (session));
  g_assert_false (goban_session_redo (session));
}

/* A graph derived from a derived one; "back" goes to the model at once. */
static void
test_back (void)
{
  g_autoptr (GobanSession) session = open_model ();
  g_autoptr (GobanGraph) graph = goban_graph_ref (goban_session_get_graph (session));
  g_autoptr (GobanRun) run = goban_run_ref (goban_session_get_current_run (session));
  g_autoptr (GobanGraph) derived = NULL;

  g_assert_false (goban_session_return (session));
  derive (session, GOBAN_PARALLEL_PIPELINE);
  derived = goban_graph_ref (goban_session_get_graph (session));
  derive (session, GOBAN_PARALLEL_COLLECTIVE);
  g_assert_cmpstr (goban_session_get_undo_name (session), ==, "simulate a collective");
  g_assert_true (goban_session_return (session));
  assert_is_model (session, graph, run);
  g_assert_true (goban_session_redo (session));
  g_assert_true (goban_session_get_graph (session) == derived);
  g_assert_cmpstr (goban_session_get_undo_name (session), ==, "make a pipeline");
  g_assert_cmpstr (goban_session_get_redo_name (session), ==, "simulate a collective");
}

/* A run of a graph that is set aside is shown there, in either direction. */
static void
test_runs_of_asides (void)
{
  g_autoptr (GobanSession) session = open_model ();
  g_autoptr (GobanGraph) graph = goban_graph_ref (goban_session_get_graph (session));
  g_autoptr (GobanRun) run = goban_run_ref (goban_session_get_current_run (session));
  g_autoptr (GobanRun) other
      = goban_run_new_from_policy (goban_session_get_costs (session), "single", NULL, NULL);
  g_autoptr (GobanGraph) derived = NULL;
  g_autoptr (GobanRun) piped = NULL;

  derive (session, GOBAN_PARALLEL_PIPELINE);
  derived = goban_graph_ref (goban_session_get_graph (session));
  piped = goban_run_ref (goban_session_get_current_run (session));
  derive (session, GOBAN_PARALLEL_COLLECTIVE);

  /* The one that the list has already is no change: redo leads on. */
  goban_session_add_run (session, run);
  assert_is_model (session, graph, run);
  g_assert_true (g_str_has_prefix (goban_session_get_undo_name (session), "pin "));
  g_assert_cmpstr (goban_session_get_redo_name (session), ==, "make a pipeline");
  goban_session_add_run (session, piped);
  g_assert_true (goban_session_get_graph (session) == derived);
  g_assert_cmpuint (count_runs (session), ==, 1);
  g_assert_cmpstr (get_last_line (session), ==, "app.redo()");
  g_assert_true (goban_session_can_return (session));
  g_assert_cmpstr (goban_session_get_redo_name (session), ==, "simulate a collective");

  /* From the last to the one between. */
  g_assert_true (goban_session_redo (session));
  g_assert_true (goban_session_reopen (session, derived));
  g_assert_true (goban_session_get_current_run (session) == piped);

  /* A new one is added to the model's list, which is a change of the model. */
  goban_session_add_run (session, other);
  g_assert_true (goban_session_get_graph (session) == graph);
  g_assert_true (goban_session_get_current_run (session) == other);
  g_assert_cmpuint (count_runs (session), ==, 2);
  g_assert_cmpstr (goban_session_get_notes (session), ==, "of the model");
  g_assert_null (goban_session_get_redo_name (session));
  g_assert_false (goban_session_has_aside (session, derived));
  g_assert_true (goban_session_undo (session));
  assert_is_model (session, graph, run);
}

/* Redo would bring another change back first. */
static void
test_reopen_makes_no_other_change (void)
{
  g_autoptr (GobanSession) session = open_model ();
  g_autoptr (GobanGraph) derived = NULL;

  derive (session, GOBAN_PARALLEL_PIPELINE);
  derived = goban_graph_ref (goban_session_get_graph (session));
  g_assert_true (goban_session_undo (session));
  g_assert_true (goban_session_undo (session)); /* the model's pin */
  g_assert_false (goban_session_reopen (session, derived));
  g_assert_false (goban_session_reopen (session, goban_session_get_graph (session)));
  g_assert_true (goban_session_has_aside (session, derived));
}

/* The order for copies of stages is one option more in its line. */
static void
test_copies_of_stages (void)
{
  g_autoptr (GobanSession) session = open_model ();
  g_autoptr (GobanParallelOrder) order
      = goban_parallel_order_new (GOBAN_PARALLEL_PIPELINE, goban_session_get_costs (session),
                                  goban_session_get_cluster (session));
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanParallelResult) result = NULL;

  order->n_batches = 8;
  order->schedule = g_strdup ("gpipe");
  order->copies_stages = TRUE;
  result = goban_parallel_order_run (NULL, order, &error);
  g_assert_no_error (error);
  goban_session_derive (session, result->run);
  g_assert_cmpstr (get_last_line (session), ==,
                   "view.derive(assert(g:pipeline{ schedule = \"gpipe\", micro_batches = 8, "
                   "copies = true }))");
}

static void
test_another_graph_drops_all (void)
{
  g_autoptr (GobanSession) session = open_model ();
  g_autoptr (GobanGraph) graph = goban_graph_ref (goban_session_get_graph (session));
  g_autoptr (GobanGraph) diamond = toy_diamond ();

  derive (session, GOBAN_PARALLEL_PIPELINE);
  goban_session_set_graph (session, diamond, NULL);
  g_assert_false (goban_session_has_aside (session, graph));
  g_assert_null (goban_session_get_undo_name (session));
  g_assert_false (goban_session_undo (session));
}

/* A collective needs no graph, and there is nothing to go back to. */
static void
test_without_graph (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanParallelOrder) order = goban_parallel_order_new (
      GOBAN_PARALLEL_COLLECTIVE, NULL, goban_session_get_cluster (session));
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanParallelResult) result = NULL;

  order->collective = g_strdup ("all-reduce");
  order->bytes = 1e6;
  result = goban_parallel_order_run (NULL, order, &error);
  g_assert_no_error (error);
  goban_session_derive (session, result->run);
  g_assert_true (goban_session_get_current_run (session) == result->run);
  g_assert_false (goban_session_can_return (session));
  g_assert_null (goban_session_get_undo_name (session));
}

/* The model's session file is its own again after the way back; the derived graph has another,
 * which holds it, and gives the same run. */
static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.goban", NULL);
  g_autofree char *other = g_build_filename (folder, "pipeline.goban", NULL);
  g_autoptr (GobanSession) session = open_model ();
  GobanDocument *document = goban_document_get (session);
  g_autoptr (GError) error = NULL;
  double makespan_us;

  g_assert_true (goban_document_save_now (document, path, &error));
  g_assert_no_error (error);
  derive (session, GOBAN_PARALLEL_PIPELINE);
  makespan_us = goban_run_get_makespan_us (goban_session_get_current_run (session));
  g_assert_null (goban_document_get_path (document));
  g_assert_true (goban_document_is_changed (document));
  g_assert_true (goban_document_save_now (document, other, &error));
  g_assert_true (goban_session_undo (session));
  g_assert_cmpstr (goban_document_get_path (document), ==, path);
  g_assert_false (goban_document_is_changed (document));
  session_add_policy (session, "single", 0);
  g_assert_true (goban_document_is_changed (document));
  g_assert_true (goban_document_save_now (document, path, &error));
  g_assert_no_error (error);

  g_assert_true (goban_document_open_now (document, other, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (session)), ==,
                     makespan_us);
  g_assert_false (goban_session_can_return (session));
  remove_folder (folder);
}

/* The cluster of a training is another one, with groups, for as long as its graph is open; its file
 * has both. */
static void
test_training (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "training.goban", NULL);
  g_autoptr (GobanGraph) graph = goban_workload_generate (
      "gpt:layers=4,width=256,heads=8,vocabulary=1024,sequence=128,batch=1", NULL);
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanDocument *document = goban_document_get (session);
  g_autoptr (GobanCluster) whole = NULL;
  g_autofree char *folded = NULL;
  g_autoptr (GobanParallelOrder) order = NULL;
  g_autoptr (GobanParallelResult) result = NULL;
  g_autoptr (GError) error = NULL;
  double makespan_us;
  g_autoptr (GobanPlan) copy = NULL;

  goban_session_set_graph (session, graph, NULL);
  session_add_policy (session, "single", 0);
  whole = goban_cluster_ref (goban_session_get_cluster (session));
  order = goban_parallel_order_new (GOBAN_PARALLEL_TRAINING, goban_session_get_costs (session),
                                    whole);
  order->shape = (GobanTrainingShape){ .tp = 2, .pp = 2, .dp = 1 };
  result = goban_parallel_order_run (NULL, order, &error);
  g_assert_no_error (error);
  goban_session_derive (session, result->run);
  folded = g_strdup (goban_cluster_get_name (goban_session_get_cluster (session)));
  makespan_us = goban_run_get_makespan_us (result->run);
  g_assert_nonnull (strstr (folded, "tp 2"));
  g_assert_cmpstr (get_last_line (session), ==,
                   "view.derive(assert(g:parallel{ tp = 2, pp = 2, dp = 1 }))");
  g_assert_true (goban_document_save_now (document, path, &error));
  g_assert_no_error (error);

  g_assert_true (goban_session_undo (session));
  g_assert_true (goban_session_get_cluster (session) == whole);
  g_assert_true (goban_session_get_graph (session) == graph);
  g_assert_true (goban_session_redo (session));
  g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster (session)), ==, folded);
  g_assert_true (goban_session_return (session));

  g_assert_true (goban_document_open_now (document, path, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster (session)), ==, folded);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (session)), ==,
                     makespan_us);
  /* What it simulates then has the groups' times, too. */
  copy = goban_plan_copy (goban_run_get_plan (goban_session_get_current_run (session)));
  session_add_plan (session, copy);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (session)), ==,
                     makespan_us);
  remove_folder (folder);
}

/* Unsaved changes of the model are still unsaved after the way back. */
static void
test_unsaved (void)
{
  g_autoptr (GobanSession) session = open_model ();
  GobanDocument *document = goban_document_get (session);

  session_add_policy (session, "single", 0);
  g_assert_true (goban_document_is_changed (document));
  derive (session, GOBAN_PARALLEL_PIPELINE);
  g_assert_true (goban_session_return (session));
  g_assert_true (goban_document_is_changed (document));
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* Each change of a drawn graph opens the changed one, placed and with decisions, and undo brings
 * the last one back. What is refused changes nothing. */
static void
test_drawing (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autofree char *path = project_path ("data/lessons/untitled.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) sheet = goban_graph_source_load (path, NULL, &error);
  GobanDrawChange add = { .kind = GOBAN_DRAW_ADD, .name = "b", .op = "MatMul", .time_us = 10 };
  GobanDrawChange edge = { .kind = GOBAN_DRAW_CONNECT, .node = 0, .to = 1 };
  GobanDrawChange loop = { .kind = GOBAN_DRAW_CONNECT, .node = 1, .to = 0 };

  g_assert_no_error (error);
  g_assert_false (goban_session_is_drawing (session));
  session_open_toy (session); /* which is no drawing */
  g_assert_false (goban_session_is_drawing (session));
  goban_session_set_graph (session, sheet, NULL);
  g_assert_true (goban_session_is_drawing (session));
  g_assert_true (goban_session_draw (session, &add, &error));
  g_assert_nonnull (goban_run_get_decisions (goban_session_get_current_run (session)));
  g_assert_nonnull (strstr (get_last_line (session), "g:edit{ add = { { name = \"b\""));
  g_assert_true (goban_session_draw (session, &edge, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_edges (goban_session_get_graph (session)), ==, 1);
  g_assert_true (goban_session_get_original (session) == sheet);

  g_assert_false (goban_session_draw (session, &loop, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (goban_graph_get_n_edges (goban_session_get_graph (session)), ==, 1);
  goban_session_undo (session);
  g_assert_cmpuint (goban_graph_get_n_edges (goban_session_get_graph (session)), ==, 0);
  goban_session_undo (session);
  g_assert_true (goban_session_get_graph (session) == sheet);
}

TEST_PROGRAM (session_derived)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/derived/undo-and-redo", test_undo_and_redo);
  g_test_add_func ("/session/derived/changes-drop-redo", test_changes_drop_redo);
  g_test_add_func ("/session/derived/back", test_back);
  g_test_add_func ("/session/derived/drawing", test_drawing);
  g_test_add_func ("/session/derived/runs-of-asides", test_runs_of_asides);
  g_test_add_func ("/session/derived/reopen-makes-no-other-change",
                   test_reopen_makes_no_other_change);
  g_test_add_func ("/session/derived/copies-of-stages", test_copies_of_stages);
  g_test_add_func ("/session/derived/another-graph-drops-all", test_another_graph_drops_all);
  g_test_add_func ("/session/derived/without-graph", test_without_graph);
  g_test_add_func ("/session/derived/files", test_files);
  g_test_add_func ("/session/derived/training", test_training);
  g_test_add_func ("/session/derived/unsaved", test_unsaved);
  return g_test_run ();
}
