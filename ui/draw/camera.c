#include "ui/draw/camera.h"

#include <math.h>

GobanCamera
goban_camera_fit (GobanBox world, double width, double height, double margin, double max_scale)
{
  double w = world.x1 - world.x0;
  double h = world.y1 - world.y0;
  double room_w = MAX (width - 2 * margin, 1);
  double room_h = MAX (height - 2 * margin, 1);
  GobanCamera camera = { .scale = max_scale };

  if (w > 0)
    camera.scale = MIN (camera.scale, room_w / w);
  if (h > 0)
    camera.scale = MIN (camera.scale, room_h / h);
  goban_camera_centre (
      &camera, (GobanPoint){ (world.x0 + world.x1) / 2, (world.y0 + world.y1) / 2 }, width, height);
  return camera;
}

GobanCamera
goban_camera_blend (const GobanCamera *a, const GobanCamera *b, double t)
{
  return (GobanCamera){ a->scale * pow (b->scale / a->scale, t), a->x + (b->x - a->x) * t,
                        a->y + (b->y - a->y) * t };
}

GobanPoint
goban_camera_to_screen (const GobanCamera *self, GobanPoint world)
{
  return (GobanPoint){ world.x * self->scale + self->x, world.y * self->scale + self->y };
}

GobanPoint
goban_camera_to_world (const GobanCamera *self, GobanPoint screen)
{
  return (GobanPoint){ (screen.x - self->x) / self->scale, (screen.y - self->y) / self->scale };
}

GobanBox
goban_camera_box_to_screen (const GobanCamera *self, GobanBox world)
{
  GobanPoint a = goban_camera_to_screen (self, (GobanPoint){ world.x0, world.y0 });
  GobanPoint b = goban_camera_to_screen (self, (GobanPoint){ world.x1, world.y1 });

  return (GobanBox){ a.x, a.y, b.x, b.y };
}

GobanBox
goban_camera_box_to_world (const GobanCamera *self, GobanBox screen)
{
  GobanPoint a = goban_camera_to_world (self, (GobanPoint){ screen.x0, screen.y0 });
  GobanPoint b = goban_camera_to_world (self, (GobanPoint){ screen.x1, screen.y1 });

  return (GobanBox){ a.x, a.y, b.x, b.y };
}

void
goban_camera_zoom (GobanCamera *self, double factor, GobanPoint at)
{
  GobanPoint world = goban_camera_to_world (self, at);

  self->scale *= factor;
  self->x = at.x - world.x * self->scale;
  self->y = at.y - world.y * self->scale;
}

void
goban_camera_pan (GobanCamera *self, double dx, double dy)
{
  self->x += dx;
  self->y += dy;
}

void
goban_camera_centre (GobanCamera *self, GobanPoint world, double width, double height)
{
  self->x = width / 2 - world.x * self->scale;
  self->y = height / 2 - world.y * self->scale;
}

/* Range of an axis' offset in which @keep pixels of lo..hi (already scaled) are in 0..size. */
static double
clamp_offset (double offset, double lo, double hi, double size)
{
  double keep = MIN (size / 3, hi - lo);
  double least = keep - hi;
  double most = size - keep - lo;

  return offset < least ? least : offset > most ? most : offset;
}

void
goban_camera_clamp (GobanCamera *self, GobanBox world, double width, double height,
                    double max_scale)
{
  GobanPoint middle = { width / 2, height / 2 };
  double least = goban_camera_fit (world, width, height, 0, max_scale).scale / 2;

  if (self->scale < least)
    goban_camera_zoom (self, least / self->scale, middle);
  else if (self->scale > max_scale)
    goban_camera_zoom (self, max_scale / self->scale, middle);
  self->x = clamp_offset (self->x, world.x0 * self->scale, world.x1 * self->scale, width);
  self->y = clamp_offset (self->y, world.y0 * self->scale, world.y1 * self->scale, height);
}

GobanBox
goban_box_union (GobanBox a, GobanBox b)
{
  return (GobanBox){ MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1), MAX (a.y1, b.y1) };
}

gboolean
goban_box_intersects (GobanBox a, GobanBox b)
{
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}
