/* device-matching.h: renaming of the devices of a plan so that it agrees best with another plan.
 *
 * Only symmetries of the cluster (engine/machine/cluster/symmetry.h) are used, so the renaming
 * changes nothing but names. Of those it leaves the most nodes on the device they have in the other
 * plan, then the most work. Exact while the cluster has at most eight sets of exchangeable devices
 * that could change places as a whole, and sets of at most 256 devices; larger ones are matched one
 * by one.
 *
 * Immutable and reference-counted; made in any thread.
 *
 * Decision E54 (engine/NOTES.md).
 */
#pragma once

#include "engine/study/run/run.h"

typedef struct
{
  gatomicrefcount ref_count;
  GobanRun *run;     /* as it is */
  GobanRun *matched; /* the same plan with renamed devices, simulated; @run if nothing is renamed */
  GobanDeviceId *to; /* (n_devices) the name that each device of @run has in @matched */
  guint n_devices;
  guint n_renamed;
  guint n_moved_before; /* nodes on another device than in the reference, without the renaming */
  guint n_moved;        /* and with it */
} GobanDeviceMatching;

/* Renames devices of @run for the comparison with @reference, a run of the same graph; renames
 * nothing if the plans are for different numbers of devices. (transfer full) */
GobanDeviceMatching *goban_device_matching_new (GobanRun *reference,
                                                GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
GobanDeviceMatching *goban_device_matching_ref (GobanDeviceMatching *self);
void goban_device_matching_unref (GobanDeviceMatching *self);

/* "gpu:0 and gpu:1 are exchanged in @name, which changes nothing"; %NULL if nothing is renamed.
 * (transfer full) (nullable) */
char *goban_device_matching_describe (const GobanDeviceMatching *self,
                                      const char *name) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDeviceMatching, goban_device_matching_unref)
