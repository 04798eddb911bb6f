#include "tests/io/json-tree.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"
#include "tests/io/json-members.h"

#include <math.h>
#include <string.h>

#define VERSION 1
#define NODES_PER_CHECK 1024

static const char *const root_keys[]
    = { "goban", "version", "name", "kinds", "cluster", "warnings", "nodes", "extra", NULL };
static const char *const node_keys[] = { "name",
                                         "op",
                                         "times",
                                         "inputs",
                                         "outputs",
                                         "group",
                                         "lane",
                                         "micro_batch",
                                         "origin",
                                         "time_source",
                                         "size_source",
                                         "phase",
                                         "collective",
                                         "collective_bytes",
                                         "collective_ranks",
                                         "collective_step",
                                         "collective_group",
                                         "flops",
                                         "macs",
                                         "read_bytes",
                                         "written_bytes",
                                         "param_bytes",
                                         "param_count",
                                         "extra",
                                         NULL };
static const char *const output_keys[]
    = { "bytes", "dtype", "dims", "control", "transfers", "extra", NULL };

/* The tensors of a node are consecutive in the builder. */
typedef struct
{
  guint32 first_tensor;
  guint32 n_tensors;
} Outputs;

typedef struct
{
  JsonMembersPlace place;
  GobanGraphBuilder *builder;
  GHashTable *names; /* name -> node + 1; keys lie in the JSON */
  GHashTable *kinds; /* set of the kinds listed; keys lie in the JSON */
  GArray *outputs;   /* Outputs, one per node */
  double *groups;    /* (n_nodes) NAN: none */
  gboolean has_transfers;
} Reader;

static gboolean
check_kind (Reader *self, const char *kind, GError **error)
{
  if (g_hash_table_contains (self->kinds, kind))
    return TRUE;
  return json_members_fail (&self->place, error, "“%s” is not among the “kinds” of the file", kind);
}

static gboolean
read_kinds (Reader *self, JsonObject *root, GError **error)
{
  JsonArray *kinds = NULL;
  guint n;

  if (!json_members_get_array (&self->place, root, "kinds", &kinds, error))
    return FALSE;
  n = kinds != NULL ? json_array_get_length (kinds) : 0;
  if (!goban_text_file_check_kinds (self->place.path, n, 0, error))
    return FALSE;

  for (guint i = 0; i < n; i++)
    {
      JsonNode *kind = json_array_get_element (kinds, i);

      if (json_node_get_value_type (kind) != G_TYPE_STRING)
        return json_members_fail (&self->place, error, "a kind of device is no string");
      g_hash_table_add (self->kinds, (gpointer) json_node_get_string (kind));
      goban_graph_builder_add_kind (self->builder, json_node_get_string (kind));
    }
  return TRUE;
}

static gboolean
read_warnings (Reader *self, JsonObject *root, GError **error)
{
  JsonArray *warnings = NULL;

  if (!json_members_get_array (&self->place, root, "warnings", &warnings, error))
    return FALSE;
  for (guint i = 0; warnings != NULL && i < json_array_get_length (warnings); i++)
    {
      JsonNode *warning = json_array_get_element (warnings, i);

      if (json_node_get_value_type (warning) != G_TYPE_STRING)
        return json_members_fail (&self->place, error, "a warning is no string");
      goban_graph_builder_warn (self->builder, "%s", json_node_get_string (warning));
    }
  return TRUE;
}

static gboolean
read_times (Reader *self, JsonObject *object, guint32 node, GError **error)
{
  JsonObject *times = NULL;
  JsonObjectIter iter;
  const char *kind;
  JsonNode *value;

  if (!json_members_get_object (&self->place, object, "times", &times, error))
    return FALSE;
  if (times == NULL)
    return TRUE;

  json_object_iter_init_ordered (&iter, times);
  while (json_object_iter_next_ordered (&iter, &kind, &value))
    {
      double time_us = INFINITY;
      gboolean is_never = json_node_get_value_type (value) == G_TYPE_STRING
                          && strcmp (json_node_get_string (value), "never") == 0;

      if (!is_never && (!json_members_node_number (value, &time_us) || time_us < 0))
        return json_members_fail (&self->place, error,
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
read_word (Reader *self, JsonObject *object, const char *member, const char *const *words,
           guint n_words, guint *value, GError **error)
{
  const char *word = NULL;
  int found;

  if (!json_members_get_string (&self->place, object, member, &word, error))
    return FALSE;
  if (word == NULL)
    return TRUE;
  found = goban_find_word (words, n_words, word);
  if (found < 0)
    return json_members_fail (&self->place, error, "“%s” is no %s", word, member);
  *value = found;
  return TRUE;
}

static gboolean
read_marks (Reader *self, JsonObject *object, guint32 node, GError **error)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  guint time_source = filled->time_source;
  guint size_source = filled->size_source;
  guint phase = filled->phase;

  if (!read_word (self, object, "time_source", goban_source_names, GOBAN_N_SOURCES, &time_source,
                  error)
      || !read_word (self, object, "size_source", goban_source_names, GOBAN_N_SOURCES, &size_source,
                     error)
      || !read_word (self, object, "phase", goban_phase_names, GOBAN_N_PHASES, &phase, error))
    return FALSE;

  filled->time_source = time_source;
  filled->size_source = size_source;
  filled->phase = phase;
  return TRUE;
}

static gboolean
read_dims (Reader *self, JsonObject *object, guint32 tensor, GError **error)
{
  g_autofree gint64 *dims = NULL;
  const char *dtype = "";
  JsonArray *array = NULL;
  guint n;

  if (!json_members_get_string (&self->place, object, "dtype", &dtype, error)
      || !json_members_get_array (&self->place, object, "dims", &array, error))
    return FALSE;
  if (array == NULL)
    return TRUE;

  n = json_array_get_length (array);
  dims = g_new (gint64, n + 1);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *dim = json_array_get_element (array, i);

      if (json_node_get_value_type (dim) != G_TYPE_INT64 || json_node_get_int (dim) < -1)
        return json_members_fail (&self->place, error,
                                  "a dimension is no whole number from -1 (unknown) on");
      dims[i] = json_node_get_int (dim);
    }
  goban_graph_builder_set_tensor_shape (self->builder, tensor, dtype, dims, n);
  return TRUE;
}

static gboolean
read_transfers (Reader *self, JsonObject *object, guint32 tensor, GError **error)
{
  JsonArray *transfers = NULL;

  if (!json_members_get_array (&self->place, object, "transfers", &transfers, error))
    return FALSE;
  for (guint i = 0; transfers != NULL && i < json_array_get_length (transfers); i++)
    {
      JsonNode *element = json_array_get_element (transfers, i);
      JsonArray *triple = JSON_NODE_HOLDS_ARRAY (element) ? json_node_get_array (element) : NULL;
      double time_us = -1;
      const char *from, *to;

      if (triple == NULL || json_array_get_length (triple) != 3
          || json_node_get_value_type (json_array_get_element (triple, 0)) != G_TYPE_STRING
          || json_node_get_value_type (json_array_get_element (triple, 1)) != G_TYPE_STRING
          || !json_members_node_number (json_array_get_element (triple, 2), &time_us)
          || time_us < 0)
        return json_members_fail (&self->place, error,
                                  "a transfer is [\"from kind\", \"to kind\", microseconds]");

      from = json_array_get_string_element (triple, 0);
      to = json_array_get_string_element (triple, 1);
      if (!check_kind (self, from, error) || !check_kind (self, to, error))
        return FALSE;
      goban_graph_builder_set_transfer (self->builder, tensor, from, to, time_us);
      self->has_transfers = TRUE;
    }
  return TRUE;
}

/* @expected: the builder's next tensor. */
static gboolean
read_output (Reader *self, JsonNode *output, guint32 node, guint32 expected, GError **error)
{
  JsonObject *object;
  double size_bytes = 0;
  gboolean is_control = FALSE;
  guint32 tensor;

  if (json_members_node_number (output, &size_bytes))
    {
      if (size_bytes < 0)
        return json_members_fail (&self->place, error, "an output has a negative size");
      goban_graph_builder_add_tensor (self->builder, node, size_bytes);
      return TRUE;
    }
  if (!JSON_NODE_HOLDS_OBJECT (output))
    return json_members_fail (&self->place, error, "an output is neither a size nor an object");

  object = json_node_get_object (output);
  if (!json_members_check_keys (&self->place, object, output_keys, error)
      || !json_members_get_amount (&self->place, object, "bytes", &size_bytes, error)
      || !json_members_get_boolean (&self->place, object, "control", &is_control, error))
    return FALSE;

  tensor = is_control ? goban_graph_builder_add_control_tensor (self->builder, node)
                      : goban_graph_builder_add_tensor (self->builder, node, size_bytes);
  /* The builder has one control tensor a node and hands out the same again. */
  if (tensor != expected)
    return json_members_fail (&self->place, error, "only one output can be “control”");
  return read_dims (self, object, tensor, error) && read_transfers (self, object, tensor, error);
}

static gboolean
read_outputs (Reader *self, JsonObject *object, guint32 node, GError **error)
{
  JsonArray *array = NULL;
  Outputs outputs = { 0 };

  if (node > 0)
    {
      const Outputs *last = &g_array_index (self->outputs, Outputs, node - 1);

      outputs.first_tensor = last->first_tensor + last->n_tensors;
    }
  if (!json_members_get_array (&self->place, object, "outputs", &array, error))
    return FALSE;

  outputs.n_tensors = array != NULL ? json_array_get_length (array) : 0;
  for (guint i = 0; i < outputs.n_tensors; i++)
    if (!read_output (self, json_array_get_element (array, i), node, outputs.first_tensor + i,
                      error))
      return FALSE;
  g_array_append_val (self->outputs, outputs);
  return TRUE;
}

/* Of 16 bits. */
static gboolean
read_whole (Reader *self, JsonObject *object, const char *member, guint32 *number, GError **error)
{
  double read = NAN;

  if (!json_members_get_amount (&self->place, object, member, &read, error))
    return FALSE;
  if (isnan (read))
    return TRUE;
  if (read != floor (read) || read > G_MAXUINT16)
    return json_members_fail (&self->place, error, "“%s” is no whole number of 16 bits", member);
  *number = (guint32) read;
  return TRUE;
}

static gboolean
read_node (Reader *self, JsonObject *object, GError **error)
{
  const char *name = NULL, *op = "", *origin = NULL;
  GobanNode *filled;
  guint32 node;

  if (!json_members_check_keys (&self->place, object, node_keys, error)
      || !json_members_get_string (&self->place, object, "name", &name, error)
      || !json_members_get_string (&self->place, object, "origin", &origin, error)
      || !json_members_get_string (&self->place, object, "op", &op, error))
    return FALSE;
  if (name == NULL || *name == '\0')
    return json_members_fail (&self->place, error, "the node has no “name”");
  if (g_hash_table_contains (self->names, name))
    return json_members_fail (&self->place, error, "the name “%s” is here twice", name);

  node = goban_graph_builder_add_node (self->builder, name, op);
  g_hash_table_insert (self->names, (gpointer) name, GUINT_TO_POINTER (node + 1));
  filled = goban_graph_builder_get_node (self->builder, node);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    if (!json_members_get_amount (
            &self->place, object, goban_node_fields[i].name,
            (double *) G_STRUCT_MEMBER_P (filled, goban_node_fields[i].offset), error))
      return FALSE;

  if (origin != NULL)
    goban_graph_builder_set_origin (self->builder, node, origin);
  self->groups[node] = NAN;
  return read_whole (self, object, "lane", &filled->lane, error)
         && read_whole (self, object, "micro_batch", &filled->micro_batch, error)
         && json_members_get_amount (&self->place, object, "group", &self->groups[node], error)
         && read_times (self, object, node, error) && read_marks (self, object, node, error)
         && read_outputs (self, object, node, error);
}

static gboolean
read_input (Reader *self, JsonNode *input, guint32 head, GError **error)
{
  const char *name = NULL;
  double port = 0;
  const Outputs *outputs;
  gpointer found;

  if (json_node_get_value_type (input) == G_TYPE_STRING)
    name = json_node_get_string (input);
  else if (JSON_NODE_HOLDS_ARRAY (input)
           && json_array_get_length (json_node_get_array (input)) == 2)
    {
      JsonArray *pair = json_node_get_array (input);

      if (json_node_get_value_type (json_array_get_element (pair, 0)) == G_TYPE_STRING
          && json_members_node_number (json_array_get_element (pair, 1), &port))
        name = json_array_get_string_element (pair, 0);
    }
  if (name == NULL)
    return json_members_fail (&self->place, error, "an input is “name” or [“name”, output]");

  found = g_hash_table_lookup (self->names, name);
  if (found == NULL)
    return json_members_fail (&self->place, error, "the input “%s” is no node", name);
  outputs = &g_array_index (self->outputs, Outputs, GPOINTER_TO_UINT (found) - 1);
  if (port < 0 || port != floor (port) || port >= outputs->n_tensors)
    return json_members_fail (&self->place, error, "the input “%s” has %u outputs, none of them %g",
                              name, outputs->n_tensors, port);

  goban_graph_builder_add_edge (self->builder, outputs->first_tensor + (guint32) port, head);
  return TRUE;
}

static gboolean
read_inputs (Reader *self, JsonArray *nodes, GError **error)
{
  for (guint v = 0; v < json_array_get_length (nodes); v++)
    {
      JsonArray *inputs = NULL;

      self->place.index = v;
      if (!json_members_get_array (&self->place, json_array_get_object_element (nodes, v), "inputs",
                                   &inputs, error))
        return FALSE;
      for (guint i = 0; inputs != NULL && i < json_array_get_length (inputs); i++)
        if (!read_input (self, json_array_get_element (inputs, i), v, error))
          return FALSE;
    }
  return TRUE;
}

/* Group numbers are kept: each is made known in turn, before the nodes are put into theirs. */
static gboolean
set_groups (Reader *self, GError **error)
{
  guint n_nodes = goban_graph_builder_get_n_nodes (self->builder);
  double n_groups = 0;

  for (guint v = 0; v < n_nodes; v++)
    if (!isnan (self->groups[v]))
      {
        self->place.index = v;
        if (self->groups[v] != floor (self->groups[v]) || self->groups[v] >= 0x1p53)
          return json_members_fail (&self->place, error, "“group” is no whole number");
        n_groups = MAX (n_groups, self->groups[v] + 1);
      }

  for (guint32 g = 0; n_groups <= n_nodes && g < n_groups; g++)
    goban_graph_builder_set_group (self->builder, 0, g);
  if (n_groups > 0)
    goban_graph_builder_get_node (self->builder, 0)->group = GOBAN_NO_GROUP;

  for (guint v = 0; v < n_nodes; v++)
    if (!isnan (self->groups[v]))
      goban_graph_builder_set_group (self->builder, v, (guint64) self->groups[v]);
  return TRUE;
}

static gboolean
read_nodes (Reader *self, JsonObject *root, const GobanReadOptions *options, GError **error)
{
  JsonArray *nodes = NULL;
  guint n;

  if (!json_members_get_array (&self->place, root, "nodes", &nodes, error))
    return FALSE;
  if (nodes == NULL)
    return json_members_fail (&self->place, error, "the array “nodes” is missing");

  n = json_array_get_length (nodes);
  self->groups = g_new (double, n + 1);
  self->place.section = "nodes";
  for (guint v = 0; v < n; v++)
    {
      JsonNode *element = json_array_get_element (nodes, v);

      self->place.index = v;
      if (v % NODES_PER_CHECK == 0 && !goban_progress_check (options->progress, error))
        return FALSE;
      if (!JSON_NODE_HOLDS_OBJECT (element))
        return json_members_fail (&self->place, error, "a node is an object");
      if (!read_node (self, json_node_get_object (element), error))
        return FALSE;
    }
  return read_inputs (self, nodes, error) && set_groups (self, error);
}

static gboolean
check_head (Reader *self, JsonObject *root, GError **error)
{
  const char *what = NULL;
  double version = 0;

  if (!json_members_get_string (&self->place, root, "goban", &what, error)
      || !json_members_get_number (&self->place, root, "version", &version, error))
    return FALSE;
  if (g_strcmp0 (what, "graph") != 0)
    return json_members_fail (&self->place, error, "“goban” is not “graph”: this is no graph");
  if (version == VERSION)
    return json_members_check_keys (&self->place, root, root_keys, error);

  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "%s: its version is %g; this program reads version %d", self->place.path,
                   version, VERSION);
  return FALSE;
}

static gboolean
read_root (Reader *self, JsonObject *root, const GobanReadOptions *options, GError **error)
{
  guint n_nodes, n_tensors = 0;

  if (!read_kinds (self, root, error) || !read_warnings (self, root, error)
      || !read_nodes (self, root, options, error))
    return FALSE;

  n_nodes = self->outputs->len;
  if (n_nodes > 0)
    n_tensors = g_array_index (self->outputs, Outputs, n_nodes - 1).first_tensor
                + g_array_index (self->outputs, Outputs, n_nodes - 1).n_tensors;
  return !self->has_transfers
         || goban_text_file_check_kinds (self->place.path, g_hash_table_size (self->kinds),
                                         n_tensors, error);
}

GobanGraph *
json_tree_read (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                GError **error)
{
  g_autoptr (JsonObject) root = json_members_parse_object (data, size, path, error);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (Outputs));
  g_autoptr (GobanGraphBuilder) builder = NULL;
  g_autofree char *file_name = goban_text_file_graph_name (path);
  const char *name = file_name;
  GobanGraph *graph = NULL;
  Reader reader = {
    .place = { .data = data, .size = size, .path = path },
    .names = names,
    .kinds = kinds,
    .outputs = outputs,
  };

  if (root == NULL || !check_head (&reader, root, error)
      || !json_members_get_string (&reader.place, root, "name", &name, error))
    return NULL;

  reader.builder = builder = goban_graph_builder_new (name, "json");
  if (read_root (&reader, root, options, error))
    graph = goban_text_file_finish_graph (builder, path, error);
  g_free (reader.groups);
  return graph;
}
