/* Session files: saved and read again, the same bytes; what is wrong is said with its line. */
#include "engine/session/document/session-file.h"
#include "engine/session/edit.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/document/opening.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/session-scenes.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/folder.h"
#include "tests/support/graph-gen.h"
#include "tests/support/session-text.h"
#include "tests/support/sessions.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  GobanSession *session;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("goban-session-XXXXXX", &error);
  g_assert_no_error (error);
  f->session = goban_session_new ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  remove_folder (f->folder);
  g_free (f->folder);
  g_assert_finalize_object (f->session);
}

static char *
in_folder (Fixture *f, const char *name)
{
  return g_build_filename (f->folder, name, NULL);
}

static GobanGraph *
make_graph (guint n_nodes, guint64 seed)
{
  const GraphGen gen = graph_gen_small (n_nodes);

  return graph_gen_new (&gen, seed);
}

/* A session with something of everything. */
static void
fill (Fixture *f, guint64 seed)
{
  GobanView *view = goban_session_get_view (f->session);
  GobanGraph *graph = goban_session_get_graph (f->session);
  const GobanNodeId some[] = { 0, 1, 2, 5 };
  g_autoptr (GobanSelection) nodes = goban_selection_new (some, 4);
  g_autoptr (GobanSelection) one = goban_selection_new (some + 1, 1);
  const char *const open[] = { "a/b", "a", NULL };
  static const char *const lanes[] = { "gpu:1", "gpu:0>gpu:1", NULL };

  session_add_policy (f->session, "heft", 0);
  session_add_policy (f->session, "random", seed);
  goban_session_pin (f->session, one, TRUE);
  goban_session_set_selection (f->session, nodes);
  goban_session_set_notes (f->session, "first “line”\n\n\tthird\n");
  goban_view_set_grouping (view, GOBAN_GROUPING_SCOPE);
  goban_view_set_expanded (view, open);
  goban_view_set_hidden (view, one, graph);
  goban_view_set_layout (view, GOBAN_ARRANGE_WRAPPED);
  goban_view_set_color (view, "priority");
  goban_view_set_time_us (view, 12.3);
  goban_view_set_viewport (view, &(GobanViewport){ -12.5, 0, 300.25, 1e6 });
  goban_view_snapshot (view, 2);
  goban_view_set_color (view, "device");
  goban_view_snapshot (view, 9);
  goban_view_set_color (view, "priority");
  goban_view_set_lanes (view, &(GobanLanes){ NULL, lanes, lanes, TRUE });
  goban_time_marks_put (goban_view_get_marks (view), 1.5, "a name");
}

static void
assert_same (GobanSession *a, GobanSession *b)
{
  guint n = g_list_model_get_n_items (goban_session_get_runs (a));

  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (b)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      GobanRun *left = goban_run_list_get (goban_session_get_runs (a), i);
      GobanRun *right = goban_run_list_get (goban_session_get_runs (b), i);

      g_assert_true (toy_plans_are_same (goban_run_get_plan (left), goban_run_get_plan (right)));
      g_assert_cmpstr (goban_run_get_name (left), ==, goban_run_get_name (right));
      g_assert_cmpuint (goban_run_get_origin (left)->seed, ==, goban_run_get_origin (right)->seed);
      g_assert_cmpuint (goban_run_get_origin (left)->evaluations, ==,
                        goban_run_get_origin (right)->evaluations);
      g_assert_cmpuint (goban_run_get_origin (left)->improvements->len, ==,
                        goban_run_get_origin (right)->improvements->len);
      g_assert_true (goban_run_get_makespan_us (left) == goban_run_get_makespan_us (right));
      g_assert_true ((left == goban_session_get_current_run (a))
                     == (right == goban_session_get_current_run (b)));
    }
  g_assert_true (
      goban_selection_equal (goban_session_get_pinned (a), goban_session_get_pinned (b)));
  g_assert_true (
      goban_selection_equal (goban_session_get_selection (a), goban_session_get_selection (b)));
  g_assert_cmpstr (goban_session_get_notes (a), ==, goban_session_get_notes (b));
}

static void
test_round_trip (Fixture *f, gconstpointer data)
{
  g_autofree char *path = in_folder (f, "a.goban");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSnapshot) saved = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  GobanView *view = goban_session_get_view (other);
  const GobanBookmark *bookmark;

  session_open_toy (f->session);
  fill (f, G_MAXUINT64);
  saved = goban_snapshot_new (f->session);
  g_assert_true (goban_snapshot_save (saved, path, &error));
  g_assert_true (goban_snapshot_is_present (saved, f->session));
  read = goban_snapshot_load (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (goban_snapshot_get_warnings (read)[0]);
  goban_session_open_snapshot (other, read);

  assert_same (f->session, other);
  g_assert_true (g_path_is_absolute (goban_session_get_path (other)));
  g_assert_cmpstr (goban_view_get_color (view), ==, "priority");
  g_assert_cmpint (goban_view_get_grouping (view), ==, GOBAN_GROUPING_SCOPE);
  g_assert_true (goban_view_is_expanded (view, "a/b"));
  g_assert_true (goban_view_get_time_us (view) == 12.3);
  g_assert_cmpstr (goban_view_get_lanes (view)->order[1], ==, "gpu:0>gpu:1");
  g_assert_null (goban_view_get_lanes (view)->open[0]);
  g_assert_true (goban_view_get_lanes (view)->is_strips);
  g_assert_cmpfloat (goban_time_marks_find (goban_view_get_marks (view), "a name")->time_us, ==,
                     1.5);
  g_assert_null (goban_navigation_get_bookmark (goban_view_get_places (view), 1));
  bookmark = goban_navigation_get_bookmark (goban_view_get_places (view), 2);
  g_assert_cmpstr (bookmark->color, ==, "priority");
  g_assert_true (bookmark->viewport.x0 == -12.5 && bookmark->viewport.y1 == 1e6);
  g_assert_cmpstr (bookmark->expanded[1], ==, "a/b");
  g_assert_true (goban_view_recall (view, 9));
  g_assert_cmpstr (goban_view_get_color (view), ==, "device");
  goban_view_set_color (view, "priority");
  g_assert_cmpint (goban_view_get_layout (view), ==, GOBAN_ARRANGE_WRAPPED);
  g_assert_null (goban_session_get_undo_name (other));
  g_assert_true (goban_snapshot_is_present (read, other));

  text = session_to_text (f->session, f->folder);
  again = session_to_text (other, f->folder);
  g_assert_cmpstr (text, ==, again);
}

/* Every grouping comes back by its word. */
static void
test_groupings (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = make_graph (20, 1);
  GobanView *view = goban_session_get_view (f->session);

  goban_session_set_graph (f->session, graph, NULL);
  for (int i = 0; i < GOBAN_N_GROUPINGS; i++)
    {
      static const char *const open[] = { "parameter 1", "parameter 1/use 3", NULL };
      g_autoptr (GobanSession) other = goban_session_new ();
      g_autoptr (GobanSnapshot) read = NULL;
      g_autofree char *text = NULL;
      g_autofree char *expected
          = g_strdup_printf ("\"grouping\": \"%s\"", goban_grouping_names[(GobanGrouping) i]);

      goban_view_set_grouping (view, (GobanGrouping) i);
      goban_view_set_expanded (view, open);
      goban_view_snapshot (view, 1);
      text = session_to_text (f->session, NULL);
      g_assert_nonnull (strstr (text, expected));
      read = session_read_text (text, "groupings.goban", NULL);
      goban_session_open_snapshot (other, read);
      view = goban_session_get_view (other);
      g_assert_cmpint (goban_view_get_grouping (view), ==, i);
      g_assert_true (goban_view_is_expanded (view, "parameter 1/use 3"));
      g_assert_cmpint (goban_navigation_get_bookmark (goban_view_get_places (view), 1)->grouping,
                       ==, i);
      view = goban_session_get_view (f->session);
    }
}

/* Random graphs that no file holds, with fused plans, on changed clusters. */
static void
test_random (Fixture *f, gconstpointer data)
{
  for (guint64 seed = 1; seed <= 12; seed++)
    {
      g_autoptr (GobanGraph) graph = make_graph (3 + (guint) seed * 9, seed);
      g_autoptr (GobanSession) other = goban_session_new ();
      g_autoptr (GobanSnapshot) read = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      g_autofree char *again = NULL;

      goban_session_set_graph (f->session, graph, NULL);
      g_assert_true (session_set_device (f->session, 1, "flops", 5e12 + (double) seed, &error));
      fill (f, seed);
      session_add_policy (f->session, "critical-path", 0);
      text = session_to_text (f->session, NULL);
      read = session_read_text (text, "random.goban", NULL);
      goban_session_open_snapshot (other, read);
      g_assert_cmpuint (goban_graph_get_hash (goban_snapshot_get_graph (read)), ==,
                        goban_graph_get_hash (graph));
      assert_same (f->session, other);
      again = session_to_text (other, NULL);
      g_assert_cmpstr (text, ==, again);
    }
}

/* A node that moves is one line of the file, and one of what the plan cost. */
static void
test_diff (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = make_graph (200, 3);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) moved = NULL;
  g_auto (GStrv) before = NULL;
  g_auto (GStrv) after = NULL;
  guint n_changed = 0;

  goban_session_set_graph (f->session, graph, "gone.json");
  plan = goban_plan_new (graph, 4);
  for (guint i = 0; i < 2; i++)
    {
      GobanRunOrigin origin = { .evaluations = 1 };
      g_autoptr (GobanRun) run = NULL;
      g_autofree char *text = NULL;

      moved = goban_plan_copy (plan);
      if (i > 0)
        goban_plan_set_priority (moved, 100, 7);
      run = goban_run_new_kept (goban_session_get_costs (f->session), moved, "p", &origin);
      goban_session_set_graph (f->session, graph, "gone.json");
      goban_session_add_run (f->session, run);
      text = session_to_text (f->session, NULL);
      *(i == 0 ? &before : &after) = g_strsplit (text, "\n", -1);
      g_clear_pointer (&moved, goban_plan_unref);
    }
  /* All priorities were 0, so their list is new; beyond it nothing differs. */
  for (guint i = 0; before[i] != NULL; i++)
    n_changed += !g_strv_contains ((const char *const *) after, before[i]);
  g_assert_cmpuint (n_changed, ==, 0);
}

static void
test_relative (Fixture *f, gconstpointer data)
{
  g_autofree char *sample = project_path ("samples/toy.dot");
  g_autofree char *graph_path = in_folder (f, "toy.dot");
  g_autofree char *path = in_folder (f, "s.goban");
  g_autofree char *text = NULL;
  g_autofree char *elsewhere = NULL;
  g_autoptr (GBytes) bytes = goban_file_read (sample, GOBAN_FILE_SESSION, NULL);
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *title = NULL;

  g_assert_true (g_file_set_contents (graph_path, g_bytes_get_data (bytes, NULL),
                                      (gssize) g_bytes_get_size (bytes), NULL));
  graph = goban_graph_source_load (graph_path, NULL, NULL);
  goban_session_set_graph (f->session, graph, graph_path);
  text = session_to_text (f->session, f->folder);
  elsewhere = session_to_text (f->session, "/elsewhere");
  g_assert_nonnull (strstr (text, "\"path\": \"toy.dot\""));
  g_assert_nonnull (strstr (elsewhere, graph_path));
  read = session_read_text (text, path, NULL);
  title = goban_snapshot_dup_title (read);
  g_assert_cmpstr (title, ==, "toy.dot");
}

static void
test_missing_graph (Fixture *f, gconstpointer data)
{
  g_autofree char *sample = project_path ("samples/toy.dot");
  g_autofree char *text = NULL;
  g_autofree char *missing = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (sample, NULL, NULL);
  GobanSnapshotOptions options = { .missing = &missing };
  g_autoptr (GobanSnapshot) read = NULL;

  goban_session_set_graph (f->session, graph, "/nonexistent/toy.dot");
  session_add_policy (f->session, "heft", 0);
  text = session_to_text (f->session, NULL);
  g_assert_null (goban_snapshot_read (text, strlen (text), "s.goban", &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "s.goban:"));
  g_assert_nonnull (strstr (error->message, "/nonexistent/toy.dot"));
  g_assert_cmpstr (missing, ==, "/nonexistent/toy.dot");

  options = (GobanSnapshotOptions){ .graph_path = sample };
  g_clear_error (&error);
  read = goban_snapshot_read (text, strlen (text), "s.goban", &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, 1);
}

/* Other times: plans are kept. Other nodes: nothing that is about nodes is. */
static void
test_changed_graph (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) diamond = toy_diamond ();
  g_autoptr (GobanGraph) chain = toy_chain ();
  g_autofree char *text = NULL;
  g_autoptr (GString) slower = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autoptr (GobanSnapshot) other = NULL;

  goban_session_set_graph (f->session, diamond, NULL);
  session_add_policy (f->session, "heft", 0);
  text = session_to_text (f->session, NULL);
  slower = g_string_new (text);
  g_assert_cmpuint (g_string_replace (slower, "\"hash\": \"", "\"hash\": \"0", 1), ==, 1);
  read = session_read_text (slower->str, "s.goban", NULL);
  g_assert_nonnull (strstr (goban_snapshot_get_warnings (read)[0], "has changed"));
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, 1);

  other = session_read_text (text, "s.goban", chain);
  g_assert_nonnull (strstr (goban_snapshot_get_warnings (other)[1], "1 plan is left out"));
  g_assert_cmpuint (goban_snapshot_get_runs (other)->len, ==, 0);
}

/* Other nodes: what has the same name stays where it was, the rest is beside it. */
static void
test_changed_names (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "source", "right", "fresh", "sink", "last", NULL };
  g_autoptr (GobanGraph) diamond = toy_diamond ();
  g_autoptr (GobanGraph) other = toy_of_names (names);
  guint n_other = goban_graph_get_n_nodes (other);
  g_autofree char *text = NULL;
  g_autoptr (GString) short_of_one = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  GobanPlan *before, *after;
  const char *const *warnings;
  guint n_kept = 0;

  goban_session_set_graph (f->session, diamond, "/nowhere/diamond.json");
  session_add_policy (f->session, "round-robin", 0);
  before = goban_run_get_plan (goban_session_get_current_run (f->session));
  text = session_to_text (f->session, NULL);
  read = session_read_text (text, "s.goban", other);
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, 1);
  after = goban_run_get_plan (g_ptr_array_index (goban_snapshot_get_runs (read), 0));
  for (GobanNodeId v = 0; v < n_other; v++)
    {
      GobanNodeId old = goban_graph_find_node (diamond, goban_graph_get_node (other, v)->name);

      if (old == GOBAN_NO_NODE)
        continue;
      n_kept++;
      g_assert_cmpuint (goban_plan_get_device (after, v), ==, goban_plan_get_device (before, old));
    }
  g_assert_cmpuint (n_kept, ==, 3);
  warnings = goban_snapshot_get_warnings (read);
  g_assert_nonnull (
      strstr (warnings[0], "3 of its 5 nodes are where they were, by name, and 2 beside"));
  g_assert_null (warnings[1]);

  short_of_one = g_string_new (text);
  g_assert_cmpuint (g_string_replace (short_of_one, "\"nodes\": [\n", "\"nodes\": [\n\"x\",\n", 1),
                    ==, 1);
  g_assert_null (goban_snapshot_read (short_of_one->str, short_of_one->len, "s.goban",
                                      &(GobanSnapshotOptions){ .graph = other }, &error));
  g_assert_nonnull (strstr (error->message, "graph.nodes: there are 5 names for 4 nodes"));
}

/* What is wrong, with its line, and what to do. */
static void
test_errors (Fixture *f, gconstpointer data)
{
  static const SessionDamage newer = { "\"goban_session\": 1", "\"goban_session\": 2",
                                       "s.goban:2: goban_session: this session is of version 2" };
  static const SessionDamage cases[] = {
    { "\"goban_session\": 1", "\"goban_plan\": 3", "s.goban:1: this is not a session" },
    { "\"cluster\": \"p100x4\"", "\"cluster\": \"p100x5\"", "s.goban:3: cluster: " },
    { "\"current\": 1", "\"current\": 2", "s.goban:4: current: there are only 1 runs" },
    { "\"order\": \"", "\"order\": \"x",
      "runs[0].order is “xfifo”: one of fifo, priority is needed" },
    { "\"view\": {", "\"view\": 3, \"vieu\": {", "vieu is not known: did you mean view?" },
    { "\"grouping\": \"auto\"", "\"grouping\": \"odd\"",
      "view.grouping: there is no grouping “odd”" },
    { "\"color\": \"device\"", "\"color\": \"odd\"", "view.color: there is no colouring “odd”" },
    { "\"selection\": []", "\"selection\": [\"1-4\"]",
      "selection[0]: “1-4” is not a range of nodes" },
    { "\"selection\": []", "\"selection\": [\"1-2\", \"0-2\", \"3\"]",
      "selection[1]: “0-2” is not a range of nodes" },
    { "\"4*0\"", "\"3*0 4\"", "runs[0].devices[0]: there is no device 4, only 0 to 3" },
    { "\"4*0\"", "\"5*0\"", "these are not the 4 whole numbers" },
    { "\"4*0\"", "\"4000000000*0\"", "these are not the 4 whole numbers" },
    { "\"4*0\"", "\"4*0\", \"0\"", "runs[0].devices: 1 rows of 32 are expected" },
  };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autofree char *text = NULL;

  goban_session_set_graph (f->session, graph, NULL);
  session_add_policy (f->session, "single", 0);
  text = session_to_text (f->session, NULL);
  session_assert_refused (text, &newer, GOBAN_ERROR_UNSUPPORTED);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    session_assert_refused (text, &cases[i], GOBAN_ERROR_PARSE);
}

/* What a file does not say is as usual, and not as it was in the session. */
static void
test_least (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("tests/golden/session-least.goban");
  g_autofree char *old = NULL;
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanSnapshot) read = NULL;
  GobanCompareSet *set = goban_session_get_compare_set (f->session);

  goban_compare_set_set_mode (set, GOBAN_COMPARE_BLINK);
  g_assert_true (g_file_get_contents (path, &old, NULL, NULL));
  read = session_read_text (old, path, graph);
  g_assert_null (goban_snapshot_get_warnings (read)[0]);
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, 1);
  goban_session_open_snapshot (f->session, read);
  g_assert_cmpstr (goban_session_get_notes (f->session), ==, "Why not both?");
  g_assert_cmpint (goban_view_get_moment (goban_session_get_view (f->session)), ==,
                   GOBAN_NO_MOMENT);
  g_assert_false (goban_compare_set_is_open (set));
  g_assert_cmpint (goban_compare_set_get_mode (set), ==, GOBAN_COMPARE_SIDE);
}

static void
assert_scene_comes_back (const char *text)
{
  static const SessionDamage cases[] = {
    { "\"time_us\": 12.5", "\"time_us\": -1", "scenes[0].time_us is -1" },
    { "\"plan\": \"mine\"", "\"plans\": \"mine\"", "scenes[0].plans is not known" },
    { "\"text\": [", "\"text\": [ 7,", "scenes[0].text" },
    { "\"color\": \"device\"", "\"color\": \"op\\\" app.quit() --\"",
      "scenes[0].color: there is no colouring “op\" app.quit() --”" },
    /* Its width would be infinite. */
    { "\"sight\": \"0 0 0 0\"", "\"sight\": \"-1e308 0 1e308 1\"", "scenes[0].sight" },
  };
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanSessionScenes *scenes = goban_session_scenes_of (session);
  GobanView *view = goban_session_get_view (session);
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanSnapshot) read = session_read_text (text, "s.goban", graph);

  goban_session_open_snapshot (session, read);
  goban_view_set_color (view, "priority");
  g_assert_true (goban_session_scenes_show (scenes, 1, NULL));
  g_assert_cmpstr (goban_session_scenes_get_text (scenes), ==, "Left waits\nfor “source”");
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (session)), ==, "mine");
  g_assert_cmpfloat (goban_view_get_time_us (view), ==, 12.5);
  g_assert_cmpstr (goban_view_get_color (view), ==, "device");
  g_assert_true (goban_snapshot_is_present (read, session));
  g_assert_true (goban_session_scenes_remove (scenes, 1, NULL));
  g_assert_false (goban_snapshot_is_present (read, session));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GobanSnapshotOptions options = { .graph = graph };
      g_autoptr (GString) changed = g_string_new (text);
      g_autoptr (GError) error = NULL;

      g_string_replace (changed, cases[i].from, cases[i].to, 1);
      g_assert_null (goban_snapshot_read (changed->str, changed->len, "s", &options, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* A scene of a comparison comes back with its plans, its pair and its options. */
static void
test_scene_of_a_comparison (Fixture *f, gconstpointer data)
{
  static const SessionDamage cases[] = {
    { "\"pair\": \"2 1\"", "\"pair\": \"2 3\"", "“2 3” is not a pair" },
    { "\"plan\": \"single\"", "\"plane\": \"single\"", "plane is not known" },
    { "\"mode\": \"blink\"", "\"mode\": \"wink\"", "one of side, overlay" },
  };
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  GobanRun *runs[2];
  guint before, after;

  goban_session_set_graph (f->session, graph, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanRun) run = goban_run_new_from_policy (goban_session_get_costs (f->session),
                                                            i == 0 ? "single" : "heft", NULL, NULL);

      goban_session_add_run (f->session, run);
      runs[i] = run;
    }
  goban_compare_set_show (set, runs, 2);
  goban_compare_set_set_pair (set, 1, 0);
  goban_compare_set_set_mode (set, GOBAN_COMPARE_BLINK);
  goban_session_scenes_add (goban_session_scenes_of (f->session), 0, "both", NULL);
  goban_compare_set_set_mode (set, GOBAN_COMPARE_SIDE);
  goban_compare_set_show (set, NULL, 0);
  text = session_to_text (f->session, NULL);
  read = session_read_text (text, "s.goban", graph);
  goban_session_open_snapshot (other, read);
  set = goban_session_get_compare_set (other);
  g_assert_false (goban_compare_set_is_open (set));
  g_assert_true (goban_session_scenes_show (goban_session_scenes_of (other), 1, NULL));
  g_assert_true (goban_compare_set_is_open (set));
  g_assert_cmpint (goban_compare_set_get_mode (set), ==, GOBAN_COMPARE_BLINK);
  g_assert_true (goban_compare_set_get_pair (set, &before, &after));
  g_assert_true (before == 1 && after == 0);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GobanSnapshotOptions options = { .graph = graph };
      g_autoptr (GString) changed = g_string_new (text);
      g_autoptr (GError) error = NULL;

      if (g_string_replace (changed, cases[i].from, cases[i].to, 1) != 1)
        g_error ("no %s in %s", cases[i].from, text);
      g_assert_null (goban_snapshot_read (changed->str, changed->len, "s", &options, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* The text itself, so that a change of it is seen. */
static void
test_golden (Fixture *f, gconstpointer data)
{
  g_autofree char *path = project_path ("tests/golden/session.goban");
  g_autofree char *text = NULL;
  g_autofree char *golden = NULL;
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanRun) run = NULL;
  const GobanRunOrigin origin = { .seed = 3, .evaluations = 7, .seconds = 0.25 };
  const GobanNodeId ids[] = { 0, 1, 3 };
  g_autoptr (GobanSelection) nodes = goban_selection_new (ids, 3);
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  GobanSessionScenes *scenes = goban_session_scenes_of (f->session);

  session_set_cluster (f->session, cluster);
  goban_session_set_graph (f->session, graph, "/models/diamond.json");
  goban_plan_set_device (plan, 2, 1);
  goban_plan_set_policy (plan, "by me");
  run = goban_run_new_kept (goban_session_get_costs (f->session), plan, "mine", &origin);
  goban_session_add_run (f->session, run);
  goban_session_set_selection (f->session, nodes);
  goban_session_set_notes (f->session, "Why not both?");
  goban_view_set_time_us (goban_session_get_view (f->session), 12.5);
  g_assert_cmpuint (goban_session_scenes_add (scenes, 0, "Left waits\nfor “source”", NULL), ==, 1);
  goban_view_set_time_us (goban_session_get_view (f->session), (double) NAN);
  goban_compare_set_show (set, &run, 1);
  goban_compare_set_set_mode (set, GOBAN_COMPARE_OVERLAY);
  goban_compare_set_set_sync (set, GOBAN_SYNC_VIEW | GOBAN_SYNC_TIME);
  goban_compare_set_set_all_lanes (set, TRUE);
  text = session_to_text (f->session, "/models");
  if (g_getenv ("GOBAN_GOLDEN_UPDATE") != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  g_assert_cmpstr (text, ==, golden);
  assert_scene_comes_back (text);
}

/* The devices that a graph's file names are saved with it, changed or not. */
static void
test_own_devices_come_back (Fixture *f, gconstpointer data)
{
  g_autofree char *csv = in_folder (f, "two.csv");
  g_autofree char *path = in_folder (f, "own.goban");
  g_autoptr (GobanGraph) plain = toy_diamond ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (csv,
                                      "task,c_task,dir_succ,p0,p1,pc00,pc01,pc10,pc11,mi,m0,m1\n"
                                      "0,2,1,1,9,0,5,5,0,6,10,20\n"
                                      "1,,,9,1,,,,,6,,\n",
                                      -1, NULL));
  for (guint changed = 0; changed < 2; changed++)
    {
      g_autoptr (GobanSession) session = goban_session_new ();
      g_autoptr (GobanSnapshot) saved = NULL;
      g_autoptr (GobanSnapshot) snapshot = NULL;

      goban_session_open_path (f->session, csv);
      session_wait_for_jobs (f->session);
      if (changed)
        g_assert_true (session_set_device (f->session, 0, "memory", 12, &error));
      saved = goban_snapshot_new (f->session);
      g_assert_true (goban_snapshot_save (saved, path, &error));
      snapshot = goban_snapshot_load (path, NULL, &error);
      g_assert_no_error (error);
      goban_session_open_snapshot (session, snapshot);
      g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster (session)), ==,
                       "devices:p0=10,p1=20");
      g_assert_cmpfloat (
          goban_cluster_get_device (goban_session_get_cluster (session), 0)->memory_bytes, ==,
          changed ? 12 : 10);
      g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (session)), ==,
                         7e3);
      /* They go with their graph. */
      goban_session_set_graph (session, plain, NULL);
      g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster (session)), ==, "p100x4");
    }
}

/* Times that were measured and the measured run come back, behind the simulated one. */
static void
test_measured (Fixture *f, gconstpointer data)
{
  static const SessionDamage cases[] = {
    { "\"20 200 200 20\"", "\"20 200 200\"", "times.us: there are 3 times, but there should be 4" },
    { "\"20 200 200 20\"", "\"20 200 -1 20\"", "times.us[0]" },
    { "\"30 240\"", "\"30 x\"", "measured[2]" },
  };
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GPtrArray) runs = session_make_measured (graph, &costs);
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanSnapshot) read = NULL, misfit = NULL;
  g_autofree char *text = NULL, *again = NULL;
  g_autoptr (GString) changed = NULL;
  GobanRun *measured;

  goban_session_set_graph (f->session, graph, NULL);
  goban_session_add_measured (f->session, costs, runs);
  text = session_to_text (f->session, NULL);
  g_assert_nonnull (strstr (text, "\"goban_session\": 1"));
  read = session_read_text (text, "s.goban", NULL);
  g_assert_null (goban_snapshot_get_warnings (read)[0]);
  goban_session_open_snapshot (session, read);
  assert_same (f->session, session);
  measured = goban_session_get_ghost (session);
  g_assert_true (goban_run_is_recorded (measured));
  g_assert_cmpfloat (goban_trace_get_ops (goban_run_get_trace (measured))[2].start_us, ==, 30);
  g_assert_cmpfloat (goban_cost_model_time_us (goban_session_get_costs (session), 1, 0), ==, 200);
  again = session_to_text (session, NULL);
  g_assert_cmpstr (again, ==, text);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    session_assert_refused (text, &cases[i], GOBAN_ERROR_PARSE);
  changed = g_string_new (text);
  g_assert_cmpuint (g_string_replace (changed, "\"30 240\"", "\"5 240\"", 1), ==, 1);
  misfit = session_read_text (changed->str, "s.goban", NULL);
  g_assert_nonnull (strstr (goban_snapshot_get_warnings (misfit)[0], "starts before its input"));
  g_assert_cmpuint (goban_snapshot_get_runs (misfit)->len, ==, 1);
}

/* A plan that only fuses otherwise than the measured one is another plan. */
static void
test_measured_and_fused (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GPtrArray) runs = session_make_measured (graph, &costs);
  g_autoptr (GobanPlan) fused = goban_plan_copy (goban_run_get_plan (g_ptr_array_index (runs, 0)));
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  guint n_fused = 0;

  goban_plan_set_fusion (fused, 0, 0);
  goban_plan_set_fusion (fused, 1, 0);
  g_ptr_array_add (runs, goban_run_new (costs, fused, "fused"));
  goban_session_set_graph (f->session, graph, NULL);
  goban_session_add_measured (f->session, costs, runs);
  text = session_to_text (f->session, NULL);
  read = session_read_text (text, "s.goban", NULL);
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    n_fused += goban_plan_is_fused (
        goban_run_get_plan (g_ptr_array_index (goban_snapshot_get_runs (read), i)));
  g_assert_cmpuint (n_fused, ==, 1);
}

/* A plan on the way that was kept has its decisions again, and is at its own moment of them. */
static void
test_kept_moment (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (20, 5, "p100x4");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = goban_run_new_from_policy (
      costs, "anneal", &(GobanRunOptions){ .max_evaluations = 200 }, &error);
  g_autoptr (GobanRun) kept = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  GobanDecisions *decisions = goban_run_get_decisions (run);
  GobanMoment moment = goban_moment_find_plan (decisions, 0);
  GobanRun *again;

  g_assert_no_error (error);
  g_assert_cmpuint (moment, >, 0);
  g_assert_cmpuint (moment, !=, goban_decisions_get_last (decisions));
  kept = goban_moment_new_shown_run (run, moment, &error);
  g_assert_no_error (error);
  goban_session_set_graph (f->session, goban_run_get_graph (run), NULL);
  goban_session_add_run (f->session, kept);
  text = session_to_text (f->session, NULL);
  read = session_read_text (text, "s.goban", NULL);
  g_assert_null (goban_snapshot_get_warnings (read)[0]);
  again = g_ptr_array_index (goban_snapshot_get_runs (read), 0);
  g_assert_nonnull (goban_run_get_decisions (again));
  g_assert_cmpuint (goban_run_get_moment (again), ==, moment);
  g_assert_cmpuint (goban_decisions_get_last (goban_run_get_decisions (again)), ==,
                    goban_decisions_get_last (decisions));
}

/* The options of a policy come back, so that it decides alike again and can be made to decide
 * otherwise. */
static void
test_forced_again (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCostModel) costs = toy_small_costs (20, 5, "p100x4");
  g_autoptr (GError) error = NULL;
  static const SessionDamage cases[] = {
    { "\"max_evaluations\": 200", "\"max_evaluation\": 200",
      "runs[0].request.max_evaluation is not known" },
    { "\"fusing\": \"default\"", "\"fusing\": \"often\"", "runs[0].request: " },
  };
  const GobanRunOptions options
      = { .seed = 4, .max_evaluations = 200, .fusing = GOBAN_FUSE_DEFAULT };
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "anneal", &options, &error);
  GobanForce force = { .scope = GOBAN_FORCE_PLAN };
  g_autoptr (GobanRun) forced = NULL;
  g_autoptr (GobanRun) again = NULL;
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  GobanDecision decision;

  g_assert_no_error (error);
  for (force.moment = 1; forced == NULL; force.moment++)
    {
      g_assert_true (
          goban_decisions_get (goban_run_get_decisions (run), force.moment, NULL, &decision));
      force.option = decision.chosen == 0;
      if (decision.options == GOBAN_OPTION_MOVE && goban_force_check (run, &force, NULL))
        {
          forced = goban_force_new_run (run, &force, NULL, &error);
          g_assert_no_error (error);
          break;
        }
    }
  goban_session_set_graph (f->session, goban_run_get_graph (run), NULL);
  goban_session_add_run (f->session, run);
  text = session_to_text (f->session, NULL);
  read = session_read_text (text, "s.goban", NULL);
  again = goban_force_new_run (g_ptr_array_index (goban_snapshot_get_runs (read), 0), &force, NULL,
                               &error);
  g_assert_no_error (error);
  g_assert_true (toy_plans_are_same (goban_run_get_plan (forced), goban_run_get_plan (again)));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    session_assert_refused (text, &cases[i], GOBAN_ERROR_PARSE);
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (session_file)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session/file/round-trip", test_round_trip);
  add ("/session/file/groupings", test_groupings);
  add ("/session/file/random", test_random);
  add ("/session/file/changes-few-lines", test_diff);
  add ("/session/file/relative-path", test_relative);
  add ("/session/file/missing-graph", test_missing_graph);
  add ("/session/file/changed-graph", test_changed_graph);
  add ("/session/file/changed-names", test_changed_names);
  add ("/session/file/errors", test_errors);
  add ("/session/file/kept-moment", test_kept_moment);
  add ("/session/file/least", test_least);
  add ("/session/file/forced-again", test_forced_again);
  add ("/session/file/golden", test_golden);
  add ("/session/file/scene-of-a-comparison", test_scene_of_a_comparison);
  add ("/session/file/measured", test_measured);
  add ("/session/file/measured-and-fused", test_measured_and_fused);
  add ("/session/file/own-devices-come-back", test_own_devices_come_back);
  return g_test_run ();
}
