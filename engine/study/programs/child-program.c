#include "engine/study/programs/child-program.h"

#include "engine/core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define TICK_MS 50
#define EXIT_TICK_US 2000
#define PIECE_BYTES ((gsize) 1 << 16)
#define KEPT_COMPLAINT_BYTES 8192
#define SHOWN_COMPLAINTS 8

enum
{
  INPUT, /* the program's */
  OUTPUT,
  COMPLAINTS,
  N_PIPES
};

struct _GobanChildProgram
{
  const GobanChildProgramOptions *options;
  GSubprocess *process;
  pid_t pid;
  GPollFD pipes[N_PIPES]; /* our ends; -1: closed */
  GString *written;
  gsize n_taken;    /* bytes of it that were read as lines */
  gsize n_searched; /* bytes behind these without an end of line */
  guint64 n_lines;
  GString *complaints; /* the end of what it wrote on standard error */
};

/* --- starting and ending ---------------------------------------------------------------------- */

/* Between fork() and exec(). A program must not outlive us, however we end; and signals that we
 * block, such as SIGTERM, are not blocked in it. */
static void
begin_child_cb (gpointer parent)
{
  sigset_t none;

  setpgid (0, 0);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != GPOINTER_TO_INT (parent))
    _exit (EXIT_FAILURE);
#endif
}

static void
close_pipe (GobanChildProgram *self, guint i)
{
  if (self->pipes[i].fd >= 0)
    close (self->pipes[i].fd);
  self->pipes[i].fd = -1;
}

/* The program's end goes to the launcher, which closes it. */
static gboolean
open_pipe (GobanChildProgram *self, guint i, GSubprocessLauncher *launcher, GError **error)
{
  int ends[2]; /* for reading, for writing */
  gboolean is_input = i == INPUT;

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s cannot be started: %s", self->options->name,
                         g_strerror (errno));
  self->pipes[i] = (GPollFD){ ends[is_input ? 1 : 0], is_input ? G_IO_OUT : G_IO_IN, 0 };
  fcntl (self->pipes[i].fd, F_SETFL, O_NONBLOCK);
  if (is_input)
    g_subprocess_launcher_take_stdin_fd (launcher, ends[0]);
  else if (i == OUTPUT)
    g_subprocess_launcher_take_stdout_fd (launcher, ends[1]);
  else
    g_subprocess_launcher_take_stderr_fd (launcher, ends[1]);
  return TRUE;
}

GobanChildProgram *
goban_child_program_start (const GobanChildProgramOptions *options, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  GobanChildProgram *self = g_new0 (GobanChildProgram, 1);
  g_autoptr (GError) why = NULL;
  const char *identifier;
  gboolean is_open = TRUE;

  self->options = options;
  self->written = g_string_new (NULL);
  self->complaints = g_string_new (NULL);
  for (guint i = 0; i < N_PIPES; i++)
    self->pipes[i].fd = -1;
  for (guint i = 0; i < N_PIPES && is_open; i++)
    is_open = open_pipe (self, i, launcher, error);
  g_subprocess_launcher_set_child_setup (launcher, begin_child_cb, GINT_TO_POINTER (getpid ()),
                                         NULL);
  if (is_open)
    {
      self->process = g_subprocess_launcher_spawnv (launcher, options->argv, &why);
      if (self->process == NULL)
        goban_set_error (error, GOBAN_ERROR_IO, "%s: “%s” cannot be started: %s", options->name,
                         options->argv[0], why->message);
    }
  if (self->process == NULL)
    {
      goban_child_program_free (self, 0);
      return NULL;
    }
  identifier = g_subprocess_get_identifier (self->process);
  if (identifier != NULL) /* NULL: it has ended already */
    self->pid = (pid_t) g_ascii_strtoll (identifier, NULL, 10);
  return self;
}

/* Whether it has ended within @seconds. */
static gboolean
wait_for_end (GobanChildProgram *self, double seconds)
{
  gint64 until_us = g_get_monotonic_time () + (gint64) (seconds * 1e6);

  while (g_subprocess_get_identifier (self->process) != NULL)
    {
      if (g_get_monotonic_time () >= until_us)
        return FALSE;
      g_usleep (EXIT_TICK_US);
    }
  return TRUE;
}

void
goban_child_program_free (GobanChildProgram *self, double grace_s)
{
  close_pipe (self, INPUT);
  if (self->process != NULL)
    {
      gboolean has_ended = wait_for_end (self, grace_s);

      /* The group may outlive its first process; as long as it does, its number is no other's. */
      if ((self->pid <= 0 || kill (-self->pid, SIGKILL) != 0) && !has_ended)
        g_subprocess_force_exit (self->process);
      g_subprocess_wait (self->process, NULL, NULL); /* it has no other way to fail */
      g_object_unref (self->process);
    }
  for (guint i = 0; i < N_PIPES; i++)
    close_pipe (self, i);
  g_string_free (self->written, TRUE);
  g_string_free (self->complaints, TRUE);
  g_free (self);
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* Reads what is there; a program that has closed the pipe leaves it closed here. */
static void
take_bytes (GobanChildProgram *self, guint i, GString *into)
{
  gsize before = into->len;
  gssize n;

  g_string_set_size (into, before + PIECE_BYTES);
  n = read (self->pipes[i].fd, into->str + before, PIECE_BYTES);
  g_string_set_size (into, before + (gsize) MAX (n, 0));
  if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
    close_pipe (self, i);
}

static void
take_complaints (GobanChildProgram *self)
{
  take_bytes (self, COMPLAINTS, self->complaints);
  if (self->complaints->len > KEPT_COMPLAINT_BYTES)
    g_string_erase (self->complaints, 0, self->complaints->len - KEPT_COMPLAINT_BYTES);
}

/* One round of waiting for what is asked of each pipe. %FALSE with an error if it was stopped or
 * has taken too long since @began_us. */
static gboolean
wait_round (GobanChildProgram *self, gboolean is_writing, gint64 began_us, GError **error)
{
  GPollFD asked[N_PIPES];
  guint pipe_of[N_PIPES];
  guint n = 0;

  for (guint i = 0; i < N_PIPES; i++)
    if (self->pipes[i].fd >= 0 && (i != INPUT || is_writing))
      {
        pipe_of[n] = i;
        asked[n] = self->pipes[i];
        asked[n++].revents = 0;
      }
  g_poll (asked, n, TICK_MS);
  for (guint k = 0; k < n; k++)
    if (asked[k].revents != 0 && pipe_of[k] == OUTPUT)
      take_bytes (self, OUTPUT, self->written);
    else if (asked[k].revents != 0 && pipe_of[k] == COMPLAINTS)
      take_complaints (self);

  if (self->options->should_stop != NULL && self->options->should_stop (self->options->user_data))
    return goban_refuse (error, GOBAN_ERROR_CANCELLED, "cancelled");
  if (g_get_monotonic_time () - began_us > (gint64) (self->options->timeout_s * 1e6))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s has been silent for %g s, after %" PRIu64
                         " lines: does it flush its output? A slow program needs a longer timeout",
                         self->options->name, self->options->timeout_s, self->n_lines);
  if (self->written->len - self->n_taken > GOBAN_CHILD_PROGRAM_MAX_LINE)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: line %" PRIu64 " is longer than %d MB",
                         self->options->name, self->n_lines + 1,
                         (int) (GOBAN_CHILD_PROGRAM_MAX_LINE >> 20));
  return TRUE;
}

/* Sets why nothing more comes. */
static void
say_ended (GobanChildProgram *self, GError **error)
{
  const char *name = self->options->name;

  /* Its last words may arrive after the end of its output. */
  wait_for_end (self, 1);
  for (guint i = 0; i < 16 && self->pipes[COMPLAINTS].fd >= 0; i++)
    take_complaints (self);
  if (g_subprocess_get_identifier (self->process) != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s has closed its output and runs on", name);
  else if (g_subprocess_get_if_signaled (self->process))
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s crashed: %s", name,
                     g_strsignal (g_subprocess_get_term_sig (self->process)));
  else
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s ended too early, with exit code %d, after %" PRIu64 " lines", name,
                     g_subprocess_get_exit_status (self->process), self->n_lines);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* write() that does not end the program when the other one is gone. */
static gssize
write_quietly (int fd, const char *bytes, gsize n)
{
  const struct timespec at_once = { 0, 0 };
  sigset_t broken, before;
  gssize written;
  int problem;

  sigemptyset (&broken);
  sigaddset (&broken, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &broken, &before);
  written = write (fd, bytes, n);
  problem = errno;
  if (written < 0 && problem == EPIPE && !sigismember (&before, SIGPIPE))
    sigtimedwait (&broken, NULL, &at_once);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = problem;
  return written;
}

gboolean
goban_child_program_write (GobanChildProgram *self, const GString *line, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();

  for (gsize at = 0; at < line->len;)
    {
      gssize n = self->pipes[INPUT].fd >= 0
                     ? write_quietly (self->pipes[INPUT].fd, line->str + at, line->len - at)
                     : 0;

      if (n > 0)
        {
          at += (gsize) n;
          began_us = g_get_monotonic_time ();
        }
      else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        {
          say_ended (self, error);
          return FALSE;
        }
      else if (!wait_round (self, TRUE, began_us, error))
        return FALSE;
    }
  return TRUE;
}

const char *
goban_child_program_read (GobanChildProgram *self, gsize *n, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  const char *line, *end;

  /* Seldom, as a program may have written many lines at once. */
  if (self->n_taken > self->written->len / 2)
    {
      g_string_erase (self->written, 0, (gssize) self->n_taken);
      self->n_taken = 0;
    }
  self->n_searched = 0;
  for (;;)
    {
      line = self->written->str + self->n_taken;
      end = memchr (line + self->n_searched, '\n',
                    self->written->len - self->n_taken - self->n_searched);
      if (end != NULL)
        break;
      self->n_searched = self->written->len - self->n_taken;
      if (self->pipes[OUTPUT].fd < 0)
        {
          say_ended (self, error);
          return NULL;
        }
      if (!wait_round (self, FALSE, began_us, error))
        return NULL;
    }
  *n = (gsize) (end - line);
  self->n_taken += *n + 1;
  self->n_lines++;
  return line;
}

/* Whether goban_child_program_read() would not wait. */
static gboolean
has_news (const GobanChildProgram *self)
{
  return self->pipes[OUTPUT].fd < 0
         || memchr (self->written->str + self->n_taken, '\n', self->written->len - self->n_taken)
                != NULL;
}

int
goban_child_programs_wait (GobanChildProgram *const *programs, guint n, GError **error)
{
  const GobanChildProgramOptions *options = programs[0]->options;
  g_autofree GPollFD *asked = g_new (GPollFD, 2 * n);

  for (;;)
    {
      for (guint i = 0; i < n; i++)
        if (has_news (programs[i]))
          return (int) i;
      for (guint i = 0; i < n; i++)
        {
          asked[2 * i] = programs[i]->pipes[OUTPUT];
          asked[2 * i + 1] = programs[i]->pipes[COMPLAINTS]; /* poll() skips one that is closed */
        }
      g_poll (asked, 2 * n, TICK_MS);
      for (guint i = 0; i < n; i++)
        {
          if (asked[2 * i].revents != 0)
            take_bytes (programs[i], OUTPUT, programs[i]->written);
          if (asked[2 * i + 1].fd >= 0 && asked[2 * i + 1].revents != 0)
            take_complaints (programs[i]);
        }
      if (options->should_stop != NULL && options->should_stop (options->user_data))
        {
          goban_set_error (error, GOBAN_ERROR_CANCELLED, "cancelled");
          return -1;
        }
    }
}

guint64
goban_child_program_get_n_lines (const GobanChildProgram *self)
{
  return self->n_lines;
}

void
goban_child_program_explain (GobanChildProgram *self, GError **error)
{
  g_autofree char *text = g_utf8_make_valid (self->complaints->str, (gssize) self->complaints->len);
  g_autofree char *last = NULL;
  g_autofree char *message = NULL;
  g_auto (GStrv) lines = NULL;
  guint n;

  for (char *c = g_strstrip (text); *c != '\0'; c++)
    if (g_ascii_iscntrl (*c) && *c != '\n')
      *c = ' ';
  if (*text == '\0')
    return;
  lines = g_strsplit (text, "\n", -1);
  n = g_strv_length (lines);
  last = g_strjoinv ("\n  ", lines + (n > SHOWN_COMPLAINTS ? n - SHOWN_COMPLAINTS : 0));
  message = g_strdup_printf ("%s; it wrote:\n  %s", (*error)->message, last);
  g_free ((*error)->message);
  (*error)->message = g_steal_pointer (&message);
}
