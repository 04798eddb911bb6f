/* json.c: reads our own graph files, which keep all a graph knows. json-write.c writes them.
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
 * A node is one line, so that files can be compared line by line. Nodes may come in any
 * order. All but "name" may be left out:
 *   op             a word
 *   flops, macs, read_bytes, written_bytes, param_bytes, param_count
 *                  numbers, 0 if left out
 *   group          a whole number; nodes of the same one share a device
 *   phase          "forward" (where left out), "backward" or "update"
 *   times          microseconds on each kind of device, "never" if it cannot run; the kind
 *                  "*" is any; the kinds are those listed at the top
 *   time_source, size_source
 *                  "measured", "given" or "estimated"; left out, times are given if there
 *                  are any, and sizes are estimated
 *   inputs         what it reads: the name of a node for its first output, [name, 1] for its second
 *   outputs        the tensors it writes: bytes, or an object of
 *                  bytes, dtype, dims (-1: unknown), control (true: only an order of execution),
 *                  transfers ([from kind, to kind, microseconds] each)
 */
#include "engine/base/error.h"
#include "engine/base/file-read.h"
#include "engine/base/find-word.h"
#include "engine/io/formats.h"
#include "engine/io/json-tape.h"
#include "engine/io/json-write.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

#define VERSION 1
#define NODES_PER_CHECK 1024
#define FORGET_BYTES ((gsize) 1 << 22)

/* The members of the root object, in the order in which they are read. */
enum
{
  ROOT_GOBAN,
  ROOT_VERSION,
  ROOT_NAME,
  ROOT_CLUSTER,
  ROOT_KINDS,
  ROOT_WARNINGS,
  ROOT_NODES,
  N_ROOT,
};

static const char *const root_names[N_ROOT]
    = { "goban", "version", "name", "cluster", "kinds", "warnings", "nodes" };

/* The tensors of a node are consecutive in the builder. */
typedef struct
{
  guint32 first_tensor;
  guint32 n_tensors;
} Outputs;

/* What a node reads, kept until all nodes are known. */
typedef struct
{
  guint32 head;
  guint32 tail; /* a node; from FIRST_LATE on, a name that was not known yet */
  double port;
} Input;

#define FIRST_LATE ((guint32) 1 << 31)

typedef struct
{
  GobanJsonTape tape;
  GobanJsonPlace place;
  GobanJsonSpan root[N_ROOT];
  const GobanReadOptions *options;
  GobanGraphBuilder *builder;
  GHashTable *names; /* name -> node + 1; keys are the builder's */
  GHashTable *kinds; /* set of the kinds listed; owns them */
  GArray *outputs;   /* Outputs, one per node */
  GArray *groups;    /* double, one per node; NAN: none */
  GArray *lines;     /* guint32, one per node */
  GArray *inputs;    /* Input */
  GPtrArray *late;   /* names, owned */
  gboolean has_transfers;
} Reader;

/* The elements of the array on the tape: for (t = first; t < end; t = next). */
static guint32
first_inside (const Reader *self, guint32 container, guint32 *end)
{
  *end = goban_json_tape_token (&self->tape, container)->next;
  return container + 1;
}

static guint32
next_of (const Reader *self, guint32 token)
{
  return goban_json_tape_token (&self->tape, token)->next;
}

static guint32
count_inside (const Reader *self, guint32 container)
{
  return goban_json_tape_token (&self->tape, container)->n_inside;
}

/* --- the root's smaller members ----------------------------------------------------------------- */

/* Reads the member onto the tape; FALSE without an error if it is missing or null. */
static gboolean
read_root_member (Reader *self, guint member)
{
  if (self->root[member].begin == NULL)
    return FALSE;
  goban_json_tape_read (&self->tape, &self->root[member]);
  return !goban_json_tape_is (&self->tape, 0, GOBAN_JSON_NULL);
}

/* The same of one type; @found says whether it is there. */
static gboolean
read_root_typed (Reader *self, guint member, GobanJsonType type, const char *type_name,
                 gboolean *found, GError **error)
{
  *found = read_root_member (self, member);
  if (!*found || goban_json_tape_is (&self->tape, 0, type))
    return TRUE;
  return goban_json_fail (&self->place, error, "“%s” is no %s", root_names[member], type_name);
}

static gboolean
read_root_texts (Reader *self, guint member, const char *what, void (*add) (Reader *, const char *),
                 GError **error)
{
  gboolean found;
  guint32 end;

  if (!read_root_typed (self, member, GOBAN_JSON_ARRAY, "array", &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  if (member == ROOT_KINDS
      && !goban_text_check_kinds (self->place.path, count_inside (self, 0), 0, error))
    return FALSE;
  for (guint32 t = first_inside (self, 0, &end); t < end; t = next_of (self, t))
    {
      if (!goban_json_tape_is (&self->tape, t, GOBAN_JSON_STRING))
        return goban_json_fail (&self->place, error, "%s is no string", what);
      add (self, goban_json_tape_text (&self->tape, t));
    }
  return TRUE;
}

static void
add_kind (Reader *self, const char *kind)
{
  g_hash_table_add (self->kinds, g_strdup (kind));
  goban_graph_builder_add_kind (self->builder, kind);
}

static void
add_warning (Reader *self, const char *warning)
{
  goban_graph_builder_warn (self->builder, "%s", warning);
}

static gboolean
check_head (Reader *self, GError **error)
{
  double version = 0;
  gboolean found, is_graph;

  if (!read_root_typed (self, ROOT_GOBAN, GOBAN_JSON_STRING, "string", &found, error))
    return FALSE;
  is_graph = found && strcmp (goban_json_tape_text (&self->tape, 0), "graph") == 0;
  if (read_root_member (self, ROOT_VERSION) && !goban_json_tape_number (&self->tape, 0, &version))
    return goban_json_fail (&self->place, error, "“version” is no number");
  if (!is_graph)
    return goban_json_fail (&self->place, error, "“goban” is not “graph”: this is no graph");
  if (version == VERSION)
    return TRUE;

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED,
               "%s: its version is %g; this program reads version %d", self->place.path, version,
               VERSION);
  return FALSE;
}

/* --- nodes ---------------------------------------------------------------------------------- */

static gboolean
check_kind (Reader *self, const char *kind, GError **error)
{
  if (g_hash_table_contains (self->kinds, kind))
    return TRUE;
  return goban_json_fail (&self->place, error, "“%s” is not among the “kinds” of the file", kind);
}

static gboolean
read_times (Reader *self, guint32 node, GError **error)
{
  const GobanJsonTape *tape = &self->tape;
  guint32 times = 0;
  guint32 end;

  if (!goban_json_tape_get_object (tape, &self->place, 0, "times", &times, error))
    return FALSE;
  if (times == 0)
    return TRUE;

  for (guint32 key = first_inside (self, times, &end); key < end; key = next_of (self, key + 1))
    {
      double time_us = INFINITY;
      gboolean is_never = goban_json_tape_is (tape, key + 1, GOBAN_JSON_STRING)
                          && strcmp (goban_json_tape_text (tape, key + 1), "never") == 0;
      const char *kind = goban_json_tape_text (tape, key);

      if (!goban_json_tape_is (tape, key, GOBAN_JSON_STRING))
        continue;
      if (!is_never && (!goban_json_tape_number (tape, key + 1, &time_us) || time_us < 0))
        return goban_json_fail (&self->place, error,
                                "the time on “%s” is neither an amount nor "
                                "“never”",
                                kind);
      if (!check_kind (self, kind, error))
        return FALSE;
      goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
    }
  return TRUE;
}

static gboolean
read_word (Reader *self, const char *member, const char *const *words, guint n_words, guint *value,
           GError **error)
{
  const char *word = NULL;
  int found;

  if (!goban_json_tape_get_string (&self->tape, &self->place, 0, member, &word, error))
    return FALSE;
  if (word == NULL)
    return TRUE;
  found = goban_find_word (words, n_words, word);
  if (found < 0)
    return goban_json_fail (&self->place, error, "“%s” is no %s", word, member);
  *value = found;
  return TRUE;
}

static gboolean
read_marks (Reader *self, guint32 node, GError **error)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  guint time_source = filled->time_source;
  guint size_source = filled->size_source;
  guint phase = filled->phase;

  if (!read_word (self, "time_source", goban_source_names, GOBAN_N_SOURCES, &time_source, error)
      || !read_word (self, "size_source", goban_source_names, GOBAN_N_SOURCES, &size_source, error)
      || !read_word (self, "phase", goban_phase_names, GOBAN_N_PHASES, &phase, error))
    return FALSE;

  filled->time_source = time_source;
  filled->size_source = size_source;
  filled->phase = phase;
  return TRUE;
}

static gboolean
read_dims (Reader *self, guint32 output, guint32 tensor, GError **error)
{
  g_autofree gint64 *dims = NULL;
  const char *dtype = "";
  guint32 array = 0;
  guint32 end;
  guint n = 0;

  if (!goban_json_tape_get_string (&self->tape, &self->place, output, "dtype", &dtype, error)
      || !goban_json_tape_get_array (&self->tape, &self->place, output, "dims", &array, error))
    return FALSE;
  if (array == 0)
    return TRUE;

  dims = g_new (gint64, count_inside (self, array) + 1);
  for (guint32 t = first_inside (self, array, &end); t < end; t = next_of (self, t))
    {
      dims[n] = goban_json_tape_token (&self->tape, t)->integer;
      if (!goban_json_tape_is (&self->tape, t, GOBAN_JSON_INTEGER) || dims[n] < -1)
        return goban_json_fail (&self->place, error,
                                "a dimension is no whole number from -1 (unknown) on");
      n++;
    }
  goban_graph_builder_set_tensor_shape (self->builder, tensor, dtype, dims, n);
  return TRUE;
}

static gboolean
read_transfer (Reader *self, guint32 triple, guint32 tensor, GError **error)
{
  const GobanJsonTape *tape = &self->tape;
  double time_us = -1;

  /* The elements of a triple of scalars are the next three tokens. */
  if (!goban_json_tape_is (tape, triple, GOBAN_JSON_ARRAY) || count_inside (self, triple) != 3
      || !goban_json_tape_is (tape, triple + 1, GOBAN_JSON_STRING)
      || !goban_json_tape_is (tape, triple + 2, GOBAN_JSON_STRING)
      || !goban_json_tape_number (tape, triple + 3, &time_us) || time_us < 0)
    return goban_json_fail (&self->place, error,
                            "a transfer is [\"from kind\", \"to kind\", microseconds]");

  if (!check_kind (self, goban_json_tape_text (tape, triple + 1), error)
      || !check_kind (self, goban_json_tape_text (tape, triple + 2), error))
    return FALSE;
  goban_graph_builder_set_transfer (self->builder, tensor, goban_json_tape_text (tape, triple + 1),
                                    goban_json_tape_text (tape, triple + 2), time_us);
  self->has_transfers = TRUE;
  return TRUE;
}

static gboolean
read_transfers (Reader *self, guint32 output, guint32 tensor, GError **error)
{
  guint32 transfers = 0;
  guint32 end;

  if (!goban_json_tape_get_array (&self->tape, &self->place, output, "transfers", &transfers,
                                  error))
    return FALSE;
  if (transfers == 0)
    return TRUE;
  for (guint32 t = first_inside (self, transfers, &end); t < end; t = next_of (self, t))
    if (!read_transfer (self, t, tensor, error))
      return FALSE;
  return TRUE;
}

/* @expected: the builder's next tensor. */
static gboolean
read_output (Reader *self, guint32 output, guint32 node, guint32 expected, GError **error)
{
  double size_bytes = 0;
  gboolean is_control = FALSE;
  guint32 tensor;

  if (goban_json_tape_number (&self->tape, output, &size_bytes))
    {
      if (size_bytes < 0)
        return goban_json_fail (&self->place, error, "an output has a negative size");
      goban_graph_builder_add_tensor (self->builder, node, size_bytes);
      return TRUE;
    }
  if (!goban_json_tape_is (&self->tape, output, GOBAN_JSON_OBJECT))
    return goban_json_fail (&self->place, error, "an output is neither a size nor an object");

  if (!goban_json_tape_get_amount (&self->tape, &self->place, output, "bytes", &size_bytes, error)
      || !goban_json_tape_get_boolean (&self->tape, &self->place, output, "control", &is_control,
                                       error))
    return FALSE;

  tensor = is_control ? goban_graph_builder_add_control_tensor (self->builder, node)
                      : goban_graph_builder_add_tensor (self->builder, node, size_bytes);
  /* The builder has one control tensor a node and hands out the same again. */
  if (tensor != expected)
    return goban_json_fail (&self->place, error, "only one output can be “control”");
  return read_dims (self, output, tensor, error) && read_transfers (self, output, tensor, error);
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
read_outputs (Reader *self, guint32 node, GError **error)
{
  Outputs outputs = { .first_tensor = count_tensors (self) };
  guint32 array = 0;
  guint32 end;

  if (!goban_json_tape_get_array (&self->tape, &self->place, 0, "outputs", &array, error))
    return FALSE;
  if (array != 0)
    for (guint32 t = first_inside (self, array, &end); t < end; t = next_of (self, t))
      if (!read_output (self, t, node, outputs.first_tensor + outputs.n_tensors++, error))
        return FALSE;
  g_array_append_val (self->outputs, outputs);
  return TRUE;
}

static gboolean
read_input (Reader *self, guint32 input, guint32 head, GError **error)
{
  const GobanJsonTape *tape = &self->tape;
  gboolean is_pair = goban_json_tape_is (tape, input, GOBAN_JSON_ARRAY)
                     && count_inside (self, input) == 2
                     && goban_json_tape_is (tape, input + 1, GOBAN_JSON_STRING);
  Input read = { .head = head };
  gpointer found;
  const char *name;

  if (!goban_json_tape_is (tape, input, GOBAN_JSON_STRING)
      && !(is_pair && goban_json_tape_number (tape, input + 2, &read.port)))
    return goban_json_fail (&self->place, error, "an input is “name” or [“name”, output]");

  name = goban_json_tape_text (tape, is_pair ? input + 1 : input);
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
read_inputs (Reader *self, guint32 node, GError **error)
{
  guint32 array = 0;
  guint32 end;

  if (!goban_json_tape_get_array (&self->tape, &self->place, 0, "inputs", &array, error))
    return FALSE;
  if (array == 0)
    return TRUE;
  for (guint32 t = first_inside (self, array, &end); t < end; t = next_of (self, t))
    if (!read_input (self, t, node, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_node (Reader *self, GError **error)
{
  const GobanJsonTape *tape = &self->tape;
  const char *name = NULL, *op = "";
  double group = NAN;
  GobanNode *filled;
  guint32 node;

  if (!goban_json_tape_get_string (tape, &self->place, 0, "name", &name, error)
      || !goban_json_tape_get_string (tape, &self->place, 0, "op", &op, error))
    return FALSE;
  if (name == NULL || *name == '\0')
    return goban_json_fail (&self->place, error, "the node has no “name”");
  if (g_hash_table_contains (self->names, name))
    return goban_json_fail (&self->place, error, "the name “%s” is here twice", name);

  node = goban_graph_builder_add_node (self->builder, name, op);
  filled = goban_graph_builder_get_node (self->builder, node);
  g_hash_table_insert (self->names, (gpointer) filled->name, GUINT_TO_POINTER (node + 1));
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    if (!goban_json_tape_get_amount (
            tape, &self->place, 0, goban_node_fields[i].name,
            (double *) G_STRUCT_MEMBER_P (filled, goban_node_fields[i].offset), error))
      return FALSE;

  if (!goban_json_tape_get_amount (tape, &self->place, 0, "group", &group, error))
    return FALSE;
  g_array_append_val (self->groups, group);
  return read_times (self, node, error) && read_marks (self, node, error)
         && read_outputs (self, node, error) && read_inputs (self, node, error);
}

/* --- after the last node -------------------------------------------------------------------- */

static void
point_at (Reader *self, guint node)
{
  self->place.index = node;
  self->place.line = g_array_index (self->lines, guint32, node);
}

/* The builder takes the edges in the order of the file, of which some need nodes that came later. */
static gboolean
add_edges (Reader *self, GError **error)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      Input input = g_array_index (self->inputs, Input, i);
      const char *name;
      const Outputs *outputs;

      point_at (self, input.head);
      if (input.tail >= FIRST_LATE)
        {
          gpointer found;

          name = g_ptr_array_index (self->late, input.tail - FIRST_LATE);
          found = g_hash_table_lookup (self->names, name);
          if (found == NULL)
            return goban_json_fail (&self->place, error, "the input “%s” is no node", name);
          input.tail = GPOINTER_TO_UINT (found) - 1;
        }
      name = goban_graph_builder_get_node (self->builder, input.tail)->name;
      outputs = &g_array_index (self->outputs, Outputs, input.tail);
      if (input.port < 0 || input.port != floor (input.port) || input.port >= outputs->n_tensors)
        return goban_json_fail (&self->place, error,
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
      point_at (self, v);
      if (group != floor (group) || group >= 0x1p53)
        return goban_json_fail (&self->place, error, "“group” is no whole number");
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

static guint
count_lines (const char *from, const char *to)
{
  guint n = 0;

  while ((from = memchr (from, '\n', (gsize) (to - from))) != NULL)
    {
      from++;
      n++;
    }
  return n;
}

/* Lines are counted up to here, and nothing before it is read again. */
static void
forget_text (const Reader *self, const char **forgotten)
{
  if ((gsize) (self->tape.begin - *forgotten) < FORGET_BYTES)
    return;
  goban_file_forget (*forgotten, self->tape.begin);
  *forgotten = self->tape.begin;
}

static gboolean
read_nodes (Reader *self, GError **error)
{
  const char *counted = self->tape.data;
  const char *forgotten = self->tape.data;
  gboolean found;

  self->place.section = NULL;
  /* Only its bracket is looked at: on the tape the array would be as large as it is in the file. */
  found = self->root[ROOT_NODES].begin != NULL && *self->root[ROOT_NODES].begin != 'n';
  if (!found)
    return goban_json_fail (&self->place, error, "the array “nodes” is missing");
  if (*self->root[ROOT_NODES].begin != '[')
    return goban_json_fail (&self->place, error, "“nodes” is no array");

  self->place.section = "nodes";
  self->place.line = 1;
  goban_json_tape_enter (&self->tape, &self->root[ROOT_NODES]);
  for (guint v = 0; goban_json_tape_next (&self->tape); v++)
    {
      self->place.index = v;
      self->place.line += count_lines (counted, self->tape.begin);
      counted = self->tape.begin;
      g_array_append_val (self->lines, self->place.line);
      if (v % NODES_PER_CHECK == 0)
        {
          if (!goban_progress_check (self->options->progress, error))
            return FALSE;
          if (self->options->may_forget)
            forget_text (self, &forgotten);
        }
      if (!goban_json_tape_is (&self->tape, 0, GOBAN_JSON_OBJECT))
        return goban_json_fail (&self->place, error, "a node is an object");
      if (!read_node (self, error))
        return FALSE;
    }
  return add_edges (self, error) && set_groups (self, error);
}

static gboolean
read_cluster (Reader *self, GError **error)
{
  gboolean found;

  if (!read_root_typed (self, ROOT_CLUSTER, GOBAN_JSON_STRING, "string", &found, error))
    return FALSE;
  if (found)
    goban_graph_builder_set_cluster_spec (self->builder, goban_json_tape_text (&self->tape, 0));
  return TRUE;
}

static gboolean
read_root (Reader *self, GError **error)
{
  return read_cluster (self, error)
         && read_root_texts (self, ROOT_KINDS, "a kind of device", add_kind, error)
         && read_root_texts (self, ROOT_WARNINGS, "a warning", add_warning, error)
         && read_nodes (self, error)
         && (!self->has_transfers
             || goban_text_check_kinds (self->place.path, g_hash_table_size (self->kinds),
                                        count_tensors (self), error));
}

/* (transfer full) (nullable): the name the file gives its graph, or that of the file. */
static char *
read_name (Reader *self, GError **error)
{
  gboolean found;

  if (!read_root_typed (self, ROOT_NAME, GOBAN_JSON_STRING, "string", &found, error))
    return NULL;
  return found ? g_strdup (goban_json_tape_text (&self->tape, 0))
               : goban_text_graph_name (self->place.path);
}

static gboolean
reader_init (Reader *self, const char *data, gsize size, const char *path, GError **error)
{
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->outputs = g_array_new (FALSE, FALSE, sizeof (Outputs));
  self->groups = g_array_new (FALSE, FALSE, sizeof (double));
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (Input));
  self->late = g_ptr_array_new_with_free_func (g_free);
  self->place = (GobanJsonPlace){ .data = data, .size = size, .path = path };
  if (!goban_json_tape_init (&self->tape, data, size, path, error))
    return FALSE;
  if (goban_json_tape_is_object (&self->tape))
    {
      goban_json_tape_find_members (&self->tape, root_names, N_ROOT, self->root);
      return TRUE;
    }
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:1: the top-level value is not an object",
                       path);
}

static void
reader_clear (Reader *self)
{
  goban_json_tape_clear (&self->tape);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->kinds);
  g_array_unref (self->outputs);
  g_array_unref (self->groups);
  g_array_unref (self->lines);
  g_array_unref (self->inputs);
  g_ptr_array_unref (self->late);
}

static GobanGraph *
read_json (const char *data, gsize size, const char *path, const GobanReadOptions *options,
           GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = NULL;
  g_autofree char *name = NULL;
  Reader reader = { .options = options };
  gboolean fine = reader_init (&reader, data, size, path, error) && check_head (&reader, error);

  if (fine)
    name = read_name (&reader, error);
  fine = name != NULL;
  if (fine)
    {
      reader.builder = builder = goban_graph_builder_new (name, "json");
      fine = read_root (&reader, error);
    }
  /* Before the graph is made of what the builder has, which takes as much again. */
  reader_clear (&reader);
  return fine ? goban_text_finish_graph (builder, path, error) : NULL;
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

const GobanFormat goban_format_json = {
  .name = "json",
  .extensions = ".json",
  .blurb = "Goban's own graphs, which keep everything",
  .sniff = sniff_json,
  .read = read_json,
  .write = goban_json_write,
};
