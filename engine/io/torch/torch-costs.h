/* torch-costs.h: FLOPs and bytes of the nodes of an exported program of PyTorch. */
#pragma once

#include "engine/io/torch/torch-program.h"

G_BEGIN_DECLS

typedef struct
{
  GHashTable *rules;      /* of PyTorch's operators */
  GHashTable *onnx_rules; /* of ONNX's */
  GHashTable *unruled;    /* op to number of nodes */
} GobanTorchCosts;

void goban_torch_costs_init (GobanTorchCosts *self);
void goban_torch_costs_clear (GobanTorchCosts *self);

/* Fills flops, macs, read_bytes and written_bytes of @to. */
void goban_torch_costs_count (GobanTorchCosts *self, const GobanTorchProgram *program,
                              const GobanTorchNode *node, GobanNode *to);

/* Names the operators without a rule. */
void goban_torch_costs_warn (const GobanTorchCosts *self, GobanGraphBuilder *builder);

/* "conv2d" of "torch.ops.aten.conv2d.default", "mylib.scale" of another library's.
 * (transfer full) */
char *goban_torch_dup_op (const char *target) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
