/* A session file, keys sorted behind the first, which tells what the file is:
 *
 *   { "goban_session": 1,
 *     "bookmarks": [ { "number": 1, "sight": "0 0 200 100", ... } ],
 *     "cluster": "p100x4",                              or its content, as in cluster files
 *     "compare": { "runs": "1 2", ... },                session-file-compare.h
 *     "current": 2,                                     the run that is shown, from 1; 0: none
 *     "graph": { "hash": "...", "n_nodes": 12, "names": "...", "path": "toy.dot" },
 *     "notes": [ "a line", "another" ],
 *     "pinned": [ "0-3", "7" ],                         numbers of nodes
 *     "runs": [ { "devices": [ "12*0 1 2 18*0" ], ... } ],
 *     "scenes": [ { "plan": "heft", ... } ],            session-file-places.h
 *     "selection": [],
 *     "view": { "color": "device", ... } }
 *
 * Runs may have "moments" (session-file-moments.h) and "measured" (session-file-measured.h), the
 * graph "nodes" (session-file-names.h). Keys without ! in check_version() may be left out: they
 * have their defaults then.
 *
 * A path that is not UTF-8 is percent-encoded as "path_bytes" (session-writer.h).
 *
 * In place of "path", "spec" is the spec of a generated graph, and "lines" are those of goban's own
 * format. A row of a plan is the values of GOBAN_SESSION_ROW nodes (tensors, for transfers), n*v
 * for n times v. A list that is left out has its value of a new plan everywhere.
 */
#include "engine/session/document/session-file.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/io/io.h"
#include "engine/session/document/session-file-compare.h"
#include "engine/session/document/session-file-measured.h"
#include "engine/session/document/session-file-moments.h"
#include "engine/session/document/session-file-names.h"
#include "engine/session/document/session-file-places.h"
#include "engine/session/view-time.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

/* --- plans ------------------------------------------------------------------------------------ */

static gboolean
is_all (const gint32 *values, guint n, gint32 value)
{
  for (guint i = 0; i < n; i++)
    if (values[i] != value)
      return FALSE;
  return TRUE;
}

static void
add_devices (GobanWriter *self, const GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  g_autofree gint32 *devices = g_new (gint32, MAX (n, 1));

  for (guint v = 0; v < n; v++)
    devices[v] = goban_plan_get_devices (plan)[v];
  goban_writer_add_rows (self, "devices", devices, n);
}

static void
add_improvements (GobanWriter *self, const GArray *improvements)
{
  if (improvements->len == 0)
    return;
  goban_writer_add_key (self, "improvements");
  goban_writer_open (self, '[');
  for (guint i = 0; i < improvements->len; i++)
    {
      const GobanImprovement *step = &g_array_index (improvements, GobanImprovement, i);
      char number[GOBAN_QUANTITY_LEN];

      goban_writer_begin_line (self);
      g_string_append_printf (self->text, "\"%" G_GUINT64_FORMAT " %s\"", step->evaluation,
                              goban_format_double (number, step->makespan_us));
    }
  goban_writer_close (self, ']');
}

static void
add_cluster (GobanWriter *self, GobanCluster *cluster)
{
  const char *name = goban_cluster_get_name (cluster);
  g_autofree char *json = goban_cluster_to_json (cluster);
  /* Only built-in things may be written by name: a file of that name differs between machines. */
  g_autoptr (GobanCluster) preset
      = g_file_test (name, G_FILE_TEST_EXISTS) ? NULL : goban_cluster_new_from_spec (name, NULL);
  g_autofree char *preset_json = preset != NULL ? goban_cluster_to_json (preset) : NULL;
  g_auto (GStrv) lines = NULL;

  if (g_strcmp0 (json, preset_json) == 0)
    {
      goban_writer_add_text (self, "cluster", name);
      return;
    }
  goban_writer_add_key (self, "cluster");
  lines = g_strsplit (g_strchomp (json), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_printf (self->text, "\n%*s", (int) (2 * self->depth), "");
      g_string_append (self->text, lines[i]);
    }
}

static void
add_proof (GobanWriter *self, GobanRun *run)
{
  /* Also for a measured run: its plan is that of a simulated one. */
  double bound_us
      = goban_plan_get_proven_bound_us (goban_run_get_plan (run), goban_run_get_costs (run));
  g_autofree char *mark = NULL;

  if (!(bound_us > 0) || !isfinite (bound_us))
    return;
  mark = goban_plan_make_fingerprint (goban_run_get_costs (run));
  goban_writer_add_number (self, "proven_bound_us", bound_us);
  goban_writer_add_text (self, "proven_for", mark);
}

/* The options of the policy, with which it makes the same decisions again. Not those that name
 * other plans, a file, or a decision of another run, which may be gone. */
static void
add_request (GobanWriter *self, GobanRun *run)
{
  const GobanRunOptions *request = goban_run_get_request (run);
  const char *fusing;
  g_autofree char *tasks = NULL;

  if (request == NULL || request->start != NULL || request->pinned != NULL
      || request->network != NULL || goban_run_get_forced (run)->of != NULL)
    return;
  fusing = goban_fusing_get_word (request->fusing);
  tasks = request->decisions != 0 ? goban_tasks_to_text (request->decisions) : NULL;
  goban_writer_add_key (self, "request");
  goban_writer_open (self, '{');
  if (fusing != NULL)
    goban_writer_add_text (self, "fusing", fusing);
  if (request->max_evaluations > 0)
    goban_writer_add_count (self, "max_evaluations", request->max_evaluations);
  if (request->max_seconds > 0)
    goban_writer_add_number (self, "max_seconds", request->max_seconds);
  if (request->settings != NULL)
    goban_writer_add_text (self, "settings", request->settings);
  if (tasks != NULL)
    goban_writer_add_text (self, "tasks", tasks);
  goban_writer_close (self, '}');
}

static void
add_run (GobanWriter *self, const GobanSnapshot *snapshot, GobanRun *run)
{
  const GobanPlan *plan = goban_run_get_plan (run);
  const gint32 *transfers = goban_plan_get_transfer_priorities (plan);
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanExecution execution = goban_cost_model_get_execution (goban_run_get_costs (run));
  GobanExecution usual = goban_cluster_is_contention_free (cluster)
                             ? GOBAN_EXECUTION_CONTENTION_FREE
                             : GOBAN_EXECUTION_EVENTS;
  guint n = goban_plan_get_n_nodes (plan);

  goban_writer_begin_line (self);
  goban_writer_open (self, '{');
  if (cluster != snapshot->state->cluster)
    add_cluster (self, cluster);
  add_devices (self, plan);
  goban_writer_add_count (self, "evaluations", goban_run_get_evaluations (run));
  if (execution != usual)
    goban_writer_add_text (self, "execution", goban_execution_get_name (execution));
  if (!is_all (goban_plan_get_fusions (plan), n, GOBAN_NO_FUSION))
    goban_writer_add_rows (self, "fusions", goban_plan_get_fusions (plan), n);
  add_improvements (self, goban_run_get_improvements (run));
  goban_session_write_measured (self, run);
  /* A plan that was kept is one on the way to the last. */
  if (goban_run_get_decisions (run) != NULL
      && goban_run_get_moment (run) != goban_decisions_get_last (goban_run_get_decisions (run)))
    goban_writer_add_count (self, "moment", goban_run_get_moment (run));
  if (!goban_session_write_moments (self, run, GOBAN_SESSION_MOMENTS_BYTES))
    g_atomic_int_inc (&((GobanSnapshot *) snapshot)->n_left_out);
  goban_writer_add_text (self, "name", goban_run_get_name (run));
  goban_writer_add_text (self, "order",
                         goban_plan_get_order (plan) == GOBAN_ORDER_PRIORITY ? "priority" : "fifo");
  goban_writer_add_text (self, "policy", goban_plan_get_policy (plan));
  if (!is_all (goban_plan_get_priorities (plan), n, 0))
    goban_writer_add_rows (self, "priorities", goban_plan_get_priorities (plan), n);
  add_proof (self, run);
  add_request (self, run);
  goban_writer_add_number (self, "seconds", goban_run_get_seconds (run));
  goban_writer_add_count (self, "seed", goban_run_get_seed (run));
  if (transfers != NULL)
    goban_writer_add_rows (self, "transfers", transfers, goban_plan_get_n_tensors (plan));
  goban_writer_close (self, '}');
}

/* --- the rest --------------------------------------------------------------------------------- */

static void
add_load (GobanWriter *self, const GobanLoadOptions *load)
{
  if (load->batch == 0 && load->format == NULL && !load->keep_constants && !(load->time_unit_us > 0)
      && !load->training && !load->with_backward)
    return;
  goban_writer_add_key (self, "load");
  goban_writer_open (self, '{');
  if (load->batch != 0)
    goban_writer_add_number (self, "batch", load->batch);
  if (load->format != NULL)
    goban_writer_add_text (self, "format", load->format);
  goban_writer_add_true (self, "keep_constants", load->keep_constants);
  if (load->time_unit_us > 0)
    goban_writer_add_number (self, "time_unit_us", load->time_unit_us);
  goban_writer_add_true (self, "training", load->training);
  goban_writer_add_true (self, "with_backward", load->with_backward);
  goban_writer_close (self, '}');
}

/* Below @folder a path is relative, so that both can be moved together. */
static void
add_path (GobanWriter *self, const char *path, const char *folder)
{
  gsize n = folder != NULL ? strlen (folder) : 0;

  if (n > 0 && g_str_has_prefix (path, folder) && path[n] == '/')
    goban_writer_add_path (self, "path", path + n + 1);
  else if (n == 1 && *folder == '/' && *path == '/')
    goban_writer_add_path (self, "path", path + 1);
  else
    goban_writer_add_path (self, "path", path);
}

static gboolean
add_made (GobanWriter *self, const GobanGraph *graph, GError **error)
{
  const GobanFormat *json = goban_format_find ("json", error);
  g_autofree char *text = NULL;
  gsize size;

  text = json != NULL ? json->write (graph, &size, error) : NULL;
  if (text == NULL)
    return FALSE;
  goban_writer_add_lines (self, "lines", text);
  return TRUE;
}

static gboolean
add_graph (GobanWriter *self, const GobanSnapshot *snapshot, const char *folder, GError **error)
{
  const GobanGraph *graph = snapshot->graph;
  g_autofree char *names = goban_snapshot_make_names (graph);

  goban_writer_add_key (self, "graph");
  goban_writer_open (self, '{');
  goban_writer_add_key (self, "hash");
  g_string_append_printf (self->text, "\"%016" G_GINT64_MODIFIER "x\"",
                          goban_graph_get_hash (graph));
  if (snapshot->path == NULL && !add_made (self, graph, error))
    return FALSE;
  add_load (self, &snapshot->load);
  goban_writer_add_count (self, "n_nodes", goban_graph_get_n_nodes (graph));
  goban_writer_add_text (self, "names", names);
  if (snapshot->path != NULL && !goban_graph_source_is_spec (snapshot->path))
    goban_session_write_names (self, graph);
  if (snapshot->path != NULL && goban_graph_source_is_spec (snapshot->path))
    goban_writer_add_text (self, "spec", snapshot->path);
  else if (snapshot->path != NULL)
    add_path (self, snapshot->path, folder);
  goban_writer_close (self, '}');
  return TRUE;
}

static void
add_lanes (GobanWriter *self, const GobanLanes *lanes)
{
  if (lanes->open[0] == NULL && lanes->pinned[0] == NULL && lanes->order[0] == NULL
      && !lanes->is_strips)
    return;
  goban_writer_add_key (self, "lanes");
  goban_writer_open (self, '{');
  goban_writer_add_texts (self, "open", lanes->open);
  goban_writer_add_texts (self, "order", lanes->order);
  goban_writer_add_texts (self, "pinned", lanes->pinned);
  goban_writer_add_true (self, "strips", lanes->is_strips);
  goban_writer_close (self, '}');
}

static void
add_view (GobanWriter *self, const GobanSnapshot *snapshot)
{
  goban_writer_add_key (self, "view");
  goban_writer_open (self, '{');
  goban_writer_add_text (self, "color", snapshot->color);
  goban_writer_add_texts (self, "expanded", goban_names_get (snapshot->expanded));
  goban_writer_add_text (self, "grouping", goban_grouping_name (snapshot->grouping));
  goban_writer_add_nodes (self, "hidden", snapshot->hidden);
  add_lanes (self, &snapshot->lanes.lanes);
  goban_writer_add_text (self, "layout", goban_arrangement_name (snapshot->layout));
  if (snapshot->marks[0] != NULL)
    goban_writer_add_texts (self, "marks", (const char *const *) snapshot->marks);
  if (snapshot->moment != GOBAN_NO_MOMENT)
    goban_writer_add_number (self, "moment", snapshot->moment);
  if (isfinite (snapshot->time_us))
    goban_writer_add_number (self, "time_us", snapshot->time_us);
  goban_writer_close (self, '}');
}

static void
add_recovery (GobanWriter *self, const GobanSnapshot *snapshot)
{
  if (snapshot->origin == NULL && snapshot->departure == GOBAN_DEPARTURE_CRASH)
    return;
  goban_writer_add_key (self, "recovery");
  goban_writer_open (self, '{');
  goban_writer_add_true (self, "closed", snapshot->departure == GOBAN_DEPARTURE_CLOSED);
  if (snapshot->digest != NULL)
    goban_writer_add_text (self, "digest", snapshot->digest);
  if (snapshot->origin != NULL)
    goban_writer_add_path (self, "file", snapshot->origin);
  goban_writer_add_true (self, "replaced", snapshot->departure == GOBAN_DEPARTURE_REPLACED);
  goban_writer_close (self, '}');
}

char *
goban_snapshot_to_text (const GobanSnapshot *self, const char *folder, gsize *size, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GobanWriter writer = { .text = text };
  const GPtrArray *runs = self->state->runs;
  guint current = 0;

  g_atomic_int_set (&((GobanSnapshot *) self)->n_left_out, 0);
  for (guint i = 0; i < runs->len; i++)
    if (g_ptr_array_index (runs, i) == self->state->current)
      current = i + 1;

  goban_writer_open (&writer, '{');
  goban_writer_add_count (&writer, "goban_session", GOBAN_SESSION_VERSION);
  goban_session_write_bookmarks (&writer, self->places);
  add_cluster (&writer, self->state->cluster);
  goban_session_write_compare (&writer, self);
  goban_writer_add_count (&writer, "current", current);
  if (!add_graph (&writer, self, folder, error))
    return NULL;
  goban_writer_add_lines (&writer, "notes", self->notes);
  goban_writer_add_nodes (&writer, "pinned", self->state->pinned);
  add_recovery (&writer, self);
  goban_writer_add_key (&writer, "runs");
  goban_writer_open (&writer, '[');
  for (guint i = 0; i < runs->len; i++)
    add_run (&writer, self, g_ptr_array_index (runs, i));
  goban_writer_close (&writer, ']');
  goban_session_write_scenes (&writer, self->state->scenes);
  goban_writer_add_nodes (&writer, "selection", self->selection);
  goban_session_write_times (&writer, self->state->costs);
  add_view (&writer, self);
  goban_writer_close (&writer, '}');
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
