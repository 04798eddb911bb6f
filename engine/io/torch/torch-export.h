/* torch-export.h: names of the operators of exported programs of PyTorch. */
#pragma once

#include <glib.h>

/* "conv2d" of "torch.ops.aten.conv2d.default", "mylib.scale" of another library's.
 * (transfer full) */
char *goban_torch_dup_op (const char *target) G_GNUC_WARN_UNUSED_RESULT;
