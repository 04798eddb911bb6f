#include "app/cli/cli-load.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/core/text-table.h"
#include "engine/io/apply/apply.h"

#include <string.h>

typedef struct
{
  char *plan;
  char *target;
  char *output;
  gint64 n_micro_batches;
  char *schedule; /* (nullable) */
  gboolean list;
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->plan);
  g_free (arguments->target);
  g_free (arguments->output);
  g_free (arguments->schedule);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static int
list_targets (gboolean json)
{
  g_autoptr (GobanTable) table
      = goban_table_new ((const char *const[]){ "target", "<graph", "<what it writes", NULL });
  g_autoptr (GString) text = g_string_new (json ? "[" : NULL);
  gsize n;
  const GobanApplyTarget *const *targets = goban_apply_targets (&n);

  for (gsize i = 0; i < n; i++)
    {
      const char *format = goban_apply_get_source_format (targets[i]);
      g_autofree char *blurb = g_strdup_printf ("%s: %s", goban_apply_get_framework (targets[i]),
                                                goban_apply_get_blurb (targets[i]));

      goban_table_add (table, "%s", goban_apply_get_name (targets[i]));
      goban_table_add (table, "%s", format != NULL ? format : "any");
      goban_table_add (table, "%s", blurb);
      if (!json)
        continue;
      g_string_append (text, i > 0 ? ", {" : "{");
      goban_json_add_string (text, "name", goban_apply_get_name (targets[i]));
      goban_json_add_string (text, "framework", goban_apply_get_framework (targets[i]));
      goban_json_add_string (text, "graph", format);
      goban_json_add_string (text, "blurb", goban_apply_get_blurb (targets[i]));
      g_string_append (text, "}");
    }
  if (json)
    g_string_append (text, "]\n");
  else
    goban_table_append_to (table, text);
  return goban_cli_print (text->str);
}

static gboolean
check_arguments (const Arguments *arguments, int argc, char **argv)
{
  if (argc < 2)
    return goban_cli_refuse ("which graph? The one that the plan is for");
  if (arguments->plan == NULL)
    return goban_cli_refuse ("which plan? --plan PLAN; goban-cli place -o writes one");
  if (arguments->target == NULL)
    return goban_cli_refuse ("for which framework? --for NAME; goban-cli apply --list tells them");
  if (arguments->output == NULL)
    return goban_cli_refuse ("where to? -o OUT");
  return goban_cli_check_input (argv[1], arguments->plan);
}

/* On standard output there may be the file itself. */
static int
report (const Arguments *arguments, const GobanApplyTarget *target, const char *note, gboolean json)
{
  g_autofree char *second = goban_apply_dup_second_path (target, arguments->output);
  const char *const files[] = { arguments->output, second, NULL };
  g_autoptr (GString) text = g_string_new ("{");

  if (note != NULL)
    g_printerr ("goban-cli: note: %s\n", note);
  if (!json || strcmp (arguments->output, "-") == 0)
    return GOBAN_EXIT_OK;
  goban_json_add_string (text, "target", goban_apply_get_name (target));
  goban_json_add_strings (text, "files", files);
  goban_json_add_string (text, "note", note);
  g_string_append (text, "}\n");
  return goban_cli_print (text->str);
}

static int
apply (const Arguments *arguments, const GobanApplyTarget *target, const char *graph,
       const GobanCliOptions *options)
{
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  GobanApplyRequest request = { .source = graph,
                                .n_micro_batches = (guint) arguments->n_micro_batches,
                                .schedule = arguments->schedule };
  int exit_code = GOBAN_EXIT_OK;

  costs = goban_cli_load_costs (graph, options, &exit_code);
  if (costs == NULL)
    return exit_code;
  goban_cli_print_warnings (costs);
  plan = goban_plan_load (arguments->plan, costs, &error);
  if (plan == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  request.plan = plan;
  request.costs = costs;
  if (!goban_apply_save (target, &request, arguments->output, &note, &error))
    return goban_cli_fail (error,
                           g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED)
                                   || g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_INVALID)
                               ? GOBAN_EXIT_WORSE
                               : GOBAN_EXIT_FILE);
  return report (arguments, target, note, options->json);
}

static int
run_apply (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (Arguments) arguments = { 0 };
  const GobanApplyTarget *target;
  g_autoptr (GError) error = NULL;
  const GOptionEntry own[] = {
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &arguments.plan, "The plan, as place -o wrote it",
      "PLAN" },
    { "for", 0, 0, G_OPTION_ARG_STRING, &arguments.target,
      "ort, ort-names, tensorflow, accelerate, torch-pipelining, llama.cpp, openvino or "
      "model-explorer",
      "FRAMEWORK" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &arguments.output, "Write the file here", "OUT" },
    { "micro-batches", 0, 0, G_OPTION_ARG_INT64, &arguments.n_micro_batches,
      "torch-pipelining: micro-batches of the schedule (default 1)", "N" },
    { "schedule", 0, 0, G_OPTION_ARG_STRING, &arguments.schedule,
      "torch-pipelining: the schedule (default: gpipe with its bubbles)",
      "gpipe|1f1b|interleaved|zero-bubble" },
    { "list", 0, 0, G_OPTION_ARG_NONE, &arguments.list, "List the frameworks", NULL },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_apply, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER, own, 0, 1))
    return GOBAN_EXIT_USAGE;
  if (arguments.list)
    return list_targets (options.json);
  if (!check_arguments (&arguments, argc, argv))
    return GOBAN_EXIT_USAGE;
  target = goban_apply_find (arguments.target, &error);
  if (target == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  return apply (&arguments, target, argv[1], &options);
}

const GobanVerb goban_verb_apply
    = { "apply", "GRAPH", "Write a plan as a file that another framework obeys", run_apply };
