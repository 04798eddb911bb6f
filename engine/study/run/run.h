/* run.h: one plan on one graph and one cluster, simulated, as an immutable value.
 *
 * Reference-counted; any thread may hold and read one. Making one simulates, so make large ones in
 * a worker. policy-run.h makes runs with a policy, run-origin.h has what that has cost,
 * and what is needed to simulate one again.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/decisions/feed.h"
#include "engine/machine/plan/plan.h"
#include "engine/machine/plan/task.h"
#include "engine/sim/trace.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/selection.h"
#include "engine/study/run/training-log.h"

#include <glib-object.h>

typedef struct _GobanRun GobanRun;

/* The values that a run is made of, borrowed from it. */
typedef struct
{
  GobanGraph *graph;
  GobanCluster *cluster;
  GobanCostModel *costs;
  GobanPlan *plan;
  GobanTrace *trace;
} GobanRunParts;

#define GOBAN_TYPE_RUN (goban_run_get_type ())
GType goban_run_get_type (void);

/* Simulates @plan; @name (nullable) defaults to the plan's policy. (transfer full) */
GobanRun *goban_run_new (GobanCostModel *costs, GobanPlan *plan,
                         const char *name) G_GNUC_WARN_UNUSED_RESULT;
GobanRun *goban_run_ref (GobanRun *self); /* (nullable) */
void goban_run_unref (GobanRun *self);
/* Sets *@slot to @run (nullable) and moves the reference; %FALSE if it is the same run already. */
gboolean goban_run_set (GobanRun **slot, GobanRun *run);

/* Writes a trace file for Perfetto and chrome://tracing; %FALSE with %GOBAN_ERROR_IO set. */
gboolean goban_run_save_trace (GobanRun *self, const char *path, GError **error);

/* Borrowed from the run. */
const GobanRunParts *goban_run_get_parts (GobanRun *self);
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
/* makespan / lower bound of plans without fusion; below 1 for a fused plan that is shorter than any
 * of those. NAN if there is no bound or no makespan. */
double goban_run_get_unfused_ratio (GobanRun *self);
/* Bytes of the device that needs most; O(devices). */
double goban_run_get_peak_bytes (GobanRun *self);
/* Valid runs before invalid ones, shorter before longer, then by name. */
int goban_run_compare (gconstpointer a, gconstpointer b);

/* Values that are computed on demand and kept with the run; one that is simulated again has none.
 * get: (nullable). keep: @value is (transfer full); if another thread has kept one meanwhile, that
 * stays and @value is destroyed. Both return what is kept, borrowed from the run. */
gpointer goban_run_get_derived (GobanRun *self, GQuark key);
gpointer goban_run_keep_derived (GobanRun *self, GQuark key, gpointer value,
                                 GDestroyNotify destroy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRun, goban_run_unref)

/* Budget and options of a policy's run, and what is forced on it. */

/* The decision of a run that was made otherwise in another one. */
typedef struct
{
  const char *of;     /* (nullable): the name of the run; NULL: nothing was forced */
  GobanMoment moment; /* of its decisions */
  guint32 option;     /* that was taken there */
} GobanForcedDecision;

/* Values of GobanRunOptions.finish beside 0. */
enum
{
  GOBAN_FINISH_EARLY = 1, /* a search ends with its best plan, a quick policy is cancelled */
  GOBAN_FINISH_STOPPED    /* the same, and what is learned on the graph counts as stopped */
};

/* Budget and options of a policy; zeroes are the policy's defaults. */
typedef struct
{
  guint64 seed;
  guint64 max_evaluations;
  double max_seconds;
  const GobanProgress *progress; /* (nullable) */
  const gint *finish;            /* (nullable), atomic: GOBAN_FINISH_... */
  GobanFusing fusing;            /* applied to the policy's plan */
  /* For the learned policies that support them, see engine/learn/rl/learned-options.h; all
     (nullable). */
  const char *network;
  const char *settings;
  GobanPlan *start;     /* for policies with has_start, too */
  GobanTasks decisions; /* decisions of GO; 0: placement */
  /* (nullable), both or none: these nodes keep their devices in that plan, whatever the policy. */
  GobanSelection *pinned;
  GobanPlan *pinned_by;
  const char *expression; /* (nullable): Lua that makes the plan, kept with the run */
  const char *name;       /* (nullable): of the run; the policy's by default */
  /* (nullable): gets the updates of a policy that learns on the graph
     (engine/study/run/policy-run.h) */
  GobanTrainingLog *learning;
  gboolean skips_record; /* keeps no record of the decisions: for measurements of time */
  /* (nullable): what is forced on the policy, which must decide as in @expected until then. Like
     progress and finish, of one call. */
  const GobanForcedDecision *force;
  GobanDecisions *expected; /* (nullable) without @force */
  /* (nullable): has the decisions while the policy makes them; of one call, too */
  GobanDecisionsFeed *feed;
  GStringChunk *texts; /* of a copy: owner of its strings; else NULL */
} GobanRunOptions;

/**
 * goban_run_options_dup:
 * @options: (nullable): %NULL is the default
 *
 * A copy for work that lasts longer than the call: it owns its strings, and has references on
 * plans, selection and log. Progress, finish and what is forced belong to a call and are left out.
 *
 * Returns: (transfer full): to be cleared
 */
GobanRunOptions goban_run_options_dup (const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Frees the members of such a copy. */
void goban_run_options_clear (GobanRunOptions *self);

/* A copy that many may hold, without @learning. (transfer full) */
GobanRunOptions *goban_run_options_share (const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;
/* Gives up a reference of g_atomic_rc_box_acquire() to such a copy, or the first one. */
void goban_run_options_release (GobanRunOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunOptions, goban_run_options_release)
