/* waterfall.h: a breakdown of two plans (breakdown.h) as rows of bars on one axis of time.
 *
 * Each bar begins where the last one ends, so that the rows lead from the first makespan to the
 * second; thin lines join them. The axis begins at 0 unless all ends lie far from it: then the bars
 * of the plans have a gap at their left. Colour is never alone: an arrow and a sign say the same.
 *
 * Plain values, not changed while they are painted; any thread.
 */
#pragma once

#include "engine/study/analysis/difference/breakdown.h"
#include "ui/draw/pen.h"

typedef struct
{
  GobanBarKind kind;
  char *label;
  char *value; /* "▼ -31.2 ms"; of a plan "229 ms" */
  char *note;  /* "412 nodes", "± 0.2 ms", "not possible alone", or "" */
  double from; /* 0..1 along the axis */
  double to;
  int sense; /* -1: time gained, 1: time lost, 0: neither, or a plan */
  guint bar; /* in the breakdown */
} GobanWaterfallRow;

typedef struct
{
  GArray *rows;     /* GobanWaterfallRow */
  gboolean has_gap; /* the axis does not begin at 0 */
  double start_us;  /* where it begins */
} GobanWaterfall;

/* @names: (nullable) of both plans, else those of the runs. */
GobanWaterfall *goban_waterfall_new (const GobanBreakdown *breakdown, const char *const names[2],
                                     gboolean with_groups) G_GNUC_WARN_UNUSED_RESULT;
void goban_waterfall_free (GobanWaterfall *self);

const GobanWaterfallRow *goban_waterfall_get_row (const GobanWaterfall *self, guint i);
/* A row as a sentence: "placement: -31.2 ms, 412 nodes". (transfer full) */
char *goban_waterfall_describe_row (const GobanWaterfall *self, guint i) G_GNUC_WARN_UNUSED_RESULT;

/* The start of an axis whose bars end between these: 0, or below the least end if all of them are
 * far from 0. */
double goban_waterfall_find_start (double least, double most);
/* The colour of a change, for the canvas of each theme; signs and arrows say the same. */
GobanRgb goban_waterfall_get_colour (int sense, GobanTheme theme);
/* Paints the bar of a row, and the lines to its neighbours, into a lane that touches theirs. */
void goban_waterfall_paint_bar (const GobanWaterfall *self, guint i, GobanPen *pen, GobanBox lane,
                                GobanTheme theme);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanWaterfall, goban_waterfall_free)
