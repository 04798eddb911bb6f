/* improvement.h: learning curve of a search: its successive best valid plans. */
#pragma once

#include <glib.h>

/* The makespan of the best valid plan after an evaluation. */
typedef struct
{
  guint64 evaluation; /* from 1 */
  double makespan_us;
} GobanImprovement;

/* Adds a step to @improvements (nullable), unless it does not improve on the last one. */
void goban_improvements_add (GArray *improvements, guint64 evaluation, double makespan_us);
