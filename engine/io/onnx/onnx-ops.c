#include "engine/io/onnx/onnx-ops.h"

#include <math.h>
#include <string.h>

GHashTable *
goban_onnx_rules_new (void)
{
  const GobanOnnxRules *all[] = {
    &goban_onnx_rules_contrib,  &goban_onnx_rules_conv,   &goban_onnx_rules_element,
    &goban_onnx_rules_index,    &goban_onnx_rules_matrix, &goban_onnx_rules_reduce,
    &goban_onnx_rules_sequence, &goban_onnx_rules_shape,
  };
  GHashTable *rules = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    for (gsize j = 0; j < all[i]->n; j++)
      g_hash_table_insert (rules, (gpointer) all[i]->rules[j].op, (gpointer) &all[i]->rules[j]);
  return rules;
}

const GobanOnnxRule *
goban_onnx_rules_find (GHashTable *rules, const Onnx__NodeProto *node)
{
  const char *domain = goban_onnx_str (node->domain);

  if (*domain != '\0' && !g_str_equal (domain, "ai.onnx") && !g_str_equal (domain, "com.microsoft"))
    return NULL;
  return g_hash_table_lookup (rules, goban_onnx_str (node->op_type));
}

const Onnx__AttributeProto *
goban_onnx_attr (const GobanOnnxOp *op, const char *name)
{
  for (gsize i = 0; i < op->node->n_attribute; i++)
    if (strcmp (goban_onnx_str (op->node->attribute[i]->name), name) == 0)
      return op->node->attribute[i];
  return NULL;
}

gint64
goban_onnx_attr_int (const GobanOnnxOp *op, const char *name, gint64 fallback)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, name);

  return attr != NULL && attr->has_i ? attr->i : fallback;
}

gboolean
goban_onnx_attr_is (const GobanOnnxOp *op, const char *name, const char *value)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, name);
  gsize n = strlen (value);

  return attr != NULL && attr->has_s && attr->s.len == n && memcmp (attr->s.data, value, n) == 0;
}

gint64
goban_onnx_attr_at (const GobanOnnxOp *op, const char *name, gsize i, gint64 fallback)
{
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, name);

  return attr != NULL && i < attr->n_ints ? attr->ints[i] : fallback;
}

const GobanOnnxValue *
goban_onnx_in (const GobanOnnxOp *op, guint i)
{
  return i < op->n_in ? op->in[i] : NULL;
}

const GobanOnnxValue *
goban_onnx_in_ranked (const GobanOnnxOp *op, guint i)
{
  const GobanOnnxValue *value = goban_onnx_in (op, i);

  return value != NULL && value->has_rank ? value : NULL;
}

int
goban_onnx_axis (double axis, guint rank)
{
  if (!(axis >= -(double) rank && axis < rank))
    return -1;
  return (int) (axis < 0 ? axis + rank : axis);
}

gint64
goban_onnx_dim (const GobanOnnxValue *value, gint64 axis)
{
  int i = value != NULL && value->has_rank ? goban_onnx_axis ((double) axis, value->n_dims) : -1;

  return i >= 0 ? value->dims[i] : -1;
}

void
goban_onnx_set (GobanOnnxOp *op, guint i, int dtype, const gint64 *dims, guint n)
{
  if (i >= op->n_out)
    return;
  op->out[i].dtype = dtype;
  if (n > GOBAN_ONNX_MAX_DIMS)
    return;
  op->out[i].has_rank = TRUE;
  op->out[i].n_dims = n;
  for (guint d = 0; d < n; d++)
    op->out[i].dims[d] = goban_onnx_extent ((double) dims[d]);
}

void
goban_onnx_set_like (GobanOnnxOp *op, guint i, int dtype, const GobanOnnxValue *like)
{
  if (like != NULL && like->has_rank)
    goban_onnx_set (op, i, dtype, like->dims, like->n_dims);
  else
    goban_onnx_set_dtype (op, i, dtype);
}

void
goban_onnx_set_dtype (GobanOnnxOp *op, guint i, int dtype)
{
  if (i < op->n_out)
    op->out[i].dtype = dtype;
}

int
goban_onnx_in_dtype (const GobanOnnxOp *op, guint i)
{
  const GobanOnnxValue *value = goban_onnx_in (op, i);

  return value != NULL ? value->dtype : 0;
}

static void
add_to_list (GobanOnnxList *list, double value)
{
  if (list->n == G_N_ELEMENTS (list->values) || isnan (value))
    list->is_known = FALSE;
  else
    list->values[list->n++] = value;
}

GobanOnnxList
goban_onnx_list (const GobanOnnxOp *op, const char *name, guint i)
{
  GobanOnnxList list = { 0 };
  const Onnx__AttributeProto *attr = goban_onnx_attr (op, name);
  const GobanOnnxValue *input = goban_onnx_in (op, i);

  list.is_present = attr != NULL || input != NULL;
  list.is_known = attr != NULL || (input != NULL && input->data != NULL);
  if (attr != NULL)
    {
      for (gsize j = 0; j < attr->n_ints; j++)
        add_to_list (&list, (double) attr->ints[j]);
      for (gsize j = 0; j < attr->n_floats; j++)
        add_to_list (&list, (double) attr->floats[j]);
      if (attr->n_ints == 0 && attr->n_floats == 0 && attr->has_i)
        add_to_list (&list, (double) attr->i);
    }
  else if (list.is_known)
    for (guint j = 0; j < input->n_data; j++)
      add_to_list (&list, input->data[j]);
  return list;
}

gboolean
goban_onnx_axes (const GobanOnnxList *list, guint rank, guint32 *axes)
{
  *axes = 0;
  if (!list->is_known)
    return FALSE;
  for (guint i = 0; i < list->n; i++)
    {
      double at = list->values[i] < 0 ? list->values[i] + rank : list->values[i];

      if (!(at >= 0 && at < rank))
        return FALSE;
      *axes |= 1u << (guint) at;
    }
  return TRUE;
}

gint64
goban_onnx_broadcast_extent (gint64 a, gint64 b)
{
  if (a == b || b == 1)
    return a;
  if (a == 1)
    return b;
  /* An unknown extent beside one above 1 can only be 1 or that one. */
  if (a < 0 || b < 0)
    return MAX (a, b) > 1 ? MAX (a, b) : -1;
  return -1;
}

gboolean
goban_onnx_broadcast (const GobanOnnxOp *op, guint first, GobanOnnxValue *shape)
{
  *shape = (GobanOnnxValue){ .has_rank = TRUE };
  for (guint i = first; i < op->n_in; i++)
    {
      if (op->in[i] == NULL)
        continue;
      if (!op->in[i]->has_rank)
        return FALSE;
      shape->n_dims = MAX (shape->n_dims, op->in[i]->n_dims);
    }

  for (guint d = 0; d < shape->n_dims; d++)
    shape->dims[d] = 1;
  for (guint i = first; i < op->n_in; i++)
    {
      guint shift = op->in[i] != NULL ? shape->n_dims - op->in[i]->n_dims : 0;

      for (guint d = 0; op->in[i] != NULL && d < op->in[i]->n_dims; d++)
        shape->dims[d + shift]
            = goban_onnx_broadcast_extent (shape->dims[d + shift], op->in[i]->dims[d]);
    }
  return TRUE;
}

void
goban_onnx_shape_same (GobanOnnxOp *op)
{
  goban_onnx_set_like (op, 0, goban_onnx_in_dtype (op, 0), goban_onnx_in (op, 0));
}

void
goban_onnx_cost_input (GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  const GobanOnnxValue *in = goban_onnx_in (op, 0);

  op->flops = in != NULL ? rule->steps * goban_onnx_value_elements (in) : (double) NAN;
}
