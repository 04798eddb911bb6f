/* verb-serve.c: answers requests in lines of JSON, over standard input or a socket of the system.
 *
 * A connection has graphs and plans of its own, and a thread; its requests are answered in order.
 */
#include "app/cli/cli.h"

#include "engine/core/error.h"
#include "engine/study/programs/server.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define PIECE_BYTES 65536
#define MAX_CLIENTS 64
#define TICK_MS 200

typedef struct
{
  GobanServer *server;
  int input, output;
  GString *read;        /* bytes of lines that have not been answered */
  gsize n_searched;     /* of these, without an end of line */
  gboolean is_skipping; /* the rest of a line that is too long */
} Client;

static gint n_clients; /* atomic */

/* --- lines ------------------------------------------------------------------------------------ */

/* %FALSE if nobody hears it. */
static gboolean
send_all (int output, const char *text)
{
  for (gsize at = 0, n = strlen (text); at < n;)
    {
      gssize sent = write (output, text + at, n - at);

      if (sent < 0 && errno != EINTR)
        return FALSE;
      at += (gsize) MAX (sent, 0);
    }
  return TRUE;
}

static gboolean
answer (Client *self, const char *line, gsize n)
{
  g_autofree char *text = goban_server_answer (self->server, line, n, goban_cli_progress ());

  return send_all (self->output, text);
}

/* Answers the whole lines that were read. */
static gboolean
answer_lines (Client *self)
{
  gsize begin = 0;
  char *end;

  while ((end = memchr (self->read->str + begin + self->n_searched, '\n',
                        self->read->len - begin - self->n_searched))
         != NULL)
    {
      gsize n = (gsize) (end - self->read->str) - begin;

      if (!self->is_skipping && !answer (self, self->read->str + begin, n))
        return FALSE;
      self->is_skipping = FALSE;
      self->n_searched = 0;
      begin += n + 1;
    }
  g_string_erase (self->read, 0, (gssize) begin);
  if (self->read->len > GOBAN_SERVER_MAX_LINE && !self->is_skipping)
    {
      g_autofree char *text = goban_server_refuse_line (self->server);

      self->is_skipping = TRUE;
      if (!send_all (self->output, text))
        return FALSE;
    }
  if (self->is_skipping)
    g_string_truncate (self->read, 0);
  self->n_searched = self->read->len;
  return TRUE;
}

/* Whether there is something to read, before Ctrl+C: a signal may wake another thread than the one
 * that waits. */
static gboolean
wait_for (int input)
{
  GPollFD asked = { input, G_IO_IN | G_IO_HUP | G_IO_ERR, 0 };

  while (goban_progress_check (goban_cli_progress (), NULL))
    if (g_poll (&asked, 1, TICK_MS) > 0)
      return TRUE;
  return FALSE;
}

/* Until the client leaves, or Ctrl+C. */
static void
serve (int input, int output, gboolean reads_files)
{
  g_autofree char *greeting = goban_server_greet ();
  Client self = { goban_server_new (reads_files), input, output, g_string_new (NULL), 0, FALSE };
  gboolean goes_on = send_all (output, greeting);
  gssize n = 1;

  while (goes_on && n != 0 && wait_for (input))
    {
      gsize before = self.read->len;

      g_string_set_size (self.read, before + PIECE_BYTES);
      n = read (input, self.read->str + before, PIECE_BYTES);
      goes_on = n >= 0 || errno == EINTR;
      g_string_set_size (self.read, before + (gsize) MAX (n, 0));
      goes_on = goes_on && answer_lines (&self);
    }
  if (goes_on && self.read->len > 0) /* the last line may lack its end */
    answer (&self, self.read->str, self.read->len);
  g_string_free (self.read, TRUE);
  goban_server_free (self.server);
}

/* --- sockets ---------------------------------------------------------------------------------- */

typedef struct
{
  int connection;
  gboolean reads_files;
} Visit;

static gpointer
visit_worker (gpointer data)
{
  Visit *visit = data;

  serve (visit->connection, visit->connection, visit->reads_files);
  close (visit->connection);
  g_free (visit);
  g_atomic_int_add (&n_clients, -1);
  return NULL;
}

static gboolean
fail_path (const char *path, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: %s", path, g_strerror (errno));
}

/* One that a program left behind refuses whoever calls. */
static void
remove_left_socket (const struct sockaddr_un *address)
{
  int caller = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  GStatBuf about;

  if (g_lstat (address->sun_path, &about) == 0 && S_ISSOCK (about.st_mode)
      && connect (caller, (const struct sockaddr *) address, sizeof *address) != 0
      && errno == ECONNREFUSED)
    g_unlink (address->sun_path);
  close (caller);
}

/* A socket that nobody else may use. -1 with @error set. */
static int
listen_at (const char *path, GError **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener;
  mode_t before;
  gboolean is_bound;

  if (strlen (path) >= sizeof address.sun_path)
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s: the path of a socket is shorter than %d",
                       path, (int) sizeof address.sun_path);
      return -1;
    }
  strcpy (address.sun_path, path);
  remove_left_socket (&address);
  listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  before = umask (077);
  is_bound = bind (listener, (struct sockaddr *) &address, sizeof address) == 0;
  umask (before);
  if (is_bound && listen (listener, MAX_CLIENTS) == 0)
    return listener;
  fail_path (path, error);
  close (listener);
  return -1;
}

static int
serve_socket (const char *path, gboolean reads_files)
{
  g_autoptr (GError) error = NULL;
  int listener = listen_at (path, &error);

  if (listener < 0)
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  while (wait_for (listener))
    {
      int connection = accept (listener, NULL, NULL);
      Visit *visit;

      if (connection < 0)
        continue;
      if (g_atomic_int_add (&n_clients, 1) >= MAX_CLIENTS)
        {
          send_all (connection, "{\"error\": \"there are too many connections\"}\n");
          close (connection);
          g_atomic_int_add (&n_clients, -1);
          continue;
        }
      visit = g_new (Visit, 1);
      *visit = (Visit){ connection, reads_files };
      g_thread_unref (g_thread_new ("client", visit_worker, visit));
    }
  unlink (path);
  return goban_cli_is_interrupted () ? GOBAN_EXIT_INTERRUPTED : GOBAN_EXIT_OK;
}

static int
run_serve (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autofree char *path = NULL;
  gboolean no_files = FALSE;
  const GOptionEntry own[] = {
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &path,
      "Listen at this path, for any number of clients, in place of standard input", "PATH" },
    { "no-files", 0, 0, G_OPTION_ARG_NONE, &no_files,
      "Read no files: graphs and clusters are sent as text", NULL },
    { NULL },
  };

  if (!goban_cli_parse (&goban_verb_serve, &argc, &argv, &options, 0, own, 0, 0))
    return GOBAN_EXIT_USAGE;
  signal (SIGPIPE, SIG_IGN); /* a client that is gone ends its own conversation alone */
  if (path != NULL)
    return serve_socket (path, !no_files);
  serve (STDIN_FILENO, STDOUT_FILENO, !no_files);
  return goban_cli_is_interrupted () ? GOBAN_EXIT_INTERRUPTED : GOBAN_EXIT_OK;
}

const GobanVerb goban_verb_serve
    = { "serve", "", "Answer requests of another program, in lines of JSON", run_serve };
