/* session-cluster.h: changes of a session's cluster, for which every plan is simulated again. */
#pragma once

#include "engine/machine/cluster/what-if.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* Simulates every run's plan again on @cluster, and drops those that do not fit it. An equal
 * cluster is not a change. */
void goban_session_set_cluster (GobanSession *self, GobanCluster *cluster);

/* Changes a number of the cluster, as a logged change; all plans are simulated again,
 * synchronously. %FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_session_set_device (GobanSession *session, GobanDeviceId device, const char *what,
                                   double value, GError **error);
gboolean goban_session_set_link (GobanSession *session, guint from, guint to, const char *what,
                                 double value, GError **error);
gboolean goban_session_what_if (GobanSession *session, const GobanWhatIf *change, GError **error);
/* The cluster before its numbers were changed; borrowed. */
GobanCluster *goban_session_get_origin (GobanSession *session);

G_END_DECLS
