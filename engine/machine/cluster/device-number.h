/* device-number.h: numbers of devices among those of their kind, as frameworks count them. */
#pragma once

#include "engine/machine/cluster/cluster.h"

/* 1 of "gpu:1". If the devices of the kind are not all named KIND:NUMBER, their order counts. */
guint goban_device_get_number (const GobanCluster *cluster, GobanDeviceId device);

/* The device with that number, whatever the case of @kind, or GOBAN_NO_DEVICE. */
GobanDeviceId goban_device_find (const GobanCluster *cluster, const char *kind, guint number);
