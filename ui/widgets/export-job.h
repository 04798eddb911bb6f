/* export-job.h: worker job that writes a picture, which takes half a second at 80,000 nodes. */
#pragma once

#include "engine/core/jobs/job.h"
#include "engine/session/view.h"
#include "engine/study/run/run.h"
#include "ui/draw/export/export.h"
#include "ui/draw/graph/graph-plot.h"

/* The picture to draw, as values, so that the window may change in the meantime. */
typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanRun *run;           /* (nullable) with a plot */
  GobanPlot *plot;         /* (nullable): NULL is the timeline of the run */
  GobanNodeValues *values; /* (nullable): the values that colour the nodes */
  const GobanLanes *lanes; /* (nullable): copied; for a timeline only */
  gboolean is_step;        /* the run is a decision step; its changes are marked */
  GobanExportOptions options;
} GobanExportSource;

/**
 * goban_export_job_start:
 * @source: copied, with references on its objects
 *
 * Returns: (transfer full): a job whose result is @path, to be freed with g_free()
 */
GobanJob *goban_export_job_start (const GobanExportSource *source,
                                  const char *path) G_GNUC_WARN_UNUSED_RESULT;
