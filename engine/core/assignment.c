#include "engine/core/assignment.h"

#include <math.h>

#define NOBODY G_MAXUINT32

/* Reduced costs are -gain - row_price - column_price: at least 0, and 0 for chosen pairs. */
typedef struct
{
  const double *gains;
  guint n;
  double *row_price;    /* (n) */
  double *column_price; /* (n) */
  guint32 *row_of;      /* (n) of a column, or NOBODY */
  guint32 *column_of;   /* (n) of a row */
  double *distance;     /* (n) of a column from the row that is being placed */
  guint32 *came_from;   /* (n) row before the column on the shortest path */
  guint8 *is_done;      /* (n) */
} Solver;

static guint32
find_nearest (const Solver *self)
{
  guint32 nearest = NOBODY;

  for (guint32 c = 0; c < self->n; c++)
    if (!self->is_done[c] && (nearest == NOBODY || self->distance[c] < self->distance[nearest]))
      nearest = c;
  return nearest;
}

static void
scan_row (Solver *self, guint32 row, double so_far)
{
  for (guint32 c = 0; c < self->n; c++)
    {
      double cost
          = -self->gains[(gsize) row * self->n + c] - self->row_price[row] - self->column_price[c];

      if (self->is_done[c] || so_far + cost >= self->distance[c])
        continue;
      self->distance[c] = so_far + cost;
      self->came_from[c] = row;
    }
}

static void
place_row (Solver *self, guint32 row)
{
  guint32 column;

  for (guint32 c = 0; c < self->n; c++)
    {
      self->distance[c] = INFINITY;
      self->is_done[c] = FALSE;
    }
  scan_row (self, row, 0);
  for (column = find_nearest (self); self->row_of[column] != NOBODY; column = find_nearest (self))
    {
      self->is_done[column] = TRUE;
      scan_row (self, self->row_of[column], self->distance[column]);
    }

  /* Keeps reduced costs of the visited pairs at 0 after the path has been reversed. */
  double length = self->distance[column];

  self->row_price[row] += length;
  for (guint32 c = 0; c < self->n; c++)
    if (self->is_done[c] && self->row_of[c] != NOBODY)
      {
        self->column_price[c] += self->distance[c] - length;
        self->row_price[self->row_of[c]] += length - self->distance[c];
      }

  for (;;)
    {
      guint32 taker = self->came_from[column];
      guint32 freed = self->column_of[taker];

      self->row_of[column] = taker;
      self->column_of[taker] = column;
      if (taker == row)
        return;
      column = freed;
    }
}

double
goban_assignment_solve (const double *gains, guint n, guint32 *column_of)
{
  g_autofree double *row_price = g_new0 (double, (gsize) n + 1);
  g_autofree double *column_price = g_new0 (double, (gsize) n + 1);
  g_autofree double *distance = g_new (double, (gsize) n + 1);
  g_autofree guint32 *row_of = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *came_from = g_new (guint32, (gsize) n + 1);
  g_autofree guint8 *is_done = g_new (guint8, (gsize) n + 1);
  Solver solver
      = { gains, n, row_price, column_price, row_of, column_of, distance, came_from, is_done };
  double sum = 0;

  for (guint32 i = 0; i < n; i++)
    row_of[i] = column_of[i] = NOBODY;
  /* Begin with prices for which no reduced cost is negative. */
  for (guint32 r = 0; r < n; r++)
    {
      row_price[r] = INFINITY;
      for (guint32 c = 0; c < n; c++)
        row_price[r] = fmin (row_price[r], -gains[(gsize) r * n + c]);
    }
  for (guint32 r = 0; r < n; r++)
    place_row (&solver, r);
  for (guint32 r = 0; r < n; r++)
    sum += gains[(gsize) r * n + column_of[r]];
  return sum;
}
