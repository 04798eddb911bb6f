#include "engine/session/navigation.h"
#include "tests/support/test-program.h"

static GobanSelection *
one (GobanNodeId node)
{
  return goban_selection_new (&node, 1);
}

static GobanViewport
sight_at (double x)
{
  return (GobanViewport){ x, 0, x + 10, 10 };
}

static void
visit (GobanNavigation *places, GobanNodeId node)
{
  g_autoptr (GobanSelection) selection = one (node);
  GobanViewport viewport = sight_at (node);

  goban_navigation_visit (places, selection, &viewport);
}

/* Steps, and says which node is there; -1 where there is no place. */
static int
step (GobanNavigation *places, int steps)
{
  const GobanPlace *place = goban_navigation_step (places, steps);
  guint n;

  return place != NULL ? (int) goban_selection_get_ids (place->selection, &n)[0] : -1;
}

static void
test_back_and_forward (void)
{
  g_autoptr (GobanNavigation) places = goban_navigation_new ();

  g_assert_cmpint (step (places, -1), ==, -1);
  g_assert_cmpint (step (places, 1), ==, -1);
  for (GobanNodeId v = 1; v <= 3; v++)
    visit (places, v);
  g_assert_cmpint (step (places, 1), ==, -1);
  g_assert_cmpint (step (places, -1), ==, 2);
  g_assert_cmpint (step (places, -1), ==, 1);
  g_assert_cmpint (step (places, -1), ==, -1);
  g_assert_cmpint (step (places, 1), ==, 2);
  g_assert_true (goban_navigation_can_step (places, 1));

  /* Elsewhere: what lay ahead is forgotten. */
  visit (places, 9);
  g_assert_false (goban_navigation_can_step (places, 1));
  g_assert_cmpuint (goban_navigation_get_n_visited (places), ==, 3);
  g_assert_cmpint (step (places, -1), ==, 2);
}

static void
test_same_place_is_one (void)
{
  g_autoptr (GobanNavigation) places = goban_navigation_new ();
  GobanViewport moved = sight_at (77);

  visit (places, 1);
  visit (places, 2);
  visit (places, 2);
  g_assert_cmpuint (goban_navigation_get_n_visited (places), ==, 2);

  /* Where one looked before going on is where back comes to. */
  g_assert_cmpint (step (places, -1), ==, 1);
  goban_navigation_set_viewport (places, &moved);
  g_assert_cmpint (step (places, 1), ==, 2);
  g_assert_cmpfloat (goban_navigation_step (places, -1)->viewport.x0, ==, 77);

  /* What one comes back to is visited again, and forward stays. */
  visit (places, 1);
  g_assert_true (goban_navigation_can_step (places, 1));
}

static void
test_fifty_deep (void)
{
  g_autoptr (GobanNavigation) places = goban_navigation_new ();
  guint n_back = 0;
  int last = -1;

  for (GobanNodeId v = 0; v < 3 * GOBAN_NAVIGATION_MOST; v++)
    visit (places, v);
  g_assert_cmpuint (goban_navigation_get_n_visited (places), ==, GOBAN_NAVIGATION_MOST);
  while (goban_navigation_can_step (places, -1))
    {
      last = step (places, -1);
      n_back++;
    }
  g_assert_cmpuint (n_back, ==, GOBAN_NAVIGATION_MOST - 1);
  g_assert_cmpint (last, ==, 2 * GOBAN_NAVIGATION_MOST);
}

static void
test_bookmarks (void)
{
  g_autoptr (GobanNavigation) places = goban_navigation_new ();
  g_auto (GStrv) open = g_strsplit ("a a/b", " ", -1);
  g_autofree char *color = g_strdup ("cost");
  GobanBookmark bookmark
      = { .viewport = sight_at (3), .color = color, .grouping = 2, .expanded = open };
  const GobanBookmark *stored;

  g_assert_null (goban_navigation_get_bookmark (places, 1));
  goban_navigation_set_bookmark (places, 1, &bookmark);
  goban_navigation_set_bookmark (places, GOBAN_BOOKMARKS, &bookmark);
  stored = goban_navigation_get_bookmark (places, 1);
  g_assert_cmpstr (stored->color, ==, "cost");
  g_assert_cmpstr (stored->expanded[1], ==, "a/b");
  g_assert_cmpint (stored->grouping, ==, 2);
  g_assert_true (goban_viewport_is_set (&stored->viewport));

  goban_navigation_set_bookmark (places, 1, stored);
  g_assert_cmpstr (goban_navigation_get_bookmark (places, 1)->color, ==, "cost");
  goban_navigation_set_bookmark (places, 1, NULL);
  g_assert_null (goban_navigation_get_bookmark (places, 1));
  g_assert_nonnull (goban_navigation_get_bookmark (places, GOBAN_BOOKMARKS));

  visit (places, 4);
  goban_navigation_clear (places);
  g_assert_null (goban_navigation_get_bookmark (places, GOBAN_BOOKMARKS));
  g_assert_cmpuint (goban_navigation_get_n_visited (places), ==, 0);
  g_assert_false (goban_viewport_is_set (&(GobanViewport){ 0 }));
}

TEST_PROGRAM (navigation)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/navigation/back-and-forward", test_back_and_forward);
  g_test_add_func ("/session/navigation/same-place-is-one", test_same_place_is_one);
  g_test_add_func ("/session/navigation/fifty-deep", test_fifty_deep);
  g_test_add_func ("/session/navigation/bookmarks", test_bookmarks);
  return g_test_run ();
}
