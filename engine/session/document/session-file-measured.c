#include "engine/session/document/session-file-measured.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/graph/graph-builder.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/session/document/session-file.h"
#include "engine/sim/trace-recorded.h"
#include "engine/study/run/run-origin.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void
goban_session_write_names (GobanWriter *self, const GobanGraph *graph)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree const char **names = g_new0 (const char *, n + 1);

  for (GobanNodeId v = 0; v < n; v++)
    names[v] = goban_graph_get_node (graph, v)->name;
  goban_writer_add_texts (self, "nodes", names);
}

/* Without edges every order is topological, so that the one of adding is kept. */
static GobanGraph *
new_of_names (const char *const *names)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "");
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    goban_graph_builder_add_node (builder, names[i], "");
  /* Without a graph, plans are left out with a warning. */
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  for (guint i = 0; graph != NULL && names[i] != NULL; i++)
    if (strcmp (goban_graph_get_node (graph, i)->name, names[i]) != 0)
      return NULL;
  return g_steal_pointer (&graph);
}

gboolean
goban_session_read_names (GobanJsonValue graph, guint64 n_nodes, GobanGraph **old, GError **error)
{
  g_autofree const char **names = NULL;

  *old = NULL;
  if (!goban_json_get_texts (graph, "nodes", &names, error))
    return FALSE;
  if (names == NULL || n_nodes == 0)
    return TRUE;
  if (g_strv_length ((char **) names) != n_nodes)
    return goban_json_refuse (goban_json_find (graph, "nodes"), error,
                              "there are %u names for %" PRIu64 " nodes",
                              g_strv_length ((char **) names), n_nodes);
  *old = new_of_names (names);
  return TRUE;
}

/* --- rows of numbers -------------------------------------------------------------------------- */

static void
write_rows (GobanWriter *self, const char *key, const double *values, guint n, guint n_in_row)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) row = g_string_new (NULL);
  char number[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (row, "%s%s", row->len > 0 ? " " : "",
                              goban_format_double (number, values[i]));
      if ((i + 1) % n_in_row != 0 && i + 1 < n)
        continue;
      g_ptr_array_add (rows, g_strdup (row->str));
      g_string_truncate (row, 0);
    }
  g_ptr_array_add (rows, NULL);
  goban_writer_add_texts (self, key, (const char *const *) rows->pdata);
}

/* The numbers of a row, added to @values; FALSE if it has others, or more than @n in all. */
static gboolean
scan_row (const char *row, guint n, GArray *values)
{
  while (*row != '\0')
    {
      char *end;
      double value = g_ascii_strtod (row, &end);

      if (end == row || !isfinite (value) || value < 0 || values->len == n)
        return FALSE;
      g_array_append_val (values, value);
      row = *end == ' ' ? end + 1 : end;
    }
  return TRUE;
}

/* *values: (transfer full) (nullable): n of them, or NULL if the key is absent. */
static gboolean
read_rows (GobanJsonValue place, const char *key, guint n, GArray **values, GError **error)
{
  g_autofree const char **rows = NULL;
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (double));

  *values = NULL;
  if (!goban_json_has (place, key))
    return TRUE;
  if (!goban_json_get_texts (place, key, &rows, error))
    return FALSE;
  for (guint i = 0; rows != NULL && rows[i] != NULL; i++)
    if (!scan_row (rows[i], n, own))
      return goban_json_refuse_value (goban_json_get_element (place, key, i),
                                      N_ ("times in microseconds"), error);
  if (own->len != n)
    return goban_json_refuse (goban_json_find (place, key), error,
                              "there are %u times, but there should be %u", own->len, n);
  *values = g_steal_pointer (&own);
  return TRUE;
}

/* --- times that costs were given -------------------------------------------------------------- */

void
goban_session_write_times (GobanWriter *self, const GobanCostModel *costs)
{
  const GobanGivenTimes *times = goban_cost_model_get_given_times (costs);

  if (times == NULL)
    return;
  goban_writer_add_key (self, "times");
  goban_writer_open (self, '{');
  goban_writer_add_text (self, "kind", goban_given_times_get_kind (times));
  write_rows (self, "us", goban_given_times_get_us (times),
              goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)), GOBAN_SESSION_ROW);
  goban_writer_close (self, '}');
}

gboolean
goban_session_read_times (GobanReader *self, GobanJsonValue root, GError **error)
{
  static const char *const keys[] = { "!kind", "!us", NULL };
  GobanState *state = self->snapshot->state;
  GobanGraph *graph = self->snapshot->graph;
  GobanJsonValue place = goban_json_find (root, "times");
  g_autoptr (GobanGivenTimes) times = NULL;
  g_autoptr (GArray) values = NULL;
  const char *kind = "";
  GobanCostModel *costs;

  if (goban_json_is_missing (place))
    return TRUE;
  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_text (place, "kind", &kind, error))
    return FALSE;
  if (!self->has_same_nodes)
    {
      goban_reader_warn (self, "measured times are left out, which were for other nodes than the "
                               "graph has now");
      return TRUE;
    }
  if (!read_rows (place, "us", goban_graph_get_n_nodes (graph), &values, error))
    return FALSE;
  times = goban_given_times_new (kind, (const double *) (const void *) values->data, values->len);
  costs = goban_cost_model_new_given (graph, state->cluster, GOBAN_EXECUTION_EVENTS, times);
  g_clear_pointer (&state->costs, goban_cost_model_unref);
  state->costs = costs;
  return TRUE;
}

/* --- measured runs ---------------------------------------------------------------------------- */

void
goban_session_write_measured (GobanWriter *self, GobanRun *run)
{
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  guint n = goban_graph_get_n_nodes (goban_run_get_graph (run));
  g_autofree double *values = NULL;

  if (!goban_run_is_recorded (run))
    return;
  values = g_new (double, 2 * n + 1);
  for (GobanNodeId v = 0; v < n; v++)
    {
      values[2 * v] = spans[v].start_us;
      values[2 * v + 1] = spans[v].finish_us;
    }
  write_rows (self, "measured", values, 2 * n, 2);
}

GobanPlan *
goban_session_find_plan (const GobanSnapshot *snapshot, const GobanPlan *plan, gboolean is_recorded)
{
  for (guint i = 0; i < snapshot->state->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (snapshot->state->runs, i);
      GobanPlan *own = goban_run_get_plan (run);

      if (goban_run_is_recorded (run) == is_recorded && goban_plan_decides_same (own, plan)
          && g_str_equal (goban_plan_get_policy (own), goban_plan_get_policy (plan)))
        return own;
    }
  return NULL;
}

gboolean
goban_session_read_measured (GobanReader *self, GobanJsonValue place, GobanPlan *plan,
                             GobanRun **run, GError **error)
{
  guint n = goban_graph_get_n_nodes (self->snapshot->graph);
  GobanPlan *twin = goban_session_find_plan (self->snapshot, plan, FALSE);
  g_autofree double *start_us = g_new (double, n + 1);
  g_autofree double *finish_us = g_new (double, n + 1);
  g_autoptr (GArray) values = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  g_autoptr (GError) misfit = NULL;
  const char *name = "plan";

  if (!read_rows (place, "measured", 2 * n, &values, error)
      || !goban_json_get_text (place, "name", &name, error))
    return FALSE;
  if (values == NULL)
    return TRUE;
  for (GobanNodeId v = 0; v < n; v++)
    {
      start_us[v] = g_array_index (values, double, 2 * v);
      finish_us[v] = g_array_index (values, double, 2 * v + 1);
    }
  if (goban_plan_check (plan, self->snapshot->state->costs, &misfit))
    trace = goban_trace_new_recorded (self->snapshot->state->costs, twin != NULL ? twin : plan,
                                      start_us, finish_us, &misfit);
  if (trace != NULL)
    *run = goban_run_new_recorded (trace, name);
  else
    goban_reader_warn (self, "plan “%s” is left out: %s", name, misfit->message);
  return TRUE;
}
