#include "app/cli/cli-load.h"

#include "engine/core/error.h"
#include "engine/study/measure/measure-report.h"

#include <string.h>

/* The plans that are measured by default. */
#define DEFAULT_POLICIES "single,heft,critical-path,metis"

typedef struct
{
  char **plans; /* (nullable) paths */
  char *list;   /* (nullable) of policies */
  char *runtime;
  char *output;
  gint64 n_cores;
  gint64 n_runs;
  gboolean force;
  char **policies; /* names */
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_strfreev (arguments->plans);
  g_strfreev (arguments->policies);
  g_free (arguments->list);
  g_free (arguments->runtime);
  g_free (arguments->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static gboolean
check_arguments (Arguments *arguments, char **argv)
{
  g_autoptr (GError) error = NULL;
  const char *list = arguments->list;

  if (strcmp (argv[1], "-") == 0)
    return goban_cli_refuse ("the model must have a path: its file is run, too");
  if (list == NULL && arguments->plans == NULL)
    list = DEFAULT_POLICIES;
  arguments->policies = list != NULL ? goban_cli_split_policies (list, &error) : g_new0 (char *, 1);
  if (arguments->policies != NULL)
    return TRUE;
  goban_cli_fail (error, GOBAN_EXIT_USAGE);
  return FALSE;
}

/* A machine that is busy and a model that cannot run are results, and not mistakes in files. */
static int
fail (const GError *error)
{
  return g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
             ? goban_cli_fail (error, GOBAN_EXIT_USAGE)
             : goban_cli_fail_result (error);
}

/* --- runs ------------------------------------------------------------------------------------ */

static gboolean
measure_plan (GobanMeasurer *measurer, const char *path, GError **error)
{
  GobanCostModel *costs = measurer->calibration->costs;
  g_autoptr (GobanPlan) plan = goban_plan_load (path, costs, error);
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GobanRun) run = NULL;

  if (plan == NULL)
    return FALSE;
  run = goban_run_new (costs, plan, name);
  return goban_measurer_run (measurer, run, error) != NULL;
}

static gboolean
measure_policy (GobanMeasurer *measurer, const char *policy, const GobanCliOptions *options,
                GError **error)
{
  GobanRunOptions spending = goban_cli_run_options (options);
  g_autoptr (GobanRun) run
      = goban_run_new_from_policy (measurer->calibration->costs, policy, &spending, error);

  return run != NULL && goban_measurer_run (measurer, run, error) != NULL;
}

static gboolean
measure_all (GobanMeasurer *measurer, const Arguments *arguments, const GobanCliOptions *options,
             GError **error)
{
  for (guint i = 0; arguments->plans != NULL && arguments->plans[i] != NULL; i++)
    if (!measure_plan (measurer, arguments->plans[i], error))
      return FALSE;
  for (guint i = 0; arguments->policies[i] != NULL; i++)
    if (!measure_policy (measurer, arguments->policies[i], options, error))
      return FALSE;
  return TRUE;
}

static gboolean
save (const GobanMeasurer *measurer, const char *folder, GError **error)
{
  return folder == NULL || goban_measure_save (measurer, folder, error);
}

static int
measure (const char *path, const Arguments *arguments, const GobanCliOptions *options)
{
  GobanMeasureOptions measuring = {
    .runtime = arguments->runtime,
    .n_cores = (guint) arguments->n_cores,
    .n_runs = (guint) arguments->n_runs,
    .n_plans = (arguments->plans != NULL ? g_strv_length (arguments->plans) : 0)
               + g_strv_length (arguments->policies),
    .batch = options->batch,
    .is_forced = arguments->force,
    .progress = goban_cli_progress (),
  };
  int exit_code = GOBAN_EXIT_OK;
  g_autoptr (GobanGraph) graph = goban_cli_load_graph (path, options, &exit_code);
  g_autoptr (GobanMeasurer) measurer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;

  if (graph == NULL
      || !goban_cli_check_policies ((const char *const *) arguments->policies, options, NULL,
                                    &exit_code))
    return exit_code;
  measurer = goban_measurer_new (path, graph, &measuring, &error);
  if (measurer == NULL || !measure_all (measurer, arguments, options, &error))
    return fail (error);
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (!save (measurer, arguments->output, &error))
    return fail (error);
  report
      = options->json ? goban_measure_report_json (measurer) : goban_measure_report_text (measurer);
  return goban_cli_print (report);
}

static int
run_measure (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (Arguments) arguments = { 0 };
  const GOptionEntry own[] = {
    { "plan", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments.plans,
      "Measure this plan, for devices cpu:0, cpu:1, …; may be given several times", "PLAN" },
    { "policies", 'p', 0, G_OPTION_ARG_STRING, &arguments.list,
      "Measure the plans of these policies (default, without plans: " DEFAULT_POLICIES ")",
      "POLICY,…" },
    { "cores", 0, 0, G_OPTION_ARG_INT64, &arguments.n_cores,
      "Processor cores, which are the devices (default 2)", "N" },
    { "runs", 0, 0, G_OPTION_ARG_INT64, &arguments.n_runs,
      "Repeats of each plan (default 25; fewer if they take long)", "N" },
    { "runtime", 0, 0, G_OPTION_ARG_FILENAME, &arguments.runtime,
      "ONNX Runtime's library, or its folder (default: the variable GOBAN_ONNXRUNTIME, else where "
      "libraries are installed)",
      "PATH" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output,
      "Write costs, cluster, plans, measured runs and tables into this folder", "FOLDER" },
    { "force", 0, 0, G_OPTION_ARG_NONE, &arguments.force,
      "Measure even if other processes keep the machine busy; figures are provisional then", NULL },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_measure, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_POLICY, own, 1, 1)
      || !check_arguments (&arguments, argv))
    return GOBAN_EXIT_USAGE;
  return measure (argv[1], &arguments, &options);
}

const GobanVerb goban_verb_measure
    = { "measure", "MODEL", "Run plans of an ONNX model on this machine's cores", run_measure };
