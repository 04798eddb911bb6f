/* test-failed-moves.c: overlaps worked out by hand, and against sets that are compared one by
 * one. */
#include "engine/learn/rl/moves/improver.h"

#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>

#define N_UNITS 40
#define N_KEPT 64

static void
test_by_hand (void)
{
  g_autoptr (GobanFailedMoves) failed = goban_failed_moves_new (N_UNITS);
  const guint32 abc[] = { 1, 2, 3 }, bcd[] = { 2, 3, 4 }, e[] = { 5 };
  const GobanUnitMove first = { abc, 3, 1 }, near = { bcd, 3, 1 }, away = { bcd, 3, 2 },
                      apart = { e, 1, 1 };

  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &near), ==, 0);
  g_assert_cmpfloat ((double) goban_failed_moves_get_last_penalty (failed, &near), ==, 0);
  goban_failed_moves_add (failed, &first, 0.5f);
  /* two units of four, to the same device */
  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &near), ==, 0.25);
  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &first), ==, 0.5);
  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &away), ==, 0);
  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &apart), ==, 0);
  goban_failed_moves_add (failed, &apart, 1);
  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &near), ==, 0.25);
  g_assert_cmpfloat ((double) goban_failed_moves_get_last_penalty (failed, &near), ==, 0);
  goban_failed_moves_forget (failed);
  g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &near), ==, 0);
}

typedef struct
{
  guint32 units[6];
  GobanUnitMove move;
  float score;
} Made;

static void
draw (Made *made, GobanRng *rng)
{
  guint n = 1 + goban_rng_below (rng, 6);
  guint first = goban_rng_below (rng, N_UNITS - 6);

  for (guint i = 0; i < n; i++)
    made->units[i] = first + i;
  made->move = (GobanUnitMove){ made->units, n, (GobanDeviceId) goban_rng_below (rng, 3) };
  made->score = (float) goban_rng_below (rng, 100) / 100;
}

static float
compare (const Made *failed, const Made *other)
{
  guint n_both = 0;

  for (guint i = 0; i < failed->move.n; i++)
    for (guint k = 0; k < other->move.n; k++)
      n_both += failed->units[i] == other->units[k];
  if (failed->move.device != other->move.device)
    return 0;
  return failed->score * ((float) n_both / (float) (failed->move.n + other->move.n - n_both));
}

/* The oldest are forgotten once there are more than are kept. */
static void
test_twin (void)
{
  g_autoptr (GobanFailedMoves) failed = goban_failed_moves_new (N_UNITS);
  g_autofree Made *all = g_new0 (Made, 300);
  GobanRng rng;

  goban_rng_init (&rng, 3);
  for (guint i = 0; i < 300; i++)
    {
      float most = 0;
      Made other;

      draw (&all[i], &rng);
      goban_failed_moves_add (failed, &all[i].move, all[i].score);
      draw (&other, &rng);
      for (guint k = i + 1 > N_KEPT ? i + 1 - N_KEPT : 0; k <= i; k++)
        most = MAX (most, compare (&all[k], &other));
      g_assert_cmpfloat ((double) goban_failed_moves_get_penalty (failed, &other.move), ==,
                         (double) most);
      g_assert_cmpfloat ((double) goban_failed_moves_get_last_penalty (failed, &other.move), ==,
                         (double) compare (&all[i], &other));
    }
}

TEST_PROGRAM (failed_moves)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/failed-moves/by-hand", test_by_hand);
  g_test_add_func ("/rl/failed-moves/twin", test_twin);
  return g_test_run ();
}
