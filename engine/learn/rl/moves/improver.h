/* improver.h: a search from plan to plan by moves that a network proposes
 * (engine/learn/policy/move-features.h).
 *
 * For each evaluation some groups of units are drawn at random. The moves of all groups to all
 * devices are scored. The best untried one is simulated, and accepted if it shortens the run, or
 * lengthens it by as little as annealing allows. A share of the moves is drawn uniformly instead.
 * Groups get smaller while no move improves the plan.
 *
 * The plan keeps its order: its own priorities, or one of the static orders, computed anew if it
 * depends on the placement. After gains the other static orders are tried from time to time, an
 * evaluation each.
 *
 * Every simulated plan counts as one evaluation. An accepted plan is simulated once more to get its
 * trace; that does not count.
 *
 * The same plan, network, seed and budget of evaluations make the same search. One thread at a
 * time.
 */
#pragma once

#include "engine/graph/cells.h"
#include "engine/learn/policy/move-features.h"
#include "engine/learn/policy/move-groups.h"
#include "engine/learn/rl/moves/joint-moves.h"
#include "engine/placers/search.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/placers/search/static-orders.h"
#include "engine/placers/units.h"
#include "engine/sim/simulator.h"

/* The last moves without a gain, and the penalty for moves similar to them.
 *
 * If a network overrates a move, it also overrates moves of nearly the same units to the same
 * device. So the scores of such moves are lowered in proportion to the overlap: the number of
 * common units over the number of units in either move.
 */

typedef struct _GobanFailedMoves GobanFailedMoves;

/* A group of units to a device; borrowed. */
typedef struct
{
  const guint32 *units;
  guint n;
  GobanDeviceId device;
} GobanUnitMove;

/* Remembers the last 64. */
GobanFailedMoves *goban_failed_moves_new (guint n_units) G_GNUC_WARN_UNUSED_RESULT;
void goban_failed_moves_free (GobanFailedMoves *self);

void goban_failed_moves_forget (GobanFailedMoves *self);
/* Records a failed move. @score: its score, at least 0. O(n), plus O(n_units) when the oldest move
 * is dropped. */
void goban_failed_moves_add (GobanFailedMoves *self, const GobanUnitMove *move, float score);

/* The penalty of a move: the largest one of all recorded moves. */
float goban_failed_moves_get_penalty (const GobanFailedMoves *self, const GobanUnitMove *move);
/* The penalty by the last recorded move alone. */
float goban_failed_moves_get_last_penalty (const GobanFailedMoves *self, const GobanUnitMove *move);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFailedMoves, goban_failed_moves_free)

/* The plan's priorities stay as they are. */
#define GOBAN_ORDER_AS_IT_IS GOBAN_N_STATIC_ORDERS

typedef struct
{
  guint n_groups; /* most groups drawn for an evaluation; fewer if they are large */
  double uniform; /* share of moves drawn uniformly */
  /* initial temperature of annealing, as a share of the makespan; 0: accept gains only; negative:
   * by the size of the graph */
  double heat;
} GobanImproverSettings;

extern const GobanImproverSettings goban_improver_settings_default;

/* Hook for a search that also decides order and kernels (engine/learn/rl/moves/joint-search.h). */
typedef struct
{
  /* sets order and kernels after a move, instead of the static order */
  void (*complete) (gpointer data, GobanPlan *plan);
  void (*read) (gpointer data, const GobanTrace *trace); /* receives the run of the current plan */
  gpointer data;
} GobanImproverHook;

/* A move that has been drawn: a group to a device. */
typedef struct
{
  guint first; /* of the group's units in GobanImprover.drawn */
  guint n;
  GobanDeviceId device;
  gboolean is_tried;
  float score;   /* of the proposer, less the penalty */
  float by[2];   /* scores of the network and of the second proposer */
  float penalty; /* for similar moves that failed */
  float features[GOBAN_MOVE_N_FEATURES];
} GobanMoveCandidate;

/* For qsort(): the highest score first; among equal ones the order in which they were drawn. */
int goban_move_candidate_compare (const void *a, const void *b);

typedef struct
{
  const GobanUnits *units; /* borrowed */
  GobanCostModel *costs;
  GobanStaticOrders *orders;
  GobanSimulator *simulator;
  GobanPlanProfile *profile;
  GobanMoveFeatures *features;
  GobanMoveGroups *groups;
  GobanImproverSettings settings;
  GobanImproverHook hook; /* zero: none */
  GobanRng rng;
  double least_memory_bytes;

  GobanPlan *plan; /* the current plan */
  guint order;     /* a GobanStaticOrder, or GOBAN_ORDER_AS_IT_IS */
  GobanOutcome outcome;
  double score_us;
  guint most;        /* largest number of units in a group */
  double reach;      /* size of groups now, as a share of that */
  GHashTable *tried; /* hashes of placements */
  guint64 hash;      /* of the plan's */
  double ordered_us; /* score when the orders were last tried */
  guint n_since_orders;

  GArray *drawn;      /* guint32 */
  GArray *candidates; /* GobanMoveCandidate */
  gboolean is_pool;   /* candidates of earlier draws are kept, because they are scored */
  gboolean is_moved;  /* the candidates were drawn from another plan */
  float *x;           /* (D, GOBAN_MOVE_N_FEATURES) */
  GobanFailedMoves *failed;
  GobanMoveStep *step; /* (nullable) borrowed: gets each step for a record */
  gboolean is_taken;   /* the last move */
  gboolean is_scored;  /* the last move was chosen by its score, not drawn uniformly */
  /* (nullable) borrowed: weights that propose moves in turn with the network, each as often as its
   * moves improve the plan */
  const GobanScorerNet *second;
  guint turn;          /* 1: the second proposer's */
  double successes[2]; /* running shares of moves that improve the plan */
  guint8 *can;         /* (D) */
} GobanImprover;

/* Both must outlive it. */
GobanImprover *goban_improver_new (const GobanUnits *units, const GobanCells *cells,
                                   const GobanCellRows *rows,
                                   guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
void goban_improver_free (GobanImprover *self);

/* Makes a copy of @plan the current plan; it must be valid except for memory. */
void goban_improver_go_to (GobanImprover *self, const GobanPlan *plan, guint order);

/* The score by which plans are compared: the makespan, with a penalty for missing memory. */
double goban_improver_score_us (const GobanImprover *self, GobanOutcome outcome);

/* Whether annealing accepts a plan: one that is not worse, or worse by a random small amount. */
gboolean goban_improver_would_take (GobanImprover *self, GobanOutcome outcome, double fraction);
/* Continues from a copy of @plan. If @order differs from the previous one, placements may be tried
 * again. */
void goban_improver_take (GobanImprover *self, const GobanPlan *plan, guint order);
/* Draws a group of units for a change of order or fusion. (element-type guint32): borrowed until
 * the next call */
const GArray *goban_improver_draw_group (GobanImprover *self);

/* Draws groups, and adds a candidate for each device to which a group can go. */
void goban_improver_draw (GobanImprover *self, guint n_groups);
/* Returns the plan after a candidate's move, with its order. (transfer full) */
GobanPlan *goban_improver_new_plan (const GobanImprover *self,
                                    const GobanMoveCandidate *candidate) G_GNUC_WARN_UNUSED_RESULT;

/* Tries all rules but @trials->here on the current plan, an evaluation each, and writes the choice
 * to a record. FALSE if the budget is spent. @what: for the progress */
gboolean goban_improver_try_rules (GobanImprover *self, GobanRuleTrials *trials,
                                   GobanSearch *search, const char *what, GError **error);

/**
 * goban_improver_step:
 * @net: (nullable): scores moves; %NULL: moves are drawn uniformly
 * @fraction: elapsed share of the search, for the temperature
 * @outcome: (out): of the plan tried
 * @tried: (out) (transfer full) (nullable): that plan
 *
 * One evaluation. Returns: %FALSE if no move is left to try
 */
gboolean goban_improver_step (GobanImprover *self, const GobanScorerNet *net, double fraction,
                              GobanPlan **tried, GobanOutcome *outcome);

/**
 * goban_improve:
 * @plan: must have been offered to the search, so that the best is never worse
 *
 * Spends the rest of the search's budget.
 *
 * Returns: %FALSE with an error set if it was cancelled
 */
gboolean goban_improve (GobanImprover *self, const GobanScorerNet *net, const GobanPlan *plan,
                        guint order, GobanSearch *search, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanImprover, goban_improver_free)

/* A graph on a cluster for searches by moves, with start plans.
 *
 * It uses neither names nor the expert's plan. One thread at a time.
 */

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanCellSplits *splits;
  GobanImprover *improver;
} GobanMoveProblem;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE set */
GobanMoveProblem *goban_move_problem_new (GobanCostModel *costs,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_problem_free (GobanMoveProblem *self);

/**
 * goban_move_problem_start:
 * @n_splits: most contiguous splits of cells to try; the best is then tried under every static
 *   order
 * @order: (out): a GobanStaticOrder
 *
 * Finds a start plan. Every tried plan is offered to the search.
 *
 * Returns: (transfer full) (nullable): the plan with the best score; %NULL if the search ended
 *   before the first plan
 */
GobanPlan *goban_move_problem_start (GobanMoveProblem *self, GobanSearch *search, guint n_splits,
                                     guint *order, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Draws a start plan: a random split of cells, or everything on one device, under a random order.
 * (transfer full) */
GobanPlan *goban_move_problem_draw_start (GobanMoveProblem *self, GobanRng *rng,
                                          guint *order) G_GNUC_WARN_UNUSED_RESULT;

/* Searches from the start plan with random numbers from @seed, and writes the best score after
 * counts[i] evaluations (ascending) to best_us (n). net (nullable): %NULL for uniform moves. */
void goban_move_problem_try (GobanMoveProblem *self, const GobanScorerNet *net, guint64 seed,
                             const guint *counts, guint n, double *best_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveProblem, goban_move_problem_free)
