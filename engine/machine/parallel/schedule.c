#include "engine/machine/parallel/schedule.h"

#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/machine/parallel/schedule-private.h"

/* --- the schedules by name ------------------------------------------------ */

/* Sources: Huang et al., GPipe (2019); Narayanan et al., PipeDream (2019), and Efficient
 * Large-Scale Language Model Training on GPU Clusters (2021), whose interleaved schedule runs
 * the stages of a rank in rounds of as many micro-batches as there are ranks; Qi et al., Zero
 * Bubble Pipeline Parallelism (2024), whose ZB-H1 puts off the weight gradients of a rank by as
 * many passes as the rank has ranks before it; DeepSeek-AI, DualPipe (2025), whose V-shaped form
 * gives a rank an early and a late stage, and runs the forward pass of one beside the backward pass
 * of the other. Copies of stages take micro-batches in turn, as in PipeDream's 1F1B-RR. */

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

/* Micro-batches that a copy of the stage has in flight at most in 1f1b, if there are enough. */
static guint
schedule_count_in_flight (const GobanScheduleShape *shape, guint stage)
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
  guint in_flight = is_gpipe ? n : schedule_count_in_flight (shape, stage);
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

/* Fills @ranks (n_ranks arrays of GobanStagePass) by the rules of a schedule's name; the shape is
 * checked. */
static void
schedule_fill (const char *name, const GobanScheduleShape *shape, GArray **ranks)
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

/* --- the schedule --------------------------------------------------------- */

#define UNFINISHED (-1.0)

const char *const *
goban_schedule_names (void)
{
  static const char *const names[]
      = { "gpipe", "1f1b", "pipedream", "interleaved", "zero-bubble", "dualpipe-v", NULL };

  return names;
}

char *
goban_stage_pass_dup_name (const GobanStagePass *pass, gboolean is_older)
{
  static const char *const words[]
      = { "F",      "B",      "I",       "W",       "SEND_F",      "RECV_F",
          "SEND_B", "RECV_B", "UNSHARD", "RESHARD", "REDUCE_GRAD", "" };
  const char *word = words[pass->kind];

  if (pass->kind == GOBAN_PASS_BUBBLE)
    return g_strdup ("");
  if (is_older && pass->kind == GOBAN_PASS_BACKWARD)
    word = "BW";
  else if (is_older && pass->kind == GOBAN_PASS_INPUT)
    word = "B";
  if (pass->batch == GOBAN_NO_MICRO_BATCH)
    return g_strdup_printf ("%u%s", pass->stage, word);
  return g_strdup_printf ("%u%s%u", pass->stage, word, pass->batch);
}

void
goban_schedule_free (GobanSchedule *self)
{
  for (guint rank = 0; rank < self->shape.n_ranks; rank++)
    g_array_unref (self->ranks[rank]);
  g_free (self->ranks);
  g_free (self->n_copies);
  g_free (self->rank_of);
  g_free (self);
}

static GobanSchedule *
new_empty (guint n_ranks)
{
  GobanSchedule *self = g_new0 (GobanSchedule, 1);

  self->shape.n_ranks = n_ranks;
  self->ranks = g_new (GArray *, n_ranks + 1);
  for (guint rank = 0; rank < n_ranks; rank++)
    self->ranks[rank] = g_array_new (FALSE, FALSE, sizeof (GobanStagePass));
  return self;
}

/* --- the passes there are ------------------------------------------------------------------- */

/* When each pass ends, by kind, stage and micro-batch; NAN: it is not there. */
typedef struct
{
  const GobanSchedule *schedule;
  double *ends; /* (GOBAN_PASS_UNSHARD x n_stages x n_batches) */
} Times;

static double *
get_end (const Times *self, GobanPassKind kind, guint stage, guint batch)
{
  const GobanScheduleShape *shape = &self->schedule->shape;

  return &self->ends[((gsize) kind * shape->n_stages + stage) * shape->n_batches + batch];
}

static void
times_init (Times *self, const GobanSchedule *schedule)
{
  gsize n = (gsize) GOBAN_PASS_UNSHARD * schedule->shape.n_stages * schedule->shape.n_batches;

  *self = (Times){ schedule, g_new (double, n) };
  for (gsize i = 0; i < n; i++)
    self->ends[i] = NAN;
}

static void
times_clear (Times *self)
{
  g_clear_pointer (&self->ends, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Times, times_clear)

static const GobanStagePass *
get_pass (const GobanSchedule *self, guint rank, guint i)
{
  return &g_array_index (self->ranks[rank], GobanStagePass, i);
}

static gboolean
measure (GobanSchedule *self, GError **error)
{
  GobanScheduleShape *shape = &self->shape;
  gsize n_forward = 0;

  for (guint rank = 0; rank < shape->n_ranks; rank++)
    for (guint i = 0; i < self->ranks[rank]->len; i++)
      {
        const GobanStagePass *pass = get_pass (self, rank, i);

        if (pass->kind >= GOBAN_N_COMPUTATIONS)
          {
            self->has_messages |= pass->kind < GOBAN_PASS_UNSHARD;
            continue;
          }
        n_forward += pass->kind == GOBAN_PASS_FORWARD;
        shape->n_stages = MAX (shape->n_stages, pass->stage + 1);
        shape->n_batches = MAX (shape->n_batches, pass->batch + 1);
        shape->has_backward |= pass->kind != GOBAN_PASS_FORWARD;
        self->splits_backward |= pass->kind == GOBAN_PASS_WEIGHT;
      }
  if (shape->n_ranks > GOBAN_MAX_STAGES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: a schedule has at most %u ranks",
                         self->origin, GOBAN_MAX_STAGES);
  if (shape->n_stages == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: the schedule has no passes",
                         self->origin);
  if (shape->n_stages > GOBAN_MAX_STAGES || shape->n_batches > GOBAN_MAX_MICRO_BATCHES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s: a schedule has at most %u stages and %u micro-batches", self->origin,
                         GOBAN_MAX_STAGES, GOBAN_MAX_MICRO_BATCHES);
  /* Before memory is taken for all that are named. */
  return n_forward == (gsize) shape->n_stages * shape->n_batches
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "%s: %u stages with %u micro-batches are %u forward passes; there are %u",
                          self->origin, shape->n_stages, shape->n_batches,
                          shape->n_stages * shape->n_batches, (guint) n_forward);
}

/* @problem: of N_(). */
static gboolean
refuse_pass (const GobanSchedule *self, guint rank, const GobanStagePass *pass, const char *problem,
             GError **error)
{
  g_autofree char *name = goban_stage_pass_dup_name (pass, self->is_older);

  return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: rank %u: %s %s", self->origin, rank, name,
                       _ (problem));
}

/* Rank of a pass; one without micro-batch is on its stage's rank: schedules from files have no
 * copies. */
static guint
find_rank (const GobanSchedule *self, const GobanStagePass *pass)
{
  return pass->batch == GOBAN_NO_MICRO_BATCH
             ? self->rank_of[pass->stage]
             : goban_schedule_get_batch_rank (self, pass->stage, pass->batch);
}

/* Whether the pass is on the rank of its stage, and there for the first time. */
static gboolean
note_pass (GobanSchedule *self, Times *times, guint rank, const GobanStagePass *pass,
           GError **error)
{
  double *end;

  if (pass->kind == GOBAN_PASS_BUBBLE)
    return TRUE;
  if (pass->stage >= self->shape.n_stages)
    return refuse_pass (self, rank, pass, N_ ("is for a stage that computes nothing"), error);
  if (self->rank_of[pass->stage] == G_MAXUINT)
    self->rank_of[pass->stage] = rank;
  if (find_rank (self, pass) != rank)
    return refuse_pass (self, rank, pass, N_ ("is for a stage of another rank"), error);
  if (pass->kind >= GOBAN_PASS_UNSHARD)
    return TRUE;
  if (pass->batch >= self->shape.n_batches)
    return refuse_pass (self, rank, pass, N_ ("is for a micro-batch that is not computed"), error);
  end = get_end (times, pass->kind, pass->stage, pass->batch);
  if (!isnan (*end))
    return refuse_pass (self, rank, pass, N_ ("is there twice"), error);
  *end = UNFINISHED;
  return TRUE;
}

static gboolean
has_pass (const Times *times, GobanPassKind kind, guint stage, guint batch)
{
  return !isnan (*get_end (times, kind, stage, batch));
}

static gboolean
check_complete (const GobanSchedule *self, const Times *times, GError **error)
{
  for (guint stage = 0; stage < self->shape.n_stages; stage++)
    for (guint batch = 0; batch < self->shape.n_batches; batch++)
      {
        gboolean full = has_pass (times, GOBAN_PASS_BACKWARD, stage, batch);
        gboolean input = has_pass (times, GOBAN_PASS_INPUT, stage, batch);
        gboolean weight = has_pass (times, GOBAN_PASS_WEIGHT, stage, batch);

        if (!has_pass (times, GOBAN_PASS_FORWARD, stage, batch))
          return goban_refuse (error, GOBAN_ERROR_INVALID,
                               "%s: stage %u has no forward pass with micro-batch %u", self->origin,
                               stage, batch);
        if (self->shape.has_backward && (input != weight || input == full))
          return goban_refuse (error, GOBAN_ERROR_INVALID,
                               "%s: stage %u has not one whole backward pass with micro-batch %u",
                               self->origin, stage, batch);
      }
  return TRUE;
}

/* --- time ----------------------------------------------------------------------------------- */

/* The end of the gradients of the stage's inputs. */
static double
get_input_end (const Times *times, guint stage, guint batch)
{
  double end = *get_end (times, GOBAN_PASS_INPUT, stage, batch);

  return isnan (end) ? *get_end (times, GOBAN_PASS_BACKWARD, stage, batch) : end;
}

/* The tensor from the neighbour: by its receive if the schedule has messages. */
static double
get_arrival (const Times *times, gboolean backward, guint stage, guint batch)
{
  const GobanSchedule *self = times->schedule;
  guint neighbour = backward ? stage + 1 : stage - 1;

  if (self->has_messages && self->rank_of[neighbour] != self->rank_of[stage])
    return *get_end (times, backward ? GOBAN_PASS_RECEIVE_BACKWARD : GOBAN_PASS_RECEIVE_FORWARD,
                     stage, batch);
  return backward ? get_input_end (times, neighbour, batch)
                  : *get_end (times, GOBAN_PASS_FORWARD, neighbour, batch);
}

/* The time from which on all is there that the pass reads; negative or NAN: not yet, or never. */
static double
get_ready (const Times *times, const GobanStagePass *pass)
{
  guint s = pass->stage;
  guint b = pass->batch;

  switch (pass->kind)
    {
    case GOBAN_PASS_FORWARD:
      return s == 0 ? 0 : get_arrival (times, FALSE, s, b);
    case GOBAN_PASS_BACKWARD:
    case GOBAN_PASS_INPUT:
      {
        double own = *get_end (times, GOBAN_PASS_FORWARD, pass->stage, pass->batch);
        double other = 0;

        if (pass->stage + 1 < times->schedule->shape.n_stages)
          other = get_arrival (times, TRUE, pass->stage, pass->batch);
        return own < 0 || !(other >= 0) ? UNFINISHED : MAX (own, other);
      }
    case GOBAN_PASS_WEIGHT:
      return *get_end (times, GOBAN_PASS_INPUT, s, b);
    case GOBAN_PASS_SEND_FORWARD:
      return *get_end (times, GOBAN_PASS_FORWARD, s, b);
    case GOBAN_PASS_SEND_BACKWARD:
      return get_input_end (times, s, b);
    case GOBAN_PASS_RECEIVE_FORWARD:
      return s == 0 ? (double) NAN : *get_end (times, GOBAN_PASS_SEND_FORWARD, s - 1, b);
    case GOBAN_PASS_RECEIVE_BACKWARD:
      return s + 1 == times->schedule->shape.n_stages
                 ? (double) NAN
                 : *get_end (times, GOBAN_PASS_SEND_BACKWARD, s + 1, b);
    default:
      return 0;
    }
}

/* Copies make up for it: as many micro-batches pass through all stages. */
static double
get_length (const GobanSchedule *self, const GobanStagePass *pass, double ratio)
{
  switch (pass->kind)
    {
    case GOBAN_PASS_FORWARD:
      return goban_schedule_get_n_copies (self, pass->stage);
    case GOBAN_PASS_BACKWARD:
      return ratio * goban_schedule_get_n_copies (self, pass->stage);
    case GOBAN_PASS_INPUT:
    case GOBAN_PASS_WEIGHT:
      return ratio / 2;
    default:
      return 0;
    }
}

/* State of running the ranks as far as they get. */
typedef struct
{
  const GobanSchedule *schedule;
  Times *times;
  double ratio;
  guint *next;     /* (n_ranks) the first pass that did not run */
  double *free_at; /* (n_ranks) the time at which each rank ends */
  GQueue waiting;  /* of ranks that may continue, as numbers from 1 */
  gboolean *waits; /* (n_ranks) is among them */
} Play;

static void
wake (Play *self, guint rank)
{
  if (!self->waits[rank])
    g_queue_push_tail (&self->waiting, GUINT_TO_POINTER (rank + 1));
  self->waits[rank] = TRUE;
}

/* Ranks that wait for a pass have the stage before or after. */
static void
run_pass (Play *self, guint rank, const GobanStagePass *pass, double ready)
{
  const GobanSchedule *schedule = self->schedule;

  self->free_at[rank] = MAX (self->free_at[rank], ready) + get_length (schedule, pass, self->ratio);
  if (pass->kind >= GOBAN_PASS_UNSHARD)
    return;
  *get_end (self->times, pass->kind, pass->stage, pass->batch) = self->free_at[rank];
  if (pass->stage > 0)
    wake (self, goban_schedule_get_batch_rank (schedule, pass->stage - 1, pass->batch));
  if (pass->stage + 1 < schedule->shape.n_stages)
    wake (self, goban_schedule_get_batch_rank (schedule, pass->stage + 1, pass->batch));
}

static void
run_rank (Play *self, guint rank)
{
  for (; self->next[rank] < self->schedule->ranks[rank]->len; self->next[rank]++)
    {
      const GobanStagePass *pass = get_pass (self->schedule, rank, self->next[rank]);
      double ready = get_ready (self->times, pass);

      if (!(ready >= 0))
        return;
      run_pass (self, rank, pass, ready);
    }
}

static void
play (const GobanSchedule *schedule, Times *times, double ratio, guint *next, double *free_at)
{
  guint n_ranks = schedule->shape.n_ranks;
  g_autofree gboolean *waits = g_new0 (gboolean, n_ranks);
  Play self = { schedule, times, ratio, next, free_at, G_QUEUE_INIT, waits };

  for (guint rank = 0; rank < n_ranks; rank++)
    wake (&self, rank);
  while (!g_queue_is_empty (&self.waiting))
    {
      guint rank = GPOINTER_TO_UINT (g_queue_pop_head (&self.waiting)) - 1;

      waits[rank] = FALSE;
      run_rank (&self, rank);
    }
}

static gboolean
check_ends (const GobanSchedule *self, Times *times, GError **error)
{
  g_autofree guint *next = g_new0 (guint, self->shape.n_ranks);
  g_autofree double *free_at = g_new0 (double, self->shape.n_ranks);

  play (self, times, 1, next, free_at);
  for (guint rank = 0; rank < self->shape.n_ranks; rank++)
    if (next[rank] < self->ranks[rank]->len)
      return refuse_pass (self, rank, get_pass (self, rank, next[rank]),
                          N_ ("waits for ever: what it reads is never there"), error);
  return TRUE;
}

static gboolean
check_passes (GobanSchedule *self, GError **error)
{
  g_auto (Times) times = { 0 };

  if (!measure (self, error))
    return FALSE;
  self->rank_of = g_new (guint, self->shape.n_stages);
  for (guint stage = 0; stage < self->shape.n_stages; stage++)
    self->rank_of[stage] = G_MAXUINT;
  times_init (&times, self);
  for (guint rank = 0; rank < self->shape.n_ranks; rank++)
    for (guint i = 0; i < self->ranks[rank]->len; i++)
      if (!note_pass (self, &times, rank, get_pass (self, rank, i), error))
        return FALSE;
  return check_complete (self, &times, error) && check_ends (self, &times, error);
}

static gboolean
check (GobanSchedule *self, const char *origin, gboolean is_older, GError **error)
{
  gboolean ok;

  self->origin = origin;
  self->is_older = is_older;
  ok = check_passes (self, error);
  self->origin = NULL;
  return ok;
}

/* --- making --------------------------------------------------------------------------------- */

static gboolean
check_copies (const char *name, const GobanScheduleShape *shape, GError **error)
{
  guint n_ranks = 0;

  if (strcmp (name, "gpipe") != 0 && strcmp (name, "1f1b") != 0 && strcmp (name, "pipedream") != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s has one copy of each stage; gpipe, 1f1b and pipedream may have more",
                         name);
  for (guint stage = 0; stage < shape->n_stages; stage++)
    {
      guint n = shape->n_copies[stage];

      n_ranks += n;
      if (n < 1 || n > shape->n_batches)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "a stage has 1 to as many copies as there are micro-batches: not %u "
                             "of stage %u with %u",
                             n, stage, shape->n_batches);
      if (strcmp (name, "pipedream") == 0 && shape->has_backward && shape->n_batches % n != 0)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "pipedream updates the copies of a stage together: %u micro-batches "
                             "cannot be shared out evenly to the %u copies of stage %u",
                             shape->n_batches, n, stage);
    }
  return n_ranks == shape->n_ranks
         || goban_refuse (error, GOBAN_ERROR_INVALID, "the stages have %u copies on %u ranks",
                          n_ranks, shape->n_ranks);
}

static gboolean
check_shape (const char *name, const GobanScheduleShape *shape, GError **error)
{
  guint n_rounds = shape->n_ranks > 0 ? MAX (shape->n_batches / shape->n_ranks, 1) : 1;
  gboolean is_single = shape->n_stages == shape->n_ranks;

  if (!g_strv_contains (goban_schedule_names (), name))
    {
      g_autofree char *names = g_strjoinv (", ", (char **) goban_schedule_names ());

      return goban_refuse (error, GOBAN_ERROR_INVALID, "there is no schedule “%s”; there are %s",
                           name, names);
    }
  if (shape->n_ranks < 1 || shape->n_stages < 1 || shape->n_stages > GOBAN_MAX_STAGES
      || shape->n_batches < 1 || shape->n_batches > GOBAN_MAX_MICRO_BATCHES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a schedule has 1 to %u stages and 1 to %u micro-batches",
                         GOBAN_MAX_STAGES, GOBAN_MAX_MICRO_BATCHES);
  if (shape->n_copies != NULL)
    return check_copies (name, shape, error);
  if (shape->n_stages % shape->n_ranks != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%u stages cannot be shared out evenly to %u ranks", shape->n_stages,
                         shape->n_ranks);
  if ((strcmp (name, "1f1b") == 0 || strcmp (name, "pipedream") == 0) && !is_single)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s has one stage a rank: %u stages on %u ranks are interleaved", name,
                         shape->n_stages, shape->n_ranks);
  if (strcmp (name, "dualpipe-v") == 0 && !shape->has_backward)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "dualpipe-v trains: it runs forward and backward passes at once, and the "
                         "graph has no backward part");
  if (strcmp (name, "dualpipe-v") == 0)
    return (shape->n_stages == 2 * shape->n_ranks && shape->n_batches >= 2 * shape->n_ranks)
           || goban_refuse (error, GOBAN_ERROR_INVALID,
                            "dualpipe-v trains two stages a rank with at least as many "
                            "micro-batches as stages: not %u stages on %u ranks with %u",
                            shape->n_stages, shape->n_ranks, shape->n_batches);
  return is_single || strcmp (name, "gpipe") == 0 || shape->n_batches % n_rounds == 0
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "a schedule of several stages a rank takes micro-batches in rounds: %u "
                          "cannot be shared out evenly to %u rounds",
                          shape->n_batches, n_rounds);
}

guint
goban_schedule_get_usual_chunks (const char *name)
{
  return strcmp (name, "interleaved") == 0 || strcmp (name, "dualpipe-v") == 0 ? 2 : 1;
}

GobanSchedule *
goban_schedule_new (const char *name, const GobanScheduleShape *shape, GError **error)
{
  g_autoptr (GobanSchedule) self = NULL;

  if (!check_shape (name, shape, error))
    return NULL;
  self = new_empty (shape->n_ranks);
  if (shape->n_copies != NULL)
    self->n_copies = g_memdup2 (shape->n_copies, shape->n_stages * sizeof *shape->n_copies);
  self->shape.n_copies = self->n_copies;
  schedule_fill (name, shape, self->ranks);
  self->is_asynchronous = strcmp (name, "pipedream") == 0 && shape->has_backward;
  return check (self, name, FALSE, error) ? g_steal_pointer (&self) : NULL;
}

GobanSchedule *
goban_schedule_new_from_ranks (GPtrArray *ranks, const char *origin, gboolean is_older,
                               GError **error)
{
  g_autoptr (GobanSchedule) self = new_empty (ranks->len);

  for (guint rank = 0; rank < ranks->len; rank++)
    {
      const GArray *passes = g_ptr_array_index (ranks, rank);

      g_array_append_vals (self->ranks[rank], passes->data, passes->len);
    }
  return check (self, origin, is_older, error) ? g_steal_pointer (&self) : NULL;
}

/* --- fields --------------------------------------------------------------------------------- */

GobanScheduleShape
goban_schedule_get_shape (const GobanSchedule *self)
{
  return self->shape;
}

guint
goban_schedule_get_rank (const GobanSchedule *self, guint stage)
{
  return self->rank_of[stage];
}

guint
goban_schedule_get_n_copies (const GobanSchedule *self, guint stage)
{
  return self->n_copies != NULL ? self->n_copies[stage] : 1;
}

guint
goban_schedule_get_batch_rank (const GobanSchedule *self, guint stage, guint batch)
{
  return self->rank_of[stage] + batch % goban_schedule_get_n_copies (self, stage);
}

const GobanStagePass *
goban_schedule_get_passes (const GobanSchedule *self, guint rank, guint *n)
{
  *n = self->ranks[rank]->len;
  return (const GobanStagePass *) (const void *) self->ranks[rank]->data;
}

gboolean
goban_schedule_splits_backward (const GobanSchedule *self)
{
  return self->splits_backward;
}

gboolean
goban_schedule_is_asynchronous (const GobanSchedule *self)
{
  return self->is_asynchronous;
}

/* As many as a copy has micro-batches between their forward and their backward pass. */
guint
goban_schedule_get_n_versions (const GobanSchedule *self, guint stage)
{
  guint n_batches = self->shape.n_batches / goban_schedule_get_n_copies (self, stage);

  return self->is_asynchronous ? MIN (n_batches, schedule_count_in_flight (&self->shape, stage))
                               : 1;
}

double
goban_schedule_get_uniform_bubble (const GobanSchedule *self, double ratio)
{
  g_autofree guint *next = g_new0 (guint, self->shape.n_ranks);
  g_autofree double *free_at = g_new0 (double, self->shape.n_ranks);
  double busy = 0;
  double end = 0;
  Times times;

  times_init (&times, self);
  for (guint rank = 0; rank < self->shape.n_ranks; rank++)
    for (guint i = 0; i < self->ranks[rank]->len; i++)
      {
        const GobanStagePass *pass = get_pass (self, rank, i);

        busy += get_length (self, pass, ratio);
        if (pass->kind < GOBAN_PASS_UNSHARD)
          *get_end (&times, pass->kind, pass->stage, pass->batch) = UNFINISHED;
      }
  play (self, &times, ratio, next, free_at);
  times_clear (&times);
  for (guint rank = 0; rank < self->shape.n_ranks; rank++)
    end = MAX (end, free_at[rank]);
  /* A single stage is never idle: less than 0 is rounding. */
  return MAX (1 - busy / (end * self->shape.n_ranks), 0);
}
