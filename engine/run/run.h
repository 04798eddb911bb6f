/* run.h: one plan on one graph and one cluster, simulated: a row of every list and table.
 *
 * A GObject, so that lists and panes can hold it, but an immutable one: any thread may
 * read it. Making one simulates, so make large ones in a worker.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/placers/placer.h"
#include "engine/policy/decision-log.h"
#include "engine/run/fusing.h"
#include "engine/run/selection.h"
#include "engine/sim/trace.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_RUN (goban_run_get_type ())
G_DECLARE_FINAL_TYPE (GobanRun, goban_run, GOBAN, RUN, GObject)

/* Budget and options of a policy; zeroes are the policy's defaults. */
typedef struct
{
  guint64 seed;
  guint64 max_evaluations;
  double max_seconds;
  const GobanProgress *progress; /* (nullable) */
  const gint *finish;            /* (nullable), atomic: 1 ends a search early with its best plan */
  GobanFusing fusing;            /* applied to the policy's plan */
  /* For the learned policies that support them, see engine/placers/placer.h; all (nullable). */
  const char *network;
  const char *settings;
  GobanPlan *start;
  GobanDecisions decisions; /* decisions of GO; 0: placement */
  /* (nullable), both or none: these nodes keep their devices in that plan, whatever the policy. */
  GobanSelection *pinned;
  GobanPlan *pinned_by;
} GobanRunOptions;

/* Simulates @plan; @name (nullable) defaults to the plan's policy. (transfer full) */
GobanRun *goban_run_new (GobanCostModel *costs, GobanPlan *plan,
                         const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* Origin of a run's plan, beside the plan itself. */
typedef struct
{
  guint64 seed;
  guint64 evaluations; /* simulations spent, the last one included */
  double seconds;
  const GArray *improvements;   /* (nullable), of GobanImprovement, copied */
  GobanDecisionLog *decisions;  /* (nullable) */
  GobanPlacementRecord *record; /* (nullable) */
} GobanRunOrigin;

/* The same for a plan from a session file, with the recorded cost of making it. (transfer full) */
GobanRun *goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                              const GobanRunOrigin *origin) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a plan with a decision log or a record (both nullable) of the same graph. (transfer
 * full) */
GobanRun *goban_run_new_logged (GobanCostModel *costs, GobanPlan *plan, const char *name,
                                const GobanDecisionLog *log,
                                GobanPlacementRecord *record) G_GNUC_WARN_UNUSED_RESULT;

/* A step of @run that shares its simulation, with a record's head. (transfer full) */
GobanRun *goban_run_new_head (GobanRun *run, const char *name,
                              GobanPlacementRecord *head) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_run_new_from_policy:
 * @policy: a name of goban_policies()
 * @options: (nullable)
 *
 * Runs the policy and simulates its plan.
 *
 * Returns: (transfer full) (nullable): a run, or %NULL with @error set
 */
GobanRun *goban_run_new_from_policy (GobanCostModel *costs, const char *policy,
                                     const GobanRunOptions *options,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes a trace file for Perfetto and chrome://tracing; %FALSE with %GOBAN_ERROR_IO set. */
gboolean goban_run_save_trace (GobanRun *self, const char *path, GError **error);

/* Borrowed from the run. */
const char *goban_run_get_name (GobanRun *self);
GobanGraph *goban_run_get_graph (GobanRun *self);
GobanCluster *goban_run_get_cluster (GobanRun *self);
GobanCostModel *goban_run_get_costs (GobanRun *self);
GobanPlan *goban_run_get_plan (GobanRun *self);
GobanTrace *goban_run_get_trace (GobanRun *self);

double goban_run_get_makespan_us (GobanRun *self);
/* makespan / lower bound (for a run that fuses ops, the bound of fused plans); NAN if there is no
 * bound or no makespan. */
double goban_run_get_ratio (GobanRun *self);
guint64
goban_run_get_seed (GobanRun *self); /* the policy's; 0 for plans from files or made by hand */
guint64 goban_run_get_evaluations (GobanRun *self); /* simulations spent, the last one included */
/* The successive best valid plans of the policy (GobanImprovement), borrowed; the last one is the
 * run's own plan if that is the best. Empty for a plan from a file or made by hand. */
const GArray *goban_run_get_improvements (GobanRun *self);
/* The number of simulations until the last of them was found; 0 if there is none. */
guint64 goban_run_get_best_evaluation (GobanRun *self);
/* The decision log, if the plan is from one of GO's policies, borrowed; %NULL for other policies,
 * files and plans made by hand. */
const GobanDecisionLog *goban_run_get_decisions (GobanRun *self);
/* The record of the policy's decisions, borrowed; %NULL for runs with a decision log, files without
 * one, and plans made by hand. */
GobanPlacementRecord *goban_run_get_record (GobanRun *self);
/* The policy's proof for its plan, as described in proof.h; (transfer full) (nullable). */
char *goban_run_describe_proof (GobanRun *self) G_GNUC_WARN_UNUSED_RESULT;
double goban_run_get_seconds (GobanRun *self); /* wall time of placing and simulating */

/* For the undo stack, whose old runs nothing else references: a resting run has no trace, which is
 * most of its memory. It must not be used until it is woken, which simulates its plan again. Main
 * thread. */
void goban_run_rest (GobanRun *self);
void goban_run_wake (GobanRun *self);
gboolean goban_run_is_resting (GobanRun *self);

/* Valid runs before invalid ones, shorter before longer, then by name. */
int goban_run_compare (gconstpointer a, gconstpointer b);

/* --- list of policies --------------------------------------------------- */

typedef struct
{
  const char *name;
  const char *blurb;
  const char *about; /* a paragraph, "" if the blurb is enough */
  const char *source;
  const char *effort;          /* "quick", "search" or "learned" */
  gboolean has_tasks;          /* supports the options' decisions */
  guint64 default_evaluations; /* default number of simulations, 0 if it makes none */
} GobanPolicyInfo;

/* (transfer container): n of them, the strings are static. */
GobanPolicyInfo *goban_policies (gsize *n) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_find (const char *name, GobanPolicyInfo *info, GError **error);

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_exists (const char *name, GError **error);

G_END_DECLS
