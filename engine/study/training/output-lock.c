#include "engine/study/training/output-lock.h"

#include "engine/core/error.h"
#include "engine/core/real-path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".lock"
#define PERMISSIONS 0666

struct _GobanOutputLock
{
  char *path;
  char *file; /* (nullable): locked against other processes */
  int fd;
  GobanTrainer *trainer; /* (nullable) */
  GobanOutputLock *next;
};

static GMutex mutex;
static GCond released;
static GobanOutputLock *taken = NULL; /* a training or two */

/* The list must be locked. (nullable) */
static GobanOutputLock *
find (const char *path)
{
  GobanOutputLock *lock = taken;

  while (lock != NULL && !g_str_equal (lock->path, path))
    lock = lock->next;
  return lock;
}

/* --- other processes -------------------------------------------------------------------------- */

/* Whether the file still has its name: its holder removes it. */
static gboolean
is_named (int fd, const char *path)
{
  struct stat own, named;

  return fstat (fd, &own) == 0 && stat (path, &named) == 0 && own.st_dev == named.st_dev
         && own.st_ino == named.st_ino;
}

/* The network's own file is replaced by renaming, so a file beside it is locked. %FALSE if another
 * process has it. If it cannot be made, neither can the network, which is an error of its own. */
static gboolean
lock_file (GobanOutputLock *self)
{
  g_autofree char *file = g_strconcat (self->path, SUFFIX, NULL);
  struct stat output;

  if (stat (self->path, &output) == 0 && !S_ISREG (output.st_mode))
    return TRUE;
  for (;;)
    {
      int fd = open (file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, PERMISSIONS);

      if (fd < 0)
        return TRUE;
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        {
          gboolean is_taken = errno == EWOULDBLOCK;

          close (fd);
          return !is_taken;
        }
      if (is_named (fd, file))
        {
          /* For people who find it. */
          if (ftruncate (fd, 0) == 0)
            dprintf (fd, "%ld\n", (long) getpid ());
          self->fd = fd;
          self->file = g_steal_pointer (&file);
          return TRUE;
        }
      close (fd);
    }
}

static void
unlock_file (GobanOutputLock *self)
{
  if (self->file == NULL)
    return;
  unlink (self->file); /* while it is locked: nobody else can have taken it */
  close (self->fd);
  g_clear_pointer (&self->file, g_free);
}

/* --- all -------------------------------------------------------------------------------------- */

GobanOutputLock *
goban_output_lock_take (const char *output, GobanTrainer *trainer, GError **error)
{
  char *real = goban_real_path (output);
  g_autofree char *path = real != NULL ? real : g_canonicalize_filename (output, NULL);
  GobanOutputLock *other, *self = NULL;

  g_mutex_lock (&mutex);
  while ((other = find (path)) != NULL && other->trainer != NULL
         && goban_trainer_is_closed (other->trainer))
    g_cond_wait (&released, &mutex);
  if (other == NULL)
    {
      self = g_new0 (GobanOutputLock, 1);
      *self = (GobanOutputLock){
        .path = g_steal_pointer (&path), .fd = -1, .trainer = trainer, .next = taken
      };
      taken = self;
    }
  g_mutex_unlock (&mutex);
  if (self != NULL && !lock_file (self))
    {
      goban_output_lock_release (self);
      self = NULL;
    }
  if (self == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "another training writes %s: wait for its end, or name another file", output);
  return self;
}

void
goban_output_lock_release (GobanOutputLock *self)
{
  GobanOutputLock **link = &taken;

  unlock_file (self);
  g_mutex_lock (&mutex);
  while (*link != self)
    link = &(*link)->next;
  *link = self->next;
  g_cond_broadcast (&released);
  g_mutex_unlock (&mutex);
  g_free (self->path);
  g_free (self);
}
