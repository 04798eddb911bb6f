/* cli-load.h: graphs, plans and sessions that the verbs of goban-cli read. */
#pragma once

#include "app/cli/cli.h"

/* Each prints an error and sets *exit_code if it returns NULL. (transfer full) */
GobanGraph *goban_cli_load_graph (const char *path, const GobanCliOptions *options, int *exit_code);
GobanCostModel *goban_cli_new_costs (GobanGraph *graph, const GobanCliOptions *options,
                                     int *exit_code);
GobanCostModel *goban_cli_load_costs (const char *path, const GobanCliOptions *options,
                                      int *exit_code);
/* @spec (nullable): the cluster of a graph that names none. */
GobanCluster *goban_cli_load_cluster (const char *spec, int *exit_code);
GobanExecution goban_cli_get_execution (const GobanCliOptions *options);
/* Prints the warnings of the graph's reader on standard error. */
void goban_cli_print_warnings (GobanCostModel *costs);
/* For verbs that ask a policy about one graph. */
#define GOBAN_CLI_START_OPTION(path)                                                               \
  {                                                                                                \
    "start", 0, 0, G_OPTION_ARG_FILENAME, path,                                                    \
        "What GO does not decide is as in this plan of the graph", "PLAN"                          \
  }

/* @path (nullable): NULL: no plan. %FALSE after printing an error, with the exit code set. */
gboolean goban_cli_load_start (const char *path, GobanCostModel *costs, GobanPlan **start,
                               int *exit_code);

/* The current run of a session file. Prints warnings; on errors prints a message and sets the exit
 * code. (transfer full) (nullable) */
GobanRun *goban_cli_load_session (const char *path, int *exit_code);

/* For verbs that take either a session or a graph and a plan. FALSE after printing an error if
 * neither or both are given. */
gboolean goban_cli_check_session (const char *session, int argc, const char *plan);

/* %FALSE after telling that graph and plan (nullable) cannot both be standard input. */
gboolean goban_cli_check_input (const char *graph, const char *plan);
