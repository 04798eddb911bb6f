#include "engine/learn/nn/segment.h"

#include "engine/learn/nn/vector.h"

#include <string.h>

/* Columns whose sums are held in double at once. */
#define BLOCK 64

GOBAN_VECTOR void
goban_segment_mean_forward (float *y, const float *x, const GobanSegments *segments, int D)
{
  for (int n = 0; n < segments->N; n++)
    {
      guint32 begin = segments->offsets[n], end = segments->offsets[n + 1];
      double scale = end > begin ? 1.0 / (end - begin) : 1.0;

      for (int first = 0; first < D; first += BLOCK)
        {
          int n_columns = MIN (BLOCK, D - first);
          float *to = y + (gsize) n * D + first;
          double sums[BLOCK] = { 0 };

          for (guint32 i = begin; i < end; i++)
            {
              const float *from = x + (gsize) segments->ids[i] * D + first;

              for (int d = 0; d < n_columns; d++)
                sums[d] += (double) from[d];
            }
          for (int d = 0; d < n_columns; d++)
            to[d] = (float) (sums[d] * scale);
        }
    }
}

GOBAN_VECTOR void
goban_segment_mean_backward (float *dx, const float *dy, const GobanSegments *segments, int D)
{
  /* forward was y[n] = 1/k sum_i x[ids[i]] of k neighbours, so each gets dy[n] / k */
  for (int n = 0; n < segments->N; n++)
    {
      guint32 begin = segments->offsets[n], end = segments->offsets[n + 1];
      float scale = end > begin ? 1.0f / (float) (end - begin) : 1.0f;
      const float *from = dy + (gsize) n * D;

      for (guint32 i = begin; i < end; i++)
        {
          float *to = dx + (gsize) segments->ids[i] * D;

          for (int d = 0; d < D; d++)
            to[d] += scale * from[d];
        }
    }
}

/* Columns whose maxima stay in registers while a row's neighbours go by. */
#define COLUMNS 32

/* The neighbours of a row, one at least. */
typedef struct
{
  const float *x;
  const guint32 *ids;
  guint32 n;
  int D;
} Neighbours;

/* n_columns columns from first on; compiled for constants, and without @source if it is NULL. */
G_ALWAYS_INLINE static inline void
find_largest (float *restrict to, guint32 *restrict source, const Neighbours *some, int first,
              int n_columns)
{
  const guint32 *ids = some->ids;
  const float *from = some->x + (gsize) ids[0] * some->D + first;
  float best[COLUMNS];
  guint32 which[COLUMNS];

  for (int d = 0; d < n_columns; d++)
    {
      best[d] = from[d];
      which[d] = ids[0];
    }
  for (guint32 i = 1; i < some->n; i++)
    {
      guint32 id = ids[i];

      from = some->x + (gsize) id * some->D + first;
      for (int d = 0; d < n_columns; d++)
        {
          gboolean is_larger = from[d] > best[d];

          which[d] = is_larger ? id : which[d];
          best[d] = is_larger ? from[d] : best[d];
        }
    }
  for (int d = 0; d < n_columns; d++)
    {
      to[first + d] = best[d];
      if (source != NULL)
        source[first + d] = which[d];
    }
}

/* The maxima alone. */
GOBAN_VECTOR static void
write_maxima (float *to, const Neighbours *some)
{
  int first = 0;

  for (; first + COLUMNS <= some->D; first += COLUMNS)
    find_largest (to, NULL, some, first, COLUMNS);
  find_largest (to, NULL, some, first, some->D - first);
}

GOBAN_VECTOR static void
write_sources (float *to, guint32 *source, const Neighbours *some)
{
  int first = 0;

  for (; first + COLUMNS <= some->D; first += COLUMNS)
    find_largest (to, source, some, first, COLUMNS);
  find_largest (to, source, some, first, some->D - first);
}

void
goban_segment_max_forward (float *y, guint32 *sources, const float *x,
                           const GobanSegments *segments, int D)
{
  for (int n = 0; n < segments->N; n++)
    {
      guint32 begin = segments->offsets[n], end = segments->offsets[n + 1];
      Neighbours some = { x, segments->ids + begin, end - begin, D };
      float *to = y + (gsize) n * D;
      guint32 *source = sources != NULL ? sources + (gsize) n * D : NULL;

      if (begin == end)
        memset (to, 0, D * sizeof *to);
      else if (source == NULL)
        write_maxima (to, &some);
      else
        write_sources (to, source, &some);
      if (begin == end && source != NULL)
        memset (source, 0xff, D * sizeof *source); /* G_MAXUINT32 */
    }
}
