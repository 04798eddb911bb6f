/* The orders of passes that have names.
 *
 * Sources: Huang et al., GPipe (2019); Narayanan et al., PipeDream (2019), and Efficient
 * Large-Scale Language Model Training on GPU Clusters (2021), whose interleaved schedule runs
 * the stages of a rank in rounds of as many micro-batches as there are ranks; Qi et al., Zero
 * Bubble Pipeline Parallelism (2024), whose ZB-H1 puts off the weight gradients of a rank by as
 * many passes as the rank has ranks before it; DeepSeek-AI, DualPipe (2025), whose V-shaped form
 * gives a rank an early and a late stage, and runs the forward pass of one beside the backward pass
 * of the other. Copies of stages take micro-batches in turn, as in PipeDream's 1F1B-RR.
 */
#include "engine/machine/parallel/schedule-private.h"

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

/* --- DualPipe-V ------------------------------------------------------------------------------ */

/* The two stages of a rank, in the shape of a V: chunk 0 on the way down, chunk 1 on the way up. */
typedef struct
{
  Filling *filling;
  guint n_forward[2];
  guint n_backward[2];
  GArray *weights; /* of GobanStagePass, put off */
  guint n_done;    /* of weights */
} Vee;

static guint
get_chunk_stage (const Vee *self, guint chunk)
{
  const GobanScheduleShape *shape = self->filling->shape;

  return chunk == 0 ? self->filling->rank : shape->n_stages - 1 - self->filling->rank;
}

static void
vee_forward (Vee *self, guint chunk)
{
  add (self->filling, GOBAN_PASS_FORWARD, get_chunk_stage (self, chunk), self->n_forward[chunk]++);
}

/* @puts_off: whether the weight gradients are left for later. */
static void
vee_backward (Vee *self, guint chunk, gboolean puts_off)
{
  GobanStagePass weight = { .kind = GOBAN_PASS_WEIGHT,
                            .stage = get_chunk_stage (self, chunk),
                            .batch = self->n_backward[chunk]++ };

  add (self->filling, puts_off ? GOBAN_PASS_INPUT : GOBAN_PASS_BACKWARD, weight.stage,
       weight.batch);
  if (puts_off)
    g_array_append_val (self->weights, weight);
}

static void
vee_weight (Vee *self)
{
  GobanStagePass weight = g_array_index (self->weights, GobanStagePass, self->n_done);

  self->n_done++;
  add (self->filling, weight.kind, weight.stage, weight.batch);
}

/* A forward pass beside a backward pass of the other chunk. */
static void
vee_pair (Vee *self, guint chunk)
{
  GArray *passes = self->filling->passes;

  vee_forward (self, chunk);
  vee_backward (self, 1 - chunk, FALSE);
  g_array_index (passes, GobanStagePass, passes->len - 2).overlap = 1;
  g_array_index (passes, GobanStagePass, passes->len - 1).overlap = 2;
}

static void
vee_go_on (Vee *self, guint after, guint rank)
{
  const GobanScheduleShape *shape = self->filling->shape;

  for (guint i = 0; i < shape->n_batches - 2 * shape->n_ranks + rank + 1; i++)
    {
      if (i == 0 && after == 0)
        {
          vee_forward (self, 0);
          vee_backward (self, 1, FALSE);
        }
      else
        vee_pair (self, 0);
      vee_pair (self, 1);
    }
  for (guint i = 0; i < after; i++)
    {
      vee_backward (self, 1, FALSE);
      vee_pair (self, 1);
    }
}

/* Weight gradients of the second half fill the gaps at the end. */
static void
vee_end (Vee *self, guint after, guint rank)
{
  gboolean puts_off = FALSE;

  for (guint i = 0; i < rank + 1; i++)
    {
      puts_off |= i == (rank + 1) / 2 && rank % 2 == 1;
      vee_backward (self, 1, puts_off);
      puts_off |= i == (rank + 1) / 2 && rank % 2 == 0;
      vee_backward (self, 0, puts_off);
    }
  for (guint i = 0; i < after; i++)
    {
      vee_weight (self);
      vee_backward (self, 0, TRUE);
    }
  while (self->n_done < self->weights->len)
    vee_weight (self);
}

static void
fill_vee (Filling *filling)
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (GobanStagePass));
  Vee self = { .filling = filling, .weights = weights };
  guint after = filling->shape->n_ranks - 1 - filling->rank;

  /* Until the first backward passes of both chunks. */
  guint rank = filling->rank;

  for (guint i = 0; i < 2 * after; i++)
    vee_forward (&self, 0);
  for (guint i = 0; i < rank + 1; i++)
    {
      vee_forward (&self, 0);
      vee_forward (&self, 1);
    }
  for (guint i = 0; i < after; i++)
    {
      vee_backward (&self, 1, TRUE);
      vee_weight (&self);
      vee_forward (&self, 1);
    }

  vee_go_on (&self, after, filling->rank);
  vee_end (&self, after, filling->rank);
}

/* --- copies of stages ------------------------------------------------------------------------- */

guint
goban_schedule_count_in_flight (const GobanScheduleShape *shape, guint stage)
{
  guint n_copies, n_later = 0;

  if (shape->n_copies == NULL)
    return shape->n_stages - stage;
  n_copies = shape->n_copies[stage];
  for (guint s = stage + 1; s < shape->n_stages; s++)
    n_later += 2 * shape->n_copies[s] - 1;
  return 1 + (n_later + n_copies - 1) / n_copies;
}

/* 1F1B of the micro-batches that the copy has. */
static void
fill_copy (Filling *self, guint stage, guint copy, gboolean is_gpipe)
{
  const GobanScheduleShape *shape = self->shape;
  guint n_copies = shape->n_copies[stage];
  guint n = (shape->n_batches - copy + n_copies - 1) / n_copies;
  guint in_flight = is_gpipe ? n : goban_schedule_count_in_flight (shape, stage);
  guint n_forward = 0;

  for (guint n_backward = 0; n_backward < n; n_backward++)
    {
      while (n_forward < n && (n_forward < n_backward + in_flight || !shape->has_backward))
        add (self, GOBAN_PASS_FORWARD, stage, copy + n_copies * n_forward++);
      if (shape->has_backward)
        add (self, GOBAN_PASS_BACKWARD, stage, copy + n_copies * n_backward);
    }
}

static void
fill_copies (const char *name, const GobanScheduleShape *shape, GArray **ranks)
{
  guint rank = 0;

  for (guint stage = 0; stage < shape->n_stages; stage++)
    for (guint copy = 0; copy < shape->n_copies[stage]; copy++)
      fill_copy (&(Filling){ .shape = shape, .passes = ranks[rank++] }, stage, copy,
                 strcmp (name, "gpipe") == 0);
}

/* --- by name --------------------------------------------------------------------------------- */

void
goban_schedule_fill (const char *name, const GobanScheduleShape *shape, GArray **ranks)
{
  guint n_rounds = MAX (shape->n_batches / shape->n_ranks, 1);

  if (shape->n_copies != NULL)
    {
      fill_copies (name, shape, ranks);
      return;
    }
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
      else if (strcmp (name, "dualpipe-v") == 0)
        fill_vee (&self);
      else if (!shape->has_backward)
        {
          for (guint i = 0; i < self.n_passes; i++)
            add_nth (&self, GOBAN_PASS_FORWARD, i);
        }
      else
        {
          gboolean splits = strcmp (name, "zero-bubble") == 0;
          /* Forward passes before the first backward pass. */
          guint after = self.shape->n_ranks - 1 - self.rank;
          guint n = self.n_chunks == 1 ? after : (self.n_chunks - 1) * self.n_round + 2 * after;

          guint warm_up = MIN (n, self.n_passes);

          GobanPassKind backward = splits ? GOBAN_PASS_INPUT : GOBAN_PASS_BACKWARD;
          guint n_weights = 0;

          for (guint i = 0; i < warm_up; i++)
            add_nth (&self, GOBAN_PASS_FORWARD, i);
          for (guint i = 0; i < self.n_passes; i++)
            {
              if (i + warm_up < self.n_passes)
                add_nth (&self, GOBAN_PASS_FORWARD, i + warm_up);
              add_nth (&self, backward, i);
              if (splits && i >= self.rank)
                add_nth (&self, GOBAN_PASS_WEIGHT, n_weights++);
            }
          while (splits && n_weights < self.n_passes)
            add_nth (&self, GOBAN_PASS_WEIGHT, n_weights++);
        }
    }
}
