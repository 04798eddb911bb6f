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
 *         "launch": "5 us",                     optional: 0
 *         "peaks": { "f16": "312 TFLOP/s" },    optional, of tf32, f16, f8, i8; else that of the
 *                                               type before it, "tflops" being that of f32
 *         "compute_efficiency": 0.83,           optional: 1, the share of a peak that is reached
 *         "memory_efficiency": 0.59,
 *         "bus_efficiency": 0.77 } ],
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
 * memory may be "unlimited". The writer falls back to "flops_per_us",
 * "memory_bytes_per_us", "peaks_per_us" and "bytes_per_us", which the reader knows as well, where
 * a number per second would not read back as the same number per microsecond.
 */
#include "engine/machine/cluster/cluster-json.h"

#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster-draft.h"

/* --- reading -------------------------------------------------------------- */

typedef gboolean (*ParseFunc) (const char *text, double *value, GError **error);

/* One spelling of one number. */
typedef struct
{
  const char *key;
  const char *field; /* name for goban_cluster_check_number() */
  gsize offset;
  ParseFunc parse; /* (nullable): if strings are allowed */
  double factor;   /* a bare number times factor over divisor is the field; */
  double divisor;  /* dividing by 1e6 is exact, multiplying by 1e-6 is not */
  gboolean is_optional;
} Spelling;

typedef struct
{
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

gboolean
goban_parse_flops (const char *text, double *flops_per_us, GError **error)
{
  static const char prefixes[] = " kMGTPE";
  double number, unit = 1;
  const char *rest, *prefix;

  if (!goban_scan_number (text, &number, &rest))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not a rate such as 312 TFLOP/s",
                         text);
  while (*rest == ' ')
    rest++;
  prefix = *rest != '\0' ? strchr (prefixes, *rest) : NULL;
  for (; prefix != NULL && prefix > prefixes; prefix--)
    unit *= 1000;
  rest += unit > 1;
  if (*rest != '\0' && strcmp (rest, "FLOP/s") != 0 && strcmp (rest, "OP/s") != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not a rate such as 312 TFLOP/s",
                         text);
  *flops_per_us = number * unit / 1e6;
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
  { "compute_efficiency", DEVICE (compute_efficiency), NULL, 1, 1, TRUE },
  { "memory_efficiency", DEVICE (memory_efficiency), NULL, 1, 1, TRUE },
  { "bus_efficiency", DEVICE (bus_efficiency), NULL, 1, 1, TRUE },
};

#define PEAK(field, divisor) DEVICE (field), goban_parse_flops, 1, divisor, TRUE
#define PEAKS(divisor)                                                                             \
  { "tf32", PEAK (tf32_flops_per_us, divisor) }, { "f16", PEAK (f16_flops_per_us, divisor) },      \
    { "f8", PEAK (f8_flops_per_us, divisor) }, { "i8", PEAK (i8_flops_per_us, divisor) }

static const Spelling peaks_per_s[] = { PEAKS (1e6) };
static const Spelling peaks_per_us[] = { PEAKS (1) };

static const Spelling link_numbers[] = {
  { "bandwidth", LINK (bytes_per_us), goban_parse_bandwidth, 1, 1e6, FALSE },
  { "bytes_per_us", LINK (bytes_per_us), NULL, 1, 1, FALSE },
  { "latency", LINK (latency_us), goban_parse_time, 1, 1, TRUE },
};

/* clang-format on */

/* Errors in a file's contents are parse errors, wherever they are found. */
static gboolean
blame_file (GobanJsonValue value, GError *found, GError **error)
{
  goban_json_refuse (value, error, "%s", found->message);
  g_error_free (found);
  return FALSE;
}

static gboolean
read_number (GobanJsonValue value, const Spelling *spelling, double *number, GError **error)
{
  const char *text = spelling->parse != NULL ? goban_json_peek_text (value) : NULL;
  GError *found = NULL;
  double read = 0;

  if (text != NULL && !spelling->parse (text, &read, &found))
    return blame_file (value, found, error);
  if (text == NULL && !goban_json_is_number (value, &read))
    return goban_json_refuse_value (
        value, spelling->parse != NULL ? N_ ("a number or a text with a unit") : N_ ("a number"),
        error);
  if (text == NULL)
    read = read * spelling->factor / spelling->divisor;
  if (!goban_cluster_check_number (spelling->field, read, &found))
    return blame_file (value, found, error);
  *number = read;
  return TRUE;
}

/* Fills the numbers of a device or a link, each from the one spelling that is there. */
static gboolean
read_numbers (GobanJsonValue object, const Spelling *spellings, guint n, gpointer target,
              GError **error)
{
  for (guint i = 0; i < n;)
    {
      const Spelling *used = NULL;
      guint first = i;

      for (; i < n && spellings[i].offset == spellings[first].offset; i++)
        if (goban_json_has (object, spellings[i].key))
          {
            if (used != NULL)
              return goban_json_refuse (object, error, "%s and %s say the same; give only one",
                                        used->key, spellings[i].key);
            used = &spellings[i];
          }
      if (used == NULL && spellings[first].is_optional)
        continue;
      if (used == NULL)
        return goban_json_refuse_missing (object, spellings[first].key, error);
      if (!read_number (goban_json_find (object, used->key), used,
                        &G_STRUCT_MEMBER (double, target, used->offset), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_peaks (GobanJsonValue device, GobanDevice *figures, GError **error)
{
  static const char *const keys[] = { "tf32", "f16", "f8", "i8", NULL };
  gboolean per_s = goban_json_has (device, "peaks");
  const char *key = per_s ? "peaks" : "peaks_per_us";

  if (per_s && goban_json_has (device, "peaks_per_us"))
    return goban_json_refuse (device, error, "%s and %s say the same; give only one", key,
                              "peaks_per_us");
  return !goban_json_has (device, key)
         || (goban_json_check_object (goban_json_find (device, key), keys, error)
             && read_numbers (goban_json_find (device, key), per_s ? peaks_per_s : peaks_per_us,
                              G_N_ELEMENTS (peaks_per_s), figures, error));
}

/* --- devices and switches ------------------------------------------------- */

static gboolean
claim_vertex (Reader *self, const char *name, GobanJsonValue item, GError **error)
{
  guint number = g_hash_table_size (self->vertices) + 1;

  if (!g_hash_table_insert (self->vertices, g_strdup (name), GUINT_TO_POINTER (number)))
    return goban_json_refuse (item, error, "the name “%s” is taken", name);
  return TRUE;
}

static gboolean
add_device (Reader *self, const char *name, const GobanDevice *figures, GobanJsonValue item,
            GError **error)
{
  if (!claim_vertex (self, name, item, error))
    return FALSE;
  if (self->draft->devices->len == GOBAN_MAX_DEVICES)
    return goban_json_refuse (item, error, "there are more than %d devices", GOBAN_MAX_DEVICES);
  goban_cluster_draft_add_device (self->draft, name, figures);
  return TRUE;
}

static gboolean
read_device (Reader *self, GobanJsonValue item, GError **error)
{
  static const char *const keys[] = { "!name",
                                      "!kind",
                                      "count",
                                      "flops_per_s",
                                      "tflops",
                                      "memory_bandwidth",
                                      "memory",
                                      "launch",
                                      "peaks",
                                      "compute_efficiency",
                                      "memory_efficiency",
                                      "bus_efficiency",
                                      "flops_per_us",
                                      "memory_bytes_per_us",
                                      "peaks_per_us",
                                      NULL };
  static const GobanJsonWhole counts = { 1, GOBAN_MAX_DEVICES };
  GobanDevice figures = { 0 };
  const char *name = "";
  gint64 count = 0;

  if (!goban_json_check_object (item, keys, error)
      || !goban_json_get_name (item, "name", &name, error)
      || !goban_json_get_name (item, "kind", &figures.kind, error)
      || !read_numbers (item, device_numbers, G_N_ELEMENTS (device_numbers), &figures, error)
      || !read_peaks (item, &figures, error)
      || !goban_json_get_whole (item, "count", counts, &count, error))
    return FALSE;

  if (count == 0)
    return add_device (self, name, &figures, item, error);
  for (gint64 i = 0; i < count; i++)
    {
      g_autofree char *full = g_strdup_printf ("%s:%d", name, (int) i);

      if (!add_device (self, full, &figures, item, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_switch (Reader *self, GobanJsonValue item, GError **error)
{
  const char *name = goban_json_peek_text (item);

  if (name == NULL || *name == '\0')
    return goban_json_refuse_value (item, N_ ("a name"), error);
  if (!claim_vertex (self, name, item, error))
    return FALSE;
  goban_cluster_draft_add_switch (self->draft, name);
  return TRUE;
}

/* --- links ---------------------------------------------------------------- */

static gboolean
read_end (const Reader *self, GobanJsonValue object, const char *key, guint *vertex, GError **error)
{
  const char *name = "";
  guint number;

  if (!goban_json_get_name (object, key, &name, error))
    return FALSE;
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->vertices, name));
  if (number == 0)
    return goban_json_refuse (goban_json_find (object, key), error,
                              "there is no device or switch “%s”", name);
  *vertex = number - 1;
  return TRUE;
}

static gboolean
add_link (Reader *self, const GobanLink *link, GobanJsonValue item, GError **error)
{
  const char *name;

  goban_cluster_draft_add_link (self->draft, link);
  name = g_array_index (self->draft->links, GobanLink, self->draft->links->len - 1).name;
  if (!g_hash_table_add (self->link_names, (gpointer) name))
    return goban_json_refuse (item, error, "there is another link “%s”; give one of them a name",
                              name);
  return TRUE;
}

static gboolean
read_link (Reader *self, GobanJsonValue item, GError **error)
{
  static const char *const keys[]
      = { "!from", "!to", "bandwidth", "latency", "name", "both_ways", "bytes_per_us", NULL };
  gboolean both_ways = TRUE;
  GobanLink link = { 0 };
  g_autofree char *back_name = NULL;
  GobanLink back;

  if (!goban_json_check_object (item, keys, error)
      || !read_end (self, item, "from", &link.from, error)
      || !read_end (self, item, "to", &link.to, error)
      || !goban_json_get_name (item, "name", &link.name, error)
      || !goban_json_get_boolean (item, "both_ways", &both_ways, error)
      || !read_numbers (item, link_numbers, G_N_ELEMENTS (link_numbers), &link, error))
    return FALSE;
  if (link.from == link.to)
    return goban_json_refuse (item, error, "it leads from %s to itself",
                              goban_cluster_draft_get_vertex_name (self->draft, link.from));

  if (!add_link (self, &link, item, error))
    return FALSE;
  if (!both_ways)
    return TRUE;

  back_name = link.name != NULL ? g_strconcat (link.name, "-back", NULL) : NULL;
  back = link;
  back.name = back_name;
  back.from = link.to;
  back.to = link.from;
  return add_link (self, &back, item, error);
}

static gboolean
read_all_pairs (Reader *self, GobanJsonValue pairs, GError **error)
{
  static const char *const keys[] = { "bandwidth", "latency", "bytes_per_us", NULL };
  guint n = self->draft->devices->len;
  g_autofree guint8 *is_joined = NULL;
  GobanLink link = { 0 };

  if (goban_json_is_missing (pairs))
    return TRUE;
  if (!goban_json_check_object (pairs, keys, error)
      || !read_numbers (pairs, link_numbers, G_N_ELEMENTS (link_numbers), &link, error))
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
          if (!is_joined[(gsize) link.from * n + link.to] && !add_link (self, &link, pairs, error))
            return FALSE;
        }
  return TRUE;
}

/* --- the whole ------------------------------------------------------------ */

typedef gboolean (*ReadFunc) (Reader *self, GobanJsonValue item, GError **error);

static gboolean
read_each (Reader *self, GobanJsonValue root, const char *key, ReadFunc read, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (root, key, &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    if (!read (self, item, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_cluster (Reader *self, GobanJsonValue root, GError **error)
{
  static const char *const keys[]
      = { "name", "contention_free", "!devices", "switches", "links", "all_pairs", NULL };
  const char *name = self->draft->name;

  if (!goban_json_check_object (root, keys, error)
      || !goban_json_get_name (root, "name", &name, error)
      || !goban_json_get_boolean (root, "contention_free", &self->draft->contention_free, error))
    return FALSE;
  if (name != self->draft->name)
    {
      g_free (self->draft->name);
      self->draft->name = g_strdup (name);
    }

  if (!read_each (self, root, "devices", read_device, error))
    return FALSE;
  if (self->draft->devices->len == 0)
    return goban_json_refuse (goban_json_find (root, "devices"), error, "the list is empty");
  return read_each (self, root, "switches", read_switch, error)
         && read_each (self, root, "links", read_link, error)
         && read_all_pairs (self, goban_json_find (root, "all_pairs"), error);
}

GobanCluster *
goban_cluster_new_from_value (GobanJsonValue value, GError **error)
{
  g_autofree char *name = g_path_get_basename (goban_json_reader_get_path (value.reader));
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new (name);
  g_autoptr (GHashTable) vertices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) link_names = g_hash_table_new (g_str_hash, g_str_equal);
  Reader reader = { draft, vertices, link_names };
  GobanCluster *cluster;
  GError *found = NULL;

  if (!read_cluster (&reader, value, error))
    return NULL;
  cluster = goban_cluster_draft_finish (g_steal_pointer (&draft), &found);
  if (cluster == NULL)
    blame_file (value, found, error);
  return cluster;
}

GobanCluster *
goban_cluster_new_from_json (const char *json, gssize length, const char *origin, GError **error)
{
  g_autoptr (GobanJsonReader) reader = goban_json_reader_new (json, length, origin, error);

  if (reader == NULL)
    return NULL;
  return goban_cluster_new_from_value (goban_json_reader_get_root (reader), error);
}

static const char *
skip_spaces (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return text;
}

gboolean
goban_cluster_json_sniff (const char *head)
{
  static const char key[] = "\"devices\"";
  const char *at = strstr (head, key);

  if (at == NULL || strstr (head, "\"nodes\"") != NULL)
    return FALSE;
  at = skip_spaces (at + strlen (key));
  if (*at != ':')
    return FALSE;
  at = skip_spaces (at + 1);
  return *at == '[' && *skip_spaces (at + 1) == '{';
}

/* --- writing -------------------------------------------------------------- */

/* Exactly what is read: the same devices and links in the same order with the same numbers. Links
 * each way and links between all pairs are written as one where the reader makes the same of it. */

static void
append_number (GString *out, const char *key, double value)
{
  char text[GOBAN_QUANTITY_LEN];

  g_string_append_printf (out, ", \"%s\": %s", key,
                          isinf (value) ? "\"unlimited\"" : goban_format_double (text, value));
}

static gboolean
reads_back (double rate_per_us)
{
  return isinf (rate_per_us) || rate_per_us * 1e6 / 1e6 == rate_per_us;
}

/* Per second if that reads back exactly, else per microsecond. */
static void
append_rate (GString *out, const char *key_per_s, const char *key_per_us, double rate_per_us)
{
  if (reads_back (rate_per_us))
    append_number (out, key_per_s, rate_per_us * 1e6);
  else
    append_number (out, key_per_us, rate_per_us);
}

static void
append_peaks (GString *out, const GobanDevice *device)
{
  const double peaks[] = { device->tf32_flops_per_us, device->f16_flops_per_us,
                           device->f8_flops_per_us, device->i8_flops_per_us };
  g_autoptr (GString) list = g_string_new (NULL);
  gboolean per_s = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (peaks); i++)
    per_s &= reads_back (peaks[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (peaks); i++)
    if (peaks[i] > 0)
      append_number (list, goban_peak_names[GOBAN_PEAK_TF32 + i],
                     per_s ? peaks[i] * 1e6 : peaks[i]);
  if (list->len > 0)
    g_string_append_printf (out, ", \"%s\": {%s }", per_s ? "peaks" : "peaks_per_us",
                            list->str + 1);
}

static void
append_share (GString *out, const char *key, double share)
{
  if (share != 1)
    append_number (out, key, share);
}

static void
append_link_numbers (GString *out, const GobanLink *link)
{
  append_rate (out, "bandwidth", "bytes_per_us", link->bytes_per_us);
  append_number (out, "latency", link->latency_us);
}

static gboolean
has_own_name (const GobanCluster *cluster, const GobanLink *link)
{
  g_autofree char *name = g_strconcat (goban_cluster_get_vertex_name (cluster, link->from), ">",
                                       goban_cluster_get_vertex_name (cluster, link->to), NULL);

  return strcmp (name, link->name) != 0;
}

static gboolean
is_way_back (const GobanCluster *cluster, guint first)
{
  const GobanLink *a = goban_cluster_get_link (cluster, first);
  const GobanLink *b;

  if (first + 1 == goban_cluster_get_n_links (cluster))
    return FALSE;
  b = goban_cluster_get_link (cluster, first + 1);
  return a->from == b->to && a->to == b->from && a->latency_us == b->latency_us
         && a->bytes_per_us == b->bytes_per_us && !has_own_name (cluster, a)
         && !has_own_name (cluster, b);
}

/* Writes the link, or two of them as one, and returns how many. */
static guint
append_link (GString *out, const GobanCluster *cluster, guint e)
{
  const GobanLink *link = goban_cluster_get_link (cluster, e);
  gboolean both_ways = is_way_back (cluster, e);

  g_string_append (out, "    { \"from\": ");
  goban_json_append_string (out, goban_cluster_get_vertex_name (cluster, link->from));
  g_string_append (out, ", \"to\": ");
  goban_json_append_string (out, goban_cluster_get_vertex_name (cluster, link->to));
  append_link_numbers (out, link);
  if (has_own_name (cluster, link))
    {
      g_string_append (out, ", \"name\": ");
      goban_json_append_string (out, link->name);
    }
  g_string_append (out, both_ways ? " }" : ", \"both_ways\": false }");
  return both_ways ? 2 : 1;
}

/* TRUE if the links are those, in that order, that "all_pairs" makes of one link. */
static gboolean
links_are_all_pairs (const GobanCluster *self)
{
  guint n = goban_cluster_get_n_devices (self);
  guint e = 0;

  if (n < 2 || goban_cluster_get_n_links (self) != n * (n - 1))
    return FALSE;
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++, e += 2)
      {
        const GobanLink *first = goban_cluster_get_link (self, 0);
        const GobanLink *link = goban_cluster_get_link (self, e);

        if (link->from != a || link->to != b || !is_way_back (self, e)
            || link->latency_us != first->latency_us || link->bytes_per_us != first->bytes_per_us)
          return FALSE;
      }
  return TRUE;
}

static void
append_links (GString *out, const GobanCluster *self)
{
  guint n_links = goban_cluster_get_n_links (self);

  if (links_are_all_pairs (self))
    {
      g_autoptr (GString) numbers = g_string_new (NULL);

      append_link_numbers (numbers, goban_cluster_get_link (self, 0));
      g_string_append_printf (out, ",\n  \"all_pairs\": { %s }", numbers->str + strlen (", "));
      return;
    }
  if (n_links == 0)
    return;

  g_string_append (out, ",\n  \"links\": [\n");
  for (guint e = 0; e < n_links;)
    {
      e += append_link (out, self, e);
      g_string_append (out, e < n_links ? ",\n" : "\n  ]");
    }
}

char *
goban_cluster_to_json (const GobanCluster *self)
{
  g_autoptr (GString) out = g_string_new ("{\n  \"name\": ");
  guint n_devices = goban_cluster_get_n_devices (self);
  guint n_switches = goban_cluster_get_n_switches (self);

  goban_json_append_string (out, goban_cluster_get_name (self));
  if (goban_cluster_is_contention_free (self))
    g_string_append (out, ",\n  \"contention_free\": true");

  g_string_append (out, ",\n  \"devices\": [\n");
  for (guint d = 0; d < n_devices; d++)
    {
      const GobanDevice *device = goban_cluster_get_device (self, (GobanDeviceId) d);

      g_string_append (out, "    { \"name\": ");
      goban_json_append_string (out, device->name);
      g_string_append (out, ", \"kind\": ");
      goban_json_append_string (out, device->kind);
      append_rate (out, "flops_per_s", "flops_per_us", device->flops_per_us);
      append_rate (out, "memory_bandwidth", "memory_bytes_per_us", device->memory_bytes_per_us);
      append_number (out, "memory", device->memory_bytes);
      append_number (out, "launch", device->launch_us);
      append_peaks (out, device);
      append_share (out, "compute_efficiency", device->compute_efficiency);
      append_share (out, "memory_efficiency", device->memory_efficiency);
      append_share (out, "bus_efficiency", device->bus_efficiency);
      g_string_append (out, " }");

      g_string_append (out, d + 1 < n_devices ? ",\n" : "\n  ]");
    }

  for (guint s = 0; s < n_switches; s++)
    {
      g_string_append (out, s == 0 ? ",\n  \"switches\": [" : ", ");
      goban_json_append_string (out, goban_cluster_get_vertex_name (self, n_devices + s));
    }
  if (n_switches > 0)
    g_string_append_c (out, ']');

  append_links (out, self);
  g_string_append (out, "\n}\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}
