/* target.h: one row per framework, for the table in apply.c, and the work of its writer.
 *
 * A target is added by defining its row in a file of its own, declaring it here and naming it in
 * the table.
 */
#pragma once

#include "engine/io/apply/apply.h"

/* Inputs and outputs of a writer. Borrowed but for the texts. */
typedef struct
{
  const GobanApplyRequest *request;
  const GobanPlan *plan;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  const char *path; /* of the file to be written */
  GBytes *source;   /* (nullable): of a target with a source_format */
  GString *text;    /* the file */
  GString *second;  /* the second file */
  const char *note; /* (nullable), translatable */
} GobanApplyWork;

struct _GobanApplyTarget
{
  const char *name; /* as the command line takes it */
  const char *framework;
  const char *blurb;
  const char *suffix;        /* ".onnx" */
  const char *second_suffix; /* (nullable): behind the path */
  const char *source_format; /* (nullable): a name of io.h */
  gboolean is_copy;          /* of the graph's file */
  gboolean (*write) (GobanApplyWork *work, GError **error);
};

extern const GobanApplyTarget goban_apply_accelerate;
extern const GobanApplyTarget goban_apply_llama_cpp;
extern const GobanApplyTarget goban_apply_model_explorer;
extern const GobanApplyTarget goban_apply_openvino;
extern const GobanApplyTarget goban_apply_ort;
extern const GobanApplyTarget goban_apply_ort_names;
extern const GobanApplyTarget goban_apply_tensorflow;
extern const GobanApplyTarget goban_apply_torch_pipelining;

/* --- names of devices ----------------------------------------------------- */

/* A kind of device in a framework's own terms. */
typedef struct
{
  const char *kind;     /* "gpu" */
  const char *word;     /* "CUDA": the number follows, if devices of the kind have one */
  gboolean is_numbered; /* else only one of the kind can be used */
} GobanDeviceWord;

/**
 * goban_device_names_new:
 * @words: ended by a kind of %NULL
 * @framework: for messages
 *
 * Returns: (transfer full) (nullable): a word per device of the cluster, "" for those that the plan
 *   does not use; %NULL with %GOBAN_ERROR_UNSUPPORTED set, which names the node
 */
char **goban_device_names_new (const GobanApplyWork *work, const GobanDeviceWord *words,
                               const char *framework, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE with %GOBAN_ERROR_UNSUPPORTED set if the graph has backward or update ops: for frameworks
 * that run the forward pass of a model. */
gboolean goban_apply_check_forward (const GobanApplyWork *work, const char *framework,
                                    GError **error);

/* For messages. */
const char *goban_apply_node_name (const GobanApplyWork *work, GobanNodeId node);
const char *goban_apply_device_name (const GobanApplyWork *work, GobanNodeId node);

/* --- modules -------------------------------------------------------------- */

/* Tree of PyTorch modules, by the scopes of a graph's nodes, and their devices.
 *
 * The node "layers.0/attn/MatMul" is an op of the module "layers.0.attn", which is part of
 * "layers.0". A node without a scope is a module itself if it has parameters, else an op of the
 * model. Modules are in the order of their first nodes, a module before its parts; the first is the
 * model, "". */

/* The device of a module with ops on several. */
#define GOBAN_MODULE_IS_SPLIT ((GobanDeviceId) (GOBAN_NO_DEVICE - 1))

typedef struct
{
  char *path;
  guint parent;         /* the model is its own */
  GobanNodeId first;    /* its first node, parts included */
  GobanDeviceId device; /* of all its nodes, or GOBAN_MODULE_IS_SPLIT */
} GobanModule;

typedef struct
{
  GArray *modules; /* of GobanModule */
  guint *of_node;  /* (n_nodes) the module whose own op it is */
} GobanModules;

GobanModules *goban_modules_new (const GobanApplyWork *work) G_GNUC_WARN_UNUSED_RESULT;
void goban_modules_free (GobanModules *self);

static inline const GobanModule *
goban_modules_get (const GobanModules *self, guint module)
{
  return &g_array_index (self->modules, GobanModule, module);
}

/* Its path, for messages. */
static inline const char *
goban_modules_get_name (const GobanModules *self, guint module)
{
  const char *path = goban_modules_get (self, module)->path;

  return *path != '\0' ? path : "model";
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanModules, goban_modules_free)
