/* axis.h: axes of charts and figures: a range of numbers along a side of a plot, with its ticks.
 *
 * Plain values; any thread.
 */
#pragma once

#include "ui/draw/pen.h"

/* Pixels of the design: the room left of a plot for the numbers of its ticks, and below it. */
#define GOBAN_AXIS_WIDTH 44.0
#define GOBAN_AXIS_HEIGHT 16.0
#define GOBAN_AXIS_FONT 10.5

typedef struct
{
  double v0; /* the range, v0 < v1; above 0 if it is logarithmic */
  double v1;
  gboolean is_log;
  double unit;     /* ticks are multiples of it: 1e-3 for milliseconds of seconds; 0: 1 */
  double min_step; /* between two ticks, in units; 1 for whole numbers */
} GobanAxis;

/* A plot and its pen. */
typedef struct
{
  GobanPen *pen;
  const GobanColours *colours;
  GobanBox plot;
  double ui; /* device pixels per pixel of the design */
} GobanAxisPaint;

/* The place of a value, 0 at the begin of the range and 1 at its end. */
double goban_axis_place (const GobanAxis *self, double value);

/* Lines across the plot and numbers at its left; the line below it and numbers there. */
void goban_axis_paint_y (const GobanAxis *self, const GobanAxisPaint *paint);
void goban_axis_paint_x (const GobanAxis *self, const GobanAxisPaint *paint);
