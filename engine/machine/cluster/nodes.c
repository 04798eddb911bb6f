/* nodes.c: clusters of today's accelerators by a spec such as "h100x8*4,nic=50GB/s": KINDxN[*M], N
 * devices in each of M nodes.
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
 * ones, 200 Gbit/s a node of L40S and 10 Gbit/s a box of RTX 4090.
 */
#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster-draft.h"

#include <string.h>

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
    { "launch=", "launch_us", &kind->figures.launch_us, goban_parse_latency },
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
