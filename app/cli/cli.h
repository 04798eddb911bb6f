/* cli.h: shared parts of the verbs of goban-cli: options, exit codes, progress, errors.
 *
 * A verb parses its own options, does its work through engine/session, writes results to standard
 * output and everything else to standard error, and returns an exit code.
 */
#pragma once

#include "engine/report/report.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_EXIT_OK = 0,
  GOBAN_EXIT_WORSE = 1, /* worse than asked for, or an invalid result */
  GOBAN_EXIT_USAGE = 2,
  GOBAN_EXIT_FILE = 3, /* a file that cannot be read, understood or written */
  GOBAN_EXIT_INTERRUPTED = 130,
} GobanExit;

typedef struct
{
  const char *name;
  const char *arguments; /* "GRAPH" */
  const char *summary;
  int (*run) (int argc, char **argv); /* argv[0] is the verb */
} GobanVerb;

extern const GobanVerb goban_verb_bench;
extern const GobanVerb goban_verb_compare;
extern const GobanVerb goban_verb_convert;
extern const GobanVerb goban_verb_generate;
extern const GobanVerb goban_verb_info;
extern const GobanVerb goban_verb_place;
extern const GobanVerb goban_verb_policies;
extern const GobanVerb goban_verb_render;
extern const GobanVerb goban_verb_repl;
extern const GobanVerb goban_verb_run;
extern const GobanVerb goban_verb_simulate;
extern const GobanVerb goban_verb_train;

/* Not a verb of its own name, but of "-e". */
int goban_cli_run_code (int argc, char **argv);

/* --- options -------------------------------------------------------------------------------- */

/* Options shared by several verbs; each verb selects its own. Strings are owned. */
typedef struct
{
  gboolean json;
  char *cluster;
  gboolean contention_free;
  char *model; /* (nullable) a name of goban_execution_from_name() */
  /* how a graph is read */
  char *format;
  char *time_unit;
  gint64 batch;
  gboolean training;
  gboolean with_backward;
  gboolean keep_constants;
  /* what a policy may spend */
  gint64 seed;
  gint64 evaluations;
  double seconds;
  char *network;            /* (nullable) */
  char *settings;           /* (nullable) */
  char *tasks;              /* (nullable) */
  GobanDecisions decisions; /* what they mean; 0: placement */
  char *fusion;
  GobanFusing fusing; /* what the word means */
} GobanCliOptions;

typedef enum
{
  GOBAN_CLI_GRAPH = 1 << 0,
  GOBAN_CLI_CLUSTER = 1 << 1,
  GOBAN_CLI_POLICY = 1 << 2,
  GOBAN_CLI_FUSION = 1 << 3,
} GobanCliGroup;

void goban_cli_options_clear (GobanCliOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanCliOptions, goban_cli_options_clear)

/**
 * goban_cli_parse:
 * @groups: which of the shared options the verb has, beside --json
 * @own: (nullable): the verb's own options
 * @n_min, @n_max: how many arguments the verb takes
 *
 * Parses and removes the options; argv[1..] are the arguments then. --help prints and exits.
 *
 * Returns: %FALSE after telling what is wrong: exit with GOBAN_EXIT_USAGE
 */
gboolean goban_cli_parse (const GobanVerb *verb, int *argc, char ***argv, GobanCliOptions *options,
                          guint groups, const GOptionEntry *own, int n_min, int n_max);

/* --- work ------------------------------------------------------------------------------------- */

/* Progress for work of more than a second, if standard error is a terminal; Ctrl+C stops. */
const GobanProgress *goban_cli_progress (void);
/* Takes the line of progress away before something else is written. */
void goban_cli_progress_end (void);

/* Each prints an error and sets *exit_code if it returns NULL. (transfer full) */
GobanGraph *goban_cli_load_graph (const char *path, const GobanCliOptions *options, int *exit_code);
GobanCostModel *goban_cli_new_costs (GobanGraph *graph, const GobanCliOptions *options,
                                     int *exit_code);
GobanCostModel *goban_cli_load_costs (const char *path, const GobanCliOptions *options,
                                      int *exit_code);
/* Prints each warning of the graph's reader on standard error: for verbs whose results are about the graph. */
void goban_cli_print_warnings (GobanCostModel *costs);
/* "a, b" as names that exist. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set */
char **goban_cli_split_policies (const char *list, GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanRunOptions goban_cli_run_options (const GobanCliOptions *options);

/* TRUE after Ctrl+C, with a message once: to be checked before a file is written. */
gboolean goban_cli_is_interrupted (void);

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

/* For verbs that take a session in place of a graph and a plan: whether what is there is one of the two, or FALSE after telling
 * what is wrong. */
gboolean goban_cli_check_session (const GobanVerb *verb, const char *session, int argc,
                                  const char *plan);

/* Prints "goban-cli: message" and returns the exit code: 130 after Ctrl+C, else @otherwise. */
int goban_cli_fail (const GError *error, int otherwise);

/* Tells of @run, unless @taken (nullable), a path, is "-": then standard output holds something else
 * already. Returns what the verb should: GOBAN_EXIT_WORSE for a run that is not valid. */
int goban_cli_report_run (GobanRun *run, const GobanCliOptions *options, const char *taken);

/* Writes results to standard output; returns GOBAN_EXIT_OK, or another code after saying why. */
int goban_cli_print (const char *text);

G_END_DECLS
