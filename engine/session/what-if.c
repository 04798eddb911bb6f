#include "engine/session/what-if.h"

#include "engine/base/error.h"
#include "engine/base/quantity.h"

#include <math.h>

typedef struct
{
  const char *word;
  const char *field; /* the engine's */
  double unit;       /* of a script's in one of the engine's */
  gboolean is_time;
} Number;

static const Number device_numbers[] = {
  { "flops", "flops_per_us", 1e6, FALSE },
  { "bandwidth", "memory_bytes_per_us", 1e6, FALSE },
  { "mem", "memory_bytes", 1, FALSE },
  { "launch", "launch_us", 1e-6, TRUE },
};

static const Number link_numbers[] = {
  { "bandwidth", "bytes_per_us", 1e6, FALSE },
  { "latency", "latency_us", 1e-6, TRUE },
};

static const Number *
find_number (const Number *numbers, gsize n, const char *what, GError **error)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    {
      if (g_str_equal (numbers[i].word, what))
        return &numbers[i];
      g_string_append_printf (words, " %s", numbers[i].word);
    }
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID, "there is no number '%s'; there are:%s",
               what, words->str);
  return NULL;
}

GobanCluster *
goban_what_if_device (const GobanCluster *cluster, GobanDeviceId device, const char *what,
                      double value, GError **error)
{
  const Number *number = find_number (device_numbers, G_N_ELEMENTS (device_numbers), what, error);

  if (number == NULL)
    return NULL;
  return goban_cluster_with_device (cluster, device, number->field, value / number->unit, error);
}

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
  const Number *number = find_number (link_numbers, G_N_ELEMENTS (link_numbers), what, error);
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
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID, "there is no link from %s to %s",
                   goban_cluster_get_vertex_name (cluster, from),
                   goban_cluster_get_vertex_name (cluster, to));
      return NULL;
    }
  is_direct = goban_cluster_get_link (cluster, g_array_index (links, guint32, 0))->to == to;
  add_links (links, cluster, to, from);

  value /= number->unit;
  if (number->is_time && !is_direct)
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
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "there is no device or switch '%s'; there are:%s", name, names->str);
  return G_MAXUINT;
}

/* "9.5 TFLOP/s", "16 GB of memory"; (transfer full). */
static char *
describe (const char *what, double value, gboolean is_link)
{
  char text[GOBAN_QUANTITY_LEN];

  if (g_str_equal (what, "mem"))
    return g_strdup_printf (isinf (value) ? "%s memory" : "%s of memory",
                            goban_format_bytes (text, value));
  if (g_str_equal (what, "flops"))
    return g_strdup_printf ("%sFLOP/s", goban_format_count (text, value));
  if (g_str_equal (what, "bandwidth"))
    return g_strdup_printf ("%s/s%s", goban_format_bytes (text, value),
                            is_link ? "" : " to its memory");
  return g_strdup_printf ("%s of %s", goban_format_time (text, value * 1e6), what);
}

char *
goban_what_if_name_device (const GobanCluster *cluster, GobanDeviceId device, const char *what,
                           double value)
{
  g_autofree char *number = describe (what, value, FALSE);

  return g_strdup_printf ("give %s %s", goban_cluster_get_device (cluster, device)->name, number);
}

char *
goban_what_if_name_link (const GobanCluster *cluster, guint from, guint to, const char *what,
                         double value)
{
  g_autofree char *number = describe (what, value, TRUE);

  return g_strdup_printf ("give the link %s–%s %s", goban_cluster_get_vertex_name (cluster, from),
                          goban_cluster_get_vertex_name (cluster, to), number);
}
