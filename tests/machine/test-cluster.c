#include "engine/machine/cluster/cost-model.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define GIB 1073741824.0
#define DEVICE(name_, kind_, flops, bandwidth, memory, launch)                                     \
  {                                                                                                \
    .name = name_, .kind = kind_, .flops_per_us = flops, .memory_bytes_per_us = bandwidth,         \
    .memory_bytes = memory, .launch_us = launch                                                    \
  }

static GobanCluster *
load (const char *spec)
{
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_spec (spec, &error);

  g_assert_no_error (error);
  g_assert_nonnull (cluster);
  return cluster;
}

static void
assert_device (const GobanCluster *cluster, GobanDeviceId id, const GobanDevice *wanted)
{
  const GobanDevice *device = goban_cluster_get_device (cluster, id);

  g_assert_cmpstr (device->name, ==, wanted->name);
  g_assert_cmpstr (device->kind, ==, wanted->kind);
  g_assert_cmpfloat (device->flops_per_us, ==, wanted->flops_per_us);
  g_assert_cmpfloat (device->memory_bytes_per_us, ==, wanted->memory_bytes_per_us);
  g_assert_cmpfloat (device->memory_bytes, ==, wanted->memory_bytes);
  g_assert_cmpfloat (device->launch_us, ==, wanted->launch_us);
  g_assert_cmpuint (goban_cluster_find_device (cluster, wanted->name), ==, id);
}

/* Every pair is linked directly, both ways, by links of these numbers. */
static void
assert_linked (const GobanCluster *cluster, double latency_us, double bytes_per_us)
{
  guint n = goban_cluster_get_n_devices (cluster);

  g_assert_cmpuint (goban_cluster_get_n_links (cluster), ==, n * (n - 1));
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      {
        const GobanRoute *route;
        const GobanLink *link;
        g_autofree char *name = NULL;

        if (a == b)
          continue;
        route = goban_cluster_get_route (cluster, (GobanDeviceId) a, (GobanDeviceId) b);
        g_assert_cmpuint (route->n_links, ==, 1);
        g_assert_cmpfloat (route->latency_us, ==, latency_us);
        g_assert_cmpfloat (route->bytes_per_us, ==, bytes_per_us);

        link = goban_cluster_get_link (cluster, route->links[0]);
        g_assert_cmpuint (link->from, ==, a);
        g_assert_cmpuint (link->to, ==, b);
        name = g_strdup_printf ("%s>%s", goban_cluster_get_vertex_name (cluster, a),
                                goban_cluster_get_vertex_name (cluster, b));
        g_assert_cmpstr (link->name, ==, name);
      }
}

static void
test_presets_have_their_numbers (void)
{
  static const struct
  {
    const char *name;
    guint n_gpus;
    GobanDevice gpu;
    double latency_us;
    double bytes_per_us;
  } cases[] = {
    { "p100x2", 2, DEVICE (NULL, "gpu", 9.3e6, 732e3, 16 * GIB, 5), 5, 12e3 },
    { "p100x4", 4, DEVICE (NULL, "gpu", 9.3e6, 732e3, 16 * GIB, 5), 5, 12e3 },
    { "p100x8", 8, DEVICE (NULL, "gpu", 9.3e6, 732e3, 16 * GIB, 5), 5, 12e3 },
    { "v100x2", 2, DEVICE (NULL, "gpu", 15.7e6, 900e3, 16 * GIB, 5), 5, 25e3 },
    { "v100x4", 4, DEVICE (NULL, "gpu", 15.7e6, 900e3, 16 * GIB, 5), 5, 25e3 },
    { "v100x8", 8, DEVICE (NULL, "gpu", 15.7e6, 900e3, 16 * GIB, 5), 5, 25e3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanCluster) cluster = load (cases[i].name);

      g_assert_cmpstr (goban_cluster_get_name (cluster), ==, cases[i].name);
      g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, cases[i].n_gpus);
      g_assert_cmpuint (goban_cluster_get_n_classes (cluster), ==, 1);
      g_assert_false (goban_cluster_is_contention_free (cluster));
      for (guint d = 0; d < cases[i].n_gpus; d++)
        {
          g_autofree char *name = g_strdup_printf ("gpu:%u", d);
          GobanDevice wanted = cases[i].gpu;

          wanted.name = name;
          assert_device (cluster, (GobanDeviceId) d, &wanted);
        }
      assert_linked (cluster, cases[i].latency_us, cases[i].bytes_per_us);
    }
}

static void
test_cpu_comes_last (void)
{
  g_autoptr (GobanCluster) cluster = load ("cpu+gpu");
  GobanDevice gpu = DEVICE ("gpu:0", "gpu", 9.3e6, 732e3, 16 * GIB, 5);
  GobanDevice cpu = DEVICE ("cpu:0", "cpu", 0.6e6, 60e3, 64 * GIB, 1);

  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, 2);
  g_assert_cmpuint (goban_cluster_get_n_classes (cluster), ==, 2);
  assert_device (cluster, 0, &gpu);
  assert_device (cluster, 1, &cpu);
  g_assert_cmpuint (goban_cluster_get_class (cluster, 1), ==, 1);
  g_assert_cmpuint (goban_cluster_find_device (cluster, "cpu:1"), ==, GOBAN_NO_DEVICE);
  assert_linked (cluster, 5, 12e3);
}

static void
test_presets_are_listed (void)
{
  const char *const *presets = goban_cluster_presets ();
  guint n = 0;

  for (; presets[2 * n] != NULL; n++)
    {
      g_autoptr (GobanCluster) cluster = load (presets[2 * n]);

      g_assert_cmpuint (strlen (presets[2 * n + 1]), >, 10);
    }
  g_assert_cmpuint (n, ==, 15);
}

/* As the data sheets have them. */
static void
test_nodes_have_their_numbers (void)
{
  static const struct
  {
    const char *kind;
    double tflops[5]; /* f32, tf32, f16, f8, i8 */
    double gbytes_per_s;
    double gib;
    double link; /* GB/s of one each way */
  } kinds[] = {
    { "a100", { 19.5, 156, 312, 312, 624 }, 2039, 80, 300 },
    { "a100-40gb", { 19.5, 156, 312, 312, 624 }, 1555, 40, 300 },
    { "h100", { 66.9, 494.7, 989.4, 1978.9, 1978.9 }, 3350, 80, 450 },
    { "h200", { 66.9, 494.7, 989.4, 1978.9, 1978.9 }, 4800, 141, 450 },
    { "b200", { 80, 1100, 2250, 4500, 4500 }, 8000, 180, 900 },
    { "mi300", { 163.4, 653.7, 1307.4, 2614.9, 2614.9 }, 5300, 192, 64 },
    { "l40s", { 91.6, 183, 362, 733, 733 }, 864, 48, 32 },
    { "4090", { 82.6, 82.6, 165.2, 330.3, 660.6 }, 1008, 24, 32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint n = 1; n <= 8; n++)
      {
        g_autofree char *spec = g_strdup_printf ("%sx%u", kinds[i].kind, n);
        g_autoptr (GobanCluster) cluster = load (spec);
        const GobanDevice *device = goban_cluster_get_device (cluster, (GobanDeviceId) (n - 1));

        g_assert_cmpstr (goban_cluster_get_name (cluster), ==, spec);
        g_assert_true (goban_cluster_is_description (spec));
        g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, n);
        g_assert_cmpuint (goban_cluster_get_n_classes (cluster), ==, 1);
        for (guint k = 0; k < GOBAN_N_PEAKS; k++)
          g_assert_cmpfloat_with_epsilon (goban_device_get_flops_per_us (device, (GobanPeak) k)
                                              / 1e6,
                                          0.83 * kinds[i].tflops[k], 1e-9);
        g_assert_cmpfloat (device->memory_bytes_per_us, ==, kinds[i].gbytes_per_s * 1e3);
        g_assert_cmpfloat (device->memory_bytes, ==, kinds[i].gib * GIB);
        for (guint other = 0; other + 1 < n; other++)
          g_assert_cmpfloat (
              goban_cluster_get_route (cluster, (GobanDeviceId) (n - 1), (GobanDeviceId) other)
                  ->bytes_per_us,
              ==, 0.77 * (kinds[i].link * 1e3));
      }
}

static void
assert_path (const GobanCluster *cluster, GobanDeviceId from, GobanDeviceId to, const char *wanted)
{
  const GobanRoute *route = goban_cluster_get_route (cluster, from, to);
  g_autoptr (GString) path = g_string_new (goban_cluster_get_vertex_name (cluster, from));

  for (guint i = 0; i < route->n_links; i++)
    g_string_append_printf (path, " %s",
                            goban_cluster_get_vertex_name (
                                cluster, goban_cluster_get_link (cluster, route->links[i])->to));
  g_string_append_printf (path, ", %g us, %g", route->latency_us, route->bytes_per_us);
  g_assert_cmpstr (path->str, ==, wanted);
}

static void
test_nodes_are_joined (void)
{
  g_autoptr (GobanCluster) each = load ("h100x8*4,bus=1");
  g_autoptr (GobanCluster) shared = load ("a100x8*64,nic=200GB/s,shared,compute=0.5,memory=0.25,"
                                          "bus=0.5,launch=1us");
  g_autoptr (GobanCluster) mesh = load ("mi300x4*2,shared,bus=1");
  g_autoptr (GobanCluster) single = load ("4090x1*3,bus=1");
  const GobanDevice *device = goban_cluster_get_device (shared, 511);

  assert_path (each, 0, 7, "gpu:0 nvswitch:0 gpu:7, 4 us, 450000");
  assert_path (each, 0, 8, "gpu:0 network gpu:8, 10 us, 50000");
  assert_path (each, 31, 24, "gpu:31 nvswitch:3 gpu:24, 4 us, 450000");
  assert_path (shared, 0, 7, "gpu:0 nvswitch:0 gpu:7, 4 us, 150000");
  assert_path (shared, 0, 511, "gpu:0 nvswitch:0 network nvswitch:63 gpu:511, 14 us, 100000");
  assert_path (mesh, 1, 3, "gpu:1 gpu:3, 4 us, 64000");
  assert_path (mesh, 1, 5, "gpu:1 pcie:0 network pcie:1 gpu:5, 15 us, 50000");
  assert_path (single, 0, 2, "gpu:0 network gpu:2, 10 us, 1250");
  g_assert_cmpfloat (device->compute_efficiency, ==, 0.5);
  g_assert_cmpfloat (device->memory_efficiency, ==, 0.25);
  g_assert_cmpfloat (device->launch_us, ==, 1);
}

static void
test_equal_devices (void)
{
  static const struct
  {
    const char *spec;
    guint n;
    double latency_us;
    double bytes_per_us;
  } cases[] = {
    { "equal:1", 1, 0, (double) INFINITY },
    { "equal:3", 3, 0, (double) INFINITY },
    { "equal:2,bandwidth=10e9", 2, 0, 1e4 },
    { "equal:2,bandwidth=10GB", 2, 0, 1e4 },
    { "equal:2,bandwidth=10 GB/s", 2, 0, 1e4 },
    { "equal:2,bandwidth=unlimited,latency=1ms", 2, 1000, (double) INFINITY },
    { "equal:2,latency=1e-6", 2, 1, (double) INFINITY },
    { "equal:4,latency=5us,bandwidth=1e6", 4, 5, 1 },
    { "equal:2,latency=0", 2, 0, (double) INFINITY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanCluster) cluster = load (cases[i].spec);
      GobanDevice last = DEVICE (NULL, "gpu", 9.3e6, 732e3, (double) INFINITY, 5);
      g_autofree char *name = g_strdup_printf ("gpu:%u", cases[i].n - 1);

      last.name = name;
      g_assert_cmpstr (goban_cluster_get_name (cluster), ==, cases[i].spec);
      g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, cases[i].n);
      g_assert_true (goban_cluster_is_contention_free (cluster));
      assert_device (cluster, (GobanDeviceId) (cases[i].n - 1), &last);
      assert_linked (cluster, cases[i].latency_us, cases[i].bytes_per_us);
    }
}

static void
test_most_devices (void)
{
  g_autoptr (GobanCluster) cluster = load ("equal:1024,latency=1e-6");
  const GobanRoute *route = goban_cluster_get_route (cluster, 1023, 511);

  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, GOBAN_MAX_DEVICES);
  g_assert_cmpuint (route->n_links, ==, 1);
  g_assert_cmpstr (goban_cluster_get_link (cluster, route->links[0])->name, ==, "gpu:1023>gpu:511");
}

#define PRESETS                                                                                    \
  "p100x2, p100x4, p100x8, v100x2, v100x4, v100x8, cpu+gpu, a100x8, a100-40gbx8, h100x8, h200x8, " \
  "b200x8, mi300x8, l40sx4, 4090x2, KINDxN*M as h100x8*4, equal:N, msr:N"
#define NO_CLUSTER(spec)                                                                           \
  "there is no cluster “" spec "”; say " PRESETS ", devices:KIND,… or the path of a JSON file"

static void
test_refuses_bad_specs (void)
{
  static const struct
  {
    const char *spec;
    GobanError code;
    const char *message;
  } cases[] = {
    { "p100x3", GOBAN_ERROR_INVALID, NO_CLUSTER ("p100x3") },
    { "", GOBAN_ERROR_INVALID, NO_CLUSTER ("") },
    { "h100x8*", GOBAN_ERROR_INVALID, NO_CLUSTER ("h100x8*") },
    { "h100", GOBAN_ERROR_INVALID, NO_CLUSTER ("h100") },
    { "h100x0", GOBAN_ERROR_INVALID, "h100x0: a node has 1 to 8 devices" },
    { "h100x9*2", GOBAN_ERROR_INVALID, "h100x9*2: a node has 1 to 8 devices" },
    { "h100x8*0", GOBAN_ERROR_INVALID, "h100x8*0: there are 1 to 1024 devices in all" },
    { "h100x8*129", GOBAN_ERROR_INVALID, "h100x8*129: there are 1 to 1024 devices in all" },
    { "h100x8*99999999999999999999", GOBAN_ERROR_INVALID,
      "h100x8*99999999999999999999: there are 1 to 1024 devices in all" },
    { "h100x8,nics=1", GOBAN_ERROR_INVALID,
      "h100x8,nics=1: there is no option “nics=1”; say nic=B/s, shared, each, compute=SHARE, "
      "memory=SHARE, bus=SHARE or launch=s" },
    { "a100x8*2,nic=0", GOBAN_ERROR_INVALID,
      "a100x8*2,nic=0: nic: it is out of range; it may be from 0.001 B/s to 1e24 B/s, or "
      "unlimited" },
    { "a100x8,compute=good", GOBAN_ERROR_INVALID,
      "a100x8,compute=good: compute: “good” is not a number" },
    { "devices:", GOBAN_ERROR_INVALID, "devices:: name a kind for every device" },
    { "devices:a,,b", GOBAN_ERROR_INVALID, "devices:a,,b: “” does not name a kind of device" },
    { "devices:a,*", GOBAN_ERROR_INVALID, "devices:a,*: “*” does not name a kind of device" },
    { "devices:a,b,a=4", GOBAN_ERROR_INVALID, "devices:a,b,a=4: the kind a is given twice" },
    { "equal:", GOBAN_ERROR_INVALID, "equal:: “” is not a number of devices; say 1 to 1024" },
    { "equal:0", GOBAN_ERROR_INVALID, "equal:0: “0” is not a number of devices; say 1 to 1024" },
    { "equal:1025", GOBAN_ERROR_INVALID,
      "equal:1025: “1025” is not a number of devices; say 1 to 1024" },
    { "equal:-2", GOBAN_ERROR_INVALID, "equal:-2: “-2” is not a number of devices; say 1 to 1024" },
    { "equal:4x", GOBAN_ERROR_INVALID, "equal:4x: “4x” is not a number of devices; say 1 to 1024" },
    { "equal:4,bandwith=3", GOBAN_ERROR_INVALID,
      "equal:4,bandwith=3: there is no option “bandwith”; say bandwidth=B/s or latency=s" },
    { "equal:4,", GOBAN_ERROR_INVALID,
      "equal:4,: there is no option “”; say bandwidth=B/s or latency=s" },
    { "equal:4,latency", GOBAN_ERROR_INVALID, "equal:4,latency: latency has no value" },
    { "equal:4,latency=", GOBAN_ERROR_INVALID, "equal:4,latency=: latency has no value" },
    { "equal:4,latency=1,latency=2", GOBAN_ERROR_INVALID,
      "equal:4,latency=1,latency=2: latency is given twice" },
    { "equal:4,bandwidth=0", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=0: bandwidth: it is out of range; it may be from 0.001 B/s to 1e24 B/s, "
      "or unlimited" },
    { "equal:4,bandwidth=-1", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=-1: bandwidth: “-1” is not a valid size" },
    { "equal:4,bandwidth=1 XB", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=1 XB: bandwidth: “1 XB” has the unknown unit “XB” for a size" },
    { "equal:4,latency=-1", GOBAN_ERROR_INVALID,
      "equal:4,latency=-1: latency: it is out of range; it may be from 0 s to 1e9 s" },
    { "equal:4,latency=nan", GOBAN_ERROR_INVALID,
      "equal:4,latency=nan: latency: “nan” is not a valid time" },
    { "equal:4,latency=inf", GOBAN_ERROR_INVALID,
      "equal:4,latency=inf: latency: “inf” is not a valid time" },
    { "equal:4,bandwidth=1e-300B/s", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=1e-300B/s: bandwidth: it is out of range; it may be from 0.001 B/s to "
      "1e24 B/s, "
      "or unlimited" },
    { "equal:4,bandwidth=0.0005", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=0.0005: bandwidth: it is out of range; it may be from 0.001 B/s to 1e24 "
      "B/s, or "
      "unlimited" },
    { "equal:4,bandwidth=1e308 GB/s", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=1e308 GB/s: bandwidth: “1e308 GB” is too large for a size" },
    { "equal:4,bandwidth=1e999", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=1e999: bandwidth: “1e999” is too large for a size" },
    { "equal:4,bandwidth=0x10", GOBAN_ERROR_INVALID,
      "equal:4,bandwidth=0x10: bandwidth: “0x10” has the unknown unit “x10” for a size" },
    { "equal:4,latency=1e302", GOBAN_ERROR_INVALID,
      "equal:4,latency=1e302: latency: it is out of range; it may be from 0 s to 1e9 s" },
    { "equal:4,latency=0x1p3", GOBAN_ERROR_INVALID,
      "equal:4,latency=0x1p3: latency: “0x1p3” has the unknown unit “x1p3” for a time" },
    { "msr:2,memory=nan", GOBAN_ERROR_INVALID,
      "msr:2,memory=nan: memory: “nan” is not a valid size" },
    { "msr:2,memory=-1", GOBAN_ERROR_INVALID, "msr:2,memory=-1: memory: “-1” is not a valid size" },
    { "msr:2,memory=1e300", GOBAN_ERROR_INVALID,
      "msr:2,memory=1e300: memory: it is out of range; it may be from 0 B to 1e24 B, or "
      "unlimited" },
    { "msr:2,memories=1", GOBAN_ERROR_INVALID,
      "msr:2,memories=1: “memories=1” is not an option; say memory=BYTES" },
    { "equal:4,latency=5 parsecs", GOBAN_ERROR_INVALID,
      "equal:4,latency=5 parsecs: latency: “5 parsecs” has the unknown unit “parsecs” for a time" },
    { "no/such.json", GOBAN_ERROR_IO, "no/such.json: cannot be read: there is no such file" },
    { "nosuch.json", GOBAN_ERROR_IO, "nosuch.json: cannot be read: there is no such file" },
    { "/", GOBAN_ERROR_IO, "/: cannot be read: it is a folder" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_cluster_new_from_spec (cases[i].spec, &error));
      g_assert_error (error, GOBAN_ERROR, (int) cases[i].code);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* A path that a suite or a session names may not lead to where reading waits. */
static void
test_inner_specs (void)
{
  static const char *const paths[] = { "/dev/zero", "-" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) preset = goban_cluster_new_from_inner_spec ("p100x2", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (goban_cluster_get_n_devices (preset), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_assert_null (goban_cluster_new_from_inner_spec (paths[i], &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
      g_clear_error (&error);
    }
}

static void
test_what_if_devices (void)
{
  static const char *const fields[]
      = { "flops_per_us", "memory_bytes_per_us", "memory_bytes", "launch_us" };
  g_autoptr (GobanCluster) cluster = load ("p100x4");

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanCluster) changed
          = goban_cluster_with_device (cluster, 2, fields[i], 7, &error);
      GobanDevice wanted = *goban_cluster_get_device (cluster, 2);

      g_assert_no_error (error);
      *(i == 0   ? &wanted.flops_per_us
        : i == 1 ? &wanted.memory_bytes_per_us
        : i == 2 ? &wanted.memory_bytes
                 : &wanted.launch_us)
          = 7;
      assert_device (changed, 2, &wanted);
      assert_device (changed, 1, goban_cluster_get_device (cluster, 1));
      assert_linked (changed, 5, 12e3);
      /* Memory does not change how long an op takes. */
      g_assert_cmpuint (goban_cluster_get_n_classes (changed), ==, i == 2 ? 1 : 2);
      g_assert_cmpuint (goban_cluster_get_class (changed, 2), ==, i == 2 ? 0 : 1);
      g_assert_cmpuint (goban_cluster_get_class (changed, 3), ==, 0);
    }
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 2)->launch_us, ==, 5);
}

static void
test_what_if_links (void)
{
  g_autoptr (GobanCluster) cluster = load ("p100x4");
  guint direct = goban_cluster_get_route (cluster, 0, 1)->links[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) slow
      = goban_cluster_with_link (cluster, direct, "bytes_per_us", 1e3, &error);
  g_autoptr (GobanCluster) late = NULL;
  const GobanRoute *route;

  /* 1 MiB over two links of 12 GB/s is sooner there than over one of 1 GB/s. */
  g_assert_no_error (error);
  route = goban_cluster_get_route (slow, 0, 1);
  g_assert_cmpuint (route->n_links, ==, 2);
  g_assert_cmpfloat (route->latency_us, ==, 10);
  g_assert_cmpfloat (route->bytes_per_us, ==, 12e3);
  g_assert_cmpuint (goban_cluster_get_route (slow, 1, 0)->n_links, ==, 1);

  late = goban_cluster_with_link (cluster, direct, "latency_us", 20, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (goban_cluster_get_route (late, 0, 1)->latency_us, ==, 20);
  g_assert_cmpfloat (goban_cluster_get_route (cluster, 0, 1)->latency_us, ==, 5);
}

static void
test_refuses_bad_changes (void)
{
  static const struct
  {
    gboolean is_link;
    const char *field;
    double value;
    const char *message;
  } cases[] = {
    { FALSE, "speed", 1,
      "gpu:1 has no number “speed”; say flops_per_us, memory_bytes_per_us, memory_bytes, "
      "launch_us, "
      "tf32_flops_per_us, f16_flops_per_us, f8_flops_per_us, i8_flops_per_us, "
      "compute_efficiency, memory_efficiency or bus_efficiency" },
    { FALSE, "latency_us", 1,
      "gpu:1 has no number “latency_us”; say flops_per_us, memory_bytes_per_us, memory_bytes, "
      "launch_us, "
      "tf32_flops_per_us, f16_flops_per_us, f8_flops_per_us, i8_flops_per_us, "
      "compute_efficiency, memory_efficiency or bus_efficiency" },
    { FALSE, "flops_per_us", 0,
      "gpu:1: flops_per_us: it is out of range; it may be from 0.001 to 1e30 FLOPs per second" },
    { FALSE, "flops_per_us", (double) INFINITY,
      "gpu:1: flops_per_us: it is out of range; it may be from 0.001 to 1e30 FLOPs per second" },
    { FALSE, "memory_bytes", -1,
      "gpu:1: memory_bytes: it is out of range; it may be from 0 B to 1e24 B, or unlimited" },
    { FALSE, "launch_us", (double) INFINITY,
      "gpu:1: launch_us: it is out of range; it may be from 0 s to 1e9 s" },
    { TRUE, "memory_bytes", 1,
      "gpu:1>gpu:0 has no number “memory_bytes”; say bytes_per_us or latency_us" },
    { TRUE, "bytes_per_us", 0,
      "gpu:1>gpu:0: bytes_per_us: it is out of range; it may be from 0.001 B/s to 1e24 B/s, or "
      "unlimited" },
    { TRUE, "latency_us", -0.5,
      "gpu:1>gpu:0: latency_us: it is out of range; it may be from 0 s to 1e9 s" },
  };
  g_autoptr (GobanCluster) cluster = load ("p100x2");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      if (cases[i].is_link)
        g_assert_null (
            goban_cluster_with_link (cluster, 1, cases[i].field, cases[i].value, &error));
      else
        g_assert_null (
            goban_cluster_with_device (cluster, 1, cases[i].field, cases[i].value, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

TEST_PROGRAM (cluster)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster/presets/have-their-numbers", test_presets_have_their_numbers);
  g_test_add_func ("/cluster/presets/cpu-comes-last", test_cpu_comes_last);
  g_test_add_func ("/cluster/presets/are-listed", test_presets_are_listed);
  g_test_add_func ("/cluster/nodes/have-their-numbers", test_nodes_have_their_numbers);
  g_test_add_func ("/cluster/nodes/are-joined", test_nodes_are_joined);
  g_test_add_func ("/cluster/equal/devices", test_equal_devices);
  g_test_add_func ("/cluster/equal/most-devices", test_most_devices);
  g_test_add_func ("/cluster/spec/refuses-bad-ones", test_refuses_bad_specs);
  g_test_add_func ("/cluster/spec/inner-specs", test_inner_specs);
  g_test_add_func ("/cluster/what-if/devices", test_what_if_devices);
  g_test_add_func ("/cluster/what-if/links", test_what_if_links);
  g_test_add_func ("/cluster/what-if/refuses-bad-ones", test_refuses_bad_changes);
  return g_test_run ();
}
