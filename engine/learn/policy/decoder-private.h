/* decoder-private.h: constants of the decoder, for one decision and for all of some plans. */
#pragma once

#include "engine/learn/nn/scorer-private.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/decoder.h"

G_BEGIN_DECLS

/* Gates are almost closed at first, so that the state remembers many actions. */
#define GOBAN_DECODER_CLOSED 2.0f
/* 1 / sqrt (k), k = H / heads = 16 */
#define GOBAN_DECODER_SCALE 0.25f
G_STATIC_ASSERT (GOBAN_SCORER_HIDDEN / GOBAN_DECODER_HEADS == 16);

G_END_DECLS
