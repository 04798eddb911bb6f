/* apply.h: plans as files that other frameworks obey: the same placement, run elsewhere.
 *
 * One target per framework behind one table. Each writes the devices of a plan in its framework's
 * own words:
 *
 *   ort               a copy of the ONNX model whose nodes carry annotations, and the session's
 *                     settings; one device of a kind, as in every session of ONNX Runtime
 *   ort-names         the settings alone, by the names of the nodes, for the unchanged model
 *   tensorflow        a copy of the GraphDef, MetaGraphDef or SavedModel with the field "device"
 *   accelerate        a device_map of modules, named by the scopes of the graph
 *   torch-pipelining  a schedule of stages that begin with modules, and the split_spec
 *   llama.cpp         -ot patterns; a block "blk.N" is on one device
 *   openvino          a Python module that sets the affinity of every op
 *   model-explorer    node data: the device and its colour, for the graph as Goban writes it
 *
 * accelerate, llama.cpp and openvino run the forward pass: graphs of a training are refused.
 *
 * A placement that a framework cannot express is refused with the node and the reason. Priorities
 * and kernels are not devices: no target has them, and a note says so. All else in a copied model
 * keeps its bytes. Any thread.
 *
 * Decision E52 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/plan.h"

typedef struct _GobanApplyTarget GobanApplyTarget;

typedef struct
{
  const GobanPlan *plan;
  const GobanCostModel *costs;
  const char *source;    /* (nullable): the path of the graph's file */
  guint n_micro_batches; /* of a pipeline's schedule; 0: 1 */
  /* (nullable): a name of engine/machine/parallel/schedule.h; NULL: GPipe's passes with the bubbles
   * that they have if all take as long */
  const char *schedule;
} GobanApplyRequest;

const GobanApplyTarget *const *goban_apply_targets (gsize *n);

/* By name, or %NULL with %GOBAN_ERROR_INVALID set, which lists the names. */
const GobanApplyTarget *goban_apply_find (const char *name, GError **error);

const char *goban_apply_get_name (const GobanApplyTarget *self);
/* The framework: "ONNX Runtime". */
const char *goban_apply_get_framework (const GobanApplyTarget *self);
/* One line for lists, in the user's language. */
const char *goban_apply_get_blurb (const GobanApplyTarget *self);
/* Suffix behind the graph's name in that of the file: ".csv"; of a copy "-placed" and the ending of
 * @source (nullable). (transfer full) */
char *goban_apply_dup_suffix (const GobanApplyTarget *self,
                              const char *source) G_GNUC_WARN_UNUSED_RESULT;
/* (nullable): the format of the graph's file, which is needed, too: "onnx" */
const char *goban_apply_get_source_format (const GobanApplyTarget *self);

/* The path of the second file, or %NULL if the target writes one. (transfer full) */
char *goban_apply_dup_second_path (const GobanApplyTarget *self,
                                   const char *path) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_apply_save:
 * @path: a path, or "-" for standard output
 * @note: (out) (optional) (nullable) (transfer full): parts of the plan that the framework cannot
 * express
 *
 * Nothing is written if anything is refused; each file is replaced as a whole.
 *
 * Returns: %FALSE with %GOBAN_ERROR_UNSUPPORTED set, which names the node, or another error
 */
gboolean goban_apply_save (const GobanApplyTarget *self, const GobanApplyRequest *request,
                           const char *path, char **note, GError **error);
