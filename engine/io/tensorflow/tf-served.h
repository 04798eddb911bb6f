/* tf-served.h: the part of a TensorFlow model's graph that its signature serves. */
#pragma once

#include "engine/io/tensorflow.pb-c.h"

#include <glib.h>

/* (nullable): the signature "serving_default", else the first with outputs. @meta: (nullable) */
const GobanTf__NamedSignature *goban_tf_served_find (const GobanTf__MetaGraph *meta);

/* Removes all of @nodes, GobanTf__Node, that @outputs do not need; these are written as the inputs
 * of a node that reads them. FALSE, and nothing removed, if no output is one of a node. */
gboolean goban_tf_served_keep (GPtrArray *nodes, const GPtrArray *outputs, guint *n_removed);

/* The nodes of a graph without calls that a signature needs; borrowed from it. (transfer container)
 * (nullable): NULL if no output of the signature is one of a node. */
GPtrArray *goban_tf_served_nodes (const GobanTf__GraphDef *proto,
                                  const GobanTf__NamedSignature *signature,
                                  guint *n_removed) G_GNUC_WARN_UNUSED_RESULT;
