/* rows.h: layers of networks over as many as 80,000 rows, worked on in parallel.
 *
 * Each is the layer of its own header (linear.h, layernorm.h, segment.h, activate.h) over fixed
 * pieces of the rows, given to goban_parallel_for(): where pieces are cut depends on the number of
 * rows alone, and gradients that all rows add to are summed slot by slot, in order, from fixed
 * runs of rows. So any number of threads leaves the same bytes. Backward functions add, and what
 * is NULL is not computed.
 */
#pragma once

#include "engine/nn/segment.h"

G_BEGIN_DECLS

/* Rows that are worked on in one go: enough to pay for a thread's coming, few enough that what
 * several steps over them read again is still at hand. */
#define GOBAN_ROWS_PER_PART 512

/* Runs of rows at most, each with gradients of its own. */
#define GOBAN_ROWS_MAX_SLOTS 16

/* For loops of the caller's own over rows in parallel: parts of N rows, and the rows of one. */
guint goban_rows_count_parts (int N);

typedef struct
{
  int first, n;
} GobanRows;

GobanRows goban_rows_get_part (guint part, int N);

/* Floats of room that backward needs for n_params parameters: O (I + 1) of a linear layer, 2 D of a
 * layer norm. */
gsize goban_rows_work_size (gsize n_params);

/* y (N,O)  x (N,I)  w (O,I)  b (O) (nullable) */
void goban_rows_linear_forward (float *y, const float *x, const float *w, const float *b, int N,
                                int I, int O);
/* work: room, overwritten; may be NULL where dw and db are */
void goban_rows_linear_backward (float *dx, float *dw, float *db, const float *dy, const float *x,
                                 const float *w, float *work, int N, int I, int O);

/* y (N,D)  mean (N)  inverse (N)  x (N,D)  gamma (D)  beta (D) */
void goban_rows_layernorm_forward (float *y, float *mean, float *inverse, const float *x,
                                   const float *gamma, const float *beta, int N, int D);
/* work: likewise, by dgamma and dbeta */
void goban_rows_layernorm_backward (float *dx, float *dgamma, float *dbeta, const float *dy,
                                    const float *x, const float *mean, const float *inverse,
                                    const float *gamma, float *work, int N, int D);

/* What rows hear. Backward goes by reverse: for every row of x the rows that heard it, ascending,
 * each as often as it heard it (once for max); reverse->N is the number of rows of x. */
void goban_rows_segment_mean_forward (float *y, const float *x, const GobanSegments *segments,
                                      int D);
void goban_rows_segment_mean_backward (float *dx, const float *dy, const GobanSegments *segments,
                                       const GobanSegments *reverse, int D);
void goban_rows_segment_max_forward (float *y, guint32 *sources, const float *x,
                                     const GobanSegments *segments, int D);
void goban_rows_segment_max_backward (float *dx, const float *dy, const guint32 *sources,
                                      const GobanSegments *reverse, int D);

/* Functions of one element, of activate.h: y = f (x), and dx += dy f' by y.   n elements. */
typedef void (*GobanMap) (float *y, const float *x, gsize n);
typedef void (*GobanMapBackward) (float *dx, const float *dy, const float *y, gsize n);

void goban_rows_map_forward (GobanMap map, float *y, const float *x, gsize n);
void goban_rows_map_backward (GobanMapBackward map, float *dx, const float *dy, const float *y,
                              gsize n);

G_END_DECLS
