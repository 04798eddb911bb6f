#include "app/cli/cli-load.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/session/document/session-file.h"
#include "engine/study/run/graph-source.h"

#define DEFAULT_CLUSTER "p100x4"

GobanGraph *
goban_cli_load_graph (const char *path, const GobanCliOptions *options, int *exit_code)
{
  GobanLoadOptions loading = {
    .format = options->format,
    .batch = options->batch,
    .training = options->training,
    .with_backward = options->with_backward,
    .keep_constants = options->keep_constants,
    .progress = goban_cli_progress (),
  };
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  if (options->time_unit != NULL)
    loading.time_unit_us = goban_time_unit_us (options->time_unit);
  graph = goban_graph_source_load (path, &loading, &error);
  if (graph == NULL)
    *exit_code = goban_cli_fail (error, loading.format == NULL && goban_graph_source_is_spec (path)
                                            ? GOBAN_EXIT_USAGE
                                            : GOBAN_EXIT_FILE);
  return graph;
}

GobanCluster *
goban_cli_load_cluster (const char *spec, int *exit_code)
{
  const char *path = spec != NULL ? spec : DEFAULT_CLUSTER;
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_spec (path, &error);

  if (cluster == NULL)
    *exit_code = goban_cli_fail (error, g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                                                && !g_file_test (path, G_FILE_TEST_EXISTS)
                                            ? GOBAN_EXIT_USAGE
                                            : GOBAN_EXIT_FILE);
  return cluster;
}

GobanExecution
goban_cli_get_execution (const GobanCliOptions *options)
{
  return options->contention_free ? GOBAN_EXECUTION_CONTENTION_FREE : GOBAN_EXECUTION_EVENTS;
}

/* Warns on standard error. */
static gboolean
check_times (const GobanCluster *cluster, const GobanGraph *graph, int *exit_code)
{
  g_autofree char *warning = NULL;
  g_autoptr (GError) error = NULL;

  if (!goban_cluster_check_times (cluster, graph, &warning, &error))
    {
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_USAGE);
      return FALSE;
    }
  if (warning != NULL)
    {
      goban_cli_progress_end ();
      g_printerr ("goban-cli: warning: %s\n", warning);
    }
  return TRUE;
}

/* A graph runs on the cluster that its file names, unless the user names one. */
GobanCostModel *
goban_cli_new_costs (GobanGraph *graph, const GobanCliOptions *options, int *exit_code)
{
  const char *own = goban_graph_get_cluster_spec (graph);
  const char *spec = *own != '\0' ? own : NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) measured = NULL;
  g_autoptr (GError) error = NULL;

  cluster = goban_cli_load_cluster (options->cluster != NULL ? options->cluster : spec, exit_code);
  if (cluster == NULL)
    return NULL;
  measured = options->costs != NULL ? goban_graph_source_measure (graph, options->costs, cluster,
                                                                  goban_cli_progress (), &error)
                                    : goban_graph_ref (graph);
  if (measured == NULL)
    *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (measured == NULL || !check_times (cluster, measured, exit_code))
    return NULL;
  return goban_cost_model_new (measured, cluster, goban_cli_get_execution (options));
}

/* Mistakes that can be found without the graph are reported before a large one is read. */
GobanCostModel *
goban_cli_load_costs (const char *path, const GobanCliOptions *options, int *exit_code)
{
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;

  if (options->cluster != NULL)
    cluster = goban_cli_load_cluster (options->cluster, exit_code);
  if (options->cluster != NULL && cluster == NULL)
    return NULL;
  graph = goban_cli_load_graph (path, options, exit_code);
  return graph != NULL ? goban_cli_new_costs (graph, options, exit_code) : NULL;
}

void
goban_cli_print_warnings (GobanCostModel *costs)
{
  const char *const *warnings = goban_graph_get_warnings (goban_cost_model_get_graph (costs));

  goban_cli_progress_end ();
  for (guint i = 0; warnings[i] != NULL; i++)
    g_printerr ("goban-cli: warning: %s\n", warnings[i]);
}

gboolean
goban_cli_load_start (const char *path, GobanCostModel *costs, GobanPlan **start, int *exit_code)
{
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return TRUE;
  *start = goban_plan_load (path, costs, &error);
  if (*start == NULL)
    *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
  return *start != NULL;
}

GobanRun *
goban_cli_load_session (const char *path, int *exit_code)
{
  GobanSnapshotOptions options = { .progress = goban_cli_progress () };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSnapshot) snapshot = goban_snapshot_load (path, &options, &error);
  const char *const *warnings;

  goban_cli_progress_end ();
  if (snapshot == NULL)
    {
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
      return NULL;
    }
  warnings = goban_snapshot_get_warnings (snapshot);
  for (guint i = 0; warnings[i] != NULL; i++)
    g_printerr ("goban-cli: %s\n", warnings[i]);
  if (goban_snapshot_get_current_run (snapshot) == NULL)
    {
      g_printerr ("goban-cli: %s: the session has no plan\n", path);
      *exit_code = GOBAN_EXIT_FILE;
      return NULL;
    }
  return goban_run_ref (goban_snapshot_get_current_run (snapshot));
}

gboolean
goban_cli_check_session (const char *session, int argc, const char *plan)
{
  if (session == NULL && argc > 1)
    return TRUE;
  if (session != NULL && argc == 1 && plan == NULL)
    return TRUE;
  return goban_cli_refuse (session == NULL
                               ? "which graph? or --session FILE"
                               : "a session has its graph and its plan: give none beside it");
}

gboolean
goban_cli_check_input (const char *graph, const char *plan)
{
  return strcmp (graph, "-") != 0 || g_strcmp0 (plan, "-") != 0
         || goban_cli_refuse ("graph and plan cannot both be standard input");
}
