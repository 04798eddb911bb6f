/* pass-trunk.h: the layers of a pass below its tasks, alone or as a part of a pass over a board:
 * GraphSAGE, modulation, attention.
 *
 * A trunk alone belongs to a network whose table of parameters may contain other tensors, too: the
 * plan builder's, engine/learn/policy/row-encoding.h.
 */
#pragma once

#include "engine/learn/policy/pass-private.h"
#include "engine/learn/policy/pass.h"

G_BEGIN_DECLS

/* A pass without tasks, in one lane. The arrays of @input and the table of @net must outlive it;
 * goban_pass_free() frees it. */
GobanPass *goban_pass_new_trunk (const GobanNet *net,
                                 const GobanPassInput *input) G_GNUC_WARN_UNUSED_RESULT;

/* Computes all layers and zeroes dx0 and dc. Returns (N,W), borrowed: the last layer. */
const float *goban_pass_trunk_forward (GobanPass *self, const GobanNet *net);
/* Back from dtop (N,W), the gradient of that. The sums stay in the lanes. */
void goban_pass_trunk_backward (GobanPass *self, const GobanNet *net, const float *dtop);
/* Moves the gradients of all lanes to the network's. */
void goban_pass_sum_gradients (GobanPass *self, GobanNet *net);

/* --- for passes over a board ------------------------------------------------------------------ */

/* Allocates what a trunk needs; @params: the table, whose order is that of self->tensors. */
void goban_pass_begin (GobanPass *self, const GobanNetConfig *config, const GobanPassInput *input,
                       const GobanParams *params);
/* The attention layers of an iteration. */
void goban_pass_reserve_layers (GobanPass *self, int t);
void goban_pass_run_layers (GobanPass *self, const GobanNet *net, int t);
/* Turns flow from the gradient of the tasks' input into that of the layers' input. */
void goban_pass_run_layers_backward (GobanPass *self, const GobanNet *net, int t);
/* Input of iteration t's first task. */
const float *goban_pass_get_top (const GobanPass *self, int t);

G_END_DECLS
