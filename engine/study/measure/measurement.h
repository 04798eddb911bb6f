/* measurement.h: measurement of several plans as one piece of work, and its result.
 *
 * An order is a request of the window or a script; a worker runs it. The result gives runs of the
 * model's graph: of each plan the simulated one and the measured one, which is the same plan with
 * the times that it took (goban_run_new_recorded()).
 */
#pragma once

#include "engine/study/measure/measurer.h"
#include "engine/study/run/policy-run.h"

G_BEGIN_DECLS

typedef struct
{
  char *model;       /* path of the ONNX file */
  GobanGraph *graph; /* (nullable): read from it; else the file is read */
  char **policies;   /* (nullable) */
  char **plans;      /* (nullable): paths */
  GPtrArray *runs;   /* (nullable): GobanRun, whose plans are measured */
  char *code;        /* (nullable): the line of Lua that orders the same */
  char *folder;      /* (nullable): for the files of goban_measure_save() */
  char *runtime;     /* (nullable): of the options, which have none of their own */
  GobanMeasureOptions options;
  GobanRunOptions spending; /* of the policies; as of goban_run_options_dup() */
} GobanMeasureOrder;

GobanMeasureOrder *goban_measure_order_new (const char *model) G_GNUC_WARN_UNUSED_RESULT;
void goban_measure_order_free (GobanMeasureOrder *self);

typedef struct _GobanMeasurement GobanMeasurement;

/* The version of the library that runs models, as goban_ort_load() finds it by default. (transfer
 * full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set, whose message says how to get it */
char *goban_measure_find_runtime (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A #GobanJobFunc: @order is a #GobanMeasureOrder, the result a #GobanMeasurement. */
gpointer goban_measure_order_run (const GobanProgress *progress, gpointer order,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

void goban_measurement_free (GobanMeasurement *self);

/* That of the order; (nullable). Borrowed. */
const char *goban_measurement_get_code (const GobanMeasurement *self);

/* Borrowed. */
GobanMeasurer *goban_measurement_get_measurer (const GobanMeasurement *self);
/* The measured timeline of the i-th plan as a recording: a run of a graph of its own. Borrowed. */
GobanRun *goban_measurement_get_recording (const GobanMeasurement *self, guint i);

/**
 * goban_measurement_make_runs:
 * @graph: of the same model
 * @runs: (out) (transfer full) (element-type GobanRun): of the plans in their order, each simulated
 *   and then measured
 *
 * Returns: (transfer full) (nullable): the costs of the runs, which are those of @graph with the
 *   measured times, on the measured cluster; %NULL with %GOBAN_ERROR_INVALID set if @graph has
 *   other nodes
 */
GobanCostModel *goban_measurement_make_runs (const GobanMeasurement *self, GobanGraph *graph,
                                             GPtrArray **runs,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMeasurement, goban_measurement_free)

G_END_DECLS
