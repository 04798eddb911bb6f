/* lstm.h: long short-term memory.   T steps, B sequences side by side, I inputs, H cells.
 *
 * i, f, o = sigmoid, g = tanh of the four quarters of  x Wx^T + h' Wh^T + b  (in the order
 * i f g o, h' and c' being those of the step before), the forget gate with 1 added, so that it
 * begins open (Jozefowicz et al., 2015), then
 *
 *   c = f c' + i g        h = o tanh (c)
 */
#pragma once

#include <glib.h>

/* One step. gates (B,4H) holds the sums above on entry, i f g o on return.
 * h (B,H)  c (B,H)  c_before (B,H) */
void goban_lstm_cell_forward (float *h, float *c, float *gates, const float *c_before, int B,
                              int H);

typedef struct
{
  int T, B, I, H;
  gboolean is_backwards; /* begins at the last step and ends at the first */
  const float *wx;       /* (4H,I) */
  const float *wh;       /* (4H,H) */
  const float *b;        /* (4H) */
  const float *x;        /* (T,B,I) */
  const float *h0;       /* (B,H) likewise c0: what stood before the first step */
  const float *c0;
  float *h;     /* (T,B,H) written by forward */
  float *c;     /* (T,B,H) likewise */
  float *gates; /* (T,B,4H) likewise */
} GobanLstm;

/* All are added to but for what is said. */
typedef struct
{
  float *dx;  /* (T,B,I) (nullable) */
  float *dwx; /* (4H,I) (nullable): then dx and db are left to the caller, by dsums */
  float *dwh; /* (4H,H) */
  float *db;  /* (4H) */
  float *dh0; /* (B,H) (nullable); likewise dc0 */
  float *dc0;
  float *dh;    /* (T,B,H) in: of every h by its readers outside; used up */
  float *dc;    /* (B,H) in: of the last c by its readers outside; used up */
  float *dsums; /* (T,B,4H) room to work in, written */
} GobanLstmGrad;

void goban_lstm_forward (const GobanLstm *self);
/* By what forward left. */
void goban_lstm_backward (const GobanLstm *self, const GobanLstmGrad *grad);
