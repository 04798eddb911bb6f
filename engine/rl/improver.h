/* improver.h: a search from plan to plan by moves that a network proposes
 * (engine/policy/move-net.h).
 *
 * For each evaluation some groups of units are drawn by chance. All their moves, to every device,
 * are scored; the best that has not been tried yet is simulated, and taken if it shortens the run,
 * or lengthens it by little as annealing allows. A share of the moves is drawn uniformly instead.
 * Groups get smaller while nothing improves.
 *
 * The plan keeps its order: one of the static orders, renewed where that looks at the placement, or
 * priorities as they are. Now and then, after gains, the other static orders are tried, an
 * evaluation each.
 *
 * A search can learn on the graph (move-learner.h): then the network and what is learned take turns
 * to propose. A search begins with nothing learned.
 *
 * Every simulated plan counts as one evaluation. A plan that is taken is run once more to learn why
 * it takes so long; that is the same plan and does not count.
 *
 * The same plan, network, seed and budget of evaluations make the same search. One thread at a
 * time.
 */
#pragma once

#include "engine/graph/cells.h"
#include "engine/placers/search.h"
#include "engine/placers/static-orders.h"
#include "engine/policy/decision-log.h"
#include "engine/policy/move-groups.h"
#include "engine/policy/move-net.h"
#include "engine/rl/failed-moves.h"
#include "engine/rl/move-learner.h"
#include "engine/sim/simulator.h"

G_BEGIN_DECLS

/* The plan's priorities stay as they are. */
#define GOBAN_ORDER_AS_IT_IS GOBAN_N_STATIC_ORDERS

typedef struct
{
  guint n_groups; /* drawn for an evaluation, at most: fewer if they are large */
  double uniform; /* share of moves that are not scored */
  /* of annealing, at first, as a share of the makespan; 0: only gains; below 0: by size */
  double heat;
  gboolean has_orders; /* tries other static orders after gains */
  double learn; /* variance of weights that are learned on the graph; 0: nothing is learned */
} GobanImproverSettings;

GobanImproverSettings goban_improver_settings_default (void);

/* Whoever decides order and kernels too (engine/rl/joint-search.h). */
typedef struct
{
  void (*complete) (gpointer data, GobanPlan *plan); /* after a move: instead of the static order */
  void (*read) (gpointer data, const GobanTrace *trace); /* the run of the plan that it stands on */
  gpointer data;
} GobanImproverHook;

/* A move that has been drawn: a group to a device. */
typedef struct
{
  guint first; /* of the group's units in GobanImprover.drawn */
  guint n;
  GobanDeviceId device;
  gboolean is_tried;
  float score;   /* by whoever proposes, less the penalty */
  float of_net;  /* by the network */
  float penalty; /* for moves much alike that failed */
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

  GobanPlan *plan; /* where the search stands */
  guint order;     /* a GobanStaticOrder, or GOBAN_ORDER_AS_IT_IS */
  GobanOutcome outcome;
  double score_us;
  guint most;        /* units of a group */
  double reach;      /* share of the largest groups */
  GHashTable *tried; /* hashes of placements */
  guint64 hash;      /* of the plan's */
  double ordered_us; /* score when the orders were last tried */
  guint n_since_orders;

  GArray *drawn;      /* guint32 */
  GArray *candidates; /* GobanMoveCandidate */
  gboolean is_pool;   /* they are scored: what has been drawn before counts */
  gboolean is_moved;  /* they were drawn from another plan */
  float *x;           /* (D, GOBAN_MOVE_N_FEATURES) */
  GobanFailedMoves *failed;
  GobanMoveLearner *learner; /* (nullable) */
  /* (nullable) borrowed: of best plans, if it is there when a search begins */
  GobanDecisionLog *log;
  gboolean is_learners_turn; /* it has proposed the last move */
  guint8 *can;               /* (D) */
} GobanImprover;

/* Both must outlive it. */
GobanImprover *goban_improver_new (const GobanUnits *units, const GobanCells *cells,
                                   const GobanCellRows *rows,
                                   guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
void goban_improver_free (GobanImprover *self);

/* Stands on a copy of @plan, which must be valid but for memory. */
void goban_improver_go_to (GobanImprover *self, const GobanPlan *plan, guint order);

/* What plans are compared by: the makespan, longer if memory lacks. */
double goban_improver_score_us (const GobanImprover *self, GobanOutcome outcome);

/* Whether a plan is no worse, or by chance is worse by little: as after every step. */
gboolean goban_improver_would_take (GobanImprover *self, GobanOutcome outcome, double fraction);
/* Goes on from a copy of @plan. Under an @order that differs from the one before plans may be tried
 * again. */
void goban_improver_take (GobanImprover *self, const GobanPlan *plan, guint order);
/* Returns: (element-type guint32): a group of units as moves are drawn for, borrowed until the
 * next */
const GArray *goban_improver_draw_group (GobanImprover *self);

/* Draws groups; every device where one can go makes a candidate. */
void goban_improver_draw (GobanImprover *self, guint n_groups);
/* (transfer full) the plan after a candidate's move, with its order. */
GobanPlan *goban_improver_new_plan (const GobanImprover *self,
                                    const GobanMoveCandidate *candidate) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_improver_step:
 * @net: (nullable): proposes; %NULL: moves are drawn uniformly
 * @fraction: of the search that is over, for annealing
 * @outcome: (out): of the plan tried
 * @tried: (out) (transfer full) (nullable): that plan
 *
 * One evaluation. Returns: %FALSE if no move is left to try
 */
gboolean goban_improver_step (GobanImprover *self, const GobanScorerNet *net, double fraction,
                              GobanPlan **tried, GobanOutcome *outcome);

/**
 * goban_improve:
 * @plan: has been offered to the search, which is how the best is never worse
 * @n_evaluations: at most so many of the search's budget; 0: all that is left
 *
 * Returns: %FALSE with an error set if it was cancelled
 */
gboolean goban_improve (GobanImprover *self, const GobanScorerNet *net, const GobanPlan *plan,
                        guint order, GobanSearch *search, guint64 n_evaluations, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanImprover, goban_improver_free)

G_END_DECLS
