/* placer.h: interface of a policy: its name, its function and its source.
 *
 * A policy gives every node a device and a priority. It never fails for want of memory: it returns
 * its best plan, and the simulator reports the overflow. It respects colocation groups and the
 * devices where nodes can run, so its plans pass goban_plan_check(). All policies are listed in
 * engine/learn.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/decisions/decisions-writer.h"
#include "engine/machine/plan/improvement.h"
#include "engine/machine/plan/plan.h"
#include "engine/placers/choice-words.h"

/* Additional inputs of policies that learn: engine/learn/rl/learned-options.h. */
typedef struct _GobanLearnedOptions GobanLearnedOptions;
typedef struct _GobanPlacer GobanPlacer;

typedef struct
{
  guint64 seed;
  guint64 max_evaluations;       /* simulations a search may spend, 0: its own default */
  double max_seconds;            /* 0: no limit */
  const GobanProgress *progress; /* (nullable) */
  const gint *finish;            /* (nullable), atomic: 1 ends a search early with its best plan */
  const char *settings; /* (nullable): "attention=0,credit=0": a policy's own settings by name */
  GArray *improvements; /* (nullable) of GobanImprovement: a search adds its own, in their order */
  const GobanLearnedOptions *learned; /* (nullable) */
  /* (nullable), outside all spans: receives the policy's decisions, and may force one of them */
  GobanDecisionsWriter *decisions;
  /* (nullable) for policies with has_start: the plan to begin with, in place of their own */
  const GobanPlan *start;
  /* For annealing and local search; without influence on their plans: */
  guint n_threads;           /* of simulation, 0: the number of processors */
  gboolean ends_runs;        /* simulates rejected plans to the end, for comparison */
  const GobanPlacer *placer; /* the policy that runs; goban_placer_place() sets it */
} GobanPlacerOptions;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID, INFEASIBLE or CANCELLED set.
 * Adds the simulations it made to *evaluations. */
typedef GobanPlan *(*GobanPlaceFunc) (GobanCostModel *costs, const GobanPlacerOptions *options,
                                      guint64 *evaluations, GError **error);

/* Effort of a policy, shown before the user starts it. */
typedef enum
{
  GOBAN_EFFORT_QUICK,   /* one pass over the graph, no simulation or a handful */
  GOBAN_EFFORT_SEARCH,  /* simulates until its budget is spent */
  GOBAN_EFFORT_LEARNED, /* the same, and trains a network meanwhile */
} GobanEffort;

/* How another option than the policy's own is taken at a decision of its record. */
typedef enum
{
  GOBAN_FORCING_UNSAID,
  GOBAN_FORCING_INSIDE, /* it runs again, and takes the option in place of its own */
  GOBAN_FORCING_PLAN,   /* the finished plan is changed; the policy cannot go on from it */
  GOBAN_FORCING_NONE,
} GobanForcing;

/* One per policy, constant, in the policy's own file. */
struct _GobanPlacer
{
  const char *name;
  const char *blurb;  /* one line for menus and `goban-cli policies` */
  const char *about;  /* (nullable) a paragraph: the method, and our own choices in it */
  const char *source; /* publication of the method */
  GobanEffort effort;
  gboolean is_random;          /* draws: its plan may depend on the seed */
  gboolean has_tasks;          /* decides more than devices on request */
  gboolean has_network;        /* reads the learned options' network */
  gboolean has_start;          /* begins with the options' plan; it is the first that is tried */
  guint64 default_evaluations; /* of a search without a budget; 0: it makes none */
  GobanForcing forcing;
  const char *why_no_forcing; /* unless it is inside: the reason, after the policy's name */
  /* (nullable): the key of the setting that it reads; "*": several, and it refuses others itself */
  const char *setting;
  GobanPlaceFunc place;
};

/* Runs one and marks the plan with its name. (transfer full) (nullable) */
GobanPlan *goban_placer_place (const GobanPlacer *placer, GobanCostModel *costs,
                               const GobanPlacerOptions *options, guint64 *evaluations,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_placer_try:
 * @plan: (out) (transfer full) (nullable): %NULL if the policy finds none for this graph, for
 *   example because of METIS's limits, or a family without an expert
 *
 * Returns: %FALSE only if it was cancelled, with %GOBAN_ERROR_CANCELLED set
 */
gboolean goban_placer_try (const GobanPlacer *placer, GobanCostModel *costs,
                           const GobanPlacerOptions *options, GobanPlan **plan, GError **error);

/**
 * goban_placer_choose:
 * @settings: (nullable): "KEY=VALUE,..."; words of other keys may be there for other policies
 * @words: (array zero-terminated=1): values of @key, the default first
 * @choice: (out): the index of the last one given
 *
 * Decision E57 (engine/NOTES.md).
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set if @settings give @key another value
 */
gboolean goban_placer_choose (const char *settings, const char *key, const char *const *words,
                              guint *choice, GError **error) G_GNUC_WARN_UNUSED_RESULT;
