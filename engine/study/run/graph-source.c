#include "engine/study/run/graph-source.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/graph/training.h"
#include "engine/graph/workloads/workload.h"
#include "engine/io/io.h"
#include "engine/io/traces/measured-times.h"
#include "engine/machine/cluster/cost-model.h"

#include <inttypes.h>
#include <string.h>

gboolean
goban_graph_source_is_spec (const char *text)
{
  return goban_workload_is_spec (text) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

char *
goban_graph_source_dup_template (void)
{
  return goban_data_file_find ("lessons", GOBAN_UNTITLED ".json");
}

char *
goban_graph_source_dup_title (const char *path, const GobanGraph *graph)
{
  const char *name = graph != NULL ? goban_graph_get_name (graph) : "";
  g_autofree char *template = goban_graph_source_dup_template ();
  gboolean has_spec = path != NULL && goban_graph_source_is_spec (path);

  if (path != NULL && !has_spec && g_strcmp0 (path, template) != 0)
    return g_filename_display_basename (path);
  if (has_spec && graph == NULL)
    return g_strdup (path);
  if (*name == '\0' || g_str_equal (name, GOBAN_UNTITLED))
    return g_strdup (_ ("Untitled graph"));
  return g_strdup (name);
}

/* A misspelt family is reported as a missing file, which is only half of the truth, so the message
 * names the families too. */
static void
mention_families (GError **error)
{
  g_autoptr (GString) message = NULL;
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  if (error == NULL)
    return;

  message = g_string_new ((*error)->message);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (message, "%s%s", i > 0 ? ", " : "; nor is it generated, as are ",
                            families[i]->name);
  g_clear_error (error);
  goban_set_error (error, GOBAN_ERROR_IO, "%s", message->str);
}

static GobanGraph *
generate (const char *spec, const GobanLoadOptions *options, GError **error)
{
  if (options->batch > 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s: the batch of a generated graph is a key of its spec: batch=%" PRId64,
                       spec, options->batch);
      return NULL;
    }
  return goban_workload_generate (spec, error);
}

static GobanReadOptions
get_reading (const GobanLoadOptions *options)
{
  return (GobanReadOptions){
    .time_unit_us = options->time_unit_us,
    .batch = options->batch,
    .with_backward = options->with_backward,
    .keep_constants = options->keep_constants,
    .only_regular = options->only_regular,
    .progress = options->progress,
  };
}

static GobanGraph *
read_or_generate (const char *path, const GobanLoadOptions *options, GError **error)
{
  const GobanReadOptions reading = get_reading (options);
  GobanGraph *graph;

  /* A given format means that the text is a file, not a spec. */
  if (options->format == NULL && goban_graph_source_is_spec (path))
    return generate (path, options, error);

  graph = goban_graph_load (path, options->format, &reading, error);
  if (graph == NULL && strchr (path, ':') != NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    mention_families (error);
  return graph;
}

/* A file whose cluster cannot be made is refused here, so that callers need not handle it. */
static gboolean
check_own_cluster (const GobanGraph *graph, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GobanCluster) own = goban_cluster_new_for_graph (graph, &local);

  if (local == NULL)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: its cluster: %s", path, local->message);
}

/* @read: (transfer full) (nullable): with an error then. */
static GobanGraph *
finish (GobanGraph *read, const char *origin, const GobanLoadOptions *options, GError **error)
{
  g_autoptr (GobanGraph) graph = read;
  GobanTrainingCosts training_costs = goban_training_costs_default ();

  if (graph != NULL && !check_own_cluster (graph, origin, error))
    return NULL;
  if (graph == NULL || !options->training)
    return g_steal_pointer (&graph);
  return goban_graph_new_training (graph, &training_costs, error);
}

GobanGraph *
goban_graph_source_load (const char *path, const GobanLoadOptions *options, GError **error)
{
  static const GobanLoadOptions none = { 0 };

  if (options == NULL)
    options = &none;
  return finish (read_or_generate (path, options, error), path, options, error);
}

GobanGraph *
goban_graph_source_parse (const char *text, gsize size, const GobanLoadOptions *options,
                          GError **error)
{
  const GobanReadOptions reading = get_reading (options);

  return finish (goban_graph_parse (text, size, "(text)", options->format, &reading, error),
                 "(text)", options, error);
}

char *
goban_graph_source_to_text (GobanGraph *graph, const char *format, GError **error)
{
  const GobanFormat *found = goban_format_find_writer ("", format, error);
  g_autofree char *text = NULL;
  gsize size;

  if (found == NULL || (text = found->write (graph, &size, error)) == NULL)
    return NULL;
  if (memchr (text, '\0', size) != NULL)
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "%s is not a text: save it to a file",
                       format);
      return NULL;
    }
  return g_steal_pointer (&text);
}

GobanGraph *
goban_graph_source_measure (GobanGraph *graph, const char *path, const GobanCluster *cluster,
                            const GobanProgress *progress, GError **error)
{
  guint n = goban_cluster_get_n_devices (cluster);
  g_autofree const char **kinds = g_new0 (const char *, n + 1);

  for (guint d = 0; d < n; d++)
    kinds[d] = goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind;
  return goban_graph_measure (graph, path, kinds, NULL, progress, error);
}

gboolean
goban_graph_source_is_profile (const char *path)
{
  return goban_is_profile (path);
}

gboolean
goban_graph_source_check_reader (const char *format, GError **error)
{
  return format == NULL || goban_format_find (format, error) != NULL;
}

char *
goban_graph_source_list_readers (void)
{
  return goban_formats_list_names (FALSE);
}

gboolean
goban_graph_source_check_writer (const char *path, const char *format, GError **error)
{
  return goban_format_find_writer (path, format, error) != NULL;
}

gboolean
goban_graph_source_save (GobanGraph *graph, const char *path, const char *format, GError **error)
{
  return goban_graph_save (graph, path, format, error);
}
