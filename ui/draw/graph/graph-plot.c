#include "ui/draw/graph/graph-plot.h"

#include "ui/draw/graph/graph-label.h"

/* Around a fitted graph, in design pixels: controls float above and below it. */
#define FIT_MARGIN 24.0
#define FIT_BAR 44.0
/* A lower board has no room to spare. */
#define LEAST_HEIGHT_WITH_BARS 200.0

static double
bar_height (double height, double ui)
{
  return (height >= LEAST_HEIGHT_WITH_BARS * ui ? FIT_BAR : FIT_MARGIN) * ui;
}

GobanCamera
goban_plot_fit (GobanBox bounds, double width, double height, double max_scale, double ui)
{
  double spare = bar_height (height, ui) - FIT_MARGIN * ui;
  GobanCamera camera
      = goban_camera_fit (bounds, width, height - 2 * spare, FIT_MARGIN * ui, max_scale * ui);

  camera.y += spare;
  return camera;
}

GobanBox
goban_plot_get_sight (double width, double height, double ui)
{
  double bar = bar_height (height, ui);

  return (GobanBox){ FIT_MARGIN * ui, bar, width - FIT_MARGIN * ui, height - bar };
}

static GobanSize
board_of (const GobanLook *look)
{
  return look->board.width > 0 && look->board.height > 0
             ? look->board
             : (GobanSize){ GOBAN_USUAL_WIDTH + (float) (2 * FIT_MARGIN),
                            GOBAN_USUAL_HEIGHT + (float) (2 * FIT_BAR) };
}

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
  GobanSize board = board_of (look);
  double bar = bar_height ((double) board.height, 1);
  GobanSize room = { MAX (board.width - (float) (2 * FIT_MARGIN), 1),
                     MAX (board.height - (float) (2 * bar), 1) };
  GobanLayoutOptions options = { kinds[look->arrangement], room, look->progress };
  const GobanOpSpan *ops = find_schedule (look);

  return ops != NULL ? lay_out_lanes (outline, look->trace, ops)
                     : goban_layout_new_for_outline (outline, &options, error);
}

static GobanPlot *
new_plot (GobanGraph *graph, const GobanLook *look, GobanHierarchy *hierarchy, GError **error)
{
  g_autoptr (GobanPlot) self = g_new0 (GobanPlot, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->hierarchy = hierarchy;
  self->outline = look->outline != NULL
                      ? goban_outline_ref (look->outline)
                      : goban_outline_new (graph, self->hierarchy, look->expanded, look->hidden);
  self->layout = lay_out (self->outline, look, error);
  return self->layout != NULL ? g_steal_pointer (&self) : NULL;
}

double
goban_plot_get_label_size (const GobanPlot *self, double scale)
{
  guint n_groups = self->outline->n_closed;

  return 2 * n_groups >= self->outline->n_items
             ? goban_label_size_of_group (GOBAN_GROUP_HEIGHT * scale)
             : goban_label_size_of_node (GOBAN_NODE_HEIGHT * scale);
}

/* Whether the boxes of so many nodes alone, beside each other, leave their labels readable. */
static gboolean
may_be_readable (guint n_nodes, GobanSize board)
{
  double scale = GOBAN_LEAST_READABLE / GOBAN_NODE_HEIGHT;

  return n_nodes * GOBAN_NODE_WIDTH * GOBAN_NODE_HEIGHT * scale * scale
         < (double) (board.width * board.height);
}

/* Whether labels are readable with the whole fitted into the board. */
static gboolean
is_readable (const GobanPlot *self, GobanSize board)
{
  GobanCamera camera
      = goban_plot_fit (self->layout->bounds, (double) board.width, (double) board.height, 1, 1);

  return goban_plot_get_label_size (self, camera.scale) >= GOBAN_READABLE_LABEL;
}

GobanPlot *
goban_plot_new (GobanGraph *graph, const GobanLook *look, GError **error)
{
  const GobanPlan *plan = look->trace != NULL ? goban_trace_get_plan (look->trace) : NULL;
  GobanSize board = board_of (look);

  if (look->hierarchy != NULL)
    return new_plot (graph, look, goban_hierarchy_ref (look->hierarchy), error);
  if (look->grouping == GOBAN_GROUPING_AUTO
      && may_be_readable (goban_graph_get_n_nodes (graph), board))
    {
      g_autoptr (GobanPlot) flat
          = new_plot (graph, look, goban_hierarchy_new (graph, GOBAN_GROUPING_NONE, NULL), error);

      if (flat == NULL || is_readable (flat, board))
        return g_steal_pointer (&flat);
    }
  return new_plot (graph, look, goban_hierarchy_new (graph, look->grouping, plan), error);
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
