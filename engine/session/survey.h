/* survey.h: survey of alternative devices: simulates moving nodes to each device in turn.
 *
 * A GObject of the main thread; simulates in a worker. Only the first GOBAN_SURVEY_MOST devices are
 * tried.
 *
 * Signal: "changed": the result of one more device is known.
 */
#pragma once

#include "engine/session/edit.h"
#include "engine/study/analysis/effect.h"

#define GOBAN_SURVEY_MOST 32

#define GOBAN_TYPE_SURVEY (goban_survey_get_type ())
G_DECLARE_FINAL_TYPE (GobanSurvey, goban_survey, GOBAN, SURVEY, GObject)

typedef struct
{
  gboolean is_known;
  gboolean is_as_it_is; /* the nodes are on that device already */
  char *trouble;        /* (nullable): why the move is not possible */
  GobanEffect effect;
  double peak_bytes; /* peak memory of that device after the move */
  double capacity_bytes;
} GobanOutlook;

/* @edit: a MOVE with a base; its device is ignored. Starts at once. */
GobanSurvey *goban_survey_new (const GobanEdit *edit) G_GNUC_WARN_UNUSED_RESULT;

guint goban_survey_get_n_devices (GobanSurvey *self);
/* Borrowed. */
const GobanOutlook *goban_survey_get (GobanSurvey *self, guint device);
/* "−3.1 %, 182.4 ms, 11.2 of 16 GB", for example; "" while unknown. (transfer full) */
char *goban_survey_describe (GobanSurvey *self, guint device) G_GNUC_WARN_UNUSED_RESULT;
/* TRUE until all results are known. */
gboolean goban_survey_is_busy (GobanSurvey *self);
