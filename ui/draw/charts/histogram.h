/* histogram.h: histogram of node values: bars over the colour ramp.
 *
 * The height of a bar is the square root of its count, so that a bin of a few nodes stays visible
 * beside one of thousands. The selected part is drawn in front, and the brushed range is framed.
 * Plain values; any thread.
 *
 * Decision U17 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/node-values.h"
#include "ui/draw/pen.h"

#define GOBAN_HISTOGRAM_BINS 40
/* Preferred height in design pixels. */
#define GOBAN_HISTOGRAM_HEIGHT 88.0

/* A range of bins, both ends included. */
typedef struct
{
  guint first;
  guint last;
} GobanBrush;

typedef struct
{
  const GobanNodeValues *values;
  guint counts[GOBAN_HISTOGRAM_BINS];
  guint selected[GOBAN_HISTOGRAM_BINS]; /* number of selected nodes */
  const GobanBrush *brush;              /* (nullable) */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanHistogram;

/* Counts the values, and the selected ones of @selection (nullable). The values are borrowed. */
void goban_histogram_count (GobanHistogram *self, const GobanNodeValues *values,
                            const GobanSelection *selection);

/* Fills the pen's surface. */
void goban_histogram_paint (const GobanHistogram *self, GobanPen *pen);

/* The bin at @x of a histogram @width wide; the nearest if @x is outside. */
guint goban_histogram_bin_at (double width, double x);

/* "1.2 ms to 1.9 ms: 132 nodes, 12 selected"; (transfer full). */
char *goban_histogram_describe (const GobanHistogram *self, GobanBrush brush);
