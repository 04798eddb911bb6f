/* The orders of passes that have names.
 *
 * Sources: Huang et al., GPipe (2019); Narayanan et al., PipeDream (2019), and Efficient
 * Large-Scale Language Model Training on GPU Clusters (2021), whose interleaved schedule runs
 * the stages of a rank in rounds of as many micro-batches as there are ranks; Qi et al., Zero
 * Bubble Pipeline Parallelism (2024), whose ZB-H1 puts off the weight gradients of a rank by as
 * many passes as the rank has ranks before it.
 */
#include "engine/parallel/schedule-private.h"

#include <string.h>

typedef struct
{
  const GobanScheduleShape *shape;
  guint rank;
  guint n_chunks; /* stages of a rank */
  guint n_round;  /* micro-batches that a stage takes before the rank's next stage does */
  guint n_passes; /* forward passes of a rank */
  GArray *passes;
} Filling;

static void
add (Filling *self, GobanPassKind kind, guint stage, guint batch)
{
  GobanStagePass pass = { .kind = kind, .stage = stage, .batch = batch };

  g_array_append_val (self->passes, pass);
}

/* The @i-th pass of its kind of the rank. */
static void
add_nth (Filling *self, GobanPassKind kind, guint i)
{
  guint chunk = i / self->n_round % self->n_chunks;
  guint batch = i / (self->n_round * self->n_chunks) * self->n_round + i % self->n_round;

  if (kind != GOBAN_PASS_FORWARD)
    chunk = self->n_chunks - 1 - chunk;
  add (self, kind, chunk * self->shape->n_ranks + self->rank, batch);
}

static void
fill_gpipe (Filling *self)
{
  const GobanScheduleShape *shape = self->shape;

  for (guint stage = self->rank; stage < shape->n_stages; stage += shape->n_ranks)
    for (guint batch = 0; batch < shape->n_batches; batch++)
      add (self, GOBAN_PASS_FORWARD, stage, batch);
  for (guint chunk = self->n_chunks; chunk-- > 0 && shape->has_backward;)
    for (guint batch = 0; batch < shape->n_batches; batch++)
      add (self, GOBAN_PASS_BACKWARD, chunk * shape->n_ranks + self->rank, batch);
}

/* Forward passes before the first backward pass. */
static guint
count_warm_up (const Filling *self)
{
  guint after = self->shape->n_ranks - 1 - self->rank;
  guint n = self->n_chunks == 1 ? after : (self->n_chunks - 1) * self->n_round + 2 * after;

  return MIN (n, self->n_passes);
}

static void
fill_alternating (Filling *self, gboolean splits)
{
  guint warm_up = count_warm_up (self);
  GobanPassKind backward = splits ? GOBAN_PASS_INPUT : GOBAN_PASS_BACKWARD;
  guint n_weights = 0;

  for (guint i = 0; i < warm_up; i++)
    add_nth (self, GOBAN_PASS_FORWARD, i);
  for (guint i = 0; i < self->n_passes; i++)
    {
      if (i + warm_up < self->n_passes)
        add_nth (self, GOBAN_PASS_FORWARD, i + warm_up);
      add_nth (self, backward, i);
      if (splits && i >= self->rank)
        add_nth (self, GOBAN_PASS_WEIGHT, n_weights++);
    }
  while (splits && n_weights < self->n_passes)
    add_nth (self, GOBAN_PASS_WEIGHT, n_weights++);
}

static void
fill_forward (Filling *self)
{
  for (guint i = 0; i < self->n_passes; i++)
    add_nth (self, GOBAN_PASS_FORWARD, i);
}

void
goban_schedule_fill (const char *name, const GobanScheduleShape *shape, GArray **ranks)
{
  guint n_rounds = MAX (shape->n_batches / shape->n_ranks, 1);

  for (guint rank = 0; rank < shape->n_ranks; rank++)
    {
      guint n_chunks = shape->n_stages / shape->n_ranks;
      Filling self = {
        .shape = shape,
        .rank = rank,
        .n_chunks = n_chunks,
        .n_round = n_chunks == 1 ? shape->n_batches : shape->n_batches / n_rounds,
        .n_passes = n_chunks * shape->n_batches,
        .passes = ranks[rank],
      };

      if (strcmp (name, "gpipe") == 0)
        fill_gpipe (&self);
      else if (!shape->has_backward)
        fill_forward (&self);
      else
        fill_alternating (&self, strcmp (name, "zero-bubble") == 0);
    }
}
