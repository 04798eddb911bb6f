/* modules.h: tree of PyTorch modules, by the scopes of a graph's nodes, and their devices.
 *
 * The node "layers.0/attn/MatMul" is an op of the module "layers.0.attn", which is part of
 * "layers.0". A node without a scope is a module itself if it has parameters, else an op of the
 * model. Modules are in the order of their first nodes, a module before its parts; the first is the
 * model, "".
 */
#pragma once

#include "engine/io/apply/target.h"

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
