#include "engine/base/file-stream.h"

#include "engine/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _GobanFileStream
{
  char *path;      /* as people gave it */
  char *target;    /* (nullable): what is replaced; NULL: written through */
  char *temporary; /* (nullable): beside it */
  FILE *file;      /* (nullable) once it is closed */
  gboolean has_failed;
};

static gboolean
fail (GobanFileStream *self, int reason, GError **error)
{
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
               reason == ENOENT || reason == ENOTDIR ? "there is no such folder"
                                                     : g_strerror (reason));
  self->has_failed = TRUE;
  return FALSE;
}

/* A link stays a link: what it points to is replaced. (transfer full) */
static char *
resolve (const char *path)
{
  char *resolved = realpath (path, NULL);
  char *target = g_strdup (resolved != NULL ? resolved : path);

  free (resolved);
  return target;
}

/* A file of that mode, less what the umask takes, which mkstemp() alone would not ask. */
static FILE *
open_beside (GobanFileStream *self, mode_t mode)
{
  int fd;

  self->target = resolve (self->path);
  self->temporary = g_strconcat (self->target, ".XXXXXX", NULL);
  fd = g_mkstemp_full (self->temporary, O_RDWR | O_CLOEXEC, (int) mode);
  if (fd < 0)
    g_clear_pointer (&self->temporary, g_free);
  return fd >= 0 ? fdopen (fd, "w") : NULL;
}

GobanFileStream *
goban_file_stream_new (const char *path, GError **error)
{
  g_autoptr (GobanFileStream) self = g_new0 (GobanFileStream, 1);
  GStatBuf about;
  gboolean exists = g_stat (path, &about) == 0;

  self->path = g_strdup (path);
  if (strcmp (path, "-") == 0)
    {
      self->file = stdout;
      return g_steal_pointer (&self);
    }
  if (exists && S_ISDIR (about.st_mode))
    {
      fail (self, EISDIR, error);
      return NULL;
    }
  /* Renaming a file over a pipe or a device would destroy it. */
  if (exists && !S_ISREG (about.st_mode))
    self->file = fopen (path, "we");
  else
    self->file = open_beside (self, exists ? about.st_mode & 0777 : 0666);
  if (self->file == NULL)
    {
      fail (self, errno, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

gboolean
goban_file_stream_write (GobanFileStream *self, const void *data, gsize size, GError **error)
{
  g_return_val_if_fail (self->file != NULL, FALSE);

  if (self->has_failed)
    return FALSE;
  if (fwrite (data, 1, size, self->file) == size)
    return TRUE;
  return fail (self, errno, error);
}

static gboolean
close_file (GobanFileStream *self)
{
  FILE *file = g_steal_pointer (&self->file);
  gboolean is_fine;

  if (file == stdout)
    return fflush (file) == 0;
  is_fine = fflush (file) == 0 && (self->temporary == NULL || fsync (fileno (file)) == 0);
  return fclose (file) == 0 && is_fine;
}

gboolean
goban_file_stream_commit (GobanFileStream *self, GError **error)
{
  g_return_val_if_fail (self->file != NULL, FALSE);

  if (self->has_failed)
    return FALSE;
  if (!close_file (self))
    return fail (self, errno, error);
  if (self->temporary != NULL && g_rename (self->temporary, self->target) != 0)
    return fail (self, errno, error);
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

void
goban_file_stream_free (GobanFileStream *self)
{
  if (self->file != NULL && self->file != stdout)
    fclose (self->file);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_free (self->path);
  g_free (self->target);
  g_free (self->temporary);
  g_free (self);
}
