#include "engine/training/output-lock.h"

#include "engine/base/error.h"
#include "engine/base/real-path.h"

static GMutex mutex;
static GHashTable *taken = NULL; /* char, owned */

char *
goban_output_lock_take (const char *output, GError **error)
{
  char *lock = goban_real_path (output);
  gboolean is_free;

  if (lock == NULL)
    lock = g_canonicalize_filename (output, NULL);
  g_mutex_lock (&mutex);
  if (taken == NULL)
    taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  is_free = !g_hash_table_contains (taken, lock);
  if (is_free)
    g_hash_table_add (taken, g_strdup (lock));
  g_mutex_unlock (&mutex);
  if (is_free)
    return lock;
  g_free (lock);
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "another training writes %s: wait for its end, or name another file", output);
  return NULL;
}

void
goban_output_lock_release (char *lock)
{
  g_mutex_lock (&mutex);
  g_hash_table_remove (taken, lock);
  if (g_hash_table_size (taken) == 0)
    g_clear_pointer (&taken, g_hash_table_unref);
  g_mutex_unlock (&mutex);
  g_free (lock);
}
