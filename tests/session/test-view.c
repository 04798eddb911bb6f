#include "engine/session/session-log.h"
#include "engine/session/session.h"
#include "engine/session/view-time.h"
#include "engine/session/view.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanView *view;
  GString *events; /* what was notified and logged, in order */
} Fixture;

static void
notified_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", pspec->name);
}

static void
log_cb (GobanView *view, const char *lua, gpointer user_data)
{
  g_string_append_printf (user_data, "[%s] ", lua);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->view = goban_view_new ();
  f->events = g_string_new (NULL);
  g_signal_connect (f->view, "notify", G_CALLBACK (notified_cb), f->events);
  g_signal_connect (f->view, "log", G_CALLBACK (log_cb), f->events);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->view);
  g_string_free (f->events, TRUE);
}

static void
assert_events (Fixture *f, const char *expected)
{
  g_assert_cmpstr (f->events->str, ==, expected);
  g_string_truncate (f->events, 0);
}

/* What is as it was says nothing. */
static void
test_changes_are_said_once (Fixture *f, gconstpointer data)
{
  goban_view_set_color (f->view, "slack");
  goban_view_set_color (f->view, "slack");
  assert_events (f, "[view.color \"slack\"] color ");
  goban_view_set_layout (f->view, GOBAN_ARRANGE_LANES);
  goban_view_set_layout (f->view, GOBAN_ARRANGE_LANES);
  assert_events (f, "[view.layout \"lanes\"] layout ");
  goban_view_set_time_us (f->view, 1500);
  goban_view_set_time_us (f->view, 1500);
  assert_events (f, "time [view.time \"1500us\"] ");
  goban_view_play_to (f->view, 1600);
  assert_events (f, "time ");
  goban_view_set_time_us (f->view, NAN);
  goban_view_set_time_us (f->view, NAN);
  assert_events (f, "time [view.time()] ");
  goban_view_set_moment (f->view, 7);
  goban_view_set_moment (f->view, 7);
  assert_events (f, "moment [view.moment(7)] ");
  goban_view_set_level (f->view, GOBAN_LEVEL_PLAN, GOBAN_STOPS_ALL);
  goban_view_set_level (f->view, GOBAN_LEVEL_PLAN, GOBAN_STOPS_ALL);
  assert_events (f, "level [view.level(\"plan\", \"all\")] ");
  goban_view_set_level (f->view, GOBAN_LEVEL_PLAN, GOBAN_STOPS_ACCEPTED);
  assert_events (f, "level [view.level(\"plan\", \"accepted\")] ");
}

static void
test_groups (Fixture *f, gconstpointer data)
{
  const char *const three[] = { "c", "a", "b/x", NULL };

  goban_view_expand (f->view, "b", TRUE);
  goban_view_expand (f->view, "a", TRUE);
  goban_view_expand (f->view, "a", TRUE);
  goban_view_expand (f->view, "b", FALSE);
  assert_events (f, "[view.expand \"b\"] expanded [view.expand \"a\"] expanded "
                    "[view.collapse \"b\"] expanded ");
  g_assert_true (goban_view_is_expanded (f->view, "a"));
  g_assert_false (goban_view_is_expanded (f->view, "b"));
  goban_view_expand (f->view, "a", FALSE);
  g_assert_null (goban_view_get_expanded (f->view)[0]);
  g_string_truncate (f->events, 0);

  goban_view_set_expanded (f->view, three);
  goban_view_set_expanded (f->view, three);
  assert_events (f, "[view.expanded{\"a\", \"b/x\", \"c\"}] expanded ");
  g_assert_true (goban_view_is_expanded (f->view, "b/x"));
  goban_view_set_grouping (f->view, GOBAN_GROUPING_STEP);
  assert_events (f, "[view.group \"step\"] expanded grouping ");
  g_assert_null (goban_view_get_expanded (f->view)[0]);

  /* What a picture opens by itself is shown and not logged. */
  goban_view_show_expanded (f->view, three);
  assert_events (f, "expanded ");
  g_assert_true (goban_view_is_expanded (f->view, "c"));
}

/* A moment is a stop after an odd number of times, in whatever order. */
static void
test_stops (Fixture *f, gconstpointer data)
{
  static const GobanMoment moments[] = { 9, 4, 9, 12, 9, 4 };

  for (gsize i = 0; i < G_N_ELEMENTS (moments); i++)
    goban_view_toggle_stop_at (f->view, moments[i]);
  g_assert_cmpint (goban_view_find_stop_at (f->view, 0, 20), ==, 9);
  g_assert_cmpint (goban_view_find_stop_at (f->view, 9, 20), ==, 12);
  g_assert_cmpint (goban_view_find_stop_at (f->view, 12, 20), ==, GOBAN_NO_MOMENT);
  g_assert_cmpint (goban_view_find_stop_at (f->view, 0, 8), ==, GOBAN_NO_MOMENT);
  goban_view_stop_at (f->view, NULL);
  g_assert_cmpint (goban_view_find_stop_at (f->view, 0, 20), ==, GOBAN_NO_MOMENT);
}

static void
test_hidden (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) diamond = toy_diamond ();
  const GobanNodeId ids[] = { 1, 2 };
  g_autoptr (GobanSelection) some = goban_selection_new (ids, 2);
  g_autoptr (GobanSelection) none = goban_selection_new (NULL, 0);

  goban_view_set_hidden (f->view, some, diamond);
  goban_view_set_hidden (f->view, some, diamond);
  g_assert_true (goban_selection_equal (goban_view_get_hidden (f->view), some));
  g_assert_true (g_str_has_prefix (f->events->str, "[view.hide(g:nodes{"));
  g_string_truncate (f->events, 0);
  goban_view_set_hidden (f->view, none, diamond);
  assert_events (f, "[view.hide()] hidden ");

  /* What belongs to one graph goes silently with it. */
  goban_view_set_hidden (f->view, some, diamond);
  goban_view_expand (f->view, "a", TRUE);
  goban_view_set_color (f->view, "cost");
  g_string_truncate (f->events, 0);
  goban_view_reset (f->view);
  assert_events (f, "hidden expanded ");
  g_assert_cmpstr (goban_view_get_color (f->view), ==, "cost");
}

static void
test_words (void)
{
  for (guint i = 0; i < GOBAN_N_GROUPINGS; i++)
    {
      GobanGrouping found;

      g_assert_true (goban_grouping_find (goban_grouping_names[(GobanGrouping) i], &found));
      g_assert_cmpuint (found, ==, i);
    }
  for (guint i = 0; i < GOBAN_N_ARRANGEMENTS; i++)
    {
      GobanArrangement found;

      g_assert_true (
          goban_arrangement_find (goban_arrangement_name ((GobanArrangement) i), &found));
      g_assert_cmpuint (found, ==, i);
    }
  g_assert_false (goban_grouping_find ("colour", &(GobanGrouping){ 0 }));
}

static void
look_cb (GobanView *view, const GobanViewport *viewport, gpointer user_data)
{
  g_string_append_printf (user_data, "look %g ", viewport->x0);
}

/* A bookmark is all that decides how the world looks; going back to it is logged by what
 * changes. */
static void
test_bookmarks (Fixture *f, gconstpointer data)
{
  const char *const open[] = { "enc", NULL };
  GobanViewport here = { 5, 0, 10, 10 };
  GobanViewport nowhere = { 0 };

  g_signal_connect (f->view, "look", G_CALLBACK (look_cb), f->events);
  goban_view_set_grouping (f->view, GOBAN_GROUPING_SCOPE);
  goban_view_set_expanded (f->view, open);
  goban_view_set_viewport (f->view, &here);
  g_string_truncate (f->events, 0);
  g_assert_false (goban_view_recall (f->view, 3));
  goban_view_snapshot (f->view, 3);
  assert_events (f, "[view.snapshot(3)] ");
  g_assert_true (goban_view_recall (f->view, 3));
  assert_events (f, "look 5 ");

  goban_view_set_viewport (f->view, &nowhere);
  goban_view_set_color (f->view, "cost");
  goban_view_set_grouping (f->view, GOBAN_GROUPING_NONE);
  goban_view_snapshot (f->view, 9);
  g_string_truncate (f->events, 0);
  g_assert_true (goban_view_recall (f->view, 3));
  assert_events (f, "[view.color \"device\"] color [view.group \"scope\"] grouping "
                    "[view.expanded{\"enc\"}] expanded look 5 ");
  /* Nobody had looked: the camera stays. */
  g_assert_true (goban_view_recall (f->view, 9));
  g_assert_null (strstr (f->events->str, "look"));

  goban_view_reset (f->view);
  g_assert_false (goban_view_recall (f->view, 3));
}

/* The session's log has the view's lines among its own. */
static void
test_session_logs (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  const GPtrArray *log = goban_session_get_log (session);

  goban_view_set_color (goban_session_get_view (session), "priority");
  g_assert_cmpuint (log->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (log, 0), ==, "view.color \"priority\"");
  /* A name is no way to write other lines into the log. */
  goban_view_set_color (goban_session_get_view (session), "a\" app.quit() --\n");
  g_assert_cmpstr (g_ptr_array_index (log, 1), ==, "view.color \"a\\\" app.quit() --\\010\"");
}

/* Each level has a word of its own, by which it is found again; other words are none. */
static void
test_words_of_levels (void)
{
  static const char *const stops[] = { "all", "accepted", "line" };
  GobanLevel level;
  GobanStops which;

  for (GobanLevel k = 0; k < GOBAN_N_DECISION_LEVELS; k++)
    {
      g_assert_true (goban_level_parse (goban_level_get_name (k), &level));
      g_assert_cmpint (level, ==, k);
    }
  for (guint k = 0; k < G_N_ELEMENTS (stops); k++)
    {
      g_assert_true (goban_stops_parse (stops[k], &which));
      g_assert_cmpuint (which, ==, k);
    }
  g_assert_false (goban_level_parse ("line", &level));
  g_assert_false (goban_stops_parse ("moment", &which));
}

TEST_PROGRAM (view)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/session/view/changes-are-said-once", Fixture, NULL, set_up,
              test_changes_are_said_once, tear_down);
  g_test_add_func ("/session/view/words-of-levels", test_words_of_levels);
  g_test_add ("/session/view/groups", Fixture, NULL, set_up, test_groups, tear_down);
  g_test_add ("/session/view/stops", Fixture, NULL, set_up, test_stops, tear_down);
  g_test_add ("/session/view/hidden", Fixture, NULL, set_up, test_hidden, tear_down);
  g_test_add ("/session/view/bookmarks", Fixture, NULL, set_up, test_bookmarks, tear_down);
  g_test_add_func ("/session/view/words", test_words);
  g_test_add_func ("/session/view/the-session-logs", test_session_logs);
  return g_test_run ();
}
