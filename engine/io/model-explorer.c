/* model-explorer.c: the graphs of Model Explorer, as JSON.
 *
 *     {"label": ..., "graphs": [{"id": ..., "nodes": [{"id", "label", "namespace",
 *       "attrs": [{"key", "value"}], "incomingEdges": [{"sourceNodeId", "sourceNodeOutputId"}],
 *       "outputsMetadata": [{"id", "attrs"}]}]}]}
 *
 * A node is named by its id, behind its namespace; its label is the operation. The attribute
 * `tensor_shape` of an output, "float32[1,8]", gives type and size. Attributes of nodes that have
 * the names of our own numbers (flops, param_bytes, ...) are these, `time_us:KIND` is a time. What
 * is written here is read as the same graph, but for transfer times and the order of kinds of device.
 */
#include "engine/base/error.h"
#include "engine/io/formats.h"
#include "engine/io/json-members.h"
#include "engine/io/model-explorer-write.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

#include <math.h>
#include <string.h>

#define NODES_PER_CHECK 1024
#define MAX_DIMS 32
#define TIME_KEY "time_us:"

typedef struct
{
  GobanJsonPlace place;
  GobanGraphBuilder *builder;
  GHashTable *ids;     /* of nodes: to the builder's + 1 */
  GHashTable *outputs; /* "node:output": to the builder's tensor + 1 */
  GHashTable *kinds;   /* a set: the kinds of device with times */
  guint n_unknown;     /* outputs without a size */
} Reader;

/* --- attributes ------------------------------------------------------------------------------ */

/* The key and value of element @i of @attrs; FALSE if it has other types. */
static gboolean
get_pair (JsonArray *attrs, guint i, const char **key, const char **value)
{
  JsonNode *element = json_array_get_element (attrs, i);
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;
  JsonNode *first = object != NULL ? json_object_get_member (object, "key") : NULL;
  JsonNode *second = object != NULL ? json_object_get_member (object, "value") : NULL;

  if (first == NULL || second == NULL || !JSON_NODE_HOLDS_VALUE (first)
      || !JSON_NODE_HOLDS_VALUE (second) || json_node_get_string (first) == NULL
      || json_node_get_string (second) == NULL)
    return FALSE;
  *key = json_node_get_string (first);
  *value = json_node_get_string (second);
  return TRUE;
}

static int
find_name (const char *const *names, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  return -1;
}

static gboolean
set_time (Reader *self, guint32 node, const char *kind, const char *value, GError **error)
{
  double time_us = INFINITY;

  if (strcmp (value, "never") != 0 && !goban_text_parse_amount (value, &time_us))
    return goban_json_fail (&self->place, error, "the time on “%s” is not an amount", kind);
  g_hash_table_add (self->kinds, g_strdup (kind));
  if (!goban_text_check_kinds (self->place.path, g_hash_table_size (self->kinds), 0, error))
    return FALSE;
  goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
  return TRUE;
}

static gboolean
set_attribute (Reader *self, guint32 id, const char *key, const char *value, GError **error)
{
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);
  guint64 number;
  int found;

  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    if (strcmp (key, goban_node_fields[i].name) == 0)
      goban_text_parse_amount (value, &G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset));
  if (g_str_has_prefix (key, TIME_KEY))
    return set_time (self, id, key + strlen (TIME_KEY), value, error);
  if (strcmp (key, "group") == 0 && goban_text_parse_id (value, &number))
    goban_graph_builder_set_group (self->builder, id, number);
  if (strcmp (key, "phase") == 0
      && (found = find_name (goban_phase_names, GOBAN_N_PHASES, value)) >= 0)
    node->phase = (GobanPhase) found;
  if (strcmp (key, "size_source") == 0
      && (found = find_name (goban_source_names, GOBAN_N_SOURCES, value)) >= 0)
    node->size_source = (GobanSource) found;
  if (strcmp (key, "time_source") == 0
      && (found = find_name (goban_source_names, GOBAN_N_SOURCES, value)) >= 0)
    node->time_source = (GobanSource) found;
  return TRUE;
}

/* --- outputs --------------------------------------------------------------------------------- */

/* "float32" and "f32" are the same; other names stay as they are. */
static char *
dup_dtype (const char *text, gsize n)
{
  static const struct
  {
    const char *long_name, *name;
  } names[] = {
    { "bfloat", "bf" }, { "complex", "c" }, { "float", "f" }, { "int", "s" }, { "uint", "u" }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize prefix = strlen (names[i].long_name);

      if (n > prefix && strncmp (text, names[i].long_name, prefix) == 0
          && g_ascii_isdigit (text[prefix]))
        return g_strdup_printf ("%s%.*s", names[i].name, (int) (n - prefix), text + prefix);
    }
  return g_strndup (text, n);
}

static double
get_element_bytes (const char *dtype)
{
  const char *digits = dtype + strcspn (dtype, "0123456789");

  if (strcmp (dtype, "bool") == 0 || g_str_has_prefix (dtype, "f8"))
    return 1;
  return g_ascii_strtod (*digits != '\0' && digits - dtype <= 2 ? digits : "nan", NULL) / 8;
}

/* "float32[1,-1,3]"; NAN and nothing set if it is not of that form. */
static double
set_shape (Reader *self, guint32 tensor, const char *text)
{
  const char *p = strchr (text, '[');
  g_autofree char *dtype = p != NULL ? dup_dtype (text, (gsize) (p - text)) : NULL;
  double bytes = dtype != NULL ? get_element_bytes (dtype) : (double) NAN;
  gint64 dims[MAX_DIMS];
  guint n = 0;

  if (p == NULL)
    return NAN;
  for (p++; *p != ']' && n < MAX_DIMS; n++)
    {
      char *end;

      dims[n] = MAX (g_ascii_strtoll (p, &end, 10), -1);
      if (end == p || (*end != ',' && *end != ']'))
        return NAN;
      bytes *= dims[n] >= 0 ? (double) dims[n] : (double) NAN;
      p = *end == ',' ? end + 1 : end;
    }
  if (*p != ']')
    return NAN;
  goban_graph_builder_set_tensor_shape (self->builder, tensor, dtype, dims, n);
  return bytes < GOBAN_TEXT_MAX_AMOUNT ? ceil (bytes) : (double) NAN;
}

static void
remember (Reader *self, guint32 node, const char *output, guint32 tensor)
{
  g_hash_table_insert (self->outputs, g_strdup_printf ("%u:%s", node, output),
                       GUINT_TO_POINTER (tensor + 1));
}

/* An output with its attributes; sizes that are given count more than those of shapes. */
static gboolean
add_output (Reader *self, guint32 node, JsonObject *output, GError **error)
{
  const char *id = "", *key, *value;
  JsonArray *attrs = NULL;
  double given = NAN, computed = NAN;
  gboolean is_control = FALSE;
  guint32 tensor;

  if (!goban_json_get_string (&self->place, output, "id", &id, error)
      || !goban_json_get_array (&self->place, output, "attrs", &attrs, error))
    return FALSE;
  for (guint i = 0; attrs != NULL && i < json_array_get_length (attrs); i++)
    is_control |= get_pair (attrs, i, &key, &value) && strcmp (key, "control") == 0;
  tensor = is_control ? goban_graph_builder_add_control_tensor (self->builder, node)
                      : goban_graph_builder_add_tensor (self->builder, node, 0);
  remember (self, node, id, tensor);
  for (guint i = 0; !is_control && attrs != NULL && i < json_array_get_length (attrs); i++)
    if (get_pair (attrs, i, &key, &value))
      {
        if (strcmp (key, "tensor_shape") == 0)
          computed = set_shape (self, tensor, value);
        else if (strcmp (key, "size_bytes") == 0)
          goban_text_parse_amount (value, &given);
      }
  given = isnan (given) ? computed : given;
  self->n_unknown += isnan (given) && !is_control;
  if (!isnan (given))
    goban_graph_builder_set_tensor_size (self->builder, tensor, given);
  return TRUE;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* "scope/id", unless the id has its scope already. (transfer full) */
static char *
dup_name (const char *scope, const char *id)
{
  gsize n = strlen (scope);

  if (n == 0 || (strncmp (id, scope, n) == 0 && id[n] == '/'))
    return g_strdup (id);
  return g_strconcat (scope, "/", id, NULL);
}

static gboolean
read_node (Reader *self, JsonObject *object, GError **error)
{
  const char *id = NULL, *label = "", *scope = "", *key, *value;
  JsonArray *attrs = NULL, *outputs = NULL;
  g_autofree char *name = NULL;
  guint32 node;

  if (!goban_json_get_string (&self->place, object, "id", &id, error)
      || !goban_json_get_string (&self->place, object, "label", &label, error)
      || !goban_json_get_string (&self->place, object, "namespace", &scope, error)
      || !goban_json_get_array (&self->place, object, "attrs", &attrs, error)
      || !goban_json_get_array (&self->place, object, "outputsMetadata", &outputs, error))
    return FALSE;
  if (id == NULL)
    return goban_json_fail (&self->place, error, "the node has no “id”");
  name = dup_name (scope, id);
  node = goban_graph_builder_add_node (self->builder, name, label);
  if (!g_hash_table_insert (self->ids, (gpointer) id, GUINT_TO_POINTER (node + 1)))
    return goban_json_fail (&self->place, error, "the id “%s” is here twice", id);
  for (guint i = 0; outputs != NULL && i < json_array_get_length (outputs); i++)
    {
      JsonNode *output = json_array_get_element (outputs, i);

      if (!JSON_NODE_HOLDS_OBJECT (output))
        return goban_json_fail (&self->place, error, "an output is not an object");
      if (!add_output (self, node, json_node_get_object (output), error))
        return FALSE;
    }
  for (guint i = 0; attrs != NULL && i < json_array_get_length (attrs); i++)
    if (get_pair (attrs, i, &key, &value) && !set_attribute (self, node, key, value, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_edge (Reader *self, guint32 head, JsonObject *edge, GError **error)
{
  const char *source = NULL, *output = "";
  g_autofree char *key = NULL;
  guint32 node, tensor;

  if (!goban_json_get_string (&self->place, edge, "sourceNodeId", &source, error)
      || !goban_json_get_string (&self->place, edge, "sourceNodeOutputId", &output, error))
    return FALSE;
  node = source != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, source)) : 0;
  if (node == 0)
    return goban_json_fail (&self->place, error, "an edge comes from “%s”, which is not a node",
                            source != NULL ? source : "");
  key = g_strdup_printf ("%u:%s", node - 1, output);
  tensor = GPOINTER_TO_UINT (g_hash_table_lookup (self->outputs, key));
  if (tensor == 0)
    {
      tensor = goban_graph_builder_add_tensor (self->builder, node - 1, 0) + 1;
      remember (self, node - 1, output, tensor - 1);
      self->n_unknown++;
    }
  goban_graph_builder_add_edge (self->builder, tensor - 1, head);
  return TRUE;
}

static gboolean
read_edges (Reader *self, guint32 head, JsonObject *object, GError **error)
{
  JsonArray *edges = NULL;

  if (!goban_json_get_array (&self->place, object, "incomingEdges", &edges, error))
    return FALSE;
  for (guint i = 0; edges != NULL && i < json_array_get_length (edges); i++)
    {
      JsonNode *edge = json_array_get_element (edges, i);

      if (!JSON_NODE_HOLDS_OBJECT (edge))
        return goban_json_fail (&self->place, error, "an edge is not an object");
      if (!read_edge (self, head, json_node_get_object (edge), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_nodes (Reader *self, JsonArray *nodes, const GobanReadOptions *options, GError **error)
{
  guint n = json_array_get_length (nodes);

  self->place.section = "nodes";
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      {
        JsonNode *node = json_array_get_element (nodes, i);

        self->place.index = i;
        if (i % NODES_PER_CHECK == 0 && !goban_progress_check (options->progress, error))
          return FALSE;
        if (!JSON_NODE_HOLDS_OBJECT (node))
          return goban_json_fail (&self->place, error, "the node is not an object");
        if (pass == 0 ? !read_node (self, json_node_get_object (node), error)
                      : !read_edges (self, i, json_node_get_object (node), error))
          return FALSE;
      }
  return TRUE;
}

/* The nodes of the first graph. */
static JsonArray *
find_nodes (Reader *self, JsonObject *root, GError **error)
{
  JsonArray *graphs = NULL, *nodes = NULL;
  JsonNode *first;

  if (!goban_json_get_array (&self->place, root, "graphs", &graphs, error))
    return NULL;
  if (graphs == NULL || json_array_get_length (graphs) == 0)
    {
      goban_json_fail (&self->place, error, "there is no graph in “graphs”");
      return NULL;
    }
  if (json_array_get_length (graphs) > 1)
    goban_graph_builder_warn (self->builder, "the file holds %u graphs; the first is read",
                              json_array_get_length (graphs));
  first = json_array_get_element (graphs, 0);
  if (!JSON_NODE_HOLDS_OBJECT (first))
    {
      goban_json_fail (&self->place, error, "the first of “graphs” is not an object");
      return NULL;
    }
  if (!goban_json_get_array (&self->place, json_node_get_object (first), "nodes", &nodes, error))
    return NULL;
  if (nodes == NULL)
    goban_json_fail (&self->place, error, "the graph has no “nodes”");
  return nodes;
}

static GobanGraph *
read_model_explorer (const char *data, gsize size, const char *path,
                     const GobanReadOptions *options, GError **error)
{
  g_autofree char *name = goban_text_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "model-explorer");
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) outputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (JsonObject) root = goban_json_parse_object (data, size, path, error);
  Reader self = { .place = { .data = data, .size = size, .path = path },
                  .builder = builder,
                  .ids = ids,
                  .outputs = outputs,
                  .kinds = kinds };
  JsonArray *nodes = root != NULL ? find_nodes (&self, root, error) : NULL;

  if (nodes == NULL || !read_nodes (&self, nodes, options, error))
    return NULL;
  if (self.n_unknown > 0)
    goban_graph_builder_warn (builder, "%u outputs have no known size: they count as 0 bytes",
                              self.n_unknown);
  return goban_text_finish_graph (builder, path, error);
}

static int
sniff (const char *head, gsize size, const char *path)
{
  gsize n = MIN (size, 65536);
  gsize start = 0;

  while (start < n && g_ascii_isspace (head[start]))
    start++;
  if (start == n || head[start] != '{' || g_strstr_len (head, n, "\"graphs\"") == NULL)
    return 0;
  return g_strstr_len (head, n, "\"incomingEdges\"") != NULL
                 || g_strstr_len (head, n, "\"namespace\"") != NULL
             ? 90
             : 0;
}

const GobanFormat goban_format_model_explorer = {
  .name = "model-explorer",
  .extensions = ".model-explorer.json",
  .blurb = "graphs of Model Explorer",
  .most_bytes = (gsize) 128 << 20, /* json-glib's tree takes some twenty times as much */
  .sniff = sniff,
  .read = read_model_explorer,
  .write = goban_model_explorer_write,
};
