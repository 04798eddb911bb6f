/* Scenes of a session: made of what is shown, shown again, edited and undone. */
#include "engine/session/session-scenes.h"

#include "engine/core/error.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"
#include "engine/study/run/run-list.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

typedef struct
{
  GobanSession *session;
  GobanView *view;
  GobanSessionScenes *scenes;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();

  f->session = goban_session_new ();
  f->view = goban_session_get_view (f->session);
  f->scenes = goban_session_scenes_of (f->session);
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "", NULL), ==, 0); /* no graph */
  goban_session_set_graph (f->session, graph, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_unref (f->session);
}

static void
show_policy (Fixture *f, const char *policy)
{
  g_autoptr (GobanRun) run
      = goban_run_new_from_policy (goban_session_get_costs (f->session), policy, NULL, NULL);

  goban_session_add_run (f->session, run);
}

static void
select_node (Fixture *f, GobanNodeId node)
{
  g_autoptr (GobanSelection) nodes = goban_selection_new (&node, 1);

  goban_session_set_selection (f->session, nodes);
}

/* The captions of all scenes, with the current one in brackets. */
static void
assert_scenes (Fixture *f, const char *expected)
{
  const GobanSceneList *list = goban_session_scenes_get_list (f->scenes);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < goban_scene_list_get_n (list); i++)
    g_string_append_printf (text,
                            goban_session_scenes_get_current (f->scenes) == i + 1 ? "[%s]" : "%s",
                            goban_scene_list_get (list, i)->text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_show (Fixture *f, gconstpointer data)
{
  static const GobanViewport seen = { 0, 0, 20, 10 };
  guint n;

  show_policy (f, "single");
  goban_view_set_viewport (f->view, &seen);
  goban_view_set_color (f->view, "priority");
  goban_view_set_time_us (f->view, 7);
  select_node (f, 2);
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "one device", NULL), ==, 1);
  show_policy (f, "heft");
  goban_view_set_color (f->view, "device");
  goban_view_set_time_us (f->view, (double) NAN);
  select_node (f, 0);
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "HEFT", NULL), ==, 2);

  g_assert_true (goban_session_scenes_show (f->scenes, 1, NULL));
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, "single");
  g_assert_cmpstr (goban_view_get_color (f->view), ==, "priority");
  g_assert_cmpfloat (goban_view_get_time_us (f->view), ==, 7);
  g_assert_cmpuint (goban_selection_get_ids (goban_session_get_selection (f->session), &n)[0], ==,
                    2);
  g_assert_cmpstr (goban_session_scenes_get_text (f->scenes), ==, "one device");
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (f->session)), ==, "heft");
  g_assert_true (isnan (goban_view_get_time_us (f->view)));

  /* Without the plan, the rest is shown. */
  goban_session_remove_run (f->session, goban_session_get_current_run (f->session));
  goban_view_set_color (f->view, "priority");
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_cmpstr (goban_view_get_color (f->view), ==, "device");
}

/* A scene of a comparison opens it with its plans, its pair and its options, and one without
 * closes it; neither is logged but as the scene. Undo brings the former content back. */
static void
test_comparison (Fixture *f, gconstpointer data)
{
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  GobanRun *runs[3];
  guint n_lines, before, after;

  for (guint i = 0; i < 3; i++)
    {
      show_policy (f, ((const char *const[]){ "single", "heft", "round-robin" })[i]);
      runs[i] = goban_session_get_current_run (f->session);
    }
  goban_session_scenes_add (f->scenes, 0, "alone", NULL);
  goban_compare_set_show (set, runs, 3);
  goban_compare_set_set_pair (set, 2, 0);
  goban_compare_set_set_mode (set, GOBAN_COMPARE_BLINK);
  goban_compare_set_set_all_lanes (set, TRUE);
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "compared", NULL), ==, 2);
  goban_compare_set_show (set, runs, 2);
  goban_compare_set_set_mode (set, GOBAN_COMPARE_SIDE);

  n_lines = goban_session_get_log (f->session)->len;
  g_assert_true (goban_session_scenes_show (f->scenes, 1, NULL));
  g_assert_false (goban_compare_set_is_open (set));
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_cmpuint (goban_session_get_log (f->session)->len, ==, n_lines + 2);
  g_assert_true (goban_compare_set_is_open (set));
  g_assert_cmpuint (goban_compare_set_get_n_runs (set), ==, 3);
  g_assert_true (goban_compare_set_get_pair (set, &before, &after));
  g_assert_true (before == 2 && after == 0);
  g_assert_cmpint (goban_compare_set_get_mode (set), ==, GOBAN_COMPARE_BLINK);
  g_assert_true (goban_compare_set_get_all_lanes (set));

  goban_compare_set_close (set);
  g_assert_true (goban_session_scenes_update (f->scenes, 2, NULL));
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_false (goban_compare_set_is_open (set));
  g_assert_true (goban_session_undo (f->session));
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_true (goban_compare_set_is_open (set));

  /* A plan that is gone leaves the others; one plan alone is not compared. */
  goban_session_remove_run (f->session, runs[0]);
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_cmpuint (goban_compare_set_get_n_runs (set), ==, 2);
  g_assert_true (goban_compare_set_get_pair (set, &before, &after));
  g_assert_true (before == 0 && after == 1);
  goban_session_remove_run (f->session, runs[1]);
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_false (goban_compare_set_is_open (set));
}

/* Each change is one step of undo and one line of the log. */
static void
test_edit (Fixture *f, gconstpointer data)
{
  const GPtrArray *log;
  guint n_before;

  for (const char *const *text = (const char *const[]){ "a", "b", "c", NULL }; *text != NULL;
       text++)
    g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, *text, NULL), >, 0);
  assert_scenes (f, "ab[c]");
  g_assert_true (goban_session_scenes_move (f->scenes, 3, 1, NULL));
  assert_scenes (f, "[c]ab");
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "d", NULL), ==, 2);
  assert_scenes (f, "c[d]ab");
  g_assert_true (goban_session_scenes_remove (f->scenes, 1, NULL));
  assert_scenes (f, "[d]ab");
  g_assert_true (goban_session_scenes_set_text (f->scenes, 3, "B", NULL));
  assert_scenes (f, "[d]aB");
  log = goban_session_get_log (f->session);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), ==, "scene.text(3, \"B\")");
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "caption of scene 3");

  n_before = log->len;
  g_assert_true (goban_session_scenes_set_text (f->scenes, 3, "B", NULL)); /* as it is */
  g_assert_cmpuint (log->len, ==, n_before);
  for (guint i = 0; i < 3; i++)
    goban_session_undo (f->session);
  assert_scenes (f, "[c]ab");
  goban_session_redo (f->session);
  assert_scenes (f, "[c]dab");

  goban_view_set_color (f->view, "priority");
  g_assert_true (goban_session_scenes_update (f->scenes, 4, NULL));
  g_assert_cmpstr (goban_scene_list_get (goban_session_scenes_get_list (f->scenes), 3)->look.color,
                   ==, "priority");
  assert_scenes (f, "[c]dab");
}

/* The scene that takes the place of the removed one is shown: the next one is not left out. */
static void
test_remove_current (Fixture *f, gconstpointer data)
{
  static const char *const colours[] = { "priority", "device", "op", "cost" };
  const GPtrArray *log;

  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    {
      goban_view_set_color (f->view, colours[i]);
      g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, colours[i], NULL), ==, i + 1);
    }
  g_assert_true (goban_session_scenes_show (f->scenes, 2, NULL));
  g_assert_true (goban_session_scenes_remove (f->scenes, 2, NULL));
  assert_scenes (f, "priority[op]cost");
  g_assert_cmpstr (goban_view_get_color (f->view), ==, "op");
  g_assert_cmpstr (goban_session_get_undo_name (f->session), ==, "remove scene 2");
  log = goban_session_get_log (f->session);
  g_assert_cmpstr (g_ptr_array_index (log, log->len - 1), !=, "scene.go(2)");

  /* Another one: what is shown stays, also at the end of the list. */
  g_assert_true (goban_session_scenes_show (f->scenes, 3, NULL));
  g_assert_true (goban_session_scenes_remove (f->scenes, 1, NULL));
  assert_scenes (f, "op[cost]");
  /* The last one: that before it. */
  g_assert_true (goban_session_scenes_remove (f->scenes, 2, NULL));
  assert_scenes (f, "[op]");
  g_assert_cmpstr (goban_view_get_color (f->view), ==, "op");
  g_assert_true (goban_session_scenes_remove (f->scenes, 1, NULL));
  assert_scenes (f, "");
  g_assert_cmpuint (goban_session_scenes_get_current (f->scenes), ==, 0);
}

static void
test_refuse (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) far = NULL;

  g_assert_false (goban_session_scenes_show (f->scenes, 1, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "there are no scenes; scene.add makes one");
  for (guint i = 0; i < GOBAN_SCENES_MOST; i++)
    g_assert_cmpuint (goban_session_scenes_add (f->scenes, i + 1, "", NULL), ==, i + 1);
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "", NULL), ==, 0);
  g_assert_false (goban_session_scenes_move (f->scenes, 1, 0, &far));
  g_assert_cmpstr (far->message, ==, "there is no scene 0, scenes are 1 to 200");
}

/* Of runs of one name, the scene means the one with its makespan. */
static void
test_same_name (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanPlan) near = goban_plan_new (goban_session_get_graph (f->session), 4);
  g_autoptr (GobanPlan) far = goban_plan_copy (near);
  GobanCostModel *costs = goban_session_get_costs (f->session);
  g_autoptr (GobanRun) all = goban_run_new (costs, near, "mine");
  g_autoptr (GobanRun) split = NULL;

  goban_plan_set_device (far, 3, 1);
  split = goban_run_new (costs, far, "mine");
  goban_session_add_run (f->session, split);
  goban_session_add_run (f->session, all);
  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "", NULL), ==, 1);
  goban_session_set_current_run (f->session, split);
  g_assert_true (goban_session_scenes_show (f->scenes, 1, NULL));
  g_assert_true (goban_session_get_current_run (f->session) == all);
}

/* Measured times are of the same graph, and so are its scenes. */
static void
test_measured (Fixture *f, gconstpointer data)
{
  GobanGraph *graph = goban_session_get_graph (f->session);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GPtrArray) runs = session_make_measured (graph, &costs);

  g_assert_cmpuint (goban_session_scenes_add (f->scenes, 0, "before", NULL), ==, 1);
  goban_session_add_measured (f->session, costs, runs);
  g_assert_cmpuint (goban_scene_list_get_n (goban_session_scenes_get_list (f->scenes)), ==, 1);
  g_assert_cmpstr (goban_session_scenes_get_text (f->scenes), ==, "before");
  g_assert_true (goban_session_undo (f->session));
  g_assert_cmpuint (goban_scene_list_get_n (goban_session_scenes_get_list (f->scenes)), ==, 1);
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (session_scenes)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session/scenes/show", test_show);
  add ("/session/scenes/comparison", test_comparison);
  add ("/session/scenes/edit", test_edit);
  add ("/session/scenes/remove-current", test_remove_current);
  add ("/session/scenes/refuse", test_refuse);
  add ("/session/scenes/same-name", test_same_name);
  add ("/session/scenes/measured", test_measured);
  return g_test_run ();
}
