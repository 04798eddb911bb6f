/* cluster-work.h: cluster changes of scripts, whose plans a worker simulates.
 *
 * Reference-counted: a script that is stopped leaves it to the worker. Made and taken on the main
 * thread, run in any, by one at a time. For scripts, which wait meanwhile; edit-queue.h queues
 * changes of the window.
 */
#pragma once

#include "engine/machine/cluster/what-if.h"
#include "engine/session/session.h"
#include "engine/session/state.h"

G_BEGIN_DECLS

typedef struct _GobanClusterWork GobanClusterWork;

/* Starts from the session's present state. */
GobanClusterWork *goban_cluster_work_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
GobanClusterWork *goban_cluster_work_ref (GobanClusterWork *self);
void goban_cluster_work_unref (GobanClusterWork *self);

/* Adds a change on top of those before, without simulating. %FALSE with %GOBAN_ERROR_INVALID
 * set. */
gboolean goban_cluster_work_add (GobanClusterWork *self, const GobanWhatIf *change, GError **error);
/* Adds another cluster; does nothing if it equals the present one. */
void goban_cluster_work_add_cluster (GobanClusterWork *self, GobanCluster *cluster);
guint goban_cluster_work_get_n (const GobanClusterWork *self);

/* Simulates all plans on each of the clusters. In any thread. */
void goban_cluster_work_run (GobanClusterWork *self);

/* Commits each change to the session, with its name and log line; simulates again if the session
 * has changed in the meantime. */
void goban_cluster_work_take (GobanClusterWork *self, GobanSession *session);

/* Commits another cluster with the plans simulated on it: @next and @n_dropped are results of
 * goban_state_with_cluster() for the present, in any thread. Logs @line and reports dropped plans.
 * @next: (transfer full) */
void goban_session_commit_cluster (GobanSession *self, const char *name, const char *line,
                                   GobanState *next, guint n_dropped);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanClusterWork, goban_cluster_work_unref)

G_END_DECLS
