/* log-lines.h: Lua lines that repeat the changes of a session, for the log.
 *
 * A line refers to things by name or number, never to "the selection", and runs without a window.
 * All that return text return one line, (transfer full).
 *
 * Decision A4 (app/NOTES.md).
 */
#pragma once

#include "engine/core/lua-text.h"
#include "engine/decisions/decisions.h"
#include "engine/machine/cluster/what-if.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

/* Emits the signal "log" of @object, whose one parameter is a line, with a line of this format. */
void goban_log_emit (gpointer object, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* g:nodes{"a", "b"}, or g:nodes "0-11,40" if there are many nodes or their names are long; @ids
 * ascend. The log itself uses set-description.h. */
char *goban_log_nodes (GobanGraph *graph, const GobanNodeId *ids,
                       guint n) G_GNUC_WARN_UNUSED_RESULT;

/* The nodes of a graph of @n_nodes that such ranges name: "0-11,40". (transfer full) (nullable):
 * %NULL with %GOBAN_ERROR_PARSE set */
GobanSelection *goban_log_parse_ranges (const char *text, guint n_nodes,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* app.cluster "p100x4"; with the full description if no preset is equal. */
char *goban_log_cluster (GobanCluster *cluster) G_GNUC_WARN_UNUSED_RESULT;

/* app.device("gpu:1", { flops = 9.5e+12 }) or app.link("gpu:0", "gpu:1", { bandwidth = 1e+10 }):
 * one number of what-if.h, in scripts' units; with "alike = true" if equal devices or links change,
 * too. */
char *goban_log_what_if (GobanCluster *cluster,
                         const GobanWhatIf *change) G_GNUC_WARN_UNUSED_RESULT;

/* plan.tf_default(g, { seed = 3, evals = 50 }): includes the budget, because the result of a search
 * depends on it. */
char *goban_log_policy (const char *policy,
                        const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* view.show(r.decisions[40]:continue("anneal", { evals = 500 })) */
char *goban_log_fork (GobanMoment moment, const char *policy,
                      const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* graph.load("/home/me/model.onnx", { batch = 8 }) */
char *goban_log_load (const char *path, const GobanLoadOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* sim.run(plan.heft(g), { name = "mine" }), of the expression that makes the plan of g. */
char *goban_log_run (const char *plan, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* app.open "/home/me/model.onnx": the path is made absolute; a spec is kept. */
char *goban_log_path (const char *path) G_GNUC_WARN_UNUSED_RESULT;
