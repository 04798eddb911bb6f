#include "engine/base/file.h"

#include "engine/base/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What people can do about it, without the name of a temporary file in it. */
static const char *
explain (const GError *local, gboolean is_folder)
{
  if (is_folder)
    return "it is a folder";
  switch (local->domain == G_FILE_ERROR ? (GFileError) local->code : G_FILE_ERROR_FAILED)
    {
    case G_FILE_ERROR_NOENT:
    case G_FILE_ERROR_NOTDIR:
      return "there is no such folder";
    case G_FILE_ERROR_ACCES:
    case G_FILE_ERROR_PERM:
      return "permission denied";
    case G_FILE_ERROR_ROFS:
      return "the file system is read-only";
    case G_FILE_ERROR_NOSPC:
      return "no space is left on the device";
    case G_FILE_ERROR_NAMETOOLONG:
      return "its name is too long";
    default:
      return local->message;
    }
}

/* Pipes and devices take the bytes; renaming a file over them would destroy them. */
static gboolean
write_through (const char *path, const char *data, gsize size, GError **error)
{
  FILE *file = fopen (path, "we");
  gboolean fine = file != NULL && fwrite (data, 1, size, file) == size;
  int saved = errno;

  if (file != NULL && fclose (file) != 0 && fine)
    {
      fine = FALSE;
      saved = errno;
    }
  if (!fine)
    g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be written: %s", path,
                 g_strerror (saved));
  return fine;
}

gboolean
goban_file_write (const char *path, const char *data, gsize size, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *target = NULL;
  char *resolved;
  GStatBuf about;
  gboolean exists;

  if (strcmp (path, "-") == 0)
    {
      if (fwrite (data, 1, size, stdout) == size && fflush (stdout) == 0)
        return TRUE;
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "standard output: %s", g_strerror (errno));
      return FALSE;
    }

  exists = g_stat (path, &about) == 0;
  if (exists && !S_ISREG (about.st_mode) && !S_ISDIR (about.st_mode))
    return write_through (path, data, size, error);

  /* A link stays a link: what it points to is replaced. */
  resolved = realpath (path, NULL);
  target = g_strdup (resolved != NULL ? resolved : path);
  free (resolved);
  if (g_file_set_contents_full (target, data, size, G_FILE_SET_CONTENTS_CONSISTENT,
                                exists ? about.st_mode & 0777 : 0666, &local))
    return TRUE;

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be written: %s", path,
               explain (local, exists && S_ISDIR (about.st_mode)));
  return FALSE;
}
