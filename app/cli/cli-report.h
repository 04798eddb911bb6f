/* cli-report.h: reports of runs, and files of the graphs that verbs of goban-cli make. */
#pragma once

#include "app/cli/cli.h"

/* For verbs whose report may list bottlenecks. @options: GobanCliOptions */
#define GOBAN_CLI_BOTTLENECKS_OPTION(options)                                                      \
  {                                                                                                \
    "bottlenecks", 0, 0, G_OPTION_ARG_NONE, &(options)->bottlenecks,                               \
        "Say what the makespan is spent on, along the critical path", NULL                         \
  }

/* GOBAN_EXIT_OK, or GOBAN_EXIT_WORSE for an invalid run. */
int goban_cli_get_exit_code (GobanRun *run);

/* Prints a report of @run, unless @taken (nullable), a path, is "-": standard output then holds
 * something else already. Returns the verb's exit code: GOBAN_EXIT_WORSE for an invalid run. */
int goban_cli_report_run (GobanRun *run, const GobanCliOptions *options, const char *taken);

/* After a graph was written to @output: with --json tells what was written, and its origin as @key,
 * unless the graph itself went to standard output. Returns an exit code. */
int goban_cli_report_written (const char *key, const char *origin, const GobanGraph *graph,
                              const char *output, const GobanCliOptions *options);

/* --- files ------------------------------------------------------------------------------------ */

/* Output paths of the graph of a run, its plan, its trace and its schedule, each (nullable).
 * Owned. */
typedef struct
{
  char *graph;
  char *plan;
  char *trace;
  char *schedule;
  char *schedule_text; /* what is written there */
} GobanCliOutputs;

/* For verbs that make a graph. @outputs: GobanCliOutputs */
#define GOBAN_CLI_PLAN_OUTPUT_OPTION(outputs)                                                      \
  {                                                                                                \
    "plan-output", 0, 0, G_OPTION_ARG_FILENAME, &(outputs)->plan, "Write its plan here", "FILE"    \
  }
#define GOBAN_CLI_TRACE_OPTION(path)                                                               \
  {                                                                                                \
    "trace", 0, 0, G_OPTION_ARG_FILENAME, path, "Write a trace for Perfetto or chrome://tracing",  \
        "OUT"                                                                                      \
  }

void goban_cli_outputs_clear (GobanCliOutputs *self);
/* %FALSE with @error set if no format belongs to the graph's path, or if two of the files are
 * standard output. */
gboolean goban_cli_outputs_check (const GobanCliOutputs *self, GError **error);
/* Writes the files of @run. Then prints, unless one of them is standard output, @head and the
 * report: text, or the beginning of a JSON object that gets the report as "run". Returns the verb's
 * exit code. */
int goban_cli_outputs_deliver (const GobanCliOutputs *self, GobanRun *run, const char *head,
                               const GobanCliOptions *options);

/* Whether only one of the paths (n), each (nullable), is "-"; otherwise %FALSE with @error set. */
gboolean goban_cli_check_printed (const char *const *paths, guint n, GError **error);
