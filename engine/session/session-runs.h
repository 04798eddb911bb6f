/* session-runs.h: the list of a session's plans, and the one that is shown. */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/node-values.h"

/* Names runs that will be added: the second one of a name is "heft 2", so that names are unique in
 * lists, legends, files and scripts. Runs of the list, and plans by hand, keep their names. */
void goban_session_name_runs (GobanSession *self, GPtrArray *runs);
/* Adds the run to the list if it is missing, and makes it the current one. A run of another graph
 * opens that graph first. */
void goban_session_add_run (GobanSession *self, GobanRun *run);
/* Adds runs of one graph (GobanRun, borrowed), at least one, as one change, and shows @shown.
 * @name: display name of the change; (nullable): NULL for the plans with which a graph is opened,
 * which are a change only if another one came before them. Not logged. */
void goban_session_add_runs (GobanSession *self, const char *name, GPtrArray *runs,
                             GobanRun *shown);
void goban_session_remove_run (GobanSession *self, GobanRun *run);
void goban_session_set_current_run (GobanSession *self, GobanRun *run);

/* --- measured times --------------------------------------------------------------------------- */

/**
 * goban_session_add_measured:
 * @costs: of the open graph, with measured times, on the cluster that was measured
 * @runs: (element-type GobanRun): of these costs, at least one: simulated and measured ones
 *
 * As one undoable change: costs and cluster are the present ones, the plans of the list that fit
 * the cluster are simulated with them, and @runs are added. The best of the simulated ones of @runs
 * is shown, with its measured run behind it. The caller writes the log.
 */
void goban_session_add_measured (GobanSession *self, GobanCostModel *costs, GPtrArray *runs);

/* --- colours ---------------------------------------------------------------------------------- */

/* (transfer full) (nullable): %NULL if no value is known. */
GobanNodeValues *goban_session_dup_color_values (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Whether that returns without computing. If not, a worker should call goban_color_get_values()
 * first: a run caches the values. */
gboolean goban_session_has_color_values (GobanSession *session);
