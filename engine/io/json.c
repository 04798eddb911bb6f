/* json.c: reads and writes our own graph files, which keep all of a graph.
 *
 *   {
 *   "goban": "graph", "version": 1, "name": "toy",
 *   "kinds": ["gpu", "cpu"],
 *   "cluster": "devices:gpu=16GB,cpu",     the one to run it on, if any; a description, not a path
 *   "warnings": ["..."],
 *   "nodes": [
 *   {"name": "a", "op": "Conv", "times": {"gpu": 1.5, "cpu": "never"}, "outputs": [64]},
 *   {"name": "b", "op": "Add", "inputs": ["a", ["a", 1]], "outputs": [{"bytes": 4}]}
 *   ]}
 *
 * A node is one line, so that files can be compared line by line. Nodes may come in any order.
 * json-keys.c has all members; others are refused, since a misspelt "times" would make a node that
 * takes no time. docs/graph-json.md is for those who write such files.
 */
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-stream.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/graph/collectives.h"
#include "engine/io/formats.h"
#include "engine/io/json-keys.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

/* --- reading -------------------------------------------------------------- */

#define VERSION 1
#define NODES_PER_CHECK 1024

#define MAX_KEYS 32

/* The tensors of a node are consecutive in the builder. */
typedef struct
{
  guint32 first_tensor;
  guint32 n_tensors;
} Outputs;

/* Inputs of a node, kept until all nodes are known. */
typedef struct
{
  guint32 head;
  guint32 tail; /* a node; from FIRST_LATE on, a name that was not known yet */
  double port;
} Input;

#define FIRST_LATE ((guint32) 1 << 31)

/* Nodes of the builder have the numbers of their elements in the file. */
typedef struct
{
  GobanJsonStream *stream;
  const char *path;
  const GobanReadOptions *options;
  GobanGraphBuilder *builder;
  GHashTable *names; /* name -> node + 1; keys are the builder's */
  GHashTable *kinds; /* set of the kinds listed; owns them */
  GArray *outputs;   /* Outputs, one per node */
  GArray *groups;    /* double, one per node; NAN: none */
  GArray *inputs;    /* Input */
  GPtrArray *late;   /* names, owned */
  gboolean has_transfers;
  const char *root_keys[MAX_KEYS], *node_keys[MAX_KEYS], *output_keys[MAX_KEYS];
} Reader;

/* --- the root's smaller members --------------------------------------------------------------- */

static gboolean
read_kinds (Reader *self, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;
  const char *kind;

  if (!goban_json_read_list (goban_json_stream_read (self->stream, "kinds"), &items, error)
      || !goban_text_file_check_kinds (self->path, items.n, 0, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      if (!goban_json_read_text (item, &kind, error))
        return FALSE;
      g_hash_table_add (self->kinds, g_strdup (kind));
      goban_graph_builder_add_kind (self->builder, kind);
    }
  return TRUE;
}

static gboolean
read_warnings (Reader *self, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;
  const char *warning;

  if (!goban_json_read_list (goban_json_stream_read (self->stream, "warnings"), &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      if (!goban_json_read_text (item, &warning, error))
        return FALSE;
      goban_graph_builder_warn (self->builder, "%s", warning);
    }
  return TRUE;
}

/* A text in the root; *text is unchanged if it is missing. */
static gboolean
read_root_text (Reader *self, const char *key, const char **text, GError **error)
{
  GobanJsonValue value = goban_json_stream_read (self->stream, key);

  return goban_json_is_missing (value) || goban_json_read_text (value, text, error);
}

static gboolean
check_head (Reader *self, GError **error)
{
  GobanJsonValue version;
  const char *what = "";
  double number = 0;

  if (!read_root_text (self, "goban", &what, error))
    return FALSE;
  if (strcmp (what, "graph") != 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s:1: this is not a graph: it has no \"goban\": \"graph\"", self->path);
  version = goban_json_stream_read (self->stream, "version");
  if (!goban_json_is_missing (version)
      && !goban_json_read_number (version, GOBAN_JSON_ANY, &number, error))
    return FALSE;
  if (number != VERSION)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: its version is %g; this program reads version %d", self->path, number,
                         VERSION);
  return goban_json_stream_check_members (self->stream, self->root_keys, error);
}

/* --- nodes ---------------------------------------------------------------------------------- */

static gboolean
check_kind (Reader *self, GobanJsonValue place, const char *kind, GError **error)
{
  return g_hash_table_contains (self->kinds, kind)
         || goban_json_refuse (place, error, "“%s” is not among the “kinds” of the file", kind);
}

static gboolean
read_times (Reader *self, GobanJsonValue element, guint32 node, GError **error)
{
  GobanJsonItems times;
  GobanJsonValue time;
  const char *kind;

  if (!goban_json_get_members (element, "times", &times, error))
    return FALSE;
  while (goban_json_members_next (&times, &kind, &time))
    {
      double time_us = INFINITY;

      if (g_strcmp0 (goban_json_peek_text (time), "never") != 0
          && !(goban_json_is_number (time, &time_us) && time_us >= 0))
        return goban_json_refuse_value (time, N_ ("a number of at least 0 or “never”"), error);
      if (!check_kind (self, time, kind, error))
        return FALSE;
      goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
    }
  return TRUE;
}

static gboolean
read_marks (Reader *self, GobanJsonValue element, guint32 node, GError **error)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  guint time_source = filled->time_source;
  guint size_source = filled->size_source;
  guint phase = filled->phase;

  if (!goban_json_get_word (element, "time_source", goban_source_names, &time_source, error)
      || !goban_json_get_word (element, "size_source", goban_source_names, &size_source, error)
      || !goban_json_get_word (element, "phase", goban_phase_names, &phase, error))
    return FALSE;

  filled->time_source = time_source;
  filled->size_source = size_source;
  filled->phase = phase;
  return TRUE;
}

static gboolean
read_shape (Reader *self, GobanJsonValue output, guint32 tensor, GError **error)
{
  static const GobanJsonWhole sizes = { -1, G_MAXINT64 }; /* -1: unknown */
  g_autofree gint64 *dims = NULL;
  const char *dtype = "";
  GobanJsonItems items;
  GobanJsonValue item;
  guint n = 0;

  if (!goban_json_get_text (output, "dtype", &dtype, error)
      || !goban_json_get_list (output, "dims", &items, error))
    return FALSE;
  if (!goban_json_has (output, "dims"))
    return *dtype == '\0'
           || goban_json_refuse (goban_json_find (output, "dtype"), error,
                                 "dtype needs dims: [] is a single element, -1 an unknown size");

  dims = g_new (gint64, items.n + 1);
  while (goban_json_items_next (&items, &item))
    if (!goban_json_read_whole (item, sizes, &dims[n++], error))
      return FALSE;
  goban_graph_builder_set_tensor_shape (self->builder, tensor, dtype, dims, n);
  return TRUE;
}

static gboolean
read_transfer (Reader *self, GobanJsonValue transfer, guint32 tensor, GError **error)
{
  GobanJsonItems items = { 0 };
  GobanJsonValue from, to, time;
  const char *kinds[2];
  double time_us;

  if (goban_json_get_type (transfer) != GOBAN_JSON_ARRAY
      || !goban_json_read_list (transfer, &items, error) || items.n != 3)
    return goban_json_refuse_value (transfer, N_ ("[\"from kind\", \"to kind\", microseconds]"),
                                    error);
  goban_json_items_next (&items, &from);
  goban_json_items_next (&items, &to);
  goban_json_items_next (&items, &time);
  if (!goban_json_read_text (from, &kinds[0], error) || !goban_json_read_text (to, &kinds[1], error)
      || !goban_json_read_number (time, GOBAN_JSON_AMOUNT, &time_us, error)
      || !check_kind (self, from, kinds[0], error) || !check_kind (self, to, kinds[1], error))
    return FALSE;
  goban_graph_builder_set_transfer (self->builder, tensor, kinds[0], kinds[1], time_us);
  self->has_transfers = TRUE;
  return TRUE;
}

static gboolean
read_transfers (Reader *self, GobanJsonValue output, guint32 tensor, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (output, "transfers", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read_transfer (self, item, tensor, error))
      return FALSE;
  return TRUE;
}

/* @expected: the builder's next tensor. */
static gboolean
read_output (Reader *self, GobanJsonValue output, guint32 node, guint32 expected, GError **error)
{
  double size_bytes = 0;
  gboolean is_control = FALSE;
  guint32 tensor;

  if (goban_json_is_number (output, &size_bytes) && size_bytes >= 0)
    {
      goban_graph_builder_add_tensor (self->builder, node, size_bytes);
      return TRUE;
    }
  size_bytes = 0;
  if (goban_json_get_type (output) != GOBAN_JSON_OBJECT)
    return goban_json_refuse_value (output, N_ ("a number of at least 0 or an object"), error);
  if (!goban_json_check_object (output, self->output_keys, error)
      || !goban_json_get_number (output, "bytes", GOBAN_JSON_AMOUNT, &size_bytes, error)
      || !goban_json_get_boolean (output, "control", &is_control, error))
    return FALSE;

  tensor = is_control ? goban_graph_builder_add_control_tensor (self->builder, node)
                      : goban_graph_builder_add_tensor (self->builder, node, size_bytes);
  /* The builder has one control tensor a node and hands out the same again. */
  if (tensor != expected)
    return goban_json_refuse (output, error, "only one output can be “control”");
  return read_shape (self, output, tensor, error) && read_transfers (self, output, tensor, error);
}

static guint32
count_tensors (const Reader *self)
{
  const Outputs *last;

  if (self->outputs->len == 0)
    return 0;
  last = &g_array_index (self->outputs, Outputs, self->outputs->len - 1);
  return last->first_tensor + last->n_tensors;
}

static gboolean
read_outputs (Reader *self, GobanJsonValue element, guint32 node, GError **error)
{
  Outputs outputs = { .first_tensor = count_tensors (self) };
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (element, "outputs", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read_output (self, item, node, outputs.first_tensor + outputs.n_tensors++, error))
      return FALSE;
  g_array_append_val (self->outputs, outputs);
  return TRUE;
}

/* "name" or ["name", output] */
static gboolean
scan_input (GobanJsonValue input, const char **name, double *port)
{
  GobanJsonItems items = { 0 };
  GobanJsonValue first, second;

  *name = goban_json_peek_text (input);
  if (*name != NULL)
    return TRUE;
  if (goban_json_get_type (input) != GOBAN_JSON_ARRAY
      || !goban_json_read_list (input, &items, NULL) /* checked above */ || items.n != 2)
    return FALSE;
  goban_json_items_next (&items, &first);
  goban_json_items_next (&items, &second);
  *name = goban_json_peek_text (first);
  return *name != NULL && goban_json_is_number (second, port);
}

static gboolean
read_input (Reader *self, GobanJsonValue input, guint32 head, GError **error)
{
  Input read = { .head = head };
  const char *name;
  gpointer found;

  if (!scan_input (input, &name, &read.port))
    return goban_json_refuse_value (input, N_ ("“name” or [“name”, output]"), error);

  found = g_hash_table_lookup (self->names, name);
  if (found != NULL)
    read.tail = GPOINTER_TO_UINT (found) - 1;
  else
    {
      read.tail = FIRST_LATE + self->late->len;
      g_ptr_array_add (self->late, g_strdup (name));
    }
  g_array_append_val (self->inputs, read);
  return TRUE;
}

static gboolean
read_inputs (Reader *self, GobanJsonValue element, guint32 node, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (element, "inputs", &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read_input (self, item, node, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_collective (Reader *self, GobanJsonValue element, guint32 node, GError **error)
{
  guint kind = GOBAN_N_COLLECTIVES;
  const GobanJsonWhole ranks = { 1, G_MAXINT32 };
  const char *group = NULL;
  double bytes = 0;
  gint64 n_ranks = 0, step = 1;

  if (!goban_json_get_word (element, "collective", goban_collective_names, &kind, error)
      || !goban_json_get_number (element, "collective_bytes",
                                 ((GobanJsonRange){ 0, GOBAN_TEXT_MAX_AMOUNT }), &bytes, error)
      || !goban_json_get_whole (element, "collective_ranks", ranks, &n_ranks, error)
      || !goban_json_get_whole (element, "collective_step", ranks, &step, error)
      || !goban_json_get_name (element, "collective_group", &group, error))
    return FALSE;
  if (kind < GOBAN_N_COLLECTIVES)
    goban_graph_builder_set_collective (
        self->builder, (GobanNodeCollective){ node, (GobanCollectiveKind) kind, bytes,
                                              (guint32) n_ranks, (guint32) step, group });
  return TRUE;
}

static gboolean
read_node (Reader *self, GobanJsonValue element, GError **error)
{
  const char *name = NULL, *op = "";
  static const GobanJsonWhole lanes = { 0, G_MAXUINT16 };
  static const GobanJsonWhole batches = { 0, G_MAXUINT16 };
  const char *origin = NULL;
  double group = NAN;
  gint64 lane = GOBAN_NO_LANE;
  gint64 batch = GOBAN_NO_BATCH;
  GobanNode *filled;
  guint32 node;

  if (!goban_json_check_object (element, self->node_keys, error)
      || !goban_json_get_name (element, "name", &name, error)
      || !goban_json_get_text (element, "op", &op, error)
      || !goban_json_get_name (element, "origin", &origin, error))
    return FALSE;
  if (name == NULL)
    return goban_json_refuse_missing (element, "name", error);
  if (g_hash_table_contains (self->names, name))
    return goban_json_refuse (element, error, "the name “%s” is given twice", name);

  node = goban_graph_builder_add_node (self->builder, name, op);
  filled = goban_graph_builder_get_node (self->builder, node);
  g_hash_table_insert (self->names, (gpointer) filled->name, GUINT_TO_POINTER (node + 1));
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    if (!goban_json_get_number (element, goban_node_fields[i].name, GOBAN_JSON_AMOUNT,
                                (double *) G_STRUCT_MEMBER_P (filled, goban_node_fields[i].offset),
                                error))
      return FALSE;

  if (!goban_json_get_number (element, "group", GOBAN_JSON_AMOUNT, &group, error)
      || !goban_json_get_whole (element, "lane", lanes, &lane, error)
      || !goban_json_get_whole (element, "micro_batch", batches, &batch, error))
    return FALSE;
  filled->lane = (guint32) lane;
  filled->micro_batch = (guint32) batch;
  if (origin != NULL)
    goban_graph_builder_set_origin (self->builder, node, origin);
  g_array_append_val (self->groups, group);
  return read_times (self, element, node, error) && read_marks (self, element, node, error)
         && read_collective (self, element, node, error)
         && read_outputs (self, element, node, error) && read_inputs (self, element, node, error);
}

/* --- after the last node -------------------------------------------------------------------- */

/* The builder takes the edges in the order of the file, of which some need nodes that came
 * later. */
static gboolean
add_edges (Reader *self, GError **error)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      Input input = g_array_index (self->inputs, Input, i);
      const char *name;
      const Outputs *outputs;

      if (input.tail >= FIRST_LATE)
        {
          gpointer found;

          name = g_ptr_array_index (self->late, input.tail - FIRST_LATE);
          found = g_hash_table_lookup (self->names, name);
          if (found == NULL)
            return goban_json_stream_refuse (self->stream, input.head, error,
                                             "there is no node “%s”, which it has as an input",
                                             name);
          input.tail = GPOINTER_TO_UINT (found) - 1;
        }
      name = goban_graph_builder_get_node (self->builder, input.tail)->name;
      outputs = &g_array_index (self->outputs, Outputs, input.tail);
      if (input.port < 0 || input.port != floor (input.port) || input.port >= outputs->n_tensors)
        return goban_json_stream_refuse (self->stream, input.head, error,
                                         "the input “%s” has %u outputs, none of them %g", name,
                                         outputs->n_tensors, input.port);
      goban_graph_builder_add_edge (self->builder, outputs->first_tensor + (guint32) input.port,
                                    input.head);
    }
  return TRUE;
}

/* Group numbers are kept: each is made known in turn, before the nodes are put into theirs. */
static gboolean
set_groups (Reader *self, GError **error)
{
  guint n_nodes = self->groups->len;
  double n_groups = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      double group = g_array_index (self->groups, double, v);

      if (isnan (group))
        continue;
      if (group != floor (group) || group >= 0x1p53)
        return goban_json_stream_refuse (self->stream, v, error,
                                         "group is %g: a whole number is needed", group);
      n_groups = MAX (n_groups, group + 1);
    }

  for (guint32 g = 0; n_groups <= n_nodes && g < n_groups; g++)
    goban_graph_builder_set_group (self->builder, 0, g);
  if (n_groups > 0)
    goban_graph_builder_get_node (self->builder, 0)->group = GOBAN_NO_GROUP;

  for (guint v = 0; v < n_nodes; v++)
    if (!isnan (g_array_index (self->groups, double, v)))
      goban_graph_builder_set_group (self->builder, v,
                                     (guint64) g_array_index (self->groups, double, v));
  return TRUE;
}

/* --- the whole ------------------------------------------------------------------------------ */

static gboolean
read_nodes (Reader *self, GError **error)
{
  GobanJsonValue element;

  if (!goban_json_stream_enter (self->stream, "nodes", error))
    return FALSE;
  for (guint v = 0; goban_json_stream_next (self->stream, &element); v++)
    {
      if (v % NODES_PER_CHECK == 0 && !goban_progress_check (self->options->progress, error))
        return FALSE;
      if (v % NODES_PER_CHECK == 0 && self->options->may_forget)
        goban_json_stream_forget (self->stream);
      if (!read_node (self, element, error))
        return FALSE;
    }
  return add_edges (self, error) && set_groups (self, error);
}

static gboolean
read_root (Reader *self, GError **error)
{
  const char *cluster = NULL;

  if (!read_root_text (self, "cluster", &cluster, error))
    return FALSE;
  if (cluster != NULL)
    goban_graph_builder_set_cluster_spec (self->builder, cluster);
  return read_kinds (self, error) && read_warnings (self, error) && read_nodes (self, error)
         && (!self->has_transfers
             || goban_text_file_check_kinds (self->path, g_hash_table_size (self->kinds),
                                             count_tensors (self), error));
}

/* The name that the file gives its graph, or that of the file. */
static gboolean
start_graph (Reader *self, GError **error)
{
  const char *name = NULL;
  g_autofree char *own = NULL;

  if (!check_head (self, error) || !read_root_text (self, "name", &name, error))
    return FALSE;
  own = name != NULL ? g_strdup (name) : goban_text_file_graph_name (self->path);
  self->builder = goban_graph_builder_new (own, "json");
  return TRUE;
}

static void
list_names (const char **names, const GobanJsonKey *keys)
{
  for (guint i = 0; i == 0 || keys[i - 1].name != NULL; i++)
    {
      g_assert (i < MAX_KEYS);
      names[i] = keys[i].name;
    }
}

static void
reader_init (Reader *self)
{
  list_names (self->root_keys, goban_json_get_keys (GOBAN_JSON_FILE));
  list_names (self->node_keys, goban_json_get_keys (GOBAN_JSON_NODE));
  list_names (self->output_keys, goban_json_get_keys (GOBAN_JSON_OUTPUT));
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->outputs = g_array_new (FALSE, FALSE, sizeof (Outputs));
  self->groups = g_array_new (FALSE, FALSE, sizeof (double));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (Input));
  self->late = g_ptr_array_new_with_free_func (g_free);
}

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->stream, goban_json_stream_free);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->kinds);
  g_array_unref (self->outputs);
  g_array_unref (self->groups);
  g_array_unref (self->inputs);
  g_ptr_array_unref (self->late);
}

static GobanGraph *
read_json (const char *data, gsize size, const char *path, const GobanReadOptions *options,
           GError **error)
{
  Reader reader = { .options = options, .path = path };
  g_autoptr (GobanGraphBuilder) builder = NULL;
  gboolean fine;

  reader.stream = goban_json_stream_new (data, size, path, error);
  if (reader.stream == NULL)
    return NULL;
  reader_init (&reader);
  fine = start_graph (&reader, error) && read_root (&reader, error);
  builder = reader.builder;
  /* Freed before the graph is made from the builder, which takes as much memory again. */
  reader_clear (&reader);
  return fine ? goban_text_file_finish_graph (builder, path, error) : NULL;
}

/* {"goban": "graph", with spaces anywhere */
static int
sniff_json (const char *head, gsize size, const char *path)
{
  g_autofree char *text = g_strndup (head, MIN (size, 4096));
  const char *p = text + strspn (text, " \t\r\n");

  p = *p == '{' ? strstr (p, "\"goban\"") : NULL;
  if (p == NULL)
    return 0;
  p += strlen ("\"goban\"");
  p += strspn (p, " \t\r\n:");
  return g_str_has_prefix (p, "\"graph\"") ? 100 : 0;
}

/* --- writing -------------------------------------------------------------- */

static void
append_number (GString *out, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_string_append (out, goban_format_double (buffer, value));
}

/* `, "name": ` */
static void
append_member (GString *out, const char *name)
{
  g_string_append (out, ", ");
  goban_json_append_string (out, name);
  g_string_append (out, ": ");
}

static void
append_times (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  gboolean any = FALSE;

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, node, k);

      if (isnan (time_us))
        continue;
      g_string_append (out, any ? ", " : ", \"times\": {");
      goban_json_append_string (out, goban_graph_get_kind (graph, k));
      g_string_append (out, ": ");
      if (isinf (time_us))
        g_string_append (out, "\"never\"");
      else
        append_number (out, time_us);
      any = TRUE;
    }

  if (any)
    g_string_append_c (out, '}');
  if (goban_graph_get_node (graph, node)->time_source
      != (any ? GOBAN_SOURCE_GIVEN : GOBAN_SOURCE_ESTIMATED))
    {
      append_member (out, "time_source");
      goban_json_append_string (
          out, goban_source_names[goban_graph_get_node (graph, node)->time_source]);
    }
}

static void
append_inputs (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  GobanEdgeSpan span = goban_graph_get_in_edges (graph, node);

  for (guint i = 0; i < span.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, span.ids[i]);
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, edge->tail, &n_tensors);

      g_string_append (out, i == 0 ? ", \"inputs\": [" : ", ");
      if (edge->tensor > first)
        g_string_append_c (out, '[');
      goban_json_append_string (out, goban_graph_get_node (graph, edge->tail)->name);
      if (edge->tensor > first)
        g_string_append_printf (out, ", %u]", edge->tensor - first);
    }
  if (span.n > 0)
    g_string_append_c (out, ']');
}

/* Returns whether there were any. */
static gboolean
append_transfers (GString *out, const GobanGraph *graph, GobanTensorId tensor)
{
  guint n_kinds = goban_graph_get_n_kinds (graph);
  gboolean any = FALSE;

  for (guint a = 0; a < n_kinds; a++)
    for (guint b = 0; b < n_kinds; b++)
      {
        double time_us = goban_graph_get_transfer_us (graph, tensor, a, b);

        if (isnan (time_us))
          continue;
        g_string_append (out, any ? ", [" : ", \"transfers\": [[");
        goban_json_append_string (out, goban_graph_get_kind (graph, a));
        g_string_append (out, ", ");
        goban_json_append_string (out, goban_graph_get_kind (graph, b));
        g_string_append (out, ", ");
        append_number (out, time_us);
        g_string_append_c (out, ']');
        any = TRUE;
      }
  if (any)
    g_string_append_c (out, ']');
  return any;
}

static void
append_output (GString *out, const GobanGraph *graph, GobanTensorId id)
{
  const GobanTensor *tensor = goban_graph_get_tensor (graph, id);
  gsize start = out->len;
  gboolean is_plain = !tensor->has_shape && !tensor->is_control;

  g_string_append (out, "{\"bytes\": ");
  append_number (out, tensor->size_bytes);
  if (tensor->is_control)
    g_string_append (out, ", \"control\": true");
  if (tensor->has_shape)
    {
      if (*tensor->dtype != '\0')
        {
          append_member (out, "dtype");
          goban_json_append_string (out, tensor->dtype);
        }
      g_string_append (out, ", \"dims\": [");
      for (guint i = 0; i < tensor->n_dims; i++)
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", tensor->dims[i]);
      g_string_append_c (out, ']');
    }
  if (append_transfers (out, graph, id) || !is_plain)
    {
      g_string_append_c (out, '}');
      return;
    }

  /* Nothing but a size: the number alone says it. */
  g_string_truncate (out, start);
  append_number (out, tensor->size_bytes);
}

static void
append_outputs (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  for (guint i = 0; i < n_tensors; i++)
    {
      g_string_append (out, i == 0 ? ", \"outputs\": [" : ", ");
      append_output (out, graph, first + i);
    }
  if (n_tensors > 0)
    g_string_append_c (out, ']');
}

static void
append_node (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  const GobanNodeCollective *collective = goban_graph_find_collective (graph, id);

  g_string_append (out, "{\"name\": ");
  goban_json_append_string (out, node->name);
  if (*node->op != '\0')
    {
      append_member (out, "op");
      goban_json_append_string (out, node->op);
    }
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      double value = G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset);

      if (value == 0)
        continue;
      append_member (out, goban_node_fields[i].name);
      append_number (out, value);
    }
  if (node->size_source != GOBAN_SOURCE_ESTIMATED)
    {
      append_member (out, "size_source");
      goban_json_append_string (out, goban_source_names[node->size_source]);
    }
  if (node->phase != GOBAN_PHASE_FORWARD)
    {
      append_member (out, "phase");
      goban_json_append_string (out, goban_phase_names[node->phase]);
    }
  if (node->group != GOBAN_NO_GROUP)
    g_string_append_printf (out, ", \"group\": %u", node->group);
  if (node->lane != GOBAN_NO_LANE)
    g_string_append_printf (out, ", \"lane\": %u", node->lane);
  if (node->micro_batch != GOBAN_NO_BATCH)
    g_string_append_printf (out, ", \"micro_batch\": %u", node->micro_batch);
  if (node->origin != NULL)
    {
      append_member (out, "origin");
      goban_json_append_string (out, node->origin);
    }
  if (collective != NULL)
    {
      append_member (out, "collective");
      goban_json_append_string (out, goban_collective_names[collective->kind]);
      append_member (out, "collective_bytes");
      append_number (out, collective->bytes);
      if (collective->n_ranks > 0)
        g_string_append_printf (out, ", \"collective_ranks\": %u, \"collective_step\": %u",
                                collective->n_ranks, collective->rank_step);
      if (collective->group != NULL)
        {
          append_member (out, "collective_group");
          goban_json_append_string (out, collective->group);
        }
    }

  append_times (out, graph, id);
  append_inputs (out, graph, id);
  append_outputs (out, graph, id);
  g_string_append_c (out, '}');
}

static void
append_list (GString *out, const char *name, const char *const *words, guint n)
{
  g_string_append_printf (out, ",\n\"%s\": [", name);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      goban_json_append_string (out, words[i]);
    }
  g_string_append_c (out, ']');
}

/* A node a line; reading it back gives a graph of equal hash. (transfer full) */
static char *
json_write (const GobanGraph *graph, gsize *size, GError **error)
{
  GString *out = g_string_new ("{\n\"goban\": \"graph\", \"version\": 1");
  const char *const *warnings = goban_graph_get_warnings (graph);
  guint n_kinds = goban_graph_get_n_kinds (graph);

  append_member (out, "name");
  goban_json_append_string (out, goban_graph_get_name (graph));
  if (n_kinds > 0)
    {
      g_autofree const char **kinds = g_new (const char *, n_kinds);

      for (guint k = 0; k < n_kinds; k++)
        kinds[k] = goban_graph_get_kind (graph, k);
      append_list (out, "kinds", kinds, n_kinds);
    }
  if (*goban_graph_get_cluster_spec (graph) != '\0')
    {
      append_member (out, "cluster");
      goban_json_append_string (out, goban_graph_get_cluster_spec (graph));
    }
  if (warnings[0] != NULL)
    append_list (out, "warnings", warnings, g_strv_length ((char **) warnings));

  g_string_append (out, ",\n\"nodes\": [");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      g_string_append (out, v > 0 ? ",\n" : "\n");
      append_node (out, graph, v);
    }
  g_string_append (out, "\n]}\n");

  *size = out->len;
  return g_string_free (out, FALSE);
}

const GobanFormat goban_format_json = {
  .name = "json",
  .extensions = ".json",
  .blurb = "Goban's own graphs, which keep everything",
  .sniff = sniff_json,
  .read = read_json,
  .write = json_write,
};
