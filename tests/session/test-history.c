/* Undo and redo: random commands against a list of what was there after each. */
#include "engine/core/error.h"
#include "engine/session/edit.h"
#include "engine/session/history.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-history.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/study/run/run-origin.h"

#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define N_COMMANDS 60

/* What can be undone, as whoever looks at the session sees it. */
typedef struct
{
  GPtrArray *runs;
  GobanCluster *cluster;
  GobanCostModel *costs;
  GobanRun *current;
  GobanRun *ghost;
  GobanSelection *pinned;
} Sight;

static Sight *
look (GobanSession *session)
{
  Sight *sight = g_new0 (Sight, 1);
  GListModel *runs = goban_session_get_runs (session);

  sight->runs = goban_run_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    g_ptr_array_add (sight->runs, goban_run_ref (goban_run_list_get (runs, i)));
  sight->cluster = goban_cluster_ref (goban_session_get_cluster (session));
  sight->costs = goban_cost_model_ref (goban_session_get_costs (session));
  goban_run_set (&sight->current, goban_session_get_current_run (session));
  goban_run_set (&sight->ghost, goban_session_get_ghost (session));
  sight->pinned = goban_selection_ref (goban_session_get_pinned (session));
  return sight;
}

static void
sight_free (Sight *sight)
{
  g_ptr_array_unref (sight->runs);
  goban_cluster_unref (sight->cluster);
  goban_cost_model_unref (sight->costs);
  g_clear_pointer (&sight->current, goban_run_unref);
  g_clear_pointer (&sight->ghost, goban_run_unref);
  goban_selection_unref (sight->pinned);
  g_free (sight);
}

static void
assert_sees (GobanSession *session, const Sight *expected)
{
  Sight *now = look (session);

  g_assert_cmpuint (now->runs->len, ==, expected->runs->len);
  for (guint i = 0; i < now->runs->len; i++)
    g_assert_true (now->runs->pdata[i] == expected->runs->pdata[i]);
  g_assert_true (now->cluster == expected->cluster && now->costs == expected->costs);
  g_assert_true (now->current == expected->current);
  g_assert_true (now->ghost == expected->ghost);
  g_assert_true (goban_selection_equal (now->pinned, expected->pinned));
  sight_free (now);
}

/* --- whoever watches -------------------------------------------------------------------------- */

/* A copy of the list that is kept by its signal alone, and the properties as they were last
 * told. */
typedef struct
{
  GPtrArray *runs;
  GobanRun *current;
  GobanRun *ghost;
  GobanCluster *cluster;
  char *undo_name;
  char *redo_name;
  guint n_changes; /* of the list */
  guint n_names;   /* how often there was another change to undo */
} Watcher;

static void
items_changed_cb (GListModel *model, guint position, guint n_removed, guint n_added,
                  Watcher *watcher)
{
  if (n_removed > 0)
    g_ptr_array_remove_range (watcher->runs, position, n_removed);
  for (guint i = 0; i < n_added; i++)
    g_ptr_array_insert (watcher->runs, (int) (position + i),
                        goban_run_ref (goban_run_list_get (model, position + i)));
  watcher->n_changes++;
}

static void
notified_cb (GobanSession *session, GParamSpec *pspec, Watcher *watcher)
{
  if (g_str_equal (pspec->name, "current-run"))
    goban_run_set (&watcher->current, goban_session_get_current_run (session));
  else if (g_str_equal (pspec->name, "ghost"))
    goban_run_set (&watcher->ghost, goban_session_get_ghost (session));
  else if (g_str_equal (pspec->name, "cluster"))
    watcher->cluster = goban_session_get_cluster (session);
  else if (g_str_equal (pspec->name, "undo-name"))
    {
      watcher->n_names++;
      g_free (watcher->undo_name);
      watcher->undo_name = g_strdup (goban_session_get_undo_name (session));
    }
  else if (g_str_equal (pspec->name, "redo-name"))
    {
      g_free (watcher->redo_name);
      watcher->redo_name = g_strdup (goban_session_get_redo_name (session));
    }
}

static void
watch (Watcher *watcher, GobanSession *session)
{
  GListModel *runs = goban_session_get_runs (session);

  *watcher = (Watcher){ .runs = goban_run_array_new (),
                        .cluster = goban_session_get_cluster (session),
                        .undo_name = g_strdup (goban_session_get_undo_name (session)),
                        .redo_name = g_strdup (goban_session_get_redo_name (session)) };
  goban_run_set (&watcher->current, goban_session_get_current_run (session));
  goban_run_set (&watcher->ghost, goban_session_get_ghost (session));
  items_changed_cb (runs, 0, 0, g_list_model_get_n_items (runs), watcher);
  watcher->n_changes = 0;
  g_signal_connect (goban_session_get_runs (session), "items-changed",
                    G_CALLBACK (items_changed_cb), watcher);
  g_signal_connect (session, "notify", G_CALLBACK (notified_cb), watcher);
}

static void
assert_told (Watcher *watcher, GobanSession *session)
{
  GListModel *runs = goban_session_get_runs (session);

  g_assert_cmpuint (watcher->runs->len, ==, g_list_model_get_n_items (runs));
  for (guint i = 0; i < watcher->runs->len; i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);

      g_assert_true (run == watcher->runs->pdata[i]);
      g_assert_true (i == 0 || goban_run_compare (watcher->runs->pdata[i - 1], run) <= 0);
    }
  g_assert_true (watcher->current == goban_session_get_current_run (session));
  g_assert_true (watcher->ghost == goban_session_get_ghost (session));
  g_assert_true (watcher->cluster == goban_session_get_cluster (session));
  g_assert_cmpstr (watcher->undo_name, ==, goban_session_get_undo_name (session));
  g_assert_cmpstr (watcher->redo_name, ==, goban_session_get_redo_name (session));
}

static void
watcher_clear (Watcher *watcher, GobanSession *session)
{
  g_signal_handlers_disconnect_by_data (goban_session_get_runs (session), watcher);
  g_signal_handlers_disconnect_by_data (session, watcher);
  g_ptr_array_unref (watcher->runs);
  g_clear_pointer (&watcher->current, goban_run_unref);
  g_clear_pointer (&watcher->ghost, goban_run_unref);
  g_free (watcher->undo_name);
  g_free (watcher->redo_name);
}

/* --- random commands -------------------------------------------------------------------------- */

static GobanSelection *
random_nodes (GobanSession *session)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_session_get_graph (session));
  GobanNodeId ids[4];
  guint n = (guint) g_test_rand_int_range (1, 5);

  for (guint i = 0; i < n; i++)
    ids[i] = (GobanNodeId) g_test_rand_int_range (0, (int) n_nodes);
  return goban_selection_new (ids, n);
}

static void
random_edit (GobanSession *session, GobanSelection *nodes)
{
  static const GobanEditKind kinds[]
      = { GOBAN_EDIT_MOVE,   GOBAN_EDIT_MOVE,    GOBAN_EDIT_PRIORITY, GOBAN_EDIT_FUSE,
          GOBAN_EDIT_UNFUSE, GOBAN_EDIT_URGENCY, GOBAN_EDIT_LINK,     GOBAN_EDIT_DEVICE };
  GobanCluster *cluster = goban_session_get_cluster (session);
  g_autoptr (GobanEdit) edit
      = goban_edit_new (session, kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))], nodes);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;

  if (edit->base == NULL)
    return;
  edit->device
      = (GobanDeviceId) g_test_rand_int_range (0, (int) goban_cluster_get_n_devices (cluster));
  edit->priority = g_test_rand_int_range (0, 2) * 2 - 1;
  edit->to = 1;
  edit->what = edit->kind == GOBAN_EDIT_LINK ? "bandwidth" : "memory";
  edit->value = g_test_rand_double_range (1e9, 1e11);
  run = goban_edit_run (edit, &error);
  g_assert_true ((run == NULL) == (error != NULL));
  if (run != NULL)
    {
      session_add_edit (session, edit, run, &error);
      g_assert_no_error (error);
    }
}

static GobanRun *
random_run (GobanSession *session)
{
  GListModel *runs = goban_session_get_runs (session);
  guint n = g_list_model_get_n_items (runs);

  return n > 0
             ? goban_run_ref (goban_run_list_get (runs, (guint) g_test_rand_int_range (0, (int) n)))
             : NULL;
}

static void
random_command (GobanSession *session)
{
  static const char *const clusters[] = { "p100x2", "p100x4", "equal:3" };
  g_autoptr (GobanSelection) nodes = random_nodes (session);
  g_autoptr (GobanRun) run = random_run (session);
  g_autoptr (GobanCluster) cluster = NULL;

  switch (g_test_rand_int_range (0, 10))
    {
    case 0:
      session_add_policy (session, "random", (guint64) g_test_rand_int_range (0, 1000));
      break;
    case 1:
      if (run != NULL)
        goban_session_remove_run (session, run);
      break;
    case 2:
      cluster
          = goban_cluster_new_from_spec (clusters[g_test_rand_int_range (0, 3)], NULL); /* it is */
      session_set_cluster (session, cluster);
      break;
    case 3:
      goban_session_pin (session, nodes, g_test_rand_bit ());
      break;
    default:
      random_edit (session, nodes);
    }
}

static void
open_chains (GobanSession *session)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (8);

  goban_session_set_graph (session, graph, NULL);
}

/* Every way back leads through what was seen, by the same names, and every way on as well. */
static void
test_undoes_all_and_redoes_all (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func ((GDestroyNotify) sight_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Watcher watcher;

  open_chains (session);
  watch (&watcher, session);
  for (guint i = 0; i < N_COMMANDS; i++)
    {
      guint n_lines = goban_session_get_log (session)->len;
      guint n_names = watcher.n_names;
      Sight *before = look (session);

      random_command (session);
      assert_told (&watcher, session);
      /* One line of the log is one change, so that a replayed log has as much to undo. */
      g_assert_cmpuint (goban_session_get_log (session)->len - n_lines, <=, 1);
      if (watcher.n_names == n_names)
        {
          assert_sees (session, before);
          sight_free (before);
          continue;
        }
      g_ptr_array_add (seen, before);
      g_ptr_array_add (names, g_strdup (goban_session_get_undo_name (session)));
    }
  g_ptr_array_add (seen, look (session));

  for (guint i = names->len; i > 0; i--)
    {
      g_assert_cmpstr (goban_session_get_undo_name (session), ==, names->pdata[i - 1]);
      g_assert_true (goban_session_undo (session));
      assert_sees (session, seen->pdata[i - 1]);
      assert_told (&watcher, session);
    }
  g_assert_false (goban_session_undo (session));
  g_assert_null (goban_session_get_undo_name (session));
  for (guint i = 0; i < names->len; i++)
    {
      g_assert_cmpstr (goban_session_get_redo_name (session), ==, names->pdata[i]);
      g_assert_true (goban_session_redo (session));
      assert_sees (session, seen->pdata[i + 1]);
      assert_told (&watcher, session);
    }
  g_assert_false (goban_session_redo (session));
  g_assert_null (goban_session_get_redo_name (session));
  watcher_clear (&watcher, session);
}

/* Back and forth in between; a new change leaves nothing to redo. */
static void
test_walks_at_random (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  Watcher watcher;

  open_chains (session);
  watch (&watcher, session);
  for (guint i = 0; i < 2 * N_COMMANDS; i++)
    {
      Sight *before = look (session);
      g_autoptr (GobanRun) run = random_run (session);
      gboolean is_back = g_test_rand_bit ();
      guint n_names = watcher.n_names;
      gboolean is_done;

      switch (g_test_rand_int_range (0, 4))
        {
        case 0:
          is_done = is_back ? goban_session_undo (session) : goban_session_redo (session);
          if (is_done)
            g_assert_true (is_back ? goban_session_redo (session) : goban_session_undo (session));
          assert_sees (session, before);
          break;
        case 1:
          is_done = is_back ? goban_session_undo (session) : goban_session_redo (session);
          break;
        case 2:
          if (run != NULL)
            goban_session_set_current_run (session, run);
          break;
        default:
          random_command (session);
          if (watcher.n_names != n_names)
            g_assert_null (goban_session_get_redo_name (session));
        }
      assert_told (&watcher, session);
      sight_free (before);
    }
  watcher_clear (&watcher, session);
}

/* --- what is where ---------------------------------------------------------------------------- */

static void
move_to (GobanSession *session, GobanNodeId node, GobanDeviceId device)
{
  g_autoptr (GobanSelection) nodes = goban_selection_new (&node, 1);
  g_autoptr (GobanEdit) edit = goban_edit_new (session, GOBAN_EDIT_MOVE, nodes);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;

  edit->device = device;
  run = goban_edit_run (edit, &error);
  g_assert_no_error (error);
  session_add_edit (session, edit, run, &error);
  g_assert_no_error (error);
}

static void
assert_names (GobanSession *session, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);
  GListModel *runs = goban_session_get_runs (session);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);

      g_string_append_printf (names, "%s%s", i > 0 ? "; " : "", goban_run_get_name (run));
    }
  g_assert_cmpstr (names->str, ==, expected);
}

static void
test_the_list_does_not_fill_up (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanRun *single, *first;
  Watcher watcher;

  open_chains (session);
  session_add_policy (session, "single", 0);
  session_add_policy (session, "heft", 0);
  single = goban_session_get_current_run (session);
  move_to (session, 3, 2);
  first = goban_session_get_current_run (session);
  assert_names (session, "heft; heft, by hand; single");
  g_assert_true (goban_session_get_ghost (session) == single);

  watch (&watcher, session);
  move_to (session, 4, 2);
  assert_names (session, "heft; heft, by hand; single");
  g_assert_true (goban_session_get_ghost (session) == first);
  g_assert_cmpuint (watcher.n_changes, <=, 2);
  watcher_clear (&watcher, session);

  /* Another plan has nothing to be compared with. */
  goban_session_set_current_run (session, single);
  g_assert_null (goban_session_get_ghost (session));
  g_assert_true (goban_session_undo (session));
  g_assert_true (goban_session_get_current_run (session) == first);
  g_assert_true (goban_session_undo (session));
  assert_names (session, "heft; single");
}

static gboolean
has_run (GobanRunSource *source)
{
  g_autoptr (GobanRun) run = goban_run_source_peek_run (source);

  return run != NULL;
}

/* Runs far back give up their traces, unless somebody else has them, and are as they were when they
 * come back. */
static void
test_distant_runs_are_dropped (void)
{
  enum
  {
    N = 24,
    N_HELD = 5
  };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GArray) times_us = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GobanRun) held = NULL;
  GobanRunSource *edited[N];

  open_chains (session);
  session_add_policy (session, "single", 0);
  for (guint i = 0; i < N; i++)
    {
      GobanRun *run;

      move_to (session, i % 15, (GobanDeviceId) (1 + (i + i / 15) % 3));
      run = goban_session_get_current_run (session);
      edited[i] = goban_run_source_ref (goban_run_get_source (run));
      g_array_append_val (times_us, (double[]){ goban_run_get_makespan_us (run) }[0]);
      if (i == N_HELD)
        held = goban_run_ref (run);
    }
  for (guint i = 0; i < N; i++)
    g_assert_true (has_run (edited[i]) == (i == N_HELD || i + 6 >= N));
  g_assert_true (goban_session_has_seen_run (session, held));

  for (guint turn = 0; turn < 2; turn++)
    {
      for (guint i = N; i > 0; i--)
        {
          GobanRun *run = goban_session_get_current_run (session);

          g_assert_true (goban_run_get_source (run) == edited[i - 1]);
          g_assert_true (i - 1 != N_HELD || run == held);
          g_assert_true (goban_run_get_makespan_us (run)
                         == g_array_index (times_us, double, i - 1));
          g_assert_true (goban_session_undo (session));
        }
      g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (session)), ==, "single");
      g_assert_false (has_run (edited[N - 1]));
      for (guint i = 0; i < N; i++)
        g_assert_true (goban_session_redo (session));
    }
  for (guint i = 0; i < N; i++)
    goban_run_source_unref (edited[i]);
}

static void
test_opening_begins_anew (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GPtrArray) runs = goban_run_array_new ();
  const GobanNodeId ids[] = { 1 };
  g_autoptr (GobanSelection) nodes = goban_selection_new (ids, 1);
  guint n;

  open_chains (session);
  session_add_policy (session, "heft", 0);
  goban_session_pin (session, nodes, TRUE);
  g_assert_cmpstr (goban_session_get_undo_name (session), ==, "pin node_1");
  goban_session_undo (session);
  g_assert_cmpstr (goban_session_get_redo_name (session), ==, "pin node_1");

  open_chains (session);
  g_assert_null (goban_session_get_undo_name (session));
  g_assert_null (goban_session_get_redo_name (session));
  goban_selection_get_ids (goban_session_get_pinned (session), &n);
  g_assert_cmpuint (n, ==, 0);

  /* The plans that come with it are a part of opening. */
  g_ptr_array_add (
      runs, goban_run_new_from_policy (goban_session_get_costs (session), "single", NULL, NULL));
  goban_session_add_runs (session, NULL, runs, runs->pdata[0]);
  g_assert_null (goban_session_get_undo_name (session));
  g_assert_true (goban_session_get_current_run (session) == runs->pdata[0]);
}

/* Chosen again, a cluster is no change that could be taken back. */
static void
test_the_same_cluster_is_no_change (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) diamond = toy_diamond ();
  const char *name = goban_cluster_get_name (goban_session_get_cluster (session));
  g_autoptr (GobanCluster) again
      = goban_cluster_new_from_spec (name, NULL); /* it is the session's */
  g_autoptr (GobanCluster) other = goban_cluster_new_from_spec ("equal:4", NULL); /* it is one */

  goban_session_set_graph (session, diamond, "diamond.json");
  session_set_cluster (session, again);
  g_assert_null (goban_session_get_undo_name (session));
  session_set_cluster (session, other);
  g_assert_cmpstr (goban_session_get_undo_name (session), ==, "take the cluster equal:4");
}

static void
test_a_cluster_leaves_a_ghost (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanCluster) other = goban_cluster_new_from_spec ("equal:4", NULL); /* it is one */
  g_autoptr (GError) error = NULL;
  const GobanWhatIf latency = { .is_link = TRUE, .to = 1, .what = "latency", .value = 1e-3 };
  const GobanWhatIf colour = { .is_link = TRUE, .to = 1, .what = "colour", .value = 1 };
  GobanRun *run;

  open_chains (session);
  session_add_policy (session, "round-robin", 0);
  run = goban_session_get_current_run (session);
  g_assert_true (session_what_if (session, &latency, &error));
  g_assert_no_error (error);
  g_assert_true (goban_session_get_ghost (session) == run);
  g_assert_cmpfloat (goban_run_get_makespan_us (goban_session_get_current_run (session)), >,
                     goban_run_get_makespan_us (run));
  g_assert_false (session_what_if (session, &colour, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);

  /* The same number of devices, by other names or not: these have the same. */
  session_set_cluster (session, other);
  g_assert_true (goban_session_undo (session) && goban_session_undo (session));
  g_assert_true (goban_session_get_current_run (session) == run);
  g_assert_null (goban_session_get_ghost (session));
}

/* A stack forgets its most distant states when it takes too much; some stay whatever they take. */
static void
test_distant_states_are_forgotten (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanState *state = goban_state_new (goban_session_get_cluster (session), NULL);
  GobanHistory *history = goban_history_new ();
  static const struct
  {
    gsize most_bytes;
    guint n_changes, n_left;
  } cases[] = { { 1 << 30, 100, 100 }, { 256 << 10, 100, 64 }, { 1, 100, 32 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n = 0;
      GobanState *before;

      goban_history_clear (history);
      goban_history_set_most_bytes (history, cases[i].most_bytes);
      for (guint k = 0; k < cases[i].n_changes; k++)
        {
          g_autofree char *name = g_strdup_printf ("change %u", k);

          goban_history_record (history, name, state);
          g_assert_cmpstr (goban_history_get_undo_name (history), ==, name);
        }
      while ((before = goban_history_undo (history, state)) != NULL)
        {
          goban_state_unref (before);
          n++;
        }
      g_assert_cmpuint (n, ==, cases[i].n_left);
    }
  goban_history_free (history);
  goban_state_unref (state);
}

TEST_PROGRAM (history)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/history/undoes-all-and-redoes-all", test_undoes_all_and_redoes_all);
  g_test_add_func ("/session/history/walks-at-random", test_walks_at_random);
  g_test_add_func ("/session/history/the-list-does-not-fill-up", test_the_list_does_not_fill_up);
  g_test_add_func ("/session/history/distant-runs-are-dropped", test_distant_runs_are_dropped);
  g_test_add_func ("/session/history/distant-states-are-forgotten",
                   test_distant_states_are_forgotten);
  g_test_add_func ("/session/history/opening-begins-anew", test_opening_begins_anew);
  g_test_add_func ("/session/history/the-same-cluster-is-no-change",
                   test_the_same_cluster_is_no_change);
  g_test_add_func ("/session/history/a-cluster-leaves-a-ghost", test_a_cluster_leaves_a_ghost);
  return g_test_run ();
}
