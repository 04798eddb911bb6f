/* move-step.h: one step of a search by moves, and the span that it is in the search's decisions. */
#pragma once

#include "engine/learn/rl/moves/joint-moves.h"
#include "engine/placers/search.h"

G_BEGIN_DECLS

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
  const char *names;       /* static: of all options */
  guint n_options;         /* rules, and the plan as it is */
  const double *scores_us; /* (n_options) NAN: not tried */
  guint32 wanted;
  guint64 evaluation; /* of the wanted one; 0: the plan as it is */
} GobanRuleTrial;

/* Opens a span in which the choice is written. *taken (out): the option to take. (transfer full)
 */
GobanDecisionsWriter *goban_move_step_open_rules (GobanMoveStep *self, const GobanRuleTrial *trial,
                                                  guint32 *taken) G_GNUC_WARN_UNUSED_RESULT;
/* Ends it. plan: (nullable): of the rule that was chosen; %NULL if there is no change. @is_taken:
 * the search goes on from it. */
void goban_move_step_close_rules (GobanMoveStep *self, GobanDecisionsWriter *writer,
                                  const GobanPlan *plan, GobanOutcome outcome, gboolean is_best,
                                  gboolean is_taken);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveStep, goban_move_step_free)

G_END_DECLS
