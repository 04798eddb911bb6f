/* tf-functions.h: calls of functions in a TensorFlow graph replaced by the functions' nodes.
 *
 * The models of TensorFlow 2, those of Keras among them, keep their layers in functions; the graph
 * itself only calls them. The nodes of a call get its name before theirs, "call/dense/MatMul". A
 * function that calls itself, or takes lists, stays a call; so do those of While and If.
 *
 * Decision E63 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/io/tensorflow.pb-c.h"

/* A graph of a file: all borrowed. */
typedef struct
{
  const GobanTf__GraphDef *proto;
  const GobanTf__MetaGraph *meta; /* (nullable): the model of the graph */
  const char *path;               /* names the file in messages */
  const GobanProgress *progress;  /* (nullable) */
  gboolean keeps_all;             /* nodes that the signature does not need, too */
} GobanTfSource;

typedef struct
{
  /* of own nodes with the file's attributes; of the file's if it has no calls */
  GobanTf__GraphDef graph;
  guint n_calls;         /* that were replaced */
  guint n_left_out;      /* nodes that the signature does not need */
  const char *signature; /* (nullable): borrowed; its name */
  GPtrArray *nodes;      /* GobanTf__Node, with their prefixes */
  GPtrArray *served;     /* (nullable): those of a file without calls, borrowed from it */
  GStringChunk *strings;
} GobanTfExpansion;

/**
 * goban_tf_expansion_init:
 * @source: its graph is borrowed as long as @self lives
 *
 * Only the ancestors of the outputs in the model's signature are kept: the file of such a model
 * also holds the graphs that save, restore and initialise it. goban_tf_expansion_clear() it in
 * either case.
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set for an input that leads nowhere or in a circle,
 *   %GOBAN_ERROR_UNSUPPORTED for more nodes than can be placed
 */
gboolean goban_tf_expansion_init (GobanTfExpansion *self, const GobanTfSource *source,
                                  GError **error);
void goban_tf_expansion_clear (GobanTfExpansion *self);

/* Before the names of a node of self->graph, its own and those of other nodes in its attributes:
 * "call/" in a function, else "". */
const char *goban_tf_expansion_get_prefix (const GobanTfExpansion *self, const GobanTf__Node *node);

/* Whether the graph has calls that goban_tf_expansion_init() would replace. */
gboolean goban_tf_has_calls (const GobanTf__GraphDef *proto);
