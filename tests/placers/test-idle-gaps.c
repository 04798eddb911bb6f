#include "engine/placers/idle-gaps.h"

#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>

/* The twin: every op ever placed, sorted; each gap looked at in turn. */
typedef struct
{
  double start_us;
  double finish_us;
} Op;

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  const Op *x = a;
  const Op *y = b;

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  return (x->finish_us > y->finish_us) - (x->finish_us < y->finish_us);
}

static double
find_slowly (GArray *ops, double ready_us, double time_us)
{
  double free_us = 0;

  for (guint i = 0; i < ops->len; i++)
    {
      const Op *op = &g_array_index (ops, Op, i);
      double start_us = MAX (free_us, ready_us);

      if (op->start_us - start_us >= time_us)
        return start_us;
      free_us = MAX (free_us, op->finish_us);
    }
  return MAX (free_us, ready_us);
}

static void
check_against_twin (guint64 seed, guint n_ops, guint span, guint longest)
{
  g_autoptr (GobanIdleGaps) idle = goban_idle_gaps_new ();
  g_autoptr (GArray) ops = g_array_new (FALSE, FALSE, sizeof (Op));
  GobanRng rng;

  goban_rng_init (&rng, seed);
  for (guint i = 0; i < n_ops; i++)
    {
      double ready_us = goban_rng_below (&rng, span);
      double time_us = goban_rng_below (&rng, longest);
      GobanIdleGap slot = goban_idle_gaps_find (idle, ready_us, time_us);
      Op op = { slot.start_us, slot.start_us + time_us };

      g_assert_cmpfloat (slot.start_us, ==, find_slowly (ops, ready_us, time_us));
      goban_idle_gaps_occupy (idle, slot, time_us);
      g_array_append_val (ops, op);
      g_array_sort (ops, compare_ops);
    }
}

static void
test_twin (void)
{
  for (guint i = 0; i < 300; i++)
    check_against_twin ((guint64) g_test_rand_int (), 60, 100, 6);
  /* Crowded, with many ops of no time. */
  for (guint i = 0; i < 300; i++)
    check_against_twin ((guint64) g_test_rand_int (), 40, 20, 2);
}

static double
place (GobanIdleGaps *idle, double ready_us, double time_us)
{
  GobanIdleGap slot = goban_idle_gaps_find (idle, ready_us, time_us);

  goban_idle_gaps_occupy (idle, slot, time_us);
  return slot.start_us;
}

/* 0 [ 10..20 ] [ 30..40 ] */
static void
test_fills_gaps (void)
{
  g_autoptr (GobanIdleGaps) idle = goban_idle_gaps_new ();

  g_assert_cmpfloat (place (idle, 10, 10), ==, 10);
  g_assert_cmpfloat (place (idle, 30, 10), ==, 30);
  g_assert_cmpfloat (place (idle, 5, 10), ==, 20);
  g_assert_cmpfloat (place (idle, 0, 7), ==, 0);
  g_assert_cmpfloat (place (idle, 0, 3), ==, 7);
  g_assert_cmpfloat (place (idle, 0, 1), ==, 40);
}

/* An op of no time goes between two that touch, and none may run over it. */
static void
test_no_time (void)
{
  g_autoptr (GobanIdleGaps) idle = goban_idle_gaps_new ();

  g_assert_cmpfloat (place (idle, 0, 10), ==, 0);
  g_assert_cmpfloat (place (idle, 10, 10), ==, 10);
  g_assert_cmpfloat (place (idle, 4, 0), ==, 10);
  g_assert_cmpfloat (place (idle, 25, 0), ==, 25);
  g_assert_cmpfloat (place (idle, 20, 8), ==, 25);
  g_assert_cmpfloat (place (idle, 20, 5), ==, 20);
}

/* 200,000 ops that leave as many gaps too small for most: scanning would take minutes. */
static void
test_many_gaps (void)
{
  g_autoptr (GobanIdleGaps) idle = goban_idle_gaps_new ();

  for (guint i = 0; i < 200000; i++)
    g_assert_cmpfloat (place (idle, i * 3.0, 2), ==, i * 3.0);
  for (guint i = 0; i < 100000; i++)
    g_assert_cmpfloat (place (idle, 0, 2), ==, 599999 + i * 2.0);
}

TEST_PROGRAM (idle_gaps)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/idle-gaps/twin", test_twin);
  g_test_add_func ("/idle-gaps/fills-gaps", test_fills_gaps);
  g_test_add_func ("/idle-gaps/no-time", test_no_time);
  g_test_add_func ("/idle-gaps/many-gaps", test_many_gaps);
  return g_test_run ();
}
