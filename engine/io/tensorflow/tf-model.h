/* tf-model.h: a TensorFlow graph with names resolved to numbers, ready to be walked.
 *
 * Belongs to one reading and borrows the unpacked message. A `while` loop of TensorFlow 1 (Enter,
 * Merge, Switch, NextIteration, Exit) is a cycle in the file: all nodes of its frame, inner loops
 * included, are one region, which becomes one node of the graph.
 */
#pragma once

#include "engine/io/onnx/onnx-tensor.h"
#include "engine/io/tensorflow.pb-c.h"

#define GOBAN_TF_NONE G_MAXUINT32
/* The port of a control input. */
#define GOBAN_TF_CONTROL G_MAXUINT32
/* No operation has more outputs. */
#define GOBAN_TF_MAX_PORT 65535

typedef struct
{
  guint32 tail;
  guint32 port; /* or GOBAN_TF_CONTROL */
} GobanTfInput;

typedef struct
{
  const GobanTf__Node *proto;
  guint32 first_input; /* among the model's inputs: as many as the proto has */
  guint32 region;      /* of the outermost loop it is in, or GOBAN_TF_NONE */
  guint n_out;         /* outputs whose values are followed */
  GobanOnnxValue *out; /* n_out of them */
  double flops;
  double macs;
  double read_bytes;
  double written_bytes;
  gboolean is_given; /* the file declares the shapes of all outputs */
} GobanTfNode;

typedef struct
{
  const char *path;
  const GobanTf__GraphDef *proto;
  GobanTfNode *nodes;
  guint n_nodes;
  GobanTfInput *inputs;
  guint32 *first_head; /* of n_nodes + 1: first reader of a node among heads */
  guint32 *heads;      /* a node once for each of its inputs */
  GHashTable *by_name; /* name to number + 1 */
  GPtrArray *regions;  /* the names of the loops' outermost frames */
} GobanTfModel;

/**
 * goban_tf_model_init:
 * @proto: borrowed as long as @self lives, and so is @path
 *
 * goban_tf_model_clear() it in either case.
 *
 * Returns: %FALSE with an error that names the node
 */
gboolean goban_tf_model_init (GobanTfModel *self, const GobanTf__GraphDef *proto, const char *path,
                              GError **error);
void goban_tf_model_clear (GobanTfModel *self);

/* (nullable) */
const GobanTf__Value *goban_tf_attr (const GobanTf__Node *node, const char *name);
gboolean goban_tf_attr_is (const GobanTf__Node *node, const char *name, const char *value);

/* Bytes as a string, up to the first zero; "" for none. */
char *goban_tf_dup_text (const ProtobufCBinaryData *bytes) G_GNUC_WARN_UNUSED_RESULT;

/* The input @i, control inputs included; its number of them is the proto's n_input. */
static inline const GobanTfInput *
goban_tf_model_input (const GobanTfModel *self, const GobanTfNode *node, gsize i)
{
  return &self->inputs[node->first_input + i];
}

/* Nodes in topological order; edges out of NextIteration do not count. Nodes on other cycles are
 * missing. (transfer full): as many as @n */
guint32 *goban_tf_model_dup_order (const GobanTfModel *self, guint *n) G_GNUC_WARN_UNUSED_RESULT;
