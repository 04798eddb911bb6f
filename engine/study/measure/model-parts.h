/* model-parts.h: parts of an ONNX model as models of their own, between which tensors are handed
 * over.
 *
 * A part has nodes of the model, all constants that they read, and as inputs the tensors that other
 * parts write. Tensors keep their names. Nodes are named by their numbers in the graph, so that
 * profiles of parts can be read without doubt: names in files may be missing, equal, or changed by
 * a runtime.
 *
 * Constants without data (light models, stripped weights, weights in files of their own) get random
 * numbers, different ones for each constant: a runtime merges equal constants, and only the times
 * count here. Every consumer's copy is the same.
 */
#pragma once

#include "engine/io/onnx/onnx-tensor.h"

#include "engine/graph/graph.h"

typedef struct _GobanModelParts GobanModelParts;

/* Tensors are numbered over the model. */
typedef struct
{
  GBytes *model;
  GArray *inputs;  /* guint32 */
  GArray *outputs; /* guint32 */
} GobanModelPart;

/**
 * goban_model_parts_new:
 * @path: the file of an ONNX model
 * @graph: read from it
 * @batch: with which @graph was read; 0: the file's
 *
 * Returns: (transfer full) (nullable): %NULL with @error set: %GOBAN_ERROR_UNSUPPORTED if @graph is
 *   not that of the file
 */
GobanModelParts *goban_model_parts_new (const char *path, GobanGraph *graph, gint64 batch,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same of the file's contents; @path names them in messages. */
GobanModelParts *goban_model_parts_new_from_bytes (GBytes *bytes, const char *path,
                                                   GobanGraph *graph, gint64 batch,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_model_parts_free (GobanModelParts *self);

/* @part_of (n_nodes of the graph): the part of each node, copied. Before parts are cut. */
void goban_model_parts_divide (GobanModelParts *self, const guint32 *part_of);

/* The types of all its inputs must be known: those of the model's inputs are; others are set by
 * goban_model_parts_set_value(). (transfer full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED
 * set, naming the tensor */
GobanModelPart *goban_model_parts_cut (GobanModelParts *self, guint32 part,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_model_part_free (GobanModelPart *self);

/* Borrowed. */
GobanGraph *goban_model_parts_get_graph (const GobanModelParts *self);
guint goban_model_parts_get_n_tensors (const GobanModelParts *self);
const char *goban_model_parts_get_tensor_name (const GobanModelParts *self, guint32 tensor);
/* The same for messages, as valid UTF-8. (transfer full) */
char *goban_model_parts_dup_shown_name (const GobanModelParts *self,
                                        guint32 tensor) G_GNUC_WARN_UNUSED_RESULT;
/* Type and shape, either of which may be unknown. Borrowed. */
const GobanOnnxValue *goban_model_parts_get_value (const GobanModelParts *self, guint32 tensor);
/* Type and shape that a tensor had in a run. */
void goban_model_parts_set_value (GobanModelParts *self, guint32 tensor,
                                  const GobanOnnxValue *value);

/* Constants that were given random numbers so far. */
guint goban_model_parts_get_n_random (const GobanModelParts *self);

/* --- names of nodes in parts ----------------------------------------------------------------- */

/* The node of a name such as "goban-node-17", or GOBAN_NO_NODE. */
GobanNodeId goban_part_find_node (const GobanGraph *graph, const char *name);

/* @text with such names replaced by those of the nodes in the graph: for messages of the runtime
 * about a part. (transfer full) */
char *goban_part_rename_nodes (const GobanGraph *graph, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanModelParts, goban_model_parts_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanModelPart, goban_model_part_free)
