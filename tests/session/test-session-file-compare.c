/* The comparison in a session file: which plans, and how they are looked at. */
#include "engine/session/document/session-file-places.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-runs.h"
#include "tests/support/session-text.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

typedef struct
{
  GobanSession *session;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->session = goban_session_new ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_object_unref (f->session);
}

static void
compare_plans (GobanSession *session)
{
  GobanCompareSet *set = goban_session_get_compare_set (session);
  GobanRun *runs[GOBAN_COMPARE_MAX];

  for (guint i = 0; i < 3; i++)
    runs[2 - i] = goban_run_list_get (goban_session_get_runs (session), i);
  goban_compare_set_show (set, runs, 3);
  goban_compare_set_set_pair (set, 2, 0);
  goban_compare_set_set_mode (set, GOBAN_COMPARE_OVERLAY);
  goban_compare_set_set_unchanged (set, GOBAN_UNCHANGED_HIDE);
  goban_compare_set_set_sync (set, GOBAN_SYNC_TIME);
  goban_compare_set_set_min_change_us (set, 12.5);
  goban_compare_set_set_own_scales (set, TRUE);
  goban_compare_set_set_own_devices (set, TRUE);
  goban_compare_set_set_all_lanes (set, TRUE);
}

static void
add_three (GobanSession *session)
{
  session_add_policy (session, "heft", 0);
  session_add_policy (session, "single", 0);
  session_add_policy (session, "random", 3);
}

static void
test_compared (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanSession) other = goban_session_new ();
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  GobanCompareSet *copy = goban_session_get_compare_set (other);
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL, *again = NULL;
  guint before, after;

  session_open_toy (f->session);
  add_three (f->session);
  compare_plans (f->session);
  text = session_to_text (f->session, NULL);
  read = session_read_text (text, "s.goban", NULL);
  goban_session_open_snapshot (other, read);

  g_assert_true (goban_compare_set_is_open (copy));
  g_assert_cmpuint (goban_compare_set_get_n_runs (copy), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (goban_run_get_name (goban_compare_set_get_run (copy, i)), ==,
                     goban_run_get_name (goban_compare_set_get_run (set, i)));
  g_assert_true (goban_compare_set_get_pair (copy, &before, &after));
  g_assert_true (before == 2 && after == 0);
  g_assert_cmpint (goban_compare_set_get_mode (copy), ==, GOBAN_COMPARE_OVERLAY);
  g_assert_cmpint (goban_compare_set_get_unchanged (copy), ==, GOBAN_UNCHANGED_HIDE);
  g_assert_cmpint (goban_compare_set_get_sync (copy), ==, GOBAN_SYNC_TIME);
  g_assert_cmpfloat (goban_compare_set_get_min_change_us (copy), ==, 12.5);
  g_assert_true (goban_compare_set_get_own_scales (copy) && goban_compare_set_get_all_lanes (copy));
  g_assert_true (goban_compare_set_get_own_devices (copy));
  again = session_to_text (other, NULL);
  g_assert_cmpstr (text, ==, again);
}

/* A plan that fits no more leaves the others in their places. */
static void
test_compared_left_out (Fixture *f, gconstpointer data)
{
  GobanCompareSet *set = goban_session_get_compare_set (f->session);
  g_autoptr (GobanSnapshot) read = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GobanGraph) other = toy_diamond ();
  guint before, after;

  session_open_toy (f->session);
  add_three (f->session);
  compare_plans (f->session);
  text = session_to_text (f->session, NULL);
  /* Of a graph that has none of the nodes. */
  read = session_read_text (text, "s.goban", other);
  g_assert_cmpuint (goban_snapshot_get_runs (read)->len, ==, 0);
  goban_session_open_snapshot (f->session, read);
  g_assert_false (goban_compare_set_is_open (set));
  g_assert_false (goban_compare_set_get_pair (set, &before, &after));
  g_assert_cmpint (goban_compare_set_get_mode (set), ==, GOBAN_COMPARE_OVERLAY);
}

static void
test_wrong_compared (Fixture *f, gconstpointer data)
{
  static const SessionDamage cases[] = {
    { "\"lanes\": \"all\"", "\"lanes\": \"links\"",
      "compare.lanes is “links”: one of devices, all is needed" },
    { "\"scales\": \"own\"", "\"scales\": \"\"",
      "compare.scales is “”: one of common, own is needed" },
    { "\"mode\": \"overlay\"", "\"mode\": \"under\"",
      "compare.mode is “under”: one of side, overlay" },
    { "\"unchanged\": \"hide\"", "\"unchanged\": \"hidden\"",
      "compare.unchanged is “hidden”: one of show, dim" },
    { "\"pair\": \"3 1\"", "\"pair\": \"3 3\"",
      "compare.pair: “3 3” is not a pair of different places" },
    { "\"pair\": \"3 1\"", "\"pair\": \"4 1\"",
      "compare.pair: “4 1” is not a pair of different places" },
    { "\"runs\": \"", "\"runs\": \"9 ", "is not a list of one to 4 different runs, from 1 to 3" },
    { "\"runs\": \"", "\"runs\": \"1 2 3 ", "is not a list of one to 4 different runs" },
    { "\"runs\": \"", "\"runs\": \"-", "is not a list of one to 4 different runs" },
    { "\"threshold_us\": 12.5", "\"threshold_us\": -1",
      "compare.threshold_us is -1: a number of at least 0 is needed" },
    { "\"time\"", "\"tempo\"", "is “tempo”: one of selection, time, view is needed" },
    { "\"open\": true", "\"opened\": true", "compare.opened is not known: did you mean open?" },
  };
  g_autofree char *text = NULL;

  session_open_toy (f->session);
  add_three (f->session);
  compare_plans (f->session);
  text = session_to_text (f->session, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    session_assert_refused (text, &cases[i], GOBAN_ERROR_PARSE);
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (session_file_compare)
{
  g_test_init (&argc, &argv, NULL);
  add ("/session/file/compared", test_compared);
  add ("/session/file/compared-left-out", test_compared_left_out);
  add ("/session/file/wrong-compared", test_wrong_compared);
  return g_test_run ();
}
