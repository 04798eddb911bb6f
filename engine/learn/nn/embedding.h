/* embedding.h: embedding lookup: rows of a table by index. N lookups, D width. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* y[n] = table[ids[n]].   y (N,D)  table (rows,D)  ids (N) */
void goban_embedding_forward (float *y, const float *table, const guint32 *ids, int N, int D);
/* dtable (rows,D) */
void goban_embedding_backward (float *dtable, const float *dy, const guint32 *ids, int N, int D);

G_END_DECLS
