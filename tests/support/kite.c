#include "tests/support/kite.h"

static const guint32 predecessor_offsets[] = { 0, 0, 1, 2, 4, 4 };
static const guint32 predecessor_ids[] = { 0, 0, 1, 2 };
static const guint32 successor_offsets[] = { 0, 2, 3, 4, 4, 4 };
static const guint32 successor_ids[] = { 1, 2, 3, 3 };

const GobanSegments kite_predecessors = { predecessor_offsets, predecessor_ids, KITE_N };
const GobanSegments kite_successors = { successor_offsets, successor_ids, KITE_N };
