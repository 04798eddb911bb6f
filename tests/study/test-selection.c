#include "engine/study/run/selection.h"
#include "tests/support/test-program.h"

static char *
spell (const GobanSelection *selection)
{
  GString *text = g_string_new (NULL);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (selection, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", ids[i]);
  return g_string_free (text, FALSE);
}

#define assert_ids(selection, expected)                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *spelled = spell (selection);                                                  \
    g_assert_cmpstr (spelled, ==, expected);                                                       \
  }                                                                                                \
  G_STMT_END

static void
test_sorts_and_removes_twins (void)
{
  static const GobanNodeId ids[] = { 5, 1, 9, 1, 5 };
  g_autoptr (GobanSelection) selection = goban_selection_new (ids, 5);
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  assert_ids (selection, "1 5 9");
  g_assert_true (goban_selection_contains (selection, 9));
  g_assert_false (goban_selection_contains (selection, 2));
  g_assert_false (goban_selection_contains (nothing, 0));
  g_assert_false (goban_selection_equal (selection, nothing));
}

/* The set whose bits are set. */
static GobanSelection *
from_bits (guint bits)
{
  GobanNodeId ids[4];
  guint n = 0;

  for (guint bit = 0; bit < 4; bit++)
    if (bits >> bit & 1)
      ids[n++] = bit;
  return goban_selection_new (ids, n);
}

/* Every pair of subsets of four, against bit operations. */
static void
test_set_algebra (void)
{
  GobanSelection *(*const operations[]) (const GobanSelection *, const GobanSelection *)
      = { goban_selection_union, goban_selection_intersection, goban_selection_difference };

  for (guint a = 0; a < 16; a++)
    for (guint b = 0; b < 16; b++)
      for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
        {
          const guint expected[] = { a | b, a & b, a & ~b };
          g_autoptr (GobanSelection) left = from_bits (a);
          g_autoptr (GobanSelection) right = from_bits (b);
          g_autoptr (GobanSelection) wanted = from_bits (expected[i]);
          g_autoptr (GobanSelection) result = operations[i](left, right);

          g_assert_true (goban_selection_equal (result, wanted));
        }
}

static void
test_complement (void)
{
  for (guint bits = 0; bits < 16; bits++)
    for (guint n = 0; n <= 4; n++)
      {
        g_autoptr (GobanSelection) some = from_bits (bits);
        g_autoptr (GobanSelection) rest = goban_selection_complement (some, n);
        g_autoptr (GobanSelection) wanted = from_bits (~bits & ((1u << n) - 1));

        g_assert_true (goban_selection_equal (rest, wanted));
      }
}

TEST_PROGRAM (selection)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/selection/sorts-and-removes-twins", test_sorts_and_removes_twins);
  g_test_add_func ("/run/selection/set-algebra", test_set_algebra);
  g_test_add_func ("/run/selection/complement", test_complement);
  return g_test_run ();
}
