#include "engine/core/jobs/malloc-tuning.h"

#include <gio/gio.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>
#endif

/* After so long without a job the user is reading, not editing. */
#define REST_MS 1500
/* Whoever allocates waits for a trim: a machine on which pages cost much gives 64 MB back in
 * 0.3 s. */
#define MIN_GAIN_BYTES (64 << 20)

/* The heap is the process's, and so is this. Main thread, but for the last. */
static gboolean is_ours;
static guint n_jobs;
static guint trim_source;
static gint n_trims;

void
goban_malloc_tuning_begin (void)
{
#ifdef __GLIBC__
  is_ours = TRUE;
  /* GSK allocates and frees a surface of the window's size each frame: with its pages faulted in
   * anew, that is 40 % of a frame. */
  mallopt (M_MMAP_THRESHOLD, 1 << 30);
  mallopt (M_TRIM_THRESHOLD, 1 << 30);
  mallopt (M_TOP_PAD, 64 << 20);
  /* One arena for workers and one for all else: sixteen threads would each keep the peak of their
   * largest job. */
  mallopt (M_ARENA_MAX, 2);
#endif
}

#ifdef __GLIBC__
/* Memory that this process has and does not use. */
static gsize
get_free_bytes (void)
{
  struct mallinfo2 info = mallinfo2 ();
  gsize used = info.uordblks + info.hblkhd;
  g_autofree char *text = NULL;
  char *rest;
  gsize resident;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return G_MAXSIZE;
  g_ascii_strtoull (text, &rest, 10);
  resident = g_ascii_strtoull (rest, &rest, 10);
  resident -= g_ascii_strtoull (rest, NULL, 10); /* what is shared */
  resident *= (gsize) sysconf (_SC_PAGESIZE);
  return resident > used ? resident - used : 0;
}
#endif

static void
trim_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
#ifdef __GLIBC__
  if (get_free_bytes () >= MIN_GAIN_BYTES)
    malloc_trim (0);
#endif
  g_atomic_int_inc (&n_trims);
  g_task_return_boolean (task, TRUE);
}

static gboolean
trim_cb (gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  trim_source = 0;
  g_task_run_in_thread (task, trim_worker);
  return G_SOURCE_REMOVE;
}

void
goban_malloc_tuning_job_begins (void)
{
  n_jobs++;
  if (trim_source != 0)
    g_source_remove (trim_source);
  trim_source = 0;
}

void
goban_malloc_tuning_job_ends (void)
{
  g_return_if_fail (n_jobs > 0);

  if (--n_jobs == 0 && is_ours)
    trim_source = g_timeout_add_full (G_PRIORITY_LOW, REST_MS, trim_cb, NULL, NULL);
}

guint
goban_malloc_tuning_get_n_trims (void)
{
  return (guint) g_atomic_int_get (&n_trims);
}
