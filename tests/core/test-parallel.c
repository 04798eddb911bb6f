/* test-parallel.c: every part once, whoever calls and however many may help. */
#include "engine/core/parallel.h"
#include "tests/support/test-program.h"

#define MAX_PARTS 5000

typedef struct
{
  int n_calls[MAX_PARTS]; /* atomic */
} Count;

static void
count_part (guint part, gpointer data)
{
  Count *self = data;

  g_atomic_int_inc (&self->n_calls[part]);
}

static void
assert_each_once (Count *self, guint n_parts)
{
  for (guint i = 0; i < MAX_PARTS; i++)
    g_assert_cmpint (g_atomic_int_get (&self->n_calls[i]), ==, i < n_parts ? 1 : 0);
}

static void
test_once (void)
{
  static const guint n_parts[] = { 0, 1, 2, 3, 64, MAX_PARTS };
  static const guint n_threads[] = { 1, 2, 5, 3, 0 };

  for (guint t = 0; t < G_N_ELEMENTS (n_threads); t++)
    {
      goban_parallel_set_max_threads (n_threads[t]);
      for (guint i = 0; i < G_N_ELEMENTS (n_parts); i++)
        {
          g_autofree Count *self = g_new0 (Count, 1);

          goban_parallel_for (n_parts[i], count_part, self);
          assert_each_once (self, n_parts[i]);
        }
    }
}

/* --- nested ------------------------------------------------------------------------------- */

typedef struct
{
  GThread *thread;
  guint n_here;
  int n_elsewhere; /* atomic */
} Inner;

/* Long enough for others to come, were they let in. */
static void
inner_part (guint part, gpointer data)
{
  Inner *self = data;

  if (g_thread_self () == self->thread)
    self->n_here++;
  else
    g_atomic_int_inc (&self->n_elsewhere);
  g_usleep (50);
}

static void
outer_part (guint part, gpointer data)
{
  Inner inner = { .thread = g_thread_self () };

  count_part (part, data);
  goban_parallel_for (5, inner_part, &inner);
  g_assert_cmpint (g_atomic_int_get (&inner.n_elsewhere), ==, 0);
  g_assert_cmpuint (inner.n_here, ==, 5);
}

static void
test_nested (void)
{
  g_autofree Count *self = g_new0 (Count, 1);

  goban_parallel_set_max_threads (4);
  goban_parallel_for (50, outer_part, self);
  goban_parallel_set_max_threads (0);
  assert_each_once (self, 50);
}

/* --- many callers ------------------------------------------------------------------------- */

/* Plain numbers that parts write and the caller reads: what is missing in the publication of parts
 * or of their end shows in the sums, and to a checker of races. */
typedef struct
{
  guint round;
  guint squares[100];
} Squares;

static void
square_part (guint part, gpointer data)
{
  Squares *self = data;

  self->squares[part] = self->round + part * part;
}

static gpointer
caller_worker (gpointer data)
{
  Squares self = { 0 };
  guint n_wrong = 0;

  for (guint round = 0; round < 300; round++)
    {
      guint n_parts = 1 + (round * 7 + GPOINTER_TO_UINT (data)) % 100;

      self.round = round;
      goban_parallel_for (n_parts, square_part, &self);
      for (guint i = 0; i < n_parts; i++)
        n_wrong += self.squares[i] != round + i * i;
    }
  return GUINT_TO_POINTER (n_wrong);
}

/* More callers than loops that may be shared at once, so some run alone. */
static void
test_callers (void)
{
  GThread *threads[12];

  goban_parallel_set_max_threads (4);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("caller", caller_worker, GUINT_TO_POINTER (i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (threads[i])), ==, 0);
  goban_parallel_set_max_threads (0);
}

/* --- helpers that sleep, and help ---------------------------------------------------------- */

typedef struct
{
  int n_present; /* atomic */
} Meeting;

/* Ends only when another thread has come to the other part. */
static void
meet_part (guint part, gpointer data)
{
  Meeting *self = data;

  g_atomic_int_inc (&self->n_present);
  while (g_atomic_int_get (&self->n_present) < 2)
    g_thread_yield ();
}

static void
test_helped (void)
{
  goban_parallel_set_max_threads (2);
  for (guint i = 0; i < 20; i++)
    {
      Meeting self = { 0 };

      /* Now and then so late that helpers have gone to sleep. */
      if (i % 4 == 0)
        g_usleep (2000);
      goban_parallel_for (2, meet_part, &self);
      g_assert_cmpint (self.n_present, ==, 2);
    }
  goban_parallel_set_max_threads (0);
}

TEST_PROGRAM (parallel)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel/once", test_once);
  g_test_add_func ("/parallel/nested", test_nested);
  g_test_add_func ("/parallel/callers", test_callers);
  g_test_add_func ("/parallel/helped", test_helped);
  return g_test_run ();
}
