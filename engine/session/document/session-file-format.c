/* session-file-format.c: writer and reader of session files.
 *
 * Keys are sorted behind the first, which tells what the file is:
 *
 *   { "goban_session": 1,
 *     "bookmarks": [ { "number": 1, "sight": "0 0 200 100", ... } ],
 *     "cluster": "p100x4",                              or its content, as in cluster files
 *     "compare": { "runs": "1 2", ... },                session-file-places.h
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
 * graph "nodes" (session-file-measured.h). Keys without ! in check_version() may be left out: they
 * have their defaults then.
 *
 * A path that is not UTF-8 is percent-encoded as "path_bytes" (session-values.h).
 *
 * In place of "path", "spec" is the spec of a generated graph, and "lines" are those of goban's own
 * format. A row of a plan is the values of GOBAN_SESSION_ROW nodes (tensors, for transfers), n*v
 * for n times v. A list that is left out has its value of a new plan everywhere.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/io/io.h"
#include "engine/machine/cluster/cluster-json.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/session/document/session-file-measured.h"
#include "engine/session/document/session-file-moments.h"
#include "engine/session/document/session-file-places.h"
#include "engine/session/document/session-file.h"
#include "engine/session/view-time.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/remap.h"
#include "engine/study/run/run-origin.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- writing: plans --------------------------------------------------------------------------- */

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
  const GobanRunOptions *request = goban_run_get_origin (run)->request;
  const char *fusing;
  g_autofree char *tasks = NULL;

  if (request == NULL || request->start != NULL || request->pinned != NULL
      || request->network != NULL || goban_run_get_origin (run)->forced.of != NULL)
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
  goban_writer_add_count (self, "evaluations", goban_run_get_origin (run)->evaluations);
  if (execution != usual)
    goban_writer_add_text (self, "execution", goban_execution_get_name (execution));
  if (!is_all (goban_plan_get_fusions (plan), n, GOBAN_NO_FUSION))
    goban_writer_add_rows (self, "fusions", goban_plan_get_fusions (plan), n);
  add_improvements (self, goban_run_get_origin (run)->improvements);
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
  goban_writer_add_number (self, "seconds", goban_run_get_origin (run)->seconds);
  goban_writer_add_count (self, "seed", goban_run_get_origin (run)->seed);
  if (transfers != NULL)
    goban_writer_add_rows (self, "transfers", transfers, goban_plan_get_n_tensors (plan));
  goban_writer_close (self, '}');
}

/* --- writing: the rest ------------------------------------------------------------------------ */

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

/* A fingerprint of the nodes' names in their order: if it is equal, node numbers are still valid.
 * (transfer full) */
static char *
snapshot_make_names (const GobanGraph *graph)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;

      g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
    }
  return g_strndup (g_checksum_get_string (sum), 16);
}

static gboolean
add_graph (GobanWriter *self, const GobanSnapshot *snapshot, const char *folder, GError **error)
{
  const GobanGraph *graph = snapshot->graph;
  g_autofree char *names = snapshot_make_names (graph);

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
  goban_writer_add_text (self, "grouping", goban_grouping_names[snapshot->grouping]);
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

/* --- reading: runs ---------------------------------------------------------------------------- */

static gboolean
read_devices (GobanJsonValue place, GobanPlan *plan, GError **error)
{
  guint n = goban_plan_get_n_nodes (plan);
  g_autofree gint32 *devices = NULL;

  if (!goban_reader_read_rows (place, "devices", n, &devices, error))
    return FALSE;
  if (devices == NULL)
    return goban_json_refuse_missing (place, "devices", error);
  for (guint v = 0; v < n; v++)
    {
      if (devices[v] < 0 || (guint) devices[v] >= goban_plan_get_n_devices (plan))
        return goban_json_refuse (goban_json_get_element (place, "devices", v / GOBAN_SESSION_ROW),
                                  error, "there is no device %d, only 0 to %u", devices[v],
                                  goban_plan_get_n_devices (plan) - 1);
      goban_plan_set_device (plan, v, (GobanDeviceId) devices[v]);
    }
  return TRUE;
}

static gboolean
read_numbers (const GobanReader *self, GobanJsonValue place, GobanPlan *plan, GError **error)
{
  guint n = goban_plan_get_n_nodes (plan);
  guint n_tensors = goban_plan_get_n_tensors (plan);
  g_autofree gint32 *priorities = NULL;
  g_autofree gint32 *fusions = NULL;
  g_autofree gint32 *transfers = NULL;

  if (!goban_reader_read_rows (place, "priorities", n, &priorities, error)
      || !goban_reader_read_rows (place, "fusions", n, &fusions, error)
      || (self->old == NULL
          && !goban_reader_read_rows (place, "transfers", n_tensors, &transfers, error)))
    return FALSE;
  for (guint v = 0; v < n; v++)
    {
      if (priorities != NULL)
        goban_plan_set_priority (plan, v, priorities[v]);
      if (fusions != NULL)
        goban_plan_set_fusion (plan, v, MAX (fusions[v], GOBAN_NO_FUSION));
    }
  if (transfers != NULL)
    goban_plan_set_transfer_priorities (plan, transfers);
  return TRUE;
}

/* A cluster by name, or the whole of it. (transfer full) (nullable) */
static GobanCluster *
read_cluster (GobanJsonValue value, GError **error)
{
  const char *name = goban_json_peek_text (value);
  g_autoptr (GError) local = NULL;
  GobanCluster *cluster = NULL;

  if (name == NULL)
    return goban_cluster_new_from_value (value, error);
  /* A name never means a file here: a session contains everything that is not built in. */
  if (strchr (name, '/') != NULL || g_file_test (name, G_FILE_TEST_EXISTS))
    goban_json_refuse (value, error, "“%s” is not a preset", name);
  else if ((cluster = goban_cluster_new_from_inner_spec (name, &local)) == NULL)
    goban_json_refuse (value, error, "%s", local->message);
  return cluster;
}

static gboolean
read_costs (const GobanReader *self, GobanJsonValue place, GobanCostModel **costs, GError **error)
{
  const char *name = NULL;
  GobanExecution execution = GOBAN_EXECUTION_EVENTS;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GError) local = NULL;

  if (!goban_json_get_text (place, "execution", &name, error))
    return FALSE;
  if (name != NULL && !goban_execution_from_name (name, &execution, &local))
    return goban_json_refuse (goban_json_find (place, "execution"), error, "%s", local->message);
  if (goban_json_has (place, "cluster"))
    {
      cluster = read_cluster (goban_json_find (place, "cluster"), error);
      if (cluster == NULL)
        return FALSE;
    }
  if (cluster == NULL && execution == GOBAN_EXECUTION_EVENTS)
    *costs = goban_cost_model_ref (self->snapshot->state->costs);
  else
    *costs = goban_cost_model_new_on (self->snapshot->state->costs,
                                      cluster != NULL ? cluster : self->snapshot->state->cluster,
                                      execution);
  return TRUE;
}

static gboolean
read_improvements (GobanJsonValue place, GArray *improvements, GError **error)
{
  g_autofree const char **steps = NULL;

  if (!goban_json_get_texts (place, "improvements", &steps, error))
    return FALSE;
  for (guint i = 0; steps != NULL && steps[i] != NULL; i++)
    {
      GobanImprovement step;
      char *end;

      step.evaluation = g_ascii_strtoull (steps[i], &end, 10);
      step.makespan_us = *end == ' ' ? g_ascii_strtod (end + 1, &end) : (double) NAN;
      if (*end != '\0' || !isfinite (step.makespan_us) || step.makespan_us < 0)
        return goban_json_refuse_value (goban_json_get_element (place, "improvements", i),
                                        N_ ("“SIMULATION MAKESPAN”"), error);
      g_array_append_val (improvements, step);
    }
  return TRUE;
}

static gboolean
read_proof (GobanJsonValue place, GobanPlan *plan, GobanCostModel *costs, GError **error)
{
  double bound_us = 0;
  const char *mark = NULL;
  g_autofree char *own = NULL;

  if (!goban_json_get_number (place, "proven_bound_us", GOBAN_JSON_AMOUNT, &bound_us, error)
      || !goban_json_get_text (place, "proven_for", &mark, error))
    return FALSE;
  own = bound_us > 0 && mark != NULL ? goban_plan_make_fingerprint (costs) : NULL;
  if (own != NULL && g_str_equal (own, mark))
    goban_plan_set_proven_bound_us (plan, costs, bound_us);
  return TRUE;
}

static gboolean
read_plan (const GobanReader *self, GobanJsonValue place, GobanPlan *plan, GobanCostModel *costs,
           GError **error)
{
  static const char *const orders[]
      = { [GOBAN_ORDER_FIFO] = "fifo", [GOBAN_ORDER_PRIORITY] = "priority", NULL };
  const char *policy = "";
  guint order = GOBAN_ORDER_FIFO;

  if (!goban_json_get_text (place, "policy", &policy, error)
      || !goban_json_get_word (place, "order", orders, &order, error)
      || !read_devices (place, plan, error) || !read_numbers (self, place, plan, error)
      || !read_proof (place, plan, costs, error))
    return FALSE;
  goban_plan_set_policy (plan, policy);
  goban_plan_set_order (plan, (GobanOrder) order);
  return TRUE;
}

/* Adapts a plan of the old graph to the present nodes; its learning curve and the policy's options
 * are dropped. *plan is %NULL if that fails. */
static void
carry_plan (const GobanReader *self, GobanPlan **plan, GobanCostModel *costs,
            GobanRunOrigin *origin, GError **misfit)
{
  g_autoptr (GobanPlan) before = g_steal_pointer (plan);

  *plan = goban_remap_plan (self->old, before, costs, misfit);
  origin->improvements = NULL;
  origin->request = NULL;
}

/* The record stays %NULL, with a warning, if it is wrong. @origin: gets it, owned by the caller. */
static gboolean
read_moments (GobanReader *self, GobanJsonValue place, const GobanPlan *plan,
              const GobanCostModel *costs, const char *name, GobanRunOrigin *origin, GError **error)
{
  GobanJsonValue moments = goban_json_find (place, "moments");
  g_autoptr (GError) wrong = NULL;
  guint64 n_left_out = 0, moment = 0;

  if (!goban_reader_read_count (place, "moments_left_out", &n_left_out, error)
      || !goban_reader_read_count (place, "moment", &moment, error))
    return FALSE;
  if (n_left_out > 0)
    goban_reader_warn (self,
                       "the %" PRIu64 " decisions of plan “%s” were too many for the file, and "
                       "cannot be gone through again",
                       n_left_out, name);
  if (!goban_json_is_missing (moments))
    origin->decisions = goban_session_read_moments (
        moments, plan, (GobanMoment) MIN (moment, G_MAXUINT32), costs, &wrong);
  if (wrong != NULL)
    goban_reader_warn (self, "the decisions of plan “%s” are left out: %s", name, wrong->message);
  origin->is_within = origin->decisions != NULL && moment > 0;
  origin->moment = origin->is_within ? (GobanMoment) moment : 0;
  return TRUE;
}

/* @origin: gets it, owned by the caller, if there is one. */
static gboolean
read_request (GobanJsonValue run, GobanRunOrigin *origin, GError **error)
{
  static const char *const keys[]
      = { "fusing", "max_evaluations", "max_seconds", "settings", "tasks", NULL };
  GobanJsonValue place = goban_json_find (run, "request");
  GobanRunOptions request = { .seed = origin->seed };
  const char *fusing = NULL, *tasks = NULL;
  g_autoptr (GError) wrong = NULL;

  if (goban_json_is_missing (place))
    return TRUE;
  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_text (place, "fusing", &fusing, error)
      || !goban_reader_read_count (place, "max_evaluations", &request.max_evaluations, error)
      || !goban_json_get_number (place, "max_seconds", GOBAN_JSON_AMOUNT, &request.max_seconds,
                                 error)
      || !goban_json_get_text (place, "settings", &request.settings, error)
      || !goban_json_get_text (place, "tasks", &tasks, error))
    return FALSE;
  if (!goban_fusing_parse (fusing, &request.fusing, &wrong)
      || (tasks != NULL && !goban_tasks_parse (tasks, &request.decisions, &wrong)))
    return goban_json_refuse (place, error, "%s", wrong->message);
  origin->request = goban_run_options_share (&request);
  return TRUE;
}

/* *run stays %NULL, with a warning, if the plan does not fit any more. */
static gboolean
read_run (GobanReader *self, GobanJsonValue place, GobanRun **run, GError **error)
{
  static const char *const keys[] = { "cluster",
                                      "devices",
                                      "evaluations",
                                      "execution",
                                      "fusions",
                                      "measured",
                                      "moment",
                                      "moments",
                                      "moments_left_out",
                                      "name",
                                      "improvements",
                                      "order",
                                      "policy",
                                      "priorities",
                                      "seconds",
                                      "proven_bound_us",
                                      "request",
                                      "seed",
                                      "proven_for",
                                      "transfers",
                                      NULL };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanDecisions) decisions = NULL;
  g_autoptr (GobanRunOptions) request = NULL;
  g_autoptr (GArray) improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_autoptr (GError) misfit = NULL;
  GobanPlan *twin;
  const char *name = "plan";
  GobanRunOrigin origin = { .evaluations = 1, .improvements = improvements };

  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_text (place, "name", &name, error)
      || !goban_json_get_number (place, "seconds", GOBAN_JSON_AMOUNT, &origin.seconds, error)
      || !goban_reader_read_count (place, "seed", &origin.seed, error)
      || !goban_reader_read_count (place, "evaluations", &origin.evaluations, error)
      || !read_improvements (place, improvements, error)
      || !read_costs (self, place, &costs, error))
    return FALSE;
  plan = goban_plan_new (self->old != NULL ? self->old : self->snapshot->graph,
                         goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)));
  if (!read_plan (self, place, plan, costs, error) || !read_request (place, &origin, error))
    return FALSE;
  request = origin.request;
  if (self->old == NULL && !read_moments (self, place, plan, costs, name, &origin, error))
    return FALSE;
  decisions = origin.decisions;
  if (self->old != NULL)
    carry_plan (self, &plan, costs, &origin, &misfit);
  if (goban_json_has (place, "measured"))
    return self->old != NULL || goban_session_read_measured (self, place, plan, run, error);
  twin = plan != NULL ? goban_session_find_plan (self->snapshot, plan, TRUE) : NULL;
  if (plan != NULL && goban_plan_check (plan, costs, &misfit))
    *run = goban_run_new_kept (costs, twin != NULL ? twin : plan, name, &origin);
  else
    goban_reader_warn (self, "plan “%s” is left out: %s", name, misfit->message);
  return TRUE;
}

/* The other one of a simulated and a measured run may have come later. */
static void
find_ghost (GobanState *state)
{
  g_autoptr (GobanRun) current = goban_run_ref (state->current);

  goban_state_set_current (state, NULL);
  goban_state_set_current (state, current);
}

/* @all: gets those of the file, NULL for omitted ones. */
static gboolean
read_runs (GobanReader *self, GobanJsonValue root, GPtrArray *all, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;
  guint64 current = 0;
  guint n;

  if (!goban_reader_read_count (root, "current", &current, error)
      || !goban_json_get_list (root, "runs", &items, error))
    return FALSE;
  n = items.n;
  g_ptr_array_set_size (all, (int) n);
  if (n > 0 && !self->has_same_nodes && self->old == NULL)
    {
      goban_reader_warn (
          self,
          n == 1 ? N_ ("%u plan is left out, which was for other nodes than the graph has now")
                 : N_ ("%u plans are left out, which were for other nodes than the graph has now"),
          n);
      return TRUE;
    }
  for (guint i = 0; goban_json_items_next (&items, &item); i++)
    {
      g_autoptr (GobanRun) run = NULL;

      goban_progress_step (self->options->progress, (double) i / n, _ ("simulating"));
      if (!goban_progress_check (self->options->progress, error)
          || !read_run (self, item, &run, error))
        return FALSE;
      if (run == NULL)
        continue;
      goban_state_add_run (self->snapshot->state, run);
      all->pdata[i] = run;
      if (i + 1 == current)
        goban_state_set_current (self->snapshot->state, run);
    }
  find_ghost (self->snapshot->state);
  if (current > n)
    return goban_json_refuse (goban_json_find (root, "current"), error, "there are only %u runs",
                              n);
  if (self->snapshot->state->current == NULL && self->snapshot->state->runs->len > 0)
    goban_state_set_current (self->snapshot->state,
                             g_ptr_array_index (self->snapshot->state->runs, 0));
  return TRUE;
}

/* --- reading: the graph ----------------------------------------------------------------------- */

/* Target of a relative path: from the folder of the session. (transfer full) */
static char *
resolve (const GobanReader *self, const char *path)
{
  g_autofree char *own = g_canonicalize_filename (self->path, NULL);
  g_autofree char *folder = g_path_get_dirname (own);

  return g_canonicalize_filename (path, folder);
}

static gboolean
read_load (GobanJsonValue inner, GobanLoadOptions *load, GError **error)
{
  static const char *const keys[]
      = { "batch", "format", "keep_constants", "time_unit_us", "training", "with_backward", NULL };
  guint64 batch = 0;

  if (goban_json_is_missing (inner))
    return TRUE;
  if (!goban_json_check_object (inner, keys, error)
      || !goban_reader_read_count (inner, "batch", &batch, error)
      || !goban_json_get_text (inner, "format", &load->format, error)
      || !goban_json_get_boolean (inner, "keep_constants", &load->keep_constants, error)
      || !goban_json_get_number (inner, "time_unit_us", GOBAN_JSON_AMOUNT, &load->time_unit_us,
                                 error)
      || !goban_json_get_boolean (inner, "training", &load->training, error)
      || !goban_json_get_boolean (inner, "with_backward", &load->with_backward, error))
    return FALSE;
  load->batch = (gint64) batch;
  return TRUE;
}

/* A session file may come from another person, so the user did not choose the paths in it: reading
 * a pipe may wait for ever, and some devices never end. */
static gboolean
check_file (GobanJsonValue place, const char *path, GError **error)
{
  GStatBuf about;

  if (g_stat (path, &about) != 0 || S_ISREG (about.st_mode))
    return TRUE;
  return goban_json_refuse (place, error, "%s is %s, but the graph of a session is a file", path,
                            S_ISDIR (about.st_mode) ? "a folder" : "a pipe or a device");
}

static GobanGraph *
load_file (const GobanReader *self, GobanJsonValue place, const char *path, GobanLoadOptions *load,
           GError **error)
{
  g_autoptr (GobanGraph) graph = NULL;
  g_autofree char *at = NULL;

  if (!check_file (place, path, error))
    return NULL;
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      load->progress = self->options->progress;
      load->only_regular = TRUE;
      graph = goban_graph_source_load (path, load, error);
      load->progress = NULL;
      return g_steal_pointer (&graph);
    }
  if (self->options->missing != NULL)
    *self->options->missing = g_strdup (path);
  at = goban_json_dup_place (place);
  goban_refuse (error, GOBAN_ERROR_IO,
                "%s: the graph is not at %s any more: find it, or put it there", at, path);
  return NULL;
}

static GobanGraph *
read_made (const GobanReader *self, GobanJsonValue place, GError **error)
{
  const GobanReadOptions options = { .progress = self->options->progress };
  const GobanFormat *json = goban_format_find ("json", error);
  g_autofree const char **lines = NULL;
  g_autofree char *text = NULL;
  g_autofree char *origin = g_strdup_printf ("%s: graph.lines", self->path);

  if (json == NULL || !goban_json_get_texts (place, "lines", &lines, error))
    return NULL;
  text = g_strjoinv ("\n", (char **) lines);
  return json->read (text, strlen (text), origin, &options, error);
}

/* (transfer full) (nullable): the graph; *path is its source. */
static GobanGraph *
find_graph (GobanReader *self, GobanJsonValue place, GobanLoadOptions *load, char **path,
            GError **error)
{
  g_autofree char *file = NULL;
  const char *spec = NULL;

  if (!goban_reader_read_path (place, "path", &file, error)
      || !goban_json_get_text (place, "spec", &spec, error)
      || !read_load (goban_json_find (place, "load"), load, error))
    return NULL;
  if ((file != NULL) + (spec != NULL) + goban_json_has (place, "lines") != 1)
    {
      goban_json_refuse (place, error, "exactly one of path, spec and lines is expected");
      return NULL;
    }
  if (self->options->graph != NULL)
    return goban_graph_ref (self->options->graph);
  if (self->options->graph_path != NULL)
    *path = g_canonicalize_filename (self->options->graph_path, NULL);
  else if (file != NULL)
    *path = resolve (self, file);
  if (*path != NULL)
    return load_file (self,
                      goban_json_has (place, "path") ? goban_json_find (place, "path") : place,
                      *path, load, error);
  if (spec == NULL)
    return read_made (self, place, error);
  *path = g_strdup (spec);
  if (!goban_graph_source_is_spec (spec))
    {
      goban_json_refuse (goban_json_find (place, "spec"), error,
                         "“%s” is not the spec of a generated graph", spec);
      return NULL;
    }
  return goban_graph_source_load (spec, load, error);
}

static void
warn_of_nodes (GobanReader *self, guint64 n_before)
{
  GobanGraph *graph = self->snapshot->graph;
  guint n = goban_graph_get_n_nodes (graph);
  guint n_known = self->old != NULL ? goban_remap_count (self->old, graph) : 0;

  /* The old names are of no use for an entirely different graph. */
  if (n_known == 0)
    g_clear_pointer (&self->old, goban_graph_unref);
  if (self->old != NULL)
    goban_reader_warn (self,
                       "the graph has changed since the session was saved: in its plans %u of its "
                       "%u nodes are where they were, by name, and %u beside their neighbours; "
                       "kernels were taken apart. The file has the plans as they were",
                       n_known, n, n - n_known);
  else
    goban_reader_warn (self,
                       "the graph has changed since the session was saved: it had %" PRIu64
                       " nodes and has %u now, or other ones",
                       n_before, n);
}

/* Finds whether the node numbers of the file are still valid. */
static gboolean
compare_graph (GobanReader *self, GobanJsonValue place, GError **error)
{
  GobanGraph *graph = self->snapshot->graph;
  const char *hash = "", *names = "";
  g_autofree char *own
      = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", goban_graph_get_hash (graph));
  g_autofree char *own_names = NULL;
  guint64 n_nodes = 0;

  if (!goban_json_get_text (place, "hash", &hash, error)
      || !goban_json_get_text (place, "names", &names, error)
      || !goban_reader_read_count (place, "n_nodes", &n_nodes, error))
    return FALSE;
  self->has_same_nodes = TRUE;
  if (g_str_equal (own, hash))
    return TRUE;

  own_names = snapshot_make_names (graph);
  self->has_same_nodes = g_str_equal (own_names, names);
  if (self->has_same_nodes)
    goban_reader_warn (
        self, "the graph has changed since the session was saved; its nodes are the same, so plans "
              "that still fit are simulated anew");
  else if (!goban_session_read_names (place, n_nodes, &self->old, error))
    return FALSE;
  else
    warn_of_nodes (self, n_nodes);
  return TRUE;
}

static gboolean
read_graph (GobanReader *self, GobanJsonValue root, GobanCluster *cluster, GError **error)
{
  static const char *const keys[] = { "hash",  "lines", "load",       "n_nodes", "names",
                                      "nodes", "path",  "path_bytes", "spec",    NULL };
  GobanJsonValue place = goban_json_find (root, "graph");
  g_autoptr (GobanGraph) graph = NULL;
  g_autofree char *path = NULL;
  GobanLoadOptions load = { 0 };

  if (!goban_json_check_object (place, keys, error))
    return FALSE;
  graph = find_graph (self, place, &load, &path, error);
  if (graph == NULL)
    return FALSE;
  self->snapshot = goban_snapshot_new_empty (graph, goban_state_new (cluster, graph));
  self->snapshot->path = g_steal_pointer (&path);
  self->snapshot->load = load;
  self->snapshot->load.format = g_intern_string (load.format);
  return compare_graph (self, place, error);
}

/* --- reading: the rest ------------------------------------------------------------------------ */

static gboolean
read_lanes (const GobanReader *self, GobanJsonValue view, GError **error)
{
  static const char *const keys[] = { "open", "order", "pinned", "strips", NULL };
  GobanJsonValue place = goban_json_find (view, "lanes");
  g_autofree const char **open = NULL, **order = NULL, **pinned = NULL;
  gboolean is_strips = FALSE;

  if (goban_json_is_missing (place))
    return TRUE;
  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_texts (place, "open", &open, error)
      || !goban_json_get_texts (place, "order", &order, error)
      || !goban_json_get_texts (place, "pinned", &pinned, error)
      || !goban_json_get_boolean (place, "strips", &is_strips, error))
    return FALSE;
  goban_own_lanes_set (&self->snapshot->lanes, &(GobanLanes){ open, pinned, order, is_strips });
  return TRUE;
}

/* Each a time and a name. */
static gboolean
read_marks (const GobanReader *self, GobanJsonValue view, GError **error)
{
  GobanSnapshot *snapshot = self->snapshot;
  g_autofree const char **texts = NULL;
  const char *name;
  double time_us;

  if (!goban_json_get_texts (view, "marks", &texts, error))
    return FALSE;
  if (texts == NULL)
    return TRUE;
  for (guint i = 0; texts[i] != NULL; i++)
    if (!goban_time_mark_scan (texts[i], &time_us, &name))
      return goban_json_refuse_value (goban_json_get_element (view, "marks", i),
                                      N_ ("a time in microseconds and a name"), error);
  g_strfreev (snapshot->marks);
  snapshot->marks = g_strdupv ((char **) texts);
  return TRUE;
}

static gboolean
read_moment (const GobanReader *self, GobanJsonValue view, GError **error)
{
  GobanRun *run = self->snapshot->state->current;
  GobanDecisions *decisions = run != NULL ? goban_run_get_decisions (run) : NULL;
  guint64 moment = 0;

  if (!goban_json_has (view, "moment"))
    return TRUE;
  if (!goban_reader_read_count (view, "moment", &moment, error))
    return FALSE;
  /* A plan that does not fit any more, or whose decisions were left out, has none. */
  if (decisions != NULL && moment <= goban_decisions_get_n_moments (decisions))
    self->snapshot->moment = (int) moment;
  return TRUE;
}

static gboolean
read_view (const GobanReader *self, GobanJsonValue root, GError **error)
{
  static const char *const keys[] = { "color",  "expanded", "grouping", "hidden",  "lanes",
                                      "layout", "marks",    "moment",   "time_us", NULL };
  GobanSnapshot *snapshot = self->snapshot;
  GobanJsonValue place = goban_json_find (root, "view");
  g_autofree char **expanded = NULL;
  GobanBookmark look;

  if (goban_json_is_missing (place))
    return TRUE;
  if (!goban_json_check_object (place, keys, error)
      || !goban_reader_read_nodes (self, place, "hidden", &snapshot->hidden, error)
      || !goban_json_get_number (place, "time_us", GOBAN_JSON_AMOUNT, &snapshot->time_us, error)
      || !read_lanes (self, place, error) || !read_marks (self, place, error)
      || !read_moment (self, place, error) || !goban_session_read_look (place, &look, error))
    return FALSE;
  expanded = look.expanded;
  snapshot->grouping = (GobanGrouping) look.grouping;
  snapshot->layout = (GobanArrangement) look.layout;
  g_free (snapshot->color);
  snapshot->color = g_strdup (look.color);
  goban_names_unref (snapshot->expanded);
  snapshot->expanded = goban_names_new ((const char *const *) expanded);
  return TRUE;
}

static gboolean
read_notes (const GobanReader *self, GobanJsonValue root, GError **error)
{
  g_autofree const char **lines = NULL;

  if (!goban_json_get_texts (root, "notes", &lines, error))
    return FALSE;
  if (lines == NULL)
    return TRUE;
  g_free (self->snapshot->notes);
  self->snapshot->notes = g_strjoinv ("\n", (char **) lines);
  return TRUE;
}

static gboolean
read_recovery (const GobanReader *self, GobanJsonValue root, GError **error)
{
  static const char *const keys[] = { "closed", "digest", "file", "file_bytes", "replaced", NULL };
  GobanJsonValue place = goban_json_find (root, "recovery");
  GobanOrigin origin = { .departure = GOBAN_DEPARTURE_CRASH };
  g_autofree char *file = NULL;
  gboolean is_closed = FALSE, is_replaced = FALSE;

  if (goban_json_is_missing (place))
    return TRUE;
  if (!goban_json_check_object (place, keys, error)
      || !goban_json_get_boolean (place, "closed", &is_closed, error)
      || !goban_json_get_boolean (place, "replaced", &is_replaced, error)
      || !goban_json_get_text (place, "digest", &origin.digest, error)
      || !goban_reader_read_path (place, "file", &file, error))
    return FALSE;
  origin.file = file;
  if (is_replaced)
    origin.departure = GOBAN_DEPARTURE_REPLACED;
  else if (is_closed)
    origin.departure = GOBAN_DEPARTURE_CLOSED;
  goban_snapshot_set_origin (self->snapshot, &origin);
  return TRUE;
}

/* Before anything else is read: a newer program may say everything in another way. */
static gboolean
check_version (GobanJsonValue root, GError **error)
{
  static const char *const keys[]
      = { "goban_session", "bookmarks", "!cluster", "compare",  "current",
          "!graph",        "notes",     "pinned",   "recovery", "!runs",
          "scenes",        "selection", "times",    "view",     NULL };
  g_autofree char *at = NULL;
  guint64 version = 0;

  if (!goban_json_check_object (root, NULL, error)
      || !goban_reader_read_count (root, "goban_session", &version, error))
    return FALSE;
  if (version == 0)
    return goban_json_refuse (root, error, "this is not a session: it has no \"goban_session\": %d",
                              GOBAN_SESSION_VERSION);
  if (version <= GOBAN_SESSION_VERSION)
    return goban_json_check_object (root, keys, error);
  at = goban_json_dup_place (goban_json_find (root, "goban_session"));
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: this session is of version %" PRIu64
                       ", but this program knows only version %d: a newer Goban wrote it",
                       at, version, GOBAN_SESSION_VERSION);
}

static gboolean
read_all (GobanReader *self, GobanJsonValue root, GError **error)
{
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();

  if (!check_version (root, error))
    return FALSE;
  cluster = read_cluster (goban_json_find (root, "cluster"), error);
  return cluster != NULL && read_graph (self, root, cluster, error)
         && goban_session_read_times (self, root, error) && read_runs (self, root, runs, error)
         && goban_reader_read_nodes (self, root, "pinned", &self->snapshot->state->pinned, error)
         && goban_reader_read_nodes (self, root, "selection", &self->snapshot->selection, error)
         && goban_session_read_compare (self, root, runs, error) && read_view (self, root, error)
         && goban_session_read_bookmarks (self, root, error)
         && goban_session_read_scenes (self, root, error) && read_notes (self, root, error)
         && read_recovery (self, root, error);
}

GobanSnapshot *
goban_snapshot_read (const char *data, gsize size, const char *path,
                     const GobanSnapshotOptions *options, GError **error)
{
  static const GobanSnapshotOptions none = { 0 };
  GobanReader reader = { path, options != NULL ? options : &none, NULL, FALSE, NULL };
  g_autoptr (GobanJsonReader) json = goban_json_reader_new (data, (gssize) size, path, error);
  gboolean is_read;

  if (json == NULL)
    return NULL;
  is_read = read_all (&reader, goban_json_reader_get_root (json), error);
  g_clear_pointer (&reader.old, goban_graph_unref);
  if (!is_read)
    {
      g_clear_pointer (&reader.snapshot, goban_snapshot_unref);
      return NULL;
    }
  g_ptr_array_add (reader.snapshot->warnings, NULL);
  return reader.snapshot;
}
