/* report-lists.c: lists of policies, families of graphs and suites. */
#include "engine/study/report/report.h"

#include "engine/core/json-text.h"
#include "engine/core/text-table.h"
#include "engine/graph/workloads/workload.h"
#include "engine/study/bench/suite.h"

#include <string.h>

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
      goban_json_append_key (json, "words");
      g_string_append_c (json, '[');
      for (guint i = 0; knob->words[i] != NULL; i++)
        {
          g_string_append (json, i > 0 ? ", " : "");
          goban_json_append_string (json, knob->words[i]);
        }
      g_string_append_c (json, ']');
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
      goban_json_append_key (json, "knobs");
      g_string_append_c (json, '[');
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
          g_autofree char *words = g_strjoinv (", ", (char **) knob->words);

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
      goban_json_add_string (json, "name", goban_suite_get_name (suite));
      goban_json_add_string (json, "about", goban_suite_get_about (suite));
      goban_json_append_key (json, "graphs");
      g_string_append_c (json, '[');
      for (guint k = 0; k < goban_suite_get_n_graphs (suite); k++)
        {
          const GobanSuiteGraph *graph = goban_suite_get_graph (suite, k);

          g_string_append (json, k > 0 ? ",\n  {" : "\n  {");
          goban_json_add_string (json, "name", graph->name);
          goban_json_add_string (json, "graph", graph->graph);
          for (guint task = 0; task < GOBAN_N_SUITE_TASKS; task++)
            goban_json_add_string (json, goban_suite_task_get_name (task), graph->clusters[task]);
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

      g_string_append_printf (text, "%s%s\n", i > 0 ? "\n" : "", goban_suite_get_name (suite));
      append_paragraph (text, goban_suite_get_about (suite));
      for (guint k = 0; k < goban_suite_get_n_graphs (suite); k++)
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
