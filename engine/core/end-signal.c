#include "engine/core/end-signal.h"

#include <signal.h>
#include <unistd.h>

/* Exit status that shells report after a signal, less its number. The program cannot end by the
 * signal itself, because METIS sets its handler again thousands of times a second. */
#define STATUS_OF_SIGNALS 128

static GMutex mutex;
static GobanEndSignalFunc handler; /* (nullable), under the mutex, as what follows */
static gpointer handler_data;

G_NORETURN static gpointer
wait_thread (gpointer unused)
{
  sigset_t set;
  int number;

  sigemptyset (&set);
  sigaddset (&set, SIGTERM);
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

/* Run before the libraries begin: OpenBLAS, which Clp's library needs, starts threads as it is
 * loaded, and threads inherit what is blocked. Not instrumented, because a sanitizer may not have
 * begun either. Part of the programs that call goban_end_signal_begin(), which link this file. */
__attribute__ ((no_sanitize ("address", "thread", "undefined"))) static void
block_signal (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGTERM);
  sigprocmask (SIG_BLOCK, &set, NULL);
}

__attribute__ ((section (".preinit_array"), used)) static void (*const before_libraries) (void)
    = block_signal;

void
goban_end_signal_begin (void)
{
  if (!goban_end_signal_is_ignored (SIGTERM))
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

gboolean
goban_end_signal_is_ignored (int number)
{
  struct sigaction action;

  return sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
