#include "tests/support/stg.h"

#include "engine/io/io.h"
#include "tests/support/shared-data.h"

static void
free_case (gpointer data)
{
  StgCase *self = data;

  g_free (self->name);
  goban_cost_model_unref (self->costs);
  g_free (self);
}

/* A line is a graph, processors, the optimum, and where it is open the least and the most it can
 * be. */
static StgCase *
read_case (const char *line, gboolean contention_free)
{
  g_auto (GStrv) fields = g_strsplit (line, ",", -1);
  g_autofree char *name = g_build_filename ("stg", fields[0], NULL);
  g_autofree char *path = shared_data_path (name);
  g_autofree char *spec = g_strdup_printf ("equal:%s", fields[1]);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, "stg", NULL, &error);
  g_autoptr (GobanCluster) cluster = NULL;
  StgCase *self = g_new0 (StgCase, 1);

  g_assert_no_error (error);
  cluster = goban_cluster_new_from_spec (spec, &error);
  g_assert_no_error (error);
  self->name = g_strdup_printf ("%s on %s", fields[0], fields[1]);
  self->costs = goban_cost_model_new (graph, cluster, contention_free);
  self->n_devices = goban_cluster_get_n_devices (cluster);
  self->least_us = g_ascii_strtod (fields[2], NULL);
  self->most_us = fields[3] != NULL ? g_ascii_strtod (fields[3], NULL) : self->least_us;
  return self;
}

GPtrArray *
stg_cases_new (gboolean contention_free)
{
  g_autofree char *path = shared_data_path ("stg/optimal.csv");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *cases;

  if (path == NULL)
    return NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  cases = g_ptr_array_new_with_free_func (free_case);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++) /* after the head */
    g_ptr_array_add (cases, read_case (g_strchomp (lines[i]), contention_free));
  g_assert_cmpuint (cases->len, ==, 30);
  return cases;
}
