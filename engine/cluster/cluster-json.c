/* Clusters as JSON.
 *
 *   { "name": "two racks",                      optional: else the file's name
 *     "contention_free": false,                 optional: transfers never wait for each other
 *     "devices": [                              1 to GOBAN_MAX_DEVICES of
 *       { "name": "gpu", "count": 4,            gpu:0 .. gpu:3; without count, the name itself
 *         "kind": "gpu",                        what times in graphs are given for
 *         "tflops": 9.3,                        or "flops_per_s": 9.3e12
 *         "memory_bandwidth": "732 GB/s",
 *         "memory": "16 GiB",                   or "unlimited"
 *         "launch": "5 us" } ],                 optional: 0
 *     "switches": ["rack"],                     optional; they route and compute nothing
 *     "links": [                                optional, of
 *       { "from": "gpu:0", "to": "rack", "bandwidth": "12 GB/s",
 *         "latency": "5 us",                    optional: 0
 *         "name": "uplink",                     optional: "gpu:0>rack"
 *         "both_ways": true } ],                optional: true; the way back of a named
 *                                               link is "uplink-back"
 *     "all_pairs": { "bandwidth": "12 GB/s", "latency": "5 us" } }
 *                                               optional: a link from every device to every
 *                                               other that "links" does not join directly
 *
 * Bare numbers are bytes, bytes per second, microseconds and FLOPs per second. Bandwidths and
 * memory may be "unlimited". The writer, cluster-json-write.c, falls back to "flops_per_us",
 * "memory_bytes_per_us" and "bytes_per_us", which the reader knows as well, where a number
 * per second would not read back as the same number per microsecond.
 */
#include "engine/base/error.h"
#include "engine/base/json-guard.h"
#include "engine/base/quantity.h"
#include "engine/cluster/cluster-draft.h"

#include <math.h>
#include <string.h>

typedef gboolean (*ParseFunc) (const char *text, double *value, GError **error);

/* One spelling of one number. */
typedef struct
{
  const char *key;
  const char *field; /* as goban_cluster_check_number() knows it */
  gsize offset;
  ParseFunc parse; /* (nullable): where strings are welcome */
  double factor;   /* a bare number times factor over divisor is the field; */
  double divisor;  /* dividing by 1e6 is exact where multiplying by 1e-6 is not */
  gboolean is_optional;
} Spelling;

typedef struct
{
  const char *origin;
  GobanClusterDraft *draft;
  GHashTable *vertices;   /* name to number + 1 */
  GHashTable *link_names; /* set */
} Reader;

/* --- numbers -------------------------------------------------------------- */

gboolean
goban_parse_bandwidth (const char *text, double *bytes_per_us, GError **error)
{
  g_autofree char *size = g_strstrip (g_strdup (text));
  double bytes;

  if (g_str_has_suffix (size, "/s"))
    size[strlen (size) - strlen ("/s")] = '\0';
  if (!goban_parse_bytes (size, &bytes, error))
    return FALSE;
  *bytes_per_us = bytes / 1e6;
  return TRUE;
}

/* clang-format off */
#define DEVICE(field) #field, G_STRUCT_OFFSET (GobanDevice, field)
#define LINK(field) #field, G_STRUCT_OFFSET (GobanLink, field)

static const Spelling device_numbers[] = {
  { "flops_per_s", DEVICE (flops_per_us), NULL, 1, 1e6, FALSE },
  { "tflops", DEVICE (flops_per_us), NULL, 1e6, 1, FALSE },
  { "flops_per_us", DEVICE (flops_per_us), NULL, 1, 1, FALSE },
  { "memory_bandwidth", DEVICE (memory_bytes_per_us), goban_parse_bandwidth, 1, 1e6, FALSE },
  { "memory_bytes_per_us", DEVICE (memory_bytes_per_us), NULL, 1, 1, FALSE },
  { "memory", DEVICE (memory_bytes), goban_parse_bytes, 1, 1, FALSE },
  { "launch", DEVICE (launch_us), goban_parse_time, 1, 1, TRUE },
};

static const Spelling link_numbers[] = {
  { "bandwidth", LINK (bytes_per_us), goban_parse_bandwidth, 1, 1e6, FALSE },
  { "bytes_per_us", LINK (bytes_per_us), NULL, 1, 1, FALSE },
  { "latency", LINK (latency_us), goban_parse_time, 1, 1, TRUE },
};
/* clang-format on */

/* About the key of an object: "a.json: devices[2].memory: ", or "a.json: name: " at the root,
 * whose place is "a.json:". */
static gboolean
refuse_key (GError **error, const char *where, const char *key, const char *message)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s%s%s: %s", where,
                       g_str_has_suffix (where, ":") ? " " : ".", key, message);
}

/* Errors in a file's contents are parse errors, wherever they are found. */
static gboolean
blame_file (GError **error, GError *found, const char *where, const char *key)
{
  refuse_key (error, where, key, found->message);
  g_error_free (found);
  return FALSE;
}

static gboolean
read_number (JsonNode *node, const Spelling *spelling, const char *where, double *value,
             GError **error)
{
  GError *found = NULL;
  double number = 0;
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;

  if (type == G_TYPE_STRING && spelling->parse != NULL)
    {
      if (!spelling->parse (json_node_get_string (node), &number, &found))
        return blame_file (error, found, where, spelling->key);
    }
  else if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    number = json_node_get_double (node) * spelling->factor / spelling->divisor;
  else
    return refuse_key (error, where, spelling->key,
                       spelling->parse != NULL ? "a number or a text with a unit is expected"
                                               : "a number is expected");

  if (!goban_cluster_check_number (spelling->field, number, &found))
    return blame_file (error, found, where, spelling->key);
  *value = number;
  return TRUE;
}

/* Fills the numbers of a device or a link, each from the one spelling that is there. */
static gboolean
read_numbers (JsonObject *object, const char *where, const Spelling *spellings, guint n,
              gpointer target, GError **error)
{
  for (guint i = 0; i < n;)
    {
      const Spelling *used = NULL;
      guint first = i;

      for (; i < n && spellings[i].offset == spellings[first].offset; i++)
        if (json_object_has_member (object, spellings[i].key))
          {
            if (used != NULL)
              return goban_refuse (error, GOBAN_ERROR_PARSE,
                                   "%s: %s and %s say the same; give only one", where, used->key,
                                   spellings[i].key);
            used = &spellings[i];
          }
      if (used == NULL && spellings[first].is_optional)
        continue;
      if (used == NULL)
        return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s is missing", where,
                             spellings[first].key);
      if (!read_number (json_object_get_member (object, used->key), used, where,
                        &G_STRUCT_MEMBER (double, target, used->offset), error))
        return FALSE;
    }
  return TRUE;
}

/* --- other values --------------------------------------------------------- */

/* (nullable) with no error if the key is absent. */
static gboolean
read_text (JsonObject *object, const char *where, const char *key, const char **text,
           GError **error)
{
  JsonNode *node = json_object_get_member (object, key);

  *text = NULL;
  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return refuse_key (error, where, key, "a text is expected");
  *text = json_node_get_string (node);
  if (**text == '\0')
    return refuse_key (error, where, key, "it is empty");
  return TRUE;
}

static gboolean
need_text (JsonObject *object, const char *where, const char *key, const char **text,
           GError **error)
{
  if (!read_text (object, where, key, text, error))
    return FALSE;
  return *text != NULL || goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s is missing", where, key);
}

static gboolean
read_boolean (JsonObject *object, const char *where, const char *key, gboolean *value,
              GError **error)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return refuse_key (error, where, key, "true or false is expected");
  *value = json_node_get_boolean (node);
  return TRUE;
}

/* The array of that key; *array NULL if it is absent. */
static gboolean
read_array (const Reader *self, JsonObject *root, const char *key, JsonArray **array,
            GError **error)
{
  JsonNode *node = json_object_get_member (root, key);

  *array = NULL;
  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s: an array is expected", self->origin,
                         key);
  *array = json_node_get_array (node);
  return TRUE;
}

static JsonObject *
get_object (JsonNode *node, const char *where, const char *const *keys, GError **error)
{
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: an object is expected", where);
      return NULL;
    }
  object = json_node_get_object (node);
  return goban_json_check_keys (object, where, keys, error) ? object : NULL;
}

/* --- devices and switches ------------------------------------------------- */

static gboolean
claim_vertex (Reader *self, const char *name, const char *where, GError **error)
{
  guint number = g_hash_table_size (self->vertices) + 1;

  if (!g_hash_table_insert (self->vertices, g_strdup (name), GUINT_TO_POINTER (number)))
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the name “%s” is taken", where, name);
  return TRUE;
}

static gboolean
add_device (Reader *self, const char *name, const GobanDevice *figures, const char *where,
            GError **error)
{
  if (!claim_vertex (self, name, where, error))
    return FALSE;
  if (self->draft->devices->len == GOBAN_MAX_DEVICES)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: there are more than %d devices", where,
                         GOBAN_MAX_DEVICES);
  goban_cluster_draft_add_device (self->draft, name, figures);
  return TRUE;
}

static gboolean
add_counted_devices (Reader *self, JsonNode *count, const char *name, const GobanDevice *figures,
                     const char *where, GError **error)
{
  gint64 n = 0;

  if (JSON_NODE_HOLDS_VALUE (count) && json_node_get_value_type (count) == G_TYPE_INT64)
    n = json_node_get_int (count);
  if (n < 1 || n > GOBAN_MAX_DEVICES)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s.count: a whole number from 1 to %d is expected", where,
                         GOBAN_MAX_DEVICES);

  for (gint64 i = 0; i < n; i++)
    {
      g_autofree char *full = g_strdup_printf ("%s:%d", name, (int) i);

      if (!add_device (self, full, figures, where, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_device (Reader *self, JsonNode *node, const char *where, GError **error)
{
  static const char *const keys[]
      = { "name",   "kind",   "count",        "flops_per_s",         "tflops", "memory_bandwidth",
          "memory", "launch", "flops_per_us", "memory_bytes_per_us", NULL };
  JsonObject *object = get_object (node, where, keys, error);
  GobanDevice figures = { 0 };
  const char *name;

  if (object == NULL || !need_text (object, where, "name", &name, error)
      || !need_text (object, where, "kind", &figures.kind, error)
      || !read_numbers (object, where, device_numbers, G_N_ELEMENTS (device_numbers), &figures,
                        error))
    return FALSE;

  if (json_object_has_member (object, "count"))
    return add_counted_devices (self, json_object_get_member (object, "count"), name, &figures,
                                where, error);
  return add_device (self, name, &figures, where, error);
}

static gboolean
read_switch (Reader *self, JsonNode *node, const char *where, GError **error)
{
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING
      || *json_node_get_string (node) == '\0')
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: a name is expected", where);
  if (!claim_vertex (self, json_node_get_string (node), where, error))
    return FALSE;
  goban_cluster_draft_add_switch (self->draft, json_node_get_string (node));
  return TRUE;
}

/* --- links ---------------------------------------------------------------- */

static gboolean
read_end (const Reader *self, JsonObject *object, const char *where, const char *key, guint *vertex,
          GError **error)
{
  const char *name;
  guint number;

  if (!need_text (object, where, key, &name, error))
    return FALSE;
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->vertices, name));
  if (number == 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s.%s: there is no device or switch “%s”",
                         where, key, name);
  *vertex = number - 1;
  return TRUE;
}

static gboolean
add_link (Reader *self, const GobanLink *link, const char *where, GError **error)
{
  const char *name;

  goban_cluster_draft_add_link (self->draft, link);
  name = g_array_index (self->draft->links, GobanLink, self->draft->links->len - 1).name;
  if (!g_hash_table_add (self->link_names, (gpointer) name))
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: there is another link “%s”; give one of them a name", where, name);
  return TRUE;
}

static gboolean
read_link (Reader *self, JsonNode *node, const char *where, GError **error)
{
  static const char *const keys[]
      = { "from", "to", "bandwidth", "latency", "name", "both_ways", "bytes_per_us", NULL };
  JsonObject *object = get_object (node, where, keys, error);
  gboolean both_ways = TRUE;
  GobanLink link = { 0 };
  g_autofree char *back_name = NULL;
  GobanLink back;

  if (object == NULL || !read_end (self, object, where, "from", &link.from, error)
      || !read_end (self, object, where, "to", &link.to, error)
      || !read_text (object, where, "name", &link.name, error)
      || !read_boolean (object, where, "both_ways", &both_ways, error)
      || !read_numbers (object, where, link_numbers, G_N_ELEMENTS (link_numbers), &link, error))
    return FALSE;
  if (link.from == link.to)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: it leads from %s to itself", where,
                         goban_cluster_draft_get_vertex_name (self->draft, link.from));

  if (!add_link (self, &link, where, error))
    return FALSE;
  if (!both_ways)
    return TRUE;

  back_name = link.name != NULL ? g_strconcat (link.name, "-back", NULL) : NULL;
  back = link;
  back.name = back_name;
  back.from = link.to;
  back.to = link.from;
  return add_link (self, &back, where, error);
}

static gboolean
read_all_pairs (Reader *self, JsonObject *root, GError **error)
{
  static const char *const keys[] = { "bandwidth", "latency", "bytes_per_us", NULL };
  g_autofree char *where = g_strconcat (self->origin, ": all_pairs", NULL);
  JsonNode *node = json_object_get_member (root, "all_pairs");
  guint n = self->draft->devices->len;
  g_autofree guint8 *is_joined = NULL;
  GobanLink link = { 0 };
  JsonObject *object;

  if (node == NULL)
    return TRUE;
  object = get_object (node, where, keys, error);
  if (object == NULL
      || !read_numbers (object, where, link_numbers, G_N_ELEMENTS (link_numbers), &link, error))
    return FALSE;

  is_joined = g_new0 (guint8, (gsize) n * n);
  for (guint e = 0; e < self->draft->links->len; e++)
    {
      const GobanLink *other = &g_array_index (self->draft->links, GobanLink, e);

      if (other->from < n && other->to < n)
        is_joined[(gsize) other->from * n + other->to] = TRUE;
    }
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++)
      for (guint way = 0; way < 2; way++)
        {
          link.from = way == 0 ? a : b;
          link.to = way == 0 ? b : a;
          if (!is_joined[(gsize) link.from * n + link.to] && !add_link (self, &link, where, error))
            return FALSE;
        }
  return TRUE;
}

/* --- the whole ------------------------------------------------------------ */

typedef gboolean (*ReadFunc) (Reader *self, JsonNode *node, const char *where, GError **error);

static gboolean
read_each (Reader *self, JsonObject *root, const char *key, ReadFunc read, GError **error)
{
  JsonArray *array;

  if (!read_array (self, root, key, &array, error))
    return FALSE;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s: %s[%u]", self->origin, key, i);

      if (!read (self, json_array_get_element (array, i), where, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_cluster (Reader *self, JsonNode *node, GError **error)
{
  static const char *const keys[]
      = { "name", "contention_free", "devices", "switches", "links", "all_pairs", NULL };
  JsonObject *root = get_object (node, self->origin, keys, error);
  g_autofree char *where = g_strconcat (self->origin, ":", NULL);
  const char *name;

  if (root == NULL || !read_text (root, where, "name", &name, error)
      || !read_boolean (root, where, "contention_free", &self->draft->contention_free, error))
    return FALSE;
  if (name != NULL)
    {
      g_free (self->draft->name);
      self->draft->name = g_strdup (name);
    }

  if (!read_each (self, root, "devices", read_device, error))
    return FALSE;
  if (self->draft->devices->len == 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: devices: there are none", self->origin);
  return read_each (self, root, "switches", read_switch, error)
         && read_each (self, root, "links", read_link, error) && read_all_pairs (self, root, error);
}

GobanCluster *
goban_cluster_new_from_json (const char *json, gssize length, const char *origin, GError **error)
{
  g_autoptr (JsonNode) root = goban_json_parse (json, length, origin, error);
  g_autoptr (GobanClusterDraft) draft = NULL;
  g_autoptr (GHashTable) vertices = NULL;
  g_autoptr (GHashTable) link_names = NULL;
  g_autofree char *base_name = NULL;
  GobanCluster *cluster;
  GError *found = NULL;
  Reader reader;

  if (root == NULL)
    return NULL;

  base_name = g_path_get_basename (origin);
  draft = goban_cluster_draft_new (base_name);
  vertices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  link_names = g_hash_table_new (g_str_hash, g_str_equal);
  reader = (Reader){ origin, draft, vertices, link_names };
  if (!read_cluster (&reader, root, error))
    return NULL;

  cluster = goban_cluster_draft_finish (g_steal_pointer (&draft), &found);
  if (cluster == NULL)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE, "%s: %s", origin, found->message);
      g_error_free (found);
    }
  return cluster;
}
