#include "engine/machine/cluster/what-if.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster-draft.h"
#include "engine/machine/cluster/cost-model.h"

#include <math.h>
#include <string.h>

/* Appends the links that lead from the one to the other. */
static void
add_links (GArray *links, const GobanCluster *cluster, guint from, guint to)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  guint n_before = links->len;

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    {
      const GobanLink *link = goban_cluster_get_link (cluster, i);

      if (link->from == from && link->to == to)
        g_array_append_val (links, i);
    }

  if (links->len == n_before && from < n_devices && to < n_devices)
    {
      const GobanRoute *route
          = goban_cluster_get_route (cluster, (GobanDeviceId) from, (GobanDeviceId) to);

      g_array_append_vals (links, route->links, route->n_links);
    }
}

GobanCluster *
goban_what_if_link (const GobanCluster *cluster, guint from, guint to, const char *what,
                    double value, GError **error)
{
  const GobanRating *number = goban_rating_find (goban_link_ratings, what, error);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GobanCluster) changed = NULL;
  gboolean is_direct;
  guint n_forward;

  if (number == NULL)
    return NULL;
  if (from != to)
    add_links (links, cluster, from, to);
  n_forward = links->len;
  if (n_forward == 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "there is no link from %s to %s",
                       goban_cluster_get_vertex_name (cluster, from),
                       goban_cluster_get_vertex_name (cluster, to));
      return NULL;
    }
  is_direct = goban_cluster_get_link (cluster, g_array_index (links, guint32, 0))->to == to;
  add_links (links, cluster, to, from);

  value /= number->unit;
  if (number->offset == G_STRUCT_OFFSET (GobanLink, latency_us) && !is_direct)
    value /= n_forward;
  for (guint i = 0; i < links->len; i++)
    {
      GobanCluster *next = goban_cluster_with_link (changed != NULL ? changed : cluster,
                                                    g_array_index (links, guint32, i),
                                                    number->field, value, error);

      if (next == NULL)
        return NULL;
      g_clear_pointer (&changed, goban_cluster_unref);
      changed = next;
    }
  return g_steal_pointer (&changed);
}

/* --- several at once -------------------------------------------------------------------------- */

gboolean
goban_what_if_devices_alike (const GobanCluster *cluster, GobanDeviceId a, GobanDeviceId b)
{
  const GobanDevice *one = goban_cluster_get_device (cluster, a);
  const GobanDevice *other = goban_cluster_get_device (cluster, b);

  return g_str_equal (one->kind, other->kind) && goban_device_speeds_alike (one, other)
         && one->memory_bytes == other->memory_bytes;
}

gboolean
goban_what_if_links_alike (const GobanCluster *cluster, guint a, guint b)
{
  const GobanLink *one = goban_cluster_get_link (cluster, a);
  const GobanLink *other = goban_cluster_get_link (cluster, b);

  return one->latency_us == other->latency_us && one->bytes_per_us == other->bytes_per_us;
}

static gboolean
change_speed (GobanClusterDraft *draft, GobanDeviceId device, const GobanDevice *like, double speed,
              GError **error)
{
  for (const GobanRating *rating = goban_device_ratings; rating->word != NULL; rating++)
    {
      double value = G_STRUCT_MEMBER (double, like, rating->offset);

      /* Rates; a peak of 0 is that of another type. */
      if (rating->unit == 1e6 && value > 0
          && !goban_cluster_draft_change (draft, FALSE, device, rating->field, value * speed,
                                          error))
        return FALSE;
    }
  return TRUE;
}

GobanCluster *
goban_what_if_speed (const GobanCluster *cluster, GobanDeviceId device, const GobanDevice *like,
                     double speed, GError **error)
{
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new_copy (cluster);

  if (!change_speed (draft, device, like, speed, error))
    return NULL;
  return goban_cluster_draft_finish (g_steal_pointer (&draft), error);
}

static gboolean
change_device (GobanClusterDraft *draft, const GobanCluster *origin, GobanDeviceId device,
               const GobanWhatIf *change, GError **error)
{
  const GobanRating *number;

  if (g_str_equal (change->what, "speed"))
    return change_speed (draft, device, goban_cluster_get_device (origin, device), change->value,
                         error);
  number = goban_rating_find (goban_device_ratings, change->what, error);
  return number != NULL
         && goban_cluster_draft_change (draft, FALSE, device, number->field,
                                        change->value / number->unit, error);
}

static GobanCluster *
change_devices (const GobanCluster *cluster, const GobanCluster *origin, const GobanWhatIf *change,
                GError **error)
{
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new_copy (cluster);

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    if ((d == change->from
         || (change->is_alike
             && goban_what_if_devices_alike (origin, (GobanDeviceId) d,
                                             (GobanDeviceId) change->from)))
        && !change_device (draft, origin, (GobanDeviceId) d, change, error))
      return NULL;
  return goban_cluster_draft_finish (g_steal_pointer (&draft), error);
}

/* A link from the one to the other, or G_MAXUINT. */
static guint
find_link (const GobanCluster *cluster, guint from, guint to)
{
  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    if (goban_cluster_get_link (cluster, i)->from == from
        && goban_cluster_get_link (cluster, i)->to == to)
      return i;
  return G_MAXUINT;
}

static GobanCluster *
change_links (const GobanCluster *cluster, const GobanCluster *origin, const GobanWhatIf *change,
              GError **error)
{
  const GobanRating *number = goban_rating_find (goban_link_ratings, change->what, error);
  guint like = find_link (origin, change->from, change->to);
  g_autoptr (GobanClusterDraft) draft = NULL;

  if (number == NULL)
    return NULL;
  if (like == G_MAXUINT)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "there is no link from %s to %s",
                       goban_cluster_get_vertex_name (cluster, change->from),
                       goban_cluster_get_vertex_name (cluster, change->to));
      return NULL;
    }
  draft = goban_cluster_draft_new_copy (cluster);
  for (guint i = 0; i < goban_cluster_get_n_links (origin); i++)
    if (goban_what_if_links_alike (origin, i, like)
        && !goban_cluster_draft_change (draft, TRUE, i, number->field, change->value / number->unit,
                                        error))
      return NULL;
  return goban_cluster_draft_finish (g_steal_pointer (&draft), error);
}

GobanCluster *
goban_what_if (const GobanCluster *cluster, const GobanCluster *origin, const GobanWhatIf *change,
               GError **error)
{
  g_return_val_if_fail (
      goban_cluster_get_n_devices (cluster) == goban_cluster_get_n_devices (origin)
          && goban_cluster_get_n_links (cluster) == goban_cluster_get_n_links (origin),
      NULL);

  if (!change->is_link)
    return change_devices (cluster, origin, change, error);
  if (change->is_alike)
    return change_links (cluster, origin, change, error);
  return goban_what_if_link (cluster, change->from, change->to, change->what, change->value, error);
}

double
goban_what_if_get (const GobanCluster *cluster, const GobanCluster *origin,
                   const GobanWhatIf *change)
{
  const GobanRating *rating;
  const GobanDevice *device;
  guint link;

  if (change->is_link)
    {
      link = find_link (cluster, change->from, change->to);
      g_return_val_if_fail (link != G_MAXUINT, NAN);
      return g_str_equal (change->what, "latency")
                 ? goban_cluster_get_link (cluster, link)->latency_us * 1e-6
                 : goban_cluster_get_link (cluster, link)->bytes_per_us * 1e6;
    }

  device = goban_cluster_get_device (cluster, (GobanDeviceId) change->from);
  if (g_str_equal (change->what, "speed"))
    return device->flops_per_us
           / goban_cluster_get_device (origin, (GobanDeviceId) change->from)->flops_per_us;
  rating = goban_rating_find (goban_device_ratings, change->what, NULL);
  g_return_val_if_fail (rating != NULL, NAN);
  return goban_device_get_rating (device, rating);
}

gboolean
goban_what_if_have_same_shape (const GobanCluster *a, const GobanCluster *b)
{
  guint n_devices = goban_cluster_get_n_devices (a);
  guint n_links = goban_cluster_get_n_links (a);

  if (n_devices != goban_cluster_get_n_devices (b) || n_links != goban_cluster_get_n_links (b))
    return FALSE;
  for (guint d = 0; d < n_devices; d++)
    if (!g_str_equal (goban_cluster_get_device (a, (GobanDeviceId) d)->name,
                      goban_cluster_get_device (b, (GobanDeviceId) d)->name))
      return FALSE;
  for (guint i = 0; i < n_links; i++)
    if (goban_cluster_get_link (a, i)->from != goban_cluster_get_link (b, i)->from
        || goban_cluster_get_link (a, i)->to != goban_cluster_get_link (b, i)->to)
      return FALSE;
  return TRUE;
}

gboolean
goban_what_if_is_same (const GobanCluster *a, const GobanCluster *b)
{
  g_autofree char *text_of_a = goban_cluster_to_json (a);
  g_autofree char *text_of_b = goban_cluster_to_json (b);

  return a == b || g_str_equal (text_of_a, text_of_b);
}

GobanCluster *
goban_what_if_guess_origin (GobanCluster *cluster)
{
  const char *name = goban_cluster_get_name (cluster);
  /* A script's or a file's cluster may have any name. */
  g_autoptr (GobanCluster) named
      = goban_cluster_is_description (name) ? goban_cluster_new_from_spec (name, NULL) : NULL;

  if (named != NULL && goban_what_if_have_same_shape (named, cluster)
      && !goban_what_if_is_same (named, cluster))
    return g_steal_pointer (&named);
  return goban_cluster_ref (cluster);
}

/* --- names ------------------------------------------------------------------------------------ */

guint
goban_what_if_find_vertex (const GobanCluster *cluster, const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = goban_cluster_get_n_devices (cluster);

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    n = MAX (n, goban_cluster_get_link (cluster, i)->from + 1);
  for (guint v = 0; v < n; v++)
    {
      if (g_str_equal (goban_cluster_get_vertex_name (cluster, v), name))
        return v;
      g_string_append_printf (names, " %s", goban_cluster_get_vertex_name (cluster, v));
    }
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no device or switch “%s”; there are:%s",
                   name, names->str);
  return G_MAXUINT;
}

/* "9.5 TFLOP/s", "16 GB of memory"; (transfer full). */
static char *
describe (const char *what, double value, gboolean is_link)
{
  char text[GOBAN_QUANTITY_LEN], number[G_ASCII_DTOSTR_BUF_SIZE];

  if (g_str_equal (what, "memory"))
    return g_strdup_printf (isinf (value) ? _ ("%s memory") : _ ("%s of memory"),
                            goban_format_bytes (text, value));
  if (g_str_equal (what, "speed"))
    return g_strdup_printf (_ ("%s times its speed"),
                            g_ascii_formatd (number, sizeof number, "%.4g", value));
  if (g_str_has_suffix (what, "_efficiency"))
    return g_strdup_printf (g_str_has_prefix (what, "compute")  ? _ ("%s %% of the peak")
                            : g_str_has_prefix (what, "memory") ? _ ("%s %% of its memory's speed")
                                                                : _ ("%s %% of its links' speed"),
                            g_ascii_formatd (number, sizeof number, "%.4g", value * 100));
  if (g_str_equal (what, "flops"))
    return g_strdup_printf ("%sFLOP/s", goban_format_count (text, value));
  if (g_str_has_suffix (what, "_flops"))
    return g_strdup_printf ("%sFLOP/s (%.*s)", goban_format_count (text, value),
                            (int) (strlen (what) - strlen ("_flops")), what);
  if (g_str_equal (what, "bandwidth"))
    return g_strdup_printf (is_link ? "%s/s" : _ ("%s/s to its memory"),
                            goban_format_bytes (text, value));
  return g_strdup_printf (is_link ? _ ("%s of latency") : _ ("%s of launch"),
                          goban_format_time (text, value * 1e6));
}

/* Display name of a link's change: "give the link gpu:0–gpu:1 latency 5 µs". (transfer full) */
static char *
name_link (const GobanCluster *cluster, guint from, guint to, const char *what, double value)
{
  g_autofree char *number = describe (what, value, TRUE);

  return g_strdup_printf (_ ("give the link %s–%s %s"),
                          goban_cluster_get_vertex_name (cluster, from),
                          goban_cluster_get_vertex_name (cluster, to), number);
}

char *
goban_what_if_name (const GobanCluster *cluster, const GobanWhatIf *change)
{
  g_autofree char *number = NULL;
  const char *like = change->is_alike ? _ (" and its like") : "";

  if (change->is_link && !change->is_alike)
    return name_link (cluster, change->from, change->to, change->what, change->value);

  number = describe (change->what, change->value, change->is_link);
  if (change->is_link)
    return g_strdup_printf (_ ("give the link %s–%s%s %s"),
                            goban_cluster_get_vertex_name (cluster, change->from),
                            goban_cluster_get_vertex_name (cluster, change->to), like, number);
  return g_strdup_printf (_ ("give %s%s %s"),
                          goban_cluster_get_device (cluster, (GobanDeviceId) change->from)->name,
                          like, number);
}
