/* test-rows-parallel.c: layers in parallel: the same bytes for any number of threads, and the
 * numbers of the plain layers. Graph of the segments: every row hears a few before it, some none,
 * one very many. */
#include "engine/base/parallel.h"
#include "engine/nn/activate.h"
#include "engine/nn/layernorm.h"
#include "engine/nn/linear.h"
#include "engine/nn/rows.h"
#include "tests/support/grad-check.h"

#include <math.h>
#include <string.h>

enum
{
  N = 20 * GOBAN_ROWS_PER_PART + 77, /* more parts than slots, and a piece of one */
  I = 12,
  O = 20,
  MAX_HEARD = 3
};

/* All arrays in one block, so that two runs are compared in one go. Outputs of every layer come
 * first. */
typedef struct
{
  float y[N * O], dx[N * I], dw[O * I], db[O];
  float normed[N * I], mean[N], inverse[N], dnormed[N * I], dgamma[I], dbeta[I];
  float heard_mean[N * I], dheard_mean[N * I];
  float heard_max[N * I], dheard_max[N * I];
  guint32 sources[N * I];
  float mapped[N * I], dmapped[N * I];
} Outputs;

typedef struct
{
  float x[N * I], w[O * I], b[O], dy[N * O], gamma[I], beta[I], d[N * I];
  guint32 offsets[N + 1], ids[N * MAX_HEARD], reverse_offsets[N + 1], reverse_ids[N * MAX_HEARD];
  GobanSegments segments, reverse;
  float *work;
} Inputs;

/* Row n hears up to three of those before it; all of the last hundred hear row 5. */
static void
connect (Inputs *self)
{
  guint32 n_edges = 0, n_reversed = 0;

  for (guint32 n = 0; n < N; n++)
    {
      self->offsets[n] = n_edges;
      if (n > N - 100)
        self->ids[n_edges++] = 5;
      for (guint32 i = 1; i <= n % MAX_HEARD && n >= 20; i++)
        self->ids[n_edges++] = n - i * (1 + n % 6);
    }
  self->offsets[N] = n_edges;
  for (guint32 r = 0; r < N; r++)
    {
      self->reverse_offsets[r] = n_reversed;
      /* Rows far away hear row 5 alone. */
      for (guint32 n = r; n < N; n = n == r + 12 && r != 5 ? N : n + 1)
        for (guint32 i = self->offsets[n]; i < self->offsets[n + 1]; i++)
          if (self->ids[i] == r)
            self->reverse_ids[n_reversed++] = n;
    }
  self->reverse_offsets[N] = n_reversed;
  g_assert_cmpuint (n_reversed, ==, n_edges);
  self->segments = (GobanSegments){ self->offsets, self->ids, N };
  self->reverse = (GobanSegments){ self->reverse_offsets, self->reverse_ids, N };
}

static Inputs *
inputs_new (void)
{
  Inputs *self = g_new0 (Inputs, 1);

  grad_fill (self->x, N * I, 1, 1);
  grad_fill (self->w, O * I, 1, 2);
  grad_fill (self->b, O, 1, 3);
  grad_fill (self->dy, N * O, 1, 4);
  grad_fill (self->gamma, I, 1, 5);
  grad_fill (self->beta, I, 1, 6);
  grad_fill (self->d, N * I, 1, 7);
  connect (self);
  self->work = g_new (float, goban_rows_work_size (O * (I + 1)));
  return self;
}

static void
inputs_free (Inputs *self)
{
  g_free (self->work);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Inputs, inputs_free)

static Outputs *
run (const Inputs *in, guint n_threads)
{
  Outputs *out = g_new0 (Outputs, 1);

  /* Gradients add: to something. */
  grad_fill (out->dx, N * I, 1, 8);
  grad_fill (out->dheard_max, N * I, 1, 9);
  out->dw[0] = out->db[0] = out->dgamma[0] = out->dbeta[0] = 1;

  goban_parallel_set_max_threads (n_threads);
  goban_rows_linear_forward (out->y, in->x, in->w, in->b, N, I, O);
  goban_rows_linear_backward (out->dx, out->dw, out->db, in->dy, in->x, in->w, in->work, N, I, O);
  goban_rows_layernorm_forward (out->normed, out->mean, out->inverse, in->x, in->gamma, in->beta, N,
                                I);
  goban_rows_layernorm_backward (out->dnormed, out->dgamma, out->dbeta, in->d, in->x, out->mean,
                                 out->inverse, in->gamma, in->work, N, I);
  goban_rows_segment_mean_forward (out->heard_mean, in->x, &in->segments, I);
  goban_rows_segment_mean_backward (out->dheard_mean, in->d, &in->segments, &in->reverse, I);
  goban_rows_segment_max_forward (out->heard_max, out->sources, in->x, &in->segments, I);
  goban_rows_segment_max_backward (out->dheard_max, in->d, out->sources, &in->reverse, I);
  goban_rows_map_forward (goban_sigmoid_forward, out->mapped, in->x, N * I);
  goban_rows_map_backward (goban_sigmoid_backward, out->dmapped, in->d, out->mapped, N * I);
  goban_parallel_set_max_threads (0);
  return out;
}

/* The same by the layers that know nothing of threads. */
static Outputs *
run_plain (const Inputs *in)
{
  Outputs *out = g_new0 (Outputs, 1);

  grad_fill (out->dx, N * I, 1, 8);
  grad_fill (out->dheard_max, N * I, 1, 9);
  out->dw[0] = out->db[0] = out->dgamma[0] = out->dbeta[0] = 1;
  goban_linear_forward (out->y, in->x, in->w, in->b, N, I, O);
  goban_linear_backward (out->dx, out->dw, out->db, in->dy, in->x, in->w, N, I, O);
  goban_layernorm_forward (out->normed, out->mean, out->inverse, in->x, in->gamma, in->beta, N, I);
  goban_layernorm_backward (out->dnormed, out->dgamma, out->dbeta, in->d, in->x, out->mean,
                            out->inverse, in->gamma, N, I);
  goban_segment_mean_forward (out->heard_mean, in->x, &in->segments, I);
  goban_segment_mean_backward (out->dheard_mean, in->d, &in->segments, I);
  goban_segment_max_forward (out->heard_max, out->sources, in->x, &in->segments, I);
  goban_segment_max_backward (out->dheard_max, in->d, out->sources, &in->segments, I);
  goban_sigmoid_forward (out->mapped, in->x, N * I);
  goban_sigmoid_backward (out->dmapped, in->d, out->mapped, N * I);
  return out;
}

static void
test_same_bytes (void)
{
  static const guint n_threads[] = { 2, 3, 7, 0 };
  g_autoptr (Inputs) in = inputs_new ();
  g_autofree Outputs *alone = run (in, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (n_threads); i++)
    {
      g_autofree Outputs *shared = run (in, n_threads[i]);

      g_assert_cmpmem (shared, sizeof *shared, alone, sizeof *alone);
    }
}

static void
assert_near (const float *a, const float *b, gsize n, double tolerance)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon ((double) a[i], (double) b[i],
                                    tolerance * (1 + fabs ((double) b[i])));
}

#define ASSERT_SAME(a, b, array)                                                                   \
  g_assert_cmpmem (a->array, sizeof a->array, b->array, sizeof b->array)

static void
test_plain (void)
{
  g_autoptr (Inputs) in = inputs_new ();
  g_autofree Outputs *out = run (in, 0);
  g_autofree Outputs *plain = run_plain (in);

  assert_near (out->y, plain->y, N * O, 1e-6);
  assert_near (out->dx, plain->dx, N * I, 1e-6);
  assert_near (out->dw, plain->dw, O * I, 2e-4);
  assert_near (out->db, plain->db, O, 2e-4);
  assert_near (out->dgamma, plain->dgamma, I, 2e-4);
  assert_near (out->dbeta, plain->dbeta, I, 2e-4);
  /* Nothing here is summed in another order. */
  ASSERT_SAME (out, plain, normed);
  ASSERT_SAME (out, plain, dnormed);
  ASSERT_SAME (out, plain, heard_mean);
  ASSERT_SAME (out, plain, dheard_mean);
  ASSERT_SAME (out, plain, heard_max);
  ASSERT_SAME (out, plain, sources);
  ASSERT_SAME (out, plain, dheard_max);
  ASSERT_SAME (out, plain, mapped);
  ASSERT_SAME (out, plain, dmapped);
}

/* Each gradient is as good alone, and without parameters' gradients no room is needed. */
static void
test_skips (void)
{
  g_autoptr (Inputs) in = inputs_new ();
  g_autofree Outputs *out = run (in, 0);
  g_autofree Outputs *some = g_new0 (Outputs, 1);

  grad_fill (some->dx, N * I, 1, 8);
  some->dw[0] = some->db[0] = some->dgamma[0] = some->dbeta[0] = 1;
  goban_rows_linear_backward (some->dx, NULL, NULL, in->dy, in->x, in->w, NULL, N, I, O);
  goban_rows_linear_backward (NULL, some->dw, NULL, in->dy, in->x, in->w, in->work, N, I, O);
  goban_rows_linear_backward (NULL, NULL, some->db, in->dy, in->x, in->w, in->work, N, I, O);
  goban_rows_layernorm_backward (some->dnormed, NULL, NULL, in->d, in->x, out->mean, out->inverse,
                                 in->gamma, NULL, N, I);
  goban_rows_layernorm_backward (NULL, some->dgamma, NULL, in->d, in->x, out->mean, out->inverse,
                                 in->gamma, in->work, N, I);
  goban_rows_layernorm_backward (NULL, NULL, some->dbeta, in->d, in->x, out->mean, out->inverse,
                                 in->gamma, in->work, N, I);
  ASSERT_SAME (out, some, dx);
  ASSERT_SAME (out, some, dw);
  ASSERT_SAME (out, some, db);
  ASSERT_SAME (out, some, dnormed);
  ASSERT_SAME (out, some, dgamma);
  ASSERT_SAME (out, some, dbeta);
}

/* Rows of all parts are all rows, once. No rows are no parts. */
static void
test_parts (void)
{
  static const int n_rows[] = { 0, 1, GOBAN_ROWS_PER_PART, GOBAN_ROWS_PER_PART + 1, 80000 };

  for (gsize i = 0; i < G_N_ELEMENTS (n_rows); i++)
    {
      int next = 0;

      for (guint part = 0; part < goban_rows_count_parts (n_rows[i]); part++)
        {
          GobanRows rows = goban_rows_get_part (part, n_rows[i]);

          g_assert_cmpint (rows.first, ==, next);
          g_assert_cmpint (rows.n, >, 0);
          next += rows.n;
        }
      g_assert_cmpint (next, ==, n_rows[i]);
    }
}

static void
test_no_rows (void)
{
  float w[1] = { 1 }, dw[1] = { 3 }, db[1] = { 4 }, none[1] = { 0 };

  goban_rows_linear_forward (none, none, w, NULL, 0, 1, 1);
  goban_rows_linear_backward (none, dw, db, none, none, w, NULL, 0, 1, 1);
  g_assert_cmpfloat (dw[0], ==, 3);
  g_assert_cmpfloat (db[0], ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rows/same-bytes", test_same_bytes);
  g_test_add_func ("/rows/plain", test_plain);
  g_test_add_func ("/rows/skips", test_skips);
  g_test_add_func ("/rows/parts", test_parts);
  g_test_add_func ("/rows/no-rows", test_no_rows);
  return g_test_run ();
}
