#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/rng.h"
#include "engine/machine/cluster/cluster.h"
#include "tests/support/protocol-document.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define NUMBERS "\"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1e9, \"memory\": 64"
#define TWO "\"devices\": [{ \"name\": \"a\", " NUMBERS " }, { \"name\": \"b\", " NUMBERS " }]"
#define AB "{ \"from\": \"a\", \"to\": \"b\", \"bandwidth\": 1e9 }"

static GobanCluster *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_json (json, -1, "some/where.json", &error);

  g_assert_no_error (error);
  g_assert_nonnull (cluster);
  return cluster;
}

static void
assert_same (const GobanCluster *a, const GobanCluster *b)
{
  guint n_devices = goban_cluster_get_n_devices (a);
  guint n_links = goban_cluster_get_n_links (a);

  g_assert_cmpstr (goban_cluster_get_name (a), ==, goban_cluster_get_name (b));
  g_assert_cmpint (goban_cluster_is_contention_free (a), ==, goban_cluster_is_contention_free (b));
  g_assert_cmpuint (n_devices, ==, goban_cluster_get_n_devices (b));
  g_assert_cmpuint (n_links, ==, goban_cluster_get_n_links (b));
  for (guint d = 0; d < n_devices; d++)
    {
      const GobanDevice *x = goban_cluster_get_device (a, (GobanDeviceId) d);
      const GobanDevice *y = goban_cluster_get_device (b, (GobanDeviceId) d);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpstr (x->kind, ==, y->kind);
      g_assert_cmpfloat (x->flops_per_us, ==, y->flops_per_us);
      g_assert_cmpfloat (x->memory_bytes_per_us, ==, y->memory_bytes_per_us);
      g_assert_cmpfloat (x->memory_bytes, ==, y->memory_bytes);
      g_assert_cmpfloat (x->launch_us, ==, y->launch_us);
      g_assert_true (goban_device_speeds_alike (x, y));
    }
  for (guint e = 0; e < n_links; e++)
    {
      const GobanLink *x = goban_cluster_get_link (a, e);
      const GobanLink *y = goban_cluster_get_link (b, e);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpuint (x->from, ==, y->from);
      g_assert_cmpuint (x->to, ==, y->to);
      g_assert_cmpfloat (x->latency_us, ==, y->latency_us);
      g_assert_cmpfloat (x->bytes_per_us, ==, y->bytes_per_us);
      g_assert_cmpstr (goban_cluster_get_vertex_name (a, x->from), ==,
                       goban_cluster_get_vertex_name (b, x->from));
    }
}

static void
assert_round_trip (const GobanCluster *cluster)
{
  g_autofree char *json = goban_cluster_to_json (cluster);
  g_autoptr (GobanCluster) again = parse (json);
  g_autofree char *json_again = goban_cluster_to_json (again);

  assert_same (cluster, again);
  g_assert_cmpstr (json, ==, json_again);
}

static void
test_reads_every_field (void)
{
  g_autoptr (GobanCluster) cluster = parse (
      "{ \"name\": \"two racks\", \"contention_free\": true, \"devices\": ["
      "{ \"name\": \"gpu\", \"count\": 2, \"kind\": \"gpu\", \"tflops\": 9.3,"
      "  \"memory_bandwidth\": \"732 GB/s\", \"memory\": \"16 GiB\", \"launch\": \"5 us\" },"
      "{ \"name\": \"host\", \"kind\": \"cpu\", \"flops_per_s\": 6e11,"
      "  \"memory_bandwidth\": 60000000000, \"memory\": \"unlimited\" }],"
      "\"switches\": [\"rack\"],"
      "\"links\": ["
      "{ \"from\": \"gpu:0\", \"to\": \"rack\", \"bandwidth\": \"12 GB/s\", \"latency\": \"1 ms\","
      "  \"name\": \"uplink\" },"
      "{ \"from\": \"gpu:1\", \"to\": \"rack\", \"bandwidth\": \"unlimited\" },"
      "{ \"from\": \"host\", \"to\": \"rack\", \"bytes_per_us\": 3, \"both_ways\": false },"
      "{ \"from\": \"rack\", \"to\": \"host\", \"bandwidth\": 4e6, \"latency\": 2.5,"
      "  \"both_ways\": false }] }");
  const GobanDevice *gpu = goban_cluster_get_device (cluster, 1);
  const GobanDevice *host = goban_cluster_get_device (cluster, 2);

  g_assert_cmpstr (goban_cluster_get_name (cluster), ==, "two racks");
  g_assert_true (goban_cluster_is_contention_free (cluster));
  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, 3);
  g_assert_cmpstr (gpu->name, ==, "gpu:1");
  g_assert_cmpfloat (gpu->flops_per_us, ==, 9.3e6);
  g_assert_cmpfloat (gpu->memory_bytes_per_us, ==, 732e3);
  g_assert_cmpfloat (gpu->memory_bytes, ==, 16 * 1073741824.0);
  g_assert_cmpfloat (gpu->launch_us, ==, 5);
  g_assert_cmpstr (host->kind, ==, "cpu");
  g_assert_cmpfloat (host->flops_per_us, ==, 6e5);
  g_assert_cmpfloat (host->memory_bytes_per_us, ==, 6e4);
  g_assert_true (isinf (host->memory_bytes));
  g_assert_cmpfloat (host->launch_us, ==, 0);

  g_assert_cmpuint (goban_cluster_get_n_links (cluster), ==, 6);
  g_assert_cmpstr (goban_cluster_get_link (cluster, 0)->name, ==, "uplink");
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 0)->latency_us, ==, 1000);
  g_assert_cmpstr (goban_cluster_get_link (cluster, 1)->name, ==, "uplink-back");
  g_assert_cmpuint (goban_cluster_get_link (cluster, 1)->to, ==, 0);
  g_assert_cmpstr (goban_cluster_get_link (cluster, 2)->name, ==, "gpu:1>rack");
  g_assert_true (isinf (goban_cluster_get_link (cluster, 3)->bytes_per_us));
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 4)->bytes_per_us, ==, 3);
  g_assert_cmpfloat (goban_cluster_get_link (cluster, 5)->bytes_per_us, ==, 4);
  g_assert_cmpfloat (goban_cluster_get_route (cluster, 0, 2)->latency_us, ==, 1002.5);
  assert_round_trip (cluster);
}

static void
test_reads_peaks (void)
{
  g_autoptr (GobanCluster) cluster = parse (
      "{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"peaks\": { \"f16\": \"312 TFLOP/s\","
      " \"i8\": \"0.624 POP/s\", \"tf32\": 156e12 }, \"compute_efficiency\": 0.83,"
      " \"memory_efficiency\": 0.59, \"bus_efficiency\": 0.77 }] }");
  const GobanDevice *device = goban_cluster_get_device (cluster, 0);

  g_assert_cmpfloat (device->tf32_flops_per_us, ==, 156e6);
  g_assert_cmpfloat (device->f16_flops_per_us, ==, 312e6);
  g_assert_cmpfloat (device->f8_flops_per_us, ==, 0);
  g_assert_cmpfloat (device->i8_flops_per_us, ==, 624e6);
  g_assert_cmpfloat (device->compute_efficiency, ==, 0.83);
  g_assert_cmpfloat (device->memory_efficiency, ==, 0.59);
  g_assert_cmpfloat (device->bus_efficiency, ==, 0.77);
  assert_round_trip (cluster);
}

/* Numbers that no number per second gives back exactly; and groups, whose links go one way. */
static void
test_odd_peaks_round_trip (void)
{
  g_autoptr (GobanCluster) cluster
      = parse ("{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"peaks_per_us\": {"
               " \"tf32\": 0.1, \"f16\": 6864838.541790797, \"f8\": 3e23 } }], \"switches\": "
               "[\"tp\", \"dp\"],"
               " \"links\": [{ \"from\": \"a\", \"to\": \"tp\", \"bandwidth\": 1e9,"
               " \"both_ways\": false }] }");

  g_assert_cmpfloat (goban_cluster_get_device (cluster, 0)->f16_flops_per_us, ==,
                     6864838.541790797);
  g_assert_cmpfloat (goban_cluster_get_group_link (cluster, 0, "tp")->bytes_per_us, ==, 1e3);
  g_assert_null (goban_cluster_get_group_link (cluster, 0, "dp"));
  assert_round_trip (cluster);
}

static void
test_all_pairs_fills_the_rest (void)
{
  g_autoptr (GobanCluster) cluster
      = parse ("{ \"devices\": [{ \"name\": \"x\", \"count\": 3, " NUMBERS " }],"
               " \"links\": [{ \"from\": \"x:2\", \"to\": \"x:0\", \"bandwidth\": 5e9,"
               " \"both_ways\": false }], \"all_pairs\": { \"bandwidth\": \"1 GB\" } }");

  g_assert_cmpstr (goban_cluster_get_name (cluster), ==, "where.json");
  g_assert_cmpuint (goban_cluster_get_n_links (cluster), ==, 6);
  g_assert_cmpfloat (goban_cluster_get_route (cluster, 2, 0)->bytes_per_us, ==, 5e3);
  g_assert_cmpfloat (goban_cluster_get_route (cluster, 0, 2)->bytes_per_us, ==, 1e3);
  assert_round_trip (cluster);
}

static void
test_one_device_needs_no_links (void)
{
  g_autoptr (GobanCluster) cluster
      = parse ("{ \"devices\": [{ \"name\": \"only\", " NUMBERS " }] }");

  g_assert_cmpuint (goban_cluster_get_n_links (cluster), ==, 0);
  assert_round_trip (cluster);
}

static void
test_presets_round_trip (void)
{
  static const char *const specs[] = { "p100x2",  "p100x8",  "v100x8",
                                       "cpu+gpu", "equal:1", "equal:5,bandwidth=3e9,latency=0.1e-6",
                                       NULL };

  for (guint i = 0; specs[i] != NULL; i++)
    {
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (specs[i], NULL);
      g_autofree char *json = goban_cluster_to_json (cluster);

      assert_round_trip (cluster);
      g_assert_cmpint (strstr (json, "all_pairs") != NULL, ==, strcmp (specs[i], "equal:1") != 0);
    }
}

/* Numbers with all their digits, which per second would not always read back. */
static void
test_odd_numbers_round_trip (void)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("cpu+gpu", NULL);
  gboolean fell_back = FALSE;
  GobanRng rng;

  goban_rng_init (&rng, 3);
  for (guint i = 0; i < 400; i++)
    {
      static const char *const fields[]
          = { "flops_per_us", "memory_bytes_per_us", "memory_bytes", "launch_us" };
      double value = exp (goban_rng_uniform (&rng) * 40 - 15);
      g_autoptr (GobanCluster) changed
          = i % 6 < 4 ? goban_cluster_with_device (cluster, i % 2, fields[i % 6], value, NULL)
                      : goban_cluster_with_link (
                          cluster, i % 2, i % 6 == 4 ? "latency_us" : "bytes_per_us", value, NULL);
      g_autofree char *json = goban_cluster_to_json (changed);

      assert_round_trip (changed);
      fell_back |= strstr (json, "bytes_per_us") != NULL;
    }
  g_assert_true (fell_back);
}

static void
test_odd_names_round_trip (void)
{
  g_autoptr (GobanCluster) cluster = parse (
      "{ \"name\": \"a \\\"b\\\" \\\\ \\n é\", \"devices\": [{ \"name\": \"\\\"x\\\"\", " NUMBERS
      " }, { \"name\": \"y>z\", " NUMBERS " }], \"switches\": [\"s 1\", \"s, 2\"],"
      " \"links\": [{ \"from\": \"\\\"x\\\"\", \"to\": \"y>z\", \"bandwidth\": 1 },"
      " { \"from\": \"s 1\", \"to\": \"y>z\", \"bandwidth\": 1, \"both_ways\": false },"
      " { \"from\": \"y>z\", \"to\": \"s 1\", \"bandwidth\": 1, \"both_ways\": false,"
      "   \"name\": \"return\" }] }");

  assert_round_trip (cluster);
}

static void
test_writes_for_people (void)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autofree char *json = goban_cluster_to_json (cluster);

  g_assert_cmpstr (
      json, ==,
      "{\n  \"name\": \"p100x2\",\n  \"devices\": [\n"
      "    { \"name\": \"gpu:0\", \"kind\": \"gpu\", \"flops_per_s\": 9300000000000,"
      " \"memory_bandwidth\": 732000000000, \"memory\": 17179869184, \"launch\": 5 },\n"
      "    { \"name\": \"gpu:1\", \"kind\": \"gpu\", \"flops_per_s\": 9300000000000,"
      " \"memory_bandwidth\": 732000000000, \"memory\": 17179869184, \"launch\": 5 }\n  ],\n"
      "  \"all_pairs\": { \"bandwidth\": 12000000000, \"latency\": 5 }\n}\n");
}

/* A message per mistake. */
static const struct
{
  const char *json;
  const char *message;
} mistakes[] = {
  { "[]", "c.json:1: the top level is a list: an object is needed" },
  { "{}", "c.json:1: devices is missing" },
  { "{ \"devices\": [] }", "c.json:1: devices: the list is empty" },
  { "{ \"devices\": {} }", "c.json:1: devices is an object: a list is needed" },
  { "{ \"nodes\": 1 }",
    "c.json:1: nodes is not known; known are name, contention_free, devices, switches, links, "
    "all_pairs" },
  { "{ \"name\": 3, \"devices\": [] }", "c.json:1: name is 3: a text is needed" },
  { "{ \"name\": \"\", \"devices\": [] }", "c.json:1: name is “”: a name is needed" },
  { "{ \"contention_free\": 2, \"devices\": [] }",
    "c.json:1: contention_free is 2: true or false is needed" },
  { "{ \"devices\": [3] }", "c.json:1: devices[0] is 3: an object is needed" },
  { "{ \"devices\": [{ \"speed\": 3 }] }",
    "c.json:1: devices[0].speed is not known; known are name, kind, count, flops_per_s, tflops, "
    "memory_bandwidth, memory, launch, peaks, compute_efficiency, memory_efficiency, "
    "bus_efficiency, flops_per_us, memory_bytes_per_us, peaks_per_us" },
  { "{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"peaks\": { \"f64\": 1 } }] }",
    "c.json:1: devices[0].peaks.f64 is not known; known are tf32, f16, f8, i8" },
  { "{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"peaks\": { \"f16\": \"3 TB/s\" } }] }",
    "c.json:1: devices[0].peaks.f16: “3 TB/s” is not a rate such as 312 TFLOP/s" },
  { "{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"peaks\": { \"f16\": \"fast\" } }] }",
    "c.json:1: devices[0].peaks.f16: “fast” is not a rate such as 312 TFLOP/s" },
  { "{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"peaks\": {}, \"peaks_per_us\": {} }] }",
    "c.json:1: devices[0]: peaks and peaks_per_us say the same; give only one" },
  { "{ \"devices\": [{ \"name\": \"a\", " NUMBERS ", \"bus_efficiency\": 0 }] }",
    "c.json:1: devices[0].bus_efficiency: it is out of range; it may be from 0.0001 to 100" },
  { "{ \"devices\": [{ \"kind\": \"gpu\" }] }", "c.json:1: devices[0].name is missing" },
  { "{ \"devices\": [{ \"name\": \"a\" }] }", "c.json:1: devices[0].kind is missing" },
  { "{ \"devices\": [{ \"name\": [1], \"kind\": \"x\" }] }",
    "c.json:1: devices[0].name is a list: a text is needed" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\" }] }",
    "c.json:1: devices[0].flops_per_s is missing" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1 }] }",
    "c.json:1: devices[0].memory_bandwidth is missing" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1,"
    " \"memory_bandwidth\": 1 }] }",
    "c.json:1: devices[0].memory is missing" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1,"
    " \"flops_per_s\": 1 }] }",
    "c.json:1: devices[0]: flops_per_s and tflops say the same; give only one" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": \"9\" }] }",
    "c.json:1: devices[0].tflops is “9”: a number is needed" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 0 }] }",
    "c.json:1: devices[0].tflops: it is out of range; it may be from 0.001 to 1e30 FLOPs per "
    "second" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1e999 }] }",
    "c.json:1: devices[0].tflops is 1e999: a number is needed" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1,"
    " \"memory_bandwidth\": true }] }",
    "c.json:1: devices[0].memory_bandwidth is true: a number or a text with a unit is needed" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1,"
    " \"memory_bandwidth\": \"1 GB/h\" }] }",
    "c.json:1: devices[0].memory_bandwidth: “1 GB/h” has the unknown unit “GB/h” for a size" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1,"
    " \"memory_bandwidth\": 1, \"memory\": \"16 XB\" }] }",
    "c.json:1: devices[0].memory: “16 XB” has the unknown unit “XB” for a size" },
  { "{ \"devices\": [{ \"name\": \"a\", \"kind\": \"gpu\", \"tflops\": 1,"
    " \"memory_bandwidth\": 1, \"memory\": -1 }] }",
    "c.json:1: devices[0].memory: it is out of range; it may be from 0 B to 1e24 B, or unlimited" },
  { "{ \"devices\": [{ \"name\": \"a\", \"launch\": \"unlimited\", " NUMBERS " }] }",
    "c.json:1: devices[0].launch: “unlimited” is not a valid time" },
  { "{ \"devices\": [{ \"name\": \"a\", \"count\": 0, " NUMBERS " }] }",
    "c.json:1: devices[0].count is 0: a whole number from 1 to 1024 is needed" },
  { "{ \"devices\": [{ \"name\": \"a\", \"count\": 1.5e3, " NUMBERS " }] }",
    "c.json:1: devices[0].count is 1.5e3: a whole number from 1 to 1024 is needed" },
  { "{ \"devices\": [{ \"name\": \"a\", \"count\": 1024, " NUMBERS " },"
    " { \"name\": \"b\", " NUMBERS " }] }",
    "c.json:1: devices[1]: there are more than 1024 devices" },
  { "{ \"devices\": [{ \"name\": \"a\", " NUMBERS " }, { \"name\": \"a\", " NUMBERS " }] }",
    "c.json:1: devices[1]: the name “a” is taken" },
  { "{ " TWO ", \"switches\": [1] }", "c.json:1: switches[0] is 1: a name is needed" },
  { "{ " TWO ", \"switches\": [\"s\", \"b\"] }", "c.json:1: switches[1]: the name “b” is taken" },
  { "{ " TWO ", \"links\": [{ \"to\": \"a\" }] }", "c.json:1: links[0].from is missing" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"gpu:9\" }] }",
    "c.json:1: links[0].to: there is no device or switch “gpu:9”" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"a\", \"bandwidth\": 1 }] }",
    "c.json:1: links[0]: it leads from a to itself" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\" }] }",
    "c.json:1: links[0].bandwidth is missing" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\", \"bandwidth\": 0 }] }",
    "c.json:1: links[0].bandwidth: it is out of range; it may be from 0.001 B/s to 1e24 B/s, or "
    "unlimited" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\", \"bandwidth\": 1,"
    " \"bytes_per_us\": 1 }] }",
    "c.json:1: links[0]: bandwidth and bytes_per_us say the same; give only one" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\", \"bandwidth\": 1,"
    " \"latency\": \"1 h\" }] }",
    "c.json:1: links[0].latency: “1 h” has the unknown unit “h” for a time" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\", \"both_ways\": \"no\" }] }",
    "c.json:1: links[0].both_ways is “no”: true or false is needed" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\", \"width\": 1 }] }",
    "c.json:1: links[0].width is not known; known are from, to, bandwidth, latency, name, "
    "both_ways, bytes_per_us" },
  { "{ " TWO ", \"links\": [" AB ", " AB "] }",
    "c.json:1: links[1]: there is another link “a>b”; give one of them a name" },
  { "{ " TWO ", \"all_pairs\": 3 }", "c.json:1: all_pairs is 3: an object is needed" },
  { "{ " TWO ", \"all_pairs\": {} }", "c.json:1: all_pairs.bandwidth is missing" },
  { "{ " TWO ", \"all_pairs\": { \"bandwidth\": \"fast\" } }",
    "c.json:1: all_pairs.bandwidth: “fast” is not a valid size" },
  { "{ " TWO " }", "c.json:1: no links lead from a to b" },
  { "{ " TWO ", \"links\": [{ \"from\": \"a\", \"to\": \"b\", \"bandwidth\": 1,"
    " \"both_ways\": false }] }",
    "c.json:1: no links lead from b to a" },
  { "{ \"devices\": [\n{ \"name\": \"a\",\n \"memroy\": 1 }] }",
    "c.json:3: devices[0].memroy is not known: did you mean memory?" },
  { "{ " TWO ",\n // two\n }", "c.json:2:2: unexpected “/”; a name in quotes is expected" },
};

/* docs/cluster-json.md: its example can be read. */
static void
test_page (void)
{
  g_autofree char *json = protocol_document_read ("docs/cluster-json.md", "json");
  g_autoptr (GobanCluster) cluster = parse (json);

  g_assert_cmpuint (goban_cluster_get_n_devices (cluster), ==, 3);
  g_assert_cmpstr (goban_cluster_get_device (cluster, 1)->name, ==, "gpu:1");
  g_assert_cmpfloat (goban_cluster_get_device (cluster, 0)->launch_us, ==, 5);
  g_assert_true (isinf (goban_cluster_get_device (cluster, 2)->memory_bytes));
  g_assert_cmpfloat (goban_cluster_get_route (cluster, 1, 0)->latency_us, ==, 1);
  g_assert_cmpfloat (goban_cluster_get_route (cluster, 0, 2)->latency_us, ==, 4);
  assert_round_trip (cluster);
}

static void
test_refuses_bad_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_cluster_new_from_json (mistakes[i].json, -1, "c.json", &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_cmpstr (error->message, ==, mistakes[i].message);
    }
}

/* Every beginning of a good file is a bad file, and none crashes. */
static void
test_refuses_truncated_files (void)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("cpu+gpu", NULL);
  g_autofree char *json = goban_cluster_to_json (cluster);
  gsize length = strlen (json) - strlen ("}\n");

  for (gsize n = 0; n <= length; n++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_cluster_new_from_json (json, (gssize) n, "c.json", &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_true (g_str_has_prefix (error->message, "c.json:"));
    }
}

static void
test_loads_a_path (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mine", NULL);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", NULL);
  g_autofree char *json = goban_cluster_to_json (cluster);
  g_autoptr (GobanCluster) again = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_file_write (path, json, strlen (json), &error));
  again = goban_cluster_new_from_spec (path, &error);
  g_assert_no_error (error);
  assert_same (cluster, again);

  g_assert_true (goban_file_write (path, "", 0, &error));
  g_assert_null (goban_cluster_new_from_spec (path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_true (g_str_has_prefix (error->message, path));

  g_unlink (path);
  g_rmdir (folder);
}

TEST_PROGRAM (cluster_json)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster-json/reads/every-field", test_reads_every_field);
  g_test_add_func ("/cluster-json/reads/peaks", test_reads_peaks);
  g_test_add_func ("/cluster-json/round-trip/odd-peaks", test_odd_peaks_round_trip);
  g_test_add_func ("/cluster-json/reads/all-pairs", test_all_pairs_fills_the_rest);
  g_test_add_func ("/cluster-json/reads/one-device", test_one_device_needs_no_links);
  g_test_add_func ("/cluster-json/reads/a-path", test_loads_a_path);
  g_test_add_func ("/cluster-json/round-trip/presets", test_presets_round_trip);
  g_test_add_func ("/cluster-json/round-trip/odd-numbers", test_odd_numbers_round_trip);
  g_test_add_func ("/cluster-json/round-trip/odd-names", test_odd_names_round_trip);
  g_test_add_func ("/cluster-json/writes/for-people", test_writes_for_people);
  g_test_add_func ("/cluster-json/reads/page", test_page);
  g_test_add_func ("/cluster-json/refuses/bad-files", test_refuses_bad_files);
  g_test_add_func ("/cluster-json/refuses/truncated-files", test_refuses_truncated_files);
  return g_test_run ();
}
