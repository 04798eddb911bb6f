#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/run/pipeline.h"

#include <math.h>
#include <string.h>

/* Paths and words of the verb's own options, owned. */
typedef struct
{
  GobanPipelineOptions pipeline;
  char *schedule;
  char *policy;
  char *plan;
  GobanCliOutputs outputs;
  int n_batches;
  char *stages;
  char *copies;
  GArray *n_copies; /* (nullable) of guint: those of the pipeline's options */
  int n_ranks;
} Own;

static void
own_clear (Own *self)
{
  g_clear_pointer (&self->pipeline.plan, goban_plan_unref);
  g_free (self->schedule);
  g_free (self->policy);
  g_free (self->plan);
  goban_cli_outputs_clear (&self->outputs);
  g_free (self->stages);
  g_free (self->copies);
  g_clear_pointer (&self->n_copies, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Own, own_clear)

/* "3,1": of each stage. */
static gboolean
read_copies (Own *own)
{
  g_auto (GStrv) words = g_strsplit (own->copies, ",", -1);

  own->n_copies = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint s = 0; words[s] != NULL; s++)
    {
      guint64 n;
      guint copies;

      if (!g_ascii_string_to_unsigned (words[s], 10, 1, G_MAXUINT16, &n, NULL))
        return goban_cli_refuse ("--copies is auto or a number for each stage, as in 3,1");
      copies = (guint) n;
      g_array_append_val (own->n_copies, copies);
    }
  if (own->pipeline.chooses_stages
      || (own->pipeline.n_stages != 0 && own->pipeline.n_stages != own->n_copies->len))
    return goban_cli_refuse (
        "--copies has a number for each stage: --stages tells no other number");
  own->pipeline.n_stages = own->n_copies->len;
  own->pipeline.n_copies = (const guint *) (const void *) own->n_copies->data;
  return TRUE;
}

static gboolean
check_copies (Own *own)
{
  if (own->copies == NULL)
    return TRUE;
  if (own->outputs.schedule != NULL)
    return goban_cli_refuse (
        "--csv writes no schedule with --copies: the files have one of each stage");
  own->pipeline.copies_stages = strcmp (own->copies, "auto") == 0;
  return own->pipeline.copies_stages || read_copies (own);
}

static gboolean
check (Own *own, const char *graph)
{
  gboolean has_order = g_strcmp0 (own->schedule != NULL ? own->schedule : "none", "none") != 0;
  guint64 n_stages = 0;

  own->pipeline.chooses_stages = g_strcmp0 (own->stages, "auto") == 0;
  if (own->stages != NULL && !own->pipeline.chooses_stages
      && !g_ascii_string_to_unsigned (own->stages, 10, 0, G_MAXINT, &n_stages, NULL))
    return goban_cli_refuse ("--stages is a number or auto");
  if (own->plan != NULL && own->policy != NULL)
    return goban_cli_refuse ("--plan and --policy both say what the stages are");
  if (own->outputs.schedule != NULL && !has_order)
    return goban_cli_refuse ("--csv writes a schedule, but there is none: --schedule NAME");
  own->pipeline.schedule = own->schedule;
  own->pipeline.n_batches = own->n_batches;
  own->pipeline.n_stages = (guint) n_stages;
  own->pipeline.n_ranks = own->n_ranks;
  if (!check_copies (own))
    return FALSE;
  return goban_cli_check_input (graph, own->plan);
}

static gboolean
parse (int *argc, char ***argv, GobanCliOptions *options, Own *own)
{
  const GOptionEntry entries[] = {
    { "schedule", 0, 0, G_OPTION_ARG_FILENAME, &own->schedule,
      "Order of the micro-batches, or a CSV file of torch.distributed.pipelining that has it "
      "(default none: whatever is ready)",
      "gpipe|1f1b|pipedream|interleaved|zero-bubble|dualpipe-v|none|CSV" },
    { "micro-batches", 'm', 0, G_OPTION_ARG_INT, &own->n_batches,
      "How many (default 8, or those of the CSV file)", "N" },
    { "stages", 0, 0, G_OPTION_ARG_STRING, &own->stages,
      "How many (default one per device, two if interleaved or dualpipe-v), or auto: as many as "
      "take the least time",
      "N|auto" },
    { "copies", 0, 0, G_OPTION_ARG_STRING, &own->copies,
      "Devices that share out the micro-batches of each stage, as in 3,1, or auto: as PipeDream's "
      "optimiser plans stages and copies; for gpipe, 1f1b, pipedream and none",
      "N,N,…|auto" },
    { "ranks", 0, 0, G_OPTION_ARG_INT, &own->n_ranks,
      "Devices that have stages (default all but CPUs)", "N" },
    { "split", 0, 0, G_OPTION_ARG_NONE, &own->pipeline.splits,
      "Share the graph's batch out; without it each micro-batch is as large as that", NULL },
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &own->plan,
      "The stages are the devices of this plan of the graph", "PLAN" },
    { "policy", 'p', 0, G_OPTION_ARG_STRING, &own->policy, "The same of this policy's plan",
      "POLICY" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own->outputs.graph,
      "Write the graph of all micro-batches here", "FILE" },
    GOBAN_CLI_PLAN_OUTPUT_OPTION (&own->outputs),
    GOBAN_CLI_TRACE_OPTION (&own->outputs.trace),
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &own->outputs.schedule,
      "Write the schedule here, for torch.distributed.pipelining", "FILE" },
    GOBAN_CLI_BOTTLENECKS_OPTION (options),
    { NULL },
  };

  return goban_cli_parse (&goban_verb_pipeline, argc, argv, options,
                          GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_POLICY, entries, 1, 1)
         && check (own, (*argv)[1]);
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
    {
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_USAGE);
      return FALSE;
    }
  goban_cli_search_begin (own->policy);
  run = goban_run_new_from_policy (costs, own->policy, &spending, &error);
  goban_cli_search_end ();
  if (run == NULL)
    {
      *exit_code = goban_cli_fail_result (error);
      return FALSE;
    }
  if (goban_cli_search_was_ended ())
    goban_cli_say_ended ("the best plan so far, which the stages follow", NULL);
  own->pipeline.plan = goban_plan_ref (goban_run_get_plan (run));
  return TRUE;
}

static void
add_copies (GString *text, GobanPipeline *pipeline)
{
  g_autofree char *devices = goban_pipeline_dup_copies (pipeline);
  char slowest[GOBAN_QUANTITY_LEN], once[GOBAN_QUANTITY_LEN];
  GobanPipelineCopies copies;

  if (devices != NULL)
    g_string_append_printf (text, "\ncopies         %s devices a stage", devices);
  if (goban_pipeline_get_copies (pipeline, &copies))
    {
      g_autofree char *numbers = goban_pipeline_copies_to_text (&copies);

      g_string_append_printf (text,
                              "\nplanned        %s devices a stage, as PipeDream plans: the "
                              "slowest takes %s, not %s%s",
                              numbers, goban_format_time (slowest, copies.slowest_us),
                              goban_format_time (once, copies.slowest_once_us),
                              devices != NULL ? "" : " (--copies auto runs them)");
    }
}

static char *
make_summary (GobanPipeline *pipeline)
{
  double uniform = goban_pipeline_get_uniform_bubble (pipeline);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "stages         %u on %u ranks\nmicro-batches  %u\n",
                          pipeline->n_stages, pipeline->n_ranks, pipeline->n_batches);
  g_string_append_printf (text, "bubble         %.1f %% of the ranks' time",
                          100 * goban_pipeline_get_bubble (pipeline));
  if (!isnan (uniform))
    g_string_append_printf (text, "; %.1f %% if all stages were alike", 100 * uniform);
  add_copies (text, pipeline);
  g_string_append (text, "\n\n");
  return g_string_free (text, FALSE);
}

static char *
make_json (GobanPipeline *pipeline, const char *schedule)
{
  g_autofree char *devices = goban_pipeline_dup_copies (pipeline);
  g_autofree char *shown = g_utf8_make_valid (schedule != NULL ? schedule : "none", -1);
  GString *json = g_string_new ("{");
  double uniform = goban_pipeline_get_uniform_bubble (pipeline);
  GobanPipelineCopies copies;

  goban_json_add_string (json, "schedule", shown);
  goban_json_add_number (json, "stages", pipeline->n_stages);
  goban_json_add_number (json, "ranks", pipeline->n_ranks);
  goban_json_add_number (json, "micro_batches", pipeline->n_batches);
  goban_json_add_number (json, "bubble", goban_pipeline_get_bubble (pipeline));
  if (!isnan (uniform))
    goban_json_add_number (json, "uniform_bubble", uniform);
  if (devices != NULL)
    g_string_append_printf (json, ", \"stage_devices\": [%s]", devices);
  if (goban_pipeline_get_copies (pipeline, &copies))
    {
      g_autofree char *numbers = goban_pipeline_copies_to_text (&copies);

      g_string_append_printf (json, ", \"copies\": [%s]", numbers);
      goban_json_add_number (json, "copies_slowest_us", copies.slowest_us);
      goban_json_add_number (json, "slowest_us", copies.slowest_once_us);
    }
  return g_string_free (json, FALSE);
}

static int
run_pipeline (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (Own) own = { .schedule = NULL };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPipeline) pipeline = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *head = NULL;
  int exit_code = GOBAN_EXIT_OK;

  if (!parse (&argc, &argv, &options, &own))
    return GOBAN_EXIT_USAGE;
  if (!goban_cli_outputs_check (&own.outputs, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  if (!goban_cli_check_policies ((const char *const[]){ own.policy, NULL }, &options, NULL,
                                 &exit_code))
    return exit_code;
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL)
    return exit_code;
  goban_cli_print_warnings (costs);
  if (!find_plan (&own, costs, &options, &exit_code))
    return exit_code;

  own.pipeline.progress = goban_cli_progress ();
  pipeline = goban_pipeline_new (costs, &own.pipeline, &error);
  if (pipeline == NULL)
    return goban_cli_fail_result (error);
  own.outputs.schedule_text = goban_pipeline_dup_csv (pipeline);
  head = options.json ? make_json (pipeline, own.schedule) : make_summary (pipeline);
  exit_code = goban_cli_outputs_deliver (&own.outputs, pipeline->run, head, &options);
  return goban_cli_search_was_ended () && exit_code != GOBAN_EXIT_FILE ? GOBAN_EXIT_INTERRUPTED
                                                                       : exit_code;
}

const GobanVerb goban_verb_pipeline
    = { "pipeline", "GRAPH", "Cut a graph into stages, repeat it for micro-batches, simulate it",
        run_pipeline };
