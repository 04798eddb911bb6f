#include "engine/io/onnx/onnx-stub.h"

#include <stdlib.h>
#include <string.h>

#include "engine/graph/graph-builder.h"

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

#define MAX_SHOWN 20

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
goban_unruled_ops_warn (GHashTable *ops, GobanGraphBuilder *builder)
{
  guint n;
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (ops, &n);

  qsort (names, n, sizeof *names, compare_ops);
  for (guint i = 0; i < MIN (n, MAX_SHOWN); i++)
    goban_graph_builder_warn (builder, "no rule for op %s (%u of the nodes): its FLOPs count as 0",
                              (const char *) names[i],
                              GPOINTER_TO_UINT (g_hash_table_lookup (ops, names[i])));
  if (n > MAX_SHOWN)
    goban_graph_builder_warn (builder, "no rule for %u more ops: their FLOPs count as 0",
                              n - MAX_SHOWN);
}
