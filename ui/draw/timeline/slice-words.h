/* slice-words.h: names and families of a graph's ops, as timelines show them. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* Data of ops that depend on the graph only, shared by scenes. Atomically counted, immutable. */
typedef struct
{
  GobanGraph *graph;
  const char **names; /* (n_nodes): labels of slices; the strings are the graph's */
  guint8 *families;   /* (n_nodes): GobanOpFamily */
} GobanSliceWords;

GobanSliceWords *goban_slice_words_ref (GobanSliceWords *self);
void goban_slice_words_unref (GobanSliceWords *self);

G_END_DECLS
