/* line-charts.h: small line charts above one another's axis: the same x in all of them.
 *
 * A chart has its own y axis, a legend with the values under the pointer (else the last ones), and
 * lines in the colours of devices. Of many points the line shows means, over a band from the
 * smallest to the largest. Charts that have no room are left out, the last first. Plain values; any
 * thread.
 */
#pragma once

#include "ui/draw/pen.h"

typedef struct
{
  const char *title;
  const double *x; /* (n) ascending */
  const double *y; /* (n) NAN: not measured */
  guint n;
  gboolean has_marks; /* a mark on each point: for few */
} GobanChartLine;

typedef struct
{
  const char *title;
  const GobanChartLine *lines;
  guint n_lines;
  double level;       /* a horizontal line to compare with; NAN: none */
  gboolean from_zero; /* the y axis begins at 0 */
} GobanChart;

typedef struct
{
  const GobanChart *charts;
  guint n_charts;
  double x0; /* the visible range, x0 < x1 */
  double x1;
  double hover; /* the x under the pointer; NAN: none */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanLineCharts;

/* Fills the pen's surface. */
void goban_line_charts_paint (const GobanLineCharts *self, GobanPen *pen);

/* The chart at @at in a picture of @width x @height, and its x. %FALSE outside the plots. */
gboolean goban_line_charts_find (const GobanLineCharts *self, double width, double height,
                                 GobanPoint at, guint *chart, double *x);

/* The area of a chart's lines, without its axes. */
GobanBox goban_line_charts_get_plot (const GobanLineCharts *self, double width, double height,
                                     guint chart);

/* The value of the last measured point at or before @x; NAN without one. */
double goban_chart_line_get (const GobanChartLine *self, double x);
