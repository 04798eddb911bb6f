/* Compare sets: their members and their identity through all changes of the list. */
#include "engine/session/compare-set.h"
#include "engine/study/run/run-list.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-runs.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

typedef struct
{
  GobanSession *session;
  GobanCompareSet *set; /* borrowed */
  GString *events;      /* what was notified and logged, in order */
} Fixture;

static void
notified_cb (GObject *object, GParamSpec *pspec, GString *events)
{
  g_string_append_printf (events, "%s ", pspec->name);
}

static void
log_cb (GobanCompareSet *set, const char *lua, GString *events)
{
  g_string_append_printf (events, "[%s] ", lua);
}

/* Two chains on a device each, turn by turn, and all on one: in that order in the list. */
static void
set_up (Fixture *f, gconstpointer data)
{
  static const char *const policies[] = { "heft", "round-robin", "single" };
  g_autoptr (GobanGraph) graph = toy_two_chains (8);
  g_autoptr (GPtrArray) runs = goban_run_array_new ();

  f->session = goban_session_new ();
  f->set = goban_session_get_compare_set (f->session);
  f->events = g_string_new (NULL);
  goban_session_set_graph (f->session, graph, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    g_ptr_array_add (runs, goban_run_new_from_policy (goban_session_get_costs (f->session),
                                                      policies[i], NULL, NULL));
  goban_session_add_runs (f->session, NULL, runs, g_ptr_array_index (runs, 0));
  g_signal_connect (f->set, "notify", G_CALLBACK (notified_cb), f->events);
  g_signal_connect (f->set, "log", G_CALLBACK (log_cb), f->events);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->session);
  g_string_free (f->events, TRUE);
}

static void
assert_events (Fixture *f, const char *expected)
{
  g_assert_cmpstr (f->events->str, ==, expected);
  g_string_truncate (f->events, 0);
}

/* Run @place of the session's list; borrowed from it. */
static GobanRun *
listed (Fixture *f, guint place)
{
  GobanRun *run = goban_run_list_get (goban_session_get_runs (f->session), place - 1);

  return run;
}

static void
show (Fixture *f, const char *places)
{
  GobanRun *runs[GOBAN_COMPARE_MAX];
  guint n = 0;

  for (const char *digit = places; *digit != '\0'; digit++)
    runs[n++] = listed (f, (guint) (*digit - '0'));
  goban_compare_set_show (f->set, runs, n);
}

/* The names of what is compared, the pair's behind a bar. */
static void
assert_shown (Fixture *f, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint before, after;

  for (guint i = 0; i < goban_compare_set_get_n_runs (f->set); i++)
    g_string_append_printf (names, "%s ",
                            goban_run_get_name (goban_compare_set_get_run (f->set, i)));
  if (goban_compare_set_get_pair (f->set, &before, &after))
    g_string_append_printf (names, "| %u %u", before, after);
  g_assert_cmpstr (names->str, ==, expected);
}

static void
test_shows (Fixture *f, gconstpointer data)
{
  assert_shown (f, "");
  show (f, "12");
  assert_events (f, "runs pair difference open [compare.show(1, 2)] ");
  assert_shown (f, "heft round-robin | 0 1");
  show (f, "12");
  assert_events (f, "");

  goban_compare_set_close (f->set);
  goban_compare_set_close (f->set);
  assert_events (f, "open [compare.close()] ");
  goban_compare_set_open (f->set);
  goban_compare_set_open (f->set);
  assert_events (f, "open [compare.show(1, 2)] ");

  /* The pair stays where both of it do. */
  show (f, "213");
  assert_events (f, "runs [compare.show(2, 1, 3)] ");
  assert_shown (f, "round-robin heft single | 1 0");
  show (f, "23");
  assert_shown (f, "round-robin single | 0 1");
}

/* Opened again it is what it was, unless another plan has been shown meanwhile: then that is
 * compared with the first. */
static void
test_opens_with_another (Fixture *f, gconstpointer data)
{
  show (f, "12");
  goban_compare_set_close (f->set);
  goban_session_set_current_run (f->session, listed (f, 3));
  goban_compare_set_open (f->set);
  assert_shown (f, "heft single | 0 1");
  goban_compare_set_close (f->set);
  goban_session_set_current_run (f->session, listed (f, 1));
  goban_compare_set_open (f->set);
  assert_shown (f, "heft single | 0 1");
}

/* Opened without a word, it is the current plan beside the best of the others. */
static void
test_opens_with_two (Fixture *f, gconstpointer data)
{
  goban_session_set_current_run (f->session, listed (f, 3));
  goban_compare_set_open (f->set);
  assert_shown (f, "heft single | 0 1");
  assert_events (f, "runs pair difference open [compare.show(1, 3)] ");
}

static void
test_pair (Fixture *f, gconstpointer data)
{
  show (f, "123");
  g_string_truncate (f->events, 0);
  goban_compare_set_set_pair (f->set, 0, 2);
  goban_compare_set_set_pair (f->set, 0, 2);
  assert_events (f, "[compare.pair(1, 3)] pair difference ");
  goban_compare_set_swap (f->set);
  assert_events (f, "[compare.swap()] runs pair difference ");
  assert_shown (f, "single round-robin heft | 0 2");

  goban_compare_set_replace (f->set, 2, listed (f, 2));
  assert_shown (f, "single heft round-robin | 0 2");
  goban_compare_set_replace (f->set, 2, listed (f, 2));
  assert_events (f, "runs pair difference [compare.show(3, 1, 2)] ");
  show (f, "31");
  goban_compare_set_replace (f->set, 0, listed (f, 2));
  assert_shown (f, "round-robin heft | 0 1");
}

static void
test_how_it_is_looked_at (Fixture *f, gconstpointer data)
{
  for (int i = 0; i < 2; i++)
    {
      goban_compare_set_set_mode (f->set, GOBAN_COMPARE_OVERLAY);
      goban_compare_set_set_unchanged (f->set, GOBAN_UNCHANGED_HIDE);
      goban_compare_set_set_sync (f->set, GOBAN_SYNC_VIEW | GOBAN_SYNC_SELECTION);
      goban_compare_set_set_min_change_us (f->set, 12.5);
    }
  assert_events (f, "[compare.mode \"overlay\"] mode [compare.unchanged \"hide\"] unchanged "
                    "[compare.sync{ view = true, time = false, selection = true }] sync "
                    "[compare.threshold \"12.5us\"] min-change difference ");
  for (guint i = 0; i < GOBAN_N_COMPARE_MODES; i++)
    {
      GobanCompareMode mode;

      g_assert_true (goban_compare_mode_find (goban_compare_mode_name (i), &mode) && mode == i);
    }
  for (guint i = 0; i < GOBAN_N_UNCHANGED; i++)
    {
      GobanUnchanged unchanged;

      g_assert_true (goban_unchanged_find (goban_unchanged_name (i), &unchanged) && unchanged == i);
    }
  g_assert_false (goban_compare_mode_find ("sideways", &(GobanCompareMode){ 0 }));
}

static void
test_a_plan_goes_and_comes_back (Fixture *f, gconstpointer data)
{
  show (f, "123");
  goban_compare_set_set_pair (f->set, 2, 1);
  g_string_truncate (f->events, 0);
  goban_session_remove_run (f->session, listed (f, 1));
  assert_events (f, "runs ");
  assert_shown (f, "round-robin single | 1 0");
  goban_session_remove_run (f->session, listed (f, 1));
  assert_shown (f, "single ");
  assert_events (f, "runs pair difference ");
  g_assert_null (goban_compare_set_get_difference (f->set));
  g_assert_null (goban_compare_set_make_difference (f->set, NULL));
  g_assert_true (goban_compare_set_is_open (f->set));

  goban_session_undo (f->session);
  goban_session_undo (f->session);
  assert_shown (f, "heft round-robin single | 2 1");
  g_assert_false (strstr (f->events->str, "[") != NULL);

  /* What was chosen meanwhile is what counts. */
  goban_session_remove_run (f->session, listed (f, 1));
  goban_compare_set_swap (f->set);
  goban_session_undo (f->session);
  assert_shown (f, "single round-robin | 1 0");
}

static void
move_to (Fixture *f, GobanNodeId node, GobanDeviceId device)
{
  g_autoptr (GobanSelection) nodes = goban_selection_new (&node, 1);
  g_autoptr (GobanEdit) edit = goban_edit_new (f->session, GOBAN_EDIT_MOVE, nodes);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run = NULL;

  edit->device = device;
  run = goban_edit_run (edit, &error);
  g_assert_no_error (error);
  g_assert_true (session_add_edit (f->session, edit, run, &error));
}

/* What is edited is what is looked at, there and back. */
static void
test_edits_are_followed (Fixture *f, gconstpointer data)
{
  show (f, "21");
  goban_session_set_current_run (f->session, listed (f, 2));
  move_to (f, 3, 1);
  move_to (f, 4, 2);
  assert_shown (f, "round-robin, by hand heft | 0 1");
  g_assert_true (goban_compare_set_get_run (f->set, 0)
                 == goban_session_get_current_run (f->session));
  goban_session_undo (f->session);
  assert_shown (f, "round-robin, by hand heft | 0 1");
  goban_session_undo (f->session);
  assert_shown (f, "round-robin heft | 0 1");
  goban_session_redo (f->session);
  assert_shown (f, "round-robin, by hand heft | 0 1");
  g_assert_true (goban_compare_set_get_run (f->set, 0)
                 == goban_session_get_current_run (f->session));

  /* Opened anew it is the plan beside what it was made from. */
  goban_compare_set_show (f->set, NULL, 0);
  g_assert_false (goban_compare_set_is_open (f->set));
  goban_compare_set_open (f->set);
  assert_shown (f, "round-robin round-robin, by hand | 0 1");
  goban_session_undo (f->session);
  assert_shown (f, "round-robin ");
  goban_session_redo (f->session);
  assert_shown (f, "round-robin round-robin, by hand | 0 1");
}

static void
test_another_cluster_is_followed (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("v100x4", NULL);

  show (f, "32");
  session_set_cluster (f->session, cluster);
  assert_shown (f, "single round-robin | 0 1");
  g_assert_true (goban_run_get_cluster (goban_compare_set_get_run (f->set, 1)) == cluster);
  goban_session_undo (f->session);
  assert_shown (f, "single round-robin | 0 1");
}

static void
test_another_graph_ends_it (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) chain = toy_chain ();

  show (f, "12");
  g_string_truncate (f->events, 0);
  goban_session_set_graph (f->session, chain, NULL);
  assert_shown (f, "");
  g_assert_false (goban_compare_set_is_open (f->set));
  assert_events (f, "open runs pair difference ");
  goban_session_set_graph (f->session, chain, NULL);
  goban_compare_set_open (f->set); /* of nothing */
  assert_shown (f, "");
  assert_events (f, "");
}

static GobanDifference *
wait_for_difference (Fixture *f, double min_change_us)
{
  GobanDifference *difference = goban_compare_set_get_difference (f->set);

  while (difference == NULL || difference->min_change_us != min_change_us)
    {
      g_main_context_iteration (NULL, TRUE);
      difference = goban_compare_set_get_difference (f->set);
    }
  return difference;
}

static void
test_difference (Fixture *f, gconstpointer data)
{
  GobanDifference *difference;
  guint n_moved;

  show (f, "31");
  difference = wait_for_difference (f, 100);
  g_assert_true (difference->before == listed (f, 3));
  goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE), &n_moved);
  g_assert_cmpuint (n_moved, ==, 8);
  g_assert_true (goban_compare_set_make_difference (f->set, NULL) == difference);

  /* Of another threshold the last one does until the new one is there; of another pair it does
   * not. */
  goban_compare_set_set_min_change_us (f->set, 1);
  g_assert_true (goban_compare_set_get_difference (f->set) == difference);
  difference = wait_for_difference (f, 1);
  goban_compare_set_swap (f->set);
  g_assert_null (goban_compare_set_get_difference (f->set));
  difference = goban_compare_set_make_difference (f->set, NULL);
  g_assert_true (difference->after == listed (f, 3));
}

/* Adds to the list and writes to @shown a plan on two devices, the same with the devices in each
 * other's places, and all on one of them. */
static void
add_exchanged (Fixture *f, GobanRun **shown)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autoptr (GPtrArray) runs = goban_run_array_new ();
  g_autoptr (GobanPlan) plan = NULL;
  GobanCostModel *costs;

  session_set_cluster (f->session, cluster);
  costs = goban_session_get_costs (f->session);
  g_ptr_array_add (runs, goban_run_new_from_policy (costs, "heft", NULL, NULL));
  plan = goban_plan_copy (goban_run_get_plan (g_ptr_array_index (runs, 0)));
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, 1 - goban_plan_get_device (plan, v));
  g_ptr_array_add (runs, goban_run_new (costs, plan, "exchanged"));
  g_ptr_array_add (runs, goban_run_new_from_policy (costs, "single", NULL, NULL));
  goban_session_add_runs (f->session, NULL, runs, g_ptr_array_index (runs, 0));
  for (guint i = 0; i < runs->len; i++)
    shown[i] = g_ptr_array_index (runs, i);
}

static guint
count_moved (Fixture *f)
{
  guint n;

  goban_selection_get_ids (
      goban_difference_get_nodes (wait_for_difference (f, 100), GOBAN_CHANGE_DEVICE), &n);
  return n;
}

/* A plan with exchanged devices differs in nothing, unless devices keep their names. */
static void
test_devices_are_matched (Fixture *f, gconstpointer data)
{
  g_autofree char *words = NULL;
  GobanRun *runs[3];

  add_exchanged (f, runs);
  goban_compare_set_show (f->set, runs, 3);
  g_assert_cmpuint (count_moved (f), ==, 0);
  g_assert_true (goban_compare_set_get_shown (f->set, 0) == runs[0]);
  g_assert_true (goban_compare_set_get_shown (f->set, 1) != runs[1]);
  g_assert_true (
      goban_plan_get_device (goban_run_get_plan (goban_compare_set_get_shown (f->set, 1)), 0)
      == goban_plan_get_device (goban_run_get_plan (runs[0]), 0));
  words = goban_device_matching_describe (goban_compare_set_get_matching (f->set, 1), "B");
  g_assert_cmpstr (words, ==, "In B gpu:0 and gpu:1 are exchanged, which changes nothing");

  /* The first of the pair is what the others are matched to. */
  goban_compare_set_swap (f->set);
  g_assert_cmpuint (count_moved (f), ==, 0);
  g_assert_true (goban_compare_set_get_shown (f->set, 0) == runs[1]);

  g_string_truncate (f->events, 0);
  goban_compare_set_set_own_devices (f->set, TRUE);
  assert_events (f, "[compare.devices \"own\"] devices difference ");
  g_assert_cmpuint (count_moved (f), ==, 16);
  g_assert_true (goban_compare_set_get_shown (f->set, 1) == runs[0]);
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

/* A race is announced once, and is no line of the log. */
static void
test_race (Fixture *f, gconstpointer data)
{
  goban_compare_set_set_racing (f->set, TRUE);
  goban_compare_set_set_racing (f->set, TRUE);
  assert_events (f, "racing ");
  g_assert_true (goban_compare_set_is_racing (f->set));
  goban_compare_set_set_racing (f->set, FALSE);
  assert_events (f, "racing ");
  g_assert_false (goban_compare_set_is_racing (f->set));
}

TEST_PROGRAM (compare_set)
{
  g_test_init (&argc, &argv, NULL);
  add ("/compare-set/shows", test_shows);
  add ("/compare-set/opens/with-two", test_opens_with_two);
  add ("/compare-set/opens/with-another", test_opens_with_another);
  add ("/compare-set/pair", test_pair);
  add ("/compare-set/race", test_race);
  add ("/compare-set/how-it-is-looked-at", test_how_it_is_looked_at);
  add ("/compare-set/plan/goes-and-comes-back", test_a_plan_goes_and_comes_back);
  add ("/compare-set/edits/are-followed", test_edits_are_followed);
  add ("/compare-set/devices/are-matched", test_devices_are_matched);
  add ("/compare-set/cluster/is-followed", test_another_cluster_is_followed);
  add ("/compare-set/graph/ends-it", test_another_graph_ends_it);
  add ("/compare-set/difference", test_difference);
  return g_test_run ();
}
