/* workload.h: the computational graphs of model families, and of random networks, generated.
 *
 * None of the graphs that GO was judged on is public, so they are made from the published
 * architectures: true shapes, FLOPs, bytes and parameters, at the granularity of TensorFlow's ops,
 * forward, backward and optimiser, unrolled in time; the transformers of today at that of their
 * fused ops, as the graph of one rank of tensor and expert parallelism. The same spec gives the
 * same bytes.
 *
 * A spec is FAMILY[:key=value,...], as in "gnmt:layers=8,steps=50,batch=128"; a published size is
 * its family with that size: "llama-3-70b:tp=8" is "llama:size=llama-3-70b,tp=8". Keys that all
 * families know: batch, mode (training, inference), granularity (op, coarse). Names of nodes are
 * scoped as TensorFlow's are; see NAMES in engine/graph/workloads/tape.h.
 */
#pragma once

#include "engine/graph/graph.h"

/* One knob of a family: a whole number in minimum..maximum, or one of a list of words. */
typedef struct
{
  const char *name;         /* "layers" */
  const char *meaning;      /* "recurrent layers" */
  const char *const *words; /* (nullable) NULL-terminated: the allowed words, the default first */
  gint64 initial;           /* default; of a number, and of the first size */
  gint64 minimum;
  gint64 maximum;
} GobanKnob;

typedef struct
{
  const char *name;       /* "gnmt" */
  const char *blurb;      /* one line */
  const char *source;     /* publication of the architecture */
  const GobanKnob *knobs; /* (n_knobs) its own ones, in addition to those of all families */
  gsize n_knobs;
  /* (nullable): for each word of its first knob "size", the defaults of the next n_sized knobs */
  const gint64 *sizes;
  gsize n_sized;
} GobanFamily;

const GobanFamily *const *goban_families (gsize *n);

/* (nullable): its own knobs, then those of all families, mode and granularity, but for one that it
 * has of its own; %NULL behind the last. A batch is its own, for its default is. */
const GobanKnob *goban_family_get_knob (const GobanFamily *family, gsize i);
/* The index of the knob of that name. */
gboolean goban_family_find_knob (const GobanFamily *family, const char *name, gsize *index);
/* Default of a knob, given the values of those before it: the size sets some, and the "ffn" among
 * them keeps its proportion to the "width". */
gint64 goban_family_get_default (const GobanFamily *family, gsize i, const gint64 *values);

/* %TRUE where @text is the name of a family or a size, alone or before a colon: not a path. */
gboolean goban_workload_is_spec (const char *text);

/* A parsed spec, without its graph. */
typedef struct
{
  const GobanFamily *family;
  /* of each goban_family_get_knob(): numbers, or indices of words */
  gint64 *values;
  char *text;     /* with the keys that differ from their defaults, in the family's order */
  double n_nodes; /* about: of one node per op, in training */
} GobanWorkloadSpec;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for what cannot be generated, as
 * goban_workload_generate() would say. */
GobanWorkloadSpec *goban_workload_spec_new (const char *text,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_workload_spec_free (GobanWorkloadSpec *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanWorkloadSpec, goban_workload_spec_free)

/**
 * goban_workload_generate:
 *
 * Returns: (transfer full) (nullable): the graph, whose name is the spec with the keys that differ
 *   from their defaults, in the family's order, and whose format is "generated"; or %NULL with
 *   %GOBAN_ERROR_INVALID set, which names the family, key or value at fault and those there are
 */
GobanGraph *goban_workload_generate (const char *spec, GError **error) G_GNUC_WARN_UNUSED_RESULT;
