#include "engine/placers/placer.h"

#include "engine/base/error.h"
#include "engine/placers/policies.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_BETWEEN_CHECKS 2048

static const GobanPlacer table[] = {
  { "single", "everything on the one device that runs it fastest",
    "the baseline of every paper on placement", goban_place_single },
  { "tf-default", "TensorFlow's own placer: the first GPU that can run a node, else the CPU",
    "TensorFlow, core/common_runtime/placer.cc", goban_place_tf_default },
  { "random", "a device by lot for every node, colocation groups together",
    "the baseline of every search", goban_place_random },
  { "round-robin", "devices in turn, in topological order", "the baseline of every scheduler",
    goban_place_round_robin },
  { "topo", "m-TOPO: fills device after device in topological order, by memory",
    "Jeon et al., Baechi: Fast Device Placement of Machine Learning Graphs, SoCC 2020",
    goban_place_topo },
  { "metis", "balanced parts with few bytes between them, by METIS's k-way partitioning",
    "Karypis and Kumar, Multilevel k-way Partitioning Scheme for Irregular Graphs, 1998",
    goban_place_metis },
  { "heft", "earliest finish first by upward rank, filling gaps, within memory",
    "Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling for "
    "Heterogeneous Computing, 2002",
    goban_place_heft },
  { "critical-path", "the longest remaining path first, on the device that can start it first",
    "Adam, Chandy and Dickson, A Comparison of List Schedules for Parallel Processing Systems, "
    "1974",
    goban_place_critical_path },
};

const GobanPlacer *
goban_placers (gsize *n)
{
  *n = G_N_ELEMENTS (table);
  return table;
}

const GobanPlacer *
goban_placer_find (const char *name, GError **error)
{
  g_autoptr (GString) names = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].name, name) == 0)
      return &table[i];

  names = g_string_new (table[0].name);
  for (gsize i = 1; i < G_N_ELEMENTS (table); i++)
    g_string_append_printf (names, ", %s", table[i].name);
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID, "there is no policy “%s”; there are %s",
               name, names->str);
  return NULL;
}

GobanPlan *
goban_placer_place (const GobanPlacer *placer, GobanCostModel *costs,
                    const GobanPlacerOptions *options, guint64 *evaluations, GError **error)
{
  static const GobanPlacerOptions defaults = { .seed = 0 };
  guint64 ignored = 0;
  GobanPlan *plan;

  g_return_val_if_fail (placer != NULL && costs != NULL, NULL);

  if (options == NULL)
    options = &defaults;
  if (!goban_progress_check (options->progress, error))
    return NULL;

  plan = placer->place (costs, options, evaluations != NULL ? evaluations : &ignored, error);
  if (plan != NULL)
    goban_plan_set_policy (plan, placer->name);
  return plan;
}

gboolean
goban_policy_go_on (const GobanPlacerOptions *options, guint i, guint n, GError **error)
{
  if (i % STEPS_BETWEEN_CHECKS != 0)
    return TRUE;

  goban_progress_step (options->progress, (double) i / n, "placing");
  return goban_progress_check (options->progress, error);
}

typedef struct
{
  double rank;
  GobanNodeId node;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a;
  const Ranked *y = b;

  if (x->rank != y->rank)
    return x->rank > y->rank ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

void
goban_policy_sort_by_rank (GobanNodeId *order, const double *ranks, guint n_nodes)
{
  g_autofree Ranked *ranked = g_new (Ranked, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    ranked[v] = (Ranked){ ranks[v], v };
  if (n_nodes > 1)
    qsort (ranked, n_nodes, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < n_nodes; i++)
    order[i] = ranked[i].node;
}
