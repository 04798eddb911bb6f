/* graph-crumbs.h: breadcrumbs at the top of a graph: the open groups that enclose the visible
 * part. */
#pragma once

#include "ui/draw/graph-painter.h"

G_BEGIN_DECLS

#define GOBAN_MAX_CRUMBS 32

typedef struct
{
  struct
  {
    guint32 hull; /* 0: the whole graph */
    GobanBox box; /* on the surface */
  } each[GOBAN_MAX_CRUMBS];
  guint n;
} GobanCrumbs;

/* The innermost open group that one is inside of: it fills the surface, or its head is out of sight
 * above. 0 if it is none but the whole graph. */
guint32 goban_crumbs_find_hull (const GobanGraphPicture *picture, double width, double height);

/* Draws the line for @hull, and says in @crumbs where each name is. */
void goban_crumbs_paint (const GobanGraphPicture *picture, guint32 hull, GobanPen *pen,
                         GobanCrumbs *crumbs);

/* The hull whose name is at a point; GOBAN_NO_ITEM if there is none. */
guint32 goban_crumbs_at (const GobanCrumbs *crumbs, GobanPoint at);

G_END_DECLS
