#include "ui/draw/graph/graph-plot.h"

static const GobanOpSpan *
find_schedule (const GobanLook *look)
{
  return look->arrangement == GOBAN_ARRANGE_LANES && look->trace != NULL
             ? goban_trace_get_ops (look->trace)
             : NULL;
}

static GobanLayout *
lay_out_lanes (const GobanOutline *outline, GobanTrace *trace, const GobanOpSpan *ops)
{
  GobanPlan *plan = goban_trace_get_plan (trace);
  guint n = goban_graph_get_n_nodes (outline->graph);
  g_autofree double *start_us = g_new (double, MAX (n, 1));
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, MAX (n, 1));
  GobanLanesInput input
      = { start_us, devices, goban_trace_get_makespan (trace), goban_plan_get_n_devices (plan) };

  for (guint v = 0; v < n; v++)
    {
      start_us[v] = ops[v].start_us;
      devices[v] = goban_plan_get_device (plan, v);
    }
  return goban_layout_new_lanes (outline, &input);
}

static GobanLayout *
lay_out (GobanOutline *outline, const GobanLook *look, GError **error)
{
  static const GobanLayoutKind kinds[GOBAN_N_ARRANGEMENTS] = {
    [GOBAN_ARRANGE_LAYERED] = GOBAN_LAYOUT_LAYERED,
    [GOBAN_ARRANGE_WRAPPED] = GOBAN_LAYOUT_WRAPPED,
  };
  GobanLayoutOptions options = { kinds[look->arrangement], look->aspect, look->progress };
  const GobanOpSpan *ops = find_schedule (look);

  return ops != NULL ? lay_out_lanes (outline, look->trace, ops)
                     : goban_layout_new_for_outline (outline, &options, error);
}

GobanPlot *
goban_plot_new (GobanGraph *graph, const GobanLook *look, GError **error)
{
  const GobanPlan *plan = look->trace != NULL ? goban_trace_get_plan (look->trace) : NULL;
  g_autoptr (GobanPlot) self = g_new0 (GobanPlot, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->hierarchy = look->hierarchy != NULL ? goban_hierarchy_ref (look->hierarchy)
                                            : goban_hierarchy_new (graph, look->grouping, plan);
  self->outline = look->outline != NULL
                      ? goban_outline_ref (look->outline)
                      : goban_outline_new (graph, self->hierarchy, look->expanded, look->hidden);
  self->layout = lay_out (self->outline, look, error);
  return self->layout != NULL ? g_steal_pointer (&self) : NULL;
}

GobanPlot *
goban_plot_ref (GobanPlot *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_plot_unref (GobanPlot *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->layout, goban_layout_unref);
  g_clear_pointer (&self->outline, goban_outline_unref);
  g_clear_pointer (&self->hierarchy, goban_hierarchy_unref);
  g_free (self);
}

GobanGraphScene *
goban_plot_new_scene (const GobanPlot *self, const GobanGraphScene *base)
{
  GobanGraphScene *scene;

  if (self->outline->is_whole)
    return goban_graph_scene_copy (base);
  scene = goban_graph_scene_new_outlined (base, self->outline);
  goban_graph_scene_wire (scene, self->layout);
  return scene;
}

GobanGraphScene *
goban_plot_take_scene (const GobanPlot *self, GobanGraphScene *base)
{
  GobanGraphScene *scene;

  if (self->outline->is_whole)
    return base;
  scene = goban_plot_new_scene (self, base);
  goban_graph_scene_free (base);
  return scene;
}
