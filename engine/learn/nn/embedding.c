#include "engine/learn/nn/embedding.h"

#include <string.h>

void
goban_embedding_forward (float *y, const float *table, const guint32 *ids, int N, int D)
{
  for (int n = 0; n < N; n++)
    memcpy (y + (gsize) n * D, table + (gsize) ids[n] * D, D * sizeof *y);
}

void
goban_embedding_backward (float *dtable, const float *dy, const guint32 *ids, int N, int D)
{
  /* forward was y[n] = table[ids[n]], so each row of the table collects where it was used */
  for (int n = 0; n < N; n++)
    for (int d = 0; d < D; d++)
      dtable[(gsize) ids[n] * D + d] += dy[(gsize) n * D + d];
}
