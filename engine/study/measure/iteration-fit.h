/* iteration-fit.h: efficiencies of a kind of device, fitted to measured iterations of trainings.
 *
 * A table in CSV whose first line names the columns, in any order:
 *
 *   seconds        of an iteration, measured
 *   model          a workload, such as gpt2-xl or gpt:layers=24,width=2048
 *   tp, pp, dp, ep, sp, micro_batch, batch, zero, chunks
 *                  whole numbers, as those of a training (engine/study/run/parallel-training.h)
 *   recompute, schedule
 *                  words, as there
 *   flash          and any other: a number or a word that the model takes under that name
 *
 * All but the first two may be left out, and so may cells. Every row is simulated with some shares
 * of the peak and of the memory's bandwidth; between these, times are interpolated in the inverses
 * of the shares, in which the time of each op is linear on either side of its roofline.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/machine/cluster/cost-model.h"

/* The efficiencies of a kind of device, fitted to measured times of a graph's nodes.
 *
 * A node's time is estimated as in cost-model.h, from its FLOPs and bytes and the device's data
 * sheet. The constants are those of the least mean |log (estimated / measured)|, so that a short op
 * counts as much as a long one.
 */

/* |estimated / measured - 1| over the nodes. */
typedef struct
{
  double mean;
  double median;
  double high; /* the 90th percentile */
} GobanFitErrors;

typedef struct
{
  const char *kind;          /* the cluster's */
  guint n_nodes;             /* with a measured time, and with FLOPs or bytes; or iterations */
  guint n_compute;           /* of which arithmetic takes longer than memory, as fitted */
  gboolean is_of_iterations; /* (iteration-fit.h): the launch is the device's own */
  double compute_efficiency;
  double memory_efficiency;
  double launch_us;
  GobanFitErrors fitted;
  GobanFitErrors sheet; /* the control: efficiencies of 1, the device's own launch */
} GobanDeviceFit;

/**
 * goban_device_fit:
 * @kind: (nullable): of the devices that are fitted; NULL: the first with measured times
 *
 * The data sheet and the times are those of the first device of the kind. Collective operations are
 * left out.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set if fewer than three nodes have a measured or given
 *   time on such a device, and FLOPs or bytes
 */
gboolean goban_device_fit (const GobanCostModel *costs, const char *kind, GobanDeviceFit *fit,
                           GError **error);

/* The constants and their errors beside those of the data sheet, a line each. (transfer full) */
char *goban_device_fit_to_text (const GobanDeviceFit *self) G_GNUC_WARN_UNUSED_RESULT;

/* The cluster with the constants on every device of the kind. (transfer full) (nullable): %NULL
 * with @error set if a constant is out of range. */
GobanCluster *goban_device_fit_apply (const GobanDeviceFit *self, const GobanCluster *cluster,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define GOBAN_LEAST_ITERATIONS 3

typedef struct _GobanIterations GobanIterations;

/* @origin: begins messages: a path. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID
 * set, which names line and column. */
GobanIterations *goban_iterations_parse (const char *text, const char *origin,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_iterations_free (GobanIterations *self);

/* Simulates all rows on @cluster, which has at least the devices of the largest.
 *
 * @kind: (nullable): of the devices whose efficiencies vary; NULL: that of the first device */
gboolean goban_iterations_simulate (GobanIterations *self, const GobanCluster *cluster,
                                    const char *kind, const GobanProgress *progress,
                                    GError **error);

guint goban_iterations_get_n (const GobanIterations *self);
double goban_iterations_get_measured_us (const GobanIterations *self, guint row);

/* --- once they are simulated ------------------------------------------------------------------ */

double goban_iterations_get_flops (const GobanIterations *self, guint row); /* of all devices */
guint goban_iterations_get_n_devices (const GobanIterations *self, guint row);
double goban_iterations_predict_us (const GobanIterations *self, guint row, double compute,
                                    double memory);
/* Fits to rows (n) of the table; (nullable): NULL: to all. @fit's errors are of these. %FALSE with
 * %GOBAN_ERROR_INVALID set if they are fewer than GOBAN_LEAST_ITERATIONS. */
gboolean goban_iterations_fit (const GobanIterations *self, const guint *rows, guint n,
                               GobanDeviceFit *fit, GError **error);

/**
 * goban_device_fit_file:
 * @path: (nullable): a table, if it ends with ".csv"; else a profile of @graph, or a graph or trace
 *   with times; NULL: @graph's own times
 * @graph: (nullable) if there is a @path
 *
 * Fits to all that the file has. @fit's kind is static.
 */
gboolean goban_device_fit_file (const char *path, GobanGraph *graph, GobanCluster *cluster,
                                const char *kind, const GobanProgress *progress,
                                GobanDeviceFit *fit, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanIterations, goban_iterations_free)
