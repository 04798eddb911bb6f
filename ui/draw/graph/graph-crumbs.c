#include "ui/draw/graph/graph-crumbs.h"

#include <math.h>

#define HEIGHT 24.0
/* A group that fills this share of the surface is the one in focus. */
#define MOST_OF_IT 0.8

guint32
goban_crumbs_find_hull (const GobanGraphPicture *picture, double width, double height)
{
  const GobanLayout *layout = picture->layout;
  guint32 found = 0;

  /* Inner hulls come after those around them. */
  for (guint h = 1; h < layout->n_hulls; h++)
    {
      GobanBox box = goban_camera_box_to_screen (&picture->camera, layout->hulls[h]);
      double seen_w = MIN (box.x1, width) - MAX (box.x0, 0);
      double seen_h = MIN (box.y1, height) - MAX (box.y0, 0);
      gboolean is_around = box.x0 <= width / 2 && box.x1 >= width / 2 && box.y0 <= height / 2
                           && box.y1 >= height / 2;

      if (is_around && (box.y0 < 0 || seen_w * seen_h >= MOST_OF_IT * width * height))
        found = h;
    }
  return found;
}

static const char *
name_of (const GobanGraphScene *scene, guint32 hull)
{
  return hull == 0 ? scene->title : scene->groups.hulls[hull].name;
}

void
goban_crumbs_paint (const GobanGraphPicture *picture, guint32 hull, GobanPen *pen,
                    GobanCrumbs *crumbs)
{
  const GobanGraphScene *scene = picture->scene;
  const GobanColours *colours = goban_palette_get (picture->style.theme);
  double ui = picture->style.ui_scale > 0 ? picture->style.ui_scale : 1;
  GobanTextStyle style = { 12 * ui, FALSE, GOBAN_ALIGN_LEFT, colours->muted };
  double width = goban_pen_get_width (pen);
  double arrow_w = goban_pen_text_width (pen, "›", &style);
  double x = 10 * ui;
  guint32 way[GOBAN_MAX_CRUMBS];
  guint n = 0;

  for (guint32 h = hull; n < GOBAN_MAX_CRUMBS - 1 && h != 0; h = scene->outline->hulls[h].parent)
    way[n++] = h;
  way[n++] = 0;
  goban_pen_tint (pen, (GobanBox){ 0, 0, width, HEIGHT * ui }, colours->panel, 235);
  goban_pen_rect (pen, (GobanBox){ 0, HEIGHT * ui, width, HEIGHT * ui + ui }, colours->rule);
  crumbs->n = 0;
  for (guint i = n; i-- > 0;)
    {
      double name_w;

      style.bold = i == 0;
      style.rgb = i == 0 ? colours->ink : colours->muted;
      name_w = goban_pen_text_width (pen, name_of (scene, way[i]), &style);
      goban_pen_text (pen, name_of (scene, way[i]), (GobanPoint){ x, HEIGHT / 2 * ui }, 0, &style);
      crumbs->each[crumbs->n].hull = way[i];
      crumbs->each[crumbs->n++].box = (GobanBox){ x - 4 * ui, 0, x + name_w + 4 * ui, HEIGHT * ui };
      x += name_w + 8 * ui;
      style.bold = FALSE;
      style.rgb = colours->muted;
      if (i > 0)
        goban_pen_text (pen, "›", (GobanPoint){ x, HEIGHT / 2 * ui }, 0, &style);
      x += arrow_w + 8 * ui;
    }
}

guint32
goban_crumbs_at (const GobanCrumbs *crumbs, GobanPoint at)
{
  for (guint i = 0; i < crumbs->n; i++)
    {
      GobanBox box = crumbs->each[i].box;

      if (at.x >= box.x0 && at.x < box.x1 && at.y >= box.y0 && at.y < box.y1)
        return crumbs->each[i].hull;
    }
  return GOBAN_NO_ITEM;
}
