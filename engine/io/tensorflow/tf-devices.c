#include "engine/io/tensorflow/tf-devices.h"

#include <string.h>

typedef struct
{
  char *task;   /* "job:worker/task:1", "" if the name has none */
  char *device; /* "gpu:0", "" if the name has none */
} Parts;

static void
clear_parts (Parts *parts)
{
  g_free (parts->task);
  g_free (parts->device);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, clear_parts)

/* A kind and a number: of "device:GPU:1" and of "gpu:1", the old form. */
static char *
dup_device (const char *part)
{
  const char *start = g_str_has_prefix (part, "device:") ? part + strlen ("device:") : part;
  const char *colon = strrchr (start, ':');
  guint64 number = 0;
  g_autofree char *kind = NULL;

  /* A kind alone is its first device; "*" leaves the number open, too. */
  if (colon == NULL)
    colon = start + strlen (start);
  else if (strcmp (colon, ":*") != 0
           && !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXUINT16, &number, NULL))
    return g_utf8_make_valid (start, -1);
  kind = g_ascii_strdown (start, colon - start);
  if (*kind == '\0' || strcmp (kind, "*") == 0)
    return g_strdup ("");
  return g_strdup_printf ("%s:%u", kind, (guint) number);
}

static Parts
split_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  g_autoptr (GString) task = g_string_new (NULL);
  Parts found = { NULL, NULL };

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] == '\0')
        continue;
      if (g_str_has_prefix (parts[i], "job:") || g_str_has_prefix (parts[i], "replica:")
          || g_str_has_prefix (parts[i], "task:"))
        g_string_append_printf (task, "%s%s", task->len > 0 ? "/" : "", parts[i]);
      else
        {
          g_free (found.device);
          found.device = dup_device (parts[i]);
        }
    }
  found.task = g_string_free (g_steal_pointer (&task), FALSE);
  if (found.device == NULL)
    found.device = g_strdup ("");
  return found;
}

gboolean
goban_tf_devices_are_apart (const char *const *devices, gsize n)
{
  g_autofree char *first = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* many nodes share one text */

  for (gsize i = 0; i < n; i++)
    {
      g_auto (Parts) parts = { NULL, NULL };

      if (!g_hash_table_add (seen, (gpointer) devices[i]))
        continue;
      parts = split_name (devices[i]);
      if (*parts.task == '\0')
        continue;
      if (first != NULL && strcmp (first, parts.task) != 0)
        return TRUE;
      if (first == NULL)
        first = g_steal_pointer (&parts.task);
    }
  return FALSE;
}

char *
goban_tf_device_name (const char *device, gboolean are_apart)
{
  g_auto (Parts) parts = { NULL, NULL };

  if (*device == '\0' || are_apart)
    return g_utf8_make_valid (device, -1);
  parts = split_name (device);
  return g_utf8_make_valid (parts.device, -1);
}
