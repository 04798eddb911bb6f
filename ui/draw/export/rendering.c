#include "ui/draw/export/rendering.h"

#include "engine/core/error.h"
#include "ui/draw/export/picture.h"
#include "ui/draw/timeline/compare-lanes.h"
#include "ui/draw/timeline/timeline-scene.h"

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

  return goban_export_picture_draw (self->picture, &options, error);
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
  return goban_export_picture_write_as (self->picture, &options, path, error);
}
