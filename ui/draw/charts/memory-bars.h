/* memory-bars.h: stacked bars of the memory of ranks by kind, with a legend and a line at the
 * capacity (engine/study/run/parallel-training.h).
 *
 * Below the legend a rank is a row: its name, its bar and its sum. The kinds differ in colour and
 * hatch. Plain values; any thread.
 */
#pragma once

#include "engine/study/run/parallel-training.h"
#include "ui/draw/pen.h"

typedef struct
{
  const GobanRankMemory *memory; /* (n) */
  guint n;
  const char *const *names; /* (n) */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanMemoryBars;

/* The height that all rows and the legend need at @width, in design pixels. */
double goban_memory_bars_get_height (const GobanMemoryBars *self, double width);

/* Fills the pen's surface. */
void goban_memory_bars_paint (const GobanMemoryBars *self, GobanPen *pen);

/* A line a rank: "gpu:0: 61 GB of 80 GB: weights 16 GB, …". (transfer full) */
char *goban_memory_bars_describe (const GobanMemoryBars *self) G_GNUC_WARN_UNUSED_RESULT;
