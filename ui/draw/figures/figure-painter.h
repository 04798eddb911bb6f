/* figure-painter.h: paints figures, finds their points, and writes them as files. Any thread. */
#pragma once

#include "ui/draw/charts/axis.h"
#include "ui/draw/export/painting.h"
#include "ui/draw/figures/figure.h"

#define GOBAN_FIGURE_LINE 15.0 /* height of a line of text, in pixels of the design */
#define GOBAN_FIGURE_PAD 10.0

typedef struct
{
  const GobanFigure *figure;
  double ui;
  GobanBox plot;
  GobanAxis x;
  GobanAxis y;
  GobanAxis z;     /* of a heat map's colours */
  guint n_columns; /* of the legend */
  guint n_rows;
  char x_label[96]; /* "makespan (ms)", or "" */
  char y_label[96];
  char z_label[96];
} GobanFigureLayout;

/* In a picture of @width x @height pixels. */
GobanFigureLayout goban_figure_lay_out (const GobanFigure *figure, double width, double height,
                                        double ui_scale);

/* The box of a bar, a bin or a cell. */
GobanBox goban_figure_layout_get_box (const GobanFigureLayout *self, GobanFigurePoint point);
/* The middle of a point, or of the top of a bar; FALSE if it is not drawn. */
gboolean goban_figure_layout_place (const GobanFigureLayout *self, GobanFigurePoint point,
                                    GobanPoint *at);

typedef struct
{
  const GobanFigure *figure;
  const GobanFigurePoint *hover; /* (nullable): read out */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanFigurePicture;

/* Fills the pen's surface. */
void goban_figure_paint (const GobanFigurePicture *self, GobanPen *pen);
/* Draws the readout alone, over the painted figure. */
void goban_figure_paint_hover (const GobanFigurePicture *self, GobanPen *pen);

/* The point at @at in a picture of @width x @height, or next to it. */
gboolean goban_figure_find (const GobanFigurePicture *self, double width, double height,
                            GobanPoint at, GobanFigurePoint *point);
/* The point before or after @point from left to right, of the same series or (@rows not 0) of
 * another; FALSE at the end. */
gboolean goban_figure_step (const GobanFigure *figure, GobanFigurePoint *point, int columns,
                            int rows);

/* Writes .svg, .png, .pdf or .csv; the scale is that of a PNG's pixels, 0: 2. FALSE with
 * GOBAN_ERROR_UNSUPPORTED, INVALID or IO set. */
gboolean goban_figure_write (const GobanFigure *figure, const GobanPaintingOptions *options,
                             const char *path, GError **error);
