#include "engine/study/report/report.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/graph/levels.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "engine/study/bench/suite.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"

#include <math.h>
#include <string.h>

/* Differences between two plans, as text. */

/* More names than this are a number. */
#define MAX_NAMES_LISTED 20

static void
append_names (GString *text, const GobanDifference *difference)
{
  GobanGraph *graph = goban_run_get_graph (difference->after);
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE), &n);

  if (n == 0)
    return;

  g_string_append (text, "moved: ");
  for (guint i = 0; i < MIN (n, MAX_NAMES_LISTED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            goban_graph_get_node (graph, ids[i])->name);
  if (n > MAX_NAMES_LISTED)
    g_string_append_printf (text, ", … (%u)", n);
  g_string_append_c (text, '\n');
}

static void
append_matrix (GString *text, const GobanDifference *difference)
{
  GobanCluster *cluster = goban_run_get_cluster (difference->after);
  guint n_devices = difference->n_devices;
  g_autoptr (GPtrArray) headings = g_ptr_array_new ();
  g_autoptr (GobanTable) table = NULL;

  g_ptr_array_add (headings, (gpointer) "from \\ to");
  for (guint d = 0; d < n_devices; d++)
    g_ptr_array_add (headings, (gpointer) goban_cluster_get_device (cluster, d)->name);
  g_ptr_array_add (headings, NULL);

  table = goban_table_new ((const char *const *) headings->pdata);
  for (guint from = 0; from < n_devices; from++)
    {
      goban_table_add (table, "%s", goban_cluster_get_device (cluster, from)->name);
      for (guint to = 0; to < n_devices; to++)
        if (from == to)
          goban_table_add (table, ".");
        else
          goban_table_add (table, "%u", goban_difference_get_n_moves (difference, from, to));
    }
  goban_table_append_to (table, text);
}

static guint
count (const GobanDifference *difference, GobanChange change)
{
  guint n;

  goban_selection_get_ids (goban_difference_get_nodes (difference, change), &n);
  return n;
}

char *
goban_report_diff_text (const GobanDifference *difference)
{
  GobanRun *a = difference->before;
  GobanRun *b = difference->after;
  GString *text = g_string_new (NULL);
  double a_us = goban_run_get_makespan_us (a), b_us = goban_run_get_makespan_us (b);
  char p[GOBAN_QUANTITY_LEN], q[GOBAN_QUANTITY_LEN];

  g_string_printf (text, "%s %s, %s %s", goban_run_get_name (a), goban_format_time (p, a_us),
                   goban_run_get_name (b), goban_format_time (q, b_us));
  if (a_us > 0 && isfinite (a_us) && isfinite (b_us))
    g_string_append_printf (text, " (%s)", goban_format_percent_change (p, a_us, b_us));
  g_string_append_printf (text, ": %u moved, %u re-prioritised, %u fused otherwise\n",
                          count (difference, GOBAN_CHANGE_DEVICE),
                          count (difference, GOBAN_CHANGE_PRIORITY),
                          count (difference, GOBAN_CHANGE_FUSION));
  if (!difference->has_same_order)
    g_string_append (text, "one runs first come, first served, the other by priority\n");
  if (!difference->has_same_transfers)
    g_string_append (text, "transfers have other priorities\n");
  append_names (text, difference);
  if (count (difference, GOBAN_CHANGE_DEVICE) > 0)
    append_matrix (text, difference);
  return g_string_free (text, FALSE);
}

/* --- lists ------------------------------------------------------------------------------------ */

/* Lists of policies, families of graphs and suites. */

#define LINE_WIDTH 80

/* --- policies ------------------------------------------------------------------------------ */

static void
append_policy (GString *json, const GobanPolicyInfo *policy)
{
  g_string_append_c (json, '{');
  goban_json_add_string (json, "name", policy->name);
  goban_json_add_string (json, "blurb", policy->blurb);
  goban_json_add_string (json, "about", policy->about);
  goban_json_add_string (json, "source", policy->source);
  goban_json_add_string (json, "effort", policy->effort);
  goban_json_add_boolean (json, "random", policy->is_random);
  goban_json_add_number (json, "default_evaluations", (double) policy->default_evaluations);
  g_string_append_c (json, '}');
}

char *
goban_report_policies_json (void)
{
  GString *json = g_string_new ("[");
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_string_append (json, i > 0 ? ",\n " : "");
      append_policy (json, &policies[i]);
    }
  g_string_append (json, "]\n");
  return g_string_free (json, FALSE);
}

char *
goban_report_policies_text (void)
{
  static const char *const headings[]
      = { "policy", "<effort", "evaluations", "<what it does", "<source", NULL };
  GString *text = g_string_new (NULL);
  g_autoptr (GobanTable) table = goban_table_new (headings);
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    {
      goban_table_add (table, "%s", policies[i].name);
      goban_table_add (table, "%s", policies[i].effort);
      if (policies[i].default_evaluations > 0)
        goban_table_add (table, "%" G_GUINT64_FORMAT, policies[i].default_evaluations);
      else
        goban_table_add (table, "-");
      goban_table_add (table, "%s", policies[i].blurb);
      goban_table_add (table, "%s", policies[i].source);
    }
  goban_table_append_to (table, text);
  return g_string_free (text, FALSE);
}

char *
goban_report_policy_json (const char *name, GError **error)
{
  GobanPolicyInfo policy;
  GString *json;

  if (!goban_policy_find (name, &policy, error))
    return NULL;
  json = g_string_new (NULL);
  append_policy (json, &policy);
  g_string_append_c (json, '\n');
  return g_string_free (json, FALSE);
}

/* Breaks lines between words. */
static void
append_paragraph (GString *text, const char *paragraph)
{
  g_auto (GStrv) words = g_strsplit_set (paragraph, " \n", -1);
  glong column = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      glong width = g_utf8_strlen (words[i], -1);

      if (width == 0)
        continue;
      if (column > 0 && column + 1 + width > LINE_WIDTH)
        {
          g_string_append_c (text, '\n');
          column = 0;
        }
      g_string_append_printf (text, "%s%s", column > 0 ? " " : "", words[i]);
      column += width + (column > 0);
    }
  g_string_append_c (text, '\n');
}

char *
goban_report_policy_text (const char *name, GError **error)
{
  GobanPolicyInfo policy;
  GString *text;

  if (!goban_policy_find (name, &policy, error))
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s: %s\n\n", policy.name, policy.blurb);
  if (*policy.about != '\0')
    {
      append_paragraph (text, policy.about);
      g_string_append_c (text, '\n');
    }
  append_paragraph (text, policy.source);
  g_string_append_printf (text, "\neffort       %s\nrandom       %s\n", policy.effort,
                          policy.is_random ? "yes, by its seed" : "no");
  if (policy.default_evaluations > 0)
    g_string_append_printf (text, "evaluations  %" G_GUINT64_FORMAT " unless told\n",
                            policy.default_evaluations);
  return g_string_free (text, FALSE);
}

/* --- families ------------------------------------------------------------------------------ */

static void
append_knob_json (GString *json, const GobanKnob *knob)
{
  g_string_append_c (json, '{');
  goban_json_add_string (json, "name", knob->name);
  goban_json_add_string (json, "meaning", knob->meaning);
  if (knob->words != NULL)
    {
      goban_json_add_string (json, "default", knob->words[0]);
      goban_json_add_strings (json, "words", knob->words);
    }
  else
    {
      goban_json_add_number (json, "default", (double) knob->initial);
      goban_json_add_number (json, "minimum", (double) knob->minimum);
      goban_json_add_number (json, "maximum", (double) knob->maximum);
    }
  g_string_append_c (json, '}');
}

static void
append_knobs_json (GString *json, const GobanFamily *family)
{
  const GobanKnob *knob;

  for (gsize i = 0; (knob = goban_family_get_knob (family, i)) != NULL; i++)
    {
      g_string_append (json, i == 0 ? "\n   " : ",\n   ");
      append_knob_json (json, knob);
    }
}

char *
goban_report_families_json (void)
{
  GString *json = g_string_new ("[");
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_string_append (json, i > 0 ? ",\n {" : "{");
      goban_json_add_string (json, "name", families[i]->name);
      goban_json_add_string (json, "blurb", families[i]->blurb);
      goban_json_add_string (json, "source", families[i]->source);
      goban_json_begin (json, "knobs", '[');
      append_knobs_json (json, families[i]);
      g_string_append (json, "]}");
    }
  g_string_append (json, "]\n");
  return g_string_free (json, FALSE);
}

/* Adds the knobs from @first on, to before @end. */
static void
add_knobs (GobanTable *table, const GobanFamily *family, gsize first, gsize end)
{
  const GobanKnob *knob;

  for (gsize i = first; i < end && (knob = goban_family_get_knob (family, i)) != NULL; i++)
    {
      goban_table_add (table, "  %s", knob->name);
      if (knob->words != NULL)
        {
          g_autofree char *words = i == 0 && family->sizes != NULL
                                       ? g_strdup ("see below")
                                       : g_strjoinv (", ", (char **) knob->words);

          goban_table_add (table, "%s", knob->words[0]);
          goban_table_add (table, "%s", words);
        }
      else
        {
          goban_table_add (table, "%" G_GINT64_FORMAT, knob->initial);
          goban_table_add (table, "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, knob->minimum,
                           knob->maximum);
        }
      goban_table_add (table, "%s", knob->meaning);
    }
}

char *
goban_report_families_text (void)
{
  static const char *const headings[] = { "  key", "<default", "<may be", "<meaning", NULL };
  GString *text = g_string_new (NULL);
  gsize n;
  const GobanFamily *const *families = goban_families (&n);
  g_autoptr (GobanTable) of_all = goban_table_new (headings);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GobanTable) table = goban_table_new (headings);

      g_string_append_printf (text, "%s: %s\n", families[i]->name, families[i]->blurb);
      append_paragraph (text, families[i]->source);
      add_knobs (table, families[i], 0, families[i]->n_knobs);
      goban_table_append_to (table, text);
      if (families[i]->sizes != NULL)
        {
          g_autofree char *words = g_strjoinv (", ", (char **) families[i]->knobs[0].words);
          g_autofree char *sizes = g_strdup_printf ("sizes, each a name of its own as %s is: %s",
                                                    families[i]->name, words);

          append_paragraph (text, sizes);
        }
      g_string_append_c (text, '\n');
    }
  g_string_append (text, "all of them\n");
  add_knobs (of_all, families[0], families[0]->n_knobs, G_MAXSIZE);
  goban_table_append_to (of_all, text);
  return g_string_free (text, FALSE);
}

/* --- suites -------------------------------------------------------------------------------- */

/* The readable ones; an unreadable one gives an error when it is requested. (element-type
 * GobanSuite) */
static GPtrArray *
load_suites (void)
{
  GPtrArray *suites = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_suite_unref);
  g_auto (GStrv) names = goban_suite_names ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      GobanSuite *suite = goban_suite_load (names[i], NULL);

      if (suite != NULL)
        g_ptr_array_add (suites, suite);
    }
  return suites;
}

char *
goban_report_suites_json (void)
{
  g_autoptr (GPtrArray) suites = load_suites ();
  GString *json = g_string_new ("[");

  for (guint i = 0; i < suites->len; i++)
    {
      const GobanSuite *suite = g_ptr_array_index (suites, i);

      g_string_append (json, i > 0 ? ",\n {" : "{");
      goban_json_add_string (json, "name", suite->name);
      goban_json_add_string (json, "about", suite->about);
      goban_json_begin (json, "graphs", '[');
      for (guint k = 0; k < suite->graphs->len; k++)
        {
          const GobanSuiteGraph *graph = goban_suite_get_graph (suite, k);

          g_string_append (json, k > 0 ? ",\n  {" : "\n  {");
          goban_json_add_string (json, "name", graph->name);
          goban_json_add_string (json, "graph", graph->graph);
          for (guint task = 0; task < GOBAN_N_SUITE_TASKS; task++)
            goban_json_add_string (json, goban_suite_task_names[task], graph->clusters[task]);
          g_string_append_c (json, '}');
        }
      g_string_append (json, "]}");
    }
  g_string_append (json, "]\n");
  return g_string_free (json, FALSE);
}

char *
goban_report_suites_text (void)
{
  g_autoptr (GPtrArray) suites = load_suites ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < suites->len; i++)
    {
      static const char *const headings[]
          = { "  graph", "<placement", "<joint task", "<made of", NULL };
      const GobanSuite *suite = g_ptr_array_index (suites, i);
      g_autoptr (GobanTable) table = goban_table_new (headings);

      g_string_append_printf (text, "%s%s\n", i > 0 ? "\n" : "", suite->name);
      append_paragraph (text, suite->about);
      for (guint k = 0; k < suite->graphs->len; k++)
        {
          const GobanSuiteGraph *graph = goban_suite_get_graph (suite, k);

          goban_table_add (table, "  %s", graph->name);
          for (guint task = 0; task < GOBAN_N_SUITE_TASKS; task++)
            goban_table_add (table, "%s",
                             graph->clusters[task] != NULL ? graph->clusters[task] : "-");
          goban_table_add (table, "%s", graph->graph);
        }
      goban_table_append_to (table, text);
    }
  return g_string_free (text, FALSE);
}

/* Buffers for the several quantities of one line. */
typedef char Quantity[GOBAN_QUANTITY_LEN];

static const char *
format_ratio (char *buffer, double ratio)
{
  if (!isfinite (ratio))
    return "-";
  return g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.3f", ratio);
}

/* More digits of a time that was measured here and now would be noise. */
static const char *
format_duration (char *buffer, double seconds)
{
  return goban_format_time (buffer, seconds < 0.1 ? round (seconds * 1e5) * 10
                                                  : round (seconds * 1e2) * 1e4);
}

/* A graph's name in reports, or a word for a graph without one. Borrowed. */
static const char *
report_graph_name (const GobanGraph *graph)
{
  const char *name = goban_graph_get_name (graph);

  return *name != '\0' ? name : "(unnamed)";
}

/* The keys of one result, without the braces around them. */
static void
append_result (GString *json, GobanRun *run)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  GobanTrace *trace = parts->trace;
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  guint n_devices = goban_cluster_get_n_devices (parts->cluster);
  double proven_us = goban_run_get_proven_bound_us (run);
  g_autofree char *proof = goban_run_describe_proof (run);
  guint64 best = goban_run_get_best_evaluation (run);
  const GobanDecisions *decisions = goban_run_get_decisions (run);

  goban_json_add_string (json, "policy", goban_run_get_name (run));
  goban_json_add_boolean (json, "valid", goban_trace_is_valid (trace));
  goban_json_add_string (json, "why", goban_trace_get_why (trace));
  goban_json_add_number (json, "makespan_us", goban_run_get_makespan_us (run));
  goban_json_add_number (json, "ratio_to_bound", goban_run_get_ratio (run));
  goban_json_add_number (json, "proven_bound_us", proven_us > 0 ? proven_us : (double) NAN);
  goban_json_add_string (json, "proof", proof != NULL ? proof : "");
  goban_json_begin (json, "peak_bytes", '[');
  for (guint d = 0; d < n_devices; d++)
    {
      g_string_append (json, d > 0 ? ", " : "");
      goban_json_append_number (json, uses[d].peak_bytes);
    }
  g_string_append_c (json, ']');
  if (goban_trace_is_fused (trace))
    {
      /* Only of this run: bounds of plans without fusion do not hold for it. */
      goban_json_add_number (json, "kernels",
                             goban_fusing_count_kernels (goban_run_get_plan (run)));
      goban_json_add_number (json, "fused_bound_us", goban_trace_get_bounds (trace)->bound_us);
    }
  goban_json_add_number (json, "transferred_bytes", goban_trace_get_transferred_bytes (trace));
  goban_json_add_number (json, "evaluations", goban_run_get_origin (run)->evaluations);
  goban_json_add_number (json, "best_evaluation", best > 0 ? (double) best : (double) NAN);
  if (decisions != NULL)
    goban_json_add_number (json, "moments", goban_decisions_get_n_moments (decisions));
  goban_json_add_number (json, "seconds", goban_run_get_origin (run)->seconds);
}

static void
append_setting (GString *json, GobanRun *run)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  GobanExecution execution = goban_cost_model_get_execution (parts->costs);

  goban_json_add_string (json, "graph", goban_graph_get_name (parts->graph));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (parts->cluster));
  goban_json_add_string (json, "model", goban_execution_get_name (execution));
  goban_json_add_number (json, "bound_us", goban_trace_get_bounds (parts->trace)->bound_us);
  goban_json_add_strings (json, "warnings", goban_graph_get_warnings (parts->graph));
}

static void
append_bottlenecks (GString *json, const GobanBottlenecks *bottlenecks)
{
  goban_json_begin (json, "bottlenecks", '[');
  for (guint i = 0; i < bottlenecks->n_causes; i++)
    {
      const GobanBottleneck *cause = &bottlenecks->causes[i];

      g_string_append (json, i > 0 ? ",\n  {" : "\n  {");
      goban_json_add_string (json, "kind", goban_bottleneck_kind_words[cause->kind]);
      goban_json_add_string (json, "label", cause->label);
      goban_json_add_number (json, "time_us", cause->time_us);
      goban_json_add_number (json, "share", cause->time_us / bottlenecks->makespan_us);
      goban_json_add_number (json, "nodes", cause->n_nodes);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]");
}

char *
goban_report_run_json (GobanRun *run, const GobanBottlenecks *bottlenecks)
{
  g_autoptr (GString) json = g_string_new ("{");

  append_setting (json, run);
  g_string_append (json, ",\n ");
  append_result (json, run);
  if (bottlenecks != NULL)
    append_bottlenecks (json, bottlenecks);
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static void
append_bar (GString *json, const GobanBar *bar)
{
  g_string_append_c (json, '{');
  goban_json_add_string (json, "kind", goban_bar_kind_words[bar->kind]);
  goban_json_add_string (json, "label", bar->label);
  goban_json_add_number (json, "from_us", bar->from_us);
  goban_json_add_number (json, "to_us", bar->to_us);
  goban_json_add_number (json, "error_us", bar->error_us);
  goban_json_add_number (json, "nodes", bar->n_nodes);
  goban_json_add_boolean (json, "possible", bar->is_possible);
  g_string_append_c (json, '}');
}

static void
append_why (GString *json, GobanComparison *comparison, const GobanBreakdown *why)
{
  GobanDeviceMatching *matching = goban_comparison_get_matching (comparison);
  g_autofree char *sentence = goban_breakdown_to_sentence (why, NULL);
  g_autofree char *method = goban_breakdown_describe_method (why);
  g_autofree char *renamed
      = matching != NULL
            ? goban_device_matching_describe (matching, goban_run_get_name (matching->run))
            : NULL;

  goban_json_begin (json, "why", '{');
  goban_json_add_string (json, "sentence", sentence);
  goban_json_add_string (json, "method", method);
  goban_json_add_string (json, "renamed", renamed != NULL ? renamed : "");
  goban_json_begin (json, "bars", '[');
  for (guint i = 0; i < why->n_bars; i++)
    {
      g_string_append (json, i > 0 ? ",\n  " : "\n  ");
      append_bar (json, &why->bars[i]);
    }
  g_string_append (json, "\n]}");
}

char *
goban_report_comparison_json (GobanComparison *comparison, const GobanBreakdown *why)
{
  g_autoptr (GString) json = g_string_new ("{");
  g_autofree char *verdict = goban_comparison_get_verdict (comparison);

  append_setting (json, goban_comparison_get_run (comparison, 0));
  goban_json_add_string (json, "verdict", verdict);
  goban_json_begin (json, "results", '[');
  for (guint i = 0; i < goban_comparison_get_n_runs (comparison); i++)
    {
      g_string_append (json, i > 0 ? ",\n  {" : "\n  {");
      append_result (json, goban_comparison_get_run (comparison, i));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "\n]");
  if (why != NULL)
    append_why (json, comparison, why);
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

static void
append_bound (GString *text, const GobanTrace *trace)
{
  const GobanBounds *bounds = goban_trace_get_bounds (trace);
  Quantity bound, path, work, memory;

  g_string_append_printf (text, "%s %s (critical path %s, work / devices %s",
                          goban_trace_is_fused (trace) ? "if fused" : "bound   ",
                          goban_format_time (bound, bounds->bound_us),
                          goban_format_time (path, bounds->critical_path_us),
                          goban_format_time (work, bounds->work_us));
  if (bounds->memory_us > 0)
    g_string_append_printf (text, ", forced by memory %s",
                            goban_format_time (memory, bounds->memory_us));
  g_string_append (text, ")\n");
}

static void
append_heading (GString *text, GobanRun *run)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  guint n_nodes = goban_graph_get_n_nodes (parts->graph);
  guint n_edges = goban_graph_get_n_edges (parts->graph);
  guint n_devices = goban_cluster_get_n_devices (parts->cluster);
  Quantity nodes, edges;

  g_string_append_printf (text, "graph    %s: %s node%s, %s edge%s\n",
                          report_graph_name (parts->graph), goban_format_grouped (nodes, n_nodes),
                          n_nodes == 1 ? "" : "s", goban_format_grouped (edges, n_edges),
                          n_edges == 1 ? "" : "s");
  g_string_append_printf (text, "cluster  %s: %u device%s\n",
                          goban_cluster_get_name (parts->cluster), n_devices,
                          n_devices == 1 ? "" : "s");
  append_bound (text, parts->trace);
}

/* Runs that fuse are measured by another bound than those that do not: a second line of it. */
static void
append_other_bound (GString *text, const GobanComparison *comparison)
{
  GobanTrace *first = goban_run_get_trace (goban_comparison_get_run (comparison, 0));

  for (guint i = 1; i < goban_comparison_get_n_runs (comparison); i++)
    {
      GobanTrace *trace = goban_run_get_trace (goban_comparison_get_run (comparison, i));

      if (goban_trace_is_fused (trace) == goban_trace_is_fused (first))
        continue;
      append_bound (text, trace);
      return;
    }
}

/* Kernels that fusion makes of the plan's nodes. */
static void
append_fusion (GString *text, GobanRun *run)
{
  GobanPlan *plan = goban_run_get_plan (run);

  if (goban_plan_is_fused (plan))
    {
      guint n_kernels = goban_fusing_count_kernels (plan);

      g_string_append_printf (text, "fusion   %u nodes in %u kernel%s\n",
                              goban_plan_get_n_nodes (plan), n_kernels, n_kernels == 1 ? "" : "s");
    }
}

char *
goban_report_run_text (GobanRun *run, const GobanBottlenecks *bottlenecks)
{
  static const char *const headings[]
      = { "device", "ops", "busy", "sending", "receiving", "peak memory", "of", NULL };
  GobanTrace *trace = goban_run_get_trace (run);
  GobanCluster *cluster = goban_run_get_cluster (run);
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  double makespan_us = goban_run_get_makespan_us (run);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GobanTable) table = goban_table_new (headings);
  g_autofree char *proof = goban_run_describe_proof (run);
  Quantity a, b, c;

  append_heading (text, run);
  g_string_append_printf (text, "plan     %s: %s, %s x bound, %s moved%s%s\n",
                          goban_run_get_name (run), goban_format_time (a, makespan_us),
                          format_ratio (b, goban_run_get_ratio (run)),
                          goban_format_bytes (c, goban_trace_get_transferred_bytes (trace)),
                          proof != NULL ? ", " : "", proof != NULL ? proof : "");
  append_fusion (text, run);
  if (!goban_trace_is_valid (trace))
    g_string_append_printf (text, "invalid  %s\n", goban_trace_get_why (trace));
  g_string_append_c (text, '\n');

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, d);
      double share = makespan_us > 0 && isfinite (makespan_us) ? 100 / makespan_us : 0;

      goban_table_add (table, "%s", device->name);
      goban_table_add (table, "%u", uses[d].n_ops);
      goban_table_add (table, "%s %%",
                       g_ascii_formatd (a, sizeof a, "%.1f", uses[d].busy_us * share));
      goban_table_add (table, "%s %%",
                       g_ascii_formatd (a, sizeof a, "%.1f", uses[d].sending_us * share));
      goban_table_add (table, "%s %%",
                       g_ascii_formatd (a, sizeof a, "%.1f", uses[d].receiving_us * share));
      goban_table_add (table, "%s", goban_format_bytes (a, uses[d].peak_bytes));
      goban_table_add (table, "%s", goban_format_bytes (a, device->memory_bytes));
    }
  goban_table_append_to (table, text);
  if (bottlenecks != NULL)
    {
      g_autofree char *causes = goban_bottlenecks_to_text (bottlenecks);

      g_string_append_printf (text, "\n%s", causes);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Equals stay in the order asked for, so that the first row is the one the verdict names.
 * g_ptr_array_sort() is stable and hands over the addresses of the elements. */
static int
compare_elements (gconstpointer a, gconstpointer b)
{
  GobanRun *left = *(GobanRun *const *) a;
  GobanRun *right = *(GobanRun *const *) b;

  if (goban_trace_is_valid (goban_run_get_trace (left))
          == goban_trace_is_valid (goban_run_get_trace (right))
      && goban_run_get_makespan_us (left) == goban_run_get_makespan_us (right))
    return 0;
  return goban_run_compare (left, right);
}

/* In a table the beginning of the sentence: "gpu:0 runs out of memory before the start"; the rest
 * is told if one run is reported. Of a valid run, what is proven of it. */
static void
add_note (GobanTable *table, GobanRun *run)
{
  const char *why = goban_trace_get_why (goban_run_get_trace (run));
  g_autofree char *proof = goban_run_describe_proof (run);
  const char *details = strstr (why, ": ");

  if (proof != NULL)
    goban_table_add (table, "%s", proof);
  else
    goban_table_add (table, "%.*s", (int) (details != NULL ? details - why : (gssize) strlen (why)),
                     why);
}

char *
goban_report_comparison_text (const GobanComparison *comparison)
{
  static const char *const headings[]
      = { "policy",      "makespan", "x bound", "peak memory", "moved",
          "evaluations", "took",     "<note",   NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GobanTable) table = goban_table_new (headings);
  g_autoptr (GPtrArray) ranked = g_ptr_array_new ();
  g_autofree char *verdict = goban_comparison_get_verdict (comparison);
  Quantity q;

  append_heading (text, goban_comparison_get_run (comparison, 0));
  append_other_bound (text, comparison);
  g_string_append_c (text, '\n');

  for (guint i = 0; i < goban_comparison_get_n_runs (comparison); i++)
    g_ptr_array_add (ranked, goban_comparison_get_run (comparison, i));
  g_ptr_array_sort (ranked, compare_elements);

  for (guint i = 0; i < ranked->len; i++)
    {
      GobanRun *run = g_ptr_array_index (ranked, i);
      GobanTrace *trace = goban_run_get_trace (run);

      goban_table_add (table, "%s", goban_run_get_name (run));
      goban_table_add (table, "%s", goban_format_time (q, goban_run_get_makespan_us (run)));
      goban_table_add (table, "%s", format_ratio (q, goban_run_get_ratio (run)));
      goban_table_add (table, "%s", goban_format_bytes (q, goban_run_get_peak_bytes (run)));
      goban_table_add (table, "%s",
                       goban_format_bytes (q, goban_trace_get_transferred_bytes (trace)));
      goban_table_add (table, "%" G_GUINT64_FORMAT, goban_run_get_origin (run)->evaluations);
      goban_table_add (table, "%s", format_duration (q, goban_run_get_origin (run)->seconds));
      add_note (table, run);
    }
  goban_table_append_to (table, text);
  g_string_append_printf (text, "\n%s\n", verdict);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
goban_report_run_sentence (GobanRun *run)
{
  GobanGraph *graph = goban_run_get_graph (run);
  GobanTrace *trace = goban_run_get_trace (run);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (run));
  g_autoptr (GString) text = g_string_new (NULL);
  Quantity q, nodes;

  g_string_printf (text, "%s: %s node%s on %u device%s by %s, %s", report_graph_name (graph),
                   goban_format_grouped (nodes, n_nodes), n_nodes == 1 ? "" : "s", n_devices,
                   n_devices == 1 ? "" : "s", goban_run_get_name (run),
                   goban_format_time (q, goban_run_get_makespan_us (run)));
  if (isfinite (goban_run_get_ratio (run)))
    g_string_append_printf (text, ", %s times the lower bound",
                            g_ascii_formatd (q, sizeof q, "%.2f", goban_run_get_ratio (run)));
  if (!goban_trace_is_valid (trace))
    g_string_append_printf (text, "; invalid: %s", goban_trace_get_why (trace));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- graphs and nodes ------------------------------------------------------------------------- */

/* The reports that look at one graph, its nodes and what two plans make of them. */

typedef struct
{
  const char *op;
  guint count;
} OpCount;

typedef struct
{
  GArray *ops; /* OpCount, the most frequent first, then by name */
  double param_count;
  double param_bytes;
  double macs;
  double work_us;
  double critical_path_us;
  guint sources[GOBAN_N_SOURCES];
} Totals;

static int
compare_op_counts (gconstpointer a, gconstpointer b)
{
  const OpCount *left = a, *right = b;

  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return strcmp (left->op, right->op);
}

static GArray *
count_ops (const GobanGraph *graph)
{
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (OpCount));
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      OpCount fresh = { goban_graph_get_node (graph, v)->op, 0 };
      gpointer found = g_hash_table_lookup (index_of, fresh.op);

      if (found == NULL)
        {
          g_array_append_val (ops, fresh);
          found = GUINT_TO_POINTER (ops->len);
          g_hash_table_insert (index_of, (gpointer) fresh.op, found);
        }
      g_array_index (ops, OpCount, GPOINTER_TO_UINT (found) - 1).count++;
    }
  g_array_sort (ops, compare_op_counts);
  return ops;
}

static Totals
add_up (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *least_us = g_new (double, n_nodes);
  Totals totals = { .ops = count_ops (graph) };

  goban_cost_model_min_times (costs, least_us);
  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      totals.param_count += node->param_count;
      totals.param_bytes += node->param_bytes;
      totals.macs += node->macs;
      totals.work_us += least_us[v];
      totals.sources[node->time_source]++;
    }
  totals.critical_path_us = goban_graph_longest_path (graph, least_us, NULL);
  return totals;
}

static const char *const source_names[GOBAN_N_SOURCES] = { "measured", "given", "estimated" };

/* All that the file itself says of times on a kind of device; how many nodes it says so of. */
static double
sum_of_kind (const GobanGraph *graph, guint kind, guint *n_told)
{
  double sum_us = 0;

  *n_told = 0;
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      double time_us = goban_graph_get_time_us (graph, v, kind);

      if (!isfinite (time_us))
        continue;
      sum_us += time_us;
      (*n_told)++;
    }
  return sum_us;
}

static void
append_kinds_json (GString *json, const GobanGraph *graph)
{
  goban_json_begin (json, "kinds", '{');
  for (guint kind = 0; kind < goban_graph_get_n_kinds (graph); kind++)
    {
      guint n_told;
      double sum_us = sum_of_kind (graph, kind, &n_told);

      goban_json_begin (json, goban_graph_get_kind (graph, kind), '{');
      goban_json_add_number (json, "nodes", n_told);
      goban_json_add_number (json, "sum_us", sum_us);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, '}');
}

static void
append_kinds_text (GString *text, const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (guint kind = 0; kind < goban_graph_get_n_kinds (graph); kind++)
    {
      const char *name = goban_graph_get_kind (graph, kind);
      gboolean any = strcmp (name, GOBAN_ANY_KIND) == 0;
      guint n_told;
      double sum_us = sum_of_kind (graph, kind, &n_told);
      Quantity q;

      if (n_told == 0)
        continue;
      g_string_append_printf (text, "in the file    %s on %s", goban_format_time (q, sum_us),
                              any ? "any device" : name);
      if (n_told < n_nodes)
        g_string_append_printf (text, ", %u of %u nodes", n_told, n_nodes);
      g_string_append_c (text, '\n');
    }
}

static void
append_parameters (GString *text, const Totals *totals)
{
  Quantity count, size;

  goban_format_count (count, totals->param_count);
  goban_format_bytes (size, totals->param_bytes);
  g_string_append (text, "parameters     ");
  if (totals->param_count > 0)
    g_string_append_printf (text, "%s (%s)\n", count, size);
  else
    g_string_append_printf (text, "%s\n", totals->param_bytes > 0 ? size : "none known");
}

char *
goban_report_info_json (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  Totals totals = add_up (costs);
  g_autoptr (GArray) ops = totals.ops;
  g_autoptr (GString) json = g_string_new ("{");

  goban_json_add_string (json, "name", goban_graph_get_name (graph));
  goban_json_add_string (json, "format", goban_graph_get_format (graph));
  goban_json_add_number (json, "nodes", goban_graph_get_n_nodes (graph));
  goban_json_add_number (json, "edges", goban_graph_get_n_edges (graph));
  goban_json_begin (json, "ops", '{');
  for (guint i = 0; i < ops->len; i++)
    goban_json_add_number (json, g_array_index (ops, OpCount, i).op,
                           g_array_index (ops, OpCount, i).count);
  g_string_append_c (json, '}');
  goban_json_add_number (json, "parameters", totals.param_count);
  goban_json_add_number (json, "parameter_bytes", totals.param_bytes);
  goban_json_add_number (json, "macs", totals.macs);
  goban_json_add_string (json, "cluster",
                         goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
  goban_json_add_number (json, "work_us", totals.work_us);
  goban_json_add_number (json, "critical_path_us", totals.critical_path_us);
  goban_json_begin (json, "sources", '{');
  for (guint s = 0; s < GOBAN_N_SOURCES; s++)
    goban_json_add_number (json, source_names[s], totals.sources[s]);
  g_string_append_c (json, '}');
  append_kinds_json (json, graph);
  goban_json_add_strings (json, "warnings", goban_graph_get_warnings (graph));
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

char *
goban_report_info_text (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  const char *const *warnings = goban_graph_get_warnings (graph);
  Totals totals = add_up (costs);
  g_autoptr (GArray) ops = totals.ops;
  g_autoptr (GString) text = g_string_new (NULL);
  double parallelism = totals.critical_path_us > 0 ? totals.work_us / totals.critical_path_us : 1;
  Quantity a, b;

  g_string_append_printf (text, "name           %s\n", report_graph_name (graph));
  g_string_append_printf (text, "format         %s\n", goban_graph_get_format (graph));
  g_string_append_printf (text, "nodes          %s\n",
                          goban_format_grouped (a, goban_graph_get_n_nodes (graph)));
  g_string_append_printf (text, "edges          %s\n",
                          goban_format_grouped (a, goban_graph_get_n_edges (graph)));
  append_parameters (text, &totals);
  g_string_append_printf (text, "MACs           %s\n",
                          totals.macs > 0 ? goban_format_count (a, totals.macs) : "none known");
  g_string_append_printf (text, "work           %s on %s\n", goban_format_time (a, totals.work_us),
                          goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
  g_string_append_printf (text, "critical path  %s: at most %s times faster on many devices\n",
                          goban_format_time (a, totals.critical_path_us),
                          g_ascii_formatd (b, sizeof b, "%.2f", parallelism));
  g_string_append_printf (text, "times          %u measured, %u given, %u estimated\n",
                          totals.sources[GOBAN_SOURCE_MEASURED], totals.sources[GOBAN_SOURCE_GIVEN],
                          totals.sources[GOBAN_SOURCE_ESTIMATED]);
  append_kinds_text (text, graph);
  g_string_append (text, "ops            ");
  for (guint i = 0; i < MIN (ops->len, MAX_NAMES_LISTED); i++)
    g_string_append_printf (text, "%s%s %u", i > 0 ? ", " : "", g_array_index (ops, OpCount, i).op,
                            g_array_index (ops, OpCount, i).count);
  if (ops->len > MAX_NAMES_LISTED)
    g_string_append_printf (text, ", … (%u kinds)", ops->len);
  g_string_append_c (text, '\n');
  for (guint i = 0; warnings[i] != NULL; i++)
    g_string_append_printf (text, "warning        %s\n", warnings[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
append_tensors (GString *text, GobanGraph *graph, GobanNodeId node)
{
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n);

  for (GobanTensorId t = first; t < first + n; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      Quantity size;

      if (tensor->is_control)
        continue;
      g_string_append_printf (text, "output    %s", goban_format_bytes (size, tensor->size_bytes));
      if (tensor->has_shape)
        {
          g_string_append_printf (text, ", %s[", tensor->dtype);
          for (guint i = 0; i < tensor->n_dims; i++)
            {
              g_string_append (text, i > 0 ? "," : "");
              if (tensor->dims[i] < 0)
                g_string_append_c (text, '?');
              else
                g_string_append_printf (text, "%" G_GINT64_FORMAT, tensor->dims[i]);
            }
          g_string_append_c (text, ']');
        }
      g_string_append_c (text, '\n');
    }
}

static void
append_placement (GString *text, GobanRun *run, GobanNodeId node)
{
  GobanPlan *plan = goban_run_get_plan (run);
  GobanDeviceId device = goban_plan_get_device (plan, node);
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  double time_us = goban_cost_model_time_us (goban_run_get_costs (run), node, device);
  const float *entropies = goban_run_get_entropies (run);
  Quantity q;

  g_string_append_printf (text, "device    %s\n",
                          goban_cluster_get_device (goban_run_get_cluster (run), device)->name);
  g_string_append_printf (text, "priority  %d\n", goban_plan_get_priority (plan, node));
  if (entropies != NULL && isfinite (entropies[node]))
    g_string_append_printf (text, "entropy   %s nats, of the network's choice of the device\n",
                            g_ascii_formatd (q, sizeof q, "%.3f", (double) entropies[node]));
  g_string_append_printf (
      text, "time      %s, %s\n", goban_format_time (q, time_us),
      source_names[goban_cost_model_get_source (goban_run_get_costs (run), node, device)]);
  if (ops == NULL)
    return;

  g_string_append_printf (text, "ready     %s\n", goban_format_time (q, ops[node].ready_us));
  g_string_append_printf (text, "start     %s\n", goban_format_time (q, ops[node].start_us));
  g_string_append_printf (text, "waited    %s for its device\n",
                          goban_format_time (q, ops[node].start_us - ops[node].ready_us));
  g_string_append_printf (text, "finish    %s\n", goban_format_time (q, ops[node].finish_us));
}

char *
goban_report_node_text (GobanGraph *graph, GobanRun *run, GobanNodeId v)
{
  static const char *const phases[] = { "forward", "backward", "update" };
  const GobanNode *node = goban_graph_get_node (graph, v);
  g_autoptr (GString) text = g_string_new (NULL);
  Quantity a, b;

  g_string_append_printf (text, "name      %s\n", node->name);
  g_string_append_printf (text, "op        %s, %s\n", node->op, phases[node->phase]);
  if (run != NULL)
    append_placement (text, run, v);
  append_tensors (text, graph, v);
  g_string_append_printf (text, "work      %s FLOPs, %s MACs\n",
                          goban_format_count (a, node->flops), goban_format_count (b, node->macs));
  g_string_append_printf (text, "memory    reads %s, writes %s\n",
                          goban_format_bytes (a, node->read_bytes),
                          goban_format_bytes (b, node->written_bytes));
  if (node->param_bytes > 0)
    g_string_append_printf (text, "weights   %s, %s\n", goban_format_count (a, node->param_count),
                            goban_format_bytes (b, node->param_bytes));
  if (node->group != GOBAN_NO_GROUP)
    g_string_append_printf (text, "group     %u shares one device\n", node->group);
  g_string_append_printf (text, "inputs    %u, consumers %u\n",
                          goban_graph_get_in_edges (graph, v).n,
                          goban_graph_get_out_edges (graph, v).n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
