/* msr.c: reads the device placement inputs of Microsoft Research (dnn-partitioning).
 *
 * Nodes have a time on an accelerator and one on a CPU, resident bytes and a class of
 * nodes that share a device. An edge's cost is the time to move its source's output
 * between an accelerator and the CPUs' memory, through which accelerators talk to each
 * other: twice the cost between two of them, nothing between CPUs. All in milliseconds.
 */
#include "engine/core/json-reader.h"
#include "engine/core/quantity.h"
#include "engine/io/formats.h"
#include "engine/io/id-table.h"
#include "engine/io/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define US_PER_MS 1e3
#define ACCELERATOR "gpu"
#define CPU "cpu"

/* No link of that day moved a terabyte a second: 1e6 bytes a microsecond. */
#define ABSURD_BYTES_PER_US 1e6

/* A cluster of more would be refused. */
#define MAX_ACCELERATORS 1024

/* One output of a node: the edges out of it that cost the same. */
typedef struct
{
  guint32 node;
  double cost_ms;
  double size_bytes;
} Output;

typedef struct
{
  const GobanReadOptions *options;
  GobanGraphBuilder *builder;
  GobanIdTable *ids;   /* by node's id */
  GHashTable *outputs; /* Output -> tensor + 1 */
  double total_bytes;  /* over edges with a cost */
  double total_us;
} Reader;

static guint
output_hash (gconstpointer key)
{
  const Output *output = key;

  return output->node * 2654435761u ^ g_double_hash (&output->cost_ms)
         ^ g_double_hash (&output->size_bytes) * 31;
}

static gboolean
output_equal (gconstpointer a, gconstpointer b)
{
  const Output *x = a, *y = b;

  return x->node == y->node && x->cost_ms == y->cost_ms && x->size_bytes == y->size_bytes;
}

/* A whole number that is exact as a double, as other readers of these files have it. */
static gboolean
get_id (GobanJsonValue object, const char *key, gint64 *id, GError **error)
{
  static const GobanJsonWhole exact = { -((gint64) 1 << 53) + 1, ((gint64) 1 << 53) - 1 };

  if (!goban_json_has (object, key))
    return goban_json_refuse_missing (object, key, error);
  return goban_json_get_whole (object, key, exact, id, error);
}

static gboolean
set_times (Reader *self, GobanJsonValue object, guint32 node, GError **error)
{
  gboolean supported = TRUE;
  double gpu_ms = NAN, cpu_ms = NAN;

  if (!goban_json_get_boolean (object, "supportedOnFpga", &supported, error)
      || !goban_json_get_number (object, "fpgaLatency", GOBAN_JSON_AMOUNT, &gpu_ms, error)
      || !goban_json_get_number (object, "cpuLatency", GOBAN_JSON_AMOUNT, &cpu_ms, error))
    return FALSE;

  if (!supported)
    gpu_ms = INFINITY;
  else if (isnan (gpu_ms))
    return goban_json_refuse_missing (object, "fpgaLatency", error);
  if (isnan (cpu_ms))
    return goban_json_refuse_missing (object, "cpuLatency", error);

  goban_graph_builder_set_time (self->builder, node, ACCELERATOR, gpu_ms * US_PER_MS,
                                GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_time (self->builder, node, CPU, cpu_ms * US_PER_MS,
                                GOBAN_SOURCE_MEASURED);
  return TRUE;
}

static gboolean
read_node (Reader *self, GobanJsonValue object, GError **error)
{
  g_autofree char *numbered = NULL;
  g_autofree char *op = NULL;
  const char *name = NULL;
  double size_bytes = 0;
  gboolean is_backward = FALSE;
  GobanNode *filled;
  gint64 id, color = 0;
  guint32 node;

  if (!get_id (object, "id", &id, error) || !goban_json_get_text (object, "name", &name, error)
      || (goban_json_has (object, "colorClass") && !get_id (object, "colorClass", &color, error))
      || !goban_json_get_number (object, "size", GOBAN_JSON_AMOUNT, &size_bytes, error)
      || !goban_json_get_boolean (object, "isBackwardNode", &is_backward, error))
    return FALSE;
  if (goban_id_table_contains (self->ids, id))
    return goban_json_refuse (object, error, "the id %" PRId64 " is given twice", id);

  if (name == NULL || *name == '\0')
    name = numbered = g_strdup_printf ("node%" G_GINT64_FORMAT, id);
  op = goban_text_file_dup_stem (name);
  node = goban_graph_builder_add_node (self->builder, name, op);
  goban_id_table_add (self->ids, id, node);

  filled = goban_graph_builder_get_node (self->builder, node);
  filled->param_bytes = size_bytes;
  filled->size_source = GOBAN_SOURCE_GIVEN;
  filled->phase = is_backward ? GOBAN_PHASE_BACKWARD : GOBAN_PHASE_FORWARD;
  if (goban_json_has (object, "colorClass"))
    goban_graph_builder_set_group (self->builder, node, (guint64) color);
  return set_times (self, object, node, error);
}

static guint32
find_or_add_output (Reader *self, const Output *output)
{
  gpointer found = g_hash_table_lookup (self->outputs, output);
  double cost_us = output->cost_ms * US_PER_MS;
  guint32 tensor;

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;

  tensor = goban_graph_builder_add_tensor (self->builder, output->node, output->size_bytes);
  goban_graph_builder_set_transfer (self->builder, tensor, ACCELERATOR, CPU, cost_us);
  goban_graph_builder_set_transfer (self->builder, tensor, CPU, ACCELERATOR, cost_us);
  goban_graph_builder_set_transfer (self->builder, tensor, ACCELERATOR, ACCELERATOR, 2 * cost_us);
  goban_graph_builder_set_transfer (self->builder, tensor, CPU, CPU, 0);
  g_hash_table_insert (self->outputs, g_memdup2 (output, sizeof *output),
                       GUINT_TO_POINTER (tensor + 1));
  return tensor;
}

static gboolean
find_end (Reader *self, GobanJsonValue object, const char *member, guint32 *node, GError **error)
{
  gint64 id;

  if (!get_id (object, member, &id, error))
    return FALSE;
  if (!goban_id_table_find (self->ids, id, node))
    return goban_json_refuse (object, error, "%s: there is no node with the id %" PRId64, member,
                              id);
  return TRUE;
}

static gboolean
read_edge (Reader *self, GobanJsonValue object, GError **error)
{
  Output output = { 0 };
  double cost_ms = NAN;
  guint32 head;

  if (!find_end (self, object, "sourceId", &output.node, error)
      || !find_end (self, object, "destId", &head, error)
      || !goban_json_get_number (object, "cost", GOBAN_JSON_AMOUNT, &cost_ms, error)
      || !goban_json_get_number (object, "size", GOBAN_JSON_AMOUNT, &output.size_bytes, error))
    return FALSE;
  if (isnan (cost_ms))
    return goban_json_refuse_missing (object, "cost", error);

  output.cost_ms = cost_ms;
  if (cost_ms > 0)
    {
      self->total_bytes += output.size_bytes;
      self->total_us += cost_ms * US_PER_MS;
    }
  goban_graph_builder_add_edge (self->builder, find_or_add_output (self, &output), head);
  return TRUE;
}

typedef gboolean (*ReadElement) (Reader *self, GobanJsonValue element, GError **error);

static gboolean
read_section (Reader *self, GobanJsonValue root, const char *key, ReadElement read, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_has (root, key))
    return goban_json_refuse_missing (root, key, error);
  if (!goban_json_get_list (root, key, &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!goban_progress_check (self->options->progress, error)
        || !goban_json_check_object (item, NULL, error) || !read (self, item, error))
      return FALSE;
  return TRUE;
}

/* The devices are no part of a graph: they come with it as the cluster to run it on. */
static gboolean
note_devices (Reader *self, GobanJsonValue root, GError **error)
{
  double n_gpus = 0, n_cpus = 0, size_bytes = 0;
  char buffer[GOBAN_QUANTITY_LEN];

  if (!goban_json_get_number (root, "maxFPGAs", GOBAN_JSON_AMOUNT, &n_gpus, error)
      || !goban_json_get_number (root, "maxCPUs", GOBAN_JSON_AMOUNT, &n_cpus, error)
      || !goban_json_get_number (root, "maxSizePerFPGA", GOBAN_JSON_AMOUNT, &size_bytes, error))
    return FALSE;

  if (n_gpus > 0)
    goban_graph_builder_warn (self->builder,
                              "the file is meant for %.0f accelerators (kind “gpu”) of %s each "
                              "and %.0f CPUs (kind “cpu”)",
                              n_gpus, goban_format_bytes (buffer, size_bytes), n_cpus);
  if (n_gpus > 0 && n_gpus == floor (n_gpus) && n_gpus < MAX_ACCELERATORS)
    {
      g_autofree char *spec = g_strdup_printf ("msr:%.0f,memory=%.0f", n_gpus, size_bytes);

      goban_graph_builder_set_cluster_spec (self->builder, spec);
    }
  if (self->total_bytes > ABSURD_BYTES_PER_US * self->total_us)
    goban_graph_builder_warn (
        self->builder,
        "its edges move %s a second: their costs look like seconds where "
        "the nodes' times are milliseconds; both are kept as they stand",
        goban_format_bytes (buffer, self->total_bytes / self->total_us * 1e6));
  return TRUE;
}

static GobanGraph *
read_msr (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "msr");
  g_autoptr (GobanIdTable) ids = goban_id_table_new ();
  g_autoptr (GHashTable) outputs = g_hash_table_new_full (output_hash, output_equal, g_free, NULL);
  g_autoptr (GobanJsonReader) json = goban_json_reader_new (data, (gssize) size, path, error);
  Reader reader = { .options = options, .builder = builder, .ids = ids, .outputs = outputs };
  GobanJsonValue root;

  if (json == NULL)
    return NULL;
  root = goban_json_reader_get_root (json);
  if (!goban_json_check_object (root, NULL, error)
      || !read_section (&reader, root, "nodes", read_node, error)
      || !read_section (&reader, root, "edges", read_edge, error)
      || !note_devices (&reader, root, error))
    return NULL;
  return goban_text_file_finish_graph (builder, path, error);
}

static int
sniff_msr (const char *head, gsize size, const char *path)
{
  gsize start = 0;

  while (start < size && g_ascii_isspace (head[start]))
    start++;
  if (start == size || head[start] != '{')
    return 0;
  return goban_text_file_has_key (head, size, "fpgaLatency")
                 || goban_text_file_has_key (head, size, "maxFPGAs")
             ? 95
             : 0;
}

const GobanFormat goban_format_msr = {
  .name = "msr",
  .extensions = ".json",
  .blurb = "device placement inputs of Microsoft Research: accelerator and CPU milliseconds",
  .most_bytes = (gsize) 128 << 20, /* its tokens take some four times as much */
  .sniff = sniff_msr,
  .read = read_msr,
};
