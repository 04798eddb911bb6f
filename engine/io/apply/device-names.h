/* device-names.h: names of a plan's devices in the words of a framework. */
#pragma once

#include "engine/io/apply/target.h"

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
