#include "engine/core/checked-path.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* char *, a path as it was given, to char *, the resolved one; and the same of
 * its folder, with a slash at the end, for the files that are written beside
 * it. */
static GHashTable *checked;
G_LOCK_DEFINE_STATIC (checked);

/* (transfer full) */
static char *
dup_beside (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return g_strconcat (folder, G_DIR_SEPARATOR_S, NULL);
}

void
goban_checked_path_add (const char *path, const char *real)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *real_name = g_path_get_basename (real);

  G_LOCK (checked);
  if (checked == NULL)
    checked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_replace (checked, g_strdup (path), g_strdup (real));
  if (g_str_equal (name, real_name)) /* else it is a link, and leads elsewhere */
    g_hash_table_replace (checked, dup_beside (path), g_path_get_dirname (real));
  G_UNLOCK (checked);
}

/* Resolves a path that was checked, or is beside or below one. The lock must be held. (transfer
 * full) (nullable) */
static char *
find_locked (const char *path)
{
  g_autofree char *beside = dup_beside (path);
  g_autofree char *above = g_strdup (path);
  g_autofree char *name = g_path_get_basename (path);
  const char *found;

  if (checked == NULL)
    return NULL;
  do
    {
      g_autofree char *below = g_steal_pointer (&above);

      found = g_hash_table_lookup (checked, below);
      if (found != NULL)
        return g_strconcat (found, path + strlen (below), NULL);
      above = g_path_get_dirname (below);
    }
  while (g_str_has_prefix (path, above) && strlen (above) > 1);
  found = g_hash_table_lookup (checked, beside);
  return found != NULL ? g_build_filename (found, name, NULL) : NULL;
}

static char *
find_checked (const char *path)
{
  char *real;

  G_LOCK (checked);
  real = find_locked (path);
  G_UNLOCK (checked);
  return real;
}

/* One step down, which makes the folder if it may. */
static int
open_below (int fd, const char *name, gboolean makes)
{
  struct stat about;
  int below;

  if (makes)
    mkdirat (fd, name, 0777); /* else opening it says why */
  below = openat (fd, name, FOLDER_FLAGS | O_NOFOLLOW);
  if (below < 0 && errno == ENOTDIR)
    errno = fstatat (fd, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK (about.st_mode)
                ? ELOOP
                : ENOTDIR;
  return below;
}

/* The folder of that resolved name, itself and all above it no links; -1 with
 * errno set. */
static int
open_without_links (const char *folder, gboolean makes)
{
  g_auto (GStrv) names = g_strsplit (folder, G_DIR_SEPARATOR_S, -1);
  int fd = open (G_DIR_SEPARATOR_S, FOLDER_FLAGS);

  for (guint i = 0; fd >= 0 && names[i] != NULL; i++)
    if (*names[i] != '\0')
      {
        int below = open_below (fd, names[i], makes);
        int saved = errno;

        close (fd);
        errno = saved;
        fd = below;
      }
  return fd;
}

/* A link stays one: its target is written. (transfer full) */
static char *
resolve (const char *path)
{
  char *resolved = realpath (path, NULL);
  char *target = g_strdup (resolved != NULL ? resolved : path);

  free (resolved);
  return target;
}

int
goban_checked_path_open_folder (const char *path, char **name)
{
  g_autofree char *real = find_checked (path);
  gboolean is_checked = real != NULL;
  g_autofree char *target = is_checked ? g_steal_pointer (&real) : resolve (path);
  g_autofree char *folder = g_path_get_dirname (target);
  int fd = is_checked ? open_without_links (folder, FALSE) : open (folder, FOLDER_FLAGS);

  *name = fd >= 0 ? g_path_get_basename (target) : NULL;
  return fd;
}

gboolean
goban_checked_path_make_folder (const char *path)
{
  g_autofree char *real = find_checked (path);
  int fd;

  if (real == NULL)
    return g_mkdir_with_parents (path, 0777) == 0;
  fd = open_without_links (real, TRUE);
  if (fd < 0)
    return FALSE;
  close (fd);
  return TRUE;
}
