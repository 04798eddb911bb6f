/* figure-layout.h: places of the parts of a figure: plot, axes, legend, points. Plain values. */
#pragma once

#include "ui/draw/charts/axis.h"
#include "ui/draw/figures/figure.h"

G_BEGIN_DECLS

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
/* The point under the pointer, or next to it. */
gboolean goban_figure_layout_find (const GobanFigureLayout *self, GobanPoint at,
                                   GobanFigurePoint *point);

G_END_DECLS
