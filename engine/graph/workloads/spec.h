/* spec.h: a parsed workload spec, and the interface of a model family. Private to
 * engine/graph/workloads. */
#pragma once

#include "engine/graph/workloads/tape.h"
#include "engine/graph/workloads/workload.h"

/* A graph of more nodes than this is refused. */
#define WORKLOAD_MAX_NODES 2000000.0

typedef struct _Spec Spec;

typedef struct
{
  GobanFamily family;
  /* About how many nodes it will have at op granularity in training: to refuse before building. */
  double (*estimate_nodes) (const Spec *spec);
  /* Writes the model down. Returns the loss; in inference, whatever is last. */
  Value (*build) (Tape *tape, const Spec *spec);
  const Optimizer *optimizer;
  /* (nullable): %FALSE with @error set for values that do not fit together. */
  gboolean (*check) (const Spec *spec, GError **error);
  GobanGraph *(*coarsen) (const GobanGraph *graph, GError **error);
} Workload;

/* In the order they are shown in. */
extern const Workload workload_rnnlm;
extern const Workload workload_gnmt;
extern const Workload workload_transformer_xl;
extern const Workload workload_inception_v3;
extern const Workload workload_amoebanet;
extern const Workload workload_wavenet;
extern const Workload workload_gpt;
extern const Workload workload_llama;
extern const Workload workload_mixtral;
extern const Workload workload_vit;
extern const Workload workload_dit;
extern const Workload workload_synthetic;

/* The number of a knob, or the index of its word. The knob must exist. */
gint64 spec_get (const Spec *spec, const char *knob);
gint64 spec_get_or (const Spec *spec, const char *knob, gint64 value_if_none);
gboolean spec_is (const Spec *spec, const char *knob, const char *word);

/**
 * spec_parse:
 *
 * Returns: (transfer full) (nullable): the parsed spec; %NULL with %GOBAN_ERROR_INVALID set, which
 *   names what is wrong and what there is
 */
Spec *spec_parse (const char *text, const Workload *const *workloads, gsize n_workloads,
                  GError **error);
void spec_free (Spec *spec);
const Workload *spec_get_workload (const Spec *spec);
/* The family and the keys that differ from their defaults, in the family's order. */
char *spec_to_text (const Spec *spec);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Spec, spec_free)
