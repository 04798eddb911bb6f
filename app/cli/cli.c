#include "app/cli/cli.h"

#include "app/cli/cli-ranks.h"
#include "engine/base/error.h"
#include "engine/base/file-read.h"
#include "engine/base/file.h"
#include "engine/base/quantity.h"
#include "engine/run/graph-source.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Progress appears after a second and is then renewed ten times a second. */
#define PROGRESS_AFTER_US (1 * G_USEC_PER_SEC)
#define PROGRESS_EVERY_US (G_USEC_PER_SEC / 10)

static gint interrupted; /* atomic: set by a signal, or by a thread that waits for one */
static gint64 started_us;
static gint64 shown_us;
static gboolean line_is_shown;

/* --- progress ---------------------------------------------------------------------------- */

static void
interrupt_cb (int signal_number)
{
  /* A second Ctrl+C ends the program at once. */
  if (g_atomic_int_get (&interrupted))
    _exit (GOBAN_EXIT_INTERRUPTED);
  g_atomic_int_set (&interrupted, 1);
}

void
goban_cli_interrupt (void)
{
  g_atomic_int_set (&interrupted, 1);
}

static gboolean
should_stop (gpointer user_data)
{
  return g_atomic_int_get (&interrupted) != 0;
}

void
goban_cli_progress_show (double fraction, const char *what)
{
  line_is_shown = TRUE;
  if (fraction >= 0)
    fprintf (stderr, "\r\033[K%3.0f %%  %s", fraction * 100, what != NULL ? what : "");
  else
    fprintf (stderr, "\r\033[K%3" G_GINT64_FORMAT " s  %s",
             (g_get_monotonic_time () - started_us) / G_USEC_PER_SEC, what != NULL ? what : "");
  fflush (stderr);
}

static void
show_step (double fraction, const char *what, gpointer user_data)
{
  gint64 now_us = g_get_monotonic_time ();

  if (!goban_cli_is_first_rank () || now_us - started_us < PROGRESS_AFTER_US
      || now_us - shown_us < PROGRESS_EVERY_US)
    return;

  shown_us = now_us;
  goban_cli_progress_show (fraction, what);
}

const GobanProgress *
goban_cli_progress (void)
{
  static GobanProgress progress = { NULL, should_stop, NULL };

  if (started_us == 0)
    {
      struct sigaction action = { .sa_handler = interrupt_cb };

      sigaction (SIGINT, &action, NULL);
      goban_file_set_progress (&progress);
      started_us = g_get_monotonic_time ();
      if (isatty (STDERR_FILENO))
        progress.on_step = show_step;
    }
  return &progress;
}

void
goban_cli_progress_end (void)
{
  if (line_is_shown)
    fputs ("\r\033[K", stderr);
  line_is_shown = FALSE;
}

/* --- options ------------------------------------------------------------------------------ */

void
goban_cli_options_clear (GobanCliOptions *options)
{
  g_clear_pointer (&options->cluster, g_free);
  g_clear_pointer (&options->model, g_free);
  g_clear_pointer (&options->costs, g_free);
  g_clear_pointer (&options->format, g_free);
  g_clear_pointer (&options->time_unit, g_free);
  g_clear_pointer (&options->network, g_free);
  g_clear_pointer (&options->settings, g_free);
  g_clear_pointer (&options->tasks, g_free);
  g_clear_pointer (&options->fusion, g_free);
}

/* @formats: help of --format, borrowed while the context is used */
static void
add_shared_options (GOptionContext *context, GobanCliOptions *options, guint groups,
                    const char *formats)
{
  const GOptionEntry always[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json, "Write JSON for scripts", NULL },
    { NULL },
  };
  const GOptionEntry graph[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &options->format, formats, "NAME" },
    { "time-unit", 0, 0, G_OPTION_ARG_STRING, &options->time_unit,
      "What times without a unit are in: ns, us (default), ms, s", "UNIT" },
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
    { "model", 0, 0, G_OPTION_ARG_STRING, &options->model,
      "How plans are executed: events (default), contention-free, or msr-latency: accelerators "
      "run one block each, on the cluster that an MSR file names",
      "MODEL" },
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
      "What GO decides: any of placement (default), scheduling, fusion, or all; other policies "
      "decide what they are made for",
      "A,B,…" },
    { NULL },
  };

  const GOptionEntry fusion[] = {
    { "fusion", 0, 0, G_OPTION_ARG_STRING, &options->fusion,
      "Which ops run as one kernel: none, or default, as XLA fuses", "none|default" },
    { NULL },
  };

  g_option_context_add_main_entries (context, always, NULL);
  if (groups & GOBAN_CLI_GRAPH)
    g_option_context_add_main_entries (context, graph, NULL);
  if (groups & GOBAN_CLI_DEVICES)
    g_option_context_add_main_entries (context, cluster, NULL);
  if (groups & GOBAN_CLI_COSTS)
    g_option_context_add_main_entries (context, costs, NULL);
  if (groups & GOBAN_CLI_POLICY)
    g_option_context_add_main_entries (context, policy, NULL);
  if (groups & GOBAN_CLI_FUSION)
    g_option_context_add_main_entries (context, fusion, NULL);
}

static gboolean
say_usage (const GobanVerb *verb, const char *problem)
{
  g_printerr ("goban-cli %s: %s\nusage: goban-cli %s [OPTION…]%s%s\n", verb->name, problem,
              verb->name, *verb->arguments != '\0' ? " " : "", verb->arguments);
  return FALSE;
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

gboolean
goban_cli_parse (const GobanVerb *verb, int *argc, char ***argv, GobanCliOptions *options,
                 guint groups, const GOptionEntry *own, int n_min, int n_max)
{
  g_autoptr (GOptionContext) context = g_option_context_new (verb->arguments);
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_strdup_printf ("goban-cli %s", verb->name);
  g_autofree char *readers = goban_graph_source_list_readers ();
  g_autofree char *formats = g_strdup_printf ("%s (default: found by content)", readers);

  g_set_prgname (program);
  g_option_context_set_summary (context, verb->summary);
  if (own != NULL)
    g_option_context_add_main_entries (context, own, NULL);
  add_shared_options (context, options, groups, formats);
  if (!g_option_context_parse (context, argc, argv, &error))
    return say_usage (verb, error->message);
  drop_separator (argc, *argv);

  goban_cli_progress ();
  if (*argc - 1 < n_min)
    return say_usage (verb, n_min == 1 ? "an argument is missing" : "arguments are missing");
  if (*argc - 1 > n_max)
    return say_usage (verb, "there are too many arguments");
  if (options->batch < 0 || options->evaluations < 0 || options->seed < 0
      || !(options->seconds >= 0))
    return say_usage (verb, "a number may not be negative");
  if (options->time_unit != NULL && !(goban_time_unit_us (options->time_unit) > 0))
    return say_usage (verb, "--time-unit is ns, us, ms or s");
  if (!goban_graph_source_check_reader (options->format, &error)
      || !goban_fusing_parse (options->fusion, &options->fusing, &error)
      || (options->tasks != NULL
          && !goban_decisions_parse (options->tasks, &options->decisions, &error)))
    return say_usage (verb, error->message);
  return TRUE;
}

/* --- work ---------------------------------------------------------------------------------- */

gboolean
goban_cli_is_interrupted (void)
{
  if (!g_atomic_int_get (&interrupted))
    return FALSE;

  goban_cli_progress_end ();
  g_printerr ("goban-cli: interrupted\n");
  return TRUE;
}

int
goban_cli_fail (const GError *error, int otherwise)
{
  /* A signal makes reads fail in ways of their own. */
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;

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

int
goban_cli_print (const char *text)
{
  g_autoptr (GError) error = NULL;

  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  goban_cli_progress_end ();
  if (!goban_cli_is_first_rank ())
    return GOBAN_EXIT_OK;
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

void
goban_cli_warn_of_settings (const char *const *policies, const GobanCliOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (!goban_policies_check_settings (policies, options->settings, &error))
    g_printerr ("goban-cli: warning: %s\n", error->message);
}

GobanRunOptions
goban_cli_run_options (const GobanCliOptions *options)
{
  return (GobanRunOptions){
    .seed = options->seed,
    .max_evaluations = options->evaluations,
    .max_seconds = options->seconds,
    .progress = goban_cli_progress (),
    .fusing = options->fusing,
    .network = options->network,
    .settings = options->settings,
    .decisions = options->decisions,
  };
}
