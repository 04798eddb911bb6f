/* test-segment.c: gathering from neighbours: a row without any, one twice, several. */
#include "engine/nn/segment.h"
#include "tests/support/grad-check.h"

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
test_sum (void)
{
  Layer self = { .forward = goban_segment_sum_forward };
  float dx[ROWS * D] = { 0 };
  GradArray array = { "x", self.x, dx, ROWS * D };

  fill (&self);
  for (int d = 0; d < D; d++)
    {
      g_assert_cmpfloat (self.y[D + d], ==, 0);
      g_assert_cmpfloat_with_epsilon (self.y[2 * D + d],
                                      self.x[D + d] + self.x[2 * D + d] + self.x[3 * D + d], 1e-5f);
      g_assert_cmpfloat (self.y[4 * D + d], ==, 2 * self.x[2 * D + d]);
    }
  goban_segment_sum_backward (dx, self.weights, &segments, D);
  grad_check_assert (loss, &self, &array, 1, 0.05, 2e-3);
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
  goban_segment_max_backward (dx, self.weights, self.sources, &segments, D);
  /* Steps so small that no maximum changes hands. */
  grad_check_assert (loss, &self, &array, 1, 0.002, 1e-2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/segment/sum", test_sum);
  g_test_add_func ("/segment/mean", test_mean);
  g_test_add_func ("/segment/max", test_max);
  return g_test_run ();
}
