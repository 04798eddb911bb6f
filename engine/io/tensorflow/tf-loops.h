/* tf-loops.h: regions of nodes inside TensorFlow's `while` loops, by the frames they run in. */
#pragma once

#include "engine/io/tensorflow/tf-model.h"

G_BEGIN_DECLS

/* Fills `region` of every node, and the model's regions. O(nodes + inputs). */
void goban_tf_find_loops (GobanTfModel *model);

G_END_DECLS
