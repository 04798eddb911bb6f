/* tf-devices.h: TensorFlow's names of devices, "/job:worker/replica:0/task:1/device:GPU:0", as
 * those of a cluster.
 */
#pragma once

#include <glib.h>

/* Whether the devices (n), one a node, are of several jobs, replicas or tasks. */
gboolean goban_tf_devices_are_apart (const char *const *devices, gsize n);

/* "gpu:0", in valid UTF-8; "" if the name leaves the device open. Of nodes that @are_apart the name
 * as it is, because no cluster here has tasks. (transfer full) */
char *goban_tf_device_name (const char *device, gboolean are_apart) G_GNUC_WARN_UNUSED_RESULT;
