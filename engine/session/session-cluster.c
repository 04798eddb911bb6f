#include "engine/session/session-cluster.h"

#include "engine/session/cluster-work.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"

/* FALSE, with a message, if no plan of the open graph would make sense on @cluster. */
static gboolean
check_chosen (GobanSession *self, GobanCluster *cluster)
{
  g_autofree char *warning = NULL;
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_session_get_graph (self);

  if (graph == NULL || goban_cluster_check_times (cluster, graph, &warning, &error))
    return TRUE;
  goban_session_say (self, TRUE, "%s", error->message);
  return FALSE;
}

void
goban_session_set_cluster (GobanSession *self, GobanCluster *cluster)
{
  g_autoptr (GobanClusterWork) work = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  if (!check_chosen (self, cluster))
    return;
  goban_session_prefer_cluster (self, cluster);
  work = goban_cluster_work_new (self);
  goban_cluster_work_add_cluster (work, cluster);
  goban_cluster_work_run (work);
  goban_cluster_work_take (work, self);
}

gboolean
goban_session_what_if (GobanSession *self, const GobanWhatIf *change, GError **error)
{
  g_autoptr (GobanClusterWork) work = goban_cluster_work_new (self);

  if (!goban_cluster_work_add (work, change, error))
    return FALSE;

  goban_cluster_work_run (work);
  goban_cluster_work_take (work, self);
  return TRUE;
}

gboolean
goban_session_set_device (GobanSession *self, GobanDeviceId device, const char *what, double value,
                          GError **error)
{
  const GobanWhatIf change = { .from = device, .what = what, .value = value };

  return goban_session_what_if (self, &change, error);
}

gboolean
goban_session_set_link (GobanSession *self, guint from, guint to, const char *what, double value,
                        GError **error)
{
  const GobanWhatIf change
      = { .is_link = TRUE, .from = from, .to = to, .what = what, .value = value };

  return goban_session_what_if (self, &change, error);
}

GobanCluster *
goban_session_get_origin (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return goban_session_get_state (self)->origin;
}
