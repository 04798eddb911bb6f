/* session-runs.h: the list of a session's plans, and the one that is shown. */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

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

G_END_DECLS
