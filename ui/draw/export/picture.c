#include "ui/draw/export/picture.h"

#include "engine/core/file.h"
#include "engine/study/analysis/node-field.h"
#include "ui/draw/timeline/timeline-layout.h"
#include "ui/draw/timeline/timeline-partial.h"

#include <math.h>
#include <string.h>

void
goban_export_picture_free (GobanExportPicture *self)
{
  g_free (self->path);
  goban_cost_model_unref (self->costs);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->values, goban_node_values_unref);
  g_strfreev (self->expanded);
  g_clear_pointer (&self->hidden, goban_selection_unref);
  goban_own_lanes_clear (&self->lanes);
  g_free (self);
}

/* Into a file, or an image. */
typedef struct
{
  const GobanExportOptions *options;
  const char *path;
  cairo_surface_t *image;
} Target;

static gboolean
draw_graph (const GobanExportPicture *self, Target *target, GError **error)
{
  GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanTrace *trace = self->run != NULL ? goban_run_get_trace (self->run) : NULL;
  GobanLook look = { .grouping = self->grouping,
                     .expanded = (const char *const *) self->expanded,
                     .hidden = self->hidden,
                     .arrangement = self->arrangement,
                     .trace = trace,
                     .progress = target->options->progress };
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, &look, error);
  g_autoptr (GobanGraphScene) scene = NULL;

  if (plot == NULL)
    return FALSE;

  scene = goban_plot_take_scene (plot, goban_graph_scene_new (graph, NULL, NULL, trace));
  goban_graph_scene_set_values (scene, self->values);
  goban_graph_scene_set_step (scene, self->is_step ? self->run : NULL);
  if (target->path != NULL)
    return goban_export_graph (scene, plot->layout, target->options, target->path, error);
  target->image = goban_export_graph_image (scene, plot->layout, target->options);
  return TRUE;
}

/* The hidden nodes are no more in the table than in the picture. */
static gboolean
write_table (const GobanExportPicture *self, const char *path, GError **error)
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
  return goban_file_write (path, csv, strlen (csv), error);
}

void
goban_export_picture_show_devices (GobanTimelineScene *scene)
{
  goban_timeline_scene_arrange (scene, &(GobanLanes){ NULL }, INFINITY);
}

static gboolean
draw_timeline (const GobanExportPicture *self, Target *target, GError **error)
{
  g_autoptr (GobanTimelineScene) scene
      = goban_timeline_scene_new_of_step (self->run, self->is_step);

  if (self->has_lanes)
    goban_timeline_scene_arrange (scene, &self->lanes.lanes, INFINITY);
  goban_timeline_scene_set_values (scene, self->values);
  if (target->path != NULL)
    return goban_export_timeline (scene, target->options, target->path, error);
  goban_export_picture_show_devices (scene);
  target->image = goban_export_timeline_image (scene, target->options);
  return TRUE;
}

gboolean
goban_export_picture_write_as (const GobanExportPicture *self, const GobanExportOptions *options,
                               const char *path, GError **error)
{
  Target target = { options, path, NULL };

  if (goban_node_csv_is_path (path))
    return write_table (self, path, error);
  return self->is_timeline ? draw_timeline (self, &target, error)
                           : draw_graph (self, &target, error);
}

gboolean
goban_export_picture_write (GobanExportPicture *self, const GobanProgress *progress, GError **error)
{
  self->options.progress = progress;
  return goban_export_picture_write_as (self, &self->options, self->path, error);
}

cairo_surface_t *
goban_export_picture_draw (const GobanExportPicture *self, const GobanExportOptions *options,
                           GError **error)
{
  Target target = { options, NULL, NULL };
  gboolean is_drawn = self->is_timeline ? draw_timeline (self, &target, error)
                                        : draw_graph (self, &target, error);

  return is_drawn ? target.image : NULL;
}
