#include "app/cli/cli-load.h"

#include "engine/base/file.h"
#include "engine/base/json-text.h"
#include "engine/run/graph-source.h"
#include "engine/run/pipeline.h"

#include <math.h>
#include <string.h>

/* Paths and words of the verb's own options, owned. */
typedef struct
{
  GobanPipelineOptions pipeline;
  char *schedule;
  char *policy;
  char *plan;
  char *output;
  char *plan_output;
  char *csv;
  char *trace;
  int n_batches;
  int n_stages;
  int n_ranks;
} Own;

static void
own_clear (Own *self)
{
  g_clear_pointer (&self->pipeline.plan, goban_plan_unref);
  g_free (self->schedule);
  g_free (self->policy);
  g_free (self->plan);
  g_free (self->output);
  g_free (self->plan_output);
  g_free (self->csv);
  g_free (self->trace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Own, own_clear)

static gboolean
parse (int *argc, char ***argv, GobanCliOptions *options, Own *own)
{
  const GOptionEntry entries[] = {
    { "schedule", 0, 0, G_OPTION_ARG_STRING, &own->schedule,
      "gpipe, 1f1b, pipedream, interleaved, zero-bubble, dualpipe-v, a CSV file of "
      "torch.distributed.pipelining, or none "
      "(default): whatever is ready",
      "NAME" },
    { "micro-batches", 'm', 0, G_OPTION_ARG_INT, &own->n_batches,
      "How many (default 8, or those of the CSV file)", "N" },
    { "stages", 0, 0, G_OPTION_ARG_INT, &own->n_stages,
      "How many (default one per device, two if interleaved or dualpipe-v)", "N" },
    { "ranks", 0, 0, G_OPTION_ARG_INT, &own->n_ranks,
      "Devices that have stages (default all but CPUs)", "N" },
    { "split", 0, 0, G_OPTION_ARG_NONE, &own->pipeline.splits,
      "Share the graph's batch out; without it each micro-batch is as large as that", NULL },
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &own->plan,
      "The stages are the devices of this plan of the graph", "PLAN" },
    { "policy", 'p', 0, G_OPTION_ARG_STRING, &own->policy, "The same of this policy's plan",
      "NAME" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own->output,
      "Write the graph of all micro-batches here", "FILE" },
    { "plan-output", 0, 0, G_OPTION_ARG_FILENAME, &own->plan_output, "Write its plan here",
      "FILE" },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &own->csv,
      "Write the schedule here, for torch.distributed.pipelining", "FILE" },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &own->trace,
      "Write a trace for Perfetto or chrome://tracing", "FILE" },
    { "bottlenecks", 0, 0, G_OPTION_ARG_NONE, &options->bottlenecks,
      "Say what the makespan is spent on, along the critical path", NULL },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_pipeline, argc, argv, options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_POLICY, entries, 1, 1))
    return FALSE;
  if (own->n_batches < 0 || own->n_stages < 0 || own->n_ranks < 0)
    {
      g_printerr ("goban-cli pipeline: a number may not be negative\n");
      return FALSE;
    }
  if (own->plan != NULL && own->policy != NULL)
    {
      g_printerr ("goban-cli pipeline: --plan and --policy both say what the stages are\n");
      return FALSE;
    }
  own->pipeline.schedule = own->schedule;
  own->pipeline.n_batches = own->n_batches;
  own->pipeline.n_stages = own->n_stages;
  own->pipeline.n_ranks = own->n_ranks;
  return TRUE;
}

static gboolean
find_plan (Own *own, GobanCostModel *costs, const GobanCliOptions *options, int *exit_code)
{
  GobanRunOptions spending = goban_cli_run_options (options);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;

  if (own->policy == NULL)
    return goban_cli_load_start (own->plan, costs, &own->pipeline.plan, exit_code);
  if (!goban_policy_exists (own->policy, &error))
    *exit_code = goban_cli_fail (error, GOBAN_EXIT_USAGE);
  else if ((run = goban_run_new_from_policy (costs, own->policy, &spending, &error)) == NULL)
    *exit_code = goban_cli_fail (error, GOBAN_EXIT_WORSE);
  else
    own->pipeline.plan = goban_plan_ref (goban_run_get_plan (run));
  return run != NULL;
}

static gboolean
save (GobanPipeline *pipeline, const Own *own, GError **error)
{
  GobanRun *run = goban_pipeline_get_run (pipeline);
  g_autofree char *csv = goban_pipeline_dup_csv (pipeline);

  return (own->output == NULL
          || goban_graph_source_save (goban_run_get_graph (run), own->output, NULL, error))
         && (own->plan_output == NULL
             || goban_plan_save (goban_run_get_plan (run), goban_run_get_costs (run),
                                 own->plan_output, error))
         && (own->csv == NULL || csv == NULL
             || goban_file_write (own->csv, csv, strlen (csv), error))
         && (own->trace == NULL || goban_run_save_trace (run, own->trace, error));
}

static char *
make_summary (GobanPipeline *pipeline)
{
  double uniform = goban_pipeline_get_uniform_bubble (pipeline);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "stages         %u on %u ranks\nmicro-batches  %u\n",
                          goban_pipeline_get_n_stages (pipeline),
                          goban_pipeline_get_n_ranks (pipeline),
                          goban_pipeline_get_n_batches (pipeline));
  g_string_append_printf (text, "bubble         %.1f %% of the ranks' time",
                          100 * goban_pipeline_get_bubble (pipeline));
  if (!isnan (uniform))
    g_string_append_printf (text, "; %.1f %% if all stages were alike", 100 * uniform);
  g_string_append (text, "\n\n");
  return g_string_free (text, FALSE);
}

/* The run's report with the pipeline's figures before it. */
static char *
make_json (GobanPipeline *pipeline, const char *schedule)
{
  GString *json = g_string_new ("{");
  g_autofree char *run = goban_report_run_json (goban_pipeline_get_run (pipeline), NULL);
  double uniform = goban_pipeline_get_uniform_bubble (pipeline);

  goban_json_add_string (json, "schedule", schedule != NULL ? schedule : "none");
  goban_json_add_number (json, "stages", goban_pipeline_get_n_stages (pipeline));
  goban_json_add_number (json, "ranks", goban_pipeline_get_n_ranks (pipeline));
  goban_json_add_number (json, "micro_batches", goban_pipeline_get_n_batches (pipeline));
  goban_json_add_number (json, "bubble", goban_pipeline_get_bubble (pipeline));
  if (!isnan (uniform))
    goban_json_add_number (json, "uniform_bubble", uniform);
  g_string_append_printf (json, ", \"run\": %s}\n", g_strchomp (run));
  return g_string_free (json, FALSE);
}

static int
tell (GobanPipeline *pipeline, const Own *own, const GobanCliOptions *options)
{
  g_autofree char *text = NULL;
  int exit_code;

  if (options->json)
    {
      text = make_json (pipeline, own->schedule);
      exit_code = goban_cli_print (text);
      if (exit_code != GOBAN_EXIT_OK)
        return exit_code;
      return goban_cli_report_run (goban_pipeline_get_run (pipeline), options, "-");
    }
  text = make_summary (pipeline);
  exit_code = goban_cli_print (text);
  return exit_code != GOBAN_EXIT_OK
             ? exit_code
             : goban_cli_report_run (goban_pipeline_get_run (pipeline), options, NULL);
}

static gboolean
writes_to_output (const Own *own)
{
  return g_strcmp0 (own->output, "-") == 0 || g_strcmp0 (own->plan_output, "-") == 0
         || g_strcmp0 (own->csv, "-") == 0 || g_strcmp0 (own->trace, "-") == 0;
}

static int
run_pipeline (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (Own) own = { .schedule = NULL };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPipeline) pipeline = NULL;
  g_autoptr (GError) error = NULL;
  int exit_code = GOBAN_EXIT_OK;

  if (!parse (&argc, &argv, &options, &own))
    return GOBAN_EXIT_USAGE;
  if (own.output != NULL && !goban_graph_source_check_writer (own.output, NULL, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL)
    return exit_code;
  goban_cli_print_warnings (costs);
  if (!find_plan (&own, costs, &options, &exit_code))
    return exit_code;

  pipeline = goban_pipeline_new (costs, &own.pipeline, &error);
  if (pipeline == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_WORSE);
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (!save (pipeline, &own, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (writes_to_output (&own))
    return goban_cli_report_run (goban_pipeline_get_run (pipeline), &options, "-");
  return tell (pipeline, &own, &options);
}

const GobanVerb goban_verb_pipeline
    = { "pipeline", "GRAPH", "Cut a graph into stages, repeat it for micro-batches, simulate it",
        run_pipeline };
