#include "engine/study/analysis/steps/decisions.h"

const char *
goban_decisions_get_device (GobanRun *run, GobanTask task, guint32 choice)
{
  GobanCluster *cluster = goban_run_get_cluster (run);

  if (task != GOBAN_TASK_PLACEMENT || choice >= goban_cluster_get_n_devices (cluster))
    return NULL;
  return goban_cluster_get_device (cluster, choice)->name;
}
