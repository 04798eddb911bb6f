#include "app/cli/cli.h"

#include "engine/base/error.h"
#include "engine/training/train-builder.h"
#include "engine/training/train-go.h"
#include "engine/training/train-moves.h"
#include "engine/training/train.h"

#include <string.h>

typedef struct
{
  char *output;
  char *resume;
  char *from;
  char *curve;
  char *suite;
  char **left_out;
  char *preset;
  char *settings;
  char *tasks;
  gint64 n_steps;
  double seconds;
  gint64 n_rollouts;
  gint64 n_rows;
  gint64 seed;
  gint64 every;
  gboolean list;
} TrainArguments;

static void
train_arguments_clear (TrainArguments *arguments)
{
  g_free (arguments->output);
  g_free (arguments->resume);
  g_free (arguments->from);
  g_free (arguments->curve);
  g_free (arguments->suite);
  g_strfreev (arguments->left_out);
  g_free (arguments->preset);
  g_free (arguments->settings);
  g_free (arguments->tasks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TrainArguments, train_arguments_clear)

static int
fail (const GError *error)
{
  return goban_cli_fail (error, g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                                    ? GOBAN_EXIT_USAGE
                                    : GOBAN_EXIT_FILE);
}

/* --- regal ------------------------------------------------------------------------------------ */

/* Trainings that take some of the options of go's. */
typedef enum
{
  FOR_REGAL = 0,
  FOR_BUILDER = 1 << 0,
  FOR_MOVES = 1 << 1,
} Training;

/* Options that REGAL's network does not take. */
typedef struct
{
  gboolean is_given;
  guint trainings; /* that take it besides go's */
  const char *name;
} Foreign;

/* Says which option was given that the trained network does not take. FALSE if there is none. */
static gboolean
refuse_foreign (const TrainArguments *arguments, Training training)
{
  const Foreign options[] = {
    { arguments->resume != NULL, FOR_BUILDER | FOR_MOVES, "--resume" },
    { arguments->from != NULL, 0, "--from" },
    { arguments->curve != NULL, FOR_BUILDER | FOR_MOVES, "--curve" },
    { arguments->suite != NULL, 0, "--suite" },
    { arguments->left_out != NULL, FOR_BUILDER, "--leave-out" },
    { arguments->preset != NULL, 0, "--preset" },
    { arguments->settings != NULL, FOR_BUILDER | FOR_MOVES, "--settings" },
    { arguments->tasks != NULL, 0, "--tasks" },
    { arguments->seconds > 0, 0, "--seconds" },
    { arguments->n_rollouts > 0, FOR_BUILDER, "--rollouts" },
    { arguments->n_rows >= 0, 0, "--rows" },
    { arguments->every >= 0, FOR_BUILDER | FOR_MOVES, "--every" },
    { arguments->list, 0, "--list" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].is_given && (options[i].trainings & training) == 0)
      {
        g_printerr ("goban-cli train: %s is an option of go alone\n", options[i].name);
        return TRUE;
      }
  return FALSE;
}

static int
refuse_no_output (void)
{
  g_printerr ("goban-cli train: -o FILE says where the network goes\n");
  return GOBAN_EXIT_USAGE;
}

static int
train_other (const char *policy, const TrainArguments *arguments, gboolean json)
{
  GobanTrainOptions training = { .seed = (guint64) MAX (arguments->seed, 0),
                                 .n_steps = (guint) arguments->n_steps,
                                 .progress = goban_cli_progress () };
  g_autoptr (GobanTrainReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (arguments->output == NULL)
    return refuse_no_output ();
  if (refuse_foreign (arguments, FOR_REGAL))
    return GOBAN_EXIT_USAGE;
  report = goban_train_policy (policy, arguments->output, &training, &error);
  if (report == NULL)
    return fail (error);
  text = json ? goban_train_report_to_json (report) : goban_train_report_to_text (report);
  return goban_cli_print (text);
}

/* --- go --------------------------------------------------------------------------------------- */

/* After Ctrl+C, what is there and how it goes on. */
static int
say_stopped (const GobanGoReport *report)
{
  goban_cli_progress_end ();
  g_printerr ("goban-cli: stopped after %u", goban_go_report_get_step (report));
  if (goban_go_report_get_n_steps (report) > 0)
    g_printerr (" of %u", goban_go_report_get_n_steps (report));
  g_printerr (" steps; the network so far is %s, and this goes on:\n"
              "  goban-cli train go --resume %s\n",
              goban_go_report_get_output (report), goban_go_report_get_run (report));
  return GOBAN_EXIT_INTERRUPTED;
}

static int
train_go (const TrainArguments *arguments, gboolean json)
{
  GobanGoTraining training = {
    .output = arguments->output,
    .resume = arguments->resume,
    .from = arguments->from,
    .curve = arguments->curve,
    .suite = arguments->suite,
    .left_out = (const char *const *) arguments->left_out,
    .preset = arguments->preset,
    .settings = arguments->settings,
    .tasks = arguments->tasks,
    .n_steps = arguments->n_steps,
    .seconds = arguments->seconds,
    .n_rollouts = arguments->n_rollouts,
    .n_rows = arguments->n_rows,
    .seed = arguments->seed,
    .every = arguments->every,
  };
  g_autoptr (GobanGoReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (arguments->list)
    {
      text = goban_go_training_list (&training, &error);
      return text != NULL ? goban_cli_print (text) : fail (error);
    }
  if (arguments->output == NULL && arguments->resume == NULL)
    {
      g_printerr ("goban-cli train: -o FILE says where the network goes\n");
      return GOBAN_EXIT_USAGE;
    }
  report = goban_train_go (&training, NULL, goban_cli_progress (), &error);
  if (report == NULL)
    return fail (error);
  if (!goban_go_report_is_finished (report))
    return say_stopped (report);
  text = json ? goban_go_report_to_json (report) : goban_go_report_to_text (report);
  return goban_cli_print (text);
}

/* --- builder ---------------------------------------------------------------------------------- */

/* After Ctrl+C, what there is of a sitting and how it goes on. */
typedef struct
{
  const char *network; /* "builder" */
  const char *output;
  const char *run;
  guint n_done;
  guint n_steps;
} Stopped;

static int
say_sitting_stopped (const Stopped *stopped)
{
  goban_cli_progress_end ();
  g_printerr (
      "goban-cli: stopped after %u of %u steps; the network so far is %s, and this goes on:\n"
      "  goban-cli train %s --resume %s\n",
      stopped->n_done, stopped->n_steps, stopped->output, stopped->network, stopped->run);
  return GOBAN_EXIT_INTERRUPTED;
}

static int
tell_of_builder (const GobanBuilderReport *report, gboolean json)
{
  const Stopped stopped
      = { "builder", report->output, report->run, report->n_done, report->n_steps };
  g_autofree char *text
      = json ? goban_builder_report_to_json (report) : goban_builder_report_to_text (report);

  return report->is_finished ? goban_cli_print (text) : say_sitting_stopped (&stopped);
}

static int
train_builder (const TrainArguments *arguments, gboolean json)
{
  const GobanBuilderOptions options = {
    .output = arguments->output,
    .resume = arguments->resume,
    .curve = arguments->curve,
    .left_out = (const char *const *) arguments->left_out,
    .settings = arguments->settings,
    .n_steps = arguments->n_steps,
    .n_rollouts = arguments->n_rollouts,
    .seed = arguments->seed,
    .every = arguments->every,
  };
  g_autoptr (GobanBuilderReport) report = NULL;
  g_autoptr (GError) error = NULL;

  if (refuse_foreign (arguments, FOR_BUILDER))
    return GOBAN_EXIT_USAGE;
  if (arguments->output == NULL && arguments->resume == NULL)
    return refuse_no_output ();
  report = goban_train_builder (&options, goban_cli_progress (), &error);
  return report != NULL ? tell_of_builder (report, json) : fail (error);
}

/* --- moves ------------------------------------------------------------------------------------ */

static int
tell_of_moves (const GobanMovesReport *report, gboolean json)
{
  const Stopped stopped = { "moves", report->output, report->run, report->n_done, report->n_steps };
  g_autofree char *text
      = json ? goban_moves_report_to_json (report) : goban_moves_report_to_text (report);

  return report->is_finished ? goban_cli_print (text) : say_sitting_stopped (&stopped);
}

static int
train_moves (const TrainArguments *arguments, gboolean json)
{
  const GobanMovesOptions options = {
    .output = arguments->output,
    .resume = arguments->resume,
    .curve = arguments->curve,
    .settings = arguments->settings,
    .n_steps = arguments->n_steps,
    .seed = arguments->seed,
    .every = arguments->every,
  };
  g_autoptr (GobanMovesReport) report = NULL;
  g_autoptr (GError) error = NULL;

  if (refuse_foreign (arguments, FOR_MOVES))
    return GOBAN_EXIT_USAGE;
  if (arguments->output == NULL && arguments->resume == NULL)
    return refuse_no_output ();
  report = goban_train_moves (&options, goban_cli_progress (), &error);
  return report != NULL ? tell_of_moves (report, json) : fail (error);
}

/* --- all ------------------------------------------------------------------------------------- */

static gboolean
check_numbers (const TrainArguments *arguments)
{
  if (arguments->n_steps >= 0 && arguments->n_steps <= G_MAXINT && arguments->n_rollouts >= 0
      && arguments->seconds >= 0 && arguments->n_rows >= -1 && arguments->seed >= -1
      && arguments->every >= -1)
    return TRUE;
  g_printerr ("goban-cli train: a number is out of range\n");
  return FALSE;
}

static int
run_train (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (TrainArguments) arguments = { .n_rows = -1, .seed = -1, .every = -1 };
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output, "Write the network here",
      "FILE" },
    { "seed", 's', 0, G_OPTION_ARG_INT64, &arguments.seed, "Seed of all chance (default 0)",
      "SEED" },
    { "steps", 0, 0, G_OPTION_ARG_INT64, &arguments.n_steps,
      "Steps of the optimiser (default: those of the network that comes along)", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &arguments.seconds, "go: end after so many", "S" },
    { "leave-out", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments.left_out,
      "go: learn on no graph of this family, and try it on those; may be repeated", "FAMILY" },
    { "suite", 0, 0, G_OPTION_ARG_FILENAME, &arguments.suite,
      "go: learn on the graphs of a suite, by name or file", "SUITE" },
    { "list", 0, 0, G_OPTION_ARG_NONE, &arguments.list, "go: list the graphs to learn on", NULL },
    { "preset", 0, 0, G_OPTION_ARG_STRING, &arguments.preset,
      "go: as good as possible (default), or as literal", "goban|paper" },
    { "settings", 0, 0, G_OPTION_ARG_STRING, &arguments.settings,
      "go: changes of the preset: graphs and batch-steps of a batch, width, rate, …",
      "KEY=VALUE,…" },
    { "tasks", 0, 0, G_OPTION_ARG_STRING, &arguments.tasks,
      "go: placement (default), scheduling, fusion or all", "A,B,…" },
    { "rows", 0, 0, G_OPTION_ARG_INT64, &arguments.n_rows,
      "go: decisions that a graph is cut down to; 0: none is", "N" },
    { "rollouts", 0, 0, G_OPTION_ARG_INT64, &arguments.n_rollouts, "go: plans tried in a step",
      "N" },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &arguments.from, "go: begin with this network",
      "NETWORK" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &arguments.resume,
      "go: go on with a run that was stopped", "FILE.run" },
    { "curve", 0, 0, G_OPTION_ARG_FILENAME, &arguments.curve, "go: write all curves here as CSV",
      "CSV" },
    { "every", 0, 0, G_OPTION_ARG_INT64, &arguments.every,
      "go: try it on other graphs every N steps; 0: only at the end", "N" },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_train, &argc, &argv, &options, 0, own, 1, 1)
      || !check_numbers (&arguments))
    return GOBAN_EXIT_USAGE;
  if (strcmp (argv[1], "go") == 0)
    return train_go (&arguments, options.json);
  if (strcmp (argv[1], "builder") == 0)
    return train_builder (&arguments, options.json);
  if (strcmp (argv[1], "moves") == 0)
    return train_moves (&arguments, options.json);
  return train_other (argv[1], &arguments, options.json);
}

const GobanVerb goban_verb_train = { "train", "POLICY -o FILE",
                                     "Teach the network of a policy that learns beforehand: "
                                     "builder (of go-zeroshot), moves (of go-improve), go, regal",
                                     run_train };
