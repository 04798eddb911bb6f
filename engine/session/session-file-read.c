/* session-file-read.c: the reader of what session-file-write.c writes. */
#include "engine/session/session-file.h"

#include "engine/base/error.h"
#include "engine/base/json-guard.h"
#include "engine/io/io.h"
#include "engine/session/json-place.h"
#include "engine/session/snapshot.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *path;
  const char *data;
  gsize size;
  const GobanSnapshotOptions *options;
  GobanSnapshot *snapshot;
  gboolean has_same_nodes; /* numbers of nodes mean what they meant */
} Reader;

/* Says what is wrong at "runs[2].order", and on which line that stands. */
static gboolean refuse (const Reader *self, GError **error, const char *where, const char *format,
                        ...) G_GNUC_PRINTF (4, 5);

static gboolean
refuse (const Reader *self, GError **error, const char *where, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s%s%s", self->path,
                       goban_json_find_line (self->data, self->size, where), where,
                       *where != '\0' ? ": " : "", what);
}

static void warn (Reader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
warn (Reader *self, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (self->snapshot->warnings, g_strdup_printf ("%s: %s", self->path, what));
}

/* --- values --------------------------------------------------------------------------------------- */

/* An object and where it stands. */
typedef struct
{
  JsonObject *object;
  char *where;
} Place;

static void
place_clear (Place *place)
{
  g_free (place->where);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static char *
name_key (const Place *place, const char *key)
{
  return *place->where != '\0' ? g_strdup_printf ("%s.%s", place->where, key) : g_strdup (key);
}

static gboolean
check_keys (const Reader *self, const Place *place, const char *const *known, GError **error)
{
  g_autofree char *where = g_strdup_printf (
      "%s:%u%s%s", self->path, goban_json_find_line (self->data, self->size, place->where),
      *place->where != '\0' ? ": " : "", place->where);

  return goban_json_check_keys (place->object, where, known, error);
}

static gboolean
enter (const Reader *self, const Place *place, const char *key, const char *const *known,
       Place *inner, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);

  inner->where = name_key (place, key);
  if (node == NULL)
    return refuse (self, error, place->where, "%s is missing", key);
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse (self, error, inner->where, "an object is expected");
  inner->object = json_node_get_object (node);
  return check_keys (self, inner, known, error);
}

static GType
get_type (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
}

/* Whatever is absent leaves its variable alone. */
static gboolean
read_text (const Reader *self, const Place *place, const char *key, const char **text,
           GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = name_key (place, key);

  if (node == NULL)
    return TRUE;
  if (get_type (node) != G_TYPE_STRING)
    return refuse (self, error, where, "a text is expected");
  *text = json_node_get_string (node);
  return TRUE;
}

static gboolean
read_number (const Reader *self, const Place *place, const char *key, double *number,
             GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = name_key (place, key);
  GType type;

  if (node == NULL)
    return TRUE;
  type = get_type (node);
  if ((type != G_TYPE_INT64 && type != G_TYPE_DOUBLE) || !isfinite (json_node_get_double (node))
      || json_node_get_double (node) < 0)
    return refuse (self, error, where, "a number that is not negative is expected");
  *number = json_node_get_double (node);
  return TRUE;
}

static gboolean
read_count (const Reader *self, const Place *place, const char *key, guint64 *count, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = name_key (place, key);

  if (node == NULL)
    return TRUE;
  /* Seeds use all bits, more than numbers of JSON have. */
  if (get_type (node) == G_TYPE_STRING
      && g_ascii_string_to_unsigned (json_node_get_string (node), 10, 0, G_MAXUINT64, count, NULL))
    return TRUE;
  if (get_type (node) != G_TYPE_INT64 || json_node_get_int (node) < 0)
    return refuse (self, error, where, "a whole number from 0 to %" G_GINT64_FORMAT " is expected",
                   G_MAXINT64);
  *count = (guint64) json_node_get_int (node);
  return TRUE;
}

static gboolean
read_boolean (const Reader *self, const Place *place, const char *key, gboolean *value,
              GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = name_key (place, key);

  if (node == NULL)
    return TRUE;
  if (get_type (node) != G_TYPE_BOOLEAN)
    return refuse (self, error, where, "true or false is expected");
  *value = json_node_get_boolean (node);
  return TRUE;
}

/* (transfer full) (nullable): the texts of a list, borrowed, ending in NULL; %NULL where the key is absent or,
 * with @error set, no list of texts. */
static const char **
read_texts (const Reader *self, const Place *place, const char *key, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, key);
  g_autofree char *where = name_key (place, key);
  g_autofree const char **texts = NULL;
  JsonArray *array;
  guint n;

  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    {
      refuse (self, error, where, "a list of texts is expected");
      return NULL;
    }
  array = json_node_get_array (node);
  n = json_array_get_length (array);
  texts = g_new0 (const char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *item = g_strdup_printf ("%s[%u]", where, i);

      if (get_type (json_array_get_element (array, i)) != G_TYPE_STRING)
        {
          refuse (self, error, item, "a text is expected");
          return NULL;
        }
      texts[i] = json_array_get_string_element (array, i);
    }
  return g_steal_pointer (&texts);
}

/* --- nodes and rows --------------------------------------------------------------------------------- */

/* A whole number at *p, which goes behind it. */
static gboolean
scan_int (const char **p, gint64 *value)
{
  const char *from = *p;
  char *end;

  if (!g_ascii_isdigit (*from) && !(*from == '-' && g_ascii_isdigit (from[1])))
    return FALSE;
  *value = g_ascii_strtoll (from, &end, 10);
  *p = end;
  return end - from <= 12;
}

static gboolean
scan_range (const char *text, guint n_nodes, guint *first, guint *last)
{
  gint64 a, b;

  if (!scan_int (&text, &a))
    return FALSE;
  b = a;
  if (*text == '-')
    {
      text++;
      if (!scan_int (&text, &b))
        return FALSE;
    }
  if (*text != '\0' || a < 0 || b < a || b >= n_nodes)
    return FALSE;
  *first = (guint) a;
  *last = (guint) b;
  return TRUE;
}

/* Without the nodes they were about, numbers mean nothing, and the set is empty. */
static gboolean
read_nodes (const Reader *self, const Place *place, const char *key, GobanSelection **nodes,
            GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree const char **ranges = read_texts (self, place, key, &local);
  guint n_nodes = goban_graph_get_n_nodes (self->snapshot->graph);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (ranges == NULL || !self->has_same_nodes)
    return TRUE;
  for (guint i = 0; ranges[i] != NULL; i++)
    {
      guint first, last;

      if (!scan_range (ranges[i], n_nodes, &first, &last) || ids->len + (last - first) >= n_nodes)
        {
          g_autofree char *name = name_key (place, key);
          g_autofree char *where = g_strdup_printf ("%s[%u]", name, i);

          return refuse (
              self, error, where,
              "“%s” are no nodes of this graph, which has numbers from 0 to %u, each once",
              ranges[i], n_nodes - 1);
        }
      for (guint v = first; v <= last; v++)
        g_array_append_val (ids, v);
    }
  goban_selection_unref (*nodes);
  *nodes = goban_selection_new ((const GobanNodeId *) ids->data, ids->len);
  return TRUE;
}

/* "12*0 1 2" into exactly @n values. */
static gboolean
scan_row (const char *text, gint32 *values, guint n)
{
  guint filled = 0;

  while (filled < n)
    {
      gint64 value, count = 1;

      if (!scan_int (&text, &value))
        return FALSE;
      if (*text == '*')
        {
          text++;
          count = value;
          if (!scan_int (&text, &value))
            return FALSE;
        }
      if (count < 1 || count > n - filled || value < G_MININT32 || value > G_MAXINT32)
        return FALSE;
      while (count-- > 0)
        values[filled++] = (gint32) value;
      if (filled < n && *text++ != ' ')
        return FALSE;
    }
  return *text == '\0';
}

/* (transfer full) (nullable): @n values; %NULL where the key is absent or, with @error set, wrong. */
static gint32 *
read_rows (const Reader *self, const Place *place, const char *key, guint n, GError **error)
{
  g_autofree const char **rows = read_texts (self, place, key, error);
  g_autofree gint32 *values = NULL;
  guint n_rows = n / GOBAN_SESSION_ROW + (n % GOBAN_SESSION_ROW != 0);
  g_autofree char *where = name_key (place, key);

  if (rows == NULL)
    return NULL;
  if (g_strv_length ((char **) rows) != n_rows)
    {
      refuse (self, error, where, "%u rows of %d are expected, for %u values, but there are %u",
              n_rows, GOBAN_SESSION_ROW, n, g_strv_length ((char **) rows));
      return NULL;
    }
  values = g_new0 (gint32, MAX (n, 1));
  for (guint i = 0; i < n_rows; i++)
    {
      guint from = i * GOBAN_SESSION_ROW;

      if (!scan_row (rows[i], values + from, MIN (n - from, GOBAN_SESSION_ROW)))
        {
          g_autofree char *item = g_strdup_printf ("%s[%u]", where, i);

          refuse (self, error, item, "these are not the %u whole numbers of a row: “%.60s”",
                  MIN (n - from, GOBAN_SESSION_ROW), rows[i]);
          return NULL;
        }
    }
  return g_steal_pointer (&values);
}

/* --- runs --------------------------------------------------------------------------------------- */

static gboolean
read_devices (const Reader *self, const Place *place, GobanPlan *plan, GError **error)
{
  guint n = goban_plan_get_n_nodes (plan);
  g_autoptr (GError) local = NULL;
  g_autofree gint32 *devices = read_rows (self, place, "devices", n, &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (devices == NULL)
    return refuse (self, error, place->where, "devices is missing");
  for (guint v = 0; v < n; v++)
    {
      if (devices[v] < 0 || (guint) devices[v] >= goban_plan_get_n_devices (plan))
        {
          g_autofree char *where
              = g_strdup_printf ("%s.devices[%u]", place->where, v / GOBAN_SESSION_ROW);

          return refuse (self, error, where, "there is no device %d, only 0 to %u", devices[v],
                         goban_plan_get_n_devices (plan) - 1);
        }
      goban_plan_set_device (plan, v, (GobanDeviceId) devices[v]);
    }
  return TRUE;
}

static gboolean
read_numbers (const Reader *self, const Place *place, GobanPlan *plan, GError **error)
{
  guint n = goban_plan_get_n_nodes (plan);
  g_autoptr (GError) local = NULL;
  g_autofree gint32 *priorities = read_rows (self, place, "priorities", n, &local);
  g_autofree gint32 *fusions = local == NULL ? read_rows (self, place, "fusions", n, &local) : NULL;
  g_autofree gint32 *transfers = local == NULL ? read_rows (self, place, "transfers",
                                                            goban_plan_get_n_tensors (plan), &local)
                                               : NULL;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
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
read_cluster (const Reader *self, const Place *place, GError **error)
{
  JsonNode *node = json_object_get_member (place->object, "cluster");
  g_autofree char *where = name_key (place, "cluster");
  g_autofree char *json = NULL;
  g_autofree char *origin = NULL;

  if (node == NULL)
    {
      refuse (self, error, place->where, "cluster is missing");
      return NULL;
    }
  if (get_type (node) == G_TYPE_STRING)
    {
      g_autoptr (GError) local = NULL;
      const char *name = json_node_get_string (node);
      GobanCluster *cluster = NULL;

      /* A name never means a file here: sessions hold the whole of what is not known everywhere. */
      if (strchr (name, '/') != NULL || g_file_test (name, G_FILE_TEST_EXISTS))
        refuse (self, error, where, "“%s” is no preset", name);
      else if ((cluster = goban_cluster_new_from_spec (name, &local)) == NULL)
        refuse (self, error, where, "%s", local->message);
      return cluster;
    }
  json = json_to_string (node, FALSE);
  origin = g_strdup_printf ("%s:%u: %s", self->path,
                            goban_json_find_line (self->data, self->size, where), where);
  return goban_cluster_new_from_json (json, -1, origin, error);
}

static gboolean
read_costs (const Reader *self, const Place *place, GobanCostModel **costs, GError **error)
{
  const char *name = NULL;
  GobanExecution execution = GOBAN_EXECUTION_EVENTS;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GError) local = NULL;

  if (!read_text (self, place, "execution", &name, error))
    return FALSE;
  if (name != NULL && !goban_execution_from_name (name, &execution, &local))
    return refuse (self, error, place->where, "%s", local->message);
  if (json_object_has_member (place->object, "cluster"))
    {
      cluster = read_cluster (self, place, error);
      if (cluster == NULL)
        return FALSE;
    }
  if (cluster == NULL && execution == GOBAN_EXECUTION_EVENTS)
    *costs = goban_cost_model_ref (self->snapshot->state->costs);
  else
    *costs = goban_cost_model_new (self->snapshot->graph,
                                   cluster != NULL ? cluster : self->snapshot->state->cluster,
                                   execution);
  return TRUE;
}

static gboolean
read_improvements (const Reader *self, const Place *place, GArray *improvements, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree const char **steps = read_texts (self, place, "improvements", &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  for (guint i = 0; steps != NULL && steps[i] != NULL; i++)
    {
      GobanImprovement step;
      char *end;

      step.evaluation = g_ascii_strtoull (steps[i], &end, 10);
      step.makespan_us = *end == ' ' ? g_ascii_strtod (end + 1, &end) : (double) NAN;
      if (*end != '\0' || !isfinite (step.makespan_us) || step.makespan_us < 0)
        return refuse (self, error, place->where,
                       "improvements[%u]: “SIMULATION MAKESPAN” is expected, not “%.40s”", i,
                       steps[i]);
      g_array_append_val (improvements, step);
    }
  return TRUE;
}

static gboolean
read_proof (const Reader *self, const Place *place, GobanPlan *plan, GobanCostModel *costs,
            GError **error)
{
  double bound_us = 0;
  const char *mark = NULL;
  g_autofree char *own = NULL;

  if (!read_number (self, place, "proven_bound_us", &bound_us, error)
      || !read_text (self, place, "proven_for", &mark, error))
    return FALSE;
  own = bound_us > 0 && mark != NULL ? goban_plan_make_fingerprint (costs) : NULL;
  if (own != NULL && g_str_equal (own, mark))
    goban_plan_set_proven_bound_us (plan, bound_us);
  return TRUE;
}

static gboolean
read_plan (const Reader *self, const Place *place, GobanPlan *plan, GobanCostModel *costs,
           GError **error)
{
  const char *policy = "", *order = "fifo";

  if (!read_text (self, place, "policy", &policy, error)
      || !read_text (self, place, "order", &order, error)
      || !read_devices (self, place, plan, error) || !read_numbers (self, place, plan, error)
      || !read_proof (self, place, plan, costs, error))
    return FALSE;
  if (!g_str_equal (order, "fifo") && !g_str_equal (order, "priority"))
    return refuse (self, error, place->where, "order: “%s” is neither fifo nor priority", order);
  goban_plan_set_policy (plan, policy);
  goban_plan_set_order (plan, *order == 'p' ? GOBAN_ORDER_PRIORITY : GOBAN_ORDER_FIFO);
  return TRUE;
}

/* *run stays %NULL, with a warning, where the plan does not fit any more. */
static gboolean
read_run (Reader *self, const Place *place, GobanRun **run, GError **error)
{
  static const char *const keys[]
      = { "cluster",      "devices",    "evaluations", "execution",  "fusions", "name",
          "improvements", "order",      "policy",      "priorities", "seconds", "proven_bound_us",
          "seed",         "proven_for", "transfers",   NULL };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GArray) improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  g_autoptr (GError) misfit = NULL;
  const char *name = "plan";
  GobanRunOrigin origin = { .evaluations = 1, .improvements = improvements };

  if (!check_keys (self, place, keys, error) || !read_text (self, place, "name", &name, error)
      || !read_number (self, place, "seconds", &origin.seconds, error)
      || !read_count (self, place, "seed", &origin.seed, error)
      || !read_count (self, place, "evaluations", &origin.evaluations, error)
      || !read_improvements (self, place, improvements, error)
      || !read_costs (self, place, &costs, error))
    return FALSE;
  plan = goban_plan_new (self->snapshot->graph,
                         goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)));
  if (!read_plan (self, place, plan, costs, error))
    return FALSE;
  if (goban_plan_check (plan, costs, &misfit))
    *run = goban_run_new_kept (costs, plan, name, &origin);
  else
    warn (self, "plan “%s” is left out: %s", name, misfit->message);
  return TRUE;
}

static gboolean
read_runs (Reader *self, const Place *root, GError **error)
{
  JsonNode *node = json_object_get_member (root->object, "runs");
  JsonArray *array;
  guint64 current = 0;
  guint n;

  if (!read_count (self, root, "current", &current, error))
    return FALSE;
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return refuse (self, error, "runs", "a list is expected");
  array = json_node_get_array (node);
  n = json_array_get_length (array);
  if (n > 0 && !self->has_same_nodes)
    {
      warn (self, "%u plan%s left out, which %s for other nodes than the graph has now", n,
            n == 1 ? " is" : "s are", n == 1 ? "was" : "were");
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      g_auto (Place) place = { .where = g_strdup_printf ("runs[%u]", i) };
      g_autoptr (GobanRun) run = NULL;

      if (!JSON_NODE_HOLDS_OBJECT (item))
        return refuse (self, error, place.where, "an object is expected");
      place.object = json_node_get_object (item);
      goban_progress_step (self->options->progress, (double) i / n, "simulating");
      if (!goban_progress_check (self->options->progress, error)
          || !read_run (self, &place, &run, error))
        return FALSE;
      if (run == NULL)
        continue;
      goban_state_add_run (self->snapshot->state, run);
      if (i + 1 == current)
        goban_state_set_current (self->snapshot->state, run);
    }
  if (current > n)
    return refuse (self, error, "current", "there are only %u runs", n);
  if (self->snapshot->state->current == NULL && self->snapshot->state->runs->len > 0)
    goban_state_set_current (self->snapshot->state,
                             g_ptr_array_index (self->snapshot->state->runs, 0));
  return TRUE;
}

/* --- the graph ------------------------------------------------------------------------------------ */

/* Where a relative path leads: from the folder of the session. (transfer full) */
static char *
resolve (const Reader *self, const char *path)
{
  g_autofree char *own = g_canonicalize_filename (self->path, NULL);
  g_autofree char *folder = g_path_get_dirname (own);

  return g_canonicalize_filename (path, folder);
}

static gboolean
read_load (const Reader *self, const Place *place, GobanLoadOptions *load, GError **error)
{
  static const char *const keys[]
      = { "batch", "format", "keep_constants", "time_unit_us", "training", "with_backward", NULL };
  g_auto (Place) inner = { 0 };
  guint64 batch = 0;

  if (!json_object_has_member (place->object, "load"))
    return TRUE;
  if (!enter (self, place, "load", keys, &inner, error)
      || !read_count (self, &inner, "batch", &batch, error)
      || !read_text (self, &inner, "format", &load->format, error)
      || !read_boolean (self, &inner, "keep_constants", &load->keep_constants, error)
      || !read_number (self, &inner, "time_unit_us", &load->time_unit_us, error)
      || !read_boolean (self, &inner, "training", &load->training, error)
      || !read_boolean (self, &inner, "with_backward", &load->with_backward, error))
    return FALSE;
  load->batch = (gint64) batch;
  return TRUE;
}

static GobanGraph *
load_file (const Reader *self, const char *path, GobanLoadOptions *load, GError **error)
{
  g_autoptr (GobanGraph) graph = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      load->progress = self->options->progress;
      graph = goban_session_load_graph (path, load, error);
      load->progress = NULL;
      return g_steal_pointer (&graph);
    }
  if (self->options->missing != NULL)
    *self->options->missing = g_strdup (path);
  goban_refuse (error, GOBAN_ERROR_IO,
                "%s:%u: graph.path: the graph is not at %s any more: find it, or put it there",
                self->path, goban_json_find_line (self->data, self->size, "graph.path"), path);
  return NULL;
}

static GobanGraph *
read_made (const Reader *self, const Place *place, GError **error)
{
  const GobanReadOptions options = { .progress = self->options->progress };
  const GobanFormat *json = goban_format_find ("json", error);
  g_autofree const char **lines = read_texts (self, place, "lines", error);
  g_autofree char *text = lines != NULL ? g_strjoinv ("\n", (char **) lines) : NULL;
  g_autofree char *origin = g_strdup_printf ("%s: graph.lines", self->path);

  if (json == NULL || text == NULL)
    return NULL;
  return json->read (text, strlen (text), origin, &options, error);
}

/* (transfer full) (nullable): the graph; *path is where it came from. */
static GobanGraph *
find_graph (Reader *self, const Place *place, GobanLoadOptions *load, char **path, GError **error)
{
  const char *file = NULL, *spec = NULL;

  if (!read_text (self, place, "path", &file, error)
      || !read_text (self, place, "spec", &spec, error) || !read_load (self, place, load, error))
    return NULL;
  if ((file != NULL) + (spec != NULL) + json_object_has_member (place->object, "lines") != 1)
    {
      refuse (self, error, "graph", "exactly one of path, spec and lines is expected");
      return NULL;
    }
  if (self->options->graph != NULL)
    return goban_graph_ref (self->options->graph);
  if (self->options->graph_path != NULL)
    *path = g_canonicalize_filename (self->options->graph_path, NULL);
  else if (file != NULL)
    *path = resolve (self, file);
  if (*path != NULL)
    return load_file (self, *path, load, error);
  if (spec == NULL)
    return read_made (self, place, error);
  *path = g_strdup (spec);
  if (!goban_session_is_spec (spec))
    {
      refuse (self, error, "graph.spec", "“%s” is not the spec of a generated graph", spec);
      return NULL;
    }
  return goban_session_load_graph (spec, load, error);
}

/* Tells whether what is said of nodes by their number still holds. */
static gboolean
compare_graph (Reader *self, const Place *place, GError **error)
{
  GobanGraph *graph = self->snapshot->graph;
  const char *hash = "", *names = "";
  g_autofree char *own
      = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", goban_graph_get_hash (graph));
  g_autofree char *own_names = NULL;
  guint64 n_nodes = 0;

  if (!read_text (self, place, "hash", &hash, error)
      || !read_text (self, place, "names", &names, error)
      || !read_count (self, place, "n_nodes", &n_nodes, error))
    return FALSE;
  self->has_same_nodes = TRUE;
  if (g_str_equal (own, hash))
    return TRUE;

  own_names = goban_snapshot_make_names (graph);
  self->has_same_nodes = g_str_equal (own_names, names);
  if (self->has_same_nodes)
    warn (self, "the graph has changed since the session was saved; its nodes are the same, so "
                "plans that still "
                "fit are simulated anew");
  else
    warn (self,
          "the graph has changed since the session was saved: it had %" G_GUINT64_FORMAT
          " nodes and has %u now, or other ones",
          n_nodes, goban_graph_get_n_nodes (graph));
  return TRUE;
}

static gboolean
read_graph (Reader *self, const Place *root, GobanCluster *cluster, GError **error)
{
  static const char *const keys[]
      = { "hash", "lines", "load", "n_nodes", "names", "path", "spec", NULL };
  g_auto (Place) place = { 0 };
  g_autoptr (GobanGraph) graph = NULL;
  g_autofree char *path = NULL;
  GobanLoadOptions load = { 0 };

  if (!enter (self, root, "graph", keys, &place, error))
    return FALSE;
  graph = find_graph (self, &place, &load, &path, error);
  if (graph == NULL)
    return FALSE;
  self->snapshot = goban_snapshot_new_empty (graph, goban_state_new (cluster, graph));
  self->snapshot->path = g_steal_pointer (&path);
  self->snapshot->load = load;
  self->snapshot->load.format = g_strdup (load.format);
  return compare_graph (self, &place, error);
}

/* --- the rest ----------------------------------------------------------------------------------- */

static gboolean
read_view (const Reader *self, const Place *root, GError **error)
{
  static const char *const keys[]
      = { "color", "expanded", "grouping", "hidden", "layout", "time_us", NULL };
  GobanSnapshot *snapshot = self->snapshot;
  g_auto (Place) place = { 0 };
  g_autoptr (GError) local = NULL;
  g_autofree const char **expanded = NULL;
  const char *color = "device", *grouping = "auto", *layout = "auto";

  if (!json_object_has_member (root->object, "view"))
    return TRUE;
  if (!enter (self, root, "view", keys, &place, error)
      || !read_text (self, &place, "color", &color, error)
      || !read_text (self, &place, "grouping", &grouping, error)
      || !read_text (self, &place, "layout", &layout, error)
      || !read_nodes (self, &place, "hidden", &snapshot->hidden, error)
      || !read_number (self, &place, "time_us", &snapshot->time_us, error))
    return FALSE;
  expanded = read_texts (self, &place, "expanded", &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (!goban_grouping_find (grouping, &snapshot->grouping))
    return refuse (self, error, "view.grouping", "“%s” is no grouping", grouping);
  if (!goban_arrangement_find (layout, &snapshot->layout))
    return refuse (self, error, "view.layout", "“%s” is no layout", layout);
  g_free (snapshot->color);
  snapshot->color = g_strdup (color);
  if (expanded != NULL)
    {
      g_strfreev (snapshot->expanded);
      snapshot->expanded = g_strdupv ((char **) expanded);
    }
  return TRUE;
}

static gboolean
read_notes (const Reader *self, const Place *root, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree const char **lines = read_texts (self, root, "notes", &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (lines == NULL)
    return TRUE;
  g_free (self->snapshot->notes);
  self->snapshot->notes = g_strjoinv ("\n", (char **) lines);
  return TRUE;
}

static gboolean
read_recovery (const Reader *self, const Place *root, GError **error)
{
  static const char *const keys[] = { "closed", "file", NULL };
  g_auto (Place) place = { 0 };
  const char *file = NULL;
  gboolean is_closed = FALSE;

  if (!json_object_has_member (root->object, "recovery"))
    return TRUE;
  if (!enter (self, root, "recovery", keys, &place, error)
      || !read_boolean (self, &place, "closed", &is_closed, error)
      || !read_text (self, &place, "file", &file, error))
    return FALSE;
  goban_snapshot_set_origin (self->snapshot, file, is_closed);
  return TRUE;
}

/* Before anything else is read: a newer program may say everything in another way. */
static gboolean
check_version (const Reader *self, const Place *root, GError **error)
{
  static const char *const keys[]
      = { "goban_session", "cluster", "current",   "graph", "notes", "pinned",
          "recovery",      "runs",    "selection", "view",  NULL };
  guint64 version = 0;

  if (!read_count (self, root, "goban_session", &version, error))
    return FALSE;
  if (version == 0)
    return refuse (self, error, "", "this is no session: it has no \"goban_session\": %d",
                   GOBAN_SESSION_VERSION);
  if (version > GOBAN_SESSION_VERSION)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s:%u: this session is of version %" G_GUINT64_FORMAT
                         ", but this program knows only version %d: a newer Goban wrote it",
                         self->path, goban_json_find_line (self->data, self->size, "goban_session"),
                         version, GOBAN_SESSION_VERSION);
  return check_keys (self, root, keys, error);
}

static gboolean
read_all (Reader *self, JsonNode *node, GError **error)
{
  g_auto (Place) root = { .where = g_strdup ("") };
  g_autoptr (GobanCluster) cluster = NULL;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse (self, error, "", "an object is expected");
  root.object = json_node_get_object (node);
  if (!check_version (self, &root, error))
    return FALSE;
  cluster = read_cluster (self, &root, error);
  return cluster != NULL && read_graph (self, &root, cluster, error)
         && read_runs (self, &root, error)
         && read_nodes (self, &root, "pinned", &self->snapshot->state->pinned, error)
         && read_nodes (self, &root, "selection", &self->snapshot->selection, error)
         && read_view (self, &root, error) && read_notes (self, &root, error)
         && read_recovery (self, &root, error);
}

GobanSnapshot *
goban_snapshot_read (const char *data, gsize size, const char *path,
                     const GobanSnapshotOptions *options, GError **error)
{
  static const GobanSnapshotOptions none = { 0 };
  Reader reader = { path, data, size, options != NULL ? options : &none, NULL, FALSE };
  g_autoptr (JsonNode) root = goban_json_parse (data, (gssize) size, path, error);

  if (root == NULL)
    return NULL;
  if (!read_all (&reader, root, error))
    {
      g_clear_pointer (&reader.snapshot, goban_snapshot_unref);
      return NULL;
    }
  g_ptr_array_add (reader.snapshot->warnings, NULL);
  return reader.snapshot;
}
