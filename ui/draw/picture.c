#include "ui/draw/picture.h"

#include "engine/analysis/node-csv.h"
#include "engine/base/file.h"
#include "ui/draw/timeline-scene.h"

#include <string.h>

void
goban_picture_free (GobanPicture *self)
{
  g_free (self->path);
  goban_cost_model_unref (self->costs);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->values, goban_node_values_unref);
  g_strfreev (self->expanded);
  g_clear_pointer (&self->hidden, goban_selection_unref);
  g_strfreev (self->pinned);
  g_strfreev (self->hidden_lanes);
  g_strfreev (self->order);
  g_free (self);
}

static gboolean
draw_graph (const GobanPicture *self, GError **error)
{
  GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanTrace *trace = self->run != NULL ? goban_run_get_trace (self->run) : NULL;
  GobanLook look = { .grouping = self->grouping,
                     .expanded = (const char *const *) self->expanded,
                     .hidden = self->hidden,
                     .arrangement = self->arrangement,
                     .trace = trace,
                     .progress = self->options.progress };
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, &look, error);
  g_autoptr (GobanGraphScene) scene = NULL;

  if (plot == NULL)
    return FALSE;

  scene = goban_plot_take_scene (plot, goban_graph_scene_new (graph, NULL, NULL, trace));
  goban_graph_scene_set_values (scene, self->values);
  goban_graph_scene_set_step (scene, self->is_step ? self->run : NULL);
  return goban_export_graph (scene, plot->layout, &self->options, self->path, error);
}

/* The hidden nodes are no more in the table than in the picture. */
static gboolean
write_table (const GobanPicture *self, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs));
  g_autofree GobanNodeId *shown = g_new (GobanNodeId, n_nodes + 1);
  GobanNodeContext context = { self->costs, self->run };
  g_autofree char *csv = NULL;
  guint n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (self->hidden == NULL || !goban_selection_contains (self->hidden, v))
      shown[n++] = v;
  csv = goban_node_csv_to_text (&context, shown, n);
  return goban_file_write (self->path, csv, strlen (csv), error);
}

static gboolean
draw_timeline (const GobanPicture *self, GError **error)
{
  g_autoptr (GobanTimelineScene) scene = goban_timeline_scene_new (goban_run_get_trace (self->run));

  if (self->pinned != NULL)
    {
      const GobanLaneWishes wishes
          = { (const char *const *) self->pinned, (const char *const *) self->hidden_lanes,
              (const char *const *) self->order };

      goban_timeline_scene_arrange (scene, &wishes);
    }
  goban_timeline_scene_set_values (scene, self->values);
  return goban_export_timeline (scene, &self->options, self->path, error);
}

gboolean
goban_picture_write (GobanPicture *self, const GobanProgress *progress, GError **error)
{
  self->options.progress = progress;
  if (goban_node_csv_is_path (self->path))
    return write_table (self, error);
  return self->is_timeline ? draw_timeline (self, error) : draw_graph (self, error);
}
