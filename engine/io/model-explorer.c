/* model-explorer.c: the graphs of Model Explorer, as JSON.
 *
 *     {"label": ..., "graphs": [{"id": ..., "nodes": [{"id", "label", "namespace",
 *       "attrs": [{"key", "value"}], "incomingEdges": [{"sourceNodeId", "sourceNodeOutputId"}],
 *       "outputsMetadata": [{"id", "attrs"}]}]}]}
 *
 * Lists of such objects, "graphCollections" and a graph alone are read, too; of several graphs the
 * first is. A node is named by its id, behind its namespace; its label is the operation. Attribute
 * `tensor_shape` of an output, "float32[1,8]", gives type and size. Attributes of nodes that have
 * the names of our own numbers (flops, param_bytes, ...) are these, `time_us:KIND` is a time. What
 * is written here is read as the same graph, but for transfer times and the order of device kinds.
 */
#include <math.h>
#include <string.h>

#include "engine/core/find-word.h"
#include "engine/core/json-reader.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/io/formats.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

/* --- reading -------------------------------------------------------------- */

#define MAX_DIMS 32
/* Lists around each other: of files, collections and graphs. */
#define MAX_LISTS 4
#define TIME_KEY "time_us:"

typedef struct
{
  const char *path;
  GobanGraphBuilder *builder;
  GHashTable *ids;     /* of nodes: to the builder's + 1 */
  GHashTable *outputs; /* "node:output": to the builder's tensor + 1 */
  GHashTable *kinds;   /* a set: the kinds of device with times */
  guint n_unknown;     /* outputs without a size */
} Reader;

/* --- attributes ------------------------------------------------------------------------------ */

/* FALSE if the attribute is not a pair of texts. */
static gboolean
get_pair (GobanJsonValue attr, const char **key, const char **value)
{
  *key = goban_json_peek_text (goban_json_find (attr, "key"));
  *value = goban_json_peek_text (goban_json_find (attr, "value"));
  return *key != NULL && *value != NULL;
}

static gboolean
set_time (Reader *self, guint32 node, const char *kind, GobanJsonValue attr, GError **error)
{
  const char *value = goban_json_peek_text (goban_json_find (attr, "value"));
  double time_us = INFINITY;

  if (strcmp (value, "never") != 0 && !goban_text_file_parse_amount (value, &time_us))
    return goban_json_refuse (attr, error, "the time on “%s” is not an amount", kind);
  g_hash_table_add (self->kinds, g_strdup (kind));
  if (!goban_text_file_check_kinds (self->path, g_hash_table_size (self->kinds), 0, error))
    return FALSE;
  goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
  return TRUE;
}

static gboolean
set_attribute (Reader *self, guint32 id, GobanJsonValue attr, GError **error)
{
  GobanNode *node = goban_graph_builder_get_node (self->builder, id);
  const char *key, *value;
  guint64 number;
  int found;

  if (!get_pair (attr, &key, &value))
    return TRUE;
  if (g_str_has_prefix (key, TIME_KEY))
    return set_time (self, id, key + strlen (TIME_KEY), attr, error);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    if (strcmp (key, goban_node_fields[i].name) == 0)
      goban_text_file_parse_amount (value,
                                    &G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset));
  if (strcmp (key, "group") == 0 && goban_text_file_parse_id (value, &number))
    goban_graph_builder_set_group (self->builder, id, number);
  if (strcmp (key, "phase") == 0
      && (found = goban_find_word (goban_phase_names, GOBAN_N_PHASES, value)) >= 0)
    node->phase = (GobanPhase) found;
  if (strcmp (key, "size_source") == 0
      && (found = goban_find_word (goban_source_names, GOBAN_N_SOURCES, value)) >= 0)
    node->size_source = (GobanSource) found;
  if (strcmp (key, "time_source") == 0
      && (found = goban_find_word (goban_source_names, GOBAN_N_SOURCES, value)) >= 0)
    node->time_source = (GobanSource) found;
  return TRUE;
}

static gboolean
set_attributes (Reader *self, guint32 id, GobanJsonValue object, GError **error)
{
  GobanJsonItems attrs;
  GobanJsonValue attr;

  if (!goban_json_get_list (object, "attrs", &attrs, error))
    return FALSE;
  while (goban_json_items_next (&attrs, &attr))
    if (!set_attribute (self, id, attr, error))
      return FALSE;
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

static gboolean
has_attribute (GobanJsonItems attrs, const char *name)
{
  GobanJsonValue attr;
  const char *key, *value;

  while (goban_json_items_next (&attrs, &attr))
    if (get_pair (attr, &key, &value) && strcmp (key, name) == 0)
      return TRUE;
  return FALSE;
}

/* Sizes that are given count more than those of shapes. */
static void
set_size (Reader *self, guint32 tensor, GobanJsonItems attrs)
{
  GobanJsonValue attr;
  const char *key, *value;
  double given = NAN, computed = NAN;

  while (goban_json_items_next (&attrs, &attr))
    if (get_pair (attr, &key, &value))
      {
        if (strcmp (key, "tensor_shape") == 0)
          computed = set_shape (self, tensor, value);
        else if (strcmp (key, "size_bytes") == 0)
          goban_text_file_parse_amount (value, &given);
      }
  given = isnan (given) ? computed : given;
  if (isnan (given))
    self->n_unknown++;
  else
    goban_graph_builder_set_tensor_size (self->builder, tensor, given);
}

static gboolean
add_output (Reader *self, guint32 node, GobanJsonValue output, GError **error)
{
  const char *id = "";
  GobanJsonItems attrs;
  guint32 tensor;

  if (!goban_json_check_object (output, NULL, error)
      || !goban_json_get_text (output, "id", &id, error)
      || !goban_json_get_list (output, "attrs", &attrs, error))
    return FALSE;
  if (has_attribute (attrs, "control"))
    tensor = goban_graph_builder_add_control_tensor (self->builder, node);
  else
    {
      tensor = goban_graph_builder_add_tensor (self->builder, node, 0);
      set_size (self, tensor, attrs);
    }
  remember (self, node, id, tensor);
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
add_outputs (Reader *self, guint32 node, GobanJsonValue object, GError **error)
{
  GobanJsonItems outputs;
  GobanJsonValue output;

  if (!goban_json_get_list (object, "outputsMetadata", &outputs, error))
    return FALSE;
  while (goban_json_items_next (&outputs, &output))
    if (!add_output (self, node, output, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_node (Reader *self, GobanJsonValue object, GError **error)
{
  const char *id = NULL, *label = "", *scope = "";
  g_autofree char *name = NULL;
  guint32 node;

  if (!goban_json_check_object (object, NULL, error)
      || !goban_json_get_text (object, "id", &id, error)
      || !goban_json_get_text (object, "label", &label, error)
      || !goban_json_get_text (object, "namespace", &scope, error))
    return FALSE;
  if (id == NULL)
    return goban_json_refuse_missing (object, "id", error);
  name = dup_name (scope, id);
  node = goban_graph_builder_add_node (self->builder, name, label);
  if (!g_hash_table_insert (self->ids, (gpointer) id, GUINT_TO_POINTER (node + 1)))
    return goban_json_refuse (object, error, "the id “%s” is given twice", id);
  return add_outputs (self, node, object, error) && set_attributes (self, node, object, error);
}

static gboolean
read_edge (Reader *self, guint32 head, GobanJsonValue edge, GError **error)
{
  const char *source = NULL, *output = "";
  g_autofree char *key = NULL;
  guint32 node, tensor;

  if (!goban_json_check_object (edge, NULL, error)
      || !goban_json_get_text (edge, "sourceNodeId", &source, error)
      || !goban_json_get_text (edge, "sourceNodeOutputId", &output, error))
    return FALSE;
  if (source == NULL)
    return goban_json_refuse_missing (edge, "sourceNodeId", error);
  node = GPOINTER_TO_UINT (g_hash_table_lookup (self->ids, source));
  if (node == 0)
    return goban_json_refuse (edge, error, "there is no node with the id “%s”", source);
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
read_edges (Reader *self, guint32 head, GobanJsonValue object, GError **error)
{
  GobanJsonItems edges;
  GobanJsonValue edge;

  if (!goban_json_get_list (object, "incomingEdges", &edges, error))
    return FALSE;
  while (goban_json_items_next (&edges, &edge))
    if (!read_edge (self, head, edge, error))
      return FALSE;
  return TRUE;
}

/* Edges come after all nodes: they may lead from later ones. */
static gboolean
read_nodes (Reader *self, GobanJsonItems nodes, const GobanReadOptions *options, GError **error)
{
  GobanJsonItems again = nodes;
  GobanJsonValue node;

  while (goban_json_items_next (&nodes, &node))
    if (!goban_progress_check (options->progress, error) || !read_node (self, node, error))
      return FALSE;
  for (guint32 i = 0; goban_json_items_next (&again, &node); i++)
    if (!goban_progress_check (options->progress, error) || !read_edges (self, i, node, error))
      return FALSE;
  return TRUE;
}

static gboolean visit_graphs (GobanJsonValue value, guint depth, GobanJsonValue *first,
                              guint *n_graphs, GError **error);

static gboolean
visit_items (GobanJsonItems items, guint depth, GobanJsonValue *first, guint *n_graphs,
             GError **error)
{
  GobanJsonValue item;

  while (goban_json_items_next (&items, &item))
    if (!visit_graphs (item, depth + 1, first, n_graphs, error))
      return FALSE;
  return TRUE;
}

/* A graph, a collection of them, a file of collections, or a list of any of these. */
static gboolean
visit_graphs (GobanJsonValue value, guint depth, GobanJsonValue *first, guint *n_graphs,
              GError **error)
{
  static const char *const lists[] = { "graphs", "graphCollections" };
  GobanJsonItems items;
  gboolean is_list = FALSE;

  if (depth > MAX_LISTS)
    return goban_json_refuse (value, error, "lists of graphs nest more than %d deep", MAX_LISTS);
  if (goban_json_get_type (value) == GOBAN_JSON_ARRAY)
    return goban_json_read_list (value, &items, error)
           && visit_items (items, depth, first, n_graphs, error);
  if (!goban_json_check_object (value, NULL, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (goban_json_has (value, lists[i]))
      {
        is_list = TRUE;
        if (!goban_json_get_list (value, lists[i], &items, error)
            || !visit_items (items, depth, first, n_graphs, error))
          return FALSE;
      }
  if (is_list)
    return TRUE;
  if (!goban_json_has (value, "nodes"))
    return depth == 0 || goban_json_refuse_missing (value, "nodes", error);
  if ((*n_graphs)++ == 0)
    *first = value;
  return TRUE;
}

/* The nodes of the first graph. */
static gboolean
find_nodes (Reader *self, GobanJsonValue root, GobanJsonItems *nodes, GError **error)
{
  GobanJsonValue first = root;
  guint n_graphs = 0;
  const char *id = "";

  if (!visit_graphs (root, 0, &first, &n_graphs, error))
    return FALSE;
  if (n_graphs == 0)
    return goban_json_refuse (root, error, "there is no graph in “graphs”");
  if (!goban_json_get_text (first, "id", &id, error))
    return FALSE;
  if (n_graphs > 1)
    goban_graph_builder_warn (self->builder, "the file holds %u graphs; the first is read: “%s”",
                              n_graphs, id);
  return goban_json_get_list (first, "nodes", nodes, error);
}

static GobanGraph *
read_model_explorer (const char *data, gsize size, const char *path,
                     const GobanReadOptions *options, GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "model-explorer");
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) outputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GobanJsonReader) json = goban_json_reader_new (data, (gssize) size, path, error);
  Reader self
      = { .path = path, .builder = builder, .ids = ids, .outputs = outputs, .kinds = kinds };
  GobanJsonItems nodes;

  if (json == NULL || !find_nodes (&self, goban_json_reader_get_root (json), &nodes, error)
      || !read_nodes (&self, nodes, options, error))
    return NULL;
  if (self.n_unknown > 0)
    goban_graph_builder_warn (builder, "%u outputs have no known size: they count as 0 bytes",
                              self.n_unknown);
  return goban_text_file_finish_graph (builder, path, error);
}

static int
sniff (const char *head, gsize size, const char *path)
{
  static const char *const keys[] = { "incomingEdges", "namespace", "outputsMetadata" };
  static const char *const lists[] = { "graphs", "graphCollections", "nodes" };
  gboolean is_list = FALSE;
  gsize start = 0;

  while (start < size && g_ascii_isspace (head[start]))
    start++;
  if (start == size || (head[start] != '{' && head[start] != '['))
    return 0;
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    is_list |= goban_text_file_has_key (head, size, lists[i]);
  for (gsize i = 0; is_list && i < G_N_ELEMENTS (keys); i++)
    if (goban_text_file_has_key (head, size, keys[i]))
      return 90;
  return 0;
}

/* --- writing -------------------------------------------------------------- */

/* `{"key": ..., "value": ...}`, both of them text. */
static void
append_attr (GString *out, gboolean *any, const char *key, const char *value)
{
  g_string_append (out, *any ? ", {\"key\": " : "{\"key\": ");
  goban_json_append_string (out, key);
  g_string_append (out, ", \"value\": ");
  goban_json_append_string (out, value);
  g_string_append_c (out, '}');
  *any = TRUE;
}

static void
append_number (GString *out, gboolean *any, const char *key, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];

  append_attr (out, any, key, isinf (value) ? "never" : goban_format_double (buffer, value));
}

static void
append_attrs (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  gboolean any = FALSE;

  g_string_append (out, ", \"attrs\": [");
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      double value = G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset);

      if (value != 0)
        append_number (out, &any, goban_node_fields[i].name, value);
    }
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, id, k);
      g_autofree char *key = g_strconcat ("time_us:", goban_graph_get_kind (graph, k), NULL);

      if (!isnan (time_us))
        append_number (out, &any, key, time_us);
    }
  append_attr (out, &any, "size_source", goban_source_names[node->size_source]);
  append_attr (out, &any, "time_source", goban_source_names[node->time_source]);
  if (node->phase != GOBAN_PHASE_FORWARD)
    append_attr (out, &any, "phase", goban_phase_names[node->phase]);
  if (node->group != GOBAN_NO_GROUP)
    append_number (out, &any, "group", node->group);
  g_string_append_c (out, ']');
}

static void
append_edges (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  GobanEdgeSpan span = goban_graph_get_in_edges (graph, node);

  g_string_append (out, ", \"incomingEdges\": [");
  for (guint i = 0; i < span.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, span.ids[i]);
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, edge->tail, &n_tensors);

      g_string_append (out, i > 0 ? ", {\"sourceNodeId\": " : "{\"sourceNodeId\": ");
      goban_json_append_string (out, goban_graph_get_node (graph, edge->tail)->name);
      g_string_append_printf (out,
                              ", \"sourceNodeOutputId\": \"%u\", \"targetNodeInputId\": \"%u\"}",
                              edge->tensor - first, i);
    }
  g_string_append_c (out, ']');
}

/* "f32[2,3]" */
static char *
dup_shape (const GobanTensor *tensor)
{
  GString *text = g_string_new (tensor->dtype);

  g_string_append_c (text, '[');
  for (guint i = 0; i < tensor->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", tensor->dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
append_outputs (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  g_string_append (out, ", \"outputsMetadata\": [");
  for (guint i = 0; i < n_tensors; i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);
      g_autofree char *shape = tensor->has_shape ? dup_shape (tensor) : NULL;
      gboolean any = FALSE;

      g_string_append_printf (out, "%s{\"id\": \"%u\", \"attrs\": [", i > 0 ? ", " : "", i);
      if (shape != NULL)
        append_attr (out, &any, "tensor_shape", shape);
      append_number (out, &any, "size_bytes", tensor->size_bytes);
      if (tensor->is_control)
        append_attr (out, &any, "control", "true");
      g_string_append (out, "]}");
    }
  g_string_append_c (out, ']');
}

static void
append_node (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  const char *slash = strrchr (node->name, '/');
  g_autofree char *scope
      = slash != NULL ? g_strndup (node->name, (gsize) (slash - node->name)) : g_strdup ("");

  g_string_append (out, "{\"id\": ");
  goban_json_append_string (out, node->name);
  g_string_append (out, ", \"label\": ");
  goban_json_append_string (out, node->op);
  g_string_append (out, ", \"namespace\": ");
  goban_json_append_string (out, scope);
  append_attrs (out, graph, id);
  append_edges (out, graph, id);
  append_outputs (out, graph, id);
  g_string_append_c (out, '}');
}

/* A node a line. (transfer full) */
static char *
model_explorer_write (const GobanGraph *graph, gsize *size, GError **error)
{
  GString *out = g_string_new ("{\"label\": ");

  goban_json_append_string (out, goban_graph_get_name (graph));
  g_string_append (out, ", \"graphs\": [{\"id\": \"main\", \"nodes\": [");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      g_string_append (out, v > 0 ? ",\n" : "\n");
      append_node (out, graph, v);
    }
  g_string_append (out, "\n]}]}\n");
  *size = out->len;
  return g_string_free (out, FALSE);
}

const GobanFormat goban_format_model_explorer = {
  .name = "model-explorer",
  .extensions = ".model-explorer.json",
  .blurb = "graphs of Model Explorer",
  .most_bytes = (gsize) 128 << 20, /* its tokens take some four times as much */
  .sniff = sniff,
  .read = read_model_explorer,
  .write = model_explorer_write,
};
