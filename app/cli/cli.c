#include "app/cli/cli.h"

#include "app/cli/cli-fit.h"
#include "app/cli/cli-numbers.h"
#include "app/cli/cli-ranks.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/quantity.h"
#include "engine/study/programs/external-policy.h"
#include "engine/study/run/graph-source.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gboolean keeps_lines; /* on a terminal, too */
static GobanCliOptionsFunc told;
static gpointer told_data;

/* --- options ------------------------------------------------------------------------------ */

void
goban_cli_options_clear (GobanCliOptions *options)
{
  g_clear_pointer (&options->cluster, g_free);
  g_clear_pointer (&options->costs, g_free);
  g_clear_pointer (&options->format, g_free);
  g_clear_pointer (&options->time_unit, g_free);
  g_clear_pointer (&options->network, g_free);
  g_clear_pointer (&options->settings, g_free);
  g_clear_pointer (&options->tasks, g_free);
  g_clear_pointer (&options->fusion, g_free);
  g_clear_pointer (&options->external, g_strfreev);
}

static void
add_entries (GArray *all, const GOptionEntry *entries)
{
  for (; entries->long_name != NULL; entries++)
    g_array_append_val (all, *entries);
}

/* @formats: help of --format, borrowed while the entries are used */
static void
add_shared_options (GArray *all, GobanCliOptions *options, guint groups, const char *formats)
{
  const GOptionEntry always[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Write JSON for scripts", NULL },
    { "wide", 0, 0, G_OPTION_ARG_NONE, &options->wide,
      "Do not break lines at the width of the terminal", NULL },
    { NULL },
  };
  const GOptionEntry graph[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &options->format, formats, "FORMAT" },
    { "time-unit", 0, 0, G_OPTION_ARG_STRING, &options->time_unit,
      "What times without a unit are in (default us)", "ns|us|ms|s" },
    { "batch", 0, 0, G_OPTION_ARG_INT64, &options->batch,
      "Batch size of an ONNX or TensorFlow model", "N" },
    { "training", 0, 0, G_OPTION_ARG_NONE, &options->training,
      "Add backward and update nodes to an inference graph", NULL },
    { "with-backward", 0, 0, G_OPTION_ARG_NONE, &options->with_backward,
      "PipeDream: add backward nodes with the file's own times", NULL },
    { "keep-constants", 0, 0, G_OPTION_ARG_NONE, &options->keep_constants,
      "Keep constants of ONNX and unserved nodes of TensorFlow as nodes", NULL },
    { NULL },
  };
  const GOptionEntry cluster[] = {
    { "cluster", 'c', 0, G_OPTION_ARG_STRING, &options->cluster,
      "p100xN (N: 2, 4, 8), v100xN, cpu+gpu, equal:N[,bandwidth=B/s][,latency=s], "
      "msr:N[,memory=BYTES], devices:KIND[=BYTES],… or a JSON file (default: the one that the "
      "graph's "
      "file names, else p100x4)",
      "CLUSTER" },
    { "contention-free", 0, 0, G_OPTION_ARG_NONE, &options->contention_free,
      "Transfers never wait for each other, as in the scheduling literature", NULL },
    { NULL },
  };
  const GOptionEntry costs[] = {
    { "costs", 0, 0, G_OPTION_ARG_FILENAME, &options->costs,
      "Take the times of ops from a profile of ONNX Runtime or a Chrome trace", "PROFILE" },
    { NULL },
  };
  const GOptionEntry policy[] = {
    { "seed", 's', 0, G_OPTION_ARG_INT64, &options->seed, "Seed of all chance (default 0)",
      "SEED" },
    { "evals", 0, 0, G_OPTION_ARG_INT64, &options->evaluations, "Simulations a search may spend",
      "N" },
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->seconds, "Seconds a search may spend", "S" },
    { "network", 0, 0, G_OPTION_ARG_FILENAME, &options->network,
      "Parameters of a learned policy, instead of its own", "FILE" },
    { "set", 0, 0, G_OPTION_ARG_STRING, &options->settings,
      "Change a learned policy's network or training, such as attention=0,credit=0",
      "KEY=VALUE,…" },
    { "tasks", 0, 0, G_OPTION_ARG_STRING, &options->tasks,
      "What GO decides (default placement); other policies decide what they are made for",
      "placement|scheduling|fusion|all,…" },
    { "external", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->external,
      "A policy whose plans another program makes (docs/protocol.md): one plan, or a search of "
      "--evals plans; may be given several times",
      "NAME=COMMAND" },
    { NULL },
  };

  const GOptionEntry fusion[] = {
    { "fusion", 0, 0, G_OPTION_ARG_STRING, &options->fusion,
      "Which ops run as one kernel: none, or default, as XLA fuses", "none|default" },
    { NULL },
  };

  if (!(groups & GOBAN_CLI_REST))
    add_entries (all, always);
  if (groups & GOBAN_CLI_GRAPH)
    add_entries (all, graph);
  if (groups & GOBAN_CLI_DEVICES)
    add_entries (all, cluster);
  if (groups & GOBAN_CLI_COSTS)
    add_entries (all, costs);
  if (groups & GOBAN_CLI_POLICY)
    add_entries (all, policy);
  if (groups & GOBAN_CLI_FUSION)
    add_entries (all, fusion);
}

/* Before policies are looked for by their names. */
static gboolean
add_external_policies (const GobanCliOptions *options, GError **error)
{
  static const int owner;

  for (guint i = 0; options->external != NULL && options->external[i] != NULL; i++)
    if (!goban_external_policy_add_text (options->external[i], (guint64) options->evaluations,
                                         (gpointer) &owner, error))
      return FALSE;
  return TRUE;
}

static gboolean
say_usage (const GobanVerb *verb, const char *problem)
{
  g_printerr ("goban-cli %s: %s\nusage: goban-cli %s [OPTION…]%s%s\n", verb->name, problem,
              verb->name, *verb->arguments != '\0' ? " " : "", verb->arguments);
  return FALSE;
}

/* Does not return. */
static void
print_help (GOptionContext *context)
{
  g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

  exit (goban_cli_print (help));
}

/* GLib leaves the "--" before a file whose name begins with a dash. */
static void
drop_separator (int *argc, char **argv)
{
  if (*argc < 2 || !g_str_equal (argv[1], "--"))
    return;
  for (int i = 1; i < *argc; i++)
    argv[i] = argv[i + 1];
  (*argc)--;
}

void
goban_cli_tell_options (GobanCliOptionsFunc func, gpointer user_data)
{
  told = func;
  told_data = user_data;
}

gboolean
goban_cli_parse (const GobanVerb *verb, int *argc, char ***argv, GobanCliOptions *options,
                 guint groups, const GOptionEntry *own, int n_min, int n_max)
{
  g_autoptr (GOptionContext) context = g_option_context_new (verb->arguments);
  g_autoptr (GArray) all = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  g_autoptr (GobanCliNumbers) numbers = goban_cli_numbers_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_strdup_printf ("goban-cli %s", verb->name);
  gboolean asks_for_help = FALSE;
  const GOptionEntry help[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &asks_for_help, "Show this help", NULL },
    { NULL },
  };
  g_autofree char *readers = goban_graph_source_list_readers ();
  g_autofree char *formats = g_strdup_printf ("%s (default: found by content)", readers);

  if (own != NULL)
    add_entries (all, own);
  add_shared_options (all, options, groups, formats);
  add_entries (all, help);
  if (told != NULL)
    {
      told (verb, (const GOptionEntry *) (void *) all->data, told_data);
      return FALSE;
    }

  g_set_prgname (program);
  g_option_context_set_summary (context, verb->summary);
  g_option_context_set_strict_posix (context, (groups & GOBAN_CLI_REST) != 0);
  g_option_context_set_help_enabled (context, FALSE);
  goban_cli_numbers_add_entries (numbers, context, (const GOptionEntry *) (void *) all->data);
  if (!g_option_context_parse (context, argc, argv, &error))
    return say_usage (verb, error->message);
  drop_separator (argc, *argv);
  if (options->wide || options->json)
    goban_cli_keep_lines ();
  if (asks_for_help)
    print_help (context);

  goban_cli_progress ();
  if (*argc - 1 < n_min)
    return say_usage (verb, n_min == 1 ? "an argument is missing" : "arguments are missing");
  if (*argc - 1 > n_max)
    return say_usage (verb, "there are too many arguments");
  if (!goban_cli_numbers_read (numbers, &error))
    return say_usage (verb, error->message);
  if (options->time_unit != NULL && !(goban_time_unit_us (options->time_unit) > 0))
    return say_usage (verb, "--time-unit is ns, us, ms or s");
  if (!goban_graph_source_check_reader (options->format, &error)
      || !goban_fusing_parse (options->fusion, &options->fusing, &error)
      || (options->tasks != NULL
          && !goban_tasks_parse (options->tasks, &options->decisions, &error))
      || !add_external_policies (options, &error))
    return say_usage (verb, error->message);
  return TRUE;
}

/* --- work ---------------------------------------------------------------------------------- */

gboolean
goban_cli_refuse (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("%s: %s\n", g_get_prgname (), message);
  return FALSE;
}

int
goban_cli_fail (const GError *error, int otherwise)
{
  /* A signal makes reads fail in ways of their own, and may end a search that has found nothing. */
  if (goban_cli_is_interrupted ()
      || (goban_cli_search_was_ended ()
          && (g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED)
              || !goban_cli_is_first_rank ())))
    {
      goban_cli_progress_end ();
      g_printerr ("goban-cli: interrupted\n");
      return GOBAN_EXIT_INTERRUPTED;
    }

  goban_cli_progress_end ();
  g_printerr ("goban-cli: %s\n", error->message);
  return otherwise;
}

int
goban_cli_fail_result (const GError *error)
{
  gboolean is_file = g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_IO)
                     || g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);

  return goban_cli_fail (error, is_file ? GOBAN_EXIT_FILE : GOBAN_EXIT_WORSE);
}

void
goban_cli_keep_lines (void)
{
  keeps_lines = TRUE;
}

int
goban_cli_print (const char *text)
{
  guint width = goban_cli_get_width (STDOUT_FILENO);
  g_autofree char *plain = width > 0 ? goban_cli_dup_plain (text) : NULL;
  g_autofree char *fit = width > 0 && !keeps_lines ? goban_cli_fit (plain, width) : NULL;
  g_autoptr (GError) error = NULL;

  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  goban_cli_progress_end ();
  if (!goban_cli_is_first_rank ())
    return GOBAN_EXIT_OK;
  if (plain != NULL)
    text = fit != NULL ? fit : plain;
  if (!goban_file_write ("-", text, strlen (text), &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  return GOBAN_EXIT_OK;
}

char **
goban_cli_split_policies (const char *list, GError **error)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  if (names[0] == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "--policies names none; goban-cli policies lists them");
      return NULL;
    }
  for (guint i = 0; names[i] != NULL; i++)
    if (!goban_policy_exists (g_strstrip (names[i]), error))
      return NULL;
  return g_steal_pointer (&names);
}

/* In the words of scripts' warnings. */
static void
warn_if_ignored (gboolean is_taken, const char *option, const char *names)
{
  if (is_taken)
    return;
  if (*names == '\0')
    g_printerr ("goban-cli: warning: no policy is run that would use %s\n", option);
  else
    g_printerr ("goban-cli: warning: %s %s not use %s\n", names,
                strchr (names, ',') != NULL ? "do" : "does", option);
}

gboolean
goban_cli_check_policies (const char *const *policies, const GobanCliOptions *options,
                          const char *start, int *exit_code)
{
  gboolean has_budget = options->evaluations == 0 && !(options->seconds > 0);
  gboolean has_network = options->network == NULL;
  gboolean has_tasks = options->tasks == NULL;
  gboolean has_start = start == NULL;
  g_autofree char *names = g_strjoinv (", ", (char **) policies);
  g_autoptr (GError) error = NULL;

  if (options->network != NULL && !g_file_test (options->network, G_FILE_TEST_EXISTS))
    {
      goban_set_error (&error, GOBAN_ERROR_IO, "%s: there is no such network", options->network);
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
      return FALSE;
    }
  for (guint i = 0; policies[i] != NULL; i++)
    {
      GobanPolicyInfo info;

      if (!goban_policy_find (policies[i], &info, NULL))
        continue; /* reported by the verb */
      has_budget |= strcmp (info.effort, "quick") != 0;
      has_network |= info.has_network;
      has_tasks |= info.has_tasks;
      has_start |= info.has_start || info.has_tasks;
    }
  warn_if_ignored (has_budget, options->evaluations > 0 ? "--evals" : "--seconds", names);
  warn_if_ignored (has_network, "--network", names);
  warn_if_ignored (has_tasks, "--tasks", names);
  warn_if_ignored (has_start, "--start", names);
  if (!goban_policies_check_settings (policies, options->settings, &error))
    g_printerr ("goban-cli: warning: %s\n", error->message);
  return TRUE;
}

GobanRunOptions
goban_cli_run_options (const GobanCliOptions *options)
{
  return (GobanRunOptions){
    .seed = options->seed,
    .max_evaluations = options->evaluations,
    .max_seconds = options->seconds,
    .progress = goban_cli_progress (),
    .finish = goban_cli_search_get_finish (),
    .fusing = options->fusing,
    .network = options->network,
    .settings = options->settings,
    .decisions = options->decisions,
  };
}
