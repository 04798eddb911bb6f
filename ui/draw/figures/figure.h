/* figure.h: figures: plots of numbers, as lines, bars, points, a histogram or a heat map.
 *
 * A figure is filled by its maker, completed once by goban_figure_complete(), and never changed
 * afterwards: it is reference-counted, and any thread may read it.
 *
 * Numbers of an axis with words are places in its list of words, from 0.
 */
#pragma once

#include "engine/core/quantity.h"
#include "engine/study/run/reference.h"

typedef enum
{
  GOBAN_FIGURE_LINES,
  GOBAN_FIGURE_BARS,
  GOBAN_FIGURE_SCATTER,
  GOBAN_FIGURE_HISTOGRAM, /* counts of x */
  GOBAN_FIGURE_HEAT,      /* z over the words of x and y */
  GOBAN_FIGURE_N_KINDS
} GobanFigureKind;

typedef struct
{
  char *label; /* "" for none */
  char *unit;  /* "s" and "B" choose fitting units, such as ms and GB; "" for none */
  gboolean is_log;
  char **words; /* (nullable) */
} GobanFigureAxis;

typedef struct
{
  char *name;
  guint n;
  double *x;
  double *y;
  double *z;             /* (nullable): colours of a heat map; where bars begin, NAN: at 0 */
  double *errors;        /* (nullable) (n): half the lengths of error bars of y; NAN for none */
  char **labels;         /* (nullable) (n): names of points */
  GPtrArray *references; /* (nullable) (n): GobanReference */
} GobanFigureSeries;

typedef struct
{
  gatomicrefcount n_references;
  GobanFigureKind kind;
  char *title;
  GobanFigureAxis x, y, z;
  GobanFigureSeries *series;
  guint n_series;
  gboolean has_identity; /* a line on which x = y, of points on two axes of numbers */
  guint n_bins;          /* of a histogram; 0: chosen */
  double *edges;         /* (n_bins + 1) found by complete */
  double *counts;        /* (n_series * n_bins) */
} GobanFigure;

/* A point of a series, or a bin of a histogram. */
typedef struct
{
  guint series;
  guint i;
} GobanFigurePoint;

/* @n_series series with room for nothing yet; labels and units are "". (transfer full) */
GobanFigure *goban_figure_new (GobanFigureKind kind, guint n_series) G_GNUC_WARN_UNUSED_RESULT;
/* Finds the bins of a histogram. FALSE with GOBAN_ERROR_INVALID if there is nothing to draw. */
gboolean goban_figure_complete (GobanFigure *self, GError **error);
GobanFigure *goban_figure_ref (GobanFigure *self);
void goban_figure_unref (GobanFigure *self);

/* "lines", "bars", "scatter", "histogram", "heat". */
const char *goban_figure_kind_name (GobanFigureKind kind);
guint goban_figure_count_points (const GobanFigure *self);
/* The points of a series, or the bins of a histogram. */
guint goban_figure_count_marks (const GobanFigure *self, guint series);
/* TRUE if @value has a place on @axis. */
gboolean goban_figure_axis_has (const GobanFigureAxis *axis, double value);
/* The target of a point; NULL if there is none. (transfer full) */
GobanReference *goban_figure_dup_reference (const GobanFigure *self, GobanFigurePoint point);

/* "12.4 ms", "gpu:1"; buffer of GOBAN_QUANTITY_LEN. The text is the buffer's or the axis'. */
const char *goban_figure_format (const GobanFigureAxis *axis, char *buffer, double value);
/* The start of the axis of bars that begin elsewhere than at 0, as in a waterfall; NAN: none does.
 */
double goban_figure_get_steps_start (const GobanFigure *self);
/* The begin of a bar: 0 unless it is a step. */
double goban_figure_get_base (const GobanFigure *self, GobanFigurePoint point);
/* The end of a bar that begins at 0; of others the change, "-2 ms" or "+2 ms". As the last. */
const char *goban_figure_format_bar (const GobanFigure *self, char *buffer, GobanFigurePoint point);
/* "heft: layers 4, makespan 12.4 ms". (transfer full) */
char *goban_figure_describe_point (const GobanFigure *self, GobanFigurePoint point);
/* "Lines of makespan over layers: heft, 5 points, 1.2 ms to 3.4 ms". (transfer full) */
char *goban_figure_describe (const GobanFigure *self);
/* A few lines of at most @width characters, for a terminal; @is_ascii: of ASCII alone but for names
 * and units. (transfer full) */
char *goban_figure_sketch (const GobanFigure *self, guint width,
                           gboolean is_ascii) G_GNUC_WARN_UNUSED_RESULT;
/* All points, a line each. (transfer full) */
char *goban_figure_to_csv (const GobanFigure *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFigure, goban_figure_unref)
