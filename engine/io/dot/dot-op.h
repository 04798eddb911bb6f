/* dot-op.h: the op of a node of a DOT file from its id and its label.
 *
 * Many programs write addresses or numbers as ids and say in the label what a node does:
 *   torchviz             139912345601 [label=AddmmBackward0]     [label="fc.bias\n (10)"]
 *   Keras's plot_model   140512 [label="{conv1: Conv2D|{input:|output:}|...}"]
 *   MXNet, TVM           conv0_fwd [label="Convolution\n3x3/2x2, 64"]
 *   Caffe                conv1_Convolution [label="conv1\n(Convolution)\nkernel size: 3"]
 */
#pragma once

#include <glib.h>

/**
 * goban_dot_dup_op:
 * @label: (nullable)
 * @is_markup: of <...>
 *
 * Takes a type that the label marks as one: "name: Type", "name (Type)", "%1 = type(...)"; else the
 * first line of a label of several lines, or of an id that is a number; else the stem of the id. A
 * label of a shape alone gives "tensor".
 *
 * Returns: (transfer full): not empty
 */
char *goban_dot_dup_op (const char *id, const char *label,
                        gboolean is_markup) G_GNUC_WARN_UNUSED_RESULT;
