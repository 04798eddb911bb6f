/* figure-file.c: a figure as a file: .svg, .png, .pdf, or its points as .csv. */
#include "ui/draw/figures/figure-painter.h"

#include "engine/core/file.h"
#include "engine/study/analysis/node-field.h"
#include "ui/draw/export/export.h"
#include "ui/draw/export/painting.h"

#include <string.h>

#define WIDTH 640.0
#define HEIGHT 360.0
#define SCALE 2.0

static void
paint (gconstpointer data, GobanPen *pen, double ui_scale)
{
  GobanFigurePicture picture = *(const GobanFigurePicture *) data;

  picture.ui_scale = ui_scale;
  goban_figure_paint (&picture, pen);
}

gboolean
goban_figure_write (const GobanFigure *figure, const GobanPaintingOptions *options,
                    const char *path, GError **error)
{
  GobanFigurePicture picture = { .figure = figure, .theme = options->theme };
  GobanPainting painting = { .paint = paint,
                             .data = &picture,
                             .width = options->width > 0 ? options->width : WIDTH,
                             .height = options->height > 0 ? options->height : HEIGHT,
                             .scale = options->scale > 0 ? options->scale : SCALE };

  if (goban_node_csv_is_path (path))
    {
      g_autofree char *csv = goban_figure_to_csv (figure);

      return goban_file_write (path, csv, strlen (csv), error);
    }
  painting.is_image = figure->kind != GOBAN_FIGURE_HISTOGRAM
                      && goban_figure_count_points (figure) > GOBAN_MAX_VECTOR_ELEMENTS;
  return goban_painting_write (&painting, path, error);
}
