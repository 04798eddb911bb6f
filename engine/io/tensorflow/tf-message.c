#include "engine/io/tensorflow/tf-message.h"

#include "engine/base/error.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-text.h"

#include <string.h>

/* --- recognising ----------------------------------------------------------------------------- */

GobanTfForm
goban_tf_form_of_text (const char *data, gsize size)
{
  char name[32];

  goban_protobuf_text_first_field (data, size, name, sizeof name);
  if (strcmp (name, "node") == 0 || strcmp (name, "library") == 0 || strcmp (name, "versions") == 0)
    return GOBAN_TF_FORM_GRAPH;
  if (strcmp (name, "meta_info_def") == 0 || strcmp (name, "graph_def") == 0)
    return GOBAN_TF_FORM_META;
  return strcmp (name, "saved_model_schema_version") == 0 || strcmp (name, "meta_graphs") == 0
             ? GOBAN_TF_FORM_SAVED
             : GOBAN_TF_FORM_NONE;
}

/* Printable, and there is some. */
static gboolean
is_word (const guint8 *data, const GobanProtobufField *field)
{
  for (gsize i = 0; field->whole && i < field->value; i++)
    if (data[field->start + i] <= ' ' || data[field->start + i] == 0x7f)
      return FALSE;
  return field->whole && field->value > 0;
}

/* A name, an operator, and one of the following: an input is a word, others have none there. */
static gboolean
is_node (const guint8 *data, gsize size)
{
  GobanProtobufField field;
  gsize at = 0;

  for (guint tag = 1; tag <= 2; tag++)
    if (!goban_protobuf_next_field (data, size, &at, &field) || field.tag != tag || field.wire != 2
        || !is_word (data, &field))
      return FALSE;
  if (at == size)
    return TRUE;
  return goban_protobuf_next_field (data, size, &at, &field) && field.wire == 2 && field.tag >= 3
         && field.tag <= 7 && (field.tag != 3 || is_word (data, &field));
}

static GobanTfForm form_of_bytes (const guint8 *data, gsize size, guint depth);

/* Whether the next field is @tag, of bytes, and these are a message of that form, which is nested
 * one deeper than @depth. */
static gboolean
holds (const guint8 *data, gsize size, gsize at, guint tag, GobanTfForm form, guint depth)
{
  GobanProtobufField field;

  if (!goban_protobuf_next_field (data, size, &at, &field) || field.tag != tag || field.wire != 2)
    return FALSE;
  return form_of_bytes (data + field.start, MIN (field.value, size - field.start), depth + 1)
         == form;
}

static GobanTfForm
form_of_bytes (const guint8 *data, gsize size, guint depth)
{
  GobanProtobufField field;
  gsize at = 0;

  if (!goban_protobuf_next_field (data, size, &at, &field))
    return GOBAN_TF_FORM_NONE;
  if (field.tag == 1 && field.wire == 2
      && is_node (data + field.start, MIN (field.value, size - field.start)))
    return GOBAN_TF_FORM_GRAPH;
  if (depth < 3 && field.tag == 1 && field.wire == 2 && field.whole
      && holds (data, size, at, 2, GOBAN_TF_FORM_GRAPH, depth))
    return GOBAN_TF_FORM_META;
  if (depth < 3 && holds (data, size, 0, 2, GOBAN_TF_FORM_GRAPH, depth))
    return GOBAN_TF_FORM_META;
  if (depth == 0 && field.tag == 1 && field.wire == 0 && field.value < 100
      && holds (data, size, at, 2, GOBAN_TF_FORM_META, depth))
    return GOBAN_TF_FORM_SAVED;
  return GOBAN_TF_FORM_NONE;
}

GobanTfForm
goban_tf_form_of_bytes (const char *data, gsize size)
{
  return form_of_bytes ((const guint8 *) data, size, 0);
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
      *form = form_of_bytes ((const guint8 *) data, size, 0);
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
