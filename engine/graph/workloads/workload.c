#include "engine/graph/workloads/workload.h"

#include "engine/core/error.h"
#include "engine/graph/workloads/spec.h"

static const Workload *const workloads[] = {
  &workload_rnnlm,        &workload_gnmt,      &workload_transformer_xl,
  &workload_inception_v3, &workload_amoebanet, &workload_wavenet,
  &workload_gpt,          &workload_llama,     &workload_mixtral,
  &workload_vit,          &workload_dit,       &workload_synthetic,
};

static const GobanFamily *const families[] = {
  &workload_rnnlm.family,        &workload_gnmt.family,      &workload_transformer_xl.family,
  &workload_inception_v3.family, &workload_amoebanet.family, &workload_wavenet.family,
  &workload_gpt.family,          &workload_llama.family,     &workload_mixtral.family,
  &workload_vit.family,          &workload_dit.family,       &workload_synthetic.family,
};

G_STATIC_ASSERT (G_N_ELEMENTS (workloads) == G_N_ELEMENTS (families));

const GobanFamily *const *
goban_families (gsize *n)
{
  *n = G_N_ELEMENTS (families);
  return families;
}

static gboolean
check_size (const Spec *spec, double n_nodes, GError **error)
{
  if (n_nodes <= WORKLOAD_MAX_NODES)
    return TRUE;

  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "such a graph of family “%s” would have about %.0f nodes; at most %.0f are made",
      spec_get_workload (spec)->family.name, n_nodes, WORKLOAD_MAX_NODES);
}

/* (transfer full) (nullable): a spec of a graph that can be made. */
static Spec *
parse (const char *text, GError **error)
{
  g_autoptr (Spec) spec = spec_parse (text, workloads, G_N_ELEMENTS (workloads), error);

  if (spec == NULL || !check_size (spec, spec_get_workload (spec)->estimate_nodes (spec), error)
      || (spec_get_workload (spec)->check != NULL
          && !spec_get_workload (spec)->check (spec, error)))
    return NULL;
  return g_steal_pointer (&spec);
}

GobanWorkloadSpec *
goban_workload_spec_new (const char *text, GError **error)
{
  g_autoptr (Spec) spec = NULL;
  GobanWorkloadSpec *self;
  const GobanKnob *knob;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_return_val_if_fail (text != NULL, NULL);

  spec = parse (text, error);
  if (spec == NULL)
    return NULL;

  self = g_new0 (GobanWorkloadSpec, 1);
  self->family = &spec_get_workload (spec)->family;
  self->text = spec_to_text (spec);
  self->n_nodes = spec_get_workload (spec)->estimate_nodes (spec);
  for (gsize i = 0; (knob = goban_family_get_knob (self->family, i)) != NULL; i++)
    g_array_append_vals (values, (gint64[]){ spec_get (spec, knob->name) }, 1);
  self->values = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&values), FALSE);
  return self;
}

void
goban_workload_spec_free (GobanWorkloadSpec *self)
{
  g_free (self->values);
  g_free (self->text);
  g_free (self);
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

  spec = parse (text, error);
  if (spec == NULL)
    return NULL;

  workload = spec_get_workload (spec);
  name = spec_to_text (spec);
  tape = tape_new (name, spec_is (spec, "mode", "training"));
  graph = tape_finish (tape, workload->build (tape, spec), workload->optimizer, error);
  if (graph == NULL || spec_is (spec, "granularity", "op"))
    return g_steal_pointer (&graph);
  return workload->coarsen (graph, error);
}
