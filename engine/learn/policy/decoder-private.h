/* decoder-private.h: functions of one number, shared by the decoder's two directions. */
#pragma once

#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/decoder.h"

G_BEGIN_DECLS

#define GOBAN_DECODER_LEAK 0.1f
/* Gates are almost closed at first, so that the state remembers many actions. */
#define GOBAN_DECODER_CLOSED 2.0f
/* 1 / sqrt (k), k = H / heads = 16 */
#define GOBAN_DECODER_SCALE 0.25f
G_STATIC_ASSERT (GOBAN_SCORER_HIDDEN / GOBAN_DECODER_HEADS == 16);

static inline float
goban_decoder_leaky (float z)
{
  return z > 0 ? z : GOBAN_DECODER_LEAK * z;
}

static inline float
goban_decoder_slope (float z)
{
  return z > 0 ? 1 : GOBAN_DECODER_LEAK;
}

G_END_DECLS
