/* run.h: one plan on one graph and one cluster, simulated: a row of every list and table.
 *
 * A GObject, so that lists and panes can hold it, but an immutable one: any thread may read it.
 * Making one simulates, so make large ones in a worker. policy-run.h makes them with a policy,
 * run-origin.h tells what it spent, resting.h lets the trace go.
 */
#pragma once

#include "engine/sim/trace.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_RUN (goban_run_get_type ())
G_DECLARE_FINAL_TYPE (GobanRun, goban_run, GOBAN, RUN, GObject)

/* Simulates @plan; @name (nullable) defaults to the plan's policy. (transfer full) */
GobanRun *goban_run_new (GobanCostModel *costs, GobanPlan *plan,
                         const char *name) G_GNUC_WARN_UNUSED_RESULT;

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
/* Valid runs before invalid ones, shorter before longer, then by name. */
int goban_run_compare (gconstpointer a, gconstpointer b);

G_END_DECLS
