/* pass-steps.h: steps of a pass, forward and backward. */
#pragma once

#include "engine/learn/policy/pass-private.h"

G_BEGIN_DECLS

/* --- steps ------------------------------------------------------------------------------------ */

/* h[..] and pooled; backward reads dx0, which it leaves spoilt. */
void goban_pass_sage_reserve (GobanPass *self);
void goban_pass_sage_forward (GobanPass *self, const GobanNet *net);
void goban_pass_sage_backward (GobanPass *self, const GobanNet *net);

/* c = 2 sigmoid (W x0 + b); backward: dx0 += ... of dc */
void goban_pass_modulation_forward (GobanPass *self, const GobanNet *net);
void goban_pass_modulation_backward (GobanPass *self, const GobanNet *net);

/* state->x is read. dx (N,W) is overwritten, dc added to; dy and dx may be the same. */
void goban_pass_layer_reserve (GobanPass *self, GobanLayerState *state);
void goban_pass_layer_forward (GobanPass *self, const GobanNet *net, int layer,
                               GobanLayerState *state);
void goban_pass_layer_backward (GobanPass *self, const GobanNet *net, int layer,
                                const GobanLayerState *state, float *dx, const float *dy);

/* Devices' vectors and all tables; backward adds their gradients to those of the network, and
 * zeroes them. */
void goban_pass_tables_reserve (GobanPass *self);
void goban_pass_tables_forward (GobanPass *self, const GobanNet *net);
void goban_pass_tables_backward (GobanPass *self, GobanNet *net);

/* logits of state->layer.y; dy (N,W) is overwritten by backward. */
void goban_pass_head_forward (GobanPass *self, GobanTask task, GobanTaskState *state);
void goban_pass_head_backward (GobanPass *self, GobanTask task, const GobanTaskState *state,
                               float *dy, const float *dlogits);

/* Input from a task's decision: the embedding of the choice, or the expected embedding (chosen
 * NULL). */
typedef struct
{
  GobanTask task;
  GobanTaskState *state;
  const guint32 *chosen; /* (N) */
  gboolean is_again;     /* the table of the next iteration */
} GobanHeard;

/* to = from + embedding; to may be from */
void goban_pass_hear_forward (GobanPass *self, const GobanHeard *heard, float *to,
                              const float *from);
/* Adds to the task's dlogits and to its tables' gradients. */
void goban_pass_hear_backward (GobanPass *self, const GobanHeard *heard, const float *dto);

G_END_DECLS
