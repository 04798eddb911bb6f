/* joint-moves.h: changes of order and of fusion levels that may shorten the run of a plan, and
 * their scores. */
#pragma once

#include "engine/learn/policy/plan-profile.h"
#include "engine/learn/rl/joint-choices.h"
#include "engine/placers/search.h"

#include <glib.h>

/* --- a list of moves sorted by score; each is chosen once ------------------------------------- */

typedef struct
{
  guint first; /* index of its first change in the list of changes */
  guint n;
  gboolean joins; /* for fusion: TRUE fuses its ops first, FALSE leaves them unfused */
  float score;    /* time saved, as a share of the makespan */
  gboolean is_tried;
} GobanScoredMove;

/* Returns the best untried move and marks it as tried. (nullable) */
const GobanScoredMove *goban_scored_moves_choose (GArray *moves);

/* Changes of an order that may shorten the run of a plan, and their scores.
 *
 * Three kinds of moves: a ready op that had to wait goes before the ops that its device ran in that
 * time; these ops go after it, if they have slack; a transfer that waited for its channel goes
 * before the one that held it. A move is a list of key shifts (engine/learn/rl/joint-choices.h).
 * The score estimates the gain if nothing else changes, as a share of the makespan: the saved wait,
 * reduced if the op has slack, minus the delay of postponed ops beyond their slack.
 */

typedef struct
{
  GobanNodeId node;
  double by; /* added to its shift */
} GobanKeyShift;

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *shifts;                  /* GobanKeyShift */
  double range;                    /* of keys */

  /* Data of the last run that was read. A kernel is identified by its lowest node. */
  GPtrArray *arrays;    /* all below */
  double *keys;         /* (n_nodes) */
  double *latest;       /* (n_nodes) latest starts, as goban_order_moves_fill_latest() */
  guint32 *kernel_of;   /* (n_nodes) */
  guint32 *next_fused;  /* (n_nodes) or GOBAN_NO_NODE */
  double *kernel_start; /* (n_nodes) of kernels */
  double *kernel_end;
  guint32 *sequence; /* (n_nodes) kernels of each device, by start */
  guint32 *place_of; /* (n_nodes) of kernels, in sequence */
  guint32 *first;    /* (n_devices + 1) of each device, in sequence */
} GobanOrderMoves;

/* @profile must outlive it. */
GobanOrderMoves *goban_order_moves_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_order_moves_free (GobanOrderMoves *self);

/* Finds moves from the plan of @trace, which the profile has read. keys (n_nodes) (nullable): the
 * keys of its order; NULL for FIFO, where moves shift -start. */
void goban_order_moves_read (GobanOrderMoves *self, const GobanTrace *trace, const double *keys);

/* Writes minus the latest start of each op to keys (n_nodes): the start that delays no consumer, if
 * transfers take as long as in the run. Such ranks account for contention. */
void goban_order_moves_fill_latest (const GobanOrderMoves *self, double *keys);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrderMoves, goban_order_moves_free)

/* Changes of fusion levels that may shorten the run of a plan, and their scores.
 *
 * Fusing an op with its readers on the same device saves launches, and the traffic of a tensor
 * without other readers. Taking an op out of a kernel helps if critical readers elsewhere wait for
 * its tensor. A score is the time saved as a share of the makespan, less if the op has slack.
 * Similar ops (one type, one phase, readers of the same types) are changed together as well as one
 * by one.
 */

typedef struct
{
  const GobanPlanProfile *profile; /* borrowed */
  GArray *moves;                   /* GobanScoredMove, the best score first */
  GArray *nodes;                   /* guint32 */
  guint8 *classes;                 /* (n_nodes) GobanFusionClass */
  guint32 *kind_of;                /* (n_nodes) ops with the same number are similar */
  guint n_kinds;
} GobanFusionMoves;

/* @profile must outlive it. */
GobanFusionMoves *
goban_fusion_moves_new (const GobanPlanProfile *profile) G_GNUC_WARN_UNUSED_RESULT;
void goban_fusion_moves_free (GobanFusionMoves *self);

/* Finds moves from the plan of @trace, which the profile has read. O(N + E) and a sort. */
void goban_fusion_moves_read (GobanFusionMoves *self, const GobanTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFusionMoves, goban_fusion_moves_free)

/* One step of a search by moves, and the span that it is in the search's decisions. */

/* The best moves that were scored for a step; the others are not recorded. */
#define GOBAN_MOVE_STEP_N_OPTIONS 8

typedef struct
{
  GobanSearch *search; /* borrowed: it has decisions */

  /* The step that is under way: */
  GobanTask task;
  const char *proposer; /* static: "network", "hand", "estimate", "chance" */
  gboolean is_scored;   /* its options have scores */
  gboolean is_drawn;    /* uniformly */
  gboolean is_forced;   /* it takes another option than the search would, whatever comes of it */
  guint n_options;
  /* expected gains, as shares of the makespan; the search takes the first option */
  float scores[GOBAN_MOVE_STEP_N_OPTIONS];
  GArray *changes; /* GobanDecisionChange: of devices */
  GArray *nodes;   /* GobanNodeId: that are moved, in any task */
  double before_us;

  /* The option that is to be forced, and its step. */
  gboolean is_forcing;
  guint64 forced_evaluation;
  guint32 forced_option;
} GobanMoveStep;

/* (nullable): %NULL if the search writes no decisions. */
GobanMoveStep *goban_move_step_new (GobanSearch *search) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_step_free (GobanMoveStep *self);

/* Drops the last step. */
void goban_move_step_begin (GobanMoveStep *self, GobanTask task, const char *proposer,
                            double before_us);
/* The option to take of @n_options: the first one, unless another one is forced. */
guint32 goban_move_step_choose (GobanMoveStep *self, guint n_options);
void goban_move_step_add_node (GobanMoveStep *self, GobanNodeId node, guint32 from, guint32 to);

/* Offers the plan to the search, and writes the step to @self (nullable): all those that are taken
 * or lead to the best plan so far, others unless there are too many. */
void goban_move_step_offer (GobanMoveStep *self, GobanSearch *search, const GobanPlan *plan,
                            GobanOutcome outcome, gboolean is_taken);

/* Writes that the search begins at @plan, unless its decisions are there. */
void goban_move_step_start (GobanMoveStep *self, const GobanPlan *plan, GobanOutcome outcome);

/* Rules that were tried on one plan, each by a simulation. */
typedef struct
{
  GobanTask task;
  const char *names; /* static: of all options */
  guint n_rules;
  guint
      here; /* the rule of the plan as it is; n_rules: none, which is an option behind the others */
  /* The plan by a rule. (transfer full) (nullable): %NULL if it is the same */
  GobanPlan *(*new_plan) (gpointer data, guint rule);
  void (*note) (gpointer data, double score_us); /* (nullable): told of each trial */
  gpointer data;

  double scores_us[GOBAN_JOINT_N_ORDERS + 1]; /* NAN: not tried */
  guint best;
  GobanPlan *plan; /* (nullable): of the best, if it is not as it is */
  GobanOutcome outcome;
  guint64 evaluation; /* of the best one; 0: none */
} GobanRuleTrials;

void goban_rule_trials_clear (GobanRuleTrials *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanRuleTrials, goban_rule_trials_clear)

/* Opens a span in which the choice is written. *taken (out): the option to take. (transfer full)
 */
GobanDecisionsWriter *goban_move_step_open_rules (GobanMoveStep *self,
                                                  const GobanRuleTrials *trials,
                                                  guint32 *taken) G_GNUC_WARN_UNUSED_RESULT;
/* Ends it. plan: (nullable): of the rule that was chosen; %NULL if there is no change. @is_taken:
 * the search goes on from it. */
void goban_move_step_close_rules (GobanMoveStep *self, GobanDecisionsWriter *writer,
                                  const GobanPlan *plan, GobanOutcome outcome, gboolean is_best,
                                  gboolean is_taken);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveStep, goban_move_step_free)
