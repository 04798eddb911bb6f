#include "engine/graph/workloads/tape-private.h"

#include <string.h>

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

void
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
