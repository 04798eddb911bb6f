#include "engine/nn/rows.h"

#include "engine/base/parallel.h"
#include "engine/nn/layernorm.h"
#include "engine/nn/linear.h"
#include "engine/nn/vector.h"

#include <string.h>

/* Elements that are mapped in one go. */
#define ELEMENTS_PER_PART 32768

guint
goban_rows_count_parts (int N)
{
  return ((guint) N + GOBAN_ROWS_PER_PART - 1) / GOBAN_ROWS_PER_PART;
}

GobanRows
goban_rows_get_part (guint part, int N)
{
  int first = (int) part * GOBAN_ROWS_PER_PART;

  return (GobanRows){ first, MIN (GOBAN_ROWS_PER_PART, N - first) };
}

/* NULL stays NULL: what is not wanted has no rows. */
static inline float *
at (float *x, int row, int width)
{
  return x != NULL ? x + (gsize) row * width : NULL;
}

/* --- slots -------------------------------------------------------------------------------- */

gsize
goban_rows_work_size (gsize n_params)
{
  return GOBAN_ROWS_MAX_SLOTS * n_params;
}

static guint
count_slots (int N)
{
  return MIN (goban_rows_count_parts (N), GOBAN_ROWS_MAX_SLOTS);
}

/* The parts of a slot are those from this one to before the next slot's. */
static guint
get_first_part (guint slot, int N)
{
  return (guint) ((guint64) slot * goban_rows_count_parts (N) / count_slots (N));
}

/* to (n) += the slots' sums: slots (n_slots, n), each stride after the one before. */
GOBAN_VECTOR static void
add_slots (float *restrict to, const float *restrict slots, guint n_slots, gsize n, gsize stride)
{
  for (gsize i = 0; i < n; i++)
    {
      double total = 0;

      for (guint slot = 0; slot < n_slots; slot++)
        total += (double) slots[slot * stride + i];
      to[i] += (float) total;
    }
}

/* --- linear ------------------------------------------------------------------------------- */

typedef struct
{
  float *y; /* forward */
  const float *x, *w, *b;
  int N, I, O;

  float *dx, *dw, *db, *work; /* backward */
  const float *dy;
} Linear;

static void
linear_forward_part (guint part, gpointer data)
{
  const Linear *self = data;
  GobanRows rows = goban_rows_get_part (part, self->N);

  goban_linear_forward (at (self->y, rows.first, self->O), self->x + (gsize) rows.first * self->I,
                        self->w, self->b, rows.n, self->I, self->O);
}

void
goban_rows_linear_forward (float *y, const float *x, const float *w, const float *b, int N, int I,
                           int O)
{
  Linear self = { .y = y, .x = x, .w = w, .b = b, .N = N, .I = I, .O = O };

  goban_parallel_for (goban_rows_count_parts (N), linear_forward_part, &self);
}

static void
linear_backward_rows (const Linear *self, GobanRows rows, float *dw, float *db)
{
  goban_linear_backward (at (self->dx, rows.first, self->I), dw, db,
                         self->dy + (gsize) rows.first * self->O,
                         self->x + (gsize) rows.first * self->I, self->w, rows.n, self->I, self->O);
}

static void
linear_backward_part (guint part, gpointer data)
{
  const Linear *self = data;

  linear_backward_rows (self, goban_rows_get_part (part, self->N), NULL, NULL);
}

static void
linear_backward_slot (guint slot, gpointer data)
{
  const Linear *self = data;
  gsize n_weights = (gsize) self->O * self->I;
  float *dw = self->work + slot * (n_weights + self->O);
  float *db = dw + n_weights;

  memset (dw, 0, (n_weights + self->O) * sizeof *dw);
  for (guint part = get_first_part (slot, self->N); part < get_first_part (slot + 1, self->N);
       part++)
    linear_backward_rows (self, goban_rows_get_part (part, self->N), self->dw != NULL ? dw : NULL,
                          self->db != NULL ? db : NULL);
}

void
goban_rows_linear_backward (float *dx, float *dw, float *db, const float *dy, const float *x,
                            const float *w, float *work, int N, int I, int O)
{
  Linear self = { .x = x, .w = w, .N = N, .I = I, .O = O, .dx = dx, .dw = dw, .db = db };
  gsize n_weights = (gsize) O * I;

  self.work = work;
  self.dy = dy;
  if (dw == NULL && db == NULL)
    {
      goban_parallel_for (goban_rows_count_parts (N), linear_backward_part, &self);
      return;
    }
  goban_parallel_for (count_slots (N), linear_backward_slot, &self);
  if (dw != NULL)
    add_slots (dw, work, count_slots (N), n_weights, n_weights + O);
  if (db != NULL)
    add_slots (db, work + n_weights, count_slots (N), O, n_weights + O);
}

/* --- layer norm --------------------------------------------------------------------------- */

typedef struct
{
  float *y, *mean, *inverse; /* forward */
  const float *x, *gamma, *beta;
  int N, D;

  float *dx, *dgamma, *dbeta, *work; /* backward */
  const float *dy, *known_mean, *known_inverse;
} Norm;

static void
norm_forward_part (guint part, gpointer data)
{
  const Norm *self = data;
  GobanRows rows = goban_rows_get_part (part, self->N);
  gsize first = (gsize) rows.first * self->D;

  goban_layernorm_forward (self->y + first, self->mean + rows.first, self->inverse + rows.first,
                           self->x + first, self->gamma, self->beta, rows.n, self->D);
}

void
goban_rows_layernorm_forward (float *y, float *mean, float *inverse, const float *x,
                              const float *gamma, const float *beta, int N, int D)
{
  Norm self = { .y = y, .mean = mean, .inverse = inverse, .x = x, .gamma = gamma, .beta = beta };

  self.N = N;
  self.D = D;
  goban_parallel_for (goban_rows_count_parts (N), norm_forward_part, &self);
}

static void
norm_backward_rows (const Norm *self, GobanRows rows, float *dgamma, float *dbeta)
{
  gsize first = (gsize) rows.first * self->D;

  goban_layernorm_backward (at (self->dx, rows.first, self->D), dgamma, dbeta, self->dy + first,
                            self->x + first, self->known_mean + rows.first,
                            self->known_inverse + rows.first, self->gamma, rows.n, self->D);
}

static void
norm_backward_part (guint part, gpointer data)
{
  const Norm *self = data;

  norm_backward_rows (self, goban_rows_get_part (part, self->N), NULL, NULL);
}

static void
norm_backward_slot (guint slot, gpointer data)
{
  const Norm *self = data;
  float *dgamma = self->work + (gsize) slot * 2 * self->D;
  float *dbeta = dgamma + self->D;

  memset (dgamma, 0, (gsize) 2 * self->D * sizeof *dgamma);
  for (guint part = get_first_part (slot, self->N); part < get_first_part (slot + 1, self->N);
       part++)
    norm_backward_rows (self, goban_rows_get_part (part, self->N), dgamma, dbeta);
}

void
goban_rows_layernorm_backward (float *dx, float *dgamma, float *dbeta, const float *dy,
                               const float *x, const float *mean, const float *inverse,
                               const float *gamma, float *work, int N, int D)
{
  Norm self = { .x = x, .gamma = gamma, .dx = dx, .work = work, .dy = dy, .N = N, .D = D };

  self.known_mean = mean;
  self.known_inverse = inverse;
  if (dgamma == NULL && dbeta == NULL)
    {
      goban_parallel_for (goban_rows_count_parts (N), norm_backward_part, &self);
      return;
    }
  goban_parallel_for (count_slots (N), norm_backward_slot, &self);
  if (dgamma != NULL)
    add_slots (dgamma, work, count_slots (N), D, (gsize) 2 * D);
  if (dbeta != NULL)
    add_slots (dbeta, work + D, count_slots (N), D, (gsize) 2 * D);
}

/* --- segments ----------------------------------------------------------------------------- */

typedef struct
{
  float *y; /* forward */
  guint32 *sources;
  const float *x;
  const GobanSegments *segments;
  int D;

  float *dx; /* backward */
  const float *dy;
  const guint32 *known_sources;
  const GobanSegments *reverse;
} Hearing;

/* The segments of some rows, whose offsets go on pointing into the whole. */
static GobanSegments
take_segments (const GobanSegments *all, GobanRows rows)
{
  return (GobanSegments){ all->offsets + rows.first, all->ids, rows.n };
}

static void
mean_forward_part (guint part, gpointer data)
{
  const Hearing *self = data;
  GobanRows rows = goban_rows_get_part (part, self->segments->N);
  GobanSegments segments = take_segments (self->segments, rows);

  goban_segment_mean_forward (at (self->y, rows.first, self->D), self->x, &segments, self->D);
}

void
goban_rows_segment_mean_forward (float *y, const float *x, const GobanSegments *segments, int D)
{
  Hearing self = { .y = y, .x = x, .segments = segments, .D = D };

  goban_parallel_for (goban_rows_count_parts (segments->N), mean_forward_part, &self);
}

static void
max_forward_part (guint part, gpointer data)
{
  const Hearing *self = data;
  GobanRows rows = goban_rows_get_part (part, self->segments->N);
  GobanSegments segments = take_segments (self->segments, rows);
  gsize first = (gsize) rows.first * self->D;

  goban_segment_max_forward (self->y + first, self->sources + first, self->x, &segments, self->D);
}

void
goban_rows_segment_max_forward (float *y, guint32 *sources, const float *x,
                                const GobanSegments *segments, int D)
{
  Hearing self = { .y = y, .sources = sources, .x = x, .segments = segments, .D = D };

  goban_parallel_for (goban_rows_count_parts (segments->N), max_forward_part, &self);
}

/* forward was y[n] = the mean of x[r] over what n heard, so dx[r] gets dy[n] / their number from
 * all n that heard it */
GOBAN_VECTOR static void
mean_backward_part (guint part, gpointer data)
{
  const Hearing *self = data;
  GobanRows rows = goban_rows_get_part (part, self->reverse->N);
  const guint32 *heard = self->segments->offsets, *offsets = self->reverse->offsets;

  for (int r = rows.first; r < rows.first + rows.n; r++)
    {
      float *restrict to = self->dx + (gsize) r * self->D;

      for (guint32 i = offsets[r]; i < offsets[r + 1]; i++)
        {
          guint32 n = self->reverse->ids[i];
          const float *restrict from = self->dy + (gsize) n * self->D;
          float scale = 1.0f / (float) (heard[n + 1] - heard[n]);

          for (int d = 0; d < self->D; d++)
            to[d] += scale * from[d];
        }
    }
}

void
goban_rows_segment_mean_backward (float *dx, const float *dy, const GobanSegments *segments,
                                  const GobanSegments *reverse, int D)
{
  Hearing self = { .segments = segments, .D = D, .dx = dx, .dy = dy, .reverse = reverse };

  goban_parallel_for (goban_rows_count_parts (reverse->N), mean_backward_part, &self);
}

/* forward was y[n,d] = x[sources[n,d],d], so dx[r,d] gets dy[n,d] from those that took r's */
GOBAN_VECTOR static void
max_backward_part (guint part, gpointer data)
{
  const Hearing *self = data;
  GobanRows rows = goban_rows_get_part (part, self->reverse->N);
  const guint32 *offsets = self->reverse->offsets;

  for (int r = rows.first; r < rows.first + rows.n; r++)
    {
      float *restrict to = self->dx + (gsize) r * self->D;

      for (guint32 i = offsets[r]; i < offsets[r + 1]; i++)
        {
          gsize row = (gsize) self->reverse->ids[i] * self->D;
          const float *restrict from = self->dy + row;
          const guint32 *restrict sources = self->known_sources + row;

          for (int d = 0; d < self->D; d++)
            to[d] += sources[d] == (guint32) r ? from[d] : 0.0f;
        }
    }
}

void
goban_rows_segment_max_backward (float *dx, const float *dy, const guint32 *sources,
                                 const GobanSegments *reverse, int D)
{
  Hearing self = { .D = D, .dx = dx, .dy = dy, .known_sources = sources, .reverse = reverse };

  goban_parallel_for (goban_rows_count_parts (reverse->N), max_backward_part, &self);
}

/* --- elements ----------------------------------------------------------------------------- */

typedef struct
{
  GobanMap forward;
  GobanMapBackward backward;
  float *to;
  const float *x, *dy; /* x: forward's input, backward's y */
  gsize n;
} Elements;

static void
map_part (guint part, gpointer data)
{
  const Elements *self = data;
  gsize first = (gsize) part * ELEMENTS_PER_PART;
  gsize n = MIN (ELEMENTS_PER_PART, self->n - first);

  if (self->forward != NULL)
    self->forward (self->to + first, self->x + first, n);
  else
    self->backward (self->to + first, self->dy + first, self->x + first, n);
}

static void
map_all (Elements *self)
{
  goban_parallel_for ((guint) ((self->n + ELEMENTS_PER_PART - 1) / ELEMENTS_PER_PART), map_part,
                      self);
}

void
goban_rows_map_forward (GobanMap map, float *y, const float *x, gsize n)
{
  Elements self = { .forward = map, .to = y, .x = x, .n = n };

  map_all (&self);
}

void
goban_rows_map_backward (GobanMapBackward map, float *dx, const float *dy, const float *y, gsize n)
{
  Elements self = { .backward = map, .to = dx, .x = y, .dy = dy, .n = n };

  map_all (&self);
}
