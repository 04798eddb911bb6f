/* decisions-writer.h: recorder of the decisions of a running policy, which can force others.
 *
 * goban_decisions_writer_decide() returns the option to take: in most cases the policy's own
 * choice, else the one that is forced. A policy draws its random numbers before it, so that streams
 * stay aligned.
 *
 * A writer stands for a span; the span that was opened last is the only one that is written to. All
 * functions but _new() accept %NULL and do nothing then; decide() returns @wanted.
 *
 * One thread writes, and others to forks of their own. goban_decisions_writer_peek() may be called
 * by any other meanwhile, with the first writer, as long as that is not ended.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/decisions/settling.h"

#define GOBAN_DECISIONS_MAX_BYTES ((gsize) 24 << 20)

typedef struct _GobanDecisionsWriter GobanDecisionsWriter;

typedef struct
{
  guint n_nodes, n_devices;
  gsize max_bytes;    /* 0: GOBAN_DECISIONS_MAX_BYTES */
  GobanMoment moment; /* to be forced; 0: none */
  guint32 option;
  /* (nullable): the record of the run in which @moment is; decisions before it must be the same */
  GobanDecisions *expected;
} GobanDecisionsOptions;

/* The span that is opened. */
typedef struct
{
  const char *name;
  GobanLevel level;
  guint64 evaluation, n_left_out;
  const char *key, *ties; /* (nullable): see GobanSpan */
  gboolean has_base;      /* else the present state is its base */
  GobanMoment base;       /* one that was not dropped; 0: the earliest state that is left */
} GobanSpanHead;

/* A moment of which something changes other than the chosen option of all nodes. */
typedef struct
{
  GobanTask task;
  GobanOptionKind options;
  GobanScoreKind score;
  gboolean takes_least;
  const GobanNodeId *nodes;
  guint n_nodes;
  guint32 row;
  guint n_options;
  /* For moves, plans and rules: what the option changes; from is ignored. Devices and levels: none,
   * since the chosen option is the nodes' choice. */
  const GobanDecisionChange *changes;
  guint n_changes;
  float key, temperature, entropy; /* 0: unknown; keys of 0 are written as such */
  double before_us, after_us;      /* 0: unknown */
  const GobanAttended *attended;
  guint n_attended;
  const char *note; /* (nullable) */
  guint flags;      /* GobanDecisionFlags without FORCED */
  gboolean has_key;
} GobanDecisionHead;

/* The result of a span. */
typedef struct
{
  double makespan_us; /* NAN or 0: not simulated */
  double overflow_bytes;
  const char *why; /* (nullable) */
} GobanSpanResult;

/* (transfer full): the first writer, outside all spans; goban_decisions_writer_end() frees it. */
GobanDecisionsWriter *
goban_decisions_writer_new (const GobanDecisionsOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full) (nullable): the writer of a span within that of @in, freed by close(). */
GobanDecisionsWriter *
goban_decisions_writer_open (GobanDecisionsWriter *in,
                             const GobanSpanHead *head) G_GNUC_WARN_UNUSED_RESULT;

/* Scores of the options of the next decision. */
typedef struct
{
  double *scores;   /* (n) of (n_room) */
  guint8 *refusals; /* (n) of (n_room) */
  gpointer stored;  /* (n_room) of the writer's own */
  guint n, n_room;
} GobanOptionScores;

/* At least @n options have a score, or none. */
void goban_option_scores_fill (GobanOptionScores *self, guint n);

static inline void
goban_option_scores_set (GobanOptionScores *self, guint option, double score, guint refusals)
{
  if (option == self->n && option < self->n_room)
    self->n++; /* in order, as most policies score */
  else if (option >= self->n)
    goban_option_scores_fill (self, option + 1);
  self->scores[option] = score;
  self->refusals[option] = (guint8) refusals;
}

/* Borrowed, as long as the record is written: for policies that score so many options that a call
 * for each takes long. */
GobanOptionScores *goban_decisions_writer_get_scores (GobanDecisionsWriter *self);
/* Sets the score of an option of the next decision, and its GobanRefusal flags. */
void goban_decisions_writer_score (GobanDecisionsWriter *self, guint option, double score,
                                   guint refusals);

/* Writes the next moment. An option that cannot run or is bound by its group is not forced:
 * goban_decisions_writer_get_problem() says so. */
guint32 goban_decisions_writer_decide (GobanDecisionsWriter *self, const GobanDecisionHead *head,
                                       guint32 wanted);

/* The option that decide() is about to take, for a head whose changes depend on it. Refusals come
 * before it. */
guint32 goban_decisions_writer_preview (GobanDecisionsWriter *self, guint n_options,
                                        guint32 wanted);

/* Writes the next moment, as decide(): option 0, which changes the devices of the present state to
 * those of @plan. */
void goban_decisions_writer_set_plan (GobanDecisionsWriter *self, const GobanDecisionHead *head,
                                      const GobanPlan *plan);

/* The times of the last moment's nodes in the policy's schedule, when they are known. Snapshots
 * tell them once the policy has gone on. */
void goban_decisions_writer_set_times (GobanDecisionsWriter *self, double start_us,
                                       double finish_us);

/* The present state is that of @plan, whose order, priorities and kernels are kept. */
void goban_decisions_writer_settle (GobanDecisionsWriter *self, const GobanPlan *plan);
/* The bound that is proven of the plan settled last; 0: none. */
void goban_decisions_writer_prove (GobanDecisionsWriter *self, double bound_us);

/* The digest of the plan that was settled at the present moment; 0: none. */
guint64 goban_decisions_writer_get_digest (const GobanDecisionsWriter *self);

/* The moment whose state is the present one: a base to come back to. */
GobanMoment goban_decisions_writer_get_moment (const GobanDecisionsWriter *self);
/* Whether it is there to come back to: moments off the line are dropped to save memory. */
gboolean goban_decisions_writer_has (const GobanDecisionsWriter *self, GobanMoment moment);

/* The decision to be forced, for plans that are made side by side and written later: the number of
 * the simulation of its plan, its index among the moments of that plan, from 0, and the option.
 * Such a plan must be written, whatever comes of it. %FALSE if none is forced. */
gboolean goban_decisions_writer_get_forced (GobanDecisionsWriter *self, guint64 *evaluation,
                                            guint *index, guint32 *option);

/* Ends the span; if it is not accepted, the state is again the one before it. Frees @self. */
void goban_decisions_writer_close (GobanDecisionsWriter *self, const GobanSpanResult *result,
                                   gboolean is_accepted);

/* (transfer full) (nullable): a first writer with the state of @in, for an episode that runs in a
 * thread beside others. Numbers until the present one are those of @in, which is not written to
 * until its forks are committed, or freed. To force a moment of an episode, or to compare it with
 * the expected record, commit each before the next begins. */
GobanDecisionsWriter *
goban_decisions_writer_fork (GobanDecisionsWriter *in) G_GNUC_WARN_UNUSED_RESULT;

/* Appends the moments and spans of @fork, which is freed, to the span of @in. If its state is not
 * the one with which it began, it becomes that of @in. */
void goban_decisions_writer_commit (GobanDecisionsWriter *in, GobanDecisionsWriter *fork);

/* Why the run is not the expected one up to the forced moment, or why that was not forced;
 * borrowed. (nullable) */
const char *goban_decisions_writer_get_problem (const GobanDecisionsWriter *self);

/* A snapshot; any thread. Copies less than a block. (transfer full) (nullable) */
GobanDecisions *goban_decisions_writer_peek (GobanDecisionsWriter *self) G_GNUC_WARN_UNUSED_RESULT;

/* Frees the first writer, and those of spans that a policy left open when it failed. (transfer
 * full) (nullable) */
GobanDecisions *goban_decisions_writer_end (GobanDecisionsWriter *self) G_GNUC_WARN_UNUSED_RESULT;

/* Frees an unfinished record, or a fork that is not wanted. */
void goban_decisions_writer_free (GobanDecisionsWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionsWriter, goban_decisions_writer_free)
