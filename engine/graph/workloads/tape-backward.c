#include "engine/graph/workloads/tape-private.h"

#include <string.h>

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

Value
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

void
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

void
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
