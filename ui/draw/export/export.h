/* export.h: export of pictures as SVG, PNG or PDF, by the suffix of the path. SVG if the path is
 * "-", standard output.
 *
 * A title above, a legend below. The file is replaced whole, so a failure leaves what was there.
 * The same scene gives the same SVG and PNG, byte for byte. A PNG is painted tile by tile and
 * written row by row: its size costs time and no memory. Any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "ui/draw/timeline/timeline-painter.h"

/* Nodes and edges together. Larger graphs are embedded into vector files as an image, because
 * viewers cannot open a hundred megabytes of paths. */
#define GOBAN_MAX_VECTOR_ELEMENTS 20000
/* Pixels of a side; more would take too long. */
#define GOBAN_MAX_EXPORT_SIDE 100000.0

typedef struct
{
  GobanTheme theme;
  GobanFill fill;
  gboolean show_critical;
  double width; /* of the whole picture, pixels (1/96 inch in PDF); 0: chosen for the contents */
  double height;
  double scale;   /* of text and lines, and of the picture if width and height are 0; 0: 1 */
  double from_us; /* of a timeline: the part shown; both 0: all of it */
  double to_us;
  GobanBox region; /* of a graph's world: the part shown; x0 = x1: all of it */
  gboolean is_transparent;
  gboolean has_histogram;        /* for a graph coloured by values: a histogram beside the legend */
  const GobanProgress *progress; /* (nullable): updated and checked after each tile */
} GobanExportOptions;

/**
 * goban_export_graph:
 * @options: (nullable)
 *
 * Returns: %FALSE with %GOBAN_ERROR_UNSUPPORTED (an ending other than .svg, .png, .pdf),
 *   %GOBAN_ERROR_INVALID (a size no picture can have), %GOBAN_ERROR_IO or %GOBAN_ERROR_CANCELLED
 *   set
 */
gboolean goban_export_graph (const GobanGraphScene *scene, const GobanLayout *layout,
                             const GobanExportOptions *options, const char *path, GError **error);

/* The same for a run. */
gboolean goban_export_timeline (const GobanTimelineScene *scene, const GobanExportOptions *options,
                                const char *path, GError **error);

/* The same pages as RGB24 images of the options' size. (transfer full) */
cairo_surface_t *goban_export_graph_image (const GobanGraphScene *scene, const GobanLayout *layout,
                                           const GobanExportOptions *options);
cairo_surface_t *goban_export_timeline_image (const GobanTimelineScene *scene,
                                              const GobanExportOptions *options);

/* TRUE if the suffix of @path is supported; else FALSE with %GOBAN_ERROR_UNSUPPORTED set. For a
 * check before long work. */
gboolean goban_export_check_path (const char *path, GError **error);

/* "0,0,400,300.5": x0, y0, x1, y1 of a graph's world; %FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_export_parse_region (const char *text, GobanBox *region, GError **error);
