/* log-lines.h: Lua lines that repeat the changes of a session, for the log.
 *
 * A line names what it means by name or number, never "the selection", and runs without a window.
 * All that return text return one line, (transfer full).
 */
#pragma once

#include "engine/session/run.h"
#include "engine/session/what-if.h"

G_BEGIN_DECLS

/* Emits the signal "log" of @object, whose one parameter is a line, with a line of this format. */
void goban_log_emit (gpointer object, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* "text" as Lua reads it, whatever it holds. */
char *goban_log_quote (const char *text) G_GNUC_WARN_UNUSED_RESULT;
void goban_log_append_quoted (GString *line, const char *text);

/* g:nodes{"a", "b"}, or g:nodes "0-11,40" where there are many or their names are long; @ids ascend. What the
 * log says is set-words.h's. */
char *goban_log_nodes (GobanGraph *graph, const GobanNodeId *ids,
                       guint n) G_GNUC_WARN_UNUSED_RESULT;

/* app.cluster "p100x4"; with the whole of it if no preset is like it. */
char *goban_log_cluster (GobanCluster *cluster) G_GNUC_WARN_UNUSED_RESULT;

/* app.device("gpu:1", { flops = 9.5e+12 }) or app.link("gpu:0", "gpu:1", { bandwidth = 1e+10 }): one number of
 * what-if.h, in scripts' units; with "alike = true" where it is of all that are like it. */
char *goban_log_what_if (GobanCluster *cluster,
                         const GobanWhatIf *change) G_GNUC_WARN_UNUSED_RESULT;

/* plan.tf_default(g, { seed = 3, evals = 50 }): what a search may spend is part of what it finds. */
char *goban_log_policy (const char *policy,
                        const GobanRunOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* app.open "/home/me/model.onnx": the path is made absolute, a spec stays itself. */
char *goban_log_path (const char *path) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
