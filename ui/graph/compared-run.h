/* compared-run.h: the run that a view of a comparison shows, and its differences from another. */
#pragma once

#include "engine/session/preview.h"
#include "ui/draw/graph/compare-marks.h"
#include "ui/graph/graph-scenes.h"

G_BEGIN_DECLS

/* All zero in the explorer, which shows the session's run. */
typedef struct
{
  GobanGraphScenes *scenes; /* shared with the other views of a comparison */
  GobanRun *run;            /* (nullable) */
  /* (nullable): the run whose devices are drawn at the left of nodes */
  GobanRun *other;
  GobanRunScene *shown, *shown_other; /* (nullable): scenes of these two, or the previous ones */
  GobanDifference *difference;        /* (nullable) marks */
  GobanUnchanged unchanged;
  /* (nullable): marks of the difference in the plot, or the previous ones */
  GobanRunMarks *changes;
  GobanCompareLook look; /* as last asked for */
  const char *refusal;   /* (nullable): reason why its plan cannot be edited here; static */
  gboolean hides_selection;
  gboolean hides_time;
} GobanComparedRun;

typedef struct
{
  GobanDifference *difference; /* (nullable): marks */
  GobanUnchanged unchanged;
  GobanRun *other; /* (nullable): the run whose devices are drawn at the left of nodes */
} GobanGraphMarks;

void goban_compared_run_clear (GobanComparedRun *self);
void goban_compared_run_forget_look (GobanComparedRun *self);
/* FALSE if they are the present ones. */
gboolean goban_compared_run_set_changes (GobanComparedRun *self, const GobanGraphMarks *marks);

/* (nullable): the scene of @run (nullable) in the plot, else the previous one of that plot. */
GobanGraphScene *goban_compared_run_get_scene (GobanComparedRun *self, const GobanPlot *plot,
                                               GobanRun *run);
/* (nullable): the differences to show in the plot, if there are any. */
const GobanCompareLook *goban_compared_run_get_look (GobanComparedRun *self, const GobanPlot *plot);
/* (nullable): the previewed result of an edit of this run. */
GobanRun *goban_compared_run_find_preview (const GobanComparedRun *self, GobanPreview *preview);

G_END_DECLS
