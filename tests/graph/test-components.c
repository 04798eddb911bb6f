#include "engine/graph/components.h"

#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <string.h>

#define MAX_N 12

/* reach[i][j]: j can be reached from i, by Warshall's algorithm. */
static void
close_over (guint n, const guint32 *offsets, const guint32 *heads, gboolean reach[MAX_N][MAX_N])
{
  memset (reach, 0, sizeof (gboolean[MAX_N][MAX_N]));
  for (guint i = 0; i < n; i++)
    {
      reach[i][i] = TRUE;
      for (guint32 e = offsets[i]; e < offsets[i + 1]; e++)
        reach[i][heads[e]] = TRUE;
    }
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < n; j++)
        reach[i][j] |= reach[i][k] && reach[k][j];
}

static void
make_edges (GobanRng *rng, guint n, guint32 *offsets, guint32 *heads)
{
  guint n_edges = 0;

  for (guint i = 0; i < n; i++)
    {
      offsets[i] = n_edges;
      for (guint j = 0; j < n; j++)
        if (goban_rng_below (rng, n) == 0)
          heads[n_edges++] = j;
    }
  offsets[n] = n_edges;
}

/* Two vertices are in one component if each reaches the other; edges lead to lower numbers. */
static void
test_random (void)
{
  GobanRng rng;

  goban_rng_init (&rng, (guint64) g_test_rand_int ());
  for (guint round = 0; round < 2000; round++)
    {
      guint n = 1 + goban_rng_below (&rng, MAX_N);
      guint32 offsets[MAX_N + 1], heads[MAX_N * MAX_N], components[MAX_N];
      gboolean reach[MAX_N][MAX_N];
      guint most = 0;
      guint n_components;

      make_edges (&rng, n, offsets, heads);
      close_over (n, offsets, heads, reach);
      n_components = goban_find_components (n, offsets, heads, NULL, components);
      for (guint i = 0; i < n; i++)
        {
          most = MAX (most, components[i]);
          for (guint j = 0; j < n; j++)
            {
              gboolean is_one = reach[i][j] && reach[j][i];

              g_assert_cmpint (components[i] == components[j], ==, is_one);
              if (reach[i][j] && !is_one)
                g_assert_cmpuint (components[j], <, components[i]);
            }
        }
      g_assert_cmpuint (n_components, ==, most + 1);
    }
}

/* 0 -> 1 <-> 2, 3 -> 0: from 1 alone, 0 and 3 are not reached. */
static void
test_roots (void)
{
  const guint32 offsets[] = { 0, 1, 2, 3, 4 };
  const guint32 heads[] = { 1, 2, 1, 0 };
  const gboolean is_root[] = { FALSE, TRUE, FALSE, FALSE };
  guint32 components[4];

  g_assert_cmpuint (goban_find_components (4, offsets, heads, is_root, components), ==, 1);
  g_assert_cmpuint (components[0], ==, G_MAXUINT32);
  g_assert_cmpuint (components[1], ==, 0);
  g_assert_cmpuint (components[2], ==, 0);
  g_assert_cmpuint (components[3], ==, G_MAXUINT32);
  g_assert_cmpuint (goban_find_components (0, offsets, heads, NULL, components), ==, 0);
}

TEST_PROGRAM (components)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/components/random", test_random);
  g_test_add_func ("/components/roots", test_roots);
  return g_test_run ();
}
