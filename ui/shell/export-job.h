/* export-job.h: writes a picture in a worker: at 80,000 nodes that takes half a second. */
#pragma once

#include "engine/jobs/job.h"
#include "engine/run/run.h"
#include "engine/session/view.h"
#include "ui/draw/export.h"
#include "ui/draw/graph-plot.h"

G_BEGIN_DECLS

/* What is drawn. All values, so that the window may go on to show something else. */
typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanRun *run;           /* (nullable) with a plot */
  GobanPlot *plot;         /* (nullable): NULL is the timeline of the run */
  GobanNodeValues *values; /* (nullable): what fills nodes */
  const GobanLanes *lanes; /* (nullable): copied, and of a timeline alone */
  gboolean is_step;        /* the run is that of a step, whose changes are marked */
  GobanExportOptions options;
} GobanExportSource;

/**
 * goban_export_job_start:
 * @source: copied; what it points to is kept alive
 *
 * Returns: (transfer full): a job whose result is @path, to be freed with g_free()
 */
GobanJob *goban_export_job_start (const GobanExportSource *source,
                                  const char *path) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
