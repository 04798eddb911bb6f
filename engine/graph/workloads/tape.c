#include "engine/graph/workloads/tape.h"

#include <string.h>

#include "engine/graph/workloads/tape-private.h"

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

/* The scope becomes @scope and a '/', whatever it was. */
static void
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

/* @head must come after all heads so far, or be the last of them. */
static void
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

/* Rows sent to a table's handle. */
static void
tape_send_rows (Tape *tape, Value handle, Value rows, Value indices)
{
  TapeSent sent = { handle, rows, indices };

  g_array_append_val (tape->sent, sent);
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

/* --- backward ------------------------------------------------------------- */

/* Adds one more gradient to those of a value. */
static void
add_part (Tape *tape, Value value, Value dx, Value indices)
{
  TapeGradientPart part = { dx, indices, tape_value (tape, value)->gradient };

  tape_value (tape, value)->gradient = tape->gradients->len;
  g_array_append_val (tape->gradients, part);
}

/* Several gradients of one op leave it together, once all are there: tuple() of TensorFlow. */
static void
gate_sent (Tape *tape)
{
  guint n_sent = tape->sent->len;
  gsize length = tape->scope->len;
  guint32 gate;

  g_string_append (tape->scope, "tuple/");
  tape_emit (tape, &(TapeCall){ .op = "NoOp", .name = "group_deps", .is_free = TRUE });
  gate = tape_last_node (tape);
  for (guint i = 0; i < n_sent; i++)
    {
      const TapeSent *sent = &g_array_index (tape->sent, TapeSent, i);

      goban_graph_builder_add_control_edge (tape->builder, tape_value (tape, sent->dx)->node, gate);
      tape_note_edge (tape, tape_value (tape, sent->dx)->node, gate);
    }
  for (guint i = 0; i < n_sent; i++)
    {
      TapeSent *sent = &g_array_index (tape->sent, TapeSent, i);
      Shape shape = tape_shape (tape, sent->dx);

      sent->dx = tape_emit (tape, &(TapeCall){ .op = "Identity",
                                               .name = "control_dependency",
                                               TAPE_INPUTS (sent->dx),
                                               TAPE_OUTPUTS (shape),
                                               .is_free = TRUE });
      goban_graph_builder_add_control_edge (tape->builder, gate, tape_last_node (tape));
      tape_note_edge (tape, gate, tape_last_node (tape));
    }
  g_string_truncate (tape->scope, length);
}

/* parts: (n) from the oldest to the newest. */
static Value
add_parts (Tape *tape, const Value *parts, guint n, const Shape *shape)
{
  return tape_emit (tape, &(TapeCall){ .op = "AddN",
                                       .inputs = parts,
                                       .n_inputs = n,
                                       .outputs = shape,
                                       .n_outputs = 1,
                                       .flops = (n - 1) * shape_count (shape) });
}

/* One run of rows out of several: values and indices are concatenated. */
static Value
join_rows (Tape *tape, const Value *rows, guint n, const char *dtype)
{
  g_autofree Value *inputs = g_new (Value, n + 1);
  Shape shape = tape_shape (tape, rows[0]);

  shape.dims[0] = 0;
  for (guint i = 0; i < n; i++)
    {
      inputs[i] = rows[i];
      shape.dims[0] += tape_dim (tape, rows[i], 0);
    }
  inputs[n] = tape_const (tape, "concat/axis", 1);
  return tape_emit (tape, &(TapeCall){ .op = "ConcatV2",
                                       .name = "concat",
                                       .inputs = inputs,
                                       .n_inputs = n + 1,
                                       TAPE_OUTPUTS (shape),
                                       .dtype = dtype });
}

/* Rows among dense gradients are spread over a table of zeros, as AddN needs them. */
static Value
spread_rows (Tape *tape, Value rows, Value indices, const Shape *shape)
{
  return tape_emit (tape, &(TapeCall){ .op = "UnsortedSegmentSum",
                                       TAPE_INPUTS (rows, indices, tape_const (tape, "Shape", 1)),
                                       .outputs = shape,
                                       .n_outputs = 1,
                                       .flops = tape_count (tape, rows) });
}

/* The sum of a value's gradients, by AddN if there are several; NO_VALUE if there are none.
 * @indices: (out): of the rows, where all of them are rows; else NO_VALUE */
static Value
tape_sum_gradients (Tape *tape, Value value, const Shape *shape, Value *indices)
{
  g_autoptr (GArray) dense = g_array_new (FALSE, FALSE, sizeof (Value));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Value));
  g_autoptr (GArray) row_indices = g_array_new (FALSE, FALSE, sizeof (Value));
  Value sum;

  *indices = NO_VALUE;
  for (guint32 i = tape_value (tape, value)->gradient; i != NO_VALUE;)
    {
      const TapeGradientPart *part = &g_array_index (tape->gradients, TapeGradientPart, i);

      g_array_append_val (part->indices == NO_VALUE ? dense : rows, part->dx);
      if (part->indices != NO_VALUE)
        g_array_append_val (row_indices, part->indices);
      i = part->next;
    }
  if (dense->len + rows->len == 0)
    return NO_VALUE;

  if (rows->len > 0)
    {
      sum = g_array_index (rows, Value, 0);
      *indices = g_array_index (row_indices, Value, 0);
      if (rows->len > 1)
        {
          sum = join_rows (tape, (const Value *) (gpointer) rows->data, rows->len, "f32");
          *indices
              = join_rows (tape, (const Value *) (gpointer) row_indices->data, rows->len, "s32");
        }
      if (dense->len == 0)
        return sum;
      sum = spread_rows (tape, sum, *indices, shape);
      *indices = NO_VALUE;
      g_array_append_val (dense, sum);
    }
  if (dense->len == 1)
    return g_array_index (dense, Value, 0);
  return add_parts (tape, (const Value *) (gpointer) dense->data, dense->len, shape);
}

/* dy (n_outputs). Returns: whether there is any. A sum is made in the scope of its producer. */
static gboolean
gather_output_gradients (Tape *tape, const TapeRecord *record, Value *dy)
{
  const char *slash = strrchr (record->node_name, '/');
  gsize length = slash != NULL ? (gsize) (slash - record->node_name) : 0;
  gboolean is_any = FALSE;

  tape_set_scope (tape, length > 0 ? "gradients/" : "gradients", record->node_name, length, "");
  for (guint i = 0; i < record->call.n_outputs; i++)
    {
      Value output = record->call.first_output + i;
      Shape shape = tape_shape (tape, output);
      Value indices;

      dy[i] = tape_sum_gradients (tape, output, &shape, &indices);
      is_any |= dy[i] != NO_VALUE;
    }
  return is_any;
}

static void
differentiate (Tape *tape, guint index)
{
  TapeRecord record = g_array_index (tape->records, TapeRecord, index);
  g_autofree Value *dy = g_new (Value, record.call.n_outputs);

  if (!gather_output_gradients (tape, &record, dy))
    return;

  tape_set_scope (tape, "gradients/", record.node_name, strlen (record.node_name), "_grad");
  record.call.inputs = &g_array_index (tape->operands, Value, record.first_input);
  g_array_set_size (tape->sent, 0);
  record.call.gradient (tape, &record.call, dy);
  if (tape->sent->len > 1 && !tape->is_modern)
    gate_sent (tape);
  for (guint i = 0; i < tape->sent->len; i++)
    {
      const TapeSent *sent = &g_array_index (tape->sent, TapeSent, i);

      add_part (tape, sent->input, sent->dx, sent->indices);
    }
}

/* Walks back from the loss: afterwards the gradients of the variables are known. */
static void
tape_walk_back (Tape *tape, Value loss)
{
  Shape shape = tape_shape (tape, loss);
  Value seed;

  tape->phase = GOBAN_PHASE_BACKWARD;
  {
    const GobanNode *node
        = goban_graph_builder_get_node (tape->builder, tape_value (tape, loss)->node);

    tape_set_scope (tape, "gradients/", node->name, strlen (node->name), "_grad");
  }
  seed = tape_emit (tape, &(TapeCall){ .op = "Fill",
                                       .name = "ones",
                                       TAPE_INPUTS (tape_const (tape, "Shape", 1),
                                                    tape_const (tape, "grad_ys_0", 1)),
                                       TAPE_OUTPUTS (shape),
                                       .is_free = tape->is_modern });
  add_part (tape, loss, seed, NO_VALUE);
  for (guint i = tape->records->len; i-- > 0;)
    differentiate (tape, i);
}

/* Gradients that lead to no update cost nothing: TensorFlow writes them into its graph, where they
 * count as nodes, and prunes them before it runs. */
static void
tape_idle_dead_gradients (Tape *tape)
{
  guint n_nodes = goban_graph_builder_get_n_nodes (tape->builder);
  g_autofree gboolean *is_live = g_new (gboolean, n_nodes);

  for (guint32 v = 0; v < n_nodes; v++)
    is_live[v] = goban_graph_builder_get_node (tape->builder, v)->phase != GOBAN_PHASE_BACKWARD;
  /* Edges lead upwards and are sorted by their heads, so a head has the gradients of all its
   * readers. */
  for (guint i = tape->edges->len; i-- > 0;)
    {
      const TapeEdge *edge = &g_array_index (tape->edges, TapeEdge, i);

      if (is_live[edge->head])
        is_live[edge->tail] = TRUE;
    }

  for (guint32 v = 0; v < n_nodes; v++)
    if (!is_live[v])
      {
        GobanNode *node = goban_graph_builder_get_node (tape->builder, v);

        node->flops = node->macs = node->read_bytes = node->written_bytes = 0;
      }
  for (Value value = 0; value < tape->values->len; value++)
    if (!is_live[tape_value (tape, value)->node])
      goban_graph_builder_set_tensor_size (tape->builder, tape_value (tape, value)->tensor, 0);
}

/* --- optimisers ----------------------------------------------------------- */

const Optimizer optimizer_sgd
    = { "ResourceApplyGradientDescent", "ResourceScatterSub", 0, 1, 2, FALSE };
const Optimizer optimizer_momentum
    = { "ResourceApplyMomentum", "ResourceSparseApplyMomentum", 1, 2, 4, FALSE };
const Optimizer optimizer_adagrad
    = { "ResourceApplyAdagradV2", "ResourceSparseApplyAdagradV2", 1, 2, 6, TRUE };
const Optimizer optimizer_adam = { "ResourceApplyAdam", "ResourceSparseApplyAdam", 2, 4, 12, TRUE };
const Optimizer optimizer_rmsprop
    = { "ResourceApplyRMSProp", "ResourceSparseApplyRMSProp", 2, 4, 10, FALSE };

const Optimizer optimizer_fused_adam = { "FusedAdam", NULL, 2, 0, 12, FALSE };

/* The gradient of one variable, on its way to being applied. */
typedef struct
{
  Variable variable;
  Value dx;
  Value indices; /* NO_VALUE: dense */
} Update;

static const TapeVariable *
variable_of (const Tape *tape, const Update *update)
{
  return &g_array_index (tape->variables, TapeVariable, update->variable);
}

/* A variable that is both gathered from and read has gradients in two places: one sum of them. */
static gboolean
take_gradient (Tape *tape, Variable id, Update *update)
{
  TapeVariable *variable = &g_array_index (tape->variables, TapeVariable, id);
  const char *slash = strrchr (variable->name, '/');
  gsize length = slash != NULL ? (gsize) (slash - variable->name) : 0;

  if (variable->value != NO_VALUE)
    {
      guint32 *last = &tape_value (tape, variable->handle)->gradient;

      while (*last != NO_VALUE)
        last = &g_array_index (tape->gradients, TapeGradientPart, *last).next;
      *last = tape_value (tape, variable->value)->gradient;
    }
  tape_set_scope (tape, length > 0 ? "gradients/" : "gradients", variable->name, length, "");
  update->variable = id;
  update->dx = tape_sum_gradients (tape, variable->handle, &variable->shape, &update->indices);
  return update->dx != NO_VALUE;
}

static Value
emit_scalar (Tape *tape, const char *op, const char *name, const Value *inputs, guint n_inputs)
{
  return tape_emit (tape, &(TapeCall){ .op = op,
                                       .name = name,
                                       .inputs = inputs,
                                       .n_inputs = n_inputs,
                                       TAPE_OUTPUTS (SHAPE_SCALAR),
                                       .flops = 1 });
}

static void
enter_variable (Tape *tape, const Update *update)
{
  const char *name = variable_of (tape, update)->name;

  tape_set_scope (tape, "optimizer/", name, strlen (name), "");
}

/* clip / max (norm, clip), where norm is over all gradients: clip_by_global_norm. */
static Value
make_clip_factor (Tape *tape, const Update *updates, guint n)
{
  g_autofree Value *squares = g_new (Value, n);
  Value sum;
  Value norm;
  Value inverse;
  Value least;

  /* Each norm belongs to the backward pass of its layer: only what follows waits for all. */
  tape->phase = GOBAN_PHASE_BACKWARD;
  for (guint i = 0; i < n; i++)
    {
      const char *name = variable_of (tape, &updates[i])->name;

      tape_set_scope (tape, "gradients/", name, strlen (name), "");
      squares[i] = tape_emit (tape, &(TapeCall){ .op = "L2Loss",
                                                 TAPE_INPUTS (updates[i].dx),
                                                 TAPE_OUTPUTS (SHAPE_SCALAR),
                                                 .flops = 3 * tape_count (tape, updates[i].dx) });
    }
  tape->phase = GOBAN_PHASE_UPDATE;
  tape_set_scope (tape, "optimizer/global_norm", "", 0, "");
  sum = tape_emit (tape, &(TapeCall){ .op = "Pack",
                                      .name = "stack",
                                      .inputs = squares,
                                      .n_inputs = n,
                                      TAPE_OUTPUTS (SHAPE (n)) });
  sum = emit_scalar (tape, "Sum", NULL, (Value[]){ sum, tape_const (tape, "Const", 1) }, 2);
  sum = emit_scalar (tape, "Mul", "mul", (Value[]){ sum, tape_const (tape, "Const", 1) }, 2);
  norm = emit_scalar (tape, "Sqrt", "global_norm", &sum, 1);
  inverse = emit_scalar (tape, "RealDiv", "truediv",
                         (Value[]){ tape_const (tape, "truediv/x", 1), norm }, 2);
  least = emit_scalar (tape, "Minimum", NULL,
                       (Value[]){ inverse, tape_const (tape, "truediv_1", 1) }, 2);
  return emit_scalar (tape, "Mul", "mul", (Value[]){ tape_const (tape, "mul/x", 1), least }, 2);
}

static void
clip (Tape *tape, Update *update, Value factor)
{
  Shape shape = tape_shape (tape, update->dx);

  enter_variable (tape, update);
  update->dx = tape_emit (tape, &(TapeCall){ .op = "Mul",
                                             .name = "clip",
                                             TAPE_INPUTS (update->dx, factor),
                                             TAPE_OUTPUTS (shape),
                                             .flops = shape_count (&shape) });
}

/* Rows that are named twice are added up before a slot may see them. */
static void
merge_rows (Tape *tape, Update *update)
{
  Shape shape = tape_shape (tape, update->dx);
  Shape n_rows = SHAPE (shape.dims[0]);
  Value unique = tape_emit (tape, &(TapeCall){ .op = "Unique",
                                               TAPE_INPUTS (update->indices),
                                               TAPE_OUTPUTS (n_rows, n_rows),
                                               .dtype = "s32" });

  update->dx = tape_emit (
      tape, &(TapeCall){ .op = "UnsortedSegmentSum",
                         TAPE_INPUTS (update->dx, unique + 1, tape_const (tape, "Shape", 1)),
                         TAPE_OUTPUTS (shape),
                         .flops = shape_count (&shape) });
  update->indices = unique;
}

/* Reads and writes the variable and its slots, of a table only the rows; nothing comes out. In
 * mixed precision 40 bytes of a parameter pass: its gradient is cast to f32 (2 + 4 bytes), the step
 * reads that, master and slots (16) and writes the latter (12), the master is cast (4 + 2). */
static void
apply (Tape *tape, Update *update, const Optimizer *optimizer)
{
  const TapeVariable *variable = variable_of (tape, update);
  gboolean is_sparse = update->indices != NO_VALUE;
  Value inputs[8] = { variable->handle };
  guint n_inputs = 1;
  gboolean is_mixed = variable->element_bytes < 4;
  double casts = is_mixed ? 4 + variable->element_bytes : 0; /* bytes a parameter, each way */
  double count;
  GobanNode *node;

  enter_variable (tape, update);
  if (is_sparse && optimizer->n_slots > 0)
    merge_rows (tape, update);
  for (guint i = 0; i < optimizer->n_scalars; i++)
    inputs[n_inputs++] = tape_const (tape, i == 0 ? "learning_rate" : "Const", 1);
  inputs[n_inputs++] = update->dx;
  if (is_sparse)
    inputs[n_inputs++] = update->indices;

  count = tape_count (tape, update->dx);
  tape_emit (tape, &(TapeCall){ .op = is_sparse ? optimizer->sparse_op : optimizer->dense_op,
                                .inputs = inputs,
                                .n_inputs = n_inputs,
                                .flops = optimizer->flops * count,
                                .read_bytes = count * (4 * (2 + optimizer->n_slots) + casts),
                                .written_bytes = count * (4 * (1 + optimizer->n_slots) + casts) });
  goban_graph_builder_set_group (tape->builder, tape_last_node (tape),
                                 tape->is_modern ? tape_value (tape, variable->value)->group
                                                 : variable->node);
  node = goban_graph_builder_get_node (tape->builder,
                                       tape->is_modern ? tape_last_node (tape) : variable->node);
  node->param_bytes
      += 4 * shape_count (&variable->shape) * (optimizer->n_slots + (is_mixed ? 1 : 0));
}

/* Adds what an optimiser does to every variable that has a gradient. */
static void
tape_optimize (Tape *tape, const Optimizer *optimizer)
{
  g_autofree Update *updates = g_new (Update, tape->variables->len);
  guint n = 0;

  for (Variable i = 0; i < tape->variables->len; i++)
    if (take_gradient (tape, i, &updates[n]))
      n++;

  tape->phase = GOBAN_PHASE_UPDATE;
  if (optimizer->clips_norm && n > 0)
    {
      Value factor = make_clip_factor (tape, updates, n);

      for (guint i = 0; i < n; i++)
        clip (tape, &updates[i], factor);
    }
  for (guint i = 0; i < n; i++)
    apply (tape, &updates[i], optimizer);
}

/* --- the graph ------------------------------------------------------------ */

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
