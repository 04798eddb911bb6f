/* torch-program.h: an exported program of PyTorch (torch.export), read from its JSON.
 *
 *     {"graph_module": {"graph": {"inputs": [...], "nodes": [{"target", "inputs": [{"name",
 *       "arg"}], "outputs": [...], "metadata": {"nn_module_stack"}}], "tensor_values": {NAME:
 *       {"dtype", "sizes": [...]}}}, "signature": {"input_specs": [...]}},
 *      "range_constraints": {...}}
 *
 * Values have names: tensors, and the numbers that stand for open sizes. All are entries of one
 * table here. Fields as of versions 5 to 8 of PyTorch's schema (torch/_export/serde/schema.py).
 */
#pragma once

#include "engine/core/json-reader.h"
#include "engine/graph/graph-builder.h"
#include "engine/io/io.h"
#include "engine/io/onnx/onnx-tensor.h"

#define GOBAN_TORCH_NONE G_MAXUINT32

typedef struct
{
  const char *name;     /* borrowed from the JSON */
  GobanJsonValue meta;  /* of a tensor: its type and sizes; else missing */
  GobanOnnxValue value; /* of an open size, a whole number */
  guint32 producer;     /* node, or GOBAN_TORCH_NONE for inputs, parameters and constants */
  gboolean is_constant; /* parameter, buffer or constant */
  gboolean is_declared; /* the file declares its kind */
} GobanTorchValue;

typedef struct
{
  GobanJsonValue json;
  const char *target;  /* "torch.ops.aten.conv2d.default" */
  guint32 first_input; /* among the program's inputs */
  /* GOBAN_TORCH_NONE for arguments that are no tensors; all names that an argument holds have an
   * entry of their own */
  guint32 n_inputs;
  guint32 first_output;
  guint32 n_outputs;
  gboolean has_body; /* an argument is a graph of its own */
} GobanTorchNode;

typedef struct
{
  GobanJsonValue none; /* a missing value of the JSON */
  GArray *values;      /* GobanTorchValue */
  GHashTable *by_name; /* of values: number + 1 */
  GArray *nodes;       /* GobanTorchNode */
  GArray *inputs;      /* guint32, values */
  GArray *outputs;     /* guint32, values */
} GobanTorchProgram;

/**
 * goban_torch_program_init:
 * @root: lives as long as the program
 * @builder: takes the warnings
 *
 * goban_torch_program_clear() it in either case.
 *
 * Returns: %FALSE with an error that names line and path in the JSON
 */
gboolean goban_torch_program_init (GobanTorchProgram *self, GobanJsonValue root,
                                   const GobanReadOptions *options, GobanGraphBuilder *builder,
                                   GError **error);
void goban_torch_program_clear (GobanTorchProgram *self);

/* (nullable): a value that may be GOBAN_TORCH_NONE. */
const GobanTorchValue *goban_torch_program_value (const GobanTorchProgram *self, guint32 value);

/* The value of the argument of that name, "as_ints" and the like; missing if there is none. */
GobanJsonValue goban_torch_node_argument (const GobanTorchNode *node, const char *name);

/* "layer1/0/conv1/conv2d": the module that the node belongs to, and its first output.
 * (transfer full) */
char *goban_torch_program_dup_name (const GobanTorchProgram *self,
                                    const GobanTorchNode *node) G_GNUC_WARN_UNUSED_RESULT;
