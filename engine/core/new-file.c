#include "engine/core/new-file.h"

#include "engine/core/checked-path.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".goban-"
#define SUFFIX ".tmp"
#define N_DIGITS 16
#define MAX_TRIES 100

struct _GobanNewFile
{
  int folder;
  char *target; /* a name in the folder, as the next */
  char *name;   /* (nullable): the temporary one, while it has one */
  int fd;
  gboolean replaces; /* there was a file */
};

/* --- temporary names ------------------------------------------------------------------------ */

/* (transfer full): the length does not depend on the target's, which may be as long as names can
 * be. */
static char *
dup_temporary (void)
{
  return g_strdup_printf (PREFIX "%08x%08x" SUFFIX, g_random_int (), g_random_int ());
}

static gboolean
is_temporary (const char *name)
{
  const char *digits = name + strlen (PREFIX);

  return g_str_has_prefix (name, PREFIX) && strspn (digits, "0123456789abcdef") == N_DIGITS
         && g_str_equal (digits + N_DIGITS, SUFFIX);
}

/* Whether the name still belongs to the open file. */
static gboolean
is_named (int folder, int fd, const char *name)
{
  struct stat open_file, named_file;

  return fstat (fd, &open_file) == 0
         && fstatat (folder, name, &named_file, AT_SYMLINK_NOFOLLOW) == 0
         && open_file.st_dev == named_file.st_dev && open_file.st_ino == named_file.st_ino;
}

/* The kernel releases a lock with its owner, so a file that can be locked has no owner. */
static void
remove_if_dead (int folder, const char *name)
{
  int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat about;

  if (fd < 0)
    return;
  if (fstat (fd, &about) == 0 && S_ISREG (about.st_mode) && about.st_uid == geteuid ()
      && flock (fd, LOCK_EX | LOCK_NB) == 0 && is_named (folder, fd, name))
    unlinkat (folder, name, 0);
  close (fd);
}

/* Once a folder: reading a large one takes longer than writing a small file. */
static gboolean
is_first_visit (int folder)
{
  static GMutex mutex;
  static GHashTable *visited;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  struct stat about;

  if (fstat (folder, &about) != 0)
    return FALSE;
  if (visited == NULL)
    visited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return g_hash_table_add (visited,
                           g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                            (guint64) about.st_dev, (guint64) about.st_ino));
}

static void
sweep (int folder)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", folder);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!is_first_visit (folder))
    return;
  dir = g_dir_open (path, 0, NULL); /* writing will say why it cannot be read */
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_temporary (name))
      remove_if_dead (folder, name);
}

/* --- beginning ------------------------------------------------------------------------------ */

/* %FALSE with errno set. */
static gboolean
open_named (GobanNewFile *self)
{
  for (int i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *name = dup_temporary ();

      self->fd = openat (self->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (self->fd < 0 && errno == EEXIST)
        continue;
      if (self->fd < 0)
        return FALSE;
      /* Another process may have taken it for a dead writer's before it was
     * locked. */
      if (flock (self->fd, LOCK_EX | LOCK_NB) == 0 && is_named (self->folder, self->fd, name))
        {
          self->name = g_steal_pointer (&name);
          return TRUE;
        }
      close (g_steal_fd (&self->fd));
    }
  errno = EEXIST;
  return FALSE;
}

/* A file without a name can get one through /proc only. */
static gboolean
open_nameless (GobanNewFile *self)
{
  if (access ("/proc/self/fd", X_OK) != 0)
    return FALSE;
  self->fd = openat (self->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (self->fd >= 0)
    flock (self->fd, LOCK_EX | LOCK_NB);
  return self->fd >= 0;
}

GobanNewFile *
goban_new_file_begin (const char *target, GobanNewFileFlags flags, int *fd)
{
  g_autoptr (GobanNewFile) self = g_new0 (GobanNewFile, 1);
  struct stat about;

  self->fd = -1;
  self->folder = goban_checked_path_open_folder (target, &self->target);
  if (self->folder < 0)
    return NULL;
  self->replaces = fstatat (self->folder, self->target, &about, AT_SYMLINK_NOFOLLOW) == 0;
  sweep (self->folder);
  if (((flags & GOBAN_NEW_FILE_NAMED) != 0 || !open_nameless (self)) && !open_named (self))
    return NULL;
  if (self->replaces && S_ISREG (about.st_mode) && fchmod (self->fd, about.st_mode & 0777) != 0)
    return NULL;
  *fd = self->fd;
  return g_steal_pointer (&self);
}

/* --- the end -------------------------------------------------------------------------------- */

static gboolean
link_to (GobanNewFile *self, const char *name)
{
  g_autofree char *open_file = g_strdup_printf ("/proc/self/fd/%d", self->fd);

  return linkat (AT_FDCWD, open_file, self->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/* %FALSE with errno set. */
static gboolean
give_name (GobanNewFile *self)
{
  for (int i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *name = dup_temporary ();

      if (link_to (self, name))
        {
          self->name = g_steal_pointer (&name);
          return TRUE;
        }
      if (errno != EEXIST)
        return FALSE;
    }
  return FALSE;
}

static gint discards_files; /* atomic */

void
goban_new_files_discard (gboolean discards)
{
  g_atomic_int_set (&discards_files, discards);
}

gboolean
goban_new_file_commit (GobanNewFile *self)
{
  g_return_val_if_fail (self->fd >= 0, FALSE);

  if (g_atomic_int_get (&discards_files))
    return TRUE;
  /* Flush first: a file that is renamed before its bytes are on the disk can be empty after a power
   * cut. */
  if (self->replaces && fsync (self->fd) != 0)
    return FALSE;
  if (self->name == NULL)
    {
      if (!self->replaces && link_to (self, self->target))
        return TRUE;
      if (!self->replaces && errno != EEXIST)
        return FALSE;
      if (!give_name (self))
        return FALSE;
    }
  if (renameat (self->folder, self->name, self->folder, self->target) != 0)
    return FALSE;
  g_clear_pointer (&self->name, g_free);
  return TRUE;
}

void
goban_new_file_free (GobanNewFile *self)
{
  int saved = errno;

  if (self->name != NULL)
    unlinkat (self->folder, self->name, 0);
  if (self->fd >= 0)
    close (self->fd);
  if (self->folder >= 0)
    close (self->folder);
  g_free (self->target);
  g_free (self->name);
  g_free (self);
  errno = saved;
}
