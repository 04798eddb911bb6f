#include "engine/io/onnx/onnx-shapes.h"

#include <math.h>
#include <string.h>

#include "engine/core/i18n.h"
#include "engine/io/onnx/onnx-ops.h"

/* --- iterations of Loop and Scan ------------------------------------------ */

/* A loop of a constant number of iterations costs that many times its body. Shapes are those of the
 * first iteration. */

/* Cost of one run through a body. */
typedef struct
{
  double flops;
  double macs;
  double read_bytes;
  double written_bytes;
  double param_count;
  double param_bytes;
} GobanOnnxCost;

typedef struct
{
  double n_times; /* NAN if only the run knows it */
  guint n_inputs;
  GobanOnnxValue *values;        /* (n_inputs) of the body's inputs; no data of their own */
  const GobanOnnxValue **inputs; /* (n_inputs): into values */
  guint n_results;               /* of the body that are followed */
  guint n_skipped;               /* of these, before the node's first output: a Loop's condition */
  guint n_carried;               /* outputs that come from the last iteration; others stack up */
} GobanOnnxIteration;

/* More are a way to say "until the condition is false". */
#define MAX_TIMES 2147483647.0

static GobanOnnxValue
make_scalar (int dtype)
{
  return (GobanOnnxValue){ .dtype = dtype, .has_rank = TRUE };
}

static GobanOnnxValue
copy_shape (const GobanOnnxValue *from)
{
  GobanOnnxValue copy = { 0 };

  if (from == NULL)
    return copy;
  copy = *from;
  copy.data = NULL;
  copy.n_data = 0;
  return copy;
}

/* Without the axis that a Scan walks along. */
static GobanOnnxValue
take_slice (const GobanOnnxValue *from, gint64 axis)
{
  GobanOnnxValue slice = copy_shape (from);
  int at = slice.has_rank ? goban_onnx_axis ((double) axis, slice.n_dims) : -1;

  if (at < 0)
    return (GobanOnnxValue){ .dtype = slice.dtype };
  for (guint i = (guint) at; i + 1 < slice.n_dims; i++)
    slice.dims[i] = slice.dims[i + 1];
  slice.n_dims--;
  return slice;
}

static gboolean
is_true (const GobanOnnxValue *condition)
{
  return condition == NULL || (condition->n_data == 1 && condition->data[0] == 1);
}

/* Inputs: the number of iterations, the condition, then what is carried. */
static void
init_loop (GobanOnnxIteration *self, const GobanOnnxOp *op)
{
  const GobanOnnxValue *times = goban_onnx_in (op, 0);

  self->n_inputs = MAX (op->n_in, 2);
  self->values = g_new0 (GobanOnnxValue, self->n_inputs);
  self->values[0] = make_scalar (ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
  self->values[1] = make_scalar (ONNX__TENSOR_PROTO__DATA_TYPE__BOOL);
  for (guint i = 2; i < op->n_in; i++)
    self->values[i] = copy_shape (goban_onnx_in (op, i));
  self->n_carried = self->n_inputs - 2;
  self->n_skipped = 1;
  if (times != NULL && times->n_data == 1 && times->data[0] <= MAX_TIMES
      && is_true (goban_onnx_in (op, 1)))
    self->n_times = MAX (times->data[0], 0);
}

/* Inputs: states, then what is walked along. */
static void
init_scan (GobanOnnxIteration *self, const GobanOnnxOp *op)
{
  gint64 asked = goban_onnx_attr_int (op, "num_scan_inputs", 1);
  guint n_scans = (guint) CLAMP (asked, 0, (gint64) op->n_in);

  self->n_inputs = op->n_in;
  self->values = g_new0 (GobanOnnxValue, self->n_inputs + 1);
  self->n_carried = op->n_in - n_scans;
  for (guint i = 0; i < op->n_in; i++)
    {
      const GobanOnnxValue *value = goban_onnx_in (op, i);
      guint k = i - self->n_carried;
      gint64 axis = i < self->n_carried ? 0 : goban_onnx_attr_at (op, "scan_input_axes", k, 0);
      gint64 extent;

      if (i < self->n_carried)
        {
          self->values[i] = copy_shape (value);
          continue;
        }
      extent = value != NULL && value->has_rank ? goban_onnx_dim (value, axis) : -1;
      if (extent >= 0)
        self->n_times = (double) extent;
      self->values[i] = take_slice (value, axis);
    }
}

/* @op: a Loop or Scan; clear with onnx_iteration_clear() */
static GobanOnnxIteration
onnx_iteration_new (const GobanOnnxOp *op)
{
  GobanOnnxIteration self = { .n_times = NAN };

  if (strcmp (op->node->op_type, "Loop") == 0)
    init_loop (&self, op);
  else if (op->opset >= 9) /* before, it had a batch and lengths */
    init_scan (&self, op);
  self.inputs = g_new0 (const GobanOnnxValue *, self.n_inputs + 1);
  for (guint i = 0; i < self.n_inputs; i++)
    self.inputs[i] = &self.values[i];
  self.n_results = self.n_skipped + op->n_out;
  return self;
}

static void
onnx_iteration_clear (GobanOnnxIteration *self)
{
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->inputs, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanOnnxIteration, onnx_iteration_clear)

/* Shape and type of the node's output @i, from the body's results. */
static GobanOnnxValue
onnx_iteration_get_output (const GobanOnnxIteration *self, guint i, const GobanOnnxValue *results)
{
  GobanOnnxValue out = copy_shape (&results[self->n_skipped + i]);

  if (i < self->n_carried || !out.has_rank)
    return out;
  if (out.n_dims == GOBAN_ONNX_MAX_DIMS)
    return (GobanOnnxValue){ .dtype = out.dtype };
  memmove (out.dims + 1, out.dims, sizeof *out.dims * out.n_dims);
  out.dims[0] = isnan (self->n_times) ? -1 : goban_onnx_extent (self->n_times);
  out.n_dims++;
  return out;
}

/* A kind of warning: number of occurrences, and the first one's name. */
typedef struct
{
  const char *subject;
  guint n;
  const char *first;
} Tally;

typedef struct
{
  GobanOnnxModel *model;
  GHashTable *rules;
  GArray *no_rule;        /* of Tally, by op, in order of appearance */
  GHashTable *no_rule_at; /* op to index + 1 in no_rule */
  Tally adapted;
  Tally differing;
  Tally unknown;
  Tally bodies;
  Tally choices;
  Tally open_loops;
  GStringChunk *names; /* of nodes of bodies, which are gone by then */
  guint depth;         /* of bodies */
} Inference;

static void
count (const Inference *self, Tally *tally, const char *name)
{
  if (tally->n++ == 0)
    tally->first = g_string_chunk_insert (self->names, name);
}

static void
count_no_rule (Inference *self, const GobanOnnxNode *node)
{
  const char *op = node->proto->op_type;
  guint at = GPOINTER_TO_UINT (g_hash_table_lookup (self->no_rule_at, op));

  if (at == 0)
    {
      Tally tally = { .subject = op };

      g_array_append_val (self->no_rule, tally);
      at = self->no_rule->len;
      g_hash_table_insert (self->no_rule_at, (gpointer) op, GUINT_TO_POINTER (at));
    }
  count (self, &g_array_index (self->no_rule, Tally, at - 1), node->name);
}

static gboolean
is_constant (const GobanOnnxModel *model, const GobanOnnxNode *node)
{
  if (goban_onnx_str (node->proto->domain)[0] != '\0')
    return FALSE;
  if (g_str_equal (node->proto->op_type, "Constant"))
    return TRUE;
  return g_str_equal (node->proto->op_type, "ConstantOfShape") && node->n_own == 1
         && node->inputs[0] != GOBAN_ONNX_NONE
         && goban_onnx_model_tensor (model, node->inputs[0])->is_constant;
}

/* The file's declaration of an output, for the requested batch. */
static GobanOnnxValue
get_declared (const GobanOnnxModel *model, const GobanOnnxTensor *tensor, gboolean varies)
{
  GobanOnnxValue declared = goban_onnx_model_declared (model, tensor->declared);

  if (model->old_batch != 0 && varies && declared.n_dims > 0
      && declared.dims[0] == model->old_batch)
    declared.dims[0] = model->batch;
  return declared;
}

/* Fills unknown dimensions of @value. Returns: whether the two contradict each other */
static gboolean
merge (GobanOnnxValue *value, const GobanOnnxValue *declared)
{
  gboolean differs = FALSE;

  if (value->dtype == 0)
    value->dtype = declared->dtype;
  if (!declared->has_rank)
    return FALSE;
  if (!value->has_rank)
    {
      value->has_rank = TRUE;
      value->n_dims = declared->n_dims;
      memcpy (value->dims, declared->dims, sizeof value->dims);
      return FALSE;
    }
  if (value->n_dims != declared->n_dims)
    return TRUE;
  for (guint i = 0; i < value->n_dims; i++)
    {
      differs
          |= value->dims[i] >= 0 && declared->dims[i] >= 0 && value->dims[i] != declared->dims[i];
      if (value->dims[i] < 0)
        value->dims[i] = declared->dims[i];
    }
  return differs;
}

/* Moves the outputs of @op to the model's tensors. */
static void
take_outputs (Inference *self, GobanOnnxNode *node, GobanOnnxOp *op, gboolean varies)
{
  gboolean is_known = TRUE;

  node->is_given = op->n_out > 0 && self->model->old_batch == 0;
  for (guint i = 0; i < op->n_out; i++)
    {
      GobanOnnxTensor *tensor;
      GobanOnnxValue declared;

      if (node->outputs[i] == GOBAN_ONNX_NONE)
        {
          goban_onnx_value_clear (&op->out[i]);
          continue;
        }
      tensor = goban_onnx_model_tensor (self->model, node->outputs[i]);
      declared = get_declared (self->model, tensor, varies);
      if (merge (&op->out[i], &declared))
        {
          count (self, &self->differing, node->name);
          node->is_given = FALSE;
        }
      node->is_given &= goban_onnx_value_is_complete (&declared);
      is_known &= goban_onnx_value_is_complete (&op->out[i]);
      op->out[i].varies = varies;
      tensor->value = op->out[i];
      tensor->is_constant = node->is_constant;
    }
  if (!is_known && self->depth == 0)
    count (self, &self->unknown, node->name);
}

static double
known_or_zero (double value)
{
  return isfinite (value) && value > 0 ? value : 0;
}

/* --- costs --------------------------------------------------------------- */

static double
sum_outputs (const GobanOnnxModel *model, const GobanOnnxNode *node)
{
  double sum = 0;

  for (gsize i = 0; i < node->proto->n_output; i++)
    if (node->outputs[i] != GOBAN_ONNX_NONE)
      sum += known_or_zero (
          goban_onnx_value_bytes (&goban_onnx_model_tensor (model, node->outputs[i])->value));
  return sum;
}

/* Every tensor once, however often it is read. */
static double
sum_inputs (const GobanOnnxModel *model, const GobanOnnxNode *node, double *largest)
{
  double sum = 0;

  *largest = 0;
  for (guint i = 0; i < node->n_inputs; i++)
    {
      gboolean is_new = node->inputs[i] != GOBAN_ONNX_NONE;
      double bytes;

      /* Nodes of very many inputs (a wide Concat) name each once. */
      for (guint j = 0; is_new && j < MIN (i, 64); j++)
        is_new = node->inputs[j] != node->inputs[i];
      if (!is_new)
        continue;
      bytes = known_or_zero (
          goban_onnx_value_bytes (&goban_onnx_model_tensor (model, node->inputs[i])->value));
      sum += bytes;
      *largest = MAX (*largest, bytes);
    }
  return sum;
}

static void
take_costs (Inference *self, GobanOnnxNode *node, GobanOnnxOp *op, const GobanOnnxRule *rule)
{
  GobanOnnxTouch touch = rule != NULL ? rule->touch : GOBAN_ONNX_TOUCH_ALL;
  double written = sum_outputs (self->model, node);
  double largest;
  double read = sum_inputs (self->model, node, &largest);

  /* Costs of bodies are there already. */
  if (touch != GOBAN_ONNX_TOUCH_NONE && node->read_bytes + node->written_bytes == 0)
    {
      node->written_bytes = written;
      node->read_bytes = touch == GOBAN_ONNX_TOUCH_OUTPUT ? written + read - largest : read;
    }
  if (rule == NULL || op->n_out == 0)
    return;
  if (rule->cost != NULL)
    rule->cost (op, rule);
  else
    op->flops = rule->steps * goban_onnx_value_elements (&op->out[0]);
  node->macs = known_or_zero (op->macs);
  node->flops = known_or_zero (op->flops);
}

/* --- the walk ------------------------------------------------------------ */

static void infer_bodies (Inference *self, GobanOnnxNode *node, GobanOnnxOp *op);

static void
infer_node (Inference *self, GobanOnnxNode *node)
{
  GobanOnnxModel *model = self->model;
  const GobanOnnxRule *rule = goban_onnx_rules_find (self->rules, node->proto);
  g_autofree const GobanOnnxValue **in = g_new0 (const GobanOnnxValue *, node->n_own + 1);
  g_autofree GobanOnnxValue *out = g_new0 (GobanOnnxValue, node->proto->n_output + 1);
  GobanOnnxOp op = { .node = node->proto,
                     .opset = goban_onnx_model_opset (model, node->proto),
                     .in = in,
                     .n_in = node->n_own,
                     .out = out,
                     .n_out = (guint) node->proto->n_output,
                     .old_batch = model->old_batch,
                     .new_batch = model->batch };
  gboolean varies = FALSE;

  for (guint i = 0; i < node->n_inputs; i++)
    {
      const GobanOnnxValue *value = node->inputs[i] != GOBAN_ONNX_NONE
                                        ? &goban_onnx_model_tensor (model, node->inputs[i])->value
                                        : NULL;

      if (i < node->n_own)
        in[i] = value;
      varies |= value != NULL && value->varies;
    }

  node->is_constant = is_constant (model, node);
  if (node->has_body)
    infer_bodies (self, node, &op);
  else if (rule == NULL)
    count_no_rule (self, node);
  if (rule != NULL && op.n_out > 0)
    {
      rule->shape (&op);
      if (rule->fold != NULL && goban_onnx_value_elements (&out[0]) <= GOBAN_ONNX_MAX_DATA)
        rule->fold (&op);
      if (op.adapted)
        count (self, &self->adapted, node->name);
    }
  take_outputs (self, node, &op, varies);
  take_costs (self, node, &op, rule);
}

/* --- bodies -------------------------------------------------------------- */

static void
add_costs (const GobanOnnxModel *body, GobanOnnxCost *sum)
{
  for (guint i = 0; i < body->n_nodes; i++)
    {
      const GobanOnnxNode *node = &body->nodes[i];

      sum->flops += node->flops;
      sum->macs += node->macs;
      sum->read_bytes += node->read_bytes;
      sum->written_bytes += node->written_bytes;
      sum->param_count += node->param_count;
      sum->param_bytes += node->param_bytes;
    }
  for (guint i = 0; i < body->tensors->len; i++)
    {
      const GobanOnnxTensor *tensor = goban_onnx_model_tensor (body, i);

      if (!tensor->is_constant || !goban_onnx_dtype_is_weight (tensor->value.dtype))
        continue;
      sum->param_count += known_or_zero (goban_onnx_value_elements (&tensor->value));
      sum->param_bytes += known_or_zero (goban_onnx_value_bytes (&tensor->value));
    }
}

/* @results: (n_results): the body's outputs, to be cleared. Returns: FALSE for a damaged body */
static gboolean
infer_body (Inference *self, const Onnx__GraphProto *graph, const GobanOnnxIteration *iteration,
            GobanOnnxCost *cost, GobanOnnxValue *results, guint n_results)
{
  GobanOnnxModel *outer = self->model;
  GobanOnnxModel body;
  gboolean is_whole; /* no cycle in it */
  gboolean ok = goban_onnx_model_init_body (
      &body, outer, graph, iteration != NULL ? iteration->inputs : NULL,
      iteration != NULL ? iteration->n_inputs : 0, NULL /* its work is not counted then */);

  self->model = &body;
  self->depth++;
  for (guint i = 0; ok && i < body.n_order; i++)
    infer_node (self, &body.nodes[body.order[i]]);
  self->depth--;
  self->model = outer;
  is_whole = ok && body.n_order == body.n_nodes;
  if (ok)
    add_costs (&body, cost);
  for (guint i = 0; ok && i < MIN (n_results, graph->n_output); i++)
    {
      guint32 found = goban_onnx_model_find_tensor (&body, goban_onnx_str (graph->output[i]->name));

      results[i] = goban_onnx_model_declared (&body, graph->output[i]->type);
      if (found != GOBAN_ONNX_NONE)
        merge (&results[i], &goban_onnx_model_tensor (&body, found)->value);
    }
  goban_onnx_model_clear (&body);
  return is_whole;
}

static void
set_costs (GobanOnnxNode *node, const GobanOnnxCost *cost, double times)
{
  node->flops = known_or_zero (times * cost->flops);
  node->macs = known_or_zero (times * cost->macs);
  node->read_bytes = known_or_zero (times * cost->read_bytes);
  node->written_bytes = known_or_zero (times * cost->written_bytes);
  node->param_count = cost->param_count;
  node->param_bytes = cost->param_bytes;
}

/* What the file says of an output, completed by what a body makes of it. */
static void
set_result (Inference *self, const GobanOnnxNode *node, GobanOnnxOp *op, guint i,
            const GobanOnnxValue *found)
{
  if (node->outputs[i] == GOBAN_ONNX_NONE)
    return;
  op->out[i] = goban_onnx_model_declared (
      self->model, goban_onnx_model_tensor (self->model, node->outputs[i])->declared);
  merge (&op->out[i], found);
}

/* The branch that is taken if that is known, else the one with more work. */
static void
infer_choice (Inference *self, GobanOnnxNode *node, GobanOnnxOp *op)
{
  static const char *const names[] = { "else_branch", "then_branch" };
  GobanOnnxCost costs[2] = { 0 };
  guint n = op->n_out;
  g_autofree GobanOnnxValue *results = g_new0 (GobanOnnxValue, 2 * (gsize) n + 1);
  const GobanOnnxValue *condition = goban_onnx_in (op, 0);
  gboolean is_known = condition != NULL && condition->n_data == 1 && isfinite (condition->data[0]);
  gboolean ok = TRUE;
  guint taken;

  for (guint i = 0; i < 2; i++)
    {
      const Onnx__AttributeProto *branch = goban_onnx_attr (op, names[i]);

      ok &= branch != NULL && branch->g != NULL
            && infer_body (self, branch->g, NULL, &costs[i], results + (gsize) i * n, n);
    }
  if (!ok)
    count (self, &self->bodies, node->name);
  else if (!is_known)
    count (self, &self->choices, node->name);
  taken = is_known ? condition->data[0] != 0
                   : costs[1].flops + costs[1].read_bytes >= costs[0].flops + costs[0].read_bytes;
  costs[taken].param_count = costs[0].param_count + costs[1].param_count;
  costs[taken].param_bytes = costs[0].param_bytes + costs[1].param_bytes;
  set_costs (node, &costs[taken], 1);
  for (guint i = 0; i < n; i++)
    set_result (self, node, op, i, &results[(gsize) taken * n + i]);
}

static void
infer_loop (Inference *self, GobanOnnxNode *node, GobanOnnxOp *op)
{
  const Onnx__AttributeProto *body = goban_onnx_attr (op, "body");
  g_auto (GobanOnnxIteration) iteration = onnx_iteration_new (op);
  guint n = iteration.n_results;
  g_autofree GobanOnnxValue *results = g_new0 (GobanOnnxValue, n + 1);
  GobanOnnxCost cost = { 0 };

  if (body == NULL || body->g == NULL || !infer_body (self, body->g, &iteration, &cost, results, n))
    count (self, &self->bodies, node->name);
  else if (isnan (iteration.n_times))
    count (self, &self->open_loops, node->name);
  set_costs (node, &cost, isnan (iteration.n_times) ? 1 : iteration.n_times);
  for (guint i = 0; i < op->n_out; i++)
    {
      GobanOnnxValue found = onnx_iteration_get_output (&iteration, i, results);

      set_result (self, node, op, i, &found);
    }
}

static void
infer_bodies (Inference *self, GobanOnnxNode *node, GobanOnnxOp *op)
{
  const char *type = node->proto->op_type;

  if (g_str_equal (type, "If"))
    infer_choice (self, node, op);
  else if (g_str_equal (type, "Loop") || g_str_equal (type, "Scan"))
    infer_loop (self, node, op);
  else
    count (self, &self->bodies, node->name);
}

static void
warn_unknown_ops (const Inference *self)
{
  for (guint i = 0; i < self->no_rule->len; i++)
    {
      const Tally *tally = &g_array_index (self->no_rule, Tally, i);

      goban_graph_builder_warn (self->model->builder,
                                "no shape rule for op %s (%u %s): sizes after it may be unknown, "
                                "and its FLOPs count as 0",
                                tally->subject, tally->n, tally->n == 1 ? "node" : "nodes");
    }
}

static void
warn (const Inference *self)
{
  GobanGraphBuilder *builder = self->model->builder;

  warn_unknown_ops (self);
  if (self->bodies.n > 0)
    goban_graph_builder_warn (builder,
                              "%u %s a body that cannot be followed, the first is \"%s\": not "
                              "all of the work inside is counted",
                              self->bodies.n, self->bodies.n == 1 ? "node has" : "nodes have",
                              self->bodies.first);
  if (self->choices.n > 0)
    goban_graph_builder_warn (builder,
                              "%u %s between two branches, the first is \"%s\": costs and sizes "
                              "are those of the larger branch",
                              self->choices.n,
                              self->choices.n == 1 ? "node chooses" : "nodes choose",
                              self->choices.first);
  if (self->open_loops.n > 0)
    goban_graph_builder_warn (builder,
                              "%u %s a number of times that only the run knows, the first is "
                              "\"%s\": the costs are those of one iteration",
                              self->open_loops.n,
                              self->open_loops.n == 1 ? "loop runs" : "loops run",
                              self->open_loops.first);
  if (self->adapted.n > 0)
    goban_graph_builder_warn (builder,
                              "%u %s a shape made for batch %" G_GINT64_FORMAT
                              ", the first is \"%s\": taken as %" G_GINT64_FORMAT,
                              self->adapted.n, self->adapted.n == 1 ? "node has" : "nodes have",
                              self->model->old_batch, self->adapted.first, self->model->batch);
  if (self->differing.n > 0)
    goban_graph_builder_warn (builder,
                              "%u tensors have other shapes than the file declares, the first is "
                              "written by node \"%s\": the computed ones are used",
                              self->differing.n, self->differing.first);
  if (self->unknown.n > 0)
    goban_graph_builder_warn (builder,
                              "%u of %u nodes have outputs of unknown size, the first is \"%s\": "
                              "they count as 0 bytes",
                              self->unknown.n, self->model->n_nodes, self->unknown.first);
}

gboolean
goban_onnx_infer (GobanOnnxModel *model, const GobanProgress *progress, GError **error)
{
  g_autoptr (GHashTable) rules = goban_onnx_rules_new ();
  g_autoptr (GHashTable) no_rule_at = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) no_rule = g_array_new (FALSE, FALSE, sizeof (Tally));
  GStringChunk *names = g_string_chunk_new (256);
  Inference self = {
    .model = model, .rules = rules, .no_rule = no_rule, .no_rule_at = no_rule_at, .names = names
  };
  gboolean goes_on = TRUE;

  for (guint i = 0; goes_on && i < model->n_order; i++)
    {
      if (i % 4096 == 0)
        {
          goban_progress_step (progress, (double) i / model->n_order, _ ("finding shapes"));
          goes_on = goban_progress_check (progress, error);
        }
      if (goes_on)
        infer_node (&self, &model->nodes[model->order[i]]);
    }
  if (goes_on)
    warn (&self);
  g_string_chunk_free (names);
  return goes_on;
}
