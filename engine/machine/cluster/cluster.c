#include "engine/machine/cluster/cluster.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/i18n.h"
#include "engine/machine/cluster/cluster-draft.h"
#include "engine/machine/cluster/routes.h"

#include <math.h>
#include <string.h>

struct _GobanCluster
{
  gatomicrefcount ref_count;
  GobanClusterDraft *parts;
  const GobanDevice *devices; /* of parts */
  const GobanLink *links;     /* of parts */
  guint n_devices;
  guint n_links;
  GHashTable *by_name; /* device's name to its number + 1 */
  GobanRoutes routes;
  guint *classes; /* (n_devices) */
  guint n_classes;
};

/* --- drafts --------------------------------------------------------------- */

GobanClusterDraft *
goban_cluster_draft_new (const char *name)
{
  GobanClusterDraft *self = g_new0 (GobanClusterDraft, 1);

  self->name = g_strdup (name);
  self->devices = g_array_new (FALSE, FALSE, sizeof (GobanDevice));
  self->switches = g_array_new (FALSE, FALSE, sizeof (const char *));
  self->links = g_array_new (FALSE, FALSE, sizeof (GobanLink));
  self->strings = g_string_chunk_new (256);
  return self;
}

void
goban_cluster_draft_free (GobanClusterDraft *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->devices);
  g_array_unref (self->switches);
  g_array_unref (self->links);
  g_string_chunk_free (self->strings);
  g_free (self->name);
  g_free (self);
}

void
goban_cluster_draft_add_device (GobanClusterDraft *self, const char *name,
                                const GobanDevice *figures)
{
  GobanDevice device = *figures;

  g_assert (self->links->len == 0);
  device.name = g_string_chunk_insert (self->strings, name);
  device.kind = g_string_chunk_insert_const (self->strings, figures->kind);
  g_array_append_val (self->devices, device);
}

void
goban_cluster_draft_add_switch (GobanClusterDraft *self, const char *name)
{
  const char *copy = g_string_chunk_insert (self->strings, name);

  g_assert (self->links->len == 0);
  g_array_append_val (self->switches, copy);
}

const char *
goban_cluster_draft_get_vertex_name (const GobanClusterDraft *self, guint vertex)
{
  if (vertex < self->devices->len)
    return g_array_index (self->devices, GobanDevice, vertex).name;

  g_assert (vertex - self->devices->len < self->switches->len);
  return g_array_index (self->switches, const char *, vertex - self->devices->len);
}

void
goban_cluster_draft_add_link (GobanClusterDraft *self, const GobanLink *link)
{
  GobanLink copy = *link;

  if (link->name != NULL)
    copy.name = g_string_chunk_insert (self->strings, link->name);
  else
    {
      g_autofree char *name
          = g_strconcat (goban_cluster_draft_get_vertex_name (self, link->from), ">",
                         goban_cluster_draft_get_vertex_name (self, link->to), NULL);

      copy.name = g_string_chunk_insert (self->strings, name);
    }
  g_array_append_val (self->links, copy);
}

void
goban_cluster_draft_link_all (GobanClusterDraft *self, const GobanLink *link)
{
  GobanLink copy = *link;

  copy.name = NULL;
  for (guint a = 0; a < self->devices->len; a++)
    for (guint b = a + 1; b < self->devices->len; b++)
      {
        copy.from = a;
        copy.to = b;
        goban_cluster_draft_add_link (self, &copy);
        copy.from = b;
        copy.to = a;
        goban_cluster_draft_add_link (self, &copy);
      }
}

static GobanClusterDraft *
copy_parts (const GobanCluster *self)
{
  GobanClusterDraft *copy = goban_cluster_draft_new (self->parts->name);

  copy->contention_free = self->parts->contention_free;
  for (guint d = 0; d < self->n_devices; d++)
    goban_cluster_draft_add_device (copy, self->devices[d].name, &self->devices[d]);
  for (guint s = 0; s < self->parts->switches->len; s++)
    goban_cluster_draft_add_switch (copy, g_array_index (self->parts->switches, const char *, s));
  for (guint e = 0; e < self->n_links; e++)
    goban_cluster_draft_add_link (copy, &self->links[e]);
  return copy;
}

/* --- construction and disposal -------------------------------------------- */

static gboolean
time_alike (const GobanDevice *a, const GobanDevice *b)
{
  return strcmp (a->kind, b->kind) == 0 && a->flops_per_us == b->flops_per_us
         && a->memory_bytes_per_us == b->memory_bytes_per_us && a->launch_us == b->launch_us;
}

static void
find_classes (GobanCluster *self)
{
  g_autofree guint *firsts = g_new (guint, self->n_devices); /* device of each class */

  self->classes = g_new (guint, self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    {
      guint c = 0;

      while (c < self->n_classes && !time_alike (&self->devices[firsts[c]], &self->devices[d]))
        c++;
      if (c == self->n_classes)
        firsts[self->n_classes++] = d;
      self->classes[d] = c;
    }
}

GobanCluster *
goban_cluster_draft_finish (GobanClusterDraft *draft, GError **error)
{
  g_autoptr (GobanCluster) self = g_new0 (GobanCluster, 1);
  guint pair[2];

  g_atomic_ref_count_init (&self->ref_count);
  self->parts = draft;
  self->n_devices = draft->devices->len;
  self->n_links = draft->links->len;
  self->devices = (const GobanDevice *) (gpointer) draft->devices->data;
  self->links = (const GobanLink *) (gpointer) draft->links->data;
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_assert (self->n_devices >= 1 && self->n_devices <= GOBAN_MAX_DEVICES);

  for (guint d = 0; d < self->n_devices; d++)
    g_hash_table_insert (self->by_name, (gpointer) self->devices[d].name, GUINT_TO_POINTER (d + 1));
  find_classes (self);

  if (!goban_routes_find (&self->routes, self->n_devices, self->n_devices + draft->switches->len,
                          self->links, self->n_links, pair))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "no links lead from %s to %s",
                       self->devices[pair[0]].name, self->devices[pair[1]].name);
      return NULL;
    }
  return g_steal_pointer (&self);
}

GobanCluster *
goban_cluster_ref (GobanCluster *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_cluster_unref (GobanCluster *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  goban_routes_clear (&self->routes);
  g_hash_table_unref (self->by_name);
  goban_cluster_draft_free (self->parts);
  g_free (self->classes);
  g_free (self);
}

/* --- specs ---------------------------------------------------------------- */

static char *
list_presets (void)
{
  const char *const *presets = goban_cluster_presets ();
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; presets[i] != NULL; i += 2)
    g_string_append_printf (list, "%s, ", presets[i]);
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static gboolean
looks_like_path (const char *spec)
{
  return strcmp (spec, "-") == 0 || strchr (spec, G_DIR_SEPARATOR) != NULL
         || g_str_has_suffix (spec, ".json") || g_file_test (spec, G_FILE_TEST_EXISTS);
}

static GobanCluster *
new_from_spec (const char *spec, gboolean is_inner, GError **error)
{
  GobanFileReading reading = { .kind = GOBAN_FILE_CLUSTER, .only_regular = is_inner };
  g_autoptr (GBytes) bytes = NULL;
  GobanCluster *preset;
  const char *json;
  gsize size;

  if (g_str_has_prefix (spec, "equal:"))
    return goban_cluster_new_equal (spec, error);
  if (g_str_has_prefix (spec, "msr:"))
    return goban_cluster_new_msr (spec, error);
  if (g_str_has_prefix (spec, "devices:") || g_str_has_prefix (spec, "lanes:"))
    return goban_cluster_new_devices (spec, error);

  preset = goban_cluster_new_preset (spec);
  if (preset != NULL)
    return preset;

  if (!looks_like_path (spec))
    {
      g_autofree char *presets = list_presets ();

      goban_set_error (
          error, GOBAN_ERROR_INVALID,
          "there is no cluster “%s”; say %sequal:N, msr:N, devices:KIND,… or the path of a "
          "JSON file",
          spec, presets);
      return NULL;
    }

  bytes = goban_file_read_with (spec, &reading, error);
  if (bytes == NULL)
    return NULL;
  json = g_bytes_get_data (bytes, &size);
  return goban_cluster_new_from_json (json != NULL ? json : "", (gssize) size,
                                      strcmp (spec, "-") == 0 ? "standard input" : spec, error);
}

GobanCluster *
goban_cluster_new_from_spec (const char *spec, GError **error)
{
  g_return_val_if_fail (spec != NULL, NULL);

  return new_from_spec (spec, FALSE, error);
}

GobanCluster *
goban_cluster_new_from_inner_spec (const char *spec, GError **error)
{
  g_return_val_if_fail (spec != NULL, NULL);

  return new_from_spec (spec, TRUE, error);
}

/* --- accessors ------------------------------------------------------------ */

const char *
goban_cluster_get_name (const GobanCluster *self)
{
  return self->parts->name;
}

guint
goban_cluster_get_n_devices (const GobanCluster *self)
{
  return self->n_devices;
}

const GobanDevice *
goban_cluster_get_device (const GobanCluster *self, GobanDeviceId device)
{
  g_return_val_if_fail (device < self->n_devices, NULL);
  return &self->devices[device];
}

GobanDeviceId
goban_cluster_find_device (const GobanCluster *self, const char *name)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));

  return found == 0 ? GOBAN_NO_DEVICE : (GobanDeviceId) (found - 1);
}

guint
goban_cluster_get_n_links (const GobanCluster *self)
{
  return self->n_links;
}

const GobanLink *
goban_cluster_get_link (const GobanCluster *self, guint link)
{
  g_return_val_if_fail (link < self->n_links, NULL);
  return &self->links[link];
}

const char *
goban_cluster_get_vertex_name (const GobanCluster *self, guint vertex)
{
  g_return_val_if_fail (vertex < self->n_devices + self->parts->switches->len, NULL);
  return goban_cluster_draft_get_vertex_name (self->parts, vertex);
}

guint
goban_cluster_get_n_switches (const GobanCluster *self)
{
  return self->parts->switches->len;
}

gboolean
goban_cluster_is_contention_free (const GobanCluster *self)
{
  return self->parts->contention_free;
}

const GobanRoute *
goban_cluster_get_route (const GobanCluster *self, GobanDeviceId from, GobanDeviceId to)
{
  g_return_val_if_fail (from < self->n_devices && to < self->n_devices && from != to, NULL);
  return &self->routes.routes[(gsize) from * self->n_devices + to];
}

guint
goban_cluster_get_n_classes (const GobanCluster *self)
{
  return self->n_classes;
}

guint
goban_cluster_get_class (const GobanCluster *self, GobanDeviceId device)
{
  g_return_val_if_fail (device < self->n_devices, 0);
  return self->classes[device];
}

GobanCluster *
goban_cluster_split_classes (const GobanCluster *self)
{
  GobanCluster *split = goban_cluster_draft_finish (copy_parts (self), NULL); /* it loaded once */

  split->n_classes = split->n_devices;
  for (guint d = 0; d < split->n_devices; d++)
    split->classes[d] = d;
  return split;
}

/* --- what if -------------------------------------------------------------- */

/* So wide that no machine is left out, and so narrow that no route and no transfer of a size that
 * exists takes longer than a double counts. */
#define SLOWEST_BYTES_PER_US 1e-9 /* 0.001 B/s */
#define FASTEST_BYTES_PER_US 1e18
#define SLOWEST_FLOPS_PER_US 1e-9
#define FASTEST_FLOPS_PER_US 1e24
#define LONGEST_US 1e15 /* 31 years */
#define MOST_BYTES 1e24

typedef struct
{
  const char *field;
  gsize offset;
  gboolean is_link;
  gboolean may_be_unlimited;
  double least;
  double most;
  const char *range; /* the two in words */
} Number;

static const Number numbers[] = {
  { "flops_per_us", G_STRUCT_OFFSET (GobanDevice, flops_per_us), FALSE, FALSE, SLOWEST_FLOPS_PER_US,
    FASTEST_FLOPS_PER_US, N_ ("from 0.001 to 1e30 FLOPs per second") },
  { "memory_bytes_per_us", G_STRUCT_OFFSET (GobanDevice, memory_bytes_per_us), FALSE, TRUE,
    SLOWEST_BYTES_PER_US, FASTEST_BYTES_PER_US, N_ ("from 0.001 B/s to 1e24 B/s, or unlimited") },
  { "memory_bytes", G_STRUCT_OFFSET (GobanDevice, memory_bytes), FALSE, TRUE, 0, MOST_BYTES,
    N_ ("from 0 B to 1e24 B, or unlimited") },
  { "launch_us", G_STRUCT_OFFSET (GobanDevice, launch_us), FALSE, FALSE, 0, LONGEST_US,
    N_ ("from 0 s to 1e9 s") },
  { "latency_us", G_STRUCT_OFFSET (GobanLink, latency_us), TRUE, FALSE, 0, LONGEST_US,
    N_ ("from 0 s to 1e9 s") },
  { "bytes_per_us", G_STRUCT_OFFSET (GobanLink, bytes_per_us), TRUE, TRUE, SLOWEST_BYTES_PER_US,
    FASTEST_BYTES_PER_US, N_ ("from 0.001 B/s to 1e24 B/s, or unlimited") },
};

static const Number *
find_number (const char *field)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strcmp (numbers[i].field, field) == 0)
      return &numbers[i];
  return NULL;
}

gboolean
goban_cluster_check_number (const char *field, double value, GError **error)
{
  const Number *number = find_number (field);

  g_assert (number != NULL);
  if ((value >= number->least && value <= number->most)
      || (number->may_be_unlimited && value == (double) INFINITY))
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID, "it is out of range; it may be %s",
                       _ (number->range));
}

/* The number of that name, if the value may stand in it. */
static const Number *
check_change (const char *field, gboolean is_link, const char *object, double value, GError **error)
{
  const Number *number = find_number (field);

  if (number == NULL || number->is_link != is_link)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s has no number “%s”; say %s", object, field,
                       is_link ? "latency_us or bytes_per_us"
                               : "flops_per_us, memory_bytes_per_us, memory_bytes or launch_us");
      return NULL;
    }
  if (!goban_cluster_check_number (field, value, error))
    {
      g_prefix_error (error, "%s: %s: ", object, field);
      return NULL;
    }
  return number;
}

GobanCluster *
goban_cluster_with_device (const GobanCluster *self, GobanDeviceId device, const char *field,
                           double value, GError **error)
{
  GobanClusterDraft *draft;
  const Number *number;

  g_return_val_if_fail (device < self->n_devices, NULL);

  number = check_change (field, FALSE, self->devices[device].name, value, error);
  if (number == NULL)
    return NULL;
  draft = copy_parts (self);
  G_STRUCT_MEMBER (double, &g_array_index (draft->devices, GobanDevice, device), number->offset)
      = value;
  return goban_cluster_draft_finish (draft, error);
}

GobanCluster *
goban_cluster_with_link (const GobanCluster *self, guint link, const char *field, double value,
                         GError **error)
{
  GobanClusterDraft *draft;
  const Number *number;

  g_return_val_if_fail (link < self->n_links, NULL);

  number = check_change (field, TRUE, self->links[link].name, value, error);
  if (number == NULL)
    return NULL;
  draft = copy_parts (self);
  G_STRUCT_MEMBER (double, &g_array_index (draft->links, GobanLink, link), number->offset) = value;
  return goban_cluster_draft_finish (draft, error);
}
