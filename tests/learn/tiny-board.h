/* tiny-board.h: boards without a graph: random rows, each of which reads from some before it. */
#pragma once

#include "engine/learn/policy/board.h"
#include "tests/support/grad-check.h"

typedef struct
{
  guint n_rows;
  guint n_devices;
  gboolean is_masked; /* some rows may not run everywhere */
  guint64 seed;
} TinyBoard;

static guint32 *
tiny_board_offsets (guint8 (*reads)[64], guint n_rows, gboolean inputs, gboolean outputs,
                    guint32 **ids)
{
  guint32 *offsets = g_new0 (guint32, n_rows + 1);
  guint32 *list = g_new0 (guint32, n_rows * n_rows + 1);

  for (guint n = 0; n < n_rows; n++)
    {
      offsets[n + 1] = offsets[n];
      for (guint m = 0; m < n_rows; m++)
        if ((inputs && reads[n][m]) || (outputs && reads[m][n]))
          list[offsets[n + 1]++] = m;
    }
  *ids = list;
  return offsets;
}

static GobanSegments
tiny_board_segments (guint8 (*reads)[64], guint n_rows, gboolean inputs, gboolean outputs)
{
  guint32 *ids;
  guint32 *offsets = tiny_board_offsets (reads, n_rows, inputs, outputs, &ids);

  return (GobanSegments){ offsets, ids, (int) n_rows };
}

/* At most 64 rows. */
static GobanBoard *
tiny_board_new (const TinyBoard *shape)
{
  GobanBoard *self = g_new0 (GobanBoard, 1);
  guint N = shape->n_rows, D = shape->n_devices;
  guint8 reads[64][64] = { { 0 } };
  float total = 0;
  GobanRng rng;

  g_assert_cmpuint (N, <=, 64);
  goban_rng_init (&rng, shape->seed);
  self->n_rows = N;
  self->n_devices = D;
  self->row_of = g_new (guint32, N);
  self->offsets = g_new (guint32, N + 1);
  self->nodes = g_new (GobanNodeId, N);
  self->allowed = g_new (guint8, N * D);
  self->x = g_new (float, N *GOBAN_BOARD_N_FEATURES);
  self->devices = g_new (float, D *GOBAN_DEVICE_N_FEATURES);
  self->weights = g_new (float, N);
  grad_fill (self->x, (gsize) N * GOBAN_BOARD_N_FEATURES, 1, shape->seed + 1);
  grad_fill (self->devices, (gsize) D * GOBAN_DEVICE_N_FEATURES, 1, shape->seed + 2);
  self->offsets[N] = N;
  for (guint n = 0; n < N; n++)
    {
      self->row_of[n] = self->offsets[n] = self->nodes[n] = n;
      for (guint d = 0; d < D; d++)
        self->allowed[n * D + d] = !shape->is_masked || d == n % D || goban_rng_below (&rng, 3) > 0;
      for (guint i = 0; i < n % 3 && n > 0; i++)
        reads[n][goban_rng_below (&rng, n)] = 1;
      self->weights[n] = 0.5f + (float) goban_rng_uniform (&rng);
      total += self->weights[n];
    }
  for (guint n = 0; n < N; n++)
    self->weights[n] /= total;
  self->inputs = tiny_board_segments (reads, N, TRUE, FALSE);
  self->outputs = tiny_board_segments (reads, N, FALSE, TRUE);
  self->both = tiny_board_segments (reads, N, TRUE, TRUE);
  return self;
}

static void
tiny_board_free (GobanBoard *self)
{
  const GobanSegments *all[] = { &self->inputs, &self->outputs, &self->both };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_free ((gpointer) all[i]->offsets);
      g_free ((gpointer) all[i]->ids);
    }
  g_free (self->row_of);
  g_free (self->offsets);
  g_free (self->nodes);
  g_free (self->allowed);
  g_free (self->x);
  g_free (self->devices);
  g_free (self->weights);
  g_free (self);
}
