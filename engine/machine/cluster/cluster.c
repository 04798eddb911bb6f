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
  guint *group_starts; /* (n_devices + 1) into group_links */
  guint *group_links;  /* by device, then by group; of two to the same group the lower first */
  guint *classes;      /* (n_devices) */
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
  static const gsize shares[] = {
    G_STRUCT_OFFSET (GobanDevice, compute_efficiency),
    G_STRUCT_OFFSET (GobanDevice, memory_efficiency),
    G_STRUCT_OFFSET (GobanDevice, bus_efficiency),
  };
  GobanDevice device = *figures;

  g_assert (self->links->len == 0);
  device.name = g_string_chunk_insert (self->strings, name);
  device.kind = g_string_chunk_insert_const (self->strings, figures->kind);
  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    if (G_STRUCT_MEMBER (double, &device, shares[i]) == 0)
      G_STRUCT_MEMBER (double, &device, shares[i]) = 1;
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

GobanClusterDraft *
goban_cluster_draft_new_copy (const GobanCluster *self)
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

static int
compare_group_links (gconstpointer a, gconstpointer b, gpointer links)
{
  guint one = *(const guint *) a, other = *(const guint *) b;
  const GobanLink *x = &((const GobanLink *) links)[one], *y = &((const GobanLink *) links)[other];

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return one < other ? -1 : one > other;
}

/* Devices' links to groups, which are switches that no link leaves. */
static void
find_groups (GobanCluster *self)
{
  guint n_switches = self->parts->switches->len;
  g_autofree guint8 *is_left = g_new0 (guint8, n_switches + 1);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint e = 0; e < self->n_links; e++)
    if (self->links[e].from >= self->n_devices)
      is_left[self->links[e].from - self->n_devices] = TRUE;
  for (guint e = 0; e < self->n_links; e++)
    if (self->links[e].from < self->n_devices && self->links[e].to >= self->n_devices
        && !is_left[self->links[e].to - self->n_devices])
      g_array_append_val (links, e);
  g_array_sort_with_data (links, compare_group_links, (gpointer) self->links);

  self->group_starts = g_new0 (guint, self->n_devices + 1);
  for (guint i = 0; i < links->len; i++)
    self->group_starts[self->links[g_array_index (links, guint, i)].from + 1]++;
  for (guint d = 0; d < self->n_devices; d++)
    self->group_starts[d + 1] += self->group_starts[d];
  self->group_links = (guint *) (gpointer) g_array_free (g_steal_pointer (&links), FALSE);
}

static gboolean
are_groups_alike (const GobanCluster *self, guint a, guint b)
{
  guint n = self->group_starts[a + 1] - self->group_starts[a];

  if (n != self->group_starts[b + 1] - self->group_starts[b])
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const GobanLink *one = &self->links[self->group_links[self->group_starts[a] + i]];
      const GobanLink *other = &self->links[self->group_links[self->group_starts[b] + i]];

      if (one->to != other->to || one->latency_us != other->latency_us
          || one->bytes_per_us != other->bytes_per_us)
        return FALSE;
    }
  return TRUE;
}

static gboolean
time_alike (const GobanCluster *self, guint a, guint b)
{
  return strcmp (self->devices[a].kind, self->devices[b].kind) == 0
         && goban_device_speeds_alike (&self->devices[a], &self->devices[b])
         && are_groups_alike (self, a, b);
}

static void
find_classes (GobanCluster *self)
{
  g_autofree guint *firsts = g_new (guint, self->n_devices); /* device of each class */

  self->classes = g_new (guint, self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    {
      guint c = 0;

      while (c < self->n_classes && !time_alike (self, firsts[c], d))
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
  find_groups (self);
  find_classes (self);

  if (!goban_routes_init (&self->routes, self->devices, self->n_devices,
                          self->n_devices + draft->switches->len, self->links, self->n_links, pair))
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
  g_free (self->group_starts);
  g_free (self->group_links);
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

  if (goban_cluster_is_nodes (spec))
    return goban_cluster_new_nodes (spec, error);
  preset = goban_cluster_new_preset (spec);
  if (preset != NULL)
    return preset;

  if (!looks_like_path (spec))
    {
      g_autofree char *presets = list_presets ();

      goban_set_error (
          error, GOBAN_ERROR_INVALID,
          "there is no cluster “%s”; say %sKINDxN*M as h100x8*4, equal:N, msr:N, devices:KIND,… or "
          "the path of a JSON file",
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

GobanDeviceId *
goban_cluster_get_ranks (const GobanCluster *self, guint *n_ranks)
{
  GobanDeviceId *ranks = g_new (GobanDeviceId, self->n_devices + 1);

  *n_ranks = 0;
  for (guint d = 0; d < self->n_devices; d++)
    if (strcmp (self->devices[d].kind, "cpu") != 0)
      ranks[(*n_ranks)++] = (GobanDeviceId) d;
  return ranks;
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

const GobanLink *
goban_cluster_get_group_link (const GobanCluster *self, GobanDeviceId device, const char *group)
{
  g_return_val_if_fail (device < self->n_devices, NULL);

  for (guint i = self->group_starts[device]; i < self->group_starts[device + 1]; i++)
    {
      const GobanLink *link = &self->links[self->group_links[i]];

      if (strcmp (goban_cluster_draft_get_vertex_name (self->parts, link->to), group) == 0)
        return link;
    }
  return NULL;
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
  /* Routes are found when they are asked for; to callers they are there from the start. */
  return goban_routes_get ((GobanRoutes *) &self->routes, from, to);
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
  GobanCluster *split
      = goban_cluster_draft_finish (goban_cluster_draft_new_copy (self), NULL); /* it loaded once */

  split->n_classes = split->n_devices;
  for (guint d = 0; d < split->n_devices; d++)
    split->classes[d] = d;
  return split;
}

/* --- what if -------------------------------------------------------------- */

static const GobanRating *
find_field (const GobanRating *ratings, const char *field)
{
  while (ratings->word != NULL && strcmp (ratings->field, field) != 0)
    ratings++;
  return ratings->word != NULL ? ratings : NULL;
}

static gboolean
check_rating (const GobanRating *self, double value, GError **error)
{
  if ((value >= self->least && value <= self->most)
      || (self->may_be_unlimited && value == (double) INFINITY))
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID, "it is out of range; it may be %s",
                       _ (self->range));
}

gboolean
goban_cluster_check_number (const char *field, double value, GError **error)
{
  const GobanRating *rating = find_field (goban_device_ratings, field);

  if (rating == NULL)
    rating = find_field (goban_link_ratings, field);
  g_assert (rating != NULL);
  return check_rating (rating, value, error);
}

/* Sets the number in @target, a device or a link of a draft called @object, if it is allowed. */
static gboolean
change_number (const GobanRating *ratings, const char *field, const char *object, double value,
               gpointer target, GError **error)
{
  const GobanRating *rating = find_field (ratings, field);

  if (rating == NULL)
    {
      g_autoptr (GString) fields = g_string_new (ratings->field);

      for (guint i = 1; ratings[i].word != NULL; i++)
        g_string_append_printf (fields, "%s%s", ratings[i + 1].word != NULL ? ", " : " or ",
                                ratings[i].field);
      return goban_refuse (error, GOBAN_ERROR_INVALID, "%s has no number “%s”; say %s", object,
                           field, fields->str);
    }
  if (!check_rating (rating, value, error))
    {
      g_prefix_error (error, "%s: %s: ", object, field);
      return FALSE;
    }
  G_STRUCT_MEMBER (double, target, rating->offset) = value;
  return TRUE;
}

gboolean
goban_cluster_draft_change (GobanClusterDraft *self, gboolean is_link, guint index,
                            const char *field, double value, GError **error)
{
  if (is_link)
    {
      GobanLink *link = &g_array_index (self->links, GobanLink, index);

      return change_number (goban_link_ratings, field, link->name, value, link, error);
    }
  GobanDevice *device = &g_array_index (self->devices, GobanDevice, index);

  return change_number (goban_device_ratings, field, device->name, value, device, error);
}

static GobanCluster *
change (const GobanCluster *self, gboolean is_link, guint index, const char *field, double value,
        GError **error)
{
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new_copy (self);

  if (!goban_cluster_draft_change (draft, is_link, index, field, value, error))
    return NULL;
  return goban_cluster_draft_finish (g_steal_pointer (&draft), error);
}

GobanCluster *
goban_cluster_with_device (const GobanCluster *self, GobanDeviceId device, const char *field,
                           double value, GError **error)
{
  g_return_val_if_fail (device < self->n_devices, NULL);
  return change (self, FALSE, device, field, value, error);
}

GobanCluster *
goban_cluster_with_kind (const GobanCluster *self, const char *kind, const char *field,
                         double value, GError **error)
{
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new_copy (self);

  for (guint d = 0; d < self->n_devices; d++)
    if (strcmp (self->devices[d].kind, kind) == 0
        && !goban_cluster_draft_change (draft, FALSE, d, field, value, error))
      return NULL;
  return goban_cluster_draft_finish (g_steal_pointer (&draft), error);
}

GobanCluster *
goban_cluster_with_link (const GobanCluster *self, guint link, const char *field, double value,
                         GError **error)
{
  g_return_val_if_fail (link < self->n_links, NULL);
  return change (self, TRUE, link, field, value, error);
}
