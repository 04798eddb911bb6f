/* report-diff.h: contents of a report that compares two plans, as plain values.
 *
 * Made from a difference, or filled by hand; owns its contents and is not changed while it is
 * painted. Nothing in it depends on time or machine: the same inputs give the same report. Any
 * thread.
 *
 * Decision U37 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/bottlenecks.h"
#include "ui/draw/charts/waterfall.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/timeline/timeline-scene.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_SENSE_NONE,
  GOBAN_SENSE_BETTER,
  GOBAN_SENSE_WORSE,
} GobanSense;

/* A figure of both plans. */
typedef struct
{
  char *what;
  char *values[2];
  char *change; /* "−3.1 %", "" for none */
  GobanSense sense;
} GobanReportRow;

/* Numbers of nodes that moved. */
typedef struct
{
  guint n_devices;
  char **devices;
  guint *counts; /* (n_devices x n_devices) from row to column */
} GobanReportMoves;

typedef struct
{
  char *title;
  char *subtitle;
  char *names[2];
  char *makespans[2];
  char *change;
  GobanSense sense;
  GArray *rows; /* GobanReportRow */
  GobanReportMoves moves;
  GobanWaterfall *waterfall;   /* (nullable) */
  char *sentence;              /* the difference in words, or why it has no parts */
  char *about_waterfall;       /* the method */
  GobanBottlenecks *causes[2]; /* (nullable) */
  char **script;               /* lines of Lua */

  GobanGraphScene *graphs[2];
  GobanLayout *layout; /* of both */
  guint32 *marked;     /* (n_marked) items of the scenes with moved nodes */
  guint n_marked;
  GobanTimelineScene *timelines[2];
  gboolean has_ghost; /* the timelines have the same lanes */
} GobanDiffReport;

typedef struct
{
  GobanBreakdown *breakdown; /* (nullable) */
  const char *script;        /* (nullable) lines of Lua that reproduce it */
  const GobanLook *look;     /* (nullable): NULL: automatic grouping */
} GobanDiffReportOptions;

/* Takes half a second at 80,000 nodes. (transfer full) (nullable): NULL with %GOBAN_ERROR_CANCELLED
 * set */
GobanDiffReport *goban_diff_report_new (GobanDifference *difference,
                                        const GobanDiffReportOptions *options,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* An empty report, to be filled by the caller. */
GobanDiffReport *goban_diff_report_new_empty (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_diff_report_free (GobanDiffReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDiffReport, goban_diff_report_free)

G_END_DECLS
