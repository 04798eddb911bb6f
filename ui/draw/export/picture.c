#include "ui/draw/export/picture.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/study/analysis/node-list.h"
#include "ui/draw/timeline/compare-lanes.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>
#include <string.h>

/* --- pictures --------------------------------------------------------------------------------- */

void
goban_export_picture_free (GobanExportPicture *self)
{
  g_free (self->path);
  goban_cost_model_unref (self->costs);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->values, goban_node_values_unref);
  g_clear_pointer (&self->plot, goban_plot_unref);
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
  g_autoptr (GobanPlot) plot
      = self->plot != NULL ? goban_plot_ref (self->plot) : goban_plot_new (graph, &look, error);
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

static gboolean
write_as (const GobanExportPicture *self, const GobanExportOptions *options, const char *path,
          GError **error)
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
  return write_as (self, &self->options, self->path, error);
}

gpointer
goban_export_picture_run (const GobanProgress *progress, gpointer picture, GError **error)
{
  GobanExportPicture *self = picture;

  return goban_export_picture_write (self, progress, error) ? g_strdup (self->path) : NULL;
}

/* The same with other options and another path, and as an RGB24 image of the options' size
 * (transfer full). The picture is not changed. */
static cairo_surface_t *
draw_image (const GobanExportPicture *self, const GobanExportOptions *options, GError **error)
{
  Target target = { options, NULL, NULL };
  gboolean is_drawn = self->is_timeline ? draw_timeline (self, &target, error)
                                        : draw_graph (self, &target, error);

  return is_drawn ? target.image : NULL;
}

/* --- renderings: pictures that are drawn at any size ------------------------------------------ */

#define WIDTH 1000.0
#define TITLE_HEIGHT 30.0
#define PAD 10.0
/* Approximate size of lanes in an image, and of the space above them. */
#define PAIR_HEIGHT 64.0
#define HEAD_HEIGHT 76.0
#define GRAPH_HEIGHT 320.0
#define MIN_GAP_PARTS 200 /* of the longer run: shorter gaps are not marked */

struct _GobanRendering
{
  gatomicrefcount n_references;
  char *title;
  GobanExportPicture *picture; /* either this, */
  GobanRun *before;            /* or these */
  GobanRun *after;
};

GobanRendering *
goban_export_picture_to_rendering (GobanExportPicture *picture)
{
  GobanRendering *self = g_new0 (GobanRendering, 1);
  GobanGraph *graph = goban_cost_model_get_graph (picture->costs);
  const char *name
      = picture->run != NULL ? goban_run_get_name (picture->run) : goban_graph_get_name (graph);

  g_atomic_ref_count_init (&self->n_references);
  self->picture = picture;
  self->title = g_strdup_printf (picture->is_timeline ? "Timeline of %s" : "Graph of %s", name);
  return self;
}

GobanRendering *
goban_rendering_new_comparison (GobanRun *before, GobanRun *after)
{
  GobanRendering *self = g_new0 (GobanRendering, 1);

  g_atomic_ref_count_init (&self->n_references);
  self->before = goban_run_ref (before);
  self->after = goban_run_ref (after);
  self->title = g_strdup_printf ("Timeline of %s above %s", goban_run_get_name (before),
                                 goban_run_get_name (after));
  return self;
}

GobanRendering *
goban_rendering_ref (GobanRendering *self)
{
  g_atomic_ref_count_inc (&self->n_references);
  return self;
}

void
goban_rendering_unref (GobanRendering *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->n_references))
    return;
  g_clear_pointer (&self->picture, goban_export_picture_free);
  g_clear_pointer (&self->before, goban_run_unref);
  g_clear_pointer (&self->after, goban_run_unref);
  g_free (self->title);
  g_free (self);
}

const char *
goban_rendering_get_title (const GobanRendering *self)
{
  return self->title;
}

GobanRun *
goban_rendering_get_run (const GobanRendering *self)
{
  return self->picture != NULL ? self->picture->run : self->after;
}

double
goban_rendering_get_height (const GobanRendering *self)
{
  GobanRun *run = goban_rendering_get_run (self);
  guint n = run != NULL ? goban_cluster_get_n_devices (goban_run_get_cluster (run)) : 0;

  if (self->picture == NULL)
    return TITLE_HEIGHT + GOBAN_TIMELINE_AXIS + PAIR_HEIGHT * n;
  return self->picture->is_timeline ? HEAD_HEIGHT + GOBAN_TIMELINE_AXIS + GOBAN_BAR_PITCH * n
                                    : GRAPH_HEIGHT;
}

/* --- comparisons ------------------------------------------------------------------------------ */

typedef struct
{
  const GobanRendering *rendering;
  const GobanCompareLanes *lanes;
  double end_us;
  GobanTheme theme;
} Comparison;

static void
paint_comparison (gconstpointer data, GobanPen *pen, double ui_scale)
{
  const Comparison *comparison = data;
  double width = goban_pen_get_width (pen);
  const GobanColours *colours = goban_palette_get (comparison->theme);
  GobanTimelineStyle style = { .theme = comparison->theme, .ui_scale = ui_scale };
  GobanTimelinePicture picture
      = { .scene = comparison->lanes->scene,
          .camera = goban_time_camera_fit (0, comparison->end_us,
                                           goban_timeline_lanes_width (&style, width)),
          .style = style,
          .ghost = comparison->lanes->ghost };
  GobanTextStyle title = { 12 * ui_scale, TRUE, GOBAN_ALIGN_LEFT, colours->ink };
  double bottom = goban_pen_get_height (pen), top = bottom - TITLE_HEIGHT * ui_scale;
  g_autofree char *text
      = g_strdup_printf ("A: %s    B: %s", goban_run_get_name (comparison->rendering->before),
                         goban_run_get_name (comparison->rendering->after));

  goban_compare_lanes_paint (comparison->lanes, &picture, pen);
  goban_pen_rect (pen, (GobanBox){ 0, top, width, bottom }, colours->panel);
  goban_pen_text (pen, text, (GobanPoint){ PAD * ui_scale, (top + bottom) / 2 },
                  width - 2 * PAD * ui_scale, &title);
}

static GobanCompareLanes *
new_lanes (const GobanRendering *self, Comparison *comparison, GobanTheme theme)
{
  double end_us
      = MAX (goban_run_get_makespan_us (self->before), goban_run_get_makespan_us (self->after));
  GobanCompareLanes *lanes
      = goban_compare_lanes_new (goban_run_get_trace (self->before),
                                 goban_run_get_trace (self->after), end_us / MIN_GAP_PARTS);

  *comparison = (Comparison){ self, lanes, end_us, theme };
  return lanes;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static GobanExportOptions
options_of (const GobanRendering *self, const GobanPaintingOptions *size)
{
  GobanExportOptions options = self->picture->options;

  options.theme = size->theme;
  options.width = size->width;
  options.height = size->height;
  options.scale = size->scale;
  return options;
}

static cairo_surface_t *
draw_comparison (const GobanRendering *self, const GobanPaintingOptions *size)
{
  double scale = size->scale > 0 ? size->scale : 1;
  Comparison comparison;
  g_autoptr (GobanCompareLanes) lanes = new_lanes (self, &comparison, size->theme);
  GobanPainting painting = { .paint = paint_comparison,
                             .data = &comparison,
                             .width = size->width / scale,
                             .height = size->height / scale,
                             .scale = scale };

  return goban_painting_draw (&painting);
}

static cairo_surface_t *
draw_picture (const GobanRendering *self, const GobanPaintingOptions *size, GError **error)
{
  GobanExportOptions options = options_of (self, size);

  return draw_image (self->picture, &options, error);
}

cairo_surface_t *
goban_rendering_draw (const GobanRendering *self, const GobanPaintingOptions *size, GError **error)
{
  cairo_surface_t *image
      = self->picture != NULL ? draw_picture (self, size, error) : draw_comparison (self, size);
  cairo_status_t status = image != NULL ? cairo_surface_status (image) : CAIRO_STATUS_SUCCESS;

  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_clear_pointer (&image, cairo_surface_destroy);
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "a picture of %.0f x %.0f pixels cannot be drawn: %s", size->width,
                       size->height, cairo_status_to_string (status));
    }
  return image;
}

static gboolean
write_comparison (const GobanRendering *self, const GobanPaintingOptions *size, const char *path,
                  GError **error)
{
  Comparison comparison;
  g_autoptr (GobanCompareLanes) lanes = new_lanes (self, &comparison, size->theme);
  GobanTimelineStyle style = { .theme = size->theme, .ui_scale = 1 };
  double height = goban_timeline_height (lanes->scene, &style) + TITLE_HEIGHT;
  GobanPainting painting = { .paint = paint_comparison,
                             .data = &comparison,
                             .width = size->width > 0 ? size->width : WIDTH,
                             .height = size->height > 0 ? size->height : height,
                             .scale = size->scale > 0 ? size->scale : 2 };

  return goban_painting_write (&painting, path, error);
}

gboolean
goban_rendering_write (const GobanRendering *self, const GobanPaintingOptions *size,
                       const char *path, GError **error)
{
  GobanExportOptions options;

  if (self->picture == NULL)
    return write_comparison (self, size, path, error);
  options = options_of (self, size);
  return write_as (self->picture, &options, path, error);
}
