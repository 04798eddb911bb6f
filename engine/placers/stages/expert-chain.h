/* expert-chain.h: a model as a chain of blocks, first to last, for the expert's placement.
 *
 * A block is a layer, a module or a cell, read from the scopes of the names, or one op if names
 * have no scopes. Backward and update ops belong to the block of their forward op. Made once per
 * placement, read-only after that.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_CHAIN_RECURRENT,   /* RNNLM, GNMT: a block is layer_K of encoder and decoder together */
  GOBAN_CHAIN_TRANSFORMER, /* a block is layer_K */
  GOBAN_CHAIN_WAVENET,     /* a block is stack_S/layer_K */
  GOBAN_CHAIN_MODULES,     /* Inception-v3, AmoebaNet: a block is a scope of the top level */
  GOBAN_CHAIN_OPS,         /* anything else: a block is a unit of forward ops */
} GobanChainKind;

typedef struct
{
  GobanChainKind kind;
  guint n_blocks;
  guint *block_of; /* (n_units) */
  guint *stack_of; /* (n_blocks) of a WaveNet, ascending; else 0 */
  guint n_stacks;  /* at least 1 */
} GobanExpertChain;

GobanExpertChain *goban_expert_chain_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_expert_chain_free (GobanExpertChain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanExpertChain, goban_expert_chain_free)

G_END_DECLS
