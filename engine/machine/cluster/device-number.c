#include "engine/machine/cluster/device-number.h"

#include <string.h>

static gboolean
read_number (const GobanDevice *device, guint *number)
{
  gsize n = strlen (device->kind);
  g_autofree char *again = NULL;
  guint64 value;

  if (strncmp (device->name, device->kind, n) != 0 || device->name[n] != ':'
      || !g_ascii_string_to_unsigned (device->name + n + 1, 10, 0, G_MAXUINT16, &value, NULL))
    return FALSE;
  *number = (guint) value;
  /* "gpu:00" and "gpu:0" may not share a number. */
  again = g_strdup_printf ("%s:%u", device->kind, *number);
  return g_str_equal (again, device->name);
}

guint
goban_device_get_number (const GobanCluster *cluster, GobanDeviceId device)
{
  const GobanDevice *self = goban_cluster_get_device (cluster, device);
  gboolean is_named = TRUE;
  guint order = 0;
  guint number = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      const GobanDevice *other = goban_cluster_get_device (cluster, (GobanDeviceId) d);

      if (!g_str_equal (other->kind, self->kind))
        continue;
      order += d < device;
      is_named &= read_number (other, &number);
    }
  return is_named && read_number (self, &number) ? number : order;
}

GobanDeviceId
goban_device_find (const GobanCluster *cluster, const char *kind, guint number)
{
  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    if (g_ascii_strcasecmp (goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind, kind) == 0
        && goban_device_get_number (cluster, (GobanDeviceId) d) == number)
      return (GobanDeviceId) d;
  return GOBAN_NO_DEVICE;
}
