/* tf-message.h: the forms of a file with a TensorFlow graph: GraphDef, MetaGraphDef, SavedModel;
 * binary or text.
 */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/io/tensorflow.pb-c.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_TF_FORM_NONE,
  GOBAN_TF_FORM_GRAPH,
  GOBAN_TF_FORM_META,
  GOBAN_TF_FORM_SAVED,
} GobanTfForm;

/* By the first field of a text, by the structure of bytes; GOBAN_TF_FORM_NONE if the text or the
 * bytes are of another kind. */
GobanTfForm goban_tf_form_of_text (const char *data, gsize size);
GobanTfForm goban_tf_form_of_bytes (const char *data, gsize size);

/**
 * goban_tf_decode:
 * @form: (out): of text or of bytes
 *
 * Returns: (transfer full) (nullable): for protobuf_c_message_free_unpacked(); %NULL with
 *   %GOBAN_ERROR_PARSE set
 */
ProtobufCMessage *goban_tf_decode (const char *data, gsize size, const char *path,
                                   GobanTfForm *form, GError **error);

/* (nullable): the first graph of the message, and its model, if there is one. @builder takes the
 * warnings. */
const GobanTf__GraphDef *goban_tf_find_graph (const ProtobufCMessage *message, GobanTfForm form,
                                              GobanGraphBuilder *builder,
                                              const GobanTf__MetaGraph **meta);

G_END_DECLS
