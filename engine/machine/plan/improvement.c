#include "engine/machine/plan/improvement.h"

void
goban_improvements_add (GArray *improvements, guint64 evaluation, double makespan_us)
{
  GobanImprovement step = { evaluation, makespan_us };

  if (improvements == NULL
      || (improvements->len > 0
          && makespan_us >= g_array_index (improvements, GobanImprovement, improvements->len - 1)
                                .makespan_us))
    return;
  g_array_append_val (improvements, step);
}
