/* A session file, keys sorted behind the first, which tells what the file is:
 *
 *   { "goban_session": 1,
 *     "cluster": "p100x4",                              or the whole of it, as cluster files have it
 *     "current": 2,                                     the run that is shown, from 1; 0: none
 *     "graph": { "hash": "...", "n_nodes": 12, "names": "...", "path": "toy.dot" },
 *     "notes": [ "a line", "another" ],
 *     "pinned": [ "0-3", "7" ],                         numbers of nodes
 *     "runs": [ { "devices": [ "12*0 1 2 18*0" ], ... } ],
 *     "selection": [],
 *     "view": { "color": "device", ... } }
 *
 * In place of "path", "spec" is the spec of a generated graph, and "lines" are those of goban's own format. A row of
 * a plan is the values of GOBAN_SESSION_ROW nodes (tensors, for transfers), n*v for n times v. A list that is left
 * out has its value of a new plan everywhere.
 */
#include "engine/session/session-file.h"

#include "engine/base/error.h"
#include "engine/base/json-text.h"
#include "engine/base/quantity.h"
#include "engine/io/io.h"
#include "engine/session/snapshot.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GString *text;
  guint depth;
  gboolean has_before; /* a comma is due */
} Writer;

static void
begin_line (Writer *self)
{
  g_string_append (self->text, self->has_before ? ",\n" : "\n");
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->text, "  ");
  self->has_before = TRUE;
}

static void
add_key (Writer *self, const char *key)
{
  begin_line (self);
  goban_json_append_string (self->text, key);
  g_string_append (self->text, ": ");
}

static void
open_list (Writer *self, char bracket)
{
  g_string_append_c (self->text, bracket);
  self->depth++;
  self->has_before = FALSE;
}

static void
close_list (Writer *self, char bracket)
{
  gboolean is_empty = !self->has_before;

  self->depth--;
  self->has_before = FALSE;
  if (!is_empty)
    begin_line (self);
  g_string_append_c (self->text, bracket);
  self->has_before = TRUE;
}

static void
add_text (Writer *self, const char *key, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  add_key (self, key);
  goban_json_append_string (self->text, valid);
}

static void
add_number (Writer *self, const char *key, double value)
{
  add_key (self, key);
  goban_json_append_number (self->text, value);
}

static void
add_count (Writer *self, const char *key, guint64 value)
{
  add_key (self, key);
  /* Beyond what numbers of JSON have, digits are a text. */
  g_string_append_printf (
      self->text, value > G_MAXINT64 ? "\"%" G_GUINT64_FORMAT "\"" : "%" G_GUINT64_FORMAT, value);
}

static void
add_true (Writer *self, const char *key, gboolean value)
{
  if (!value)
    return;
  add_key (self, key);
  g_string_append (self->text, "true");
}

static void
add_texts (Writer *self, const char *key, const char *const *texts)
{
  add_key (self, key);
  open_list (self, '[');
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (texts[i], -1);

      begin_line (self);
      goban_json_append_string (self->text, valid);
    }
  close_list (self, ']');
}

/* Nothing for no text: "" has no lines. */
static void
add_lines (Writer *self, const char *key, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  add_texts (self, key, (const char *const *) lines);
}

static void
add_nodes (Writer *self, const char *key, const GobanSelection *nodes)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  add_key (self, key);
  open_list (self, '[');
  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && ids[end] == ids[end - 1] + 1;)
        end++;
      begin_line (self);
      g_string_append_printf (self->text, "\"%u", ids[first]);
      if (end - first > 1)
        g_string_append_printf (self->text, "-%u", ids[end - 1]);
      g_string_append_c (self->text, '"');
    }
  close_list (self, ']');
}

/* --- plans -------------------------------------------------------------------------------------- */

static void
append_int (GString *text, gint32 value)
{
  char digits[16];
  char *p = digits + sizeof digits;
  guint32 rest = value < 0 ? -(guint32) value : (guint32) value;

  /* A plan of 80,000 nodes has half a million of these: printf would take most of the time. */
  do
    *--p = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    *--p = '-';
  g_string_append_len (text, p, digits + sizeof digits - p);
}

static void
add_rows (Writer *self, const char *key, const gint32 *values, guint n)
{
  add_key (self, key);
  open_list (self, '[');
  for (guint row = 0; row < n; row += GOBAN_SESSION_ROW)
    {
      guint end = MIN (row + GOBAN_SESSION_ROW, n);

      begin_line (self);
      g_string_append_c (self->text, '"');
      for (guint i = row, next; i < end; i = next)
        {
          for (next = i + 1; next < end && values[next] == values[i];)
            next++;
          if (i > row)
            g_string_append_c (self->text, ' ');
          if (next - i > 1)
            {
              append_int (self->text, (gint32) (next - i));
              g_string_append_c (self->text, '*');
            }
          append_int (self->text, values[i]);
        }
      g_string_append_c (self->text, '"');
    }
  close_list (self, ']');
}

static gboolean
is_all (const gint32 *values, guint n, gint32 value)
{
  for (guint i = 0; i < n; i++)
    if (values[i] != value)
      return FALSE;
  return TRUE;
}

static void
add_devices (Writer *self, const GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  g_autofree gint32 *devices = g_new (gint32, MAX (n, 1));

  for (guint v = 0; v < n; v++)
    devices[v] = goban_plan_get_devices (plan)[v];
  add_rows (self, "devices", devices, n);
}

static void
add_improvements (Writer *self, const GArray *improvements)
{
  if (improvements->len == 0)
    return;
  add_key (self, "improvements");
  open_list (self, '[');
  for (guint i = 0; i < improvements->len; i++)
    {
      const GobanImprovement *step = &g_array_index (improvements, GobanImprovement, i);
      char number[GOBAN_QUANTITY_LEN];

      begin_line (self);
      g_string_append_printf (self->text, "\"%" G_GUINT64_FORMAT " %s\"", step->evaluation,
                              goban_format_double (number, step->makespan_us));
    }
  close_list (self, ']');
}

static void
add_cluster (Writer *self, GobanCluster *cluster)
{
  const char *name = goban_cluster_get_name (cluster);
  g_autofree char *json = goban_cluster_to_json (cluster);
  /* Only what every program knows may stand as a name: a file of that name is another thing elsewhere. */
  g_autoptr (GobanCluster) preset
      = g_file_test (name, G_FILE_TEST_EXISTS) ? NULL : goban_cluster_new_from_spec (name, NULL);
  g_autofree char *preset_json = preset != NULL ? goban_cluster_to_json (preset) : NULL;
  g_auto (GStrv) lines = NULL;

  if (g_strcmp0 (json, preset_json) == 0)
    {
      add_text (self, "cluster", name);
      return;
    }
  add_key (self, "cluster");
  lines = g_strsplit (g_strchomp (json), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_printf (self->text, "\n%*s", (int) (2 * self->depth), "");
      g_string_append (self->text, lines[i]);
    }
}

static void
add_proof (Writer *self, GobanRun *run)
{
  double bound_us = goban_plan_get_proven_bound_us (goban_run_get_plan (run));
  g_autofree char *mark = NULL;

  if (!(bound_us > 0) || !isfinite (bound_us))
    return;
  mark = goban_plan_make_fingerprint (goban_run_get_costs (run));
  add_number (self, "proven_bound_us", bound_us);
  add_text (self, "proven_for", mark);
}

static void
add_run (Writer *self, const GobanSnapshot *snapshot, GobanRun *run)
{
  const GobanPlan *plan = goban_run_get_plan (run);
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanExecution execution = goban_cost_model_get_execution (goban_run_get_costs (run));
  GobanExecution usual = goban_cluster_is_contention_free (cluster)
                             ? GOBAN_EXECUTION_CONTENTION_FREE
                             : GOBAN_EXECUTION_EVENTS;
  guint n = goban_plan_get_n_nodes (plan);

  begin_line (self);
  open_list (self, '{');
  if (cluster != snapshot->state->cluster)
    add_cluster (self, cluster);
  add_devices (self, plan);
  add_count (self, "evaluations", goban_run_get_evaluations (run));
  if (execution != usual)
    add_text (self, "execution", goban_execution_get_name (execution));
  if (!is_all (goban_plan_get_fusions (plan), n, GOBAN_NO_FUSION))
    add_rows (self, "fusions", goban_plan_get_fusions (plan), n);
  add_improvements (self, goban_run_get_improvements (run));
  add_text (self, "name", goban_run_get_name (run));
  add_text (self, "order",
            goban_plan_get_order (plan) == GOBAN_ORDER_PRIORITY ? "priority" : "fifo");
  add_text (self, "policy", goban_plan_get_policy (plan));
  if (!is_all (goban_plan_get_priorities (plan), n, 0))
    add_rows (self, "priorities", goban_plan_get_priorities (plan), n);
  add_proof (self, run);
  add_number (self, "seconds", goban_run_get_seconds (run));
  add_count (self, "seed", goban_run_get_seed (run));
  if (transfers != NULL)
    add_rows (self, "transfers", transfers, goban_plan_get_n_tensors (plan));
  close_list (self, '}');
}

/* --- the rest ----------------------------------------------------------------------------------- */

static void
add_load (Writer *self, const GobanLoadOptions *load)
{
  if (load->batch == 0 && load->format == NULL && !load->keep_constants && !(load->time_unit_us > 0)
      && !load->training && !load->with_backward)
    return;
  add_key (self, "load");
  open_list (self, '{');
  if (load->batch != 0)
    add_number (self, "batch", load->batch);
  if (load->format != NULL)
    add_text (self, "format", load->format);
  add_true (self, "keep_constants", load->keep_constants);
  if (load->time_unit_us > 0)
    add_number (self, "time_unit_us", load->time_unit_us);
  add_true (self, "training", load->training);
  add_true (self, "with_backward", load->with_backward);
  close_list (self, '}');
}

/* Below @folder a path is relative, so that both can be moved together. */
static void
add_path (Writer *self, const char *path, const char *folder)
{
  gsize n = folder != NULL ? strlen (folder) : 0;

  if (n > 0 && g_str_has_prefix (path, folder) && path[n] == '/')
    add_text (self, "path", path + n + 1);
  else if (n == 1 && *folder == '/' && *path == '/')
    add_text (self, "path", path + 1);
  else
    add_text (self, "path", path);
}

static gboolean
add_made (Writer *self, const GobanGraph *graph, GError **error)
{
  const GobanFormat *json = goban_format_find ("json", error);
  g_autofree char *text = NULL;
  gsize size;

  text = json != NULL ? json->write (graph, &size, error) : NULL;
  if (text == NULL)
    return FALSE;
  add_lines (self, "lines", text);
  return TRUE;
}

static gboolean
add_graph (Writer *self, const GobanSnapshot *snapshot, const char *folder, GError **error)
{
  const GobanGraph *graph = snapshot->graph;
  g_autofree char *names = goban_snapshot_make_names (graph);

  add_key (self, "graph");
  open_list (self, '{');
  add_key (self, "hash");
  g_string_append_printf (self->text, "\"%016" G_GINT64_MODIFIER "x\"",
                          goban_graph_get_hash (graph));
  if (snapshot->path == NULL && !add_made (self, graph, error))
    return FALSE;
  add_load (self, &snapshot->load);
  add_count (self, "n_nodes", goban_graph_get_n_nodes (graph));
  add_text (self, "names", names);
  if (snapshot->path != NULL && goban_session_is_spec (snapshot->path))
    add_text (self, "spec", snapshot->path);
  else if (snapshot->path != NULL)
    add_path (self, snapshot->path, folder);
  close_list (self, '}');
  return TRUE;
}

static void
add_view (Writer *self, const GobanSnapshot *snapshot)
{
  add_key (self, "view");
  open_list (self, '{');
  add_text (self, "color", snapshot->color);
  add_texts (self, "expanded", (const char *const *) snapshot->expanded);
  add_text (self, "grouping", goban_grouping_name (snapshot->grouping));
  add_nodes (self, "hidden", snapshot->hidden);
  add_text (self, "layout", goban_arrangement_name (snapshot->layout));
  if (isfinite (snapshot->time_us))
    add_number (self, "time_us", snapshot->time_us);
  close_list (self, '}');
}

static void
add_recovery (Writer *self, const GobanSnapshot *snapshot)
{
  if (snapshot->origin == NULL && !snapshot->is_closed)
    return;
  add_key (self, "recovery");
  open_list (self, '{');
  add_true (self, "closed", snapshot->is_closed);
  if (snapshot->origin != NULL)
    add_text (self, "file", snapshot->origin);
  close_list (self, '}');
}

char *
goban_snapshot_to_text (const GobanSnapshot *self, const char *folder, gsize *size, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Writer writer = { .text = text };
  const GPtrArray *runs = self->state->runs;
  guint current = 0;

  for (guint i = 0; i < runs->len; i++)
    if (g_ptr_array_index (runs, i) == self->state->current)
      current = i + 1;

  open_list (&writer, '{');
  add_count (&writer, "goban_session", GOBAN_SESSION_VERSION);
  add_cluster (&writer, self->state->cluster);
  add_count (&writer, "current", current);
  if (!add_graph (&writer, self, folder, error))
    return NULL;
  add_lines (&writer, "notes", self->notes);
  add_nodes (&writer, "pinned", self->state->pinned);
  add_recovery (&writer, self);
  add_key (&writer, "runs");
  open_list (&writer, '[');
  for (guint i = 0; i < runs->len; i++)
    add_run (&writer, self, g_ptr_array_index (runs, i));
  close_list (&writer, ']');
  add_nodes (&writer, "selection", self->selection);
  add_view (&writer, self);
  close_list (&writer, '}');
  g_string_append_c (text, '\n');
  *size = text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
goban_snapshot_make_names (const GobanGraph *graph)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;

      g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
    }
  return g_strndup (g_checksum_get_string (sum), 16);
}
