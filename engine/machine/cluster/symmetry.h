/* symmetry.h: symmetries of a cluster: renamings of its devices that change nothing.
 *
 * A renaming is a symmetry if every device has the figures of the device whose name it takes, and
 * links can be renamed with it: each route has the latency, the bandwidth and, link by link, the
 * renamed links of the other. A plan whose devices are renamed by one takes as long as before,
 * except that ties between things at the same instant go by numbers of devices.
 *
 * Links are compared only if transfers wait for them. Not thread-safe.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"

typedef struct _GobanSymmetry GobanSymmetry;

/* Symmetries of the cluster of @costs, which must outlive them. O(n_devices^2 x links of a route).
 * */
GobanSymmetry *goban_symmetry_new (const GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_symmetry_free (GobanSymmetry *self);

/* Whether the renaming of every device d to to[d] (n_devices) is a symmetry. O(devices that get
 * other names x n_devices). */
gboolean goban_symmetry_check (GobanSymmetry *self, const GobanDeviceId *to);

/* (n_devices) the lowest device with which each may change places, all else kept: devices with the
 * same one may be renamed among themselves in any way. Borrowed. */
const GobanDeviceId *goban_symmetry_get_firsts (const GobanSymmetry *self);

/* Whether some symmetry could rename @a to @c and at the same time @b to @d, by the figures of
 * devices and of the routes between them; goban_symmetry_check() decides it exactly. */
gboolean goban_symmetry_are_alike (const GobanSymmetry *self, GobanDeviceId a, GobanDeviceId b,
                                   GobanDeviceId c, GobanDeviceId d);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSymmetry, goban_symmetry_free)
