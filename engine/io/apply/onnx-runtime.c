/* ONNX Runtime, whose sessions take rules "DEVICE(=WORD, ...); ...": of words in the metadata of
 * nodes, or of parts of their names.
 *
 * By annotation: a copy of the model in which each node has "layer_ann" among its metadata, and the
 * session's settings. Bodies of If and Loop follow their node.
 *
 * By name: the settings alone. The longest pattern that is part of a node's name counts, so that a
 * node's whole name decides for the node. Constants are folded before, so they need no rule.
 *
 * A session has one device of a kind: annotated partitioning of version 1.30.
 */
#include "engine/io/apply/protobuf-edit.h"
#include "engine/io/apply/target.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/io/source-nodes.h"
#include "engine/machine/cluster/device-number.h"

#include <string.h>

#define ANNOTATION "layer_ann"
/* Characters with a meaning in a rule. */
#define SPECIAL "(),;"

/* Fields of ONNX's messages. */
enum
{
  MODEL_GRAPH = 7,
  GRAPH_NODE = 1,
  NODE_METADATA = 9,
  ENTRY_KEY = 1,
  ENTRY_VALUE = 2,
};

typedef struct
{
  const GobanApplyWork *work;
  const GobanSourceNodes *nodes;
  gsize n_edited;
} Copy;

static const GobanDeviceWord words[] = {
  { "gpu", "gpu", FALSE },
  { "cpu", "cpu", FALSE },
  { "npu", "npu", FALSE },
  { NULL },
};

/* "gpu:1": the session's GPU, unless it is the first. */
static char **
name_devices (const GobanApplyWork *work, GError **error)
{
  char **names = goban_device_names_new (work, words, "ONNX Runtime", error);

  for (guint d = 0; names != NULL && names[d] != NULL; d++)
    {
      guint number = goban_device_get_number (work->cluster, (GobanDeviceId) d);
      g_autofree char *word = names[d];

      names[d] = g_str_equal (word, "gpu") && number > 0 ? g_strdup_printf ("gpu:%u", number)
                                                         : g_steal_pointer (&word);
    }
  return names;
}

static GobanSourceNodes *
find_nodes (const GobanApplyWork *work, GError **error)
{
  return goban_onnx_find_nodes (work->source, work->request->source, work->graph, error);
}

static void
append_settings (GString *out, const char *key, const GString *rules)
{
  g_string_append (out, "{");
  goban_json_add_string (out, key, rules->str);
  g_string_append (out, "}\n");
}

/* --- by annotation --------------------------------------------------------------------------- */

static gboolean
is_annotation (const guint8 *data, const GobanProtobufField *field)
{
  GobanProtobufField inner;
  gsize at = 0;

  while (at < field->value
         && goban_protobuf_next_field (data + field->start, field->value, &at, &inner))
    if (inner.tag == ENTRY_KEY && inner.whole && inner.value == strlen (ANNOTATION)
        && memcmp (data + field->start + inner.start, ANNOTATION, inner.value) == 0)
      return TRUE;
  return FALSE;
}

static void
append_annotation (GByteArray *out, GobanDeviceId device)
{
  g_autoptr (GByteArray) entry = g_byte_array_new ();
  g_autofree char *value = g_strdup_printf ("dev%u", device);

  goban_protobuf_append (entry, ENTRY_KEY, (const guint8 *) ANNOTATION, strlen (ANNOTATION));
  goban_protobuf_append (entry, ENTRY_VALUE, (const guint8 *) value, strlen (value));
  goban_protobuf_append (out, NODE_METADATA, entry->data, entry->len);
}

/* An annotation of before is left out. */
static void
annotate_node (const guint8 *data, gsize size, GByteArray *out, gpointer user_data)
{
  Copy *self = user_data;
  GobanNodeId node = self->nodes->nodes[self->n_edited++];
  gsize at = 0;

  while (at < size)
    {
      GobanProtobufField field;
      gsize begin = at;

      if (!goban_protobuf_next_field (data, size, &at, &field) || !field.whole)
        g_return_if_reached ();
      if (field.tag != NODE_METADATA || field.wire != 2 || !is_annotation (data, &field))
        g_byte_array_append (out, data + begin, (guint) (at - begin));
    }
  if (node != GOBAN_NO_NODE)
    append_annotation (out, goban_plan_get_device (self->work->plan, node));
}

/* Weights in files of their own are found beside the model. */
static gboolean
check_external (const GobanApplyWork *work, const GobanSourceNodes *nodes, GError **error)
{
  g_autofree char *from = g_canonicalize_filename (work->request->source, NULL);
  g_autofree char *to = g_canonicalize_filename (work->path, NULL);
  g_autofree char *from_folder = g_path_get_dirname (from);
  g_autofree char *to_folder = g_path_get_dirname (to);

  return nodes->external == NULL || g_str_equal (from_folder, to_folder)
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "%s: its weights are in “%s” beside it; write the copy into the same "
                          "folder, %s",
                          work->request->source, nodes->external, from_folder);
}

static gboolean
write_model (GobanApplyWork *work, GError **error)
{
  static const GobanProtobufStep path[]
      = { { MODEL_GRAPH, FALSE }, { GRAPH_NODE, FALSE }, { 0, FALSE } };
  g_auto (GStrv) names = name_devices (work, error);
  g_autoptr (GobanSourceNodes) nodes = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GString) rules = g_string_new (NULL);
  const guint8 *data;
  gsize size;
  Copy copy;

  if (names == NULL)
    return FALSE;
  nodes = find_nodes (work, error);
  if (nodes == NULL || !check_external (work, nodes, error))
    return FALSE;

  data = g_bytes_get_data (work->source, &size);
  copy = (Copy){ work, nodes, 0 };
  goban_protobuf_edit (data, size, path, annotate_node, &copy, bytes);
  g_string_append_len (work->text, (const char *) bytes->data, bytes->len);
  for (guint d = 0; names[d] != NULL; d++)
    if (*names[d] != '\0')
      g_string_append_printf (rules, "%s%s(=dev%u)", rules->len > 0 ? "; " : "", names[d], d);
  append_settings (work->second, "session.layer_assignment_settings", rules);
  return TRUE;
}

const GobanApplyTarget goban_apply_ort = {
  .name = "ort",
  .framework = "ONNX Runtime",
  .blurb = N_ ("a copy of the ONNX model with annotated nodes, and the session's settings"),
  .suffix = ".onnx",
  .second_suffix = ".session.json",
  .source_format = "onnx",
  .is_copy = TRUE,
  .write = write_model,
};

/* --- by name --------------------------------------------------------------------------------- */

static gboolean
check_name (const GobanApplyWork *work, const GobanSourceNodes *nodes, gsize i, GError **error)
{
  const char *name = nodes->names[i];
  const char *shown = goban_apply_node_name (work, nodes->nodes[i]);

  if (*name == '\0')
    return goban_refuse (
        error, GOBAN_ERROR_UNSUPPORTED,
        "node “%s” has no name of its own in %s, by which ONNX Runtime could place "
        "it; the target ort writes a model that needs none",
        shown, work->request->source);
  if (strpbrk (name, SPECIAL) != NULL || *name == '=' || g_ascii_isspace (*name)
      || g_ascii_isspace (name[strlen (name) - 1]))
    return goban_refuse (
        error, GOBAN_ERROR_UNSUPPORTED,
        "the name of node “%s” has a bracket, a comma, a semicolon or a blank where "
        "ONNX Runtime's settings cannot have it; the target ort writes a model "
        "that needs no names",
        shown);
  return TRUE;
}

/* @devices: by name, the node's device + 1 */
static gboolean
add_name (const GobanApplyWork *work, const GobanSourceNodes *nodes, gsize i, GHashTable *devices,
          GError **error)
{
  GobanDeviceId device = goban_plan_get_device (work->plan, nodes->nodes[i]);
  guint known;

  if (!check_name (work, nodes, i, error))
    return FALSE;
  known = GPOINTER_TO_UINT (g_hash_table_lookup (devices, nodes->names[i]));
  if (known != 0 && known != device + 1u)
    return goban_refuse (
        error, GOBAN_ERROR_UNSUPPORTED,
        "two nodes of %s have the name “%s”; one is on %s, the other on %s", work->request->source,
        nodes->names[i],
        goban_cluster_get_device (work->cluster, (GobanDeviceId) (known - 1))->name,
        goban_cluster_get_device (work->cluster, device)->name);
  g_hash_table_insert (devices, nodes->names[i], GUINT_TO_POINTER (device + 1u));
  return TRUE;
}

/* The names of one device, each once. */
static void
append_rule (GString *rules, const GobanSourceNodes *nodes, GHashTable *devices,
             GobanDeviceId device, const char *word)
{
  gboolean any = FALSE;

  for (gsize i = 0; i < nodes->n; i++)
    {
      if (GPOINTER_TO_UINT (g_hash_table_lookup (devices, nodes->names[i])) != device + 1u)
        continue;
      if (!any)
        g_string_append_printf (rules, "%s%s(", rules->len > 0 ? "; " : "", word);
      g_string_append_printf (rules, "%s%s", any ? ", " : "", nodes->names[i]);
      any = TRUE;
      g_hash_table_remove (devices, nodes->names[i]);
    }
  g_string_append (rules, any ? ")" : "");
}

static gboolean
write_names (GobanApplyWork *work, GError **error)
{
  g_auto (GStrv) names = name_devices (work, error);
  g_autoptr (GobanSourceNodes) nodes = NULL;
  g_autoptr (GHashTable) devices = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) rules = g_string_new (NULL);

  if (names == NULL)
    return FALSE;
  nodes = find_nodes (work, error);
  if (nodes == NULL)
    return FALSE;
  if (nodes->with_body != GOBAN_NO_NODE)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "node “%s” has a body, whose nodes ONNX Runtime would place by their own "
                         "names; with the target ort they follow the node",
                         goban_apply_node_name (work, nodes->with_body));
  for (gsize i = 0; i < nodes->n; i++)
    if (!nodes->is_folded[i] && !add_name (work, nodes, i, devices, error))
      return FALSE;
  for (guint d = 0; names[d] != NULL; d++)
    append_rule (rules, nodes, devices, (GobanDeviceId) d, names[d]);
  append_settings (work->text, "session.name_based_layer_assignment", rules);
  return TRUE;
}

const GobanApplyTarget goban_apply_ort_names = {
  .name = "ort-names",
  .framework = "ONNX Runtime",
  .blurb = N_ ("the session's settings by names of nodes, for the unchanged ONNX model"),
  .suffix = ".session.json",
  .source_format = "onnx",
  .write = write_names,
};
