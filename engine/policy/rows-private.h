/* rows-private.h: the two halves of rows.h: the sums, and the features made of them. */
#pragma once

#include "engine/policy/rows.h"

G_BEGIN_DECLS

/* Fills facts and walks. work_us (n_nodes) mean times. */
void goban_rows_describe (GobanRows *self, const double *work_us);

G_END_DECLS
