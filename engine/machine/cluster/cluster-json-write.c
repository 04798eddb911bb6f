/* Writes the JSON that cluster-json.c describes and reads, exactly: the same devices and links in
 * the same order with the same numbers. Links each way and links between all pairs are
 * written as one where the reader makes the same of it.
 */
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster-draft.h"

#include <math.h>
#include <string.h>

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
