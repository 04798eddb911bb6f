#include "app/cli/cli-report.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/study/run/graph-source.h"

#include <string.h>

static char *
make_report (GobanRun *run, const GobanCliOptions *options)
{
  g_autoptr (GobanBottlenecks) bottlenecks
      = options->bottlenecks
            ? goban_bottlenecks_new (goban_run_get_trace (run), GOBAN_BOTTLENECKS_MOST)
            : NULL;

  return options->json ? goban_report_run_json (run, bottlenecks)
                       : goban_report_run_text (run, bottlenecks);
}

int
goban_cli_get_exit_code (GobanRun *run)
{
  return goban_trace_is_valid (goban_run_get_trace (run)) ? GOBAN_EXIT_OK : GOBAN_EXIT_WORSE;
}

int
goban_cli_report_run (GobanRun *run, const GobanCliOptions *options, const char *taken)
{
  g_autofree char *report = g_strcmp0 (taken, "-") != 0 ? make_report (run, options) : NULL;
  int exit_code = report != NULL ? goban_cli_print (report) : GOBAN_EXIT_OK;

  return exit_code != GOBAN_EXIT_OK ? exit_code : goban_cli_get_exit_code (run);
}

int
goban_cli_report_written (const char *key, const char *origin, const GobanGraph *graph,
                          const char *output, const GobanCliOptions *options)
{
  g_autoptr (GString) json = g_string_new ("{");

  if (!options->json || strcmp (output, "-") == 0)
    return GOBAN_EXIT_OK;
  goban_json_add_string (json, key, origin);
  goban_json_add_string (json, "output", output);
  goban_json_add_number (json, "nodes", goban_graph_get_n_nodes (graph));
  goban_json_add_number (json, "edges", goban_graph_get_n_edges (graph));
  g_string_append (json, "}\n");
  return goban_cli_print (json->str);
}

/* --- files ---------------------------------------------------------------------------------- */

gboolean
goban_cli_check_printed (const char *const *paths, guint n, GError **error)
{
  guint n_printed = 0;

  for (guint i = 0; i < n; i++)
    n_printed += g_strcmp0 (paths[i], "-") == 0;
  return n_printed < 2
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "%u files cannot all be standard output: give the others names",
                          n_printed);
}

void
goban_cli_outputs_clear (GobanCliOutputs *self)
{
  g_clear_pointer (&self->graph, g_free);
  g_clear_pointer (&self->plan, g_free);
  g_clear_pointer (&self->trace, g_free);
  g_clear_pointer (&self->schedule, g_free);
  g_clear_pointer (&self->schedule_text, g_free);
}

gboolean
goban_cli_outputs_check (const GobanCliOutputs *self, GError **error)
{
  const char *const paths[] = { self->graph, self->plan, self->trace, self->schedule };

  return goban_cli_check_printed (paths, G_N_ELEMENTS (paths), error)
         && (self->graph == NULL || goban_graph_source_check_writer (self->graph, NULL, error));
}

static gboolean
save (const GobanCliOutputs *self, GobanRun *run, GError **error)
{
  return (self->graph == NULL
          || goban_graph_source_save (goban_run_get_graph (run), self->graph, NULL, error))
         && (self->plan == NULL
             || goban_plan_save (goban_run_get_plan (run), goban_run_get_costs (run), self->plan,
                                 error))
         && (self->trace == NULL || goban_run_save_trace (run, self->trace, error))
         && (self->schedule == NULL
             || goban_file_write (self->schedule, self->schedule_text, strlen (self->schedule_text),
                                  error));
}

static gboolean
are_printed (const GobanCliOutputs *self)
{
  return g_strcmp0 (self->graph, "-") == 0 || g_strcmp0 (self->plan, "-") == 0
         || g_strcmp0 (self->trace, "-") == 0 || g_strcmp0 (self->schedule, "-") == 0;
}

int
goban_cli_outputs_deliver (const GobanCliOutputs *self, GobanRun *run, const char *head,
                           const GobanCliOptions *options)
{
  g_autofree char *report = make_report (run, options);
  g_autofree char *text = options->json
                              ? g_strdup_printf ("%s, \"run\": %s}\n", head, g_strchomp (report))
                              : g_strconcat (head, report, NULL);
  g_autoptr (GError) error = NULL;
  int exit_code;

  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (!save (self, run, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  exit_code = are_printed (self) ? GOBAN_EXIT_OK : goban_cli_print (text);
  return exit_code != GOBAN_EXIT_OK ? exit_code : goban_cli_get_exit_code (run);
}
