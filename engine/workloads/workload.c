#include "engine/workloads/workload.h"

#include "engine/base/error.h"
#include "engine/workloads/coarse.h"
#include "engine/workloads/spec.h"

#include <string.h>

static const Workload *const workloads[] = {
  &workload_rnnlm,        &workload_gnmt,      &workload_transformer_xl,
  &workload_inception_v3, &workload_amoebanet, &workload_wavenet,
};

static const GobanFamily *const families[] = {
  &workload_rnnlm.family,        &workload_gnmt.family,      &workload_transformer_xl.family,
  &workload_inception_v3.family, &workload_amoebanet.family, &workload_wavenet.family,
};

G_STATIC_ASSERT (G_N_ELEMENTS (workloads) == G_N_ELEMENTS (families));

const GobanFamily *const *
goban_families (gsize *n)
{
  *n = G_N_ELEMENTS (families);
  return families;
}

gboolean
goban_workload_is_spec (const char *text)
{
  gsize length = strcspn (text, ":");

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    if (strlen (families[i]->name) == length && strncmp (families[i]->name, text, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
check_size (const Spec *spec, double n_nodes, GError **error)
{
  if (n_nodes <= WORKLOAD_MAX_NODES)
    return TRUE;

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "such a graph of family “%s” would have about %.0f nodes; at most %.0f are made",
               spec_get_workload (spec)->family.name, n_nodes, WORKLOAD_MAX_NODES);
  return FALSE;
}

GobanGraph *
goban_workload_generate (const char *text, GError **error)
{
  g_autoptr (Spec) spec = NULL;
  g_autoptr (Tape) tape = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autofree char *name = NULL;
  const Workload *workload;

  g_return_val_if_fail (text != NULL, NULL);

  spec = spec_parse (text, workloads, G_N_ELEMENTS (workloads), error);
  if (spec == NULL)
    return NULL;
  workload = spec_get_workload (spec);
  if (!check_size (spec, workload->estimate_nodes (spec), error))
    return NULL;

  name = spec_to_text (spec);
  tape = tape_new (name, spec_is (spec, "mode", "training"));
  graph = tape_finish (tape, workload->build (tape, spec), workload->optimizer, error);
  if (graph == NULL || spec_is (spec, "granularity", "op"))
    return g_steal_pointer (&graph);
  return workload_coarsen (graph, error);
}
