#include "engine/graph/workloads/tape-ops.h"

LstmWeights
tape_lstm_weights (Tape *tape, gint64 n_in, gint64 n_hidden)
{
  Variable kernel = tape_variable (tape, "kernel", SHAPE (n_in + n_hidden, 4 * n_hidden));
  Variable bias = tape_variable (tape, "bias", SHAPE (4 * n_hidden));

  return (LstmWeights){ .kernel = tape_read (tape, kernel),
                        .bias = tape_read (tape, bias),
                        .n_hidden = n_hidden };
}

static Value
emit_zeros (Tape *tape, gint64 batch, gint64 n_hidden)
{
  return tape_emit (tape, &(TapeCall){ .op = "Fill",
                                       .name = "zeros",
                                       TAPE_INPUTS (tape_const (tape, "zeros/shape", 2),
                                                    tape_const (tape, "zeros/Const", 1)),
                                       TAPE_OUTPUTS (SHAPE (batch, n_hidden)) });
}

LstmState
tape_lstm_zero_state (Tape *tape, gint64 batch, gint64 n_hidden)
{
  LstmState state;

  tape_push (tape, "zero_state");
  state.h = emit_zeros (tape, batch, n_hidden);
  state.c = emit_zeros (tape, batch, n_hidden);
  tape_pop (tape);
  return state;
}

LstmState
tape_lstm_step (Tape *tape, const LstmWeights *weights, const Value *inputs, guint n_inputs,
                LstmState state)
{
  g_autofree Value *parts = g_new (Value, n_inputs + 1);
  Value gates;
  Value kept;
  Value added;

  for (guint i = 0; i < n_inputs; i++)
    parts[i] = inputs[i];
  parts[n_inputs] = state.h;

  tape_push (tape, "lstm");
  gates = tape_concat (tape, parts, n_inputs + 1, 1);
  gates = tape_bias_add (tape, tape_matmul (tape, gates, weights->kernel), weights->bias);
  gates = tape_split (tape, gates, 4, 1); /* input, candidate, forget, output */
  kept = tape_mul (tape, state.c, tape_sigmoid (tape, tape_offset (tape, gates + 2)));
  added = tape_mul (tape, tape_sigmoid (tape, gates), tape_tanh (tape, gates + 1));
  state.c = tape_clip (tape, tape_add (tape, kept, added));
  state.h = tape_mul (tape, tape_tanh (tape, state.c), tape_sigmoid (tape, gates + 3));
  tape_pop (tape);
  return state;
}
