/* rows-private.h: computation of the features of rows, shared by rows.c and row-facts.c. */
#pragma once

#include "engine/learn/policy/rows.h"

G_BEGIN_DECLS

/* Fills facts and walks. work_us (n_nodes) mean times. */
void goban_rows_describe (GobanRows *self, const double *work_us);

G_END_DECLS
