/* stg.h: Kasahara's task graphs in shared data whose best makespans are published. */
#pragma once

#include "engine/machine/cluster/cost-model.h"

typedef struct
{
  char *name; /* "rand0000.stg on 4" */
  GobanCostModel *costs;
  guint n_devices; /* all alike; transfers take no time */
  double least_us; /* the best makespan, or the bounds of it where it is open */
  double most_us;
} StgCase;

/* (transfer full) (nullable) (element-type StgCase): all there are; NULL, and the test is skipped,
 * without them. */
GPtrArray *stg_cases_new (gboolean contention_free) G_GNUC_WARN_UNUSED_RESULT;
