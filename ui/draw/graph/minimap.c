#include "ui/draw/graph/minimap.h"

#include <math.h>

#define MARGIN 5.0
/* A frame of less could be neither seen nor grasped. */
#define LEAST_FRAME 6.0

GobanMinimap
goban_minimap_new (GobanBox world, double max_width, double max_height)
{
  double w = MAX (world.x1 - world.x0, 1);
  double h = MAX (world.y1 - world.y0, 1);
  double scale = MIN ((max_width - 2 * MARGIN) / w, (max_height - 2 * MARGIN) / h);
  GobanMinimap self;

  self.width = MAX (ceil (w * scale + 2 * MARGIN), 4 * MARGIN);
  self.height = MAX (ceil (h * scale + 2 * MARGIN), 4 * MARGIN);
  self.camera = goban_camera_fit (world, self.width, self.height, MARGIN, scale);
  return self;
}

gboolean
goban_minimap_is_needed (GobanBox world, const GobanCamera *camera, GobanBox view)
{
  GobanBox seen = goban_camera_box_to_world (camera, view);

  return seen.x0 > world.x0 || seen.y0 > world.y0 || seen.x1 < world.x1 || seen.y1 < world.y1;
}

/* @from and @to within 0..@size, and at least @least apart. */
static void
clamp_span (double *from, double *to, double size, double least)
{
  double middle;

  *from = CLAMP (*from, 0, size);
  *to = CLAMP (*to, 0, size);
  if (*to - *from >= least)
    return;

  middle = CLAMP ((*from + *to) / 2, least / 2, size - least / 2);
  *from = middle - least / 2;
  *to = middle + least / 2;
}

GobanBox
goban_minimap_view_box (const GobanMinimap *self, const GobanCamera *camera, GobanBox view)
{
  GobanBox box
      = goban_camera_box_to_screen (&self->camera, goban_camera_box_to_world (camera, view));

  clamp_span (&box.x0, &box.x1, self->width, LEAST_FRAME);
  clamp_span (&box.y0, &box.y1, self->height, LEAST_FRAME);
  return box;
}

void
goban_minimap_paint (const GobanMinimap *self, const GobanGraphPicture *picture, GobanPen *pen)
{
  GobanGraphPicture small = *picture;

  small.camera = self->camera;
  goban_graph_paint (&small, pen);
}

void
goban_minimap_paint_view (const GobanMinimap *self, const GobanCamera *camera, GobanBox view,
                          GobanTheme theme, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (theme);
  GobanBox box = goban_minimap_view_box (self, camera, view);
  GobanBox frame = { floor (box.x0), floor (box.y0), ceil (box.x1), ceil (box.y1) };
  const GobanBox veils[] = { { 0, 0, self->width, frame.y0 },
                             { 0, frame.y1, self->width, self->height },
                             { 0, frame.y0, frame.x0, frame.y1 },
                             { frame.x1, frame.y0, self->width, frame.y1 } };

  for (guint i = 0; i < G_N_ELEMENTS (veils); i++)
    if (veils[i].x1 > veils[i].x0 && veils[i].y1 > veils[i].y0)
      goban_pen_tint (pen, veils[i], colours->canvas, GOBAN_OPAQUE * 3 / 8);
  goban_pen_frame (pen, frame, 2, colours->selection);
  goban_pen_frame (pen, (GobanBox){ 0, 0, self->width, self->height }, 1, colours->edge);
}
