#include "app/cli/cli-load.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/graph/graph-matching.h"
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/reports/share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The policies compared by default. */
#define DEFAULT_POLICIES "heft,critical-path,metis,m-topo,tf-default,single"
#define MAX_PLANS 16

/* Judges the policies that were asked for, not the one that is always added. */
static int
judge (const GobanComparison *comparison, guint n_asked, gboolean strict, double percent)
{
  if (goban_comparison_get_best (comparison) == NULL)
    return GOBAN_EXIT_WORSE;
  for (guint i = 0; strict && i < n_asked; i++)
    if (goban_comparison_is_worse (comparison, i, percent))
      return GOBAN_EXIT_WORSE;
  return GOBAN_EXIT_OK;
}

static gboolean
parse_percent (const char *text, double *percent)
{
  const char *end;

  if (!goban_scan_number (text, percent, &end) || !isfinite (*percent) || *percent < 0)
    return FALSE;
  return *end == '\0' || (*end == '%' && end[1] == '\0');
}

/* Options besides the shared ones. */
typedef struct
{
  char *list;
  char *threshold;
  char *start_path;
  char *report;
  gboolean own_devices;
  gboolean why;
  gboolean has_two_graphs;
  gboolean has_failed; /* a policy */
  double percent;
  char **policies;    /* none if plans are given and no policies */
  char *const *plans; /* (n_plans) paths */
  guint n_plans;
  GobanPlan *start;
} CompareOptions;

static void
compare_options_clear (CompareOptions *options)
{
  g_free (options->list);
  g_free (options->threshold);
  g_free (options->start_path);
  g_free (options->report);
  g_strfreev (options->policies);
  g_clear_pointer (&options->start, goban_plan_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CompareOptions, compare_options_clear)

static guint
count_asked (const CompareOptions *compare)
{
  return compare->n_plans + g_strv_length (compare->policies);
}

/* Whether it is a generated graph, or begins like the file of one or of a session. */
static gboolean
is_graph_file (const char *path)
{
  char start[256] = "";
  FILE *file = strcmp (path, "-") != 0 ? fopen (path, "rb") : NULL;
  gsize n = file != NULL ? fread (start, 1, sizeof start - 1, file) : 0;

  if (file != NULL)
    fclose (file);
  if (goban_graph_source_is_spec (path))
    return TRUE;
  return n > 0 && g_strstr_len (start, (gssize) n, "\"goban_plan\"") == NULL;
}

/* Mistakes that can be found before anything is read. */
static gboolean
check_options (CompareOptions *compare, int argc, char **argv)
{
  static const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;

  compare->plans = argv + 2;
  compare->n_plans = (guint) (argc - 2);
  compare->has_two_graphs = argc == 3 && is_graph_file (argv[2]);
  if (compare->threshold != NULL && !parse_percent (compare->threshold, &compare->percent))
    return goban_cli_refuse ("“%s” is not a percentage such as 2%%", compare->threshold);
  compare->policies = compare->list == NULL && compare->n_plans > 0
                          ? g_strdupv ((char **) none)
                          : goban_cli_split_policies (
                              compare->list != NULL ? compare->list : DEFAULT_POLICIES, &error);
  if (compare->policies == NULL
      || (compare->report != NULL && !goban_share_check_path (compare->report, &error)))
    {
      goban_cli_fail (error, GOBAN_EXIT_USAGE);
      return FALSE;
    }
  if ((compare->report != NULL || compare->why || compare->list == NULL) && !compare->has_two_graphs
      && count_asked (compare) < 2)
    return goban_cli_refuse ("name at least two plans or policies");
  return TRUE;
}

/* --- runs ---------------------------------------------------------------------------------- */

static gboolean
load_plans (const CompareOptions *compare, GobanCostModel *costs, GobanFusing fusing,
            GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < compare->n_plans; i++)
    {
      g_autoptr (GobanPlan) plan = goban_plan_load (compare->plans[i], costs, error);
      g_autoptr (GobanPlan) fused = NULL;
      g_autofree char *name = g_path_get_basename (compare->plans[i]);

      if (plan == NULL)
        return FALSE;
      fused = goban_fusing_apply (fusing, costs, plan);
      g_ptr_array_add (runs, goban_run_new (costs, fused, name));
    }
  return TRUE;
}

/* Says which policies have failed, and goes on as if they had not been asked for. */
static void
drop_failed (CompareOptions *compare, GHashTable *failures)
{
  guint n = 0;

  goban_cli_progress_end ();
  for (guint i = 0; compare->policies[i] != NULL; i++)
    {
      char *name = compare->policies[i];
      const char *message = g_hash_table_lookup (failures, name);

      if (message != NULL)
        {
          g_printerr ("goban-cli: %s is left out: %s\n", name, message);
          g_free (name);
          compare->has_failed = TRUE;
        }
      else
        compare->policies[n++] = name;
    }
  compare->policies[n] = NULL;
}

/* Plans first, in the order given. */
static GobanComparison *
compare_all (CompareOptions *compare, GobanCostModel *costs, const GobanCliOptions *options,
             int *exit_code)
{
  g_autoptr (GPtrArray) runs = goban_run_array_new ();
  g_autoptr (GHashTable) failures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GobanComparison) placed = NULL;
  g_autoptr (GError) error = NULL;
  GobanRunOptions spending = goban_cli_run_options (options);

  spending.start = compare->start;
  if (!load_plans (compare, costs, options->fusing, runs, &error))
    {
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
      return NULL;
    }
  if (compare->policies[0] != NULL)
    {
      goban_cli_search_begin (NULL);
      placed = goban_compare_policies (costs, (const char *const *) compare->policies, &spending,
                                       failures, &error);
      goban_cli_search_end ();
      if (placed == NULL)
        {
          *exit_code = goban_cli_fail_result (error);
          return NULL;
        }
      drop_failed (compare, failures);
      if (compare->n_plans == 0)
        return g_steal_pointer (&placed);
      for (guint i = 0; i < goban_comparison_get_n_runs (placed); i++)
        g_ptr_array_add (runs, goban_run_ref (goban_comparison_get_run (placed, i)));
    }
  return goban_comparison_new (runs);
}

/* --- the report ---------------------------------------------------------------------------- */

static void
add_flag (GString *keys, gboolean is_set, const char *key)
{
  if (is_set)
    g_string_append_printf (keys, ", %s = true", key);
}

/* Options of the graph's reader, if any: ", { batch = 8 }". */
static char *
make_load_options (const GobanCliOptions *options)
{
  g_autoptr (GString) keys = g_string_new (NULL);

  if (options->format != NULL)
    g_string_append_printf (keys, ", format = \"%s\"", options->format);
  if (options->time_unit != NULL)
    g_string_append_printf (keys, ", time_unit = \"1%s\"", options->time_unit);
  if (options->batch > 0)
    g_string_append_printf (keys, ", batch = %" G_GINT64_FORMAT, options->batch);
  add_flag (keys, options->training, "training");
  add_flag (keys, options->with_backward, "with_backward");
  add_flag (keys, options->keep_constants, "keep_constants");
  return keys->len > 0 ? g_strdup_printf (", { %s }", keys->str + strlen (", ")) : g_strdup ("");
}

/* The plan of the i-th that was asked for, as Lua makes it. */
static char *
make_plan_line (const CompareOptions *compare, const GobanCliOptions *options, guint i)
{
  GobanRunOptions spending = goban_cli_run_options (options);
  g_autofree char *path = NULL;

  if (i >= count_asked (compare)) /* goban_compare_policies() adds it */
    return goban_log_policy ("single", &spending);
  if (i >= compare->n_plans)
    return goban_log_policy (compare->policies[i - compare->n_plans], &spending);
  path = goban_log_path (compare->plans[i]);
  return g_strdup_printf ("plan.load(%s, g)", path);
}

static char *
make_script (const CompareOptions *compare, const GobanCliOptions *options, const char *graph,
             GobanCluster *cluster, guint n_plans)
{
  GString *script = g_string_new (NULL);
  g_autofree char *cluster_line = goban_log_cluster (cluster);
  g_autofree char *path = goban_log_path (graph);
  g_autofree char *loading = make_load_options (options);

  g_string_append_printf (script, "%s\ng = graph.load(%s%s)\n", cluster_line, path, loading);
  for (guint i = 0; i < n_plans; i++)
    {
      g_autofree char *line = make_plan_line (compare, options, i);

      g_string_append_printf (script, "p%u = %s\n", i + 1, line);
    }
  if (options->fusing != GOBAN_FUSE_AS_IS)
    g_string_append_printf (script, "-- each as --fusion %s makes it\n",
                            goban_fusing_get_word (options->fusing));
  if (options->contention_free)
    g_string_append (script, "-- simulated with --contention-free\n");
  for (guint i = 0; i < n_plans; i++)
    g_string_append_printf (script, "%sp%u", i == 0 ? "compare(" : ", ", i + 1);
  g_string_append_printf (script, ")%s:report \"report.html\"",
                          compare->own_devices ? ":unmatched()" : "");
  return g_string_free (script, FALSE);
}

/* A page of as many plans as it takes. */
static int
write_report (const CompareOptions *compare, const GobanCliOptions *options, const char *graph,
              const GobanComparison *comparison)
{
  GobanRun *runs[GOBAN_SHARE_PLANS];
  guint n = MIN (goban_comparison_get_n_runs (comparison), GOBAN_SHARE_PLANS);
  g_autofree char *script = make_script (
      compare, options, graph, goban_run_get_cluster (goban_comparison_get_run (comparison, 0)), n);
  GobanShareOrder order = { .runs = runs,
                            .n_runs = n,
                            .shown = 1,
                            .has_own_devices = compare->own_devices,
                            .script = script,
                            .progress = goban_cli_progress () };
  g_autoptr (GError) error = NULL;

  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  for (guint i = 0; i < n; i++)
    runs[i] = goban_comparison_get_run (comparison, i);
  if (!goban_share_write (&order, compare->report, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  goban_cli_progress_end ();
  return GOBAN_EXIT_OK;
}

/* Breakdown of the difference of the first two. (transfer full) (nullable): with @exit_code set. */
static GobanBreakdown *
break_down (GobanComparison *comparison, int *exit_code)
{
  GobanBreakdownOptions options = { .progress = goban_cli_progress () };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanDifference) difference = goban_difference_new_matched (
      goban_comparison_get_run (comparison, 0), goban_comparison_get_run (comparison, 1),
      goban_comparison_get_matching (comparison), 0, &error);
  GobanBreakdown *why
      = difference != NULL ? goban_breakdown_new (difference, &options, &error) : NULL;

  if (why == NULL)
    *exit_code = goban_cli_is_interrupted () ? GOBAN_EXIT_INTERRUPTED
                                             : goban_cli_fail (error, GOBAN_EXIT_WORSE);
  goban_cli_progress_end ();
  return why;
}

static char *
make_text (GobanComparison *comparison, const GobanBreakdown *why)
{
  GobanDeviceMatching *matching = goban_comparison_get_matching (comparison);
  g_autofree char *table = goban_report_comparison_text (comparison);
  g_autofree char *reasons = NULL;
  g_autofree char *renamed = NULL;

  if (why == NULL)
    return g_steal_pointer (&table);
  reasons = goban_breakdown_to_text (why);
  if (matching != NULL)
    renamed = goban_device_matching_describe (matching, goban_run_get_name (matching->run));
  return g_strdup_printf ("%s\n%s%s%s", table, reasons, renamed != NULL ? renamed : "",
                          renamed != NULL ? "\n" : "");
}

static int
tell (const CompareOptions *compare, const GobanCliOptions *options, GobanComparison *comparison)
{
  g_autoptr (GobanBreakdown) why = NULL;
  g_autofree char *text = NULL;
  int exit_code = GOBAN_EXIT_OK;

  /* Standard output holds the page already. */
  if (g_strcmp0 (compare->report, "-") == 0)
    return GOBAN_EXIT_OK;
  if (compare->why)
    why = break_down (comparison, &exit_code);
  if (exit_code != GOBAN_EXIT_OK)
    return exit_code;
  text = options->json ? goban_report_comparison_json (comparison, why)
                       : make_text (comparison, why);
  return goban_cli_print (text);
}

/* After Ctrl+C: the runs so far, the last of which may be one that was ended early. */
static int
tell_ended (CompareOptions *compare, const GobanCliOptions *options, const char *graph,
            GobanComparison *comparison)
{
  guint n = goban_comparison_get_n_runs (comparison);
  g_autofree char *what = g_strdup_printf ("%u of %u plans; the last may be improved by more time",
                                           MIN (n, count_asked (compare)), count_asked (compare));
  int exit_code = GOBAN_EXIT_OK;

  goban_cli_say_ended (what, NULL);
  if (n < 2 && (compare->report != NULL || compare->why))
    {
      g_printerr ("goban-cli: --report and --why are about two plans: nothing is written\n");
      compare->why = FALSE;
    }
  else if (compare->report != NULL)
    exit_code = write_report (compare, options, graph, comparison);
  if (exit_code == GOBAN_EXIT_OK)
    exit_code = tell (compare, options, comparison);
  return exit_code == GOBAN_EXIT_FILE ? exit_code : GOBAN_EXIT_INTERRUPTED;
}

/* --- two graphs ---------------------------------------------------------------------------- */

/* The shown run of a session, or a graph placed by the first policy. (transfer full) (nullable) */
static GobanRun *
load_run (const char *path, const CompareOptions *compare, const GobanCliOptions *options,
          int *exit_code)
{
  GobanRunOptions spending = goban_cli_run_options (options);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (path);
  GobanRun *run;

  if (g_str_has_suffix (path, ".goban"))
    run = goban_cli_load_session (path, exit_code);
  else
    {
      costs = goban_cli_load_costs (path, options, exit_code);
      if (costs == NULL)
        return NULL;
      goban_cli_print_warnings (costs);
      run = goban_run_new_from_policy (costs, compare->list != NULL ? compare->policies[0] : "heft",
                                       &spending, &error);
      if (run == NULL)
        *exit_code = goban_cli_fail_result (error);
    }
  if (run != NULL)
    goban_run_rename (run, name);
  return run;
}

static char *
describe_two_json (const GobanGraphMatching *matching, const GobanBreakdown *causes)
{
  GString *out = g_string_new ("{\"matched\": {");
  static const char *const words[] = { "origin", "name", "structure", "first_alone" };

  for (guint i = 0; i < GOBAN_N_MATCHES; i++)
    g_string_append_printf (out, "\"%s\": %u, ", words[i],
                            goban_graph_matching_count (matching, 0, i));
  g_string_append_printf (out, "\"second_alone\": %u},\n\"causes\": [",
                          goban_graph_matching_count (matching, 1, GOBAN_MATCH_NONE));
  for (guint i = 0; i < causes->n_bars; i++)
    {
      g_string_append (out, i > 0 ? ",\n  {\"label\": " : "\n  {\"label\": ");
      goban_json_append_string (out, causes->bars[i].label);
      g_string_append (out, ", \"seconds\": ");
      goban_json_append_number (out, goban_bar_get_change_us (&causes->bars[i]) / 1e6);
      g_string_append_c (out, '}');
    }
  g_string_append (out, "\n]}\n");
  return g_string_free (out, FALSE);
}

/* What both have, and the causes of the difference of their runs. */
static int
compare_two (char *const paths[2], const CompareOptions *compare, const GobanCliOptions *options)
{
  int exit_code = GOBAN_EXIT_OK;
  g_autoptr (GobanRun) before = load_run (paths[0], compare, options, &exit_code);
  g_autoptr (GobanRun) after
      = before != NULL ? load_run (paths[1], compare, options, &exit_code) : NULL;
  g_autoptr (GobanGraphMatching) matching = NULL;
  g_autoptr (GobanBreakdown) causes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *shared = NULL, *reasons = NULL, *text = NULL;

  if (after == NULL)
    return exit_code;
  matching = goban_graph_matching_new (goban_run_get_graph (before), goban_run_get_graph (after));
  causes = goban_breakdown_new_of_causes (before, after, &error);
  if (causes == NULL)
    return goban_cli_fail (error, GOBAN_EXIT_WORSE);
  shared = goban_graph_matching_describe (
      matching, (const char *const[]){ goban_run_get_name (before), goban_run_get_name (after) });
  reasons = goban_breakdown_to_text (causes);
  text = options->json ? describe_two_json (matching, causes)
                       : g_strdup_printf ("%s\n%s", shared, reasons);
  return goban_cli_print (text);
}

static int
run_compare (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (CompareOptions) compare = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanComparison) comparison = NULL;
  const GOptionEntry own[] = {
    { "policies", 'p', 0, G_OPTION_ARG_STRING, &compare.list,
      "Default: " DEFAULT_POLICIES "; none where plans are given", "POLICY,…" },
    { "fail-if-worse", 0, 0, G_OPTION_ARG_STRING, &compare.threshold,
      "Exit with 1 if one is invalid or more than P percent slower than the first", "P%" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &compare.report,
      "Write a page about the plans that browsers show and print: FILE.html, or - for standard "
      "output",
      "FILE" },
    { "why", 'w', 0, G_OPTION_ARG_NONE, &compare.why,
      "Say what makes the difference of the first two: placement, order, fusion", NULL },
    { "own-devices", 0, 0, G_OPTION_ARG_NONE, &compare.own_devices,
      "Compare devices by name, without matching exchangeable ones", NULL },
    GOBAN_CLI_START_OPTION (&compare.start_path),
    { NULL },
  };
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_compare, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_POLICY | GOBAN_CLI_FUSION,
                        own, 1, MAX_PLANS + 1)
      || !check_options (&compare, argc, argv))
    return GOBAN_EXIT_USAGE;
  if (!goban_cli_check_policies ((const char *const *) compare.policies, &options,
                                 compare.start_path, &exit_code))
    return exit_code;

  if (compare.has_two_graphs)
    return compare_two (argv + 1, &compare, &options);
  costs = goban_cli_load_costs (argv[1], &options, &exit_code);
  if (costs != NULL)
    goban_cli_print_warnings (costs);
  if (costs == NULL
      || !goban_cli_load_start (compare.start_path, costs, &compare.start, &exit_code))
    return exit_code;
  comparison = compare_all (&compare, costs, &options, &exit_code);
  if (comparison == NULL)
    return exit_code;
  goban_comparison_set_own_devices (comparison, compare.own_devices);
  if (compare.has_failed && count_asked (&compare) < 2)
    compare.why = FALSE;

  if (goban_cli_search_was_ended ())
    return tell_ended (&compare, &options, argv[1], comparison);
  if (compare.report != NULL)
    exit_code = write_report (&compare, &options, argv[1], comparison);
  if (exit_code == GOBAN_EXIT_OK)
    exit_code = tell (&compare, &options, comparison);
  if (exit_code != GOBAN_EXIT_OK)
    return exit_code;
  if (compare.has_failed)
    return GOBAN_EXIT_WORSE;
  return judge (comparison, count_asked (&compare), compare.threshold != NULL, compare.percent);
}

const GobanVerb goban_verb_compare
    = { "compare", "GRAPH [OTHER…]",
        "Rank policies or plans of a graph, or say why two graphs or sessions differ",
        run_compare };
