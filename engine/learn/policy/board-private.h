/* board-private.h: steps of building a board: rows, neighbours, then features.
 *
 * Private to engine/learn/policy's board*.c.
 */
#pragma once

#include "engine/learn/policy/board.h"

#include <math.h>

G_BEGIN_DECLS

/* Contribution of a node to its row. */
typedef struct
{
  double flops;
  double traffic_bytes;
  double param_bytes;
  double output_bytes;
  double top_us;    /* downward rank */
  double bottom_us; /* upward rank */
  double largest_bytes;
  GobanTensorId
      largest;  /* the first of its largest outputs that have a shape, or GOBAN_NO_TENSOR */
  guint8 kind;  /* GobanOpKind */
  guint8 phase; /* GobanPhase */
} GobanNodeFacts;

struct _GobanBoardFacts
{
  GobanNodeFacts *nodes;
  double longest_us;     /* of all paths */
  double *transfers_us;  /* (n_tensors) mean */
  guint32 *first_reader; /* (n_tensors + 1) into readers */
  guint32 *readers;      /* units that read the tensor, once each, but its producer's */
};

GobanBoardFacts *goban_board_facts_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_board_facts_free (GobanBoardFacts *self);

/* Sums by row, from which the features are computed; dropped when the board is done. */
typedef struct
{
  guint n_classes;
  double *class_us; /* (N x n_classes) of all the row, INFINITY if some of it cannot run */
  double *times_us; /* (N) mean over the devices that the row may run on */
  double total_us;
  double *sent_us; /* (N) mean transfers of the tensors that leave the row */
  double all_sent_us;
} GobanBoardSums;

/* x: all columns but the eigenvectors, which are 0. */
void goban_board_fill_features (GobanBoard *self, const GobanBoardSums *sums);

/* The columns of eigenvectors. */
void goban_board_fill_eigenvectors (GobanBoard *self);
/* The same as means over the rows of @fine; row_of (fine->n_rows). */
void goban_board_pool_eigenvectors (GobanBoard *self, const GobanBoard *fine,
                                    const guint32 *row_of);

/* devices (D, GOBAN_DEVICE_N_FEATURES). */
void goban_board_fill_devices (GobanBoard *self, const GobanBoardSums *sums);

/* Mean memory of the devices with limited memory; INFINITY if there is none. */
double goban_board_mean_memory (const GobanBoard *self);

/* log2 of a ratio of two quantities of one unit, either of which may be 0; 0 if both are. @grain: a
 * quantity that is negligible beside them. */
static inline double
goban_board_log_ratio (double above, double below, double grain)
{
  return grain > 0 ? log2 ((above + grain) / (below + grain)) : 0;
}

/* Clamps an input of the network; 0 for NAN. */
static inline float
goban_board_clamp (double value)
{
  return (float) (value != value ? 0 : CLAMP (value, -3.0, 3.0));
}

G_END_DECLS
