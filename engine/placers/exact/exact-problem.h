/* exact-problem.h: a small placement problem as flat tables, and bounds on parts of it.
 *
 * Private to exact*.c. Dimensions: N nodes, D devices, T tensors. Sets of nodes and of tensors are
 * the bits of one word, which limits the size of a problem. Made once, read-only after that.
 */
#pragma once

#include "engine/placers/units.h"

#define EXACT_MAX_NODES 64
#define EXACT_MAX_DEVICES 8
#define EXACT_MAX_TENSORS 256
#define EXACT_MAX_MOVES 128
#define EXACT_NONE G_MAXUINT8

typedef struct
{
  guint8 tail;
  guint8 head;
  guint16 tensor;
} ExactEdge;

typedef struct
{
  const GobanUnits *units; /* borrowed */
  guint N;
  guint D;
  guint T;
  guint E;
  gboolean is_contention_free;
  double time_us[EXACT_MAX_NODES][EXACT_MAX_DEVICES]; /* INFINITY if its unit cannot run */
  double *transfer_us;                                /* (T x D x D) */
  double param_bytes[EXACT_MAX_NODES];
  double *tensor_bytes; /* (T) */
  guint8 *producer;     /* (T) */
  double capacity_bytes[EXACT_MAX_DEVICES];
  /* all parameters and tensors together may exceed some device */
  gboolean may_overflow;
  ExactEdge *edges;                  /* (E) by head, so that tails come first */
  guint *first_edge;                 /* (N + 1) edges into a node */
  guint32 *first_tensor;             /* (N + 1) */
  gboolean *conflicts;               /* (D^2 x D^2) TRUE if two routes share an end or a link */
  guint8 twin_of[EXACT_MAX_DEVICES]; /* the first device that is interchangeable with it */
} ExactProblem;

/* %FALSE if the problem is too large for the tables. */
gboolean exact_problem_fits (const GobanUnits *units);

/* (transfer full); @units must outlive it. */
ExactProblem *exact_problem_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void exact_problem_free (ExactProblem *self);

static inline double
exact_transfer_us (const ExactProblem *self, guint tensor, guint from, guint to)
{
  return self->transfer_us[((gsize) tensor * self->D + from) * self->D + to];
}

static inline gboolean
exact_in_conflict (const ExactProblem *self, guint a_from, guint a_to, guint b_from, guint b_to)
{
  guint n_pairs = self->D * self->D;

  return self->conflicts[(a_from * self->D + a_to) * n_pairs + b_from * self->D + b_to];
}

/* A job of a machine that runs one at a time: none starts before its head, and after its finish at
 * least its tail passes. */
typedef struct
{
  double head_us;
  double time_us;
  double tail_us;
} ExactJob;

/* Lower bound of the finish over all orders of the jobs: Jackson's preemptive schedule. Modifies
 * the jobs. */
double exact_machine_bound (ExactJob *jobs, guint n);

/* Lower bound of all completions of a partial placement (N, EXACT_NONE: open). */
double exact_placement_bound (const ExactProblem *self, const guint8 *device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ExactProblem, exact_problem_free)
