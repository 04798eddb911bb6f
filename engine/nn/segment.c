#include "engine/nn/segment.h"

#include "engine/nn/vector.h"

/* Columns whose sums are held in double at once. */
#define BLOCK 64

/* y = scale of its row times the sum */
GOBAN_VECTOR static void
gather (float *y, const float *x, const GobanSegments *segments, int D, gboolean is_mean)
{
  for (int n = 0; n < segments->N; n++)
    {
      guint32 begin = segments->offsets[n], end = segments->offsets[n + 1];
      double scale = is_mean && end > begin ? 1.0 / (end - begin) : 1.0;

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

GOBAN_VECTOR static void
scatter (float *dx, const float *dy, const GobanSegments *segments, int D, gboolean is_mean)
{
  /* forward was y[n] = scale sum_i x[ids[i]], so every neighbour gets scale dy[n] */
  for (int n = 0; n < segments->N; n++)
    {
      guint32 begin = segments->offsets[n], end = segments->offsets[n + 1];
      float scale = is_mean && end > begin ? 1.0f / (float) (end - begin) : 1.0f;
      const float *from = dy + (gsize) n * D;

      for (guint32 i = begin; i < end; i++)
        {
          float *to = dx + (gsize) segments->ids[i] * D;

          for (int d = 0; d < D; d++)
            to[d] += scale * from[d];
        }
    }
}

void
goban_segment_sum_forward (float *y, const float *x, const GobanSegments *segments, int D)
{
  gather (y, x, segments, D, FALSE);
}

void
goban_segment_sum_backward (float *dx, const float *dy, const GobanSegments *segments, int D)
{
  scatter (dx, dy, segments, D, FALSE);
}

void
goban_segment_mean_forward (float *y, const float *x, const GobanSegments *segments, int D)
{
  gather (y, x, segments, D, TRUE);
}

void
goban_segment_mean_backward (float *dx, const float *dy, const GobanSegments *segments, int D)
{
  scatter (dx, dy, segments, D, TRUE);
}

/* Where row id of x is larger than what was found so far, it takes its place. */
GOBAN_VECTOR static void
take_larger (float *restrict to, guint32 *restrict source, const float *restrict from, guint32 id,
             int D)
{
  for (int d = 0; d < D; d++)
    {
      gboolean is_larger = from[d] > to[d];

      to[d] = is_larger ? from[d] : to[d];
      source[d] = is_larger ? id : source[d];
    }
}

void
goban_segment_max_forward (float *y, guint32 *sources, const float *x,
                           const GobanSegments *segments, int D)
{
  for (int n = 0; n < segments->N; n++)
    {
      guint32 begin = segments->offsets[n], end = segments->offsets[n + 1];
      float *to = y + (gsize) n * D;
      guint32 *source = sources + (gsize) n * D;

      for (int d = 0; d < D; d++)
        {
          to[d] = begin < end ? x[(gsize) segments->ids[begin] * D + d] : 0.0f;
          source[d] = begin < end ? segments->ids[begin] : G_MAXUINT32;
        }
      for (guint32 i = begin + 1; i < end; i++)
        take_larger (to, source, x + (gsize) segments->ids[i] * D, segments->ids[i], D);
    }
}

void
goban_segment_max_backward (float *dx, const float *dy, const guint32 *sources,
                            const GobanSegments *segments, int D)
{
  /* forward was y[n,d] = x[sources[n,d],d], so only that row gets the gradient */
  for (int n = 0; n < segments->N; n++)
    for (int d = 0; d < D; d++)
      {
        gsize i = (gsize) n * D + d;

        if (sources[i] != G_MAXUINT32)
          dx[(gsize) sources[i] * D + d] += dy[i];
      }
}
