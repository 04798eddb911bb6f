#include "engine/machine/cluster/routes.h"

#include "engine/core/rng.h"
#include "engine/machine/cluster/cluster.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define MAX_VERTICES 12
#define MAX_LINKS 150
#define PROBE_BYTES 1048576.0

typedef struct
{
  double length_us;
  guint n_hops;
} Distance;

static gboolean
is_shorter (Distance a, Distance b)
{
  return a.length_us < b.length_us || (a.length_us == b.length_us && a.n_hops < b.n_hops);
}

/* The slow twin: Floyd and Warshall, on (length, hops). */
static void
find_distances (Distance d[MAX_VERTICES][MAX_VERTICES], guint n, const GobanLink *links,
                guint n_links)
{
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      d[a][b] = (Distance){ a == b ? 0 : (double) INFINITY, a == b ? 0 : 10000 };
  for (guint e = 0; e < n_links; e++)
    {
      Distance direct = { goban_link_length_us (&links[e]), 1 };

      if (is_shorter (direct, d[links[e].from][links[e].to]))
        d[links[e].from][links[e].to] = direct;
    }
  for (guint via = 0; via < n; via++)
    for (guint a = 0; a < n; a++)
      for (guint b = 0; b < n; b++)
        {
          Distance detour
              = { d[a][via].length_us + d[via][b].length_us, d[a][via].n_hops + d[via][b].n_hops };

          if (is_shorter (detour, d[a][b]))
            d[a][b] = detour;
        }
}

/* The lowest link into a vertex that ends a best path from another. */
static guint
find_last_link (Distance d[MAX_VERTICES][MAX_VERTICES], guint from, guint to,
                const GobanLink *links, guint n_links)
{
  for (guint e = 0; e < n_links; e++)
    if (links[e].to == to
        && d[from][links[e].from].length_us + goban_link_length_us (&links[e])
               == d[from][to].length_us
        && d[from][links[e].from].n_hops + 1 == d[from][to].n_hops)
      return e;
  g_assert_not_reached ();
}

static void
assert_route (const GobanRoute *route, guint from, guint to, const GobanLink *links,
              double efficiency)
{
  double bytes_per_us = (double) INFINITY;
  double latency_us = 0;
  guint at = from;

  for (guint i = 0; i < route->n_links; i++)
    {
      const GobanLink *link = &links[route->links[i]];

      g_assert_cmpuint (link->from, ==, at);
      at = link->to;
      latency_us += link->latency_us;
      bytes_per_us = MIN (bytes_per_us, link->bytes_per_us);
    }
  g_assert_cmpuint (at, ==, to);
  g_assert_cmpfloat (route->latency_us, ==, latency_us);
  g_assert_cmpfloat (route->bytes_per_us, ==, bytes_per_us * efficiency);
}

/* Lengths are whole numbers, so that sums are exact in any order, and small, so that ties
 * abound. */
static guint
make_links (GobanRng *rng, guint n_vertices, gboolean is_clique, GobanLink *links)
{
  guint n = 0;

  for (guint a = 0; a < n_vertices; a++)
    for (guint b = 0; b < n_vertices; b++)
      {
        guint copies = a == b ? 0 : is_clique ? 1 : goban_rng_below (rng, 4) == 0;

        if (copies > 0 && goban_rng_below (rng, 8) == 0)
          copies++;
        for (; copies > 0 && n < MAX_LINKS; copies--)
          links[n++] = (GobanLink){
            .from = a,
            .to = b,
            .latency_us = is_clique ? 8 + goban_rng_below (rng, 12) : goban_rng_below (rng, 4),
            .bytes_per_us = goban_rng_below (rng, 2) == 0 ? (double) INFINITY : PROBE_BYTES,
          };
      }
  return n;
}

static void
test_random_topologies (void)
{
  static Distance d[MAX_VERTICES][MAX_VERTICES];
  GobanDevice devices[MAX_VERTICES];
  GobanLink links[MAX_LINKS];
  guint n_whole = 0;
  guint n_broken = 0;
  GobanRng rng;

  for (guint i = 0; i < MAX_VERTICES; i++)
    devices[i] = (GobanDevice){ .bus_efficiency = i % 2 == 0 ? 1 : 0.75 };
  goban_rng_init (&rng, 11);
  for (guint round = 0; round < 3000; round++)
    {
      guint n_vertices = 1 + goban_rng_below (&rng, MAX_VERTICES);
      guint n_devices = 1 + goban_rng_below (&rng, n_vertices);
      guint n_links = make_links (&rng, n_vertices, round % 4 == 0, links);
      guint missing[2] = { G_MAXUINT, G_MAXUINT };
      GobanRoutes routes;
      guint pair[2];

      find_distances (d, n_vertices, links, n_links);
      for (guint a = n_devices; a-- > 0;)
        for (guint b = n_devices; b-- > 0;)
          if (isinf (d[a][b].length_us))
            {
              missing[0] = a;
              missing[1] = b;
            }

      if (!goban_routes_init (&routes, devices, n_devices, n_vertices, links, n_links, pair))
        {
          goban_routes_clear (&routes);
          g_assert_cmpuint (pair[0], ==, missing[0]);
          g_assert_cmpuint (pair[1], ==, missing[1]);
          n_broken++;
          continue;
        }
      g_assert_cmpuint (missing[0], ==, G_MAXUINT);
      n_whole++;
      for (guint a = 0; a < n_devices; a++)
        for (guint b = 0; b < n_devices; b++)
          {
            const GobanRoute *route = goban_routes_get (&routes, a, b);

            g_assert_cmpuint (route->n_links, ==, d[a][b].n_hops);
            if (a == b)
              continue;
            assert_route (route, a, b, links, devices[a].bus_efficiency);
            g_assert_cmpuint (route->links[route->n_links - 1], ==,
                              find_last_link (d, a, b, links, n_links));
          }
      goban_routes_clear (&routes);
    }
  g_assert_cmpuint (n_whole, >, 500);
  g_assert_cmpuint (n_broken, >, 500);
}

static GobanCluster *
parse (const char *links)
{
  g_autofree char *json = g_strdup_printf (
      "{ \"devices\": [{ \"name\": \"d\", \"count\": 4, \"kind\": \"gpu\", \"tflops\": 1,"
      " \"memory_bandwidth\": 1e9, \"memory\": 1 }], \"switches\": [\"sw\"], \"links\": [%s] }",
      links);
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_json (json, -1, "test", &error);

  g_assert_no_error (error);
  return cluster;
}

static char *
describe_route (const GobanCluster *cluster, GobanDeviceId from, GobanDeviceId to)
{
  const GobanRoute *route = goban_cluster_get_route (cluster, from, to);
  GString *text = g_string_new (goban_cluster_get_vertex_name (cluster, from));

  for (guint i = 0; i < route->n_links; i++)
    g_string_append_printf (text, " %s",
                            goban_cluster_get_vertex_name (
                                cluster, goban_cluster_get_link (cluster, route->links[i])->to));
  g_string_append_printf (text, ", %g us, %g", route->latency_us, route->bytes_per_us);
  return g_string_free (text, FALSE);
}

static void
assert_described (const GobanCluster *cluster, GobanDeviceId from, GobanDeviceId to,
                  const char *wanted)
{
  g_autofree char *text = describe_route (cluster, from, to);

  g_assert_cmpstr (text, ==, wanted);
}

#define LINK(from, to, bandwidth, rest)                                                            \
  "{ \"from\": \"" from "\", \"to\": \"" to "\", \"bandwidth\": " bandwidth                        \
  ", \"latency\": 2" rest " }"

/*  d:0 - d:1 - d:2 - d:3, the middle link is the narrow one */
static void
test_line (void)
{
  g_autoptr (GobanCluster) cluster = parse (LINK ("d:0", "d:1", "8e6", "") "," LINK (
      "d:1", "d:2", "4e6", "") "," LINK ("d:2", "d:3", "\"16 MB/s\"", ""));

  assert_described (cluster, 0, 3, "d:0 d:1 d:2 d:3, 6 us, 4");
  assert_described (cluster, 3, 2, "d:3 d:2, 2 us, 16");
  assert_described (cluster, 2, 0, "d:2 d:1 d:0, 4 us, 4");
}

/*  d:0 > d:1 > d:2 > d:3 > d:0, one way only */
static void
test_ring (void)
{
  g_autoptr (GobanCluster) cluster
      = parse (LINK ("d:0", "d:1", "8e6", ", \"both_ways\": false") "," LINK (
          "d:1", "d:2", "8e6",
          ", \"both_ways\": false") "," LINK ("d:2", "d:3", "8e6",
                                              ", \"both_ways\": false") "," LINK ("d:3", "d:0",
                                                                                  "8e6",
                                                                                  ", "
                                                                                  "\"both_ways\": "
                                                                                  "false"));

  assert_described (cluster, 0, 1, "d:0 d:1, 2 us, 8");
  assert_described (cluster, 1, 0, "d:1 d:2 d:3 d:0, 6 us, 8");
}

/*  all at one switch; d:0 and d:1 have a direct link that is too slow to be taken */
static void
test_switch (void)
{
  g_autoptr (GobanCluster) cluster
      = parse (LINK ("d:0", "sw", "8e6", "") "," LINK ("d:1", "sw", "8e6", "") "," LINK (
          "d:2", "sw", "8e6", "") "," LINK ("sw", "d:3", "4e6", "") "," LINK ("d:0", "d:1", "1e6",
                                                                              ""));

  assert_described (cluster, 0, 1, "d:0 sw d:1, 4 us, 8");
  assert_described (cluster, 3, 2, "d:3 sw d:2, 4 us, 4");
}

TEST_PROGRAM (routes)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/routes/random/as-floyd-and-warshall", test_random_topologies);
  g_test_add_func ("/routes/drawn/line", test_line);
  g_test_add_func ("/routes/drawn/ring", test_ring);
  g_test_add_func ("/routes/drawn/switch", test_switch);
  return g_test_run ();
}
