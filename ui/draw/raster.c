#include "ui/draw/raster.h"

#include <math.h>
#include <wchar.h>

/* Lines are first cut to this square in doubles, the same whatever the clip, so that their
 * 32.32 fixed-point steps cannot overflow. */
#define REACH 1048576.0
#define ONE (G_GINT64_CONSTANT (1) << 32)
/* Wider curves, as in enlarged pictures, show the joints of straight pieces. */
#define MOST_QUICK_WIDTH 6.0
#define MOST_PIECES 64

typedef struct
{
  double x0, y0, x1, y1;
} Segment;

void
goban_raster_init (GobanRaster *self, cairo_surface_t *surface, int left, int top)
{
  g_return_if_fail (cairo_image_surface_get_format (surface) == CAIRO_FORMAT_RGB24);

  cairo_surface_flush (surface);
  self->pixels = (guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  self->stride = cairo_image_surface_get_stride (surface) / (int) sizeof (guint32);
  self->left = left;
  self->top = top;
  self->width = cairo_image_surface_get_width (surface);
  self->height = cairo_image_surface_get_height (surface);
  goban_raster_clip (self, left, top, self->width, self->height);
}

void
goban_raster_clip (GobanRaster *self, int x, int y, int width, int height)
{
  self->x0 = CLAMP (x, self->left, self->left + self->width);
  self->y0 = CLAMP (y, self->top, self->top + self->height);
  self->x1 = CLAMP (x + width, self->x0, self->left + self->width);
  self->y1 = CLAMP (y + height, self->y0, self->top + self->height);
}

/* The pixel at coordinates within the clip. */
static inline guint32 *
pixel_at (const GobanRaster *self, int x, int y)
{
  return self->pixels + (gsize) (y - self->top) * (gsize) self->stride + (x - self->left);
}

/* Red and blue are mixed in one multiplication, green in another. */
static inline guint32
blend (guint32 under, guint32 over, guint alpha)
{
  guint32 rb = under & 0xff00ff;
  guint32 g = under & 0x00ff00;

  rb += (((over & 0xff00ff) - rb) * alpha) >> 8;
  g += (((over & 0x00ff00) - g) * alpha) >> 8;
  return (rb & 0xff00ff) | (g & 0x00ff00);
}

/* FALSE if nothing of the rectangle is inside the clip. */
static gboolean
clip_rect (const GobanRaster *self, int *x, int *y, int *width, int *height)
{
  gint64 x1 = MIN ((gint64) *x + *width, self->x1);
  gint64 y1 = MIN ((gint64) *y + *height, self->y1);

  *x = MAX (*x, self->x0);
  *y = MAX (*y, self->y0);
  *width = (int) MAX (x1 - *x, 0);
  *height = (int) MAX (y1 - *y, 0);
  return *width > 0 && *height > 0;
}

/* Half of a frame's writes are wide rows of one colour, and the C library has the processor's
 * widest stores. */
static inline void
fill_row (guint32 *row, int n, GobanRgb rgb)
{
  G_STATIC_ASSERT (sizeof (wchar_t) == sizeof (guint32));

  if (n >= 16)
    wmemset ((wchar_t *) (gpointer) row, (wchar_t) rgb, (gsize) n);
  else
    for (int i = 0; i < n; i++)
      row[i] = rgb;
}

void
goban_raster_rect (GobanRaster *self, int x, int y, int width, int height, GobanRgb rgb)
{
  guint32 *row;

  if (!clip_rect (self, &x, &y, &width, &height))
    return;
  row = pixel_at (self, x, y);
  for (int j = 0; j < height; j++, row += self->stride)
    fill_row (row, width, rgb);
}

void
goban_raster_tint (GobanRaster *self, int x, int y, int width, int height, GobanRgb rgb,
                   guint alpha)
{
  guint32 *row;

  if (!clip_rect (self, &x, &y, &width, &height))
    return;
  row = pixel_at (self, x, y);
  for (int j = 0; j < height; j++, row += self->stride)
    for (int i = 0; i < width; i++)
      row[i] = blend (row[i], rgb, alpha);
}

static inline void
plot (GobanRaster *self, int x, int y, GobanRgb rgb, guint alpha)
{
  guint32 *pixel;

  if (x < self->x0 || x >= self->x1 || y < self->y0 || y >= self->y1 || alpha == 0)
    return;
  pixel = pixel_at (self, x, y);
  *pixel = blend (*pixel, rgb, alpha);
}

/* Pixels left free at either end of the row whose middle is @from_edge away from the top or
 * bottom. */
static double
corner_inset (double radius, double from_edge)
{
  double rise = radius - from_edge;

  return rise <= 0 ? 0 : radius - sqrt (MAX (radius * radius - rise * rise, 0));
}

void
goban_raster_round_rect (GobanRaster *self, int x, int y, int width, int height, double radius,
                         GobanRgb rgb)
{
  radius = MIN (radius, MIN (width, height) / 2.0);
  if (radius < 0.5)
    {
      goban_raster_rect (self, x, y, width, height, rgb);
      return;
    }
  for (int j = MAX (0, self->y0 - y); j < MIN (height, self->y1 - y); j++)
    {
      double inset = corner_inset (radius, MIN (j, height - 1 - j) + 0.5);
      int whole = (int) inset;
      guint alpha = (guint) ((1 - (inset - whole)) * GOBAN_OPAQUE);

      if (inset > 0)
        {
          plot (self, x + whole, y + j, rgb, alpha);
          plot (self, x + width - 1 - whole, y + j, rgb, alpha);
          whole++;
        }
      goban_raster_rect (self, x + whole, y + j, width - 2 * whole, 1, rgb);
    }
}

void
goban_raster_hatch (GobanRaster *self, int x, int y, int width, int height, GobanCue cue,
                    GobanRgb rgb, int scale)
{
  const guint8 *bits = goban_palette_cue_bits (cue);
  int from_x = x;
  int from_y = y;

  if (cue == GOBAN_CUE_SOLID || scale < 1 || !clip_rect (self, &x, &y, &width, &height))
    return;
  for (int j = y; j < y + height; j++)
    {
      guint32 *row = pixel_at (self, x, j);
      guint8 pattern = bits[(j - from_y) / scale & 7];

      if (pattern == 0)
        continue;
      for (int i = x; i < x + width; i++)
        if (pattern & (0x80 >> ((i - from_x) / scale & 7)))
          row[i - x] = rgb;
    }
}

/* One border of Liang and Barsky's cut; FALSE if nothing is left. */
static gboolean
cut (double direction, double distance, double *t0, double *t1)
{
  double t;

  if (direction == 0)
    return distance >= 0;
  t = distance / direction;
  if (direction < 0)
    *t0 = MAX (*t0, t);
  else
    *t1 = MIN (*t1, t);
  return *t0 <= *t1;
}

static inline gboolean
limit_segment (Segment *s)
{
  double dx = s->x1 - s->x0;
  double dy = s->y1 - s->y0;
  double t0 = 0;
  double t1 = 1;
  Segment whole = *s;

  if (fabs (s->x0) <= REACH && fabs (s->y0) <= REACH && fabs (s->x1) <= REACH
      && fabs (s->y1) <= REACH)
    return TRUE;
  if (!isfinite (dx) || !isfinite (dy))
    return FALSE;
  if (!cut (-dx, s->x0 + REACH, &t0, &t1) || !cut (dx, REACH - s->x0, &t0, &t1)
      || !cut (-dy, s->y0 + REACH, &t0, &t1) || !cut (dy, REACH - s->y0, &t0, &t1))
    return FALSE;
  s->x0 = CLAMP (whole.x0 + t0 * dx, -REACH, REACH);
  s->y0 = CLAMP (whole.y0 + t0 * dy, -REACH, REACH);
  s->x1 = CLAMP (whole.x0 + t1 * dx, -REACH, REACH);
  s->y1 = CLAMP (whole.y0 + t1 * dy, -REACH, REACH);
  return TRUE;
}

static inline gboolean
is_outside (const GobanRaster *self, const Segment *s, double margin)
{
  return MAX (s->x0, s->x1) < self->x0 - margin || MIN (s->x0, s->x1) >= self->x1 + margin
         || MAX (s->y0, s->y1) < self->y0 - margin || MIN (s->y0, s->y1) >= self->y1 + margin;
}

/* The cell that holds a coordinate; floor() without its call. */
static inline int
cell (double v)
{
  int i = (int) v;

  return i - (v < i);
}

/* A walk along the longer axis u, one pixel a step, v the other axis: pixels p[i * du + j * dv]. */
typedef struct
{
  gint64 v;    /* at the middle of the first column, 32.32 */
  gint64 step; /* of v per column */
  int first;   /* columns, within the clip */
  int last;    /* included */
  int v0, v1;  /* the clip across */
  int u_from;  /* the surface's first pixel */
  int v_from;
  gsize du, dv; /* pixel strides */
  double slope;
} Walk;

/* @whole_ends: columns that the ends touch; otherwise columns whose middle lies in [u0, u1). */
static inline gboolean
start_walk (const GobanRaster *self, const Segment *s, gboolean whole_ends, Walk *walk)
{
  gboolean flat = fabs (s->x1 - s->x0) >= fabs (s->y1 - s->y0);
  double u0 = flat ? s->x0 : s->y0;
  double u1 = flat ? s->x1 : s->y1;
  double v0 = flat ? s->y0 : s->x0;
  double v1 = flat ? s->y1 : s->x1;
  double slope = u1 == u0 ? 0 : (v1 - v0) / (u1 - u0);
  int from;

  if (u0 > u1)
    {
      double u = u0;

      u0 = u1;
      u1 = u;
      v0 = v1;
    }
  from = whole_ends ? cell (u0) : -cell (-(u0 - 0.5));
  walk->first = MAX (from, flat ? self->x0 : self->y0);
  walk->last = whole_ends ? cell (u1) : -cell (-(u1 - 0.5)) - 1;
  walk->last = MIN (walk->last, (flat ? self->x1 : self->y1) - 1);
  if (walk->first > walk->last)
    return FALSE;
  walk->step = (gint64) (slope * ONE);
  walk->v = (gint64) ((v0 + slope * (from + 0.5 - u0)) * ONE) + walk->step * (walk->first - from);
  walk->v0 = flat ? self->y0 : self->x0;
  walk->v1 = flat ? self->y1 : self->x1;
  walk->u_from = flat ? self->left : self->top;
  walk->v_from = flat ? self->top : self->left;
  walk->du = flat ? 1 : (gsize) self->stride;
  walk->dv = flat ? (gsize) self->stride : 1;
  walk->slope = slope;
  return TRUE;
}

static inline gint64
divide_up (gint64 a, gint64 b)
{
  return a / b + (a % b > 0);
}

/* Cuts off the steps at which v is not in [least, most]; FALSE if nothing is left. */
static inline gboolean
cut_across (Walk *walk, gint64 least, gint64 most)
{
  gint64 n = walk->last - walk->first;
  gint64 end = walk->v + walk->step * n;
  gint64 from = 0;
  gint64 to = n;

  if (MIN (walk->v, end) >= least && MAX (walk->v, end) <= most)
    return TRUE;
  if (MAX (walk->v, end) < least || MIN (walk->v, end) > most)
    return FALSE;
  /* It crosses a border, so it is not level. */
  if (walk->step > 0)
    {
      from = walk->v < least ? divide_up (least - walk->v, walk->step) : 0;
      to = end > most ? (most - walk->v) / walk->step : n;
    }
  else
    {
      from = walk->v > most ? divide_up (walk->v - most, -walk->step) : 0;
      to = end < least ? (walk->v - least) / -walk->step : n;
    }
  walk->last = walk->first + (int) to;
  walk->first += (int) from;
  walk->v += walk->step * from;
  return walk->first <= walk->last;
}

void
goban_raster_line (GobanRaster *self, double x0, double y0, double x1, double y1,
                   const GobanStroke *stroke)
{
  Segment s = { x0, y0, x1, y1 };
  Walk walk;
  guint32 *column;

  if (!limit_segment (&s) || is_outside (self, &s, 1) || !start_walk (self, &s, TRUE, &walk)
      || !cut_across (&walk, (gint64) walk.v0 << 32, ((gint64) walk.v1 << 32) - 1))
    return;
  column = self->pixels + walk.du * (gsize) (walk.first - walk.u_from);
  for (int i = walk.first; i <= walk.last; i++, column += walk.du, walk.v += walk.step)
    {
      guint32 *pixel = column + walk.dv * (gsize) ((walk.v >> 32) - walk.v_from);

      *pixel = blend (*pixel, stroke->rgb, stroke->alpha);
    }
}

void
goban_raster_smooth_line (GobanRaster *self, double x0, double y0, double x1, double y1,
                          const GobanStroke *stroke)
{
  Segment s = { x0, y0, x1, y1 };
  Walk walk;
  guint32 *column;
  gint64 half;

  if (!limit_segment (&s) || is_outside (self, &s, stroke->width + 1)
      || !start_walk (self, &s, FALSE, &walk))
    return;
  half = (gint64) (stroke->width / 2 * sqrt (1 + walk.slope * walk.slope) * ONE);
  if (!cut_across (&walk, ((gint64) walk.v0 << 32) - half, ((gint64) walk.v1 << 32) - 1 + half))
    return;
  column = self->pixels + walk.du * (gsize) (walk.first - walk.u_from);
  for (int i = walk.first; i <= walk.last; i++, column += walk.du, walk.v += walk.step)
    {
      gint64 top = walk.v - half;
      gint64 bottom = walk.v + half;
      int j0 = MAX ((int) (top >> 32), walk.v0);
      int j1 = MIN ((int) (bottom >> 32), walk.v1 - 1);

      /* A pixel is covered by as much of its column as lies between the stroke's two sides. */
      for (int j = j0; j <= j1; j++)
        {
          gint64 covered = MIN (bottom, (gint64) (j + 1) << 32) - MAX (top, (gint64) j << 32);
          guint32 *pixel = column + walk.dv * (gsize) (j - walk.v_from);

          *pixel = blend (*pixel, stroke->rgb, (guint) ((covered >> 24) * stroke->alpha >> 8));
        }
    }
}

static inline double
cubic_at (double t, double a, double b, double c, double d)
{
  double s = 1 - t;
  double b0 = s * s * s, b1 = 3 * s * s * t, b2 = 3 * s * t * t, b3 = t * t * t;

  return b0 * a + b1 * b + b2 * c + b3 * d;
}

/* 1: all the way down, -1: up, 0: neither. */
static inline int
direction_of (const double p[8])
{
  if (p[1] <= p[3] && p[3] <= p[5] && p[5] <= p[7])
    return 1;
  return p[1] >= p[3] && p[3] >= p[5] && p[5] >= p[7] ? -1 : 0;
}

static inline gboolean
is_before (const GobanRaster *self, double y, int direction, double margin)
{
  return direction > 0 ? y < self->y0 - margin : direction < 0 && y > self->y1 + margin;
}

/* The first of a curve's @n pieces whose end has reached the clip: most curves are longer than the
 * clip is high. */
static int
find_first_piece (const GobanRaster *self, const double p[8], int n, int direction, double margin)
{
  int from = 1;
  int to = direction != 0 ? n : 1;

  while (from < to)
    {
      int middle = (from + to) / 2;

      if (is_before (self, cubic_at ((double) middle / n, p[1], p[3], p[5], p[7]), direction,
                     margin))
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/* Ends of the straight pieces of a curve: (2 * (n + 1)) coordinates. */
static void
cut_cubic (const double p[8], int n, double *points)
{
  for (int i = 0; i <= n; i++)
    {
      double t = (double) i / n;

      points[2 * i] = cubic_at (t, p[0], p[2], p[4], p[6]);
      points[2 * i + 1] = cubic_at (t, p[1], p[3], p[5], p[7]);
    }
}

/* How much of the pixel with that middle a stroke of twice @half covers, round at its ends but
 * where it begins and ends as a whole. */
static double
cover_pixel (const Segment *s, double x, double y, double half, gboolean is_first, gboolean is_last)
{
  double dx = s->x1 - s->x0, dy = s->y1 - s->y0;
  double length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((x - s->x0) * dx + (y - s->y0) * dy) / length2 : 0;

  if ((is_first && t < 0) || (is_last && t > 1))
    return 0;
  t = CLAMP (t, 0, 1);
  dx = x - s->x0 - t * dx;
  dy = y - s->y0 - t * dy;
  return CLAMP (half + 0.5 - sqrt (dx * dx + dy * dy), 0, 1);
}

/* A wide curve as one thing: where its pieces meet there is neither wedge nor double ink. Each row
 * is covered by the piece that covers it most. O(pieces * rows + pixels of the pieces) */
static void
draw_wide_pieces (GobanRaster *self, const double *points, int n, Segment hull,
                  const GobanStroke *stroke)
{
  double half = stroke->width / 2;
  int top = MAX (cell (MAX (hull.y0 - half - 1, self->y0)), self->y0);
  int bottom = MIN (cell (MIN (hull.y1 + half + 2, self->y1)), self->y1);
  g_autofree float *covered = g_new0 (float, MAX (self->x1 - self->x0, 1));

  for (int y = top; y < bottom; y++)
    {
      int from = self->x1, to = self->x0;

      for (int i = 0; i < n; i++)
        {
          Segment s = { points[2 * i], points[2 * i + 1], points[2 * i + 2], points[2 * i + 3] };
          int left = cell (CLAMP (MIN (s.x0, s.x1) - half - 1, self->x0, self->x1));
          int right = cell (CLAMP (MAX (s.x0, s.x1) + half + 2, self->x0, self->x1));

          if (y < MIN (s.y0, s.y1) - half - 1 || y > MAX (s.y0, s.y1) + half + 1)
            continue;
          for (int x = left; x < right; x++)
            {
              float *c = &covered[x - self->x0];

              *c = MAX (*c, (float) cover_pixel (&s, x + 0.5, y + 0.5, half, i == 0, i == n - 1));
            }
          from = MIN (from, left);
          to = MAX (to, right);
        }
      for (int x = from; x < to; x++)
        {
          float *c = &covered[x - self->x0];
          guint32 *pixel = pixel_at (self, x, y);

          if (*c > 0)
            *pixel = blend (*pixel, stroke->rgb, (guint) ((double) *c * stroke->alpha + 0.5));
          *c = 0;
        }
    }
}

void
goban_raster_cubic (GobanRaster *self, const double p[8], const GobanStroke *stroke)
{
  double length = 0;
  double margin = 2 * stroke->width + 2;
  double x, y;
  int n, first;
  int direction = direction_of (p);
  Segment hull = { p[0], p[1], p[0], p[1] };

  for (int i = 2; i < 8; i += 2)
    {
      length += fabs (p[i] - p[i - 2]) + fabs (p[i + 1] - p[i - 1]);
      hull = (Segment){ MIN (hull.x0, p[i]), MIN (hull.y0, p[i + 1]), MAX (hull.x1, p[i]),
                        MAX (hull.y1, p[i + 1]) };
    }
  if (!isfinite (length) || is_outside (self, &hull, stroke->width + 1))
    return;
  if (stroke->width > MOST_QUICK_WIDTH)
    {
      double points[2 * (MOST_PIECES + 1)];

      n = (int) CLAMP (length / 6, 4, MOST_PIECES);
      cut_cubic (p, n, points);
      draw_wide_pieces (self, points, n, hull, stroke);
      return;
    }
  /* A straight line stays one; else pieces of some six pixels. */
  n = p[0] == p[6] && p[0] == p[2] && p[0] == p[4] ? 1 : (int) CLAMP (length / 6, 4, 64);
  first = find_first_piece (self, p, n, direction, margin);
  x = cubic_at ((double) (first - 1) / n, p[0], p[2], p[4], p[6]);
  y = cubic_at ((double) (first - 1) / n, p[1], p[3], p[5], p[7]);
  for (int i = first; i <= n; i++)
    {
      double nx = cubic_at ((double) i / n, p[0], p[2], p[4], p[6]);
      double ny = cubic_at ((double) i / n, p[1], p[3], p[5], p[7]);
      double over = 0;

      /* Pieces overlap a little, or a thick stroke would show wedges where it turns. */
      if (n > 1 && stroke->width > 1.5 && stroke->alpha >= GOBAN_OPAQUE)
        over = stroke->width / 4 / MAX (fabs (nx - x) + fabs (ny - y), 1e-3);
      goban_raster_smooth_line (self, x - over * (nx - x), y - over * (ny - y),
                                nx + over * (nx - x), ny + over * (ny - y), stroke);
      x = nx;
      y = ny;
      if (direction > 0 ? y > self->y1 + margin : direction < 0 && y < self->y0 - margin)
        return;
    }
}

void
goban_raster_triangle (GobanRaster *self, const double p[6], GobanRgb rgb)
{
  double area = (p[2] - p[0]) * (p[5] - p[1]) - (p[4] - p[0]) * (p[3] - p[1]);
  double a[3], b[3], c[3]; /* distance to side k = a x + b y + c, positive inside */
  double x0 = MAX (MIN (MIN (p[0], p[2]), p[4]) - 1, self->x0);
  double y0 = MAX (MIN (MIN (p[1], p[3]), p[5]) - 1, self->y0);
  double x1 = MIN (MAX (MAX (p[0], p[2]), p[4]) + 1, self->x1);
  double y1 = MIN (MAX (MAX (p[1], p[3]), p[5]) + 1, self->y1);

  if (!isfinite (area) || area == 0 || !(x0 < x1) || !(y0 < y1))
    return;
  for (int k = 0; k < 3; k++)
    {
      const double *from = p + 2 * k;
      const double *to = p + 2 * ((k + 1) % 3);
      double sign = area > 0 ? 1 : -1;
      double length = hypot (to[0] - from[0], to[1] - from[1]);

      a[k] = -sign * (to[1] - from[1]) / length;
      b[k] = sign * (to[0] - from[0]) / length;
      c[k] = -(a[k] * from[0] + b[k] * from[1]);
    }
  for (int j = (int) y0; j < y1; j++)
    for (int i = (int) x0; i < x1; i++)
      {
        double x = i + 0.5, y = j + 0.5;
        double d = MIN (MIN (a[0] * x + b[0] * y + c[0], a[1] * x + b[1] * y + c[1]),
                        a[2] * x + b[2] * y + c[2]);

        plot (self, i, j, rgb, (guint) (CLAMP (d + 0.5, 0, 1) * GOBAN_OPAQUE));
      }
}
