#include "engine/io/tensorflow/tf-message.h"

#include "engine/core/error.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/protobuf-text.h"

#include <string.h>

/* --- recognising ----------------------------------------------------------------------------- */

GobanTfForm
goban_tf_form_of_text (const char *data, gsize size)
{
  /* Any of them may be the first. */
  static const struct
  {
    const char *name;
    GobanTfForm form;
  } fields[] = {
    { "node", GOBAN_TF_FORM_GRAPH },
    { "library", GOBAN_TF_FORM_GRAPH },
    { "versions", GOBAN_TF_FORM_GRAPH },
    { "meta_info_def", GOBAN_TF_FORM_META },
    { "graph_def", GOBAN_TF_FORM_META },
    { "saver_def", GOBAN_TF_FORM_META },
    { "collection_def", GOBAN_TF_FORM_META },
    { "signature_def", GOBAN_TF_FORM_META },
    { "asset_file_def", GOBAN_TF_FORM_META },
    { "object_graph_def", GOBAN_TF_FORM_META },
    { "saved_model_schema_version", GOBAN_TF_FORM_SAVED },
    { "meta_graphs", GOBAN_TF_FORM_SAVED },
  };
  char name[32];

  goban_protobuf_text_first_field (data, size, name, sizeof name);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strcmp (name, fields[i].name) == 0)
      return fields[i].form;
  return GOBAN_TF_FORM_NONE;
}

GobanTfForm
goban_tf_form_of_bytes (const char *data, gsize size)
{
  static const struct
  {
    const GobanProbeShape *shape;
    GobanTfForm form;
  } forms[] = {
    { &goban_probe_graph_def, GOBAN_TF_FORM_GRAPH },
    { &goban_probe_meta_graph, GOBAN_TF_FORM_META },
    { &goban_probe_saved_model, GOBAN_TF_FORM_SAVED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (goban_protobuf_probe (forms[i].shape, (const guint8 *) data, size))
      return forms[i].form;
  return GOBAN_TF_FORM_NONE;
}

/* --- unpacking ------------------------------------------------------------------------------- */

static const ProtobufCMessageDescriptor *
get_descriptor (GobanTfForm form)
{
  if (form == GOBAN_TF_FORM_SAVED)
    return &goban_tf__saved_model__descriptor;
  return form == GOBAN_TF_FORM_META ? &goban_tf__meta_graph__descriptor
                                    : &goban_tf__graph_def__descriptor;
}

static ProtobufCMessage *
unpack (GobanTfForm form, const guint8 *data, gsize size, const char *path, GError **error)
{
  const ProtobufCMessageDescriptor *descriptor = get_descriptor (form);
  ProtobufCMessage *message;

  if (!goban_protobuf_check (descriptor, data, size, path, "a TensorFlow graph", error))
    return NULL;
  message = protobuf_c_message_unpack (descriptor, NULL, size, data);
  if (message == NULL)
    goban_refuse (error, GOBAN_ERROR_PARSE,
                  "%s: not a TensorFlow graph: a field has another type than it should", path);
  return message;
}

ProtobufCMessage *
goban_tf_decode (const char *data, gsize size, const char *path, GobanTfForm *form, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;

  if (size == 0)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the file is empty", path);
      return NULL;
    }
  *form = goban_tf_form_of_text (data, size);
  if (*form == GOBAN_TF_FORM_NONE)
    {
      *form = goban_tf_form_of_bytes (data, size);
      return unpack (*form, (const guint8 *) data, size, path, error);
    }
  bytes = goban_protobuf_text_encode (get_descriptor (*form), data, size, path, error);
  return bytes != NULL ? unpack (*form, bytes->data, bytes->len, path, error) : NULL;
}

const GobanTf__GraphDef *
goban_tf_find_graph (const ProtobufCMessage *message, GobanTfForm form, GobanGraphBuilder *builder,
                     const GobanTf__MetaGraph **meta)
{
  const GobanTf__SavedModel *saved = (const GobanTf__SavedModel *) message;

  *meta = form == GOBAN_TF_FORM_META ? (const GobanTf__MetaGraph *) message : NULL;
  if (form == GOBAN_TF_FORM_GRAPH)
    return (const GobanTf__GraphDef *) message;
  if (form == GOBAN_TF_FORM_SAVED && saved->n_meta_graphs > 1)
    goban_graph_builder_warn (builder, "the file holds %zu graphs; the first is read",
                              saved->n_meta_graphs);
  if (form == GOBAN_TF_FORM_SAVED && saved->n_meta_graphs > 0)
    *meta = saved->meta_graphs[0];
  return *meta != NULL ? (*meta)->graph_def : NULL;
}
