#include "engine/io/onnx/onnx-stub.h"

#include <string.h>

void
goban_onnx_stub_init (GobanOnnxStub *self, const char *op)
{
  onnx__node_proto__init (&self->node);
  self->node.op_type = (char *) op;
  self->node.attribute = self->list;
}

static Onnx__AttributeProto *
add (GobanOnnxStub *self, const char *name)
{
  gsize i = self->node.n_attribute;

  g_assert (i < GOBAN_ONNX_STUB_ATTRS);
  onnx__attribute_proto__init (&self->attrs[i]);
  self->attrs[i].name = (char *) name;
  self->list[i] = &self->attrs[i];
  self->node.n_attribute++;
  return &self->attrs[i];
}

void
goban_onnx_stub_add_ints (GobanOnnxStub *self, const char *name, const gint64 *values, gsize n)
{
  gint64 *own = self->ints[self->node.n_attribute];
  Onnx__AttributeProto *attr = add (self, name);

  g_assert (n <= G_N_ELEMENTS (self->ints[0]));
  memcpy (own, values, n * sizeof *values);
  attr->ints = own;
  attr->n_ints = n;
  attr->has_i = n == 1;
  attr->i = n > 0 ? values[0] : 0;
}

void
goban_onnx_stub_add_text (GobanOnnxStub *self, const char *name, const char *value)
{
  Onnx__AttributeProto *attr = add (self, name);

  attr->has_s = TRUE;
  attr->s = (ProtobufCBinaryData){ strlen (value), (guint8 *) value };
}
