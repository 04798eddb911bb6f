/* run.h: one plan on one graph and one cluster, simulated, as an immutable value.
 *
 * Reference-counted; any thread may hold and read one. Making one simulates, so make large ones in
 * a worker. policy-run.h makes runs with a policy, run-origin.h has what that has cost,
 * run-source.h what is needed to simulate one again.
 */
#pragma once

#include "engine/sim/trace.h"

#include <glib-object.h>

G_BEGIN_DECLS

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
/* Valid runs before invalid ones, shorter before longer, then by name. */
int goban_run_compare (gconstpointer a, gconstpointer b);

/* Values that are computed on demand and kept with the run; one that is simulated again has none.
 * get: (nullable). keep: @value is (transfer full); if another thread has kept one meanwhile, that
 * stays and @value is destroyed. Both return what is kept, borrowed from the run. */
gpointer goban_run_get_derived (GobanRun *self, GQuark key);
gpointer goban_run_keep_derived (GobanRun *self, GQuark key, gpointer value,
                                 GDestroyNotify destroy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRun, goban_run_unref)

G_END_DECLS
