#include "app/cli/cli-load.h"
#include "app/cli/cli-report.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/parallel-training.h"

#include <math.h>

typedef struct
{
  GobanTrainingShape shape;
  char *recompute;
  char *schedule;
  GobanCliOutputs outputs;
} Own;

static void
own_clear (Own *self)
{
  g_free (self->recompute);
  g_free (self->schedule);
  goban_cli_outputs_clear (&self->outputs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Own, own_clear)

static gboolean
parse (int *argc, char ***argv, GobanCliOptions *options, Own *own)
{
  const GOptionEntry entries[] = {
    { "tp", 0, 0, G_OPTION_ARG_INT, &own->shape.tp,
      "Tensor parallelism: ranks that split every layer (default the model's tp, 1)", "N" },
    { "pp", 0, 0, G_OPTION_ARG_INT, &own->shape.pp,
      "Pipeline parallelism: stages of layers (default 1)", "N" },
    { "dp", 0, 0, G_OPTION_ARG_INT, &own->shape.dp,
      "Data parallelism: copies of all that (default 1)", "N" },
    { "ep", 0, 0, G_OPTION_ARG_INT, &own->shape.ep,
      "Expert parallelism: copies that split the experts among them", "N" },
    { "sp", 0, 0, G_OPTION_ARG_NONE, &own->shape.splits_sequence,
      "Sequence parallelism: split norms and residuals, too", NULL },
    { "micro-batch", 0, 0, G_OPTION_ARG_INT, &own->shape.micro_batch,
      "Samples of a micro-batch (default the model's batch)", "N" },
    { "global-batch", 0, 0, G_OPTION_ARG_INT, &own->shape.batch,
      "Samples of a step on all copies (default 4 micro-batches a stage)", "N" },
    { "zero", 0, 0, G_OPTION_ARG_INT, &own->shape.zero,
      "ZeRO: share out optimiser state (1), gradients (2), weights (3) to the copies", "N" },
    { "recompute", 0, 0, G_OPTION_ARG_STRING, &own->recompute,
      "Activations of layers that are computed again (default none)", "none|selective|full" },
    { "schedule", 0, 0, G_OPTION_ARG_STRING, &own->schedule,
      "Order of the micro-batches (default 1f1b)",
      "1f1b|gpipe|interleaved|zero-bubble|dualpipe-v" },
    { "chunks", 0, 0, G_OPTION_ARG_INT, &own->shape.n_chunks,
      "Stages a device (default two if interleaved or dualpipe-v)", "N" },
    { "overlap-sends", 0, 0, G_OPTION_ARG_NONE, &own->shape.overlaps_sends,
      "Sends between stages do not keep the sender busy", NULL },
    { "ops", 0, 0, G_OPTION_ARG_NONE, &own->shape.shows_ops,
      "Simulate each op, not each pass of a stage: the same time, a graph with all ops", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own->outputs.graph,
      "Write the graph of all micro-batches here", "FILE" },
    GOBAN_CLI_PLAN_OUTPUT_OPTION (&own->outputs),
    GOBAN_CLI_TRACE_OPTION (&own->outputs.trace),
    GOBAN_CLI_BOTTLENECKS_OPTION (options),
    { NULL },
  };

  return goban_cli_parse (&goban_verb_parallel, argc, argv, options,
                          GOBAN_CLI_GRAPH | GOBAN_CLI_DEVICES, entries, 1, 1);
}

/* --- report --------------------------------------------------------------------------------- */

static const char *
format_bytes (char text[GOBAN_QUANTITY_LEN], double bytes)
{
  return isinf (bytes) ? "unlimited" : goban_format_bytes (text, bytes);
}

static void
add_memory (GString *text, GobanParallelTraining *training)
{
  static const char *const headings[] = { "memory of a rank", "weights", "gradients", "optimiser",
                                          "activations",      "all",     "of",        NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  GobanCluster *cluster = goban_run_get_cluster (training->run);
  guint n;
  const GobanRankMemory *memory = goban_parallel_training_get_memory (training, &n);

  for (guint d = 0; d < n; d++)
    {
      const double columns[] = {
        memory[d].weight_bytes,     memory[d].gradient_bytes,           memory[d].optimizer_bytes,
        memory[d].activation_bytes, goban_rank_memory_sum (&memory[d]), memory[d].capacity_bytes
      };
      char bytes[GOBAN_QUANTITY_LEN];

      goban_table_add (table, "  %s", goban_cluster_get_device (cluster, d)->name);
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        goban_table_add (table, "%s", format_bytes (bytes, columns[i]));
    }
  goban_table_append_to (table, text);
}

static char *
make_text (GobanParallelTraining *training)
{
  const GobanTrainingFigures *figures = &training->figures;
  GobanRun *run = training->run;
  double seconds = goban_run_get_makespan_us (run) / 1e6;
  guint pp = goban_cluster_get_n_devices (goban_run_get_cluster (run));
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          "devices        %u, %u stage%s; a device below stands for %u rank%s\n",
                          figures->n_devices, pp, pp == 1 ? "" : "s", figures->n_devices / pp,
                          figures->n_devices == pp ? "" : "s");
  g_string_append_printf (text, "batch          %u, in %u micro-batch%s a copy\n", figures->batch,
                          figures->n_batches, figures->n_batches == 1 ? "" : "es");
  g_string_append_printf (text, "samples        %.4g a second\n", figures->batch / seconds);
  g_string_append_printf (text, "use            %.1f %% of the peak FLOP/s\n", 100 * figures->used);
  g_string_append_printf (text, "idle           %.1f %% of the devices' time\n",
                          100 * figures->bubble);
  g_string_append_printf (text, "collectives    %.1f %% of the ops' time\n",
                          100 * figures->collective_share);
  if (figures->recomputed_share > 0)
    g_string_append_printf (text, "recomputation  %.1f %% of the ops' time\n",
                            100 * figures->recomputed_share);
  g_string_append_c (text, '\n');
  add_memory (text, training);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

static char *
make_json (GobanParallelTraining *training)
{
  const GobanTrainingFigures *figures = &training->figures;
  GString *json = g_string_new ("{");
  guint n;
  const GobanRankMemory *memory = goban_parallel_training_get_memory (training, &n);

  goban_json_add_number (json, "devices", figures->n_devices);
  goban_json_add_number (json, "batch", figures->batch);
  goban_json_add_number (json, "micro_batches", figures->n_batches);
  goban_json_add_number (json, "flops", figures->flops);
  goban_json_add_number (json, "utilisation", figures->used);
  goban_json_add_number (json, "bubble", figures->bubble);
  goban_json_add_number (json, "collective_share", figures->collective_share);
  goban_json_add_number (json, "recomputed_share", figures->recomputed_share);
  g_string_append (json, ", \"memory\": [");
  for (guint d = 0; d < n; d++)
    {
      g_string_append (json, d > 0 ? ", {" : "{");
      goban_json_add_number (json, "weight_bytes", memory[d].weight_bytes);
      goban_json_add_number (json, "gradient_bytes", memory[d].gradient_bytes);
      goban_json_add_number (json, "optimizer_bytes", memory[d].optimizer_bytes);
      goban_json_add_number (json, "activation_bytes", memory[d].activation_bytes);
      goban_json_add_number (json, "capacity_bytes", memory[d].capacity_bytes);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}

static int
run_parallel (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (Own) own = { .recompute = NULL };
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanParallelTraining) training = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *head = NULL;
  int exit_code = GOBAN_EXIT_OK;
  gboolean is_spec;

  if (!parse (&argc, &argv, &options, &own))
    return GOBAN_EXIT_USAGE;
  own.shape.recompute = own.recompute;
  own.shape.schedule = own.schedule;
  own.shape.progress = goban_cli_progress ();
  if (!goban_cli_outputs_check (&own.outputs, &error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  cluster = goban_cli_load_cluster (options.cluster, &exit_code);
  if (cluster == NULL)
    return exit_code;
  is_spec = options.format == NULL && goban_graph_source_is_spec (argv[1]);
  graph = is_spec ? NULL : goban_cli_load_graph (argv[1], &options, &exit_code);
  if (!is_spec && graph == NULL)
    return exit_code;
  training
      = goban_parallel_training_new (is_spec ? argv[1] : NULL, graph, cluster, &own.shape, &error);
  if (training == NULL)
    return goban_cli_fail_result (error);
  head = options.json ? make_json (training) : make_text (training);
  return goban_cli_outputs_deliver (&own.outputs, training->run, head, &options);
}

const GobanVerb goban_verb_parallel
    = { "parallel", "MODEL",
        "Train a model on a whole cluster: tensor, pipeline, data and expert parallelism",
        run_parallel };
