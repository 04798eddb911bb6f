/* graph-paint.h: state of the graph painter, shared by its parts. */
#pragma once

#include "ui/draw/graph/graph-picture.h"
#include "ui/draw/graph/visible-items.h"
#include "ui/draw/pen.h"

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

/* The name as it fits into @width: whole in the style's size, or a smaller one that can be read,
 * else shortened. Sets the style's size. (transfer full) */
char *goban_painter_fit_name (const Painter *p, const char *name, double width,
                              GobanTextStyle *style);

/* Visible lines are found once, and painted band by band. */
void goban_painter_find_wires (const Painter *p, GobanVisibleItems *visible);
void goban_painter_paint_wires (const Painter *p, const GobanVisibleItems *visible, guint band);
/* Adds a line with the bounding box @box of its route. */
void goban_painter_add_line (const Painter *p, GobanVisibleItems *visible, guint32 id,
                             EdgePass pass, const float *box);
gboolean goban_painter_sees_wire (const Painter *p, guint w);

GobanStroke goban_painter_stroke (const Painter *p, double weight, gboolean is_control,
                                  EdgePass pass);
/* @points are in world coordinates, and are modified. */
void goban_painter_draw_points (const Painter *p, GobanPoint *points, guint n, gboolean has_head,
                                const GobanStroke *stroke);
void goban_painter_thin_distant (const Painter *p, const float *box, EdgePass pass,
                                 GobanStroke *stroke);
GobanStroke goban_painter_edge_stroke (const Painter *p, const GobanSceneEdge *edge, EdgePass pass);
void goban_painter_draw_edge (const Painter *p, const GobanSceneEdge *edge,
                              const GobanStroke *stroke);

/* Hulls and lanes lie under everything, heads and names over it. */
void goban_painter_draw_group (const Painter *p, guint v);
void goban_painter_label_group (const Painter *p, guint v);
void goban_painter_find_hulls (const Painter *p, GobanVisibleItems *visible);
void goban_painter_paint_hulls (const Painter *p, const GobanVisibleItems *visible, guint band);
void goban_painter_paint_heads (const Painter *p);
void goban_painter_paint_lanes (const Painter *p);
void goban_painter_label_lanes (const Painter *p);

/* graph-overlay.c: differences from another plan, if the picture shows them. */
gboolean goban_painter_leaves_out (const Painter *p, guint v);
guint8 *goban_painter_find_needed_wires (const Painter *p) G_GNUC_WARN_UNUSED_RESULT;
/* (nullable): the scene whose devices are drawn at the left of nodes. */
const GobanGraphScene *goban_painter_other (const Painter *p);
void goban_painter_veil_edges (const Painter *p);
/* Draws the ring below the node of that box. The other: whether the ring must be drawn over the
 * node's neighbours. */
void goban_painter_ring_change (const Painter *p, GobanBox box, guint v, double radius);
gboolean goban_painter_is_ringed (const Painter *p, guint v);
/* Bands of @width: the other's device at the left, the scene's at the right. */
void goban_painter_draw_halves (const Painter *p, GobanBox box, guint v, double width);
void goban_painter_paint_changes (const Painter *p);
/* The label of a node under a veil, of that share of the canvas, which can still be read. */
void goban_painter_label_veiled (const Painter *p, guint v, double veil);

/* Over the nodes. @states: as a picture's. */
void goban_painter_paint_moment (const Painter *p, const guint8 *states);
/* Over the nodes, those that the scene's step has changed. */
void goban_painter_paint_step (const Painter *p);
