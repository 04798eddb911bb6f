/* run-origin.h: origin of a run's plan: seed, budget spent, learning curve and decisions. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/improvement.h"
#include "engine/study/run/run-options.h"
#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* Origin of a run's plan, beside the plan itself. */
typedef struct
{
  guint64 seed;
  guint64 evaluations; /* simulations spent; 1 for a plan that was only shown */
  double seconds;
  const GArray *improvements; /* (nullable), of GobanImprovement, copied */
  GobanDecisions *decisions;  /* (nullable) */
  gboolean is_within;         /* the plan is that of @moment, else the last one */
  GobanMoment moment;
  const char *expression; /* (nullable): Lua that makes the plan of a graph g */
  /* (nullable): with which the policy made the plan on the run's costs. Of
     goban_run_options_share() */
  GobanRunOptions *request;
  GobanForcedDecision forced; /* copied */
} GobanRunOrigin;

/* Like goban_run_new(), with the recorded cost of making the plan; 0 evaluations: the plan is new,
 * and its simulation is all that it has cost. (transfer full) */
GobanRun *goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                              const GobanRunOrigin *origin) G_GNUC_WARN_UNUSED_RESULT;

/* The plan of @moment, with the simulation of @run. @is_unfinished: some nodes are not decided yet,
 * and @run is of the plan that it leads to; else it is the same plan. (transfer full) */
GobanRun *goban_run_new_within (GobanRun *run, GobanPlan *plan, const char *name,
                                GobanMoment moment,
                                gboolean is_unfinished) G_GNUC_WARN_UNUSED_RESULT;
guint64
goban_run_get_seed (GobanRun *self); /* the policy's; 0 for plans from files or made by hand */
guint64 goban_run_get_evaluations (GobanRun *self); /* simulations spent, at least 1 */
/* The successive best valid plans of the policy (GobanImprovement), borrowed; the last one is the
 * run's own plan if that is the best. Empty for a plan from a file or made by hand. */
const GArray *goban_run_get_improvements (GobanRun *self);
/* The number of simulations until the last of them was found; 0 if there is none. */
guint64 goban_run_get_best_evaluation (GobanRun *self);
/* The record of all decisions of the policy, borrowed; %NULL for plans from files or made by hand.
 */
GobanDecisions *goban_run_get_decisions (GobanRun *self);
/* Sets the decisions of an origin (borrowed) and their moment to those of a run of the same plan.
 */
void goban_run_origin_set_decisions (GobanRunOrigin *self, GobanRun *run);
/* The moment of its decisions whose plan it is; 0 without decisions. */
GobanMoment goban_run_get_moment (GobanRun *self);
gboolean goban_run_is_unfinished (GobanRun *self);
/* The bound that the policy has proven of the plans on the run's costs; 0: none, or the run was
 * measured, while a bound is one of simulated times. */
double goban_run_get_proven_bound_us (GobanRun *self);
/* The policy's proof for its plan, as described in proof.h; (transfer full) (nullable). */
char *goban_run_describe_proof (GobanRun *self) G_GNUC_WARN_UNUSED_RESULT;
/* Lua expression that makes the plan of a graph g, for logs; (nullable). */
const char *goban_run_get_expression (GobanRun *self);
/* The options with which its policy was run on its costs, borrowed; %NULL if they are not known:
 * for plans from files, made by hand, or carried to another graph or cluster. */
GobanRunOptions *goban_run_get_request (GobanRun *self);
/* The decision that was forced; its @of is NULL if none was. */
const GobanForcedDecision *goban_run_get_forced (GobanRun *self);
double goban_run_get_seconds (GobanRun *self); /* wall time of placing and simulating */
/* The entropy of the last decision about each node's device on the way to the run's plan: (n_nodes)
 * in nats, NAN without one; borrowed from the run. (nullable): %NULL if no network decided. */
const float *goban_run_get_entropies (GobanRun *run);

G_END_DECLS
