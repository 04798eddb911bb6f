#include "app/cli/cli.h"

#include "engine/base/error.h"
#include "engine/session/train.h"

static int
run_train (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autoptr (GobanTrainReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_autofree char *text = NULL;
  gint64 seed = 0;
  gint64 n_steps = 0;
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write the network here", "FILE" },
    { "seed", 's', 0, G_OPTION_ARG_INT64, &seed, "Seed of all chance (default 0)", "SEED" },
    { "steps", 0, 0, G_OPTION_ARG_INT64, &n_steps,
      "Steps of the optimiser (default: those of the network that comes along)", "N" },
    { NULL },
  };
  GobanTrainOptions training = { 0 };

  if (!goban_cli_parse (&goban_verb_train, &argc, &argv, &options, 0, own, 1, 1))
    return GOBAN_EXIT_USAGE;
  if (output == NULL || seed < 0 || n_steps < 0 || n_steps > G_MAXINT)
    {
      g_printerr ("goban-cli train: %s\n", output == NULL ? "-o FILE says where the network goes"
                                                          : "a number is out of range");
      return GOBAN_EXIT_USAGE;
    }

  training.seed = (guint64) seed;
  training.n_steps = (guint) n_steps;
  training.progress = goban_cli_progress ();
  report = goban_train_policy (argv[1], output, &training, &error);
  if (report == NULL)
    return goban_cli_fail (error, g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                                      ? GOBAN_EXIT_USAGE
                                      : GOBAN_EXIT_FILE);
  text = options.json ? goban_train_report_to_json (report) : goban_train_report_to_text (report);
  return goban_cli_print (text);
}

const GobanVerb goban_verb_train
    = { "train", "POLICY -o FILE", "Teach the network of a policy that learns beforehand: regal",
        run_train };
