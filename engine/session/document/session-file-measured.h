/* session-file-measured.h: measured times in session files: those that costs were given, and those
 * of measured runs.
 *
 *   "times": { "kind": "cpu", "us": [ "20 200 200 20" ] }       by node, in rows
 *   "measured": [ "0 20", "20 220", ... ]                       of a run: start and finish by node
 */
#pragma once

#include "engine/session/document/session-values.h"

/* Nothing if the costs were given no times. */
void goban_session_write_times (GobanWriter *self, const GobanCostModel *costs);
/* Gives them to the snapshot's costs, unless its nodes have changed. */
gboolean goban_session_read_times (GobanReader *self, GobanJsonValue root, GError **error);

/* Nothing if the run was simulated. */
void goban_session_write_measured (GobanWriter *self, GobanRun *run);
/**
 * goban_session_read_measured:
 * @place: the run in the file
 * @plan: its plan; a plan of the snapshot that is equal to it is used instead
 *
 * Returns: %FALSE with @error set; *run is (transfer full) (nullable): %NULL, with a warning if its
 *   times do not fit the graph, or because the run was simulated
 */
gboolean goban_session_read_measured (GobanReader *self, GobanJsonValue place, GobanPlan *plan,
                                      GobanRun **run, GError **error);

/* A measured run and the simulated one have one plan: the snapshot's plan that equals @plan, of a
 * run that is measured or not; %NULL if there is none. Borrowed. */
GobanPlan *goban_session_find_plan (const GobanSnapshot *snapshot, const GobanPlan *plan,
                                    gboolean is_recorded);

/* Node names in session files, to match nodes if the graph's file has
 * changed.
 *
 * Only of graphs that come from a file: graphs of a spec or of the session itself are made the same
 * again.
 */

/* Writes one name per line, in the order of the node numbers. */
void goban_session_write_names (GobanWriter *self, const GobanGraph *graph);

/* If the nodes have changed: *@old becomes a graph of only the @n_nodes nodes that the file's
 * numbers refer to, in their order; (transfer full) (nullable): %NULL if the file has no names.
 * @graph: the "graph" object of the file */
gboolean goban_session_read_names (GobanJsonValue graph, guint64 n_nodes, GobanGraph **old,
                                   GError **error);
