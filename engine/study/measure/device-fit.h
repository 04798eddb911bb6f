/* device-fit.h: the efficiencies of a kind of device, fitted to measured times of a graph's nodes.
 *
 * A node's time is estimated as in cost-model.h, from its FLOPs and bytes and the device's data
 * sheet. The constants are those of the least mean |log (estimated / measured)|, so that a short op
 * counts as much as a long one.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"

G_BEGIN_DECLS

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

/* Sorts errors (n). */
GobanFitErrors goban_fit_errors_new (double *errors, guint n);
/* The constants and their errors beside those of the data sheet, a line each. (transfer full) */
char *goban_device_fit_to_text (const GobanDeviceFit *self) G_GNUC_WARN_UNUSED_RESULT;

/* The cluster with the constants on every device of the kind. (transfer full) (nullable): %NULL
 * with @error set if a constant is out of range. */
GobanCluster *goban_device_fit_apply (const GobanDeviceFit *self, const GobanCluster *cluster,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
