/* hlo.c: the reader of XLA's modules: HLO text, HloProto, HloModuleProto, TpuGraphs' TuningData.
 *
 * The entry computation is the graph; an instruction is a node, with the framework's scope before
 * its name. What a fusion, call, loop or condition calls stays inside that node, with its costs. A
 * tuple has a tensor for each element, and get-tuple-element reads one of them.
 *
 * Constants of the entry are parameters. Its `parameter` instructions are nodes that write what
 * the caller passes: the file does not tell weights from inputs.
 */
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/io/formats.h"
#include "engine/io/hlo/hlo-module.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/text.h"

/* --- costs ---------------------------------------------------------------- */

/* One operation per element of an elementwise instruction, exp and the like included; a
 * multiply-accumulate of a dot or a convolution is two. A fusion, a call or a reduction does the
 * work of the computations it calls; a loop that of its iterations, or of one if the file does not
 * say how many. */

typedef struct
{
  double flops;
  double macs;
  double read_bytes;
  double written_bytes;
} GobanHloCost;

/* Moves no data: a parameter, a tuple, another view of the same bytes. */
static gboolean
is_view (const char *opcode)
{
  static const char *const views[]
      = { "add-dependency", "after-all",         "bitcast",     "constant",
          "domain",         "get-tuple-element", "opt-barrier", "parameter",
          "partition-id",   "replica-id",        "reshape",     "tuple" };

  return goban_find_word (views, G_N_ELEMENTS (views), opcode) >= 0;
}

/* Moves data or makes it up, without arithmetic. */
static gboolean
is_movement (const char *opcode)
{
  static const char *const moves[] = { "all-gather",
                                       "all-to-all",
                                       "bitcast-convert",
                                       "broadcast",
                                       "collective-permute",
                                       "concatenate",
                                       "copy",
                                       "custom-call",
                                       "dynamic-reshape",
                                       "dynamic-slice",
                                       "dynamic-update-slice",
                                       "gather",
                                       "infeed",
                                       "iota",
                                       "outfeed",
                                       "pad",
                                       "recv",
                                       "reverse",
                                       "send",
                                       "slice",
                                       "sort",
                                       "transpose" };
  gsize n = strlen (opcode);

  return goban_find_word (moves, G_N_ELEMENTS (moves), opcode) >= 0
         || (n > 6 && strcmp (opcode + n - 6, "-start") == 0)
         || (n > 5 && strcmp (opcode + n - 5, "-done") == 0);
}

/* An operand's shape; NULL if there are fewer. */
static const GobanHloShape *
get_operand (const GobanHloModule *module, const GobanHloInstruction *from, guint32 i)
{
  if (i >= from->n_operands)
    return NULL;
  return &goban_hlo_instruction (module, goban_hlo_operand (module, from, i))->shape;
}

/* Every element of the output is a sum over dimensions of the left operand. */
static double
count_sums (double outputs, const GobanHloShape *left, guint32 contracting)
{
  for (guint i = 0; left != NULL && i < left->n_dims; i++)
    if (contracting & 1u << i)
      outputs *= left->dims[i] >= 0 ? (double) left->dims[i] : (double) NAN;
  return outputs;
}

/* Every element of the output is a sum over the weights of one output feature, of dimension @d. */
static double
count_windows (double outputs, const GobanHloShape *weights, int d)
{
  if (weights == NULL || d < 0 || (guint) d >= weights->n_dims || weights->dims[d] <= 0)
    return NAN;
  return outputs * (weights->elements / (double) weights->dims[d]);
}

/* The tensor of a tuple's first part, or of no tuple. */
static const GobanHloShape *
get_first (const GobanHloModule *module, const GobanHloInstruction *from)
{
  return from->n_parts > 0 ? &g_array_index (module->parts, GobanHloShape, from->first_part)
                           : &from->shape;
}

/* Calls of cuBLAS and cuDNN, into which XLA turns products and convolutions for a GPU. Their first
 * part is the result, the others are scratch memory. */
static double
count_library_call (const GobanHloModule *module, const GobanHloInstruction *from)
{
  static const char conv[] = "__cudnn$conv";
  const GobanHloShape *result = get_first (module, from);
  const GobanHloShape *left = get_operand (module, from, 0), *right = get_operand (module, from, 1);

  if (left == NULL || right == NULL)
    return 0;
  if (strcmp (from->target, "__cublas$gemm") == 0
      || g_str_has_prefix (from->target, "__cublas$lt$matmul"))
    return from->contracting != 0 ? count_sums (result->elements, left, from->contracting) : 0;
  if (!g_str_has_prefix (from->target, conv))
    return 0;
  if (strcmp (from->target + sizeof conv - 1, "BackwardInput") == 0)
    return count_windows (left->elements, right, from->kernel_output);
  if (strcmp (from->target + sizeof conv - 1, "BackwardFilter") == 0)
    return count_windows (right->elements, result, from->kernel_output);
  return count_windows (result->elements, right, from->kernel_output);
}

static double
known_or_zero (double value)
{
  return isfinite (value) && value > 0 ? MIN (value, 1e30) : 0;
}

/* The work of the called computations, by how often they run. */
static void
add_called (const GobanHloModule *module, const GobanHloInstruction *from,
            const GobanHloCost *computations, GobanHloCost *cost)
{
  gboolean is_choice = strcmp (from->opcode, "conditional") == 0;
  const GobanHloShape *first = get_operand (module, from, 0);
  double times = 1;

  if (g_str_has_prefix (from->opcode, "reduce-window")
      || strcmp (from->opcode, "select-and-scatter") == 0)
    times = from->shape.elements * from->window;
  else if (strcmp (from->opcode, "map") == 0)
    times = from->shape.elements;
  else if (g_str_has_prefix (from->opcode, "reduce")
           || g_str_has_prefix (from->opcode, "all-reduce")
           || strcmp (from->opcode, "scatter") == 0)
    times = first != NULL ? first->elements : 0;
  else if (strcmp (from->opcode, "sort") == 0)
    times = 0;
  else if (strcmp (from->opcode, "while") == 0 && from->n_trips > 0)
    times = from->n_trips;
  times = known_or_zero (times);
  for (guint32 i = 0; i < from->n_called; i++)
    {
      const GobanHloCost *called
          = &computations[g_array_index (module->called, guint32, from->first_called + i)];

      cost->flops
          = is_choice ? MAX (cost->flops, called->flops) : cost->flops + times * called->flops;
      cost->macs = is_choice ? MAX (cost->macs, called->macs) : cost->macs + times * called->macs;
    }
}

static void
add_bytes (const GobanHloModule *module, const GobanHloInstruction *from, GobanHloCost *cost)
{
  static const char *const parts[] = { "slice", "dynamic-slice", "gather" };

  if (is_view (from->opcode))
    return;
  cost->written_bytes = known_or_zero (from->shape.bytes);
  if (goban_find_word (parts, G_N_ELEMENTS (parts), from->opcode) >= 0)
    {
      cost->read_bytes = cost->written_bytes; /* of a large operand, only the part that is read */
      return;
    }
  for (guint32 i = 0; i < from->n_operands; i++)
    cost->read_bytes += known_or_zero (get_operand (module, from, i)->bytes);
}

static GobanHloCost
get_cost (const GobanHloModule *module, const GobanHloInstruction *from,
          const GobanHloCost *computations)
{
  GobanHloCost cost = { 0 };

  if (strcmp (from->opcode, "dot") == 0)
    cost.macs = known_or_zero (
        count_sums (from->shape.elements, get_operand (module, from, 0), from->contracting));
  else if (strcmp (from->opcode, "convolution") == 0)
    cost.macs = known_or_zero (
        count_windows (from->shape.elements, get_operand (module, from, 1), from->kernel_output));
  else if (strcmp (from->opcode, "custom-call") == 0)
    cost.macs = known_or_zero (count_library_call (module, from));
  if (cost.macs > 0)
    cost.flops = 2 * cost.macs;
  else if (from->n_called > 0)
    add_called (module, from, computations, &cost);
  else if (strcmp (from->opcode, "dot") != 0 && strcmp (from->opcode, "convolution") != 0
           && !is_view (from->opcode) && !is_movement (from->opcode))
    cost.flops = known_or_zero (from->shape.elements);
  add_bytes (module, from, &cost);
  cost.flops = known_or_zero (cost.flops);
  cost.macs = known_or_zero (cost.macs);
  cost.read_bytes = known_or_zero (cost.read_bytes);
  return cost;
}

/* Adds up the costs of a computation, whose calls are all counted. */
static void
add_up (const GobanHloModule *module, guint32 computation, GobanHloCost *costs,
        GobanHloCost *computations)
{
  const GobanHloComputation *from = goban_hlo_computation (module, computation);

  for (guint32 i = from->first; i < from->first + from->n; i++)
    {
      costs[i] = get_cost (module, goban_hlo_instruction (module, i), computations);
      computations[computation].flops += costs[i].flops;
      computations[computation].macs += costs[i].macs;
    }
}

/* The computation of an instruction, for all of them. */
static guint32 *
dup_owners (const GobanHloModule *module)
{
  guint32 *owners = g_new (guint32, module->instructions->len + 1);

  for (guint32 c = 0; c < module->computations->len; c++)
    for (guint32 i = 0; i < goban_hlo_computation (module, c)->n; i++)
      owners[goban_hlo_computation (module, c)->first + i] = c;
  return owners;
}

/* Callees first. Returns: how many are in @order; the others call themselves. */
static guint
order_computations (const GobanHloModule *module, guint32 *order, guint32 *n_waits)
{
  guint n = module->computations->len;
  g_autofree guint32 *owners = dup_owners (module);
  g_autofree guint32 *first = g_new0 (guint32, n + 2);
  g_autofree guint32 *callers = g_new (guint32, module->called->len + 1);
  guint n_order = 0;

  for (guint32 k = 0; k < module->called->len; k++)
    first[g_array_index (module->called, guint32, k) + 2]++;
  for (guint32 c = 0; c < n; c++)
    first[c + 2] += first[c + 1];
  for (guint32 i = 0; i < module->instructions->len; i++)
    {
      const GobanHloInstruction *from = goban_hlo_instruction (module, i);

      for (guint32 k = 0; k < from->n_called; k++)
        {
          guint32 called = g_array_index (module->called, guint32, from->first_called + k);

          callers[first[called + 1]++] = owners[i];
          n_waits[owners[i]]++;
        }
    }
  for (guint32 c = 0; c < n; c++)
    if (n_waits[c] == 0)
      order[n_order++] = c;
  for (guint at = 0; at < n_order; at++)
    for (guint32 k = first[order[at]]; k < first[order[at] + 1]; k++)
      if (--n_waits[callers[k]] == 0)
        order[n_order++] = callers[k];
  return n_order;
}

/* 
 * Returns: (transfer full) (nullable): the costs of all instructions; g_free() them. %NULL with
 *   %GOBAN_ERROR_PARSE set if a computation calls itself
 */
static GobanHloCost *
hlo_costs_new (const GobanHloModule *module, GError **error)
{
  guint n = module->computations->len;
  g_autofree GobanHloCost *costs = g_new0 (GobanHloCost, module->instructions->len + 1);
  g_autofree GobanHloCost *computations = g_new0 (GobanHloCost, n + 1);
  g_autofree guint32 *order = g_new (guint32, n + 1);
  g_autofree guint32 *n_waits = g_new0 (guint32, n + 1);
  guint n_order = order_computations (module, order, n_waits);

  for (guint i = 0; i < n_order; i++)
    add_up (module, order[i], costs, computations);
  for (guint32 c = 0; c < n; c++)
    if (n_waits[c] > 0)
      {
        g_autofree char *name = g_utf8_make_valid (goban_hlo_computation (module, c)->name, -1);

        goban_refuse (error, GOBAN_ERROR_PARSE,
                      "%s: computation “%s” calls itself, by way of others or not", module->path,
                      name);
        return NULL;
      }
  return g_steal_pointer (&costs);
}

/* Elements of the largest tuple that has a tensor for each. */
#define MAX_PARTS 256
/* HloProto, ModuleTuningData and TuningData have their content in field 1. */
#define MAX_WRAPS 3

/* --- recognising ----------------------------------------------------------------------------- */

/* Moves @data and @size to the module inside. */
static gboolean
find_module (const guint8 **data, gsize *size)
{
  const guint8 *inside = *data;
  gsize n = *size;

  for (guint i = 0; i <= MAX_WRAPS; i++)
    {
      GobanProtobufField field = { 0 };
      gsize at = 0;

      if (goban_protobuf_probe (&goban_probe_hlo_module, inside, n))
        {
          *data = inside;
          *size = n;
          return TRUE;
        }
      while (at < n && (field.tag != 1 || field.wire != 2))
        if (!goban_protobuf_next_field (inside, n, &at, &field))
          return FALSE;
      if (field.tag != 1 || field.wire != 2)
        return FALSE;
      inside += field.start;
      n = MIN (field.value, n - field.start);
    }
  return FALSE;
}

static int
sniff (const char *head, gsize size, const char *path)
{
  const guint8 *data = (const guint8 *) head;

  if (goban_hlo_is_text (head, size))
    return 95;
  return find_module (&data, &size) ? 88 : 0;
}

/* --- building -------------------------------------------------------------------------------- */

typedef struct
{
  const GobanHloModule *module;
  const GobanHloCost *costs;
  GobanGraphBuilder *builder;
  guint32 first;         /* instruction of the entry */
  guint32 n;             /* instructions of the entry */
  guint32 *node_ids;     /* the builder's, by the number in the entry */
  guint32 *first_tensor; /* and their tensors: as many as the tuple has parts, or one */
} Building;

static guint32
count_tensors (const GobanHloInstruction *from)
{
  return from->n_parts > 0 && from->n_parts <= MAX_PARTS ? from->n_parts : 1;
}

/* "jit(f)/layer/dot_general" is in the scope "jit(f)/layer". */
static char *
dup_name (const GobanHloInstruction *from)
{
  const char *slash = strrchr (from->scope, '/');
  g_autofree char *name
      = slash != NULL && slash > from->scope
            ? g_strdup_printf ("%.*s/%s", (int) (slash - from->scope), from->scope, from->name)
            : g_strdup (from->name);

  return g_utf8_make_valid (name, -1);
}

static guint32
add_tensor (Building *self, guint32 node, const GobanHloShape *shape)
{
  double bytes = isfinite (shape->bytes) ? shape->bytes : 0;
  guint32 tensor = goban_graph_builder_add_tensor (self->builder, node, bytes);

  if (shape->has_dims)
    goban_graph_builder_set_tensor_shape (self->builder, tensor, shape->dtype, shape->dims,
                                          shape->n_dims);
  return tensor;
}

static void
add_node (Building *self, guint32 i)
{
  const GobanHloInstruction *from = goban_hlo_instruction (self->module, self->first + i);
  const GobanHloCost *cost = &self->costs[self->first + i];
  g_autofree char *name = dup_name (from);
  g_autofree char *op = g_utf8_make_valid (from->opcode, -1);
  guint32 id = goban_graph_builder_add_node (self->builder, name, op);
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);

  node->flops = cost->flops;
  node->macs = cost->macs;
  node->read_bytes = cost->read_bytes;
  node->written_bytes = cost->written_bytes;
  node->size_source = GOBAN_SOURCE_GIVEN;
  if (strcmp (from->opcode, "constant") == 0 && isfinite (from->shape.bytes))
    {
      node->param_count = from->shape.elements;
      node->param_bytes = from->shape.bytes;
    }
  self->node_ids[i] = id;
  for (guint32 k = 0; k < count_tensors (from); k++)
    {
      const GobanHloShape *part
          = count_tensors (from) == from->n_parts
                ? &g_array_index (self->module->parts, GobanHloShape, from->first_part + k)
                : &from->shape;
      guint32 tensor = add_tensor (self, id, part);

      if (k == 0)
        self->first_tensor[i] = tensor;
    }
}

static void
add_edges (Building *self, guint32 i)
{
  const GobanHloInstruction *from = goban_hlo_instruction (self->module, self->first + i);
  gboolean is_part = strcmp (from->opcode, "get-tuple-element") == 0;

  for (guint32 k = 0; k < from->n_operands + from->n_controls; k++)
    {
      guint32 tail = goban_hlo_operand (self->module, from, k) - self->first;
      guint32 n_tensors = count_tensors (goban_hlo_instruction (self->module, self->first + tail));
      guint32 first = self->first_tensor[tail];

      if (k >= from->n_operands)
        goban_graph_builder_add_control_edge (self->builder, self->node_ids[tail],
                                              self->node_ids[i]);
      else if (is_part && from->tuple_index >= 0 && from->tuple_index < n_tensors)
        goban_graph_builder_add_edge (self->builder, first + (guint32) from->tuple_index,
                                      self->node_ids[i]);
      else
        for (guint32 t = 0; t < n_tensors; t++)
          goban_graph_builder_add_edge (self->builder, first + t, self->node_ids[i]);
    }
}

static void
warn (const Building *self)
{
  guint n_loops = 0, n_sharded = 0, n_placed = 0, n_open = 0;
  const char *first_open = "";
  gint64 largest = -1;

  for (guint32 i = 0; i < self->n; i++)
    {
      const GobanHloInstruction *from = goban_hlo_instruction (self->module, self->first + i);

      n_loops += strcmp (from->opcode, "while") == 0 && !(from->n_trips > 0);
      n_sharded += from->is_sharded;
      n_placed += from->device >= 0;
      largest = MAX (largest, from->device);
      if (isnan (from->shape.bytes) && n_open++ == 0)
        first_open = from->name;
    }
  if (n_open > 0)
    {
      g_autofree char *shown = g_utf8_make_valid (first_open, -1);

      goban_graph_builder_warn (self->builder,
                                "%u of %u instructions have outputs of unknown size, the first is "
                                "“%s”: they count as 0 bytes",
                                n_open, self->n, shown);
    }
  if (n_loops > 0)
    goban_graph_builder_warn (self->builder,
                              n_loops == 1
                                  ? "%u loop is one node: its costs are those of one iteration"
                                  : "%u loops are one node each: their costs are those of one "
                                    "iteration",
                              n_loops);
  if (n_placed > 0)
    goban_graph_builder_warn (self->builder,
                              "the file puts %u node%s on devices 0 to %" G_GINT64_FORMAT
                              ", which are not taken over",
                              n_placed, n_placed == 1 ? "" : "s", largest);
  if (n_sharded > 0)
    goban_graph_builder_warn (self->builder,
                              n_sharded == 1 ? "%u node is split over several devices in the "
                                               "file; here it is whole"
                                             : "%u nodes are split over several devices in the "
                                               "file; here each is whole",
                              n_sharded);
}

static gboolean
fill_builder (GobanGraphBuilder *builder, const GobanHloModule *module, GError **error)
{
  const GobanHloComputation *entry = goban_hlo_computation (module, module->entry);
  g_autofree GobanHloCost *costs = hlo_costs_new (module, error);
  g_autofree guint32 *node_ids = g_new (guint32, entry->n + 1);
  g_autofree guint32 *first_tensor = g_new (guint32, entry->n + 1);
  Building self = { module, costs, builder, entry->first, entry->n, node_ids, first_tensor };

  if (costs == NULL)
    return FALSE;
  for (guint32 i = 0; i < entry->n; i++)
    add_node (&self, i);
  for (guint32 i = 0; i < entry->n; i++)
    add_edges (&self, i);
  warn (&self);
  return TRUE;
}

/* --- the reader ------------------------------------------------------------------------------ */

static GobanGraph *
build (const GobanHloModule *module, const char *path, GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "hlo");

  return fill_builder (builder, module, error) ? goban_text_file_finish_graph (builder, path, error)
                                               : NULL;
}

static GobanHlo__Module *
unpack (const char *data, gsize size, const char *path, GError **error)
{
  const guint8 *inside = (const guint8 *) data;
  GobanHlo__Module *proto;

  if (!find_module (&inside, &size))
    {
      goban_refuse (error, GOBAN_ERROR_PARSE,
                    "%s: neither HLO text, which begins with “HloModule”, nor an HLO message",
                    path);
      return NULL;
    }
  if (!goban_protobuf_check (&goban_hlo__module__descriptor, inside, size, path,
                             N_ ("an HLO module"), error))
    return NULL;
  proto = goban_hlo__module__unpack (NULL, size, inside);
  if (proto == NULL)
    goban_refuse (error, GOBAN_ERROR_PARSE,
                  "%s: not an HLO module: a field has another type than it should", path);
  return proto;
}

static GobanGraph *
read_hlo (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  GobanHlo__Module *proto = NULL;
  GobanGraph *graph = NULL;
  GobanHloModule module;
  gboolean ok;

  goban_hlo_module_init (&module, path);
  if (size == 0 || goban_hlo_is_text (data, size))
    ok = goban_hlo_read_text (&module, data, size, error);
  else
    {
      proto = unpack (data, size, path, error);
      ok = proto != NULL && goban_hlo_read_proto (&module, proto, error);
    }
  if (ok && goban_progress_check (options != NULL ? options->progress : NULL, error))
    graph = build (&module, path, error);
  goban_hlo_module_clear (&module);
  if (proto != NULL)
    goban_hlo__module__free_unpacked (proto, NULL);
  return graph;
}

const GobanFormat goban_format_hlo = {
  .name = "hlo",
  .extensions = ".hlo .hlo.txt .hlo.pb",
  .blurb = "XLA's modules: HLO text, HloProto, TuningData",
  .sniff = sniff,
  .read = read_hlo,
};
