#include "engine/bench/suite.h"

#include "engine/base/data-file.h"
#include "engine/base/error.h"
#include "engine/base/file-read.h"
#include "engine/base/json-guard.h"
#include "engine/cluster/cluster.h"
#include "engine/io/json-members.h"
#include "engine/workloads/workload.h"

#include <string.h>

#define SUFFIX ".json"
#define FOLDER "suites"

struct _GobanSuite
{
  gatomicrefcount ref_count;
  char *name;
  char *about;
  GArray *graphs;        /* GobanSuiteGraph */
  GStringChunk *strings; /* of the graphs */
};

static const char *const task_names[GOBAN_N_TASKS] = { "placement", "joint" };

const char *
goban_task_get_name (GobanTask task)
{
  g_return_val_if_fail (task < GOBAN_N_TASKS, NULL);

  return task_names[task];
}

gboolean
goban_task_find (const char *name, GobanTask *task, GError **error)
{
  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    if (strcmp (task_names[i], name) == 0)
      {
        *task = i;
        return TRUE;
      }
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "there is no task “%s”; there are placement and joint", name);
  return FALSE;
}

/* --- life cycle ---------------------------------------------------------------------------- */

static GobanSuite *
suite_new (const char *path)
{
  GobanSuite *self = g_new0 (GobanSuite, 1);
  g_autofree char *base = g_path_get_basename (path);

  if (g_str_has_suffix (base, SUFFIX))
    base[strlen (base) - strlen (SUFFIX)] = '\0';
  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_steal_pointer (&base);
  self->graphs = g_array_new (FALSE, TRUE, sizeof (GobanSuiteGraph));
  self->strings = g_string_chunk_new (1024);
  return self;
}

GobanSuite *
goban_suite_ref (GobanSuite *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_suite_unref (GobanSuite *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_array_unref (self->graphs);
  g_string_chunk_free (self->strings);
  g_free (self->about);
  g_free (self->name);
  g_free (self);
}

/* --- reading ------------------------------------------------------------------------------- */

static const char *
keep (GobanSuite *self, const char *text)
{
  return g_string_chunk_insert_const (self->strings, text);
}

/* A file beside the suite wins over a word that means something by itself, as everywhere. */
static const char *
resolve (GobanSuite *self, const char *folder, const char *text, gboolean means_itself)
{
  g_autofree char *path
      = g_path_is_absolute (text) ? g_strdup (text) : g_build_filename (folder, text, NULL);

  return keep (self, means_itself && !g_file_test (path, G_FILE_TEST_EXISTS) ? text : path);
}

static gboolean
is_cluster_word (const char *text)
{
  const char *const *presets = goban_cluster_presets ();

  for (guint i = 0; presets[i] != NULL; i += 2)
    if (strcmp (presets[i], text) == 0)
      return TRUE;
  return g_str_has_prefix (text, "equal:");
}

static gboolean
check_keys (const GobanJsonPlace *place, JsonObject *object, const char *const *known,
            GError **error)
{
  g_autoptr (GError) local = NULL;

  if (goban_json_check_keys (object, "", known, &local))
    return TRUE;
  /* Without the empty name of the object: the place says more. */
  return goban_json_fail (place, error, "%s", local->message + strlen (": "));
}

static gboolean
get_required (const GobanJsonPlace *place, JsonObject *object, const char *member,
              const char **value, GError **error)
{
  *value = NULL;
  if (!goban_json_get_string (place, object, member, value, error))
    return FALSE;
  if (*value == NULL || **value == '\0')
    return goban_json_fail (place, error, "it has no %s", member);
  return TRUE;
}

static gboolean
read_graph (GobanSuite *self, const GobanJsonPlace *place, const char *folder, JsonNode *node,
            GError **error)
{
  static const char *const known[] = { "name", "graph", "placement", "joint", NULL };
  GobanSuiteGraph graph = { 0 };
  JsonObject *object;
  guint n_clusters = 0;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return goban_json_fail (place, error, "it is no object");
  object = json_node_get_object (node);
  if (!check_keys (place, object, known, error)
      || !get_required (place, object, "name", &graph.name, error)
      || !get_required (place, object, "graph", &graph.graph, error))
    return FALSE;

  for (guint i = 0; i < self->graphs->len; i++)
    if (strcmp (g_array_index (self->graphs, GobanSuiteGraph, i).name, graph.name) == 0)
      return goban_json_fail (place, error, "graphs[%u] is called “%s” too", i, graph.name);

  graph.name = keep (self, graph.name);
  /* A misspelt spec is kept as written, so that its error quotes it. */
  graph.graph = resolve (self, folder, graph.graph,
                         goban_workload_is_spec (graph.graph) || strchr (graph.graph, ':') != NULL);
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    {
      const char *cluster = NULL;

      if (!goban_json_get_string (place, object, task_names[task], &cluster, error))
        return FALSE;
      if (cluster == NULL)
        continue;
      graph.clusters[task] = resolve (self, folder, cluster, is_cluster_word (cluster));
      n_clusters++;
    }
  if (n_clusters == 0)
    return goban_json_fail (place, error, "it has no cluster: say placement, joint or both");

  g_array_append_val (self->graphs, graph);
  return TRUE;
}

static gboolean
read_root (GobanSuite *self, GobanJsonPlace *place, JsonObject *root, GError **error)
{
  static const char *const known[] = { "about", "graphs", NULL };
  g_autofree char *folder = g_path_get_dirname (place->path);
  JsonArray *graphs = NULL;
  const char *about = "";

  if (!check_keys (place, root, known, error)
      || !goban_json_get_string (place, root, "about", &about, error)
      || !goban_json_get_array (place, root, "graphs", &graphs, error))
    return FALSE;
  if (graphs == NULL || json_array_get_length (graphs) == 0)
    return goban_json_fail (place, error, "it lists no graphs");

  self->about = g_strdup (about);
  place->section = "graphs";
  for (place->index = 0; place->index < json_array_get_length (graphs); place->index++)
    if (!read_graph (self, place, folder, json_array_get_element (graphs, place->index), error))
      return FALSE;
  return TRUE;
}

static GobanSuite *
load_file (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_SUITE, error);
  g_autoptr (JsonObject) root = NULL;
  g_autoptr (GobanSuite) self = NULL;
  GobanJsonPlace place = { .path = path };

  if (bytes == NULL)
    return NULL;
  place.data = g_bytes_get_data (bytes, &place.size);
  root = goban_json_parse_object (place.data, place.size, path, error);
  if (root == NULL)
    return NULL;

  self = suite_new (path);
  if (!read_root (self, &place, root, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* --- finding ------------------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
goban_suite_names (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < GOBAN_DATA_N_FOLDERS && names->len == 0; i++)
    {
      g_autofree char *folder = goban_data_file_dup_folder (FOLDER, i);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* no folder, no suites */
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_suffix (name, SUFFIX))
          g_ptr_array_add (names, g_strndup (name, strlen (name) - strlen (SUFFIX)));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

GobanSuite *
goban_suite_load (const char *name, GError **error)
{
  g_auto (GStrv) names = NULL;
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;
  g_autofree char *list = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  if (strchr (name, '/') != NULL || strcmp (name, "-") == 0 || g_str_has_suffix (name, SUFFIX)
      || g_file_test (name, G_FILE_TEST_IS_REGULAR))
    return load_file (name, error);

  file = g_strconcat (name, SUFFIX, NULL);
  path = goban_data_file_find (FOLDER, file);
  if (path != NULL)
    return load_file (path, error);

  names = goban_suite_names ();
  list = g_strjoinv (", ", names);
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "there is no suite “%s”; there are %s, and files", name, list);
  return NULL;
}

/* --- what it holds ------------------------------------------------------------------------- */

const char *
goban_suite_get_name (const GobanSuite *self)
{
  return self->name;
}

const char *
goban_suite_get_about (const GobanSuite *self)
{
  return self->about;
}

guint
goban_suite_get_n_graphs (const GobanSuite *self)
{
  return self->graphs->len;
}

const GobanSuiteGraph *
goban_suite_get_graph (const GobanSuite *self, guint i)
{
  g_return_val_if_fail (i < self->graphs->len, NULL);

  return &g_array_index (self->graphs, GobanSuiteGraph, i);
}
