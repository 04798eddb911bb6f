/* run.h: one plan on one graph and one cluster, simulated: a row of every list and table.
 *
 * A GObject, so that lists and panes can hold it, but an immutable one: any thread may
 * read it. Making one simulates, so make large ones in a worker.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/placers/placer.h"
#include "engine/policy/decision-log.h"
#include "engine/session/fusing.h"
#include "engine/session/selection.h"
#include "engine/sim/trace.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_RUN (goban_run_get_type ())
G_DECLARE_FINAL_TYPE (GobanRun, goban_run, GOBAN, RUN, GObject)

/* What a search may spend; zeroes are the policy's own defaults. */
typedef struct
{
  guint64 seed;
  guint64 max_evaluations;
  double max_seconds;
  const GobanProgress *progress; /* (nullable) */
  const gint *finish;            /* (nullable), atomic: 1 asks a search to end with what it has */
  GobanFusing fusing;            /* applied to what the policy makes */
  /* For those learned policies that can use them, as engine/placers/placer.h says; all (nullable). */
  const char *network;
  const char *settings;
  GobanPlan *start;
  GobanDecisions decisions; /* what GO decides; 0: placement */
  /* (nullable), both or none: these nodes stay where that plan has them, whatever the policy. */
  GobanSelection *pinned;
  GobanPlan *pinned_by;
} GobanRunOptions;

/* Simulates @plan; @name (nullable) defaults to the plan's policy. (transfer full) */
GobanRun *goban_run_new (GobanCostModel *costs, GobanPlan *plan,
                         const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* What a run keeps of how its plan was come by, beside the plan itself. */
typedef struct
{
  guint64 seed;
  guint64 evaluations; /* simulations spent, the last one included */
  double seconds;
  const GArray *improvements;  /* (nullable), of GobanImprovement, copied */
  GobanDecisionLog *decisions; /* (nullable) */
} GobanRunOrigin;

/* The same of a plan that was simulated before, as a session file has it: what it cost is what it had cost.
 * (transfer full) */
GobanRun *goban_run_new_kept (GobanCostModel *costs, GobanPlan *plan, const char *name,
                              const GobanRunOrigin *origin) G_GNUC_WARN_UNUSED_RESULT;

/* The same of a plan whose policy has told how it came to it: @log (nullable), of that graph. (transfer full) */
GobanRun *goban_run_new_logged (GobanCostModel *costs, GobanPlan *plan, const char *name,
                                const GobanDecisionLog *log) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_run_new_from_policy:
 * @policy: a name of goban_policies()
 * @options: (nullable)
 *
 * Asks the policy for a plan and simulates it.
 *
 * Returns: (transfer full) (nullable): a run, or %NULL with @error set
 */
GobanRun *goban_run_new_from_policy (GobanCostModel *costs, const char *policy,
                                     const GobanRunOptions *options,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A file for Perfetto and chrome://tracing; %FALSE with %GOBAN_ERROR_IO set. */
gboolean goban_run_save_trace (GobanRun *self, const char *path, GError **error);

/* Borrowed from the run. */
const char *goban_run_get_name (GobanRun *self);
GobanGraph *goban_run_get_graph (GobanRun *self);
GobanCluster *goban_run_get_cluster (GobanRun *self);
GobanCostModel *goban_run_get_costs (GobanRun *self);
GobanPlan *goban_run_get_plan (GobanRun *self);
GobanTrace *goban_run_get_trace (GobanRun *self);

double goban_run_get_makespan_us (GobanRun *self);
/* makespan / lower bound; of a run that fuses ops, the bound for all that may; NAN if there is no bound or no makespan. */
double goban_run_get_ratio (GobanRun *self);
guint64
goban_run_get_seed (GobanRun *self); /* the policy's; 0 of files and of what was done by hand */
guint64 goban_run_get_evaluations (GobanRun *self); /* simulations spent, the last one included */
/* How the policy came to its plan, valid plans alone, the last of which is the run's own where it is the best:
 * of GobanImprovement, borrowed; none of a plan from a file or by hand. */
const GArray *goban_run_get_improvements (GobanRun *self);
/* How many simulations had been made when the last of them was found; 0 without one. */
guint64 goban_run_get_best_evaluation (GobanRun *self);
/* (nullable): the decisions of GO's policies that led to the plan, borrowed; %NULL of other policies', of files and of
 * what was done by hand. */
const GobanDecisionLog *goban_run_get_decisions (GobanRun *self);
/* What the policy has proven of its plan, in the words of proof.h; (transfer full) (nullable). */
char *goban_run_describe_proof (GobanRun *self) G_GNUC_WARN_UNUSED_RESULT;
double goban_run_get_seconds (GobanRun *self); /* wall time of placing and simulating */

/* For a history, whose old runs nobody else holds: a run that rests has no trace, which is most of its memory, and must not be
 * asked for anything until it is woken, which simulates its plan again. Main thread. */
void goban_run_rest (GobanRun *self);
void goban_run_wake (GobanRun *self);
gboolean goban_run_is_resting (GobanRun *self);

/* Valid runs before invalid ones, shorter before longer, then by name. */
int goban_run_compare (gconstpointer a, gconstpointer b);

/* --- what policies there are -------------------------------------------- */

typedef struct
{
  const char *name;
  const char *blurb;
  const char *about; /* a paragraph, "" if the blurb says it all */
  const char *source;
  const char *effort;          /* "quick", "search" or "learned" */
  gboolean has_tasks;          /* decides what the options' decisions say */
  guint64 default_evaluations; /* simulations without a budget, 0 if it makes none */
} GobanPolicyInfo;

/* (transfer container): n of them, the strings are static. */
GobanPolicyInfo *goban_policies (gsize *n) G_GNUC_WARN_UNUSED_RESULT;

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_find (const char *name, GobanPolicyInfo *info, GError **error);

/* %FALSE with %GOBAN_ERROR_INVALID set, which lists the names there are. */
gboolean goban_policy_exists (const char *name, GError **error);

G_END_DECLS
