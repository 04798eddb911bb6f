/* bench-policies.h: the names of a bench's policies as a list. */
#pragma once

#include "engine/study/bench/bench.h"

G_BEGIN_DECLS

/* The requested policies, or the bench's own, and the experts'; ends with %NULL. (transfer
 * container) */
const char **goban_bench_list_policies (const GobanBench *bench) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
