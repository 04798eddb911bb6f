/* export.h: pictures as files: SVG, PNG or PDF, by the ending of the path; SVG where the path
 * is "-", standard output.
 *
 * A title above, a legend below. The picture is made in memory and the file replaced whole, so a
 * failure leaves what was there. The same scene gives the same SVG and PNG, byte for byte. Any
 * thread.
 */
#pragma once

#include "ui/draw/timeline-painter.h"

G_BEGIN_DECLS

/* Of nodes and edges together: larger graphs are put into vector files as an image, for no
 * viewer opens a hundred megabytes of paths. */
#define GOBAN_MAX_VECTOR_ELEMENTS 20000

typedef struct
{
  GobanTheme theme;
  GobanFill fill;
  gboolean show_critical;
  double width; /* of the whole picture, pixels (1/96 inch in PDF); 0: as suits the content */
  double height;
  double from_us; /* of a timeline: the part shown; both 0: all of it */
  double to_us;
} GobanExportOptions;

/**
 * goban_export_graph:
 * @options: (nullable)
 *
 * Returns: %FALSE with %GOBAN_ERROR_UNSUPPORTED (an ending other than .svg, .png, .pdf),
 *   %GOBAN_ERROR_INVALID (a size no picture can have) or %GOBAN_ERROR_IO set
 */
gboolean goban_export_graph (const GobanGraphScene *scene, const GobanLayout *layout,
                             const GobanExportOptions *options, const char *path, GError **error);

/* The same for a run. */
gboolean goban_export_timeline (const GobanTimelineScene *scene, const GobanExportOptions *options,
                                const char *path, GError **error);

/* TRUE where the ending of @path is one we write; else FALSE with %GOBAN_ERROR_UNSUPPORTED set. To be
 * asked before long work. */
gboolean goban_export_check_path (const char *path, GError **error);

G_END_DECLS
