#include "engine/graph/workloads/tape-private.h"

#include <string.h>

/* A handle is a name of a resource, not its contents. */
#define HANDLE_BYTES 8.0

/* --- shapes ----------------------------------------------------------------------------------- */

double
shape_count (const Shape *shape)
{
  double count = 1;

  for (guint i = 0; i < shape->n_dims; i++)
    count *= (double) shape->dims[i];
  return count;
}

gboolean
shape_equal (const Shape *a, const Shape *b)
{
  return a->n_dims == b->n_dims && memcmp (a->dims, b->dims, a->n_dims * sizeof a->dims[0]) == 0;
}

static double
element_bytes (const char *dtype)
{
  if (strcmp (dtype, "bool") == 0)
    return 1;
  if (strcmp (dtype, "bf16") == 0 || strcmp (dtype, "f16") == 0)
    return 2;
  if (strcmp (dtype, "resource") == 0)
    return HANDLE_BYTES;
  return 4;
}

/* --- construction and disposal ---------------------------------------------------------------- */

Tape *
tape_new (const char *name, gboolean is_training)
{
  Tape *tape = g_new0 (Tape, 1);

  tape->builder = goban_graph_builder_new (name, "generated");
  tape->is_training = is_training;
  tape->is_recording = TRUE;
  tape->dtype = "f32";
  tape->phase = GOBAN_PHASE_FORWARD;
  tape->scope = g_string_sized_new (256);
  tape->scope_lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  tape->values = g_array_new (FALSE, FALSE, sizeof (TapeValue));
  tape->records = g_array_new (FALSE, FALSE, sizeof (TapeRecord));
  tape->operands = g_array_new (FALSE, FALSE, sizeof (Value));
  tape->variables = g_array_new (FALSE, FALSE, sizeof (TapeVariable));
  tape->gradients = g_array_new (FALSE, FALSE, sizeof (TapeGradientPart));
  tape->sent = g_array_new (FALSE, FALSE, sizeof (TapeSent));
  tape->edges = g_array_new (FALSE, FALSE, sizeof (TapeEdge));
  tape->names = g_string_chunk_new (1024);
  return tape;
}

void
tape_free (Tape *tape)
{
  g_clear_pointer (&tape->builder, goban_graph_builder_free);
  g_string_free (tape->scope, TRUE);
  g_clear_pointer (&tape->scope_lengths, g_array_unref);
  g_clear_pointer (&tape->values, g_array_unref);
  g_clear_pointer (&tape->records, g_array_unref);
  g_clear_pointer (&tape->operands, g_array_unref);
  g_clear_pointer (&tape->variables, g_array_unref);
  g_clear_pointer (&tape->gradients, g_array_unref);
  g_clear_pointer (&tape->sent, g_array_unref);
  g_clear_pointer (&tape->edges, g_array_unref);
  g_string_chunk_free (tape->names);
  g_free (tape);
}

gboolean
tape_is_training (const Tape *tape)
{
  return tape->is_training;
}

void
tape_modernise (Tape *tape, const char *dtype)
{
  tape->is_modern = TRUE;
  tape->dtype = dtype;
}

guint
tape_get_n_nodes (const Tape *tape)
{
  return goban_graph_builder_get_n_nodes (tape->builder);
}

/* --- scopes ----------------------------------------------------------------------------------- */

void
tape_push (Tape *tape, const char *format, ...)
{
  va_list args;

  g_array_append_val (tape->scope_lengths, tape->scope->len);
  va_start (args, format);
  g_string_append_vprintf (tape->scope, format, args);
  va_end (args);
  g_string_append_c (tape->scope, '/');
}

void
tape_pop (Tape *tape)
{
  guint last = tape->scope_lengths->len - 1;

  g_string_truncate (tape->scope, g_array_index (tape->scope_lengths, gsize, last));
  g_array_set_size (tape->scope_lengths, last);
}

void
tape_set_scope (Tape *tape, const char *prefix, const char *scope, gsize length, const char *suffix)
{
  g_string_assign (tape->scope, prefix);
  g_string_append_len (tape->scope, scope, (gssize) length);
  g_string_append (tape->scope, suffix);
  g_string_append_c (tape->scope, '/');
}

/* --- nodes ------------------------------------------------------------------------------------ */

static guint32
add_node (Tape *tape, const char *name, const char *op)
{
  gsize length = tape->scope->len;
  guint32 node;

  g_string_append (tape->scope, name);
  node = goban_graph_builder_add_node (tape->builder, tape->scope->str, op);
  g_string_truncate (tape->scope, length);
  goban_graph_builder_get_node (tape->builder, node)->phase = tape->phase;
  return node;
}

static Value
add_value (Tape *tape, guint32 node, const Shape *shape, const char *dtype)
{
  TapeValue value = {
    .shape = *shape,
    .dtype = dtype,
    .size_bytes = shape_count (shape) * element_bytes (dtype),
    .node = node,
    .gradient = NO_VALUE,
    .group = NO_VALUE,
  };

  value.tensor = goban_graph_builder_add_tensor (tape->builder, node, value.size_bytes);
  goban_graph_builder_set_tensor_shape (tape->builder, value.tensor, dtype, shape->dims,
                                        shape->n_dims);
  g_array_append_val (tape->values, value);
  return tape->values->len - 1;
}

void
tape_note_edge (Tape *tape, guint32 tail, guint32 head)
{
  TapeEdge edge = { tail, head };

  g_array_append_val (tape->edges, edge);
}

/* Returns: what the inputs take up; their edges are added. */
static double
connect_inputs (Tape *tape, guint32 node, const TapeCall *call)
{
  double bytes = 0;

  for (guint i = 0; i < call->n_inputs; i++)
    {
      const TapeValue *input = tape_value (tape, call->inputs[i]);

      goban_graph_builder_add_edge (tape->builder, input->tensor, node);
      tape_note_edge (tape, input->node, node);
      bytes += input->size_bytes;
      if (input->group != NO_VALUE)
        goban_graph_builder_set_group (tape->builder, node, input->group);
    }
  return bytes;
}

/* A value needs a gradient when one of the inputs does and the op lets it through. */
static void
mark_outputs (Tape *tape, const TapeCall *call, const char *node_name, Value first_output,
              guint n_outputs)
{
  gboolean is_needed = FALSE;

  if (!tape->is_recording || !tape->is_training || call->gradient == NULL)
    return;
  for (guint i = 0; i < call->n_inputs; i++)
    is_needed |= tape_value (tape, call->inputs[i])->needs_gradient;
  if (!is_needed)
    return;

  for (guint i = 0; i < n_outputs; i++)
    tape_value (tape, first_output + i)->needs_gradient = TRUE;

  TapeRecord entry = {
    .call = *call,
    .first_input = tape->operands->len,
    .node_name = node_name,
  };

  entry.call.inputs = NULL; /* these are the caller's */
  entry.call.outputs = NULL;
  entry.call.name = NULL;
  entry.call.first_output = first_output;
  entry.call.n_outputs = n_outputs;
  g_array_append_vals (tape->operands, call->inputs, call->n_inputs);
  g_array_append_val (tape->records, entry);
}

Value
tape_emit (Tape *tape, const TapeCall *call)
{
  guint32 id = add_node (tape, call->name != NULL ? call->name : call->op, call->op);
  double read_bytes = connect_inputs (tape, id, call);
  double written_bytes = 0;
  Value first = call->n_outputs > 0 ? tape->values->len : NO_VALUE;
  GobanNode *node;

  for (guint i = 0; i < call->n_outputs; i++)
    {
      const char *dtype = i > 0 && call->later_dtype != NULL ? call->later_dtype : call->dtype;
      Value output = add_value (tape, id, &call->outputs[i], dtype != NULL ? dtype : tape->dtype);

      written_bytes += tape_value (tape, output)->size_bytes;
    }

  node = goban_graph_builder_get_node (tape->builder, id);
  node->flops = call->flops;
  node->macs = call->macs;
  if (!call->is_free)
    {
      node->read_bytes = call->read_bytes > 0 ? call->read_bytes : read_bytes;
      node->written_bytes = call->written_bytes > 0 ? call->written_bytes : written_bytes;
    }
  mark_outputs (tape, call, node->name, first, call->n_outputs);
  return first;
}

Value
tape_alias (Tape *tape, const TapeCall *call)
{
  TapeValue alias = *tape_value (tape, call->inputs[0]);
  Value id = tape->values->len;
  g_autofree char *name = g_strconcat (tape->scope->str, call->name, NULL);

  alias.gradient = NO_VALUE;
  alias.needs_gradient = FALSE;
  g_array_append_val (tape->values, alias);
  mark_outputs (tape, call, g_string_chunk_insert (tape->names, name), id, 1);
  return id;
}

Value
tape_const (Tape *tape, const char *name, guint n_numbers)
{
  Shape shape = SHAPE (n_numbers);
  TapeCall call = {
    .op = "Const", .name = name, .outputs = &shape, .n_outputs = 1, .dtype = "s32", .is_free = TRUE
  };

  if (n_numbers == 1)
    shape = SHAPE_SCALAR;
  return tape_emit (tape, &call);
}

Value
tape_input (Tape *tape, const char *name, Shape shape, const char *dtype)
{
  return tape_emit (tape, &(TapeCall){ .op = "Placeholder",
                                       .name = name,
                                       TAPE_OUTPUTS (shape),
                                       .dtype = dtype,
                                       .is_free = TRUE });
}

/* --- variables -------------------------------------------------------------------------------- */

static guint32
add_handle (Tape *tape, const char *name, double bytes, Value *handle)
{
  guint32 id = add_node (tape, name, "VarHandleOp");
  GobanNode *node = goban_graph_builder_get_node (tape->builder, id);

  node->param_bytes = bytes;
  *handle = add_value (tape, id, &SHAPE_SCALAR, "resource");
  goban_graph_builder_set_group (tape->builder, id, id);
  return id;
}

Variable
tape_variable (Tape *tape, const char *name, Shape shape)
{
  TapeVariable variable
      = { .shape = shape, .value = NO_VALUE, .element_bytes = element_bytes (tape->dtype) };
  GobanNode *node;

  variable.node
      = add_handle (tape, name, variable.element_bytes * shape_count (&shape), &variable.handle);
  node = goban_graph_builder_get_node (tape->builder, variable.node);
  node->param_count = shape_count (&shape);
  variable.name = node->name;
  tape_value (tape, variable.handle)->needs_gradient = TRUE;
  g_array_append_val (tape->variables, variable);
  return tape->variables->len - 1;
}

/* A name outside the present scope, for what belongs to a variable. */
static Value
read_handle (Tape *tape, const char *name, guint32 node, Value handle, const Shape *shape)
{
  g_autofree char *scope = g_strdup (tape->scope->str);
  Value value;

  tape_set_scope (tape, "", name, strlen (name), "");
  value = tape_emit (tape, &(TapeCall){ .op = "ReadVariableOp",
                                        .name = "Read",
                                        TAPE_INPUTS (handle),
                                        TAPE_OUTPUTS (*shape),
                                        .is_free = TRUE });
  goban_graph_builder_set_group (tape->builder, tape_last_node (tape), node);
  g_string_assign (tape->scope, scope);
  return value;
}

Value
tape_read (Tape *tape, Variable id)
{
  TapeVariable *variable = &g_array_index (tape->variables, TapeVariable, id);

  if (variable->value == NO_VALUE)
    {
      variable->value
          = read_handle (tape, variable->name, variable->node, variable->handle, &variable->shape);
      tape_value (tape, variable->value)->needs_gradient = TRUE;
    }
  return variable->value;
}

/* The group of the variables of a scope is that of the first. */
static guint32
find_group (const Tape *tape, Variable id)
{
  const TapeVariable *variable = &g_array_index (tape->variables, TapeVariable, id);
  gsize length = strlen (variable->name) - strlen (strrchr (variable->name, '/'));

  while (id > 0)
    {
      const TapeVariable *before = &g_array_index (tape->variables, TapeVariable, id - 1);

      if (strncmp (before->name, variable->name, length + 1) != 0
          || strchr (before->name + length + 1, '/') != NULL)
        break;
      variable = before;
      id--;
    }
  return variable->node;
}

Value
tape_weight (Tape *tape, const char *name, Shape shape)
{
  Variable id = tape_variable (tape, name, shape);
  TapeVariable *variable = &g_array_index (tape->variables, TapeVariable, id);
  TapeValue value;

  if (!tape->is_modern)
    return tape_read (tape, id);

  value = *tape_value (tape, variable->handle);
  value.shape = shape;
  value.dtype = tape->dtype;
  value.size_bytes = variable->element_bytes * shape_count (&shape);
  value.group = find_group (tape, id);
  goban_graph_builder_set_group (tape->builder, variable->node, value.group);
  variable->value = tape->values->len;
  g_array_append_val (tape->values, value);
  return variable->value;
}

void
tape_freeze (Tape *tape, Value weight)
{
  tape_value (tape, weight)->needs_gradient = FALSE;
}

Value
tape_resident (Tape *tape, const char *name, double bytes)
{
  Value handle;

  add_handle (tape, name, bytes, &handle);
  return handle;
}

void
tape_touch (Tape *tape, Value resident, double read_bytes, double written_bytes)
{
  guint32 id = tape_last_node (tape);
  GobanNode *node = goban_graph_builder_get_node (tape->builder, id);

  if (resident == NO_VALUE)
    return;
  node->read_bytes += read_bytes;
  node->written_bytes += written_bytes;
  goban_graph_builder_add_edge (tape->builder, tape_value (tape, resident)->tensor, id);
  tape_note_edge (tape, tape_value (tape, resident)->node, id);
  goban_graph_builder_set_group (tape->builder, id, tape_value (tape, resident)->node);
}

/* The rows' gradient stays as it is: IndexedSlices, not a table of zeros around it. */
static void
gather_gradient (Tape *tape, const TapeCall *call, const Value *dy)
{
  Shape rows = SHAPE ((gint64) tape_count (tape, call->inputs[1]), call->attrs[0]);
  Value values;
  Value flat;

  values = tape_emit (tape, &(TapeCall){ .op = "Reshape",
                                         TAPE_INPUTS (dy[0], tape_const (tape, "concat", 2)),
                                         TAPE_OUTPUTS (rows),
                                         .is_free = TRUE });
  flat = tape_emit (tape, &(TapeCall){ .op = "Reshape",
                                       TAPE_INPUTS (call->inputs[1], tape_const (tape, "Size", 1)),
                                       TAPE_OUTPUTS (SHAPE (rows.dims[0])),
                                       .dtype = "s32",
                                       .is_free = TRUE });
  tape_send_rows (tape, call->inputs[0], values, flat);
}

Value
tape_gather (Tape *tape, Variable id, Value indices)
{
  const TapeVariable *table = &g_array_index (tape->variables, TapeVariable, id);
  Shape shape = tape_shape (tape, indices);
  guint32 group = table->node;
  double bytes;
  Value value;

  for (guint i = 1; i < table->shape.n_dims; i++)
    shape.dims[shape.n_dims++] = table->shape.dims[i];
  bytes = 4 * shape_count (&shape) + tape_bytes (tape, indices);
  value = tape_emit (tape, &(TapeCall){ .op = "ResourceGather",
                                        TAPE_INPUTS (table->handle, indices),
                                        TAPE_OUTPUTS (shape),
                                        .read_bytes = bytes,
                                        .gradient = gather_gradient,
                                        .attrs = { table->shape.dims[1] } });
  goban_graph_builder_set_group (tape->builder, tape_last_node (tape), group);
  return value;
}

/* --- looking back --------------------------------------------------------------------------- */

Shape
tape_shape (const Tape *tape, Value value)
{
  return tape_value (tape, value)->shape;
}

gint64
tape_dim (const Tape *tape, Value value, guint dim)
{
  return tape_value (tape, value)->shape.dims[dim];
}

const char *
tape_dtype (const Tape *tape, Value value)
{
  return tape_value (tape, value)->dtype;
}

double
tape_count (const Tape *tape, Value value)
{
  return shape_count (&tape_value (tape, value)->shape);
}

double
tape_bytes (const Tape *tape, Value value)
{
  return tape_value (tape, value)->size_bytes;
}

gboolean
tape_needs_gradient (const Tape *tape, Value value)
{
  return tape_value (tape, value)->needs_gradient;
}

void
tape_send (Tape *tape, Value input, Value dx)
{
  TapeSent sent = { input, dx, NO_VALUE };

  if (tape_needs_gradient (tape, input))
    g_array_append_val (tape->sent, sent);
}

void
tape_send_rows (Tape *tape, Value handle, Value rows, Value indices)
{
  TapeSent sent = { handle, rows, indices };

  g_array_append_val (tape->sent, sent);
}

GobanGraph *
tape_finish (Tape *tape, Value loss, const Optimizer *optimizer, GError **error)
{
  tape->is_recording = FALSE;
  if (tape->is_training)
    {
      tape_walk_back (tape, loss);
      tape_optimize (tape, optimizer);
      tape_idle_dead_gradients (tape);
    }
  return goban_graph_builder_finish (tape->builder, NULL, error);
}
