#include "ui/widgets/export-job.h"

#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>

typedef struct
{
  GobanExportSource source;
  GobanOwnLanes lanes;
  char *path;
} Task;

static void
task_free (gpointer data)
{
  Task *task = data;

  goban_graph_unref (task->source.graph);
  goban_cost_model_unref (task->source.costs);
  g_clear_pointer (&task->source.run, goban_run_unref);
  g_clear_pointer (&task->source.plot, goban_plot_unref);
  g_clear_pointer (&task->source.values, goban_node_values_unref);
  goban_own_lanes_clear (&task->lanes);
  g_free (task->path);
  g_free (task);
}

static gboolean
write_graph (const Task *task, GError **error)
{
  GobanRun *run = task->source.run;
  GobanGraphScene *base = goban_graph_scene_new (task->source.graph, task->source.costs,
                                                 run != NULL ? goban_run_get_plan (run) : NULL,
                                                 run != NULL ? goban_run_get_trace (run) : NULL);
  g_autoptr (GobanGraphScene) scene = goban_plot_take_scene (task->source.plot, base);

  goban_graph_scene_set_values (scene, task->source.values);
  goban_graph_scene_set_step (scene, task->source.is_step ? run : NULL);
  return goban_export_graph (scene, task->source.plot->layout, &task->source.options, task->path,
                             error);
}

static gboolean
write_timeline (const Task *task, GError **error)
{
  g_autoptr (GobanTimelineScene) scene
      = goban_timeline_scene_new_of_step (task->source.run, task->source.is_step);

  if (task->source.lanes != NULL)
    goban_timeline_scene_arrange (scene, task->source.lanes, INFINITY);
  goban_timeline_scene_set_values (scene, task->source.values);
  return goban_export_timeline (scene, &task->source.options, task->path, error);
}

static gpointer
export_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  Task *task = data;
  gboolean done;

  task->source.options.progress = progress;
  done = task->source.plot != NULL ? write_graph (task, error) : write_timeline (task, error);

  return done ? g_strdup (task->path) : NULL;
}

GobanJob *
goban_export_job_start (const GobanExportSource *source, const char *path)
{
  Task *task;

  g_return_val_if_fail (source->plot != NULL || source->run != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  task = g_new0 (Task, 1);
  task->source = *source;
  goban_graph_ref (task->source.graph);
  goban_cost_model_ref (task->source.costs);
  goban_run_ref (task->source.run);
  if (task->source.plot != NULL)
    goban_plot_ref (task->source.plot);
  if (task->source.values != NULL)
    goban_node_values_ref (task->source.values);
  if (source->lanes != NULL)
    {
      goban_own_lanes_set (&task->lanes, source->lanes);
      task->source.lanes = &task->lanes.lanes;
    }
  task->path = g_strdup (path);
  return goban_job_start ("Exporting", export_worker, task, task_free, g_free);
}
