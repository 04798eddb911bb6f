/* cli.h: shared parts of the verbs of goban-cli: options, exit codes, progress, errors.
 *
 * A verb parses its own options, does its work through engine/session, writes results to standard
 * output and everything else to standard error, and returns an exit code.
 *
 * Decisions A1 and A2 (app/NOTES.md).
 */
#pragma once

#include "app/cli/cli-progress.h"
#include "engine/session/session.h"
#include "engine/study/report/report.h"

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

/* All verbs in the order of the help, NULL-terminated. */
extern const GobanVerb *const goban_verbs[];
extern const GobanVerb goban_verb_apply;
extern const GobanVerb goban_verb_bench;
extern const GobanVerb goban_verb_calibrate;
extern const GobanVerb goban_verb_collective;
extern const GobanVerb goban_verb_compare;
extern const GobanVerb goban_verb_completions;
extern const GobanVerb goban_verb_convert;
extern const GobanVerb goban_verb_generate;
extern const GobanVerb goban_verb_info;
extern const GobanVerb goban_verb_parallel;
extern const GobanVerb goban_verb_pipeline;
extern const GobanVerb goban_verb_measure;
extern const GobanVerb goban_verb_place;
extern const GobanVerb goban_verb_policies;
extern const GobanVerb goban_verb_render;
extern const GobanVerb goban_verb_repl;
extern const GobanVerb goban_verb_replicas;
extern const GobanVerb goban_verb_run;
extern const GobanVerb goban_verb_serve;
extern const GobanVerb goban_verb_simulate;
extern const GobanVerb goban_verb_train;

/* Not a verb of its own name, but of "-e". */
int goban_cli_run_code (int argc, char **argv);

/* --- options -------------------------------------------------------------------------------- */

/* Options shared by several verbs; each verb selects its own. Strings are owned. */
typedef struct
{
  gboolean json;
  gboolean wide;
  char *cluster;
  gboolean contention_free;
  gboolean bottlenecks; /* GOBAN_CLI_BOTTLENECKS_OPTION() */
  char *costs;          /* (nullable) a profile with measured times */
  /* how a graph is read */
  char *format;
  char *time_unit;
  gint64 batch;
  gboolean training;
  gboolean with_backward;
  gboolean keep_constants;
  /* budget of a policy */
  gint64 seed;
  gint64 evaluations;
  double seconds;
  char *network;        /* (nullable) */
  char *settings;       /* (nullable) */
  char *tasks;          /* (nullable) */
  char **external;      /* (nullable) NAME=COMMAND of policies of other programs */
  GobanTasks decisions; /* tasks as flags; 0: placement */
  char *fusion;
  GobanFusing fusing; /* meaning of the word */
} GobanCliOptions;

typedef enum
{
  GOBAN_CLI_GRAPH = 1 << 0,
  GOBAN_CLI_DEVICES = 1 << 1, /* --cluster, and how plans are executed */
  GOBAN_CLI_POLICY = 1 << 2,
  GOBAN_CLI_FUSION = 1 << 3,
  GOBAN_CLI_COSTS = 1 << 4,
  GOBAN_CLI_REST = 1 << 5, /* all after the first argument is another's; no --json and --wide */
  GOBAN_CLI_CLUSTER = GOBAN_CLI_DEVICES | GOBAN_CLI_COSTS,
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
 * Numbers of @own need bounds in app/cli/cli-numbers.c.
 *
 * Returns: %FALSE after printing the mistake: exit with GOBAN_EXIT_USAGE
 */
gboolean goban_cli_parse (const GobanVerb *verb, int *argc, char ***argv, GobanCliOptions *options,
                          guint groups, const GOptionEntry *own, int n_min, int n_max);

/* @entries end with one without a name; borrowed. */
typedef void (*GobanCliOptionsFunc) (const GobanVerb *verb, const GOptionEntry *entries,
                                     gpointer user_data);
/* From now on goban_cli_parse() tells @func the options of a verb that is run, and returns %FALSE.
 */
void goban_cli_tell_options (GobanCliOptionsFunc func, gpointer user_data);

/* --- work ------------------------------------------------------------------------------------- */

/* "a, b" as names that exist. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set */
char **goban_cli_split_policies (const char *list, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Warns on standard error of options that none of the policies takes. @start (nullable): the path
 * of a plan to begin with. %FALSE, with the exit code set after an error, if the network does not
 * exist. */
gboolean goban_cli_check_policies (const char *const *policies, const GobanCliOptions *options,
                                   const char *start, int *exit_code);
GobanRunOptions goban_cli_run_options (const GobanCliOptions *options);

/* Prints "goban-cli VERB: message" for a mistake in the arguments; returns %FALSE. */
gboolean goban_cli_refuse (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Prints "goban-cli: message" and returns the exit code: 130 after Ctrl+C, else @otherwise. */
int goban_cli_fail (const GError *error, int otherwise);

/* The same for work that finds no result: GOBAN_EXIT_FILE if a file that it needs, such as that of
 * a network, cannot be read or understood, else GOBAN_EXIT_WORSE. */
int goban_cli_fail_result (const GError *error);

/* From now on goban_cli_print() leaves lines as they are: for what programs read. */
void goban_cli_keep_lines (void);
/* Writes results to standard output, on a terminal fitted to its width; returns GOBAN_EXIT_OK, or
 * another code after saying why. */
int goban_cli_print (const char *text);
