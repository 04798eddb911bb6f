/* graph-crumbs.h: breadcrumbs at the top of a graph: the open groups that enclose the visible
 * part. */
#pragma once

#include "ui/draw/graph/graph-painter.h"

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

/* The innermost open group that encloses the view: it fills the surface, or its header is above the
 * surface. 0 if that is only the whole graph. */
guint32 goban_crumbs_find_hull (const GobanGraphPicture *picture, double width, double height);

/* Draws the breadcrumbs of @hull, and stores the positions of the names in @crumbs. */
void goban_crumbs_paint (const GobanGraphPicture *picture, guint32 hull, GobanPen *pen,
                         GobanCrumbs *crumbs);

/* The hull whose name is at a point; GOBAN_NO_ITEM if there is none. */
guint32 goban_crumbs_at (const GobanCrumbs *crumbs, GobanPoint at);

G_END_DECLS
