/* graph-paint.h: state of the graph painter, shared by its parts. */
#pragma once

#include "ui/draw/graph/graph-picture.h"
#include "ui/draw/graph/visible-items.h"
#include "ui/draw/pen.h"

G_BEGIN_DECLS

typedef enum
{
  DETAIL_PIXELS,
  DETAIL_RECTS,
  DETAIL_CURVES,
  DETAIL_FULL,
} Detail;

/* The edges of each paint pass, from bottom to top. */
typedef enum
{
  EDGES_LOCAL,
  EDGES_CUT,
  EDGES_CRITICAL,
  N_EDGE_PASSES
} EdgePass;

/* Colours of nodes in a theme. */
typedef struct
{
  GobanRgb devices[GOBAN_MAX_DEVICES];
  GobanRgb ramp[256];
  GobanRgb families[GOBAN_N_FAMILIES];
  GobanRgb unknown; /* of a node without a value */
} Inks;

typedef struct
{
  const GobanGraphPicture *picture;
  const GobanGraphScene *scene;
  const GobanLayout *layout;
  const GobanColours *colours;
  GobanPen *pen;
  GobanRaster *raster; /* NULL for a vector pen */
  GobanFill mode;
  Detail detail;
  double scale; /* of the camera */
  double ui;    /* device pixels per design pixel */
  double node_w;
  double node_h;
  double half_w; /* of the largest box, in world units */
  double half_h;
  GobanBox view; /* visible part of the world, within the clip */
  /* visible part of the world in the whole picture: labels agree on it from tile to tile */
  GobanBox whole;
  GobanBands bands;
  /* (n_nodes) packed for random access by edges; NULL if edges store their devices */
  guint16 *devices_of;
  Inks inks;
  guint8 *needed_wires; /* (nullable) (wires of the layout) those that are drawn; NULL: all */
} Painter;

static inline GobanBox
grow (GobanBox box, double by)
{
  return (GobanBox){ box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by };
}

/* Position on the surface, like goban_camera_to_screen(), but inlined, because it is called for
 * every point of every edge. */
static inline GobanPoint
goban_painter_place (const Painter *p, double x, double y)
{
  const GobanCamera *camera = &p->picture->camera;

  return (GobanPoint){ x * camera->scale + camera->x, y * camera->scale + camera->y };
}

/* Whether the flags of a node or an edge mark it as critical and this is shown. */
static inline gboolean
goban_painter_is_critical (const Painter *p, guint8 flags)
{
  return p->picture->style.show_critical && (flags & GOBAN_EDGE_CRITICAL) != 0;
}

/* Initialises the state shared by a picture's parts; goban_painter_finish() frees @p, too. */
void goban_painter_start (Painter *p, const GobanGraphPicture *picture, GobanPen *pen);
void goban_painter_finish (Painter *p);

/* The effective fill: @fill, or another one if the scene has no data for it. */
GobanFill goban_graph_shown_fill (const GobanGraphScene *scene, GobanFill fill);

/* Whether a line's route (bounding box: least x and y, greatest x and y), or a node's box within
 * @margin world units, reaches the clip. */
gboolean goban_painter_sees_line (const Painter *p, const float *box);
gboolean goban_painter_sees_edge (const Painter *p, guint e);
gboolean goban_painter_sees_node (const Painter *p, guint v, double margin);

/* On the surface; whole pixels over an image. */
GobanBox goban_painter_node_box (const Painter *p, guint v);

GobanRgb goban_painter_node_colour (const Painter *p, guint v);

/* A frame of dashes on the inside of a box: of what has no device yet. */
void goban_painter_dash (const Painter *p, GobanBox box);

/* The name as it fits into @width: whole in the style's size, or a smaller one that can be read,
 * else shortened. Sets the style's size. (transfer full) */
char *goban_painter_fit_name (const Painter *p, const char *name, double width,
                              GobanTextStyle *style);

G_END_DECLS
