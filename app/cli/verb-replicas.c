#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/span-totals.h"
#include "engine/study/run/replicas-run.h"

static char *
make_text (GobanRun *run, const GobanReplicasFigures *figures)
{
  GString *text = g_string_new (NULL);
  g_autofree char *links = goban_link_totals_to_text (run);
  char bytes[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "replicas   %u\ngradients  %s each, in %u all-reduces\n\n%s\n",
                          figures->n_replicas, goban_format_bytes (bytes, figures->gradient_bytes),
                          figures->n_buckets, links);
  return g_string_free (text, FALSE);
}

static char *
make_json (GobanRun *run, const GobanReplicasFigures *figures)
{
  GString *json = g_string_new ("{");
  g_autofree char *links = goban_link_totals_to_json (run);

  goban_json_add_number (json, "replicas", figures->n_replicas);
  goban_json_add_number (json, "buckets", figures->n_buckets);
  goban_json_add_number (json, "gradient_bytes", figures->gradient_bytes);
  g_string_append_printf (json, ", \"links\": %s", links);
  return g_string_free (json, FALSE);
}

typedef struct
{
  GobanReplicasRunOptions running; /* its plan is owned */
  char *algorithm;
  char *bucket;
  char *plan;
  GobanCliOutputs outputs;
  int n_replicas;
} Own;

static void
own_clear (Own *self)
{
  g_clear_pointer (&self->running.plan, goban_plan_unref);
  g_free (self->algorithm);
  g_free (self->bucket);
  g_free (self->plan);
  goban_cli_outputs_clear (&self->outputs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Own, own_clear)

static gboolean
check (Own *own)
{
  g_autoptr (GError) error = NULL;

  if (!goban_replicas_run_set_algorithm (&own->running, own->algorithm))
    return goban_cli_refuse ("--algorithm is ring or tree");
  if (own->bucket != NULL && !goban_parse_bytes (own->bucket, &own->running.bucket_bytes, &error))
    {
      goban_cli_fail (error, GOBAN_EXIT_USAGE);
      return FALSE;
    }
  own->running.n_replicas = (guint) own->n_replicas;
  return TRUE;
}

static gboolean
parse (int *argc, char ***argv, GobanCliOptions *options, Own *own)
{
  const GOptionEntry entries[] = {
    { "replicas", 'n', 0, G_OPTION_ARG_INT, &own->n_replicas,
      "How many (default as many as fit on the devices that are not CPUs)", "N" },
    { "split", 0, 0, G_OPTION_ARG_NONE, &own->running.splits,
      "Share the graph's batch out; without it each replica has one as large", NULL },
    { "algorithm", 0, 0, G_OPTION_ARG_STRING, &own->algorithm,
      "How gradients are all-reduced (default ring)", "ring|tree" },
    { "bucket", 0, 0, G_OPTION_ARG_STRING, &own->bucket,
      "Collect gradients up to so many bytes (default each alone)", "BYTES" },
    { "slowdown", 0, 0, G_OPTION_ARG_DOUBLE, &own->running.slowdown,
      "A straggler: the devices of the last replica take so many times as long", "FACTOR" },
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &own->plan,
      "The plan of one replica, which may span several devices", "PLAN" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own->outputs.graph,
      "Write the graph of all replicas here", "FILE" },
    GOBAN_CLI_PLAN_OUTPUT_OPTION (&own->outputs),
    GOBAN_CLI_TRACE_OPTION (&own->outputs.trace),
    GOBAN_CLI_BOTTLENECKS_OPTION (options),
    { NULL },
  };

  return goban_cli_parse (&goban_verb_replicas, argc, argv, options,
                          GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER, entries, 1, 1)
         && goban_cli_check_input ((*argv)[1], own->plan) && check (own);
}

static int
run_replicas (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (Own) own = { .algorithm = NULL };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *head = NULL;
  GobanReplicasFigures figures;
  int exit_code = GOBAN_EXIT_OK;

  if (!parse (&argc, &argv, &options, &own))
    return GOBAN_EXIT_USAGE;
  if (!goban_cli_outputs_check (&own.outputs, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs == NULL || !goban_cli_load_start (own.plan, costs, &own.running.plan, &exit_code))
    return exit_code;
  goban_cli_print_warnings (costs);
  own.running.progress = goban_cli_progress ();
  run = goban_replicas_run_new (costs, &own.running, &figures, &error);
  if (run == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_WORSE);
  head = options.json ? make_json (run, &figures) : make_text (run, &figures);
  return goban_cli_outputs_deliver (&own.outputs, run, head, &options);
}

const GobanVerb goban_verb_replicas
    = { "replicas", "GRAPH", "Repeat a training graph for data parallelism, and simulate it",
        run_replicas };
