/* hlo-costs.h: floating-point operations and bytes of the instructions of an XLA module.
 *
 * One operation per element of an elementwise instruction, exp and the like included; a
 * multiply-accumulate of a dot or a convolution is two. A fusion, a call or a reduction does the
 * work of the computations it calls; a loop that of one iteration.
 */
#pragma once

#include "engine/io/hlo/hlo-module.h"

G_BEGIN_DECLS

typedef struct
{
  double flops;
  double macs;
  double read_bytes;
  double written_bytes;
} GobanHloCost;

/**
 * goban_hlo_costs_new:
 *
 * Returns: (transfer full) (nullable): the costs of all instructions; g_free() them. %NULL with
 *   %GOBAN_ERROR_PARSE set if a computation calls itself
 */
GobanHloCost *goban_hlo_costs_new (const GobanHloModule *module,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
