#include "ui/draw/lasso.h"

#include <math.h>

/* Bands for so many lines each, on the mean of a line that never turns back. */
#define LINES_A_BAND 2
#define MOST_BANDS 1024

struct _GobanLasso
{
  GArray *points; /* GobanPoint */
  GobanBox box;

  /* Lines by the bands they touch, made when the first question comes after a point. */
  guint n_bands; /* 0: not made */
  double band_h;
  guint32 *first; /* (n_bands + 1) into lines */
  guint32 *lines; /* line i is from point i to the next */
};

GobanLasso *
goban_lasso_new (void)
{
  GobanLasso *self = g_new0 (GobanLasso, 1);

  self->points = g_array_new (FALSE, FALSE, sizeof (GobanPoint));
  return self;
}

static void
drop_bands (GobanLasso *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->lines, g_free);
  self->n_bands = 0;
}

void
goban_lasso_free (GobanLasso *self)
{
  if (self == NULL)
    return;
  drop_bands (self);
  g_array_unref (self->points);
  g_free (self);
}

static GobanPoint
point (const GobanLasso *self, guint i)
{
  return g_array_index (self->points, GobanPoint, i == self->points->len ? 0 : i);
}

gboolean
goban_lasso_add (GobanLasso *self, GobanPoint at, double least)
{
  guint n = self->points->len;
  GobanBox dot = { at.x, at.y, at.x, at.y };

  if (n > 0 && hypot (at.x - point (self, n - 1).x, at.y - point (self, n - 1).y) < least)
    return FALSE;

  drop_bands (self);
  self->box = n > 0 ? goban_box_union (self->box, dot) : dot;
  g_array_append_val (self->points, at);
  return TRUE;
}

const GobanPoint *
goban_lasso_get_points (const GobanLasso *self, guint *n)
{
  *n = self->points->len;
  return (const GobanPoint *) (const void *) self->points->data;
}

GobanBox
goban_lasso_get_box (const GobanLasso *self)
{
  return self->box;
}

static guint
band_of (const GobanLasso *self, double y)
{
  double band = (y - self->box.y0) / self->band_h;

  return band <= 0 ? 0 : (guint) MIN (band, self->n_bands - 1);
}

static void
get_bands (const GobanLasso *self, guint line, guint *from, guint *to)
{
  GobanPoint a = point (self, line), b = point (self, line + 1);

  *from = band_of (self, MIN (a.y, b.y));
  *to = band_of (self, MAX (a.y, b.y));
}

static void
make_bands (GobanLasso *self)
{
  guint n = self->points->len;
  guint from, to;

  self->n_bands = CLAMP (n / LINES_A_BAND, 1, MOST_BANDS);
  self->band_h = MAX ((self->box.y1 - self->box.y0) / self->n_bands, 1e-9);
  self->first = g_new0 (guint32, self->n_bands + 1);
  for (guint i = 0; i < n; i++)
    for (get_bands (self, i, &from, &to); from <= to; from++)
      self->first[from + 1]++;
  for (guint b = 0; b < self->n_bands; b++)
    self->first[b + 1] += self->first[b];
  self->lines = g_new (guint32, MAX (self->first[self->n_bands], 1));
  for (guint i = 0; i < n; i++)
    for (get_bands (self, i, &from, &to); from <= to; from++)
      self->lines[self->first[from]++] = i;
  for (guint b = self->n_bands; b > 0; b--)
    self->first[b] = self->first[b - 1];
  self->first[0] = 0;
}

/* A line that crosses the ray from @at to the right: 1 upwards, -1 downwards, else 0. Each line has
 * its lower end and not its upper one, so that a corner at the height of @at counts once. */
static int
cross (GobanPoint a, GobanPoint b, GobanPoint at)
{
  double side;

  if ((a.y <= at.y) == (b.y <= at.y))
    return 0;
  side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
  if (a.y <= at.y)
    return side > 0 ? 1 : 0;
  return side < 0 ? -1 : 0;
}

gboolean
goban_lasso_contains (GobanLasso *self, GobanPoint at)
{
  int winding = 0;
  guint band;

  if (self->points->len < 3 || at.x < self->box.x0 || at.x > self->box.x1 || at.y < self->box.y0
      || at.y > self->box.y1)
    return FALSE;
  if (self->n_bands == 0)
    make_bands (self);

  band = band_of (self, at.y);
  for (guint i = self->first[band]; i < self->first[band + 1]; i++)
    winding += cross (point (self, self->lines[i]), point (self, self->lines[i] + 1), at);
  return winding != 0;
}
