#include "engine/base/end-signal.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* What shells report of a program that a signal ended. It cannot end by the signal itself: METIS sets its handler again
 * thousands of times a second. */
#define STATUS_OF_SIGNALS 128

static GMutex mutex;
static GobanEndSignalFunc handler; /* (nullable), under the mutex, as what follows */
static gpointer handler_data;

static sigset_t
make_set (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGTERM);
  return set;
}

G_NORETURN static gpointer
wait_thread (gpointer unused)
{
  sigset_t set = make_set ();
  int number;

  for (;;)
    {
      if (sigwait (&set, &number) != 0)
        continue;
      g_mutex_lock (&mutex);
      if (handler == NULL)
        _exit (STATUS_OF_SIGNALS + SIGTERM);
      handler (handler_data);
      g_mutex_unlock (&mutex);
    }
}

/* The parent process may have set the signal to be ignored. */
static gboolean
is_ignored (void)
{
  struct sigaction action;

  return sigaction (SIGTERM, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Before the libraries begin: OpenBLAS, which Clp's library brings, starts threads as it is loaded, and threads inherit what
 * is blocked. Not instrumented, because a sanitizer may not have begun either. */
__attribute__ ((no_sanitize ("address", "thread", "undefined"))) static void
block_signal (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGTERM);
  sigprocmask (SIG_BLOCK, &set, NULL);
}

/* Of programs that link this file, which are those that call goban_end_signal_begin(). */
__attribute__ ((section (".preinit_array"), used)) static void (*const before_libraries) (void)
    = block_signal;

void
goban_end_signal_begin (void)
{
  sigset_t set = make_set ();

  if (is_ignored ())
    return;
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  g_thread_unref (g_thread_new ("end-signal", wait_thread, NULL));
}

void
goban_end_signal_set_handler (GobanEndSignalFunc function, gpointer user_data)
{
  g_mutex_lock (&mutex);
  handler = function;
  handler_data = user_data;
  g_mutex_unlock (&mutex);
}
