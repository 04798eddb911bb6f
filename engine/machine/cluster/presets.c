/* presets.c: the clusters that have a name, and those that a spec describes: equal:N, msr:N,
 * devices:KIND, lanes:NAME=KIND; and nodes of today's accelerators.
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
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster-draft.h"

/* --- nodes ---------------------------------------------------------------- */

/* Clusters of today's accelerators by a spec such as "h100x8*4,nic=50GB/s": KINDxN[*M], N devices
 * in each of M nodes.
 *
 * Figures are those of the vendors' data sheets, dense (without sparsity):
 *   A100 SXM     NVIDIA A100 data sheet (2021): 19.5 TFLOP/s f32, 156 tf32, 312 f16, 624 TOP/s i8;
 *                80 GB at 2,039 GB/s or 40 GB at 1,555; NVLink 3, 600 GB/s both ways together
 *   H100 SXM     NVIDIA H100 data sheet and Hopper white paper: 66.9, 494.7, 989.4, 1,978.9 f8 and
 *                i8; 80 GB at 3,350 GB/s; NVLink 4, 900 GB/s
 *   H200 SXM     NVIDIA H200 data sheet: as H100 with 141 GB at 4,800 GB/s
 *   B200         NVIDIA Blackwell brief, HGX B200 at 1,000 W: 80, 1,100, 2,250, 4,500; 180 GB at
 *                8,000 GB/s; NVLink 5, 1,800 GB/s
 *   MI300X       AMD Instinct MI300X data sheet: 163.4, 653.7, 1,307.4, 2,614.9; 192 GB at
 *                5,300 GB/s; seven links of Infinity Fabric, 128 GB/s each both ways together
 *   L40S         NVIDIA L40S data sheet: 91.6, 183, 362, 733; 48 GB at 864 GB/s; PCI Express 4 x16
 *   RTX 4090     NVIDIA Ada white paper: 82.6, 82.6, 165.2 and 330.3 (sums in f32), 660.6 i8; 24 GB
 *                at 1,008 GB/s; PCI Express 4 x16
 *
 * The efficiencies (0.83 of the peak, 0.59 of the memory's bandwidth, 0.77 of the links') were
 * fitted on published iterations of GPT models on A100 and are assumed for the others until
 * somebody calibrates them: options compute=, memory= and bus=. Kernels are launched ahead of the
 * device, and what the gaps between them cost is in the fitted efficiencies: so launch= is 0.
 *
 * In a node every device has one link each way to a switch; the devices of an MI300X node have one
 * to every other instead, of which a ring uses one at a time. A step of NCCL over NVLink takes
 * about 4 us, over a network about 10. Nodes have a NIC for each device (each), which is its link
 * to the network, or the devices share what the node has (shared) behind its switch. nic= is the
 * bandwidth of each, or of the node; usual are 200 Gbit/s a device for A100, 400 for the later
 * ones, 200 Gbit/s a node of L40S and 10 Gbit/s a box of RTX 4090. */

#define GIB (1024.0 * 1024 * 1024)
#define MOST_IN_NODE 8
#define NETWORK_HOP_US 5.0
#define PCIE_HOP_US 2.5
#define PCIE5_BYTES_PER_US 64e3

typedef struct
{
  const char *name;
  GobanDevice figures;
  const char *hub; /* NULL: a link between every two */
  GobanLink link;  /* each way */
  double nic_bytes_per_us;
  gboolean shares_nic;
} Kind;

#define DEVICE(gib, rate, f32, tf32, f16, f8, i8)                                                  \
  {                                                                                                \
    .kind = "gpu", .flops_per_us = f32 * 1e6, .tf32_flops_per_us = tf32 * 1e6,                     \
    .f16_flops_per_us = f16 * 1e6, .f8_flops_per_us = f8 * 1e6, .i8_flops_per_us = i8 * 1e6,       \
    .memory_bytes = gib * GIB, .memory_bytes_per_us = rate * 1e3, .compute_efficiency = 0.83,      \
    .memory_efficiency = 0.59, .bus_efficiency = 0.77                                              \
  }
#define LINK(latency, rate)                                                                        \
  {                                                                                                \
    .latency_us = latency, .bytes_per_us = rate * 1e3                                              \
  }

/* clang-format off */
static const Kind kinds[] = {
  { "a100", DEVICE (80, 2039, 19.5, 156, 312, 0, 624), "nvswitch", LINK (2, 300), 25e3, FALSE },
  { "a100-40gb", DEVICE (40, 1555, 19.5, 156, 312, 0, 624), "nvswitch", LINK (2, 300), 25e3,
    FALSE },
  { "h100", DEVICE (80, 3350, 66.9, 494.7, 989.4, 1978.9, 1978.9), "nvswitch", LINK (2, 450), 50e3,
    FALSE },
  { "h200", DEVICE (141, 4800, 66.9, 494.7, 989.4, 1978.9, 1978.9), "nvswitch", LINK (2, 450),
    50e3, FALSE },
  { "b200", DEVICE (180, 8000, 80, 1100, 2250, 4500, 4500), "nvswitch", LINK (2, 900), 50e3,
    FALSE },
  { "mi300", DEVICE (192, 5300, 163.4, 653.7, 1307.4, 2614.9, 2614.9), NULL, LINK (4, 64), 50e3,
    FALSE },
  { "l40s", DEVICE (48, 864, 91.6, 183, 362, 733, 733), "pcie", LINK (PCIE_HOP_US, 32), 25e3,
    TRUE },
  { "4090", DEVICE (24, 1008, 82.6, 82.6, 165.2, 330.3, 660.6), "pcie", LINK (PCIE_HOP_US, 32),
    1.25e3, TRUE },
};

/* clang-format on */

typedef struct
{
  Kind kind; /* with the options */
  guint n_each;
  guint n_nodes;
} Nodes;

static guint
scan_count (const char *digits, char **end)
{
  guint64 count = g_ascii_strtoull (digits, end, 10);

  return (guint) MIN (count, G_MAXUINT16);
}

/* Reads "h100x8*4" and what follows it. */
static gboolean
scan_shape (const char *spec, Nodes *self, const char **rest)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n = strlen (kinds[i].name);
      char *end;

      if (strncmp (spec, kinds[i].name, n) != 0 || spec[n] != 'x' || !g_ascii_isdigit (spec[n + 1]))
        continue;
      self->kind = kinds[i];
      self->n_each = scan_count (spec + n + 1, &end);
      self->n_nodes = 1;
      if (*end == '*' && g_ascii_isdigit (end[1]))
        self->n_nodes = scan_count (end + 1, &end);
      *rest = end;
      return *end == '\0' || *end == ',';
    }
  return FALSE;
}

gboolean
goban_cluster_is_nodes (const char *spec)
{
  const char *rest;
  Nodes nodes;

  return scan_shape (spec, &nodes, &rest);
}

/* --- options ---------------------------------------------------------------------------------- */

static gboolean
parse_share (const char *text, double *share, GError **error)
{
  return goban_parse_number (text, share)
         || goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not a number", text);
}

/* A bare number is seconds here, as the option's name in the manual says. */
static gboolean
parse_latency (const char *text, double *latency_us, GError **error)
{
  double seconds;

  if (!goban_parse_number (text, &seconds))
    return goban_parse_time (text, latency_us, error);
  *latency_us = seconds * 1e6;
  return TRUE;
}

static gboolean
parse_option (const char *option, Kind *kind, GError **error)
{
  const struct
  {
    const char *key;
    const char *field;
    double *value;
    gboolean (*parse) (const char *text, double *value, GError **error);
  } options[] = {
    { "nic=", "bytes_per_us", &kind->nic_bytes_per_us, goban_parse_bandwidth },
    { "compute=", "compute_efficiency", &kind->figures.compute_efficiency, parse_share },
    { "memory=", "memory_efficiency", &kind->figures.memory_efficiency, parse_share },
    { "bus=", "bus_efficiency", &kind->figures.bus_efficiency, parse_share },
    { "launch=", "launch_us", &kind->figures.launch_us, parse_latency },
  };

  if (strcmp (option, "shared") == 0 || strcmp (option, "each") == 0)
    {
      kind->shares_nic = strcmp (option, "shared") == 0;
      return TRUE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      gsize n = strlen (options[i].key);

      if (strncmp (option, options[i].key, n) != 0)
        continue;
      if (options[i].parse (option + n, options[i].value, error)
          && goban_cluster_check_number (options[i].field, *options[i].value, error))
        return TRUE;
      g_prefix_error (error, "%.*s: ", (int) n - 1, option);
      return FALSE;
    }
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "there is no option “%s”; say nic=B/s, shared, each, compute=SHARE, "
                       "memory=SHARE, bus=SHARE or launch=s",
                       option);
}

static gboolean
parse (const char *spec, Nodes *self, GError **error)
{
  const char *rest = spec;
  g_auto (GStrv) words = NULL;

  if (!scan_shape (spec, self, &rest))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "it is not of the form KINDxN*M");
  if (self->n_each < 1 || self->n_each > MOST_IN_NODE)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a node has 1 to %d devices", MOST_IN_NODE);
  if (self->n_nodes < 1 || self->n_each * self->n_nodes > GOBAN_MAX_DEVICES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "there are 1 to %d devices in all",
                         GOBAN_MAX_DEVICES);
  words = g_strsplit (*rest == ',' ? rest + 1 : "", ",", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (!parse_option (words[i], &self->kind, error))
      return FALSE;
  return TRUE;
}

/* --- links ------------------------------------------------------------------------------------ */

static void
add_both_ways (GobanClusterDraft *draft, guint a, guint b, double latency_us, double bytes_per_us)
{
  const GobanLink there = { NULL, a, b, latency_us, bytes_per_us };
  const GobanLink back = { NULL, b, a, latency_us, bytes_per_us };

  goban_cluster_draft_add_link (draft, &there);
  goban_cluster_draft_add_link (draft, &back);
}

/* Whether nodes have a switch: for their devices, or for the NIC that these share. */
static gboolean
has_hubs (const Nodes *self)
{
  return self->n_each > 1
         && (self->kind.hub != NULL || (self->n_nodes > 1 && self->kind.shares_nic));
}

static void
add_node (const Nodes *self, GobanClusterDraft *draft, guint node)
{
  const Kind *kind = &self->kind;
  guint first = node * self->n_each;
  guint hub = self->n_nodes * self->n_each + node;
  guint network = has_hubs (self) ? hub - node + self->n_nodes : hub - node;

  for (guint i = first; i < first + self->n_each; i++)
    {
      if (has_hubs (self) && kind->hub != NULL)
        add_both_ways (draft, i, hub, kind->link.latency_us, kind->link.bytes_per_us);
      else if (has_hubs (self))
        add_both_ways (draft, i, hub, PCIE_HOP_US, PCIE5_BYTES_PER_US);
      for (guint k = first; kind->hub == NULL && k < i; k++)
        add_both_ways (draft, k, i, kind->link.latency_us, kind->link.bytes_per_us);
      if (self->n_nodes > 1 && !(has_hubs (self) && kind->shares_nic))
        add_both_ways (draft, i, network, NETWORK_HOP_US, kind->nic_bytes_per_us);
    }
  if (self->n_nodes > 1 && has_hubs (self) && kind->shares_nic)
    add_both_ways (draft, hub, network, NETWORK_HOP_US, kind->nic_bytes_per_us);
}

GobanCluster *
goban_cluster_new_nodes (const char *spec, GError **error)
{
  g_autoptr (GobanClusterDraft) draft = goban_cluster_draft_new (spec);
  Nodes self;

  if (!parse (spec, &self, error))
    {
      g_prefix_error (error, "%s: ", spec);
      return NULL;
    }
  for (guint i = 0; i < self.n_nodes * self.n_each; i++)
    {
      g_autofree char *name = g_strdup_printf ("gpu:%u", i);

      goban_cluster_draft_add_device (draft, name, &self.kind.figures);
    }
  for (guint i = 0; has_hubs (&self) && i < self.n_nodes; i++)
    {
      g_autofree char *name
          = g_strdup_printf ("%s:%u", self.kind.hub != NULL ? self.kind.hub : "pcie", i);

      goban_cluster_draft_add_switch (draft, name);
    }
  if (self.n_nodes > 1)
    goban_cluster_draft_add_switch (draft, "network");
  for (guint i = 0; i < self.n_nodes; i++)
    add_node (&self, draft, i);
  return goban_cluster_draft_finish (g_steal_pointer (&draft), error);
}

/* --- presets -------------------------------------------------------------- */

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

static gboolean
parse_equal_option (const char *option, GobanLink *link, guint *seen, GError **error)
{
  const char *equals = strchr (option, '=');
  g_autofree char *key = equals != NULL ? g_strndup (option, equals - option) : g_strdup (option);
  gboolean is_bandwidth = strcmp (key, "bandwidth") == 0;
  guint bit = is_bandwidth ? 1 : 2;

  if (!is_bandwidth && strcmp (key, "latency") != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "there is no option “%s”; say bandwidth=B/s or latency=s", key);
  if ((*seen & bit) != 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s is given twice", key);
  *seen |= bit;

  if (equals == NULL || equals[1] == '\0')
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s has no value", key);
  if (!(is_bandwidth ? goban_parse_bandwidth (equals + 1, &link->bytes_per_us, error)
                     : parse_latency (equals + 1, &link->latency_us, error))
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
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not a number of devices; say 1 to %d",
                         text, GOBAN_MAX_DEVICES);
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
