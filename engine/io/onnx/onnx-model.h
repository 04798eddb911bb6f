/* onnx-model.h: an ONNX graph with names resolved to numbers, ready to be walked.
 *
 * Belongs to one reading; nothing of it outlives the reader. Tensors are what the file
 * names: constants, inputs, outputs of nodes. The body of an If, Loop or Scan is a model of its own
 * inside of the node: tensors it takes from around it become inputs of the node itself.
 *
 * Inputs get every extent here. The first one is the batch where the file leaves it open
 * or another batch is asked for. Other open extents are taken as 128, or 224 for the
 * height and width of images, with a warning.
 */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/io/io.h"
#include "engine/io/onnx/onnx-tensor.h"
#include "engine/io/source-nodes.h"

#define GOBAN_ONNX_NONE G_MAXUINT32

typedef struct
{
  const char *name;                /* borrowed from the file */
  const Onnx__TypeProto *declared; /* (nullable): shape and type declared in the file */
  guint32 producer;                /* node, or GOBAN_ONNX_NONE for constants and inputs */
  GobanOnnxValue value;
  gboolean is_constant; /* stored in the file, or made by a node that is constant */
} GobanOnnxTensor;

typedef struct
{
  const Onnx__NodeProto *proto;
  char *name;
  guint32 *inputs; /* n_own of the node itself, then those of its bodies; NONE: left out */
  guint n_own;
  guint n_inputs;
  guint32 *outputs; /* n_output of the proto; NONE: left out */
  gboolean has_body;
  gboolean is_constant; /* Constant, or ConstantOfShape of a constant */
  gboolean is_given;    /* the file declares the shapes of all outputs */
  double flops;
  double macs;
  double read_bytes;
  double written_bytes;
  double param_count; /* of constants in its bodies */
  double param_bytes;
} GobanOnnxNode;

typedef struct _GobanOnnxModel GobanOnnxModel;

struct _GobanOnnxModel
{
  const char *path;
  const GobanOnnxModel *parent; /* (nullable): of a body, the model around it */
  const Onnx__ModelProto *proto;
  const Onnx__GraphProto *graph;
  GobanGraphBuilder *builder; /* takes the warnings */
  GArray *tensors;            /* of GobanOnnxTensor */
  GHashTable *by_name;        /* name to number + 1 */
  GHashTable *symbols;        /* names of open extents to a gint64 */
  GobanOnnxNode *nodes;
  guint n_nodes;
  guint32 *order; /* topological, the file's own order if that is; nodes on cycles are missing */
  guint n_order;
  gint64 batch;
  gint64 old_batch; /* the file's, if another is requested; else 0 */
};

/* The message of a file that has a graph with nodes. (transfer full) (nullable): %NULL with
 * %GOBAN_ERROR_PARSE set; free it by onnx__model_proto__free_unpacked(). */
Onnx__ModelProto *goban_onnx_unpack (const char *data, gsize size, const char *path,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The file of a message. (transfer full) */
GBytes *goban_onnx_pack (const Onnx__ModelProto *proto) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_onnx_model_init:
 * @proto: borrowed as long as @self lives, and so are @path and @builder
 *
 * goban_onnx_model_clear() it in either case.
 *
 * Returns: %FALSE with an error that names node and tensor
 */
gboolean goban_onnx_model_init (GobanOnnxModel *self, const Onnx__ModelProto *proto,
                                const char *path, const GobanReadOptions *options,
                                GobanGraphBuilder *builder, GError **error);
/**
 * goban_onnx_model_init_body:
 * @parent: borrowed as long as @self lives; what it knows by then is known inside
 * @inputs: (n_inputs): values of the body's inputs; NULL for an unknown one
 *
 * The same for the body of a node.
 */
gboolean goban_onnx_model_init_body (GobanOnnxModel *self, const GobanOnnxModel *parent,
                                     const Onnx__GraphProto *body,
                                     const GobanOnnxValue *const *inputs, guint n_inputs,
                                     GError **error);
void goban_onnx_model_clear (GobanOnnxModel *self);

GobanOnnxTensor *goban_onnx_model_tensor (const GobanOnnxModel *self, guint32 tensor);
/* The tensor of that name, or GOBAN_ONNX_NONE. */
guint32 goban_onnx_model_find_tensor (const GobanOnnxModel *self, const char *name);

/* Shape and type as a file declares them, open extents by their names; all may be unknown. */
GobanOnnxValue goban_onnx_model_declared (const GobanOnnxModel *self, const Onnx__TypeProto *type);

/* As goban_onnx_find_nodes(), of a model whose shapes are inferred. (transfer full) (nullable) */
GobanSourceNodes *goban_onnx_model_find_nodes (const GobanOnnxModel *self, const GobanGraph *graph,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The version of the node's domain; 1 if the file names none. */
gint64 goban_onnx_model_opset (const GobanOnnxModel *self, const Onnx__NodeProto *node);
