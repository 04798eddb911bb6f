#include "engine/training/output-lock.h"

#include "engine/base/error.h"
#include "engine/base/real-path.h"

struct _GobanOutputLock
{
  char *path;
  GobanTrainer *trainer; /* (nullable) */
  GobanOutputLock *next;
};

static GMutex mutex;
static GCond released;
static GobanOutputLock *taken = NULL; /* a training or two */

/* Of the locked list. (nullable) */
static GobanOutputLock *
find (const char *path)
{
  GobanOutputLock *lock = taken;

  while (lock != NULL && !g_str_equal (lock->path, path))
    lock = lock->next;
  return lock;
}

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
      *self = (GobanOutputLock){ g_steal_pointer (&path), trainer, taken };
      taken = self;
    }
  g_mutex_unlock (&mutex);
  if (self == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "another training writes %s: wait for its end, or name another file", output);
  return self;
}

void
goban_output_lock_release (GobanOutputLock *self)
{
  GobanOutputLock **link = &taken;

  g_mutex_lock (&mutex);
  while (*link != self)
    link = &(*link)->next;
  *link = self->next;
  g_cond_broadcast (&released);
  g_mutex_unlock (&mutex);
  g_free (self->path);
  g_free (self);
}
