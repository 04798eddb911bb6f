/* picture.h: pictures of a graph or a run, or the table of its nodes, and their files.
 *
 * Owns all that it is drawn from, so that a worker can draw it while a session changes.
 */
#pragma once

#include "engine/session/lanes.h"
#include "engine/study/analysis/hierarchy/grouping.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"
#include "ui/draw/export/export.h"
#include "ui/draw/export/painting.h"
#include "ui/draw/graph/graph-plot.h"

/* A picture of a graph, a run or a comparison that is drawn at any size. Counted, and not changed;
 * any thread may draw it. */
typedef struct _GobanRendering GobanRendering;

/* Two runs of one graph on clusters with the same devices, lane below lane. (transfer full) */
GobanRendering *goban_rendering_new_comparison (GobanRun *before,
                                                GobanRun *after) G_GNUC_WARN_UNUSED_RESULT;
GobanRendering *goban_rendering_ref (GobanRendering *self);
void goban_rendering_unref (GobanRendering *self);

/* "Timeline of heft", also for screen readers. Borrowed. */
const char *goban_rendering_get_title (const GobanRendering *self);
/* The run that it shows; (nullable), borrowed. */
GobanRun *goban_rendering_get_run (const GobanRendering *self);

/* The height that it needs to be seen whole, in pixels of the design. */
double goban_rendering_get_height (const GobanRendering *self);

/* An RGB24 image of @size, which has a width and a height, and a scale of text and lines (0: 1).
 * NULL with @error set if it cannot be drawn. (transfer full) */
cairo_surface_t *goban_rendering_draw (const GobanRendering *self, const GobanPaintingOptions *size,
                                       GError **error);
/* Writes .svg, .png or .pdf; of a graph or a run also its nodes as .csv. */
gboolean goban_rendering_write (const GobanRendering *self, const GobanPaintingOptions *size,
                                const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRendering, goban_rendering_unref)

typedef struct
{
  char *path; /* a table of nodes if it ends as goban_node_csv_is_path() has it */
  GobanCostModel *costs;
  GobanRun *run;           /* (nullable) */
  GobanNodeValues *values; /* (nullable): fill nodes */
  GobanPlot *plot;         /* (nullable): made of the next four */
  GobanGrouping grouping;
  char **expanded;        /* (nullable) */
  GobanSelection *hidden; /* (nullable) */
  GobanArrangement arrangement;
  GobanOwnLanes lanes; /* of the timeline */
  gboolean has_lanes;  /* else all sub-rows are open */
  GobanExportOptions options;
  gboolean is_timeline;
  gboolean is_step; /* @run is that of a step */
} GobanExportPicture;

void goban_export_picture_free (GobanExportPicture *self);

/* Draws and writes it; %FALSE with @error set. Any thread. */
gboolean goban_export_picture_write (GobanExportPicture *self, const GobanProgress *progress,
                                     GError **error);

/* The same as the work of a job on such a picture: the path, to be freed. */
gpointer goban_export_picture_run (const GobanProgress *progress, gpointer picture, GError **error);

/* Shows lanes of devices alone: an image is seen whole, so memory and links give way to them. */
void goban_export_picture_show_devices (GobanTimelineScene *scene);

/* A value that may be drawn many times. @picture: (transfer full). (transfer full) */
GobanRendering *
goban_export_picture_to_rendering (GobanExportPicture *picture) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanExportPicture, goban_export_picture_free)
