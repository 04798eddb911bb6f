/* run-origin.h: origin of a run: seed, budget spent, learning curve, decisions and source; and runs
 * that were measured. */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/improvement.h"
#include "engine/study/run/run.h"

/* Origin of a run's plan, beside the plan itself. */
typedef struct
{
  guint64 seed;        /* the policy's; 0 for plans from files or made by hand */
  guint64 evaluations; /* simulations spent; 1 for a plan that was only shown */
  double seconds;      /* wall time of placing and simulating */
  /* (nullable), of GobanImprovement, copied: the successive best valid plans of the policy; the
     last one is the run's own plan if that is the best. Empty for a plan from a file or made by
     hand */
  const GArray *improvements;
  GobanDecisions *decisions; /* (nullable) */
  gboolean is_within;        /* the plan is that of @moment, else the last one */
  GobanMoment moment;
  const char *expression; /* (nullable): Lua that makes the plan of a graph g, for logs */
  /* (nullable) with which the policy made the plan on the run's costs, of
     goban_run_options_share(): %NULL if they are not known: for plans from files, made by hand, or
     carried to another graph or cluster */
  GobanRunOptions *request;
  GobanForcedDecision forced; /* copied; its @of is NULL if none was */
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

/* Borrowed from the run; its improvements are not %NULL. */
const GobanRunOrigin *goban_run_get_origin (GobanRun *self);
/* The number of simulations until the last improvement was found; 0 if there is none. */
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
/* The policy's proof for its plan, see goban_describe_proof(); (transfer full) (nullable). */
char *goban_run_describe_proof (GobanRun *self) G_GNUC_WARN_UNUSED_RESULT;
/* The entropy of the last decision about each node's device on the way to the run's plan: (n_nodes)
 * in nats, NAN without one; borrowed from the run. (nullable): %NULL if no network decided. */
const float *goban_run_get_entropies (GobanRun *run);

/* Sources of runs: all that a run is simulated from, without its trace.
 *
 * The trace is most of a run's memory. Whoever may need a run again much later, such as the
 * history of a session, keeps the source. At most one run of a source exists at a time, so that
 * whoever still has it and whoever asks for it again have the same one. Immutable and
 * reference-counted; any thread.
 */

typedef struct _GobanRunSource GobanRunSource;

GobanRunSource *goban_run_source_ref (GobanRunSource *self); /* (nullable) */
void goban_run_source_unref (GobanRunSource *self);

/* Borrowed from the run. */
GobanRunSource *goban_run_get_source (GobanRun *run);

/* Renames a run, whose other properties are immutable: a list names the second run of one name. A
 * name read before stays valid; any thread. */
void goban_run_rename (GobanRun *self, const char *name);

/* The run of the source that exists; %NULL if there is none. (transfer full) (nullable) */
GobanRun *goban_run_source_peek_run (GobanRunSource *self) G_GNUC_WARN_UNUSED_RESULT;
/* The same, simulated again if there is none. (transfer full) */
GobanRun *goban_run_source_get_run (GobanRunSource *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunSource, goban_run_source_unref)

/* A run with the costs and the plan of @trace (engine/sim/trace-recorded.h), kept with its source.
 * (transfer full) */
GobanRun *goban_run_new_recorded (GobanTrace *trace, const char *name) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_run_is_recorded (GobanRun *self);

/* Ends the name of a measured run. */
#define GOBAN_MEASURED_SUFFIX ", measured"

/* The run's name without that: for its plan when it is simulated. (transfer full) */
char *goban_run_dup_plan_name (GobanRun *self) G_GNUC_WARN_UNUSED_RESULT;

/* The change and the Lua expression that made a run of a derived graph.
 *
 * A derived graph is made from another one, such as that of a pipeline. Kept with its run
 * (goban_run_keep_derived()); a run that is simulated again has none. Any thread.
 */

typedef struct
{
  char *name; /* display name of the change: "make a pipeline" */
  char *code; /* of the open graph g: "g:pipeline{ micro_batches = 8 }" */
} GobanDerivation;

/* Copies both. A run keeps the first. */
void goban_run_set_derivation (GobanRun *run, const char *name, const char *code);
/* (nullable), borrowed from the run. */
const GobanDerivation *goban_run_get_derivation (GobanRun *run);

/* Relative tolerance for the rounding errors of the bound's sums. */
#define GOBAN_PROOF_TOLERANCE 1e-9

/* A policy's proof covers the schedules that the simulator can run: non-delay schedules, in which
 * no device waits while it has ready work. Deliberate waiting can be shorter. So a plan is "optimal
 * (proven)" if it reaches @bound_us, a bound of all schedules; else "optimal among non-delay
 * schedules (proven)" or "within 3.2 % of the proven bound of non-delay schedules". @bound_us: 0 if
 * unknown. (transfer full) (nullable): NULL if nothing is proven (0), or there is no makespan. */
char *goban_describe_proof (double makespan_us, double proven_bound_us,
                            double bound_us) G_GNUC_WARN_UNUSED_RESULT;
