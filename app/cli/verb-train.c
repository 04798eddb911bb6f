#include "app/cli/cli-ranks.h"
#include "app/cli/cli.h"

#include "engine/core/error.h"
#include "engine/study/training/training.h"

/* Owners of the strings that the training's options borrow. */
typedef struct
{
  GobanTrainingOptions training;
  char *output, *resume, *from, *curve, *settings;
  char **left_out;
  gboolean scaling;
} TrainArguments;

static void
train_arguments_clear (TrainArguments *self)
{
  g_free (self->output);
  g_free (self->resume);
  g_free (self->from);
  g_free (self->curve);
  g_free (self->settings);
  g_strfreev (self->left_out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TrainArguments, train_arguments_clear)

static int
fail (const GError *error)
{
  return goban_cli_fail (error, g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                                    ? GOBAN_EXIT_USAGE
                                    : GOBAN_EXIT_FILE);
}

/* After Ctrl+C: the written files and how to resume. */
static int
say_stopped (const GobanTrainingReport *report)
{
  goban_cli_progress_end ();
  g_printerr ("goban-cli: stopped after %u", report->step);
  if (report->n_steps > 0)
    g_printerr (" of %u", report->n_steps);
  g_printerr (" steps; the network so far is %s, and this goes on:\n"
              "  goban-cli train %s --resume %s\n",
              report->output, report->network, report->run);
  return GOBAN_EXIT_INTERRUPTED;
}

static int
train (const TrainArguments *arguments, gboolean json)
{
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (g_strcmp0 (arguments->settings, "help") == 0)
    text = goban_training_describe_settings (arguments->training.network);
  if (text != NULL)
    return goban_cli_print (text);
  if (arguments->training.output == NULL && arguments->training.resume == NULL)
    {
      g_printerr ("goban-cli train: -o FILE says where the network goes\n");
      return GOBAN_EXIT_USAGE;
    }
  report = goban_training_run (&arguments->training, NULL, goban_cli_progress (), &error);
  if (report == NULL)
    return fail (error);
  if (!report->is_finished)
    return say_stopped (report);
  if (!json && arguments->scaling && report->scaling != NULL)
    text = g_strconcat (report->text, report->scaling, NULL);
  return goban_cli_print (json ? report->json : text != NULL ? text : report->text);
}

static void
lend (TrainArguments *self, const char *network)
{
  GobanTrainingOptions *training = &self->training;

  training->network = network;
  training->output = self->output;
  training->resume = self->resume;
  training->from = self->from;
  training->curve = self->curve;
  training->settings = self->settings;
  training->left_out = (const char *const *) self->left_out;
  training->ranks = goban_cli_get_ranks ();
}

static int
run_train (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (TrainArguments) arguments = { .training = goban_training_options_new (NULL) };
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output, "Write the network here",
      "FILE" },
    { "seed", 's', 0, G_OPTION_ARG_INT64, &arguments.training.seed,
      "Seed of all chance (default 0)", "SEED" },
    { "steps", 0, 0, G_OPTION_ARG_INT64, &arguments.training.n_steps,
      "Steps of the optimiser (default: those of the network that comes along)", "N" },
    { "leave-out", 0, 0, G_OPTION_ARG_STRING_ARRAY, &arguments.left_out,
      "builder: learn on no graph of this family; may be repeated", "FAMILY" },
    { "settings", 0, 0, G_OPTION_ARG_STRING, &arguments.settings,
      "builder, moves: changes of the defaults; “help” lists them", "KEY=VALUE,…" },
    { "rollouts", 0, 0, G_OPTION_ARG_INT64, &arguments.training.n_rollouts,
      "builder: plans of a problem in a step", "N" },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &arguments.from,
      "builder: begin with this network, which may lack parts", "NETWORK" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &arguments.resume,
      "builder: go on with a run that was stopped", "FILE.run" },
    { "curve", 0, 0, G_OPTION_ARG_FILENAME, &arguments.curve,
      "builder: write all curves here as CSV", "CSV" },
    { "film", 0, 0, G_OPTION_ARG_NONE, &arguments.training.has_film,
      "builder, moves: keep networks of earlier steps in FILE.film, of which the window shows "
      "plans",
      NULL },
    { "scaling", 0, 0, G_OPTION_ARG_NONE, &arguments.scaling,
      "builder: tell what the steps took, and how many ranks they are worth", NULL },
    { "every", 0, 0, G_OPTION_ARG_INT64, &arguments.training.every,
      "builder: try it on other graphs every N steps; 0: only at the end", "N" },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_train, &argc, &argv, &options, 0, own, 1, 1))
    return GOBAN_EXIT_USAGE;
  lend (&arguments, argv[1]);
  return train (&arguments, options.json);
}

const GobanVerb goban_verb_train = { "train", "NETWORK -o FILE",
                                     "Teach the network of a policy that learns beforehand: "
                                     "builder (of go-zeroshot), moves (of go-finetune), regal",
                                     run_train };
