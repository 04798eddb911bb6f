/* test-neighbours.c: lists of neighbours have each pair that was given, and no other. */
#include "engine/learn/policy/board.h"
#include "tests/support/test-program.h"

#define N_ROWS 9

/* Pairs drawn at random, each row's ascending; has[r][i] is told of them. */
static GobanNeighbours
draw_lists (gboolean has[N_ROWS][N_ROWS])
{
  GobanNeighbours self
      = { g_new0 (guint32, N_ROWS + 1), g_new (guint32, N_ROWS * N_ROWS + 1), N_ROWS };
  guint32 n = 0;

  for (guint32 r = 0; r < N_ROWS; r++)
    {
      for (guint32 i = 0; i < N_ROWS; i++)
        {
          has[r][i] = g_test_rand_int_range (0, 3) == 0;
          if (has[r][i])
            self.ids[n++] = i;
        }
      self.offsets[r + 1] = n;
    }
  return self;
}

/* Ascending, and just those that @has has, or its mirror image. */
static void
check_lists (const GobanNeighbours *self, gboolean has[N_ROWS][N_ROWS], gboolean is_mirrored)
{
  GobanSegments seen = goban_neighbours_get_segments (self);

  g_assert_cmpint (seen.N, ==, N_ROWS);
  for (guint32 r = 0; r < N_ROWS; r++)
    {
      guint32 k = seen.offsets[r];

      for (guint32 i = 0; i < N_ROWS; i++)
        if (is_mirrored ? has[i][r] : has[r][i])
          {
            g_assert_cmpuint (k, <, seen.offsets[r + 1]);
            g_assert_cmpuint (seen.ids[k++], ==, i);
          }
      g_assert_cmpuint (k, ==, seen.offsets[r + 1]);
    }
}

static void
test_pairs (void)
{
  for (guint round = 0; round < 100; round++)
    {
      gboolean first[N_ROWS][N_ROWS], second[N_ROWS][N_ROWS], either[N_ROWS][N_ROWS];
      GobanNeighbours a = draw_lists (first), b = draw_lists (second);
      GobanNeighbours mirrored = goban_neighbours_transpose (&a);
      GobanNeighbours both = goban_neighbours_unite (&a, &b);

      for (guint r = 0; r < N_ROWS; r++)
        for (guint i = 0; i < N_ROWS; i++)
          either[r][i] = first[r][i] || second[r][i];
      check_lists (&a, first, FALSE);
      check_lists (&mirrored, first, TRUE);
      check_lists (&both, either, FALSE);
      goban_neighbours_clear (&a);
      goban_neighbours_clear (&b);
      goban_neighbours_clear (&mirrored);
      goban_neighbours_clear (&both);
      g_assert_null (both.ids);
    }
}

static void
test_no_rows (void)
{
  guint32 end = 0;
  GobanNeighbours none = { &end, NULL, 0 };
  GobanNeighbours mirrored = goban_neighbours_transpose (&none);

  g_assert_cmpuint (mirrored.offsets[0], ==, 0);
  goban_neighbours_clear (&mirrored);
}

TEST_PROGRAM (neighbours)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/neighbours/pairs", test_pairs);
  g_test_add_func ("/policy/neighbours/no-rows", test_no_rows);
  return g_test_run ();
}
