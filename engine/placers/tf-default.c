/* TensorFlow's default placer: no balance, just the first device that can run a node.
 *
 * A device that the graph's file names is kept, and its colocation group follows.
 * Devices are tried GPUs first, CPUs last, each by number. Two heuristics are its own. A: a
 * generator, a node without inputs and with one output, is placed after all others and
 * joins its consumers if they agree on a device. B: a node that only asks for the shape
 * of its input stays with it. Colocation groups go where their first placed node goes.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/graph/file-devices.h"
#include "engine/machine/cluster/device-number.h"
#include "engine/placers/policies.h"

#include <string.h>

typedef struct
{
  const GobanUnits *units;
  const GobanGraph *graph;
  GobanUnitDecisions decisions;
  GobanDeviceId *sorted;  /* (n_devices) */
  GobanDeviceId *devices; /* (n_units) GOBAN_NO_DEVICE until placed */
} Placing;

static guint
kind_rank (const GobanDevice *device)
{
  if (strcmp (device->kind, "gpu") == 0)
    return 0;
  return strcmp (device->kind, "cpu") == 0 ? 2 : 1;
}

static void
sort_devices (const GobanUnits *units, GobanDeviceId *sorted)
{
  guint n = 0;

  for (guint rank = 0; rank <= 2; rank++)
    for (guint d = 0; d < units->n_devices; d++)
      if (kind_rank (goban_cluster_get_device (units->cluster, (GobanDeviceId) d)) == rank)
        sorted[n++] = (GobanDeviceId) d;
}

static gboolean
is_generator (const GobanGraph *graph, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);
  guint n_outputs = 0;

  /* Control edges are no inputs or outputs. */
  for (guint i = 0; i < in.n; i++)
    if (!goban_graph_get_tensor (graph, goban_graph_get_edge (graph, in.ids[i])->tensor)
             ->is_control)
      return FALSE;
  for (GobanTensorId t = first; t < first + n_tensors; t++)
    n_outputs += !goban_graph_get_tensor (graph, t)->is_control;
  return n_outputs == 1 && goban_graph_get_out_edges (graph, v).n > 0;
}

static gboolean
is_metadata (const GobanNode *node)
{
  static const char *const ops[] = { "Shape", "ShapeN", "Size", "Rank", NULL };

  return g_strv_contains (ops, node->op);
}

static GobanDeviceId
device_of (const Placing *self, GobanNodeId v)
{
  return self->devices[self->units->unit_of[v]];
}

static GobanDeviceId
consumers_device (const Placing *self, GobanNodeId v)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);
  GobanDeviceId common = device_of (self, goban_graph_get_edge (self->graph, out.ids[0])->head);

  for (guint i = 1; i < out.n; i++)
    if (device_of (self, goban_graph_get_edge (self->graph, out.ids[i])->head) != common)
      return GOBAN_NO_DEVICE;
  return common;
}

static GobanDeviceId
producer_device (const Placing *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

  return in.n > 0 ? device_of (self, goban_graph_get_edge (self->graph, in.ids[0])->tail)
                  : GOBAN_NO_DEVICE;
}

/* @wanted if it is a device and can run the unit, else the first in the list that can. @note: the
 * reason for @wanted. */
static void
place_node (Placing *self, GobanNodeId v, GobanDeviceId wanted, const char *note)
{
  guint32 unit = self->units->unit_of[v];
  guint i = 0;

  if (self->devices[unit] != GOBAN_NO_DEVICE)
    return;

  if (wanted == GOBAN_NO_DEVICE || !goban_units_can_run (self->units, unit, wanted))
    {
      while (!goban_units_can_run (self->units, unit, self->sorted[i]))
        i++;
      wanted = self->sorted[i];
      note = NULL;
    }
  self->devices[unit] = goban_unit_decisions_make (&self->decisions, unit, wanted, note);
}

/* --- devices of the file --------------------------------------------------------------------- */

/* The cluster's device for a name of the file. */
static GobanDeviceId
find_device (const GobanCluster *cluster, const char *name)
{
  const char *colon = strrchr (name, ':');
  g_autofree char *kind = colon != NULL ? g_strndup (name, (gsize) (colon - name)) : NULL;
  guint64 number;

  if (kind == NULL || !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXUINT16, &number, NULL))
    return GOBAN_NO_DEVICE;
  return goban_device_find (cluster, kind, (guint) number);
}

static gboolean
keep_device (Placing *self, GobanNodeId v, GError **error)
{
  const char *node = goban_graph_get_node (self->graph, v)->name;
  const char *name = goban_graph_get_file_device (self->graph, v);
  const GobanCluster *cluster = self->units->cluster;
  guint32 unit = self->units->unit_of[v];
  GobanDeviceId device = find_device (cluster, name);

  if (*name == '\0' || (device != GOBAN_NO_DEVICE && self->devices[unit] == device))
    return TRUE;
  if (device == GOBAN_NO_DEVICE)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the file puts node “%s” on %s, which the cluster %s lacks", node, name,
                         goban_cluster_get_name (cluster));
  if (self->devices[unit] != GOBAN_NO_DEVICE)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the file puts node “%s” on %s, but another one of its colocation group "
                         "on %s",
                         node, name, goban_cluster_get_device (cluster, self->devices[unit])->name);
  if (!goban_units_can_run (self->units, unit, device))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the file puts node “%s” on %s, which cannot run it or its group", node,
                         name);
  self->devices[unit]
      = goban_unit_decisions_make (&self->decisions, unit, device, "as in the file");
  return TRUE;
}

static gboolean
keep_devices (Placing *self, GError **error)
{
  if (!goban_graph_has_file_devices (self->graph))
    return TRUE;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (!keep_device (self, v, error))
      return FALSE;
  return TRUE;
}

/* Nothing is compared: the first device that can run it is taken. */
static const GobanChoiceWords words = { NULL, GOBAN_SCORE_NONE, FALSE, NULL };

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *sorted = NULL;
  g_autofree GobanDeviceId *devices = NULL;
  guint n_nodes;
  Placing self;
  GobanPlan *plan;

  if (units == NULL)
    return NULL;

  n_nodes = goban_graph_get_n_nodes (units->graph);
  sorted = g_new (GobanDeviceId, units->n_devices);
  devices = g_new (GobanDeviceId, units->n_units);
  self = (Placing){ units, units->graph, goban_unit_decisions_begin (options, units, &words, 0),
                    sorted, devices };
  sort_devices (units, sorted);
  for (guint u = 0; u < units->n_units; u++)
    devices[u] = GOBAN_NO_DEVICE;
  if (!keep_devices (&self, error))
    return NULL;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (!goban_policy_go_on (options, v, n_nodes, error))
        return NULL;
      if (!is_generator (units->graph, v))
        place_node (&self, v,
                    is_metadata (goban_graph_get_node (units->graph, v))
                        ? producer_device (&self, v)
                        : GOBAN_NO_DEVICE,
                    "with its input");
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (is_generator (units->graph, v))
      place_node (&self, v, consumers_device (&self, v), "with its consumers");
  plan = goban_units_new_plan (units, devices);
  goban_unit_decisions_end (&self.decisions, plan, NULL, TRUE);
  return plan;
}

const GobanPlacer goban_placer_tf_default = {
  .name = "tf-default",
  .blurb = N_ ("TensorFlow's own placer: the first GPU that can run a node, else the CPU"),
  .about = N_ (
      "Keeps the devices that the graph's file names; the cluster must have them. Walks through "
      "the other nodes in graph order and gives each the first device that can run it, GPUs "
      "before CPUs, each by number; a colocation group goes with its first node. Two heuristics of "
      "the original: a source with one output is placed last and joins its consumers if they "
      "agree on a device; Shape, Size and Rank stay with their input. There is no balance: where "
      "the first GPU supports everything, it gets everything, and ops run in the order in which "
      "they become ready. Ours: devices that are neither GPU nor CPU come between the two."),
  .source = "TensorFlow, core/common_runtime/placer.cc",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
