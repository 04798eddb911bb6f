/* schedule.h: schedule of a pipeline: passes of stages with micro-batches, in each rank's order.
 *
 * A rank is a device that computes one stage or several, or a copy of a stage: micro-batch b of a
 * stage with r copies runs on copy b modulo r (Narayanan et al., PipeDream, 2019). A pass is the
 * forward or backward computation of one stage with one micro-batch. A backward pass may be cut in
 * two: the gradients of the stage's inputs, which the stage before waits for, and those of its
 * weights, which nobody waits for until the update (Qi et al., Zero Bubble Pipeline Parallelism,
 * 2024).
 *
 * Immutable. A schedule that can be made is complete and ends: every pass is
 * there once, and no rank waits for ever.
 *
 * Decisions E55 and E59 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

#define GOBAN_MAX_STAGES 1024
#define GOBAN_MAX_MICRO_BATCHES 4096

typedef enum
{
  GOBAN_PASS_FORWARD,
  GOBAN_PASS_BACKWARD, /* gradients of inputs and weights */
  GOBAN_PASS_INPUT,    /* gradients of inputs alone */
  GOBAN_PASS_WEIGHT,   /* gradients of weights alone */
  GOBAN_N_COMPUTATIONS,
  /* Passes that only frameworks write. The simulator sends tensors by itself. */
  GOBAN_PASS_SEND_FORWARD = GOBAN_N_COMPUTATIONS,
  GOBAN_PASS_RECEIVE_FORWARD,
  GOBAN_PASS_SEND_BACKWARD,
  GOBAN_PASS_RECEIVE_BACKWARD,
  GOBAN_PASS_UNSHARD,
  GOBAN_PASS_RESHARD,
  GOBAN_PASS_REDUCE_GRADIENTS,
  GOBAN_PASS_BUBBLE, /* an idle step; no stage */
  GOBAN_N_PASS_KINDS
} GobanPassKind;

/* Stage and micro-batch of passes of a stage as a whole, such as UNSHARD. */
#define GOBAN_NO_MICRO_BATCH G_MAXUINT

typedef struct
{
  GobanPassKind kind;
  guint stage;
  guint batch;       /* or GOBAN_NO_MICRO_BATCH */
  guint overlap : 2; /* 1 or 2: first or second half of a pair that runs at the same time */
} GobanStagePass;

typedef struct _GobanSchedule GobanSchedule;

typedef struct
{
  guint n_ranks;
  /* a multiple of n_ranks; stage s is on rank s modulo n_ranks, unless read or dualpipe-v. With
   * copies, n_ranks is their sum, and a stage has the ranks after those of the stage before */
  guint n_stages;
  guint n_batches;
  gboolean has_backward;
  const guint *n_copies; /* (n_stages) (nullable): of each stage; NULL: one of each */
} GobanScheduleShape;

/* "gpipe", "1f1b", "pipedream", "interleaved", "zero-bubble", "dualpipe-v", ended
 * by NULL. */
const char *const *goban_schedule_names (void);

/* Stages a rank that a schedule of that name usually has: 2 if it takes several, else 1. */
guint goban_schedule_get_usual_chunks (const char *name);

/**
 * goban_schedule_new:
 * @name: one of goban_schedule_names()
 *
 * gpipe: all forward passes, then all backward ones (Huang et al., 2019). 1f1b: a rank has at most
 * as many micro-batches in flight as there are ranks from it on (Narayanan et al., PipeDream,
 * 2019). pipedream: the same without a flush: every micro-batch updates the weights as its
 * backward pass ends, and keeps the version of the weights that its forward pass has read.
 * interleaved: the same with several stages a rank, in turn (Narayanan et al., 2021).
 * zero-bubble: ZB-H1 of Qi et al.: weight gradients fill the gaps, with no more memory than 1f1b.
 * dualpipe-v: stages s and 2 n_ranks - 1 - s on rank s, both ways at once (DeepSeek-AI, 2025).
 *
 * gpipe, 1f1b and pipedream take copies of stages. In the last two, a stage has as many
 * micro-batches in flight as there are ranks from it on, as in PipeDream, and one more for each
 * copy but the first of a later stage, shared out to its own copies. Without those a copy often
 * waits: they give the rate of PipeDream's formula, the slowest of the stages' times divided by
 * their copies. pipedream updates the copies of a stage in rounds of a micro-batch each.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for numbers that the
 *   schedule is not made for
 */
GobanSchedule *goban_schedule_new (const char *name, const GobanScheduleShape *shape,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_schedule_new_from_ranks:
 * @ranks: (transfer none) (element-type GArray): of GobanStagePass, one array per rank
 * @origin: begins messages: a path
 * @is_older: messages name passes as older files do: B for the gradients of inputs, BW for all
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set, which names the rank
 *   and the pass that is missing, twice there, on another rank, or waits for ever
 */
GobanSchedule *goban_schedule_new_from_ranks (GPtrArray *ranks, const char *origin,
                                              gboolean is_older,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

void goban_schedule_free (GobanSchedule *self);

/* Its n_copies are the schedule's. */
GobanScheduleShape goban_schedule_get_shape (const GobanSchedule *self);
/* The rank of the stage, or of its first copy. */
guint goban_schedule_get_rank (const GobanSchedule *self, guint stage);
/* The rank of the copy that has the micro-batch. */
guint goban_schedule_get_batch_rank (const GobanSchedule *self, guint stage, guint batch);
guint goban_schedule_get_n_copies (const GobanSchedule *self, guint stage);
/* Borrowed: (n) in the rank's order. */
const GobanStagePass *goban_schedule_get_passes (const GobanSchedule *self, guint rank, guint *n);
/* TRUE if some backward pass is in two. */
gboolean goban_schedule_splits_backward (const GobanSchedule *self);

/* TRUE if every micro-batch updates the weights. */
gboolean goban_schedule_is_asynchronous (const GobanSchedule *self);
/* Versions of a stage's weights in memory of a copy at once: 1 unless asynchronous. */
guint goban_schedule_get_n_versions (const GobanSchedule *self, guint stage);

/* Idle share of the ranks' time from the first pass to the last, if all stages take as long, a full
 * backward pass takes @ratio times as long as a forward pass (half of it for each part), and
 * transfers take no time: (p - 1) / (m + p - 1) for gpipe and 1f1b. A stage with copies takes as
 * many times as long, which makes it as fast as the others. */
double goban_schedule_get_uniform_bubble (const GobanSchedule *self, double ratio);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSchedule, goban_schedule_free)
