#include "ui/draw/graph/graph-pick.h"

#include <math.h>
#include <stdlib.h>

/* Cells for about as many nodes as there are cells; each node is in the cell of its middle. */
struct _GobanPick
{
  gatomicrefcount ref_count;
  GobanLayout *layout;
  guint columns;
  guint rows;
  double cell_w;
  double cell_h;
  guint32 *first; /* (columns x rows + 1) */
  GobanNodeId *nodes;
};

/* A range of cells, both ends included; empty if x0 > x1. */
typedef struct
{
  guint x0, y0, x1, y1;
} Cells;

static guint
clamp_cell (double at, guint n)
{
  return at <= 0 ? 0 : (guint) MIN (at, n - 1);
}

/* Cells whose nodes' boxes may touch the box. */
static Cells
cells_of (const GobanPick *self, GobanBox box)
{
  GobanBox bounds = self->layout->bounds;
  double half_w = (double) self->layout->largest.width / 2;
  double half_h = (double) self->layout->largest.height / 2;

  return (Cells){ clamp_cell ((box.x0 - half_w - bounds.x0) / self->cell_w, self->columns),
                  clamp_cell ((box.y0 - half_h - bounds.y0) / self->cell_h, self->rows),
                  clamp_cell ((box.x1 + half_w - bounds.x0) / self->cell_w, self->columns),
                  clamp_cell ((box.y1 + half_h - bounds.y0) / self->cell_h, self->rows) };
}

static guint
cell_of (const GobanPick *self, guint node)
{
  GobanBox bounds = self->layout->bounds;
  guint x = clamp_cell (((double) self->layout->x[node] - bounds.x0) / self->cell_w, self->columns);
  guint y = clamp_cell (((double) self->layout->y[node] - bounds.y0) / self->cell_h, self->rows);

  return y * self->columns + x;
}

GobanPick *
goban_pick_new (GobanLayout *layout)
{
  GobanPick *self = g_new0 (GobanPick, 1);
  double w = layout->bounds.x1 - layout->bounds.x0 + 1;
  double h = layout->bounds.y1 - layout->bounds.y0 + 1;
  guint n = layout->n_nodes;
  double side = MAX (sqrt (w * h / MAX (n, 1)), GOBAN_NODE_WIDTH / 2);
  guint n_cells;

  g_atomic_ref_count_init (&self->ref_count);
  self->layout = goban_layout_ref (layout);
  /* A world that is a line in one direction must not have more cells than a few per node. */
  side = MAX (side, MAX (w, h) / (4.0 * n + 16));
  self->columns = (guint) (w / side) + 1;
  self->rows = (guint) (h / side) + 1;
  self->cell_w = w / self->columns;
  self->cell_h = h / self->rows;
  n_cells = self->columns * self->rows;
  self->first = g_new0 (guint32, (gsize) n_cells + 1);
  self->nodes = g_new (GobanNodeId, MAX (n, 1));
  for (guint v = 0; v < n; v++)
    self->first[cell_of (self, v) + 1]++;
  for (guint c = 0; c < n_cells; c++)
    self->first[c + 1] += self->first[c];
  for (guint v = 0; v < n; v++)
    self->nodes[self->first[cell_of (self, v)]++] = v;
  for (guint c = n_cells; c > 0; c--)
    self->first[c] = self->first[c - 1];
  self->first[0] = 0;
  return self;
}

GobanPick *
goban_pick_ref (GobanPick *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_pick_unref (GobanPick *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  goban_layout_unref (self->layout);
  g_free (self->first);
  g_free (self->nodes);
  g_free (self);
}

/* From a point to the nearest of a box, squared; 0 inside. */
static double
distance_squared (GobanBox box, GobanPoint at)
{
  double dx = MAX (MAX (box.x0 - at.x, at.x - box.x1), 0);
  double dy = MAX (MAX (box.y0 - at.y, at.y - box.y1), 0);

  return dx * dx + dy * dy;
}

GobanNodeId
goban_pick_at (const GobanPick *self, const GobanCamera *camera, GobanPoint screen, double reach_px)
{
  GobanPoint at = goban_camera_to_world (camera, screen);
  double reach = reach_px / camera->scale;
  Cells cells
      = cells_of (self, (GobanBox){ at.x - reach, at.y - reach, at.x + reach, at.y + reach });
  double nearest = reach * reach;
  GobanNodeId found = GOBAN_NO_NODE;

  for (guint y = cells.y0; y <= cells.y1; y++)
    for (guint x = cells.x0; x <= cells.x1; x++)
      {
        guint c = y * self->columns + x;

        for (guint i = self->first[c]; i < self->first[c + 1]; i++)
          {
            GobanNodeId v = self->nodes[i];
            double d = distance_squared (goban_layout_node_box (self->layout, v), at);

            if (d < nearest || (d == nearest && v < found))
              {
                nearest = d;
                found = v;
              }
          }
      }
  return found;
}

guint32
goban_pick_hull_at (const GobanPick *self, const GobanCamera *camera, GobanPoint screen)
{
  guint32 found = GOBAN_NO_ITEM;

  /* Inner hulls come after those around them. */
  for (guint h = 1; h < self->layout->n_hulls; h++)
    {
      GobanBox box = goban_camera_box_to_screen (camera, self->layout->hulls[h]);

      if (screen.x >= box.x0 && screen.x < box.x1 && screen.y >= box.y0 && screen.y < box.y1)
        found = h;
    }
  return found;
}

gboolean
goban_pick_is_on_head (const GobanPick *self, const GobanCamera *camera, guint32 hull,
                       GobanPoint screen, double least_px)
{
  GobanBox box = goban_camera_box_to_screen (camera, self->layout->hulls[hull]);
  double height = MAX (GOBAN_HEAD_HEIGHT * camera->scale, least_px);

  return screen.x >= box.x0 && screen.x < box.x1 && screen.y >= box.y0
         && screen.y < MIN (box.y0 + height, box.y1);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  GobanNodeId x = *(const GobanNodeId *) a;
  GobanNodeId y = *(const GobanNodeId *) b;

  return x < y ? -1 : x > y;
}

GobanNodeId *
goban_pick_inside (const GobanPick *self, GobanBox world, guint *n)
{
  Cells cells = cells_of (self, world);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (guint y = cells.y0; y <= cells.y1; y++)
    for (guint i = self->first[y * self->columns + cells.x0];
         i < self->first[y * self->columns + cells.x1 + 1]; i++)
      if (goban_box_intersects (goban_layout_node_box (self->layout, self->nodes[i]), world))
        g_array_append_val (found, self->nodes[i]);
  g_array_sort (found, compare_ids);
  *n = found->len;
  return (GobanNodeId *) (gpointer) g_array_free (found, FALSE);
}
