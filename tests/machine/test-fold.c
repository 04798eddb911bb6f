#include "engine/machine/cluster/fold.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

/* Nodes of devices behind switches of other bandwidths, a network, a CPU in front, and now and then
 * a direct link. */
static GobanCluster *
make_cluster (GobanRng *rng, guint n_nodes, guint n_each)
{
  g_autoptr (GString) json = g_string_new ("{ \"name\": \"c\", \"devices\": [");
  g_autoptr (GString) switches = g_string_new ("\"net\"");
  g_autoptr (GString) links = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;

  g_string_append (json, "{ \"name\": \"cpu:0\", \"kind\": \"cpu\", \"tflops\": 1,"
                         " \"memory_bandwidth\": 1e9, \"memory\": 1 }");
  g_string_append (links, "{ \"from\": \"cpu:0\", \"to\": \"net\", \"bandwidth\": 1e9 }");
  for (guint i = 0; i < n_nodes; i++)
    {
      g_string_append_printf (switches, ", \"sw:%u\"", i);
      g_string_append_printf (
          links,
          ", { \"from\": \"sw:%u\", \"to\": \"net\", \"bytes_per_us\": %u, \"latency\": %u }", i,
          1 + goban_rng_below (rng, 200), goban_rng_below (rng, 9));
      for (guint k = 0; k < n_each; k++)
        {
          g_string_append_printf (json,
                                  ", { \"name\": \"gpu:%u\", \"kind\": \"gpu\", \"tflops\": %u,"
                                  " \"memory_bandwidth\": 1e9, \"memory\": 1,"
                                  " \"bus_efficiency\": 0.%u }",
                                  i * n_each + k, i + 1, 5 + goban_rng_below (rng, 5));
          g_string_append_printf (links,
                                  ", { \"from\": \"gpu:%u\", \"to\": \"sw:%u\", \"bytes_per_us\": "
                                  "%u, \"latency\": %u }",
                                  i * n_each + k, i, 1 + goban_rng_below (rng, 300),
                                  goban_rng_below (rng, 5));
          if (goban_rng_below (rng, 4) == 0)
            g_string_append_printf (
                links,
                ", { \"from\": \"gpu:%u\", \"to\": \"net\", \"bytes_per_us\": %u, \"latency\": 2 }",
                i * n_each + k, 1 + goban_rng_below (rng, 100));
        }
    }
  g_string_append_printf (json, "], \"switches\": [%s], \"links\": [%s]%s }", switches->str,
                          links->str,
                          goban_rng_below (rng, 8) == 0 ? ", \"contention_free\": true" : "");
  cluster = goban_cluster_new_from_json (json->str, -1, "test", &error);
  g_assert_no_error (error);
  return cluster;
}

/* A rank's place in its group of a kind, and the group: ranks of one group have the same. */
static guint
get_group (const GobanFoldShape *shape, const char *kind, guint rank)
{
  guint t = rank % shape->tp, d = rank / shape->tp % shape->dp, p = rank / shape->tp / shape->dp;

  if (strcmp (kind, "tp") == 0)
    return rank / shape->tp;
  if (strcmp (kind, "dp") == 0)
    return p * shape->tp + t;
  if (strcmp (kind, "ep") == 0)
    return (p * shape->dp + d / shape->ep) * shape->tp + t;
  return (p * shape->ep + d % shape->ep) * shape->tp + t;
}

/* The slow twin: looks at every pair of ranks whether the one sends to the other, and for each such
 * pair counts all pairs that share a link with it. */
typedef struct
{
  const GobanCluster *cluster;
  GobanFoldShape shape;
  guint n_pairs;
  guint pairs[2048][2];
} Twin;

static const GobanRoute *
route_of (const Twin *self, guint i)
{
  /* The CPU is before the ranks. */
  return goban_cluster_get_route (self->cluster, (GobanDeviceId) (self->pairs[i][0] + 1),
                                  (GobanDeviceId) (self->pairs[i][1] + 1));
}

static void
find_ring (Twin *self, const char *kind, guint stage)
{
  guint per_stage = self->shape.tp * self->shape.dp;

  self->n_pairs = 0;
  for (guint r = stage * per_stage; r < (stage + 1) * per_stage; r++)
    {
      guint next = r;

      /* The next of the group, or else its first. */
      for (guint other = stage * per_stage; other < (stage + 1) * per_stage; other++)
        if (get_group (&self->shape, kind, other) == get_group (&self->shape, kind, r)
            && (next == r || (next < r && other > r)))
          next = other;
      g_assert_cmpuint (next, !=, r);
      self->pairs[self->n_pairs][0] = r;
      self->pairs[self->n_pairs++][1] = next;
    }
}

static void
find_sends (Twin *self, guint from, guint to)
{
  guint per_stage = self->shape.tp * self->shape.dp;

  for (self->n_pairs = 0; self->n_pairs < per_stage; self->n_pairs++)
    {
      self->pairs[self->n_pairs][0] = from * per_stage + self->n_pairs;
      self->pairs[self->n_pairs][1] = to * per_stage + self->n_pairs;
    }
}

static guint
count_users (const Twin *self, guint32 link)
{
  guint n = 0;

  for (guint i = 0; i < self->n_pairs; i++)
    for (guint k = 0; k < route_of (self, i)->n_links; k++)
      n += route_of (self, i)->links[k] == link;
  return goban_cluster_is_contention_free (self->cluster) ? 1 : n;
}

static GobanLink
find_step (const Twin *self)
{
  GobanLink step = { .bytes_per_us = INFINITY };

  for (guint i = 0; i < self->n_pairs; i++)
    {
      const GobanRoute *route = route_of (self, i);
      double efficiency
          = goban_cluster_get_device (self->cluster, (GobanDeviceId) (self->pairs[i][0] + 1))
                ->bus_efficiency;

      step.latency_us = MAX (step.latency_us, route->latency_us);
      for (guint k = 0; k < route->n_links; k++)
        step.bytes_per_us = MIN (
            step.bytes_per_us,
            efficiency * goban_cluster_get_link (self->cluster, route->links[k])->bytes_per_us
                / count_users (self, route->links[k]));
    }
  return step;
}

static void
assert_link (const GobanLink *link, double latency_us, double bytes_per_us)
{
  g_assert_nonnull (link);
  g_assert_cmpfloat (link->latency_us, ==, latency_us);
  g_assert_cmpfloat_with_epsilon (link->bytes_per_us / bytes_per_us, 1, 1e-12);
}

static void
assert_folded (Twin *self, const GobanCluster *folded)
{
  static const char *const kinds[] = { "tp", "dp", "ep", "edp" };
  const GobanFoldShape *shape = &self->shape;
  const guint n_ranks[] = { shape->tp, shape->dp, shape->ep, shape->dp / shape->ep };

  g_assert_cmpuint (goban_cluster_get_n_devices (folded), ==, shape->pp);
  for (guint p = 0; p < shape->pp; p++)
    {
      const GobanDevice *device = goban_cluster_get_device (folded, (GobanDeviceId) p);
      const GobanDevice *first = goban_cluster_get_device (
          self->cluster, (GobanDeviceId) (p * shape->tp * shape->dp + 1));

      g_assert_cmpstr (device->name, ==, first->name);
      g_assert_cmpfloat (device->flops_per_us, ==, first->flops_per_us);
      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          const GobanLink *link
              = goban_cluster_get_group_link (folded, (GobanDeviceId) p, kinds[k]);
          GobanLink step;

          g_assert_cmpint (link != NULL, ==, n_ranks[k] > 1);
          if (link == NULL)
            continue;
          find_ring (self, kinds[k], p);
          step = find_step (self);
          assert_link (link, step.latency_us, step.bytes_per_us);
        }
      g_assert_cmpint (goban_cluster_get_group_link (folded, (GobanDeviceId) p, "pp") != NULL, ==,
                       shape->sends_block && shape->pp > 1);
    }
}

static void
assert_sends (Twin *self, const GobanCluster *folded)
{
  const GobanFoldShape *shape = &self->shape;

  for (guint a = 0; a < shape->pp; a++)
    {
      GobanLink slowest = { .bytes_per_us = INFINITY };

      for (guint b = 0; b < shape->pp; b++)
        {
          const GobanLink *link;
          GobanLink step;

          if (a == b)
            continue;
          link = goban_cluster_get_link (folded, a * (shape->pp - 1) + b - (b > a));
          g_assert_cmpuint (link->from, ==, a);
          g_assert_cmpuint (link->to, ==, b);
          find_sends (self, a, b);
          step = find_step (self);
          if (!shape->sends_block)
            assert_link (link, step.latency_us, shape->tp * step.bytes_per_us);
          else
            {
              g_assert_cmpfloat (link->bytes_per_us, ==, (double) INFINITY);
              g_assert_cmpfloat (link->latency_us, ==, 0);
            }
          if (b + 1 == a || b == a + 1)
            {
              slowest.bytes_per_us = MIN (slowest.bytes_per_us, step.bytes_per_us);
              slowest.latency_us = MAX (slowest.latency_us, step.latency_us);
            }
        }
      if (shape->sends_block && shape->pp > 1)
        assert_link (goban_cluster_get_group_link (folded, (GobanDeviceId) a, "pp"),
                     slowest.latency_us, shape->tp * slowest.bytes_per_us);
    }
}

static void
test_random_shapes (void)
{
  guint n_folded = 0;
  Twin twin;
  GobanRng rng;

  goban_rng_init (&rng, 31);
  for (guint round = 0; round < 1500; round++)
    {
      guint n_each = 1 + goban_rng_below (&rng, 8);
      guint n_nodes = 1 + goban_rng_below (&rng, 6);
      g_autoptr (GobanCluster) cluster = make_cluster (&rng, n_nodes, n_each);
      guint n = n_nodes * n_each;
      guint ep = 1 + goban_rng_below (&rng, 3);
      GobanFoldShape shape = { 1 + goban_rng_below (&rng, 4), ep * (1 + goban_rng_below (&rng, 3)),
                               1 + goban_rng_below (&rng, 5), ep, goban_rng_below (&rng, 2) == 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanCluster) folded = goban_cluster_fold (cluster, &shape, &error);

      if (shape.tp * shape.dp * shape.pp > n)
        {
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
          continue;
        }
      g_assert_no_error (error);
      twin.cluster = cluster;
      twin.shape = shape;
      assert_folded (&twin, folded);
      assert_sends (&twin, folded);
      n_folded++;
    }
  g_assert_cmpuint (n_folded, >, 100);
}

static void
assert_group (const GobanCluster *folded, const char *group, double latency_us, double bytes_per_us)
{
  for (GobanDeviceId d = 0; d < goban_cluster_get_n_devices (folded); d++)
    assert_link (goban_cluster_get_group_link (folded, d, group), latency_us, bytes_per_us);
}

/* 512 devices in nodes of eight: all of a node send at once. */
static void
test_many_nodes (void)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GobanCluster) each = goban_cluster_new_from_spec ("h100x8*64,bus=0.8", NULL);
  g_autoptr (GobanCluster) shared
      = goban_cluster_new_from_spec ("a100x8*64,nic=200GB/s,shared,bus=0.5", NULL);
  const GobanFoldShape shapes[] = { { 8, 8, 8, 4, TRUE }, { 4, 16, 8, 1, FALSE } };
  g_autoptr (GobanCluster) a = goban_cluster_fold (each, &shapes[0], NULL);
  g_autoptr (GobanCluster) b = goban_cluster_fold (shared, &shapes[0], NULL);
  g_autoptr (GobanCluster) c = goban_cluster_fold (shared, &shapes[1], NULL);

  g_test_message ("two clusters of 512 devices, three folds: %.0f ms",
                  (double) (g_get_monotonic_time () - start) / 1e3);
  assert_group (a, "tp", 4, 0.8 * 450e3);
  assert_group (a, "dp", 10, 0.8 * 50e3);
  assert_group (a, "ep", 10, 0.8 * 50e3);
  assert_group (a, "pp", 10, 8 * 0.8 * 50e3);
  assert_group (b, "tp", 4, 0.5 * 300e3);
  assert_group (b, "dp", 14, 0.5 * 200e3 / 8);
  assert_group (b, "pp", 14, 8 * 0.5 * 200e3 / 8);
  /* Two of a ring are in a node: four rings leave it. */
  assert_group (c, "dp", 14, 0.5 * 200e3 / 4);
  g_assert_cmpfloat (goban_cluster_get_link (c, 0)->bytes_per_us, ==, 4 * (0.5 * 200e3 / 8));
}

/* A link between every two: rings use all of them, alone and in groups of four and two. */
static void
test_mesh (void)
{
  g_autoptr (GobanCluster) whole = goban_cluster_new_from_spec ("mi300x8", NULL);
  double link = goban_cluster_get_link (whole, 0)->bytes_per_us;
  const struct
  {
    GobanFoldShape shape;
    double n_tensor;
    double n_data;
  } cases[] = { { { 8, 1, 1, 1, TRUE }, 7, 0 },
                { { 1, 8, 1, 1, TRUE }, 0, 7 },
                { { 4, 2, 1, 1, TRUE }, 3, 1 },
                { { 2, 2, 2, 1, TRUE }, 1, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanCluster) folded = goban_cluster_fold (whole, &cases[i].shape, NULL);
      double bus = goban_cluster_get_device (whole, 0)->bus_efficiency;

      if (cases[i].n_tensor > 0)
        g_assert_cmpfloat (goban_cluster_get_group_link (folded, 0, "tp")->bytes_per_us, ==,
                           cases[i].n_tensor * (bus * link));
      if (cases[i].n_data > 0)
        g_assert_cmpfloat (goban_cluster_get_group_link (folded, 0, "dp")->bytes_per_us, ==,
                           cases[i].n_data * (bus * link));
    }
}

static void
test_refuses_in_words (void)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", NULL);
  g_autoptr (GError) many = NULL;
  g_autoptr (GError) divisor = NULL;

  g_assert_null (goban_cluster_fold (cluster, &(GobanFoldShape){ 4, 3, 1, 1, TRUE }, &many));
  g_assert_cmpstr (many->message, ==,
                   "tp 4 × dp 3 × pp 1 are more ranks than the 8 devices of p100x8 that are not "
                   "CPUs");
  g_assert_null (
      goban_cluster_fold (cluster, &(GobanFoldShape){ 65536, 65536, G_MAXUINT, 1, TRUE }, NULL));
  g_assert_null (goban_cluster_fold (cluster, &(GobanFoldShape){ 1, 4, 2, 3, TRUE }, &divisor));
  g_assert_cmpstr (divisor->message, ==,
                   "ep 3 does not divide dp 4: experts are spread over data-parallel ranks");
}

TEST_PROGRAM (fold)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fold/random/as-counted", test_random_shapes);
  g_test_add_func ("/fold/nodes/many", test_many_nodes);
  g_test_add_func ("/fold/nodes/mesh", test_mesh);
  g_test_add_func ("/fold/refuses/in-words", test_refuses_in_words);
  return g_test_run ();
}
