#include "engine/core/disjoint.h"

#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#define N 60

/* Against sets by labels, which are written anew at every union. */
static void
test_against_labels (void)
{
  g_autofree guint32 *parents = goban_disjoint_new (N);
  guint32 labels[N];
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint32 i = 0; i < N; i++)
    labels[i] = i;
  for (guint k = 0; k < N; k++)
    {
      guint32 a = goban_rng_below (&rng, N);
      guint32 b = goban_rng_below (&rng, N);
      guint32 old = labels[a];

      parents[goban_disjoint_find (parents, a)] = goban_disjoint_find (parents, b);
      for (guint32 i = 0; i < N; i++)
        if (labels[i] == old)
          labels[i] = labels[b];
      for (guint32 i = 0; i < N; i++)
        for (guint32 j = 0; j < i; j++)
          g_assert_cmpint (labels[i] == labels[j], ==,
                           goban_disjoint_find (parents, i) == goban_disjoint_find (parents, j));
    }
}

/* The caller's choice of a root is kept, and a long way to it becomes short. */
static void
test_root_is_chosen (void)
{
  g_autofree guint32 *parents = goban_disjoint_new (N);

  for (guint32 i = 0; i + 1 < N; i++)
    parents[i] = i + 1;
  g_assert_cmpuint (goban_disjoint_find (parents, 0), ==, N - 1);
  g_assert_cmpuint (parents[0], ==, 2);
  for (guint k = 0; k < 6; k++)
    goban_disjoint_find (parents, 0);
  g_assert_cmpuint (parents[0], ==, N - 1);
}

TEST_PROGRAM (disjoint)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/disjoint/against-labels", test_against_labels);
  g_test_add_func ("/base/disjoint/root-is-chosen", test_root_is_chosen);
  return g_test_run ();
}
