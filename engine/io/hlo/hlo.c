/* hlo.c: the reader of XLA's modules: HLO text, HloProto, HloModuleProto, TpuGraphs' TuningData.
 *
 * The entry computation is the graph; an instruction is a node, with the framework's scope before
 * its name. What a fusion, call, loop or condition calls stays inside that node, with its costs. A
 * tuple has a tensor for each element, and get-tuple-element reads one of them.
 *
 * Constants of the entry are parameters. Its `parameter` instructions are nodes that write what
 * the caller passes: the file does not tell weights from inputs.
 */
#include "engine/core/error.h"
#include "engine/io/formats.h"
#include "engine/io/hlo/hlo-costs.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

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

      n_loops += strcmp (from->opcode, "while") == 0;
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
  g_autofree GobanHloCost *costs = goban_hlo_costs_new (module, error);
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
  if (!goban_protobuf_check (&goban_hlo__module__descriptor, inside, size, path, "an HLO module",
                             error))
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
