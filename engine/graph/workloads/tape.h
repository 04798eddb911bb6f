/* tape.h: tape: records a model op by op, as TensorFlow would, and differentiates the record.
 *
 * A family calls the ops of tape-ops.h in the order of the forward pass; tape_finish() walks back
 * over what was recorded, asks each op's gradient function for the nodes that TensorFlow's would
 * make, sums the gradients of a value with AddN, and adds the optimiser. A tape belongs to one
 * thread and lives for one generation. The headers of this folder that begin with "tape" are for
 * this folder alone; their names have no prefix but `tape_`.
 *
 * NAMES, which expert plans and the window's scopes rely on; '/' separates:
 *   forward    PART[/LAYER][/STEP]/OP    encoder/layer_3/step_7/lstm/MatMul
 *   variables  in the scope of their layer    encoder/layer_3/kernel, its value kernel/Read
 *   backward   gradients/FORWARD_grad/OP      gradients/encoder/layer_3/lstm/MatMul_grad/MatMul
 *              gradients/SCOPE/AddN           a sum of gradients, in the scope of the value's
 *                                             producer
 *              gradients/VARIABLE/L2Loss      its part of the norm that gradients are clipped by
 *   optimiser  optimizer/VARIABLE/OP          optimizer/encoder/layer_3/kernel/ResourceApplyAdam
 * so what follows the first component of gradients/ and optimizer/ begins with the forward scope.
 *
 * GROUPS: a variable, its reads (Read, ResourceGather) and its Apply share a colocation group, as
 * everything that touches a variable's handle does in TensorFlow. A weight of tape_weight() on a
 * modern tape is read in place: all ops that read one share a group with the weights of its scope,
 * and no second copy takes memory. Nothing else is grouped.
 *
 * COSTS: an op reads its inputs and writes its outputs once. Ops that only describe or rename a
 * tensor (Const, Reshape, Identity, ReadVariableOp, ...) cost nothing.
 *
 * Decision E24 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/graph-builder.h"

#define SHAPE_MAX_DIMS 6

typedef struct
{
  guint n_dims;
  gint64 dims[SHAPE_MAX_DIMS];
} Shape;

#define SHAPE(...)                                                                                 \
  ((Shape){ .n_dims = sizeof ((gint64[]){ __VA_ARGS__ }) / sizeof (gint64),                        \
            .dims = { __VA_ARGS__ } })
#define SHAPE_SCALAR ((Shape){ 0 })

double shape_count (const Shape *shape);
gboolean shape_equal (const Shape *a, const Shape *b);

/* A tensor on the tape. The outputs of one op are consecutive. */
typedef guint32 Value;
#define NO_VALUE G_MAXUINT32

typedef struct _Tape Tape;
typedef struct _TapeCall TapeCall;

/* Makes the gradients of a call's inputs from those of its outputs, dy (n_outputs), where NO_VALUE
 * stands for zero; hands each to tape_send(). Runs inside gradients/NAME_grad. */
typedef void (*TapeGradient) (Tape *tape, const TapeCall *call, const Value *dy);

/* One op. What is left out is zero; see TAPE_INPUTS and TAPE_OUTPUTS. */
struct _TapeCall
{
  const char *op;   /* TensorFlow's word: "MatMul" */
  const char *name; /* (nullable) the last component of the node's name, the op where NULL */
  const Value *inputs;
  guint n_inputs;
  const Shape *outputs;
  guint n_outputs;
  const char *dtype;       /* (nullable) of the outputs, the tape's where NULL */
  const char *later_dtype; /* (nullable) of all but the first one, if it is another */
  double flops;
  double macs;
  double read_bytes;     /* instead of the inputs' bytes, where not 0 */
  double written_bytes;  /* instead of the outputs' bytes, where not 0 */
  gboolean is_free;      /* describes or renames: no bytes move */
  TapeGradient gradient; /* (nullable) NULL: no gradient flows back */
  gint64 attrs[8];       /* data for the gradient function */
  Value first_output;    /* filled in by tape_emit() */
};

#define TAPE_INPUTS(...)                                                                           \
  .inputs = (const Value[]){ __VA_ARGS__ },                                                        \
  .n_inputs = sizeof ((const Value[]){ __VA_ARGS__ }) / sizeof (Value)
#define TAPE_OUTPUTS(...)                                                                          \
  .outputs = (const Shape[]){ __VA_ARGS__ },                                                       \
  .n_outputs = sizeof ((const Shape[]){ __VA_ARGS__ }) / sizeof (Shape)

Tape *tape_new (const char *name, gboolean is_training);
void tape_free (Tape *tape);
gboolean tape_is_training (const Tape *tape);
/* From here on, ops are as frameworks of today have them: of @dtype ("bf16"; it was "f32"),
 * and the gradients that an op sends leave it one by one, so that those of inputs need not wait
 * for those of weights. */
void tape_modernise (Tape *tape, const char *dtype);
/* Written down so far: those of the forward pass until tape_finish(). */
guint tape_get_n_nodes (const Tape *tape);

/* Scopes. What is pushed may hold several components: "layer_%u/step_%u". */
void tape_push (Tape *tape, const char *format, ...) G_GNUC_PRINTF (2, 3);
void tape_pop (Tape *tape);

/* Returns: the first output, the others follow it; NO_VALUE for an op without outputs. */
Value tape_emit (Tape *tape, const TapeCall *call);
/* The first output as tape_emit() returns it, of an op whose FLOPs are per element of the
 * output. */
Value tape_emit_elementwise (Tape *tape, const char *op, const Value *inputs, guint n_inputs,
                             double flops_per_element);
/* The call's one input under another id: no node, but sums of its gradients are made in the present
 * scope, and pass through the call's gradient. */
Value tape_alias (Tape *tape, const TapeCall *call);
/* A constant vector of n_numbers: an axis, a shape, a number. */
Value tape_const (Tape *tape, const char *name, guint n_numbers);
/* What the model is fed with: ids, labels, images. */
Value tape_input (Tape *tape, const char *name, Shape shape, const char *dtype);

/* --- variables -------------------------------------------------------------------------------- */

typedef guint32 Variable;

/* A trainable variable in the present scope, read once for all its readers. */
Variable tape_variable (Tape *tape, const char *name, Shape shape);
/* The value of a new variable; on a modern tape, the variable in place. */
Value tape_weight (Tape *tape, const char *name, Shape shape);
/* No gradient of the weight is made. */
void tape_freeze (Tape *tape, Value weight);
/* A handle to @bytes that stay on the device of the ops that tape_touch() names: a KV cache. */
Value tape_resident (Tape *tape, const char *name, double bytes);
/* The op emitted last reads and writes that much of what is resident, if it is not NO_VALUE. */
void tape_touch (Tape *tape, Value resident, double read_bytes, double written_bytes);
/* A variable that only ever is gathered from need not be read. */
Value tape_read (Tape *tape, Variable variable);
/* Rows of a table: ResourceGather. Its gradient is an IndexedSlices: values and indices. */
Value tape_gather (Tape *tape, Variable table, Value indices);

/* --- looking back --------------------------------------------------------------------------- */

Shape tape_shape (const Tape *tape, Value value);
gint64 tape_dim (const Tape *tape, Value value, guint dim);
const char *tape_dtype (const Tape *tape, Value value);
double tape_count (const Tape *tape, Value value);
double tape_bytes (const Tape *tape, Value value);
/* Whether it depends on a trainable variable, and so needs a gradient. */
gboolean tape_needs_gradient (const Tape *tape, Value value);
/* In a gradient function: dx is the gradient of one of the call's inputs. */
void tape_send (Tape *tape, Value input, Value dx);

/* --- the end -------------------------------------------------------------------------------- */

typedef struct
{
  const char *dense_op;  /* "ResourceApplyAdam" */
  const char *sparse_op; /* for IndexedSlices */
  guint n_slots;         /* tensors like the variable, kept beside it */
  guint n_scalars;       /* constants such as the learning rate */
  double flops;          /* per parameter */
  gboolean clips_norm;   /* gradients are clipped by their global norm first */
} Optimizer;

extern const Optimizer optimizer_sgd;
extern const Optimizer optimizer_momentum;
extern const Optimizer optimizer_adagrad;
extern const Optimizer optimizer_adam;
extern const Optimizer optimizer_rmsprop;
/* In mixed precision, a master copy in f32 is beside the slots, and a gradient is cast first. Both
 * are resident with the update, not with the weight. */
extern const Optimizer optimizer_fused_adam;

/**
 * tape_finish:
 * @loss: a scalar; in inference, whatever is last
 *
 * In training, adds the gradients of all variables and the optimiser. The tape is spent.
 *
 * Returns: (transfer full) (nullable): the graph
 */
GobanGraph *tape_finish (Tape *tape, Value loss, const Optimizer *optimizer,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tape, tape_free)
