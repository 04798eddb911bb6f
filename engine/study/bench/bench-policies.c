#include "engine/study/bench/bench-policies.h"

const char **
goban_bench_list_policies (const GobanBench *bench)
{
  guint n = goban_bench_get_n_policies (bench);
  const char **policies = g_new0 (const char *, n + 1);

  for (guint i = 0; i < n; i++)
    policies[i] = goban_bench_get_policy (bench, i);
  return policies;
}
