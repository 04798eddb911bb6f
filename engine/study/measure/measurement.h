/* measurement.h: measurement of several plans as one piece of work, and its result.
 *
 * An order is a request of the window or a script; a worker runs it. The result gives runs of the
 * model's graph: of each plan the simulated one and the measured one, which is the same plan with
 * the times that it took (goban_run_new_recorded()).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/measure/measured-run.h"
#include "engine/study/run/policy-run.h"

/* Measurement of plans of one ONNX model on this machine, from the file to the report.
 *
 * Devices are processor cores, the executor is ONNX Runtime (ort.h). First the machine must be
 * idle, then the model is calibrated (measured-run.h), then each plan is simulated with these costs
 * by the caller, and run. A machine that others keep busy gives times without meaning, so that it
 * is refused, unless the measurement is forced: then times are processor times of the threads
 * (timing.h), and the result is marked as provisional.
 *
 * One thread. The work takes seconds to a minute; progress and stop as everywhere.
 */

/* Limits for a dialog that asks how often each plan is run; cores are at most GOBAN_MAX_DEVICES. */
#define GOBAN_MEASURER_MOST_RUNS 10000

/* Zeroes are the defaults. */
typedef struct
{
  const char *runtime; /* (nullable): ONNX Runtime's library, or its folder */
  guint n_cores;       /* 0: 2 */
  guint n_runs;        /* of each plan; 0: 25 */
  gint64 batch;        /* with which the graph was read */
  guint n_plans;       /* that are going to be run, for the progress; 0: not known */
  guint idle_ms; /* how long to watch whether others are busy; 0: a second, or less if forced */
  gboolean is_forced;            /* measure a busy machine, too */
  const GobanProgress *progress; /* (nullable): outlives the measurer */
} GobanMeasureOptions;

/* Read-only. */
typedef struct _GobanMeasurer
{
  GobanMeasureOptions options;
  GobanOrt *ort;
  GobanModelParts *parts;
  guint *cpus;                   /* (n_cores) */
  GobanCalibration *calibration; /* its costs are for the policies and the simulator */
  GPtrArray *runs;               /* GobanMeasuredRun */
  /* Why figures are provisional: the machine was busy at the beginning, during a run, or repeats
     differed much; "" if it was idle all the time. A sentence. */
  GString *doubt;
  GString *uneven;  /* names of ops with uneven repeats */
  char *note;       /* further remarks, such as shared cores and random weights; "" for none */
  double load;      /* the greatest share of the cores' time that others took */
  gboolean is_busy; /* before the measurement, which was forced */
} GobanMeasurer;

/**
 * goban_measurer_new:
 * @path: the file of an ONNX model
 * @graph: read from it
 *
 * Loads the library, waits a second to see whether the machine is idle, and calibrates.
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE set if the machine is
 *   busy,
 *   %GOBAN_ERROR_UNSUPPORTED if the library is missing or cannot run the model, or another error
 */
GobanMeasurer *goban_measurer_new (const char *path, GobanGraph *graph,
                                   const GobanMeasureOptions *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_measurer_free (GobanMeasurer *self);

/* Runs the plan of @predicted, a run of these costs. Borrowed (nullable): %NULL with @error set */
const GobanMeasuredRun *goban_measurer_run (GobanMeasurer *self, GobanRun *predicted,
                                            GError **error);

const GobanMeasuredRun *goban_measurer_get_run (const GobanMeasurer *self, guint i);

/* Pairs of plans whose predictions are more than 10 % apart, and those of them that were measured
 * in the same order. */
void goban_measurer_count_pairs (const GobanMeasurer *self, guint *n_pairs, guint *n_in_order);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMeasurer, goban_measurer_free)

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

/* Read-only. */
typedef struct _GobanMeasurement
{
  GobanMeasurer *measurer;
  /* GobanRun, one a plan: its measured timeline, of a graph of its own */
  GPtrArray *recordings;
  char *code; /* (nullable): that of the order */
} GobanMeasurement;

/* The version of the library that runs models, as goban_ort_load() finds it by default. (transfer
 * full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set, whose message says how to get it */
char *goban_measure_find_runtime (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A #GobanJobFunc: @order is a #GobanMeasureOrder, the result a #GobanMeasurement. */
gpointer goban_measure_order_run (const GobanProgress *progress, gpointer order,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

void goban_measurement_free (GobanMeasurement *self);

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
