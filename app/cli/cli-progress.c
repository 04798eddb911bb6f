#include "app/cli/cli-progress.h"

#include "app/cli/cli-ranks.h"
#include "engine/core/file-read.h"
#include "engine/core/time-left.h"
#include "engine/study/run/policy-run.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Progress appears after a second and is then renewed ten times a second. */
#define PROGRESS_AFTER_US (1 * G_USEC_PER_SEC)
#define PROGRESS_EVERY_US (G_USEC_PER_SEC / 10)

/* Atomic: set by a signal, or by a thread that waits for one. */
static gint interrupted;
static gint ended;        /* the search: its best plan is written */
static gint is_searching; /* a request to stop is for the search */
static GobanPace pace;
static gint64 started_us;
static gint64 shown_us;
static gboolean line_is_shown;

/* --- progress ---------------------------------------------------------------------------- */

static void
interrupt_cb (int signal_number)
{
  /* A second Ctrl+C ends the program at once. */
  if (g_atomic_int_get (&interrupted) || g_atomic_int_get (&ended))
    _exit (GOBAN_EXIT_INTERRUPTED);
  goban_cli_interrupt ();
}

void
goban_cli_interrupt (void)
{
  g_atomic_int_set (g_atomic_int_get (&is_searching) ? &ended : &interrupted, 1);
}

static gboolean
should_stop (gpointer user_data)
{
  return g_atomic_int_get (&interrupted) != 0;
}

static void
show_step (double fraction, const char *what, gpointer user_data)
{
  gint64 now_us = g_get_monotonic_time ();
  double left_s = goban_pace_step (&pace, fraction, now_us);
  char left[GOBAN_TIME_LEFT_LEN] = "";

  if (!goban_cli_is_first_rank () || now_us - started_us < PROGRESS_AFTER_US
      || now_us - shown_us < PROGRESS_EVERY_US)
    return;

  shown_us = now_us;
  line_is_shown = TRUE;
  if (what == NULL)
    what = "";
  if (left_s >= 0)
    goban_format_time_left (left, left_s);
  if (fraction >= 0)
    fprintf (stderr, "\r\033[K%3.0f %%  ", fraction * 100);
  else
    fprintf (stderr, "\r\033[K%3" G_GINT64_FORMAT " s  ", (now_us - started_us) / G_USEC_PER_SEC);
  fprintf (stderr, "%s%s%s", what, *what != '\0' && *left != '\0' ? ", " : "", left);
  fflush (stderr);
}

const GobanProgress *
goban_cli_progress (void)
{
  static GobanProgress progress = { NULL, should_stop, NULL };

  if (started_us == 0)
    {
      struct sigaction action = { .sa_handler = interrupt_cb };

      sigaction (SIGINT, &action, NULL);
      goban_file_set_progress (&progress);
      started_us = g_get_monotonic_time ();
      if (isatty (STDERR_FILENO))
        progress.on_step = show_step;
    }
  return &progress;
}

void
goban_cli_progress_end (void)
{
  if (line_is_shown)
    fputs ("\r\033[K", stderr);
  line_is_shown = FALSE;
}

/* --- searches ------------------------------------------------------------------------------ */

void
goban_cli_search_begin (const char *policy)
{
  GobanPolicyInfo info;

  if (policy != NULL && goban_policy_find (policy, &info, NULL)
      && g_str_equal (info.effort, "quick"))
    return;
  g_atomic_int_set (&is_searching, 1);
}

void
goban_cli_search_end (void)
{
  g_atomic_int_set (&is_searching, 0);
}

const gint *
goban_cli_search_get_finish (void)
{
  return &ended;
}

gboolean
goban_cli_search_was_ended (void)
{
  return g_atomic_int_get (&ended) != 0;
}

void
goban_cli_say_ended (const char *what, const char *path)
{
  goban_cli_progress_end ();
  g_printerr ("goban-cli: interrupted: the search ended early with %s%s%s\n", what,
              path != NULL ? ", written to " : "", path != NULL ? path : "");
}

gboolean
goban_cli_is_interrupted (void)
{
  if (!g_atomic_int_get (&interrupted))
    return FALSE;

  goban_cli_progress_end ();
  g_printerr ("goban-cli: interrupted\n");
  return TRUE;
}
