#include "engine/study/bench/suite.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/json-reader.h"
#include "engine/graph/workloads/workload.h"
#include "engine/machine/cluster/cost-model.h"

#include <string.h>

#define SUFFIX ".json"
#define FOLDER "suites"

const char *const goban_suite_task_names[GOBAN_N_SUITE_TASKS] = { "placement", "joint" };

gboolean
goban_suite_task_find (const char *name, GobanSuiteTask *task, GError **error)
{
  for (guint i = 0; i < GOBAN_N_SUITE_TASKS; i++)
    if (strcmp (goban_suite_task_names[i], name) == 0)
      {
        *task = i;
        return TRUE;
      }
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "there is no task “%s”; there are placement and joint", name);
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
read_graph (GobanSuite *self, GobanJsonValue item, const char *folder, GError **error)
{
  static const char *const keys[] = { "!name", "!graph", "placement", "joint", NULL };
  GobanSuiteGraph graph = { 0 };
  guint n_clusters = 0;

  if (!goban_json_check_object (item, keys, error)
      || !goban_json_get_name (item, "name", &graph.name, error)
      || !goban_json_get_name (item, "graph", &graph.graph, error))
    return FALSE;

  for (guint i = 0; i < self->graphs->len; i++)
    if (strcmp (g_array_index (self->graphs, GobanSuiteGraph, i).name, graph.name) == 0)
      return goban_json_refuse (item, error, "graphs[%u] is called “%s” too", i, graph.name);

  graph.name = keep (self, graph.name);
  /* A misspelt spec is kept as written, so that its error quotes it. */
  graph.graph = resolve (self, folder, graph.graph,
                         goban_workload_is_spec (graph.graph) || strchr (graph.graph, ':') != NULL);
  for (guint task = 0; task < GOBAN_N_SUITE_TASKS; task++)
    {
      const char *cluster = NULL;

      if (!goban_json_get_text (item, goban_suite_task_names[task], &cluster, error))
        return FALSE;
      if (cluster == NULL)
        continue;
      graph.clusters[task]
          = resolve (self, folder, cluster, goban_cluster_is_description (cluster));
      n_clusters++;
    }
  if (n_clusters == 0)
    return goban_json_refuse (item, error, "it has no cluster: say placement, joint or both");

  g_array_append_val (self->graphs, graph);
  return TRUE;
}

static gboolean
read_root (GobanSuite *self, const char *path, GobanJsonValue root, GError **error)
{
  static const char *const keys[] = { "about", "!graphs", NULL };
  g_autofree char *folder = g_path_get_dirname (path);
  const char *about = "";
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_check_object (root, keys, error)
      || !goban_json_get_text (root, "about", &about, error)
      || !goban_json_get_list (root, "graphs", &items, error))
    return FALSE;
  if (items.n == 0)
    return goban_json_refuse (goban_json_find (root, "graphs"), error, "the list is empty");

  self->about = g_strdup (about);
  while (goban_json_items_next (&items, &item))
    if (!read_graph (self, item, folder, error))
      return FALSE;
  return TRUE;
}

static GobanSuite *
load_file (const char *path, GError **error)
{
  const GobanFileReading reading = { .kind = GOBAN_FILE_SUITE };
  g_autoptr (GobanJsonReader) json = goban_json_reader_new_for_file (path, &reading, error);
  g_autoptr (GobanSuite) self = NULL;

  if (json == NULL)
    return NULL;
  self = suite_new (path);
  if (!read_root (self, path, goban_json_reader_get_root (json), error))
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
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no suite “%s”; there are %s, and files",
                   name, list);
  return NULL;
}

/* --- accessors ----------------------------------------------------------------------------- */

const GobanSuiteGraph *
goban_suite_get_graph (const GobanSuite *self, guint i)
{
  g_return_val_if_fail (i < self->graphs->len, NULL);

  return &g_array_index (self->graphs, GobanSuiteGraph, i);
}
