/* test-segment.c: gathering from neighbours: a row without any, one twice, several. */
#include "engine/learn/nn/segment.h"
#include "tests/support/grad-check.h"
#include "tests/support/test-program.h"

enum
{
  ROWS = 4,
  N = 5,
  D = 70 /* more than one block of columns */
};

static const guint32 offsets[] = { 0, 2, 2, 5, 6, 8 };
static const guint32 ids[] = { 0, 1, 1, 2, 3, 3, 2, 2 };
static const GobanSegments segments = { offsets, ids, N };

typedef struct
{
  void (*forward) (float *y, const float *x, const GobanSegments *segments, int D);
  float x[ROWS * D], y[N * D], weights[N * D];
  guint32 sources[N * D];
} Layer;

static double
loss (gpointer data)
{
  Layer *self = data;

  if (self->forward != NULL)
    self->forward (self->y, self->x, &segments, D);
  else
    goban_segment_max_forward (self->y, self->sources, self->x, &segments, D);
  return grad_dot (self->y, self->weights, N * D);
}

static void
fill (Layer *self)
{
  grad_fill (self->x, ROWS * D, 2, 1);
  grad_fill (self->weights, N * D, 1, 2);
  loss (self);
}

static void
test_mean (void)
{
  Layer self = { .forward = goban_segment_mean_forward };
  float dx[ROWS * D] = { 0 };
  GradArray array = { "x", self.x, dx, ROWS * D };

  fill (&self);
  for (int d = 0; d < D; d++)
    {
      g_assert_cmpfloat (self.y[D + d], ==, 0);
      g_assert_cmpfloat_with_epsilon (self.y[d], (self.x[d] + self.x[D + d]) / 2, 1e-6f);
      g_assert_cmpfloat (self.y[4 * D + d], ==, self.x[2 * D + d]);
    }
  goban_segment_mean_backward (dx, self.weights, &segments, D);
  grad_check_assert (loss, &self, &array, 1, 0.05, 2e-3);
}

static void
test_max (void)
{
  Layer self = { .forward = NULL };
  float dx[ROWS * D] = { 0 };
  GradArray array = { "x", self.x, dx, ROWS * D };

  fill (&self);
  for (int d = 0; d < D; d++)
    {
      g_assert_cmpfloat (self.y[D + d], ==, 0);
      g_assert_cmpuint (self.sources[D + d], ==, G_MAXUINT32);
      g_assert_cmpfloat (self.y[d], ==, MAX (self.x[d], self.x[D + d]));
      g_assert_cmpuint (self.sources[d], ==, self.x[D + d] > self.x[d] ? 1 : 0);
    }
  for (int i = 0; i < N * D; i++)
    if (self.sources[i] != G_MAXUINT32)
      dx[self.sources[i] * D + i % D] += self.weights[i];
  /* Steps so small that no maximum changes hands. */
  grad_check_assert (loss, &self, &array, 1, 0.002, 1e-2);
}

/* Widths about that of a block of columns, with sources and without. */
static void
test_max_of_widths (void)
{
  static const int widths[] = { 1, 31, 32, 33, 64, 70 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      int width = widths[i];
      g_autofree float *x = g_new (float, ROWS *width);
      g_autofree float *y = g_new (float, N *width);
      g_autofree float *alone = g_new (float, N *width);
      g_autofree guint32 *sources = g_new (guint32, N * width);

      grad_fill (x, ROWS * width, 2, 1);
      goban_segment_max_forward (y, sources, x, &segments, width);
      goban_segment_max_forward (alone, NULL, x, &segments, width);
      g_assert_cmpmem (alone, N * width * sizeof *y, y, N * width * sizeof *y);
      for (int n = 0; n < N; n++)
        for (int d = 0; d < width; d++)
          {
            guint32 source = sources[n * width + d];

            g_assert_cmpfloat (y[n * width + d], ==,
                               source == G_MAXUINT32 ? 0 : x[source * width + d]);
            for (guint32 j = segments.offsets[n]; j < segments.offsets[n + 1]; j++)
              g_assert_cmpfloat (y[n * width + d], >=, x[segments.ids[j] * width + d]);
          }
    }
}

TEST_PROGRAM (segment)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/segment/mean", test_mean);
  g_test_add_func ("/segment/max", test_max);
  g_test_add_func ("/segment/max-of-widths", test_max_of_widths);
  return g_test_run ();
}
