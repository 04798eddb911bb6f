/* presets.c: the clusters that have a name, and those that a spec describes: equal:N, msr:N,
 * devices:KIND, lanes:NAME=KIND. Those of today's accelerators are in nodes.c.
 *
 * Figures of devices are those of the vendors' data sheets: NVIDIA Tesla P100 for PCIe (9.3 TFLOP/s
 * single precision, 732 GB/s, 16 GB), NVIDIA Tesla V100 SXM2 (15.7 TFLOP/s, 900 GB/s, 16 GB).
 * Vendors of memory count in powers of 1024. The CPU is one socket of Intel's Broadwell: about 18
 * cores x 16 fused multiply-adds x 2.1 GHz give 0.6 TFLOP/s as a round figure that dense kernels
 * reach, four channels of DDR4-2000 give 60 GB/s.
 *
 * Launching a kernel takes about 5 us from the framework's call to its start, and about as long for
 * a copy between devices; a call on the CPU takes about 1 us. PCI Express 3 x16 carries 12 GB/s of
 * the nominal 15.75; one link of NVLink 2 carries 25 GB/s each way. Every pair of devices has its
 * own link each way: this is simpler than the tree of PCI switches or the hybrid cube mesh of a
 * real machine, whose contention it leaves out except at the ends of each transfer.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster-draft.h"

#include <math.h>
#include <string.h>

#define GIB (1024.0 * 1024 * 1024)

static const GobanDevice p100 = {
  .kind = "gpu",
  .flops_per_us = 9.3e6,
  .memory_bytes_per_us = 732e3,
  .memory_bytes = 16 * GIB,
  .launch_us = 5,
};

static const GobanDevice v100 = {
  .kind = "gpu",
  .flops_per_us = 15.7e6,
  .memory_bytes_per_us = 900e3,
  .memory_bytes = 16 * GIB,
  .launch_us = 5,
};

static const GobanDevice broadwell = {
  .kind = "cpu",
  .flops_per_us = 0.6e6,
  .memory_bytes_per_us = 60e3,
  .memory_bytes = 64 * GIB,
  .launch_us = 1,
};

static const GobanLink pcie3 = { .latency_us = 5, .bytes_per_us = 12e3 };
static const GobanLink nvlink2 = { .latency_us = 5, .bytes_per_us = 25e3 };

typedef struct
{
  const char *name;
  const GobanDevice *gpu;
  guint n_gpus;
  const GobanDevice *cpu; /* (nullable), behind the GPUs */
  const GobanLink *link;
} Preset;

static const Preset presets[] = {
  { "p100x2", &p100, 2, NULL, &pcie3 },        { "p100x4", &p100, 4, NULL, &pcie3 },
  { "p100x8", &p100, 8, NULL, &pcie3 },        { "v100x2", &v100, 2, NULL, &nvlink2 },
  { "v100x4", &v100, 4, NULL, &nvlink2 },      { "v100x8", &v100, 8, NULL, &nvlink2 },
  { "cpu+gpu", &p100, 1, &broadwell, &pcie3 },
};

const char *const *
goban_cluster_presets (void)
{
  static const char *const pairs[] = {
    "p100x2",
    N_ ("2 NVIDIA P100 of 16 GiB, PCI Express 3 between every two"),
    "p100x4",
    N_ ("4 NVIDIA P100 of 16 GiB, PCI Express 3 between every two"),
    "p100x8",
    N_ ("8 NVIDIA P100 of 16 GiB, PCI Express 3 between every two"),
    "v100x2",
    N_ ("2 NVIDIA V100 of 16 GiB, one link of NVLink 2 between every two"),
    "v100x4",
    N_ ("4 NVIDIA V100 of 16 GiB, one link of NVLink 2 between every two"),
    "v100x8",
    N_ ("8 NVIDIA V100 of 16 GiB, one link of NVLink 2 between every two"),
    "cpu+gpu",
    N_ ("an NVIDIA P100 of 16 GiB and an Intel Broadwell CPU with 64 GiB, PCI Express 3"),
    "a100x8",
    N_ ("8 NVIDIA A100 of 80 GiB on an NVSwitch; a100x8*4 are four such nodes"),
    "a100-40gbx8",
    N_ ("8 NVIDIA A100 of 40 GiB on an NVSwitch"),
    "h100x8",
    N_ ("8 NVIDIA H100 of 80 GiB on an NVSwitch; h100x8*4 are four such nodes"),
    "h200x8",
    N_ ("8 NVIDIA H200 of 141 GiB on an NVSwitch"),
    "b200x8",
    N_ ("8 NVIDIA B200 of 180 GiB on an NVSwitch"),
    "mi300x8",
    N_ ("8 AMD MI300X of 192 GiB, Infinity Fabric between every two"),
    "l40sx4",
    N_ ("4 NVIDIA L40S of 48 GiB on PCI Express 4"),
    "4090x2",
    N_ ("2 NVIDIA RTX 4090 of 24 GiB on PCI Express 4"),
    NULL,
  };

  return pairs;
}

static void
add_gpus (GobanClusterDraft *draft, guint n, const GobanDevice *figures)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("gpu:%u", i);

      goban_cluster_draft_add_device (draft, name, figures);
    }
}

/* Every pair is linked, and no number in range makes a link so long that it leads nowhere. */
static GobanCluster *
finish_linked (GobanClusterDraft *draft, const GobanLink *link)
{
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;

  goban_cluster_draft_link_all (draft, link);
  cluster = goban_cluster_draft_finish (draft, &error);
  g_assert_no_error (error);
  return cluster;
}

GobanCluster *
goban_cluster_new_preset (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    if (strcmp (presets[i].name, name) == 0)
      {
        GobanClusterDraft *draft = goban_cluster_draft_new (name);

        add_gpus (draft, presets[i].n_gpus, presets[i].gpu);
        if (presets[i].cpu != NULL)
          goban_cluster_draft_add_device (draft, "cpu:0", presets[i].cpu);
        return finish_linked (draft, presets[i].link);
      }
  return NULL;
}

/* --- equal:N -------------------------------------------------------------- */

/* A bare number is seconds here, as the option's name in the manual says. */
gboolean
goban_parse_latency (const char *text, double *latency_us, GError **error)
{
  double seconds;

  if (!goban_parse_number (text, &seconds))
    return goban_parse_time (text, latency_us, error);
  *latency_us = seconds * 1e6;
  return TRUE;
}

static gboolean
parse_equal_option (const char *option, GobanLink *link, guint *seen, GError **error)
{
  const char *equals = strchr (option, '=');
  g_autofree char *key = equals != NULL ? g_strndup (option, equals - option) : g_strdup (option);
  gboolean is_bandwidth = strcmp (key, "bandwidth") == 0;
  guint bit = is_bandwidth ? 1 : 2;

  if (!is_bandwidth && strcmp (key, "latency") != 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "there is no option “%s”; say bandwidth=B/s or latency=s", key);
      return FALSE;
    }
  if ((*seen & bit) != 0)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s is given twice", key);
      return FALSE;
    }
  *seen |= bit;

  if (equals == NULL || equals[1] == '\0')
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s has no value", key);
      return FALSE;
    }
  if (!(is_bandwidth ? goban_parse_bandwidth (equals + 1, &link->bytes_per_us, error)
                     : goban_parse_latency (equals + 1, &link->latency_us, error))
      || !goban_cluster_check_number (is_bandwidth ? "bytes_per_us" : "latency_us",
                                      is_bandwidth ? link->bytes_per_us : link->latency_us, error))
    {
      g_prefix_error (error, "%s: ", key);
      return FALSE;
    }
  return TRUE;
}

static gboolean
parse_equal_count (const char *text, guint *n_devices, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint64 n;

  if (!g_ascii_string_to_unsigned (text, 10, 1, GOBAN_MAX_DEVICES, &n, &local))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "“%s” is not a number of devices; say 1 to %d",
                       text, GOBAN_MAX_DEVICES);
      return FALSE;
    }
  *n_devices = (guint) n;
  return TRUE;
}

GobanCluster *
goban_cluster_new_equal (const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec + strlen ("equal:"), ",", -1);
  GobanLink link = { .latency_us = 0, .bytes_per_us = INFINITY };
  GobanDevice figures = p100;
  GobanClusterDraft *draft;
  guint n_devices;
  guint seen = 0;
  gboolean good = parse_equal_count (words[0] != NULL ? words[0] : "", &n_devices, error);

  for (guint i = 1; good && words[i] != NULL; i++)
    good = parse_equal_option (words[i], &link, &seen, error);
  if (!good)
    {
      g_prefix_error (error, "%s: ", spec);
      return NULL;
    }

  figures.memory_bytes = INFINITY;
  draft = goban_cluster_draft_new (spec);
  draft->contention_free = TRUE;
  add_gpus (draft, n_devices, &figures);
  return finish_linked (draft, &link);
}

/* --- msr:N ---------------------------------------------------------------- */

static gboolean
parse_msr_option (const char *option, double *memory_bytes, GError **error)
{
  if (!g_str_has_prefix (option, "memory="))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not an option; say memory=BYTES",
                         option);
  if (goban_parse_bytes (option + strlen ("memory="), memory_bytes, error)
      && goban_cluster_check_number ("memory_bytes", *memory_bytes, error))
    return TRUE;
  g_prefix_error (error, "memory: ");
  return FALSE;
}

GobanCluster *
goban_cluster_new_msr (const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec + strlen ("msr:"), ",", -1);
  GobanLink link = { .latency_us = 0, .bytes_per_us = INFINITY };
  GobanDevice accelerator = p100;
  GobanDevice cpu = broadwell;
  GobanClusterDraft *draft;
  guint n_gpus;

  accelerator.memory_bytes = INFINITY;
  cpu.memory_bytes = INFINITY;
  if (!parse_equal_count (words[0] != NULL ? words[0] : "", &n_gpus, error))
    {
      g_prefix_error (error, "%s: ", spec);
      return NULL;
    }
  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (!parse_msr_option (words[i], &accelerator.memory_bytes, error))
      {
        g_prefix_error (error, "%s: ", spec);
        return NULL;
      }
  if (n_gpus == GOBAN_MAX_DEVICES)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s: with the CPUs that is one too many", spec);
      return NULL;
    }
  draft = goban_cluster_draft_new (spec);
  draft->contention_free = TRUE;
  add_gpus (draft, n_gpus, &accelerator);
  goban_cluster_draft_add_device (draft, "cpu:0", &cpu);
  return finish_linked (draft, &link);
}

/* --- devices:KIND --------------------------------------------------------- */

/* Takes @name, which @figures may borrow, and which @seen has not had. */
static gboolean
add_device (GobanClusterDraft *draft, GHashTable *seen, char *name, const GobanDevice *figures,
            GError **error)
{
  g_hash_table_add (seen, name);
  if (draft->devices->len == GOBAN_MAX_DEVICES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "there are more than %d devices",
                         GOBAN_MAX_DEVICES);
  goban_cluster_draft_add_device (draft, name, figures);
  return TRUE;
}

/* "p0" or "p0=BYTES"; devices are called as their kinds. Their speeds are a P100's, for the nodes
 * that come without times. */
static gboolean
add_device_of_kind (GobanClusterDraft *draft, GHashTable *seen, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  g_autofree char *kind = equals != NULL ? g_strndup (word, equals - word) : g_strdup (word);
  GobanDevice figures = p100;

  figures.kind = kind;
  figures.memory_bytes = INFINITY;
  if (*kind == '\0' || strcmp (kind, "*") == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” does not name a kind of device", word);
  if (g_hash_table_contains (seen, kind))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the kind %s is given twice", kind);
  if (equals != NULL
      && (!goban_parse_bytes (equals + 1, &figures.memory_bytes, error)
          || !goban_cluster_check_number ("memory_bytes", figures.memory_bytes, error)))
    return FALSE;
  return add_device (draft, seen, g_steal_pointer (&kind), &figures, error);
}

/* "stream 7=gpu": a name and a kind. */
static gboolean
add_lane (GobanClusterDraft *draft, GHashTable *seen, const char *word, GError **error)
{
  const char *equals = strrchr (word, '=');
  g_autofree char *name = equals != NULL ? g_strndup (word, equals - word) : g_strdup (word);
  GobanDevice figures = p100;

  if (equals == NULL || equals == word || equals[1] == '\0' || strcmp (equals + 1, "*") == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not a lane; say NAME=KIND", word);
  if (g_hash_table_contains (seen, name))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the lane %s is given twice", name);
  figures.kind = equals + 1;
  figures.memory_bytes = INFINITY;
  return add_device (draft, seen, g_steal_pointer (&name), &figures, error);
}

/* Lanes of a recorded run never wait for each other's transfers: the recording has their times. */
GobanCluster *
goban_cluster_new_devices (const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (strchr (spec, ':') + 1, ",", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new (spec);
  const GobanLink link = { .latency_us = 0, .bytes_per_us = INFINITY };
  gboolean good = words[0] != NULL
                  || goban_refuse (error, GOBAN_ERROR_INVALID, "name a kind for every device");

  draft->contention_free = g_str_has_prefix (spec, "lanes:");
  for (guint i = 0; good && words[i] != NULL; i++)
    good = draft->contention_free ? add_lane (draft, seen, words[i], error)
                                  : add_device_of_kind (draft, seen, words[i], error);
  if (good)
    return finish_linked (g_steal_pointer (&draft), &link);
  g_prefix_error (error, "%s: ", spec);
  return NULL;
}
