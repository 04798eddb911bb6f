#include "engine/core/file-stream.h"

#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/new-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _GobanFileStream
{
  char *path;             /* as the caller gave it */
  GobanNewFile *new_file; /* (nullable): NULL: written through */
  FILE *file;             /* (nullable) once it is closed */
  gboolean has_failed;
};

/* Without the name of a temporary file in it. */
static const char *
explain (int reason)
{
  switch (reason)
    {
    case EISDIR:
      return _ ("it is a folder");
    case ENOENT:
    case ENOTDIR:
      return _ ("there is no such folder");
    case EACCES:
    case EPERM:
      return _ ("permission denied");
    case EROFS:
      return _ ("the file system is read-only");
    case ENOSPC:
      return _ ("no space is left on the device");
    case ELOOP:
      return _ ("a link leads elsewhere than when it was allowed");
    case ENAMETOOLONG:
      return _ ("its name is too long");
    default:
      return g_strerror (reason);
    }
}

static gboolean
fail (GobanFileStream *self, int reason, GError **error)
{
  self->has_failed = TRUE;
  if (self->file == stdout)
    return goban_refuse (error, GOBAN_ERROR_IO, "standard output: %s", g_strerror (reason));
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
                       explain (reason));
}

/* (nullable), with errno set. */
static FILE *
open_replacement (GobanFileStream *self)
{
  int fd;

  self->new_file = goban_new_file_begin (self->path, GOBAN_NEW_FILE_DEFAULT, &fd);
  /* The new file keeps its own descriptor, and with it the lock, until it is in
   * its place. */
  fd = self->new_file != NULL ? fcntl (fd, F_DUPFD_CLOEXEC, 0) : -1;
  return fd >= 0 ? fdopen (fd, "w") : NULL;
}

/* A pipe or a device. */
static FILE *
open_through (const char *path)
{
  g_autofree char *name = NULL;
  int folder = goban_checked_path_open_folder (path, &name);
  int fd = folder >= 0 ? openat (folder, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY) : -1;
  int saved = errno;

  if (folder >= 0)
    close (folder);
  errno = saved;
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
    self->file = open_through (path);
  else
    self->file = open_replacement (self);
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

gboolean
goban_file_stream_commit (GobanFileStream *self, GError **error)
{
  FILE *file = self->file;

  g_return_val_if_fail (file != NULL, FALSE);

  if (self->has_failed)
    return FALSE;
  if (fflush (file) != 0)
    return fail (self, errno, error);
  if (file == stdout)
    {
      self->file = NULL;
      return TRUE;
    }
  /* Some file systems report a full disk only here. */
  if (fclose (g_steal_pointer (&self->file)) != 0)
    return fail (self, errno, error);
  if (self->new_file != NULL && !goban_new_file_commit (self->new_file))
    return fail (self, errno, error);
  return TRUE;
}

void
goban_file_stream_free (GobanFileStream *self)
{
  if (self->file != NULL && self->file != stdout)
    fclose (self->file);
  g_clear_pointer (&self->new_file, goban_new_file_free);
  g_free (self->path);
  g_free (self);
}
