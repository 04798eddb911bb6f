/* serve, and --external: goban-cli between other programs. */
#include "tests/cli/cli-run.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *agent; /* tests/support/agent.c */

static const char load[]
    = "{\"id\":1,\"do\":\"load\",\"graph\":\"rnnlm:layers=1,granularity=coarse\","
      "\"cluster\":\"p100x2\"}\n";

static void
test_input (void)
{
  g_autofree char *text = g_strconcat (
      load, "garbage\n", "{\"id\":2,\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"heft\"}", NULL);
  g_autofree char *path = cli_temp_with ("requests.jsonl", text, -1);
  g_auto (CliResult) result = cli_run_with_input (path, "serve", NULL);
  g_auto (GStrv) lines = NULL;

  cli_assert (&result, 0);
  lines = g_strsplit (result.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  g_assert_true (g_str_has_prefix (lines[0], "{\"type\": \"hello\", \"protocol\": 1, "));
  g_assert_true (g_str_has_prefix (lines[1], "{\"id\": 1, \"graph\": \"g1\", "));
  g_assert_true (g_str_has_prefix (lines[2], "{\"id\": null, \"error\": \"line 2, column 1: "));
  g_assert_true (g_str_has_prefix (lines[3], "{\"id\": 2, \"plan\": \"p1\", "));
}

/* A line that is too long is answered, and the next one, too. */
static void
test_long_line (void)
{
  g_autofree char *text = g_strnfill ((17 << 20) + 3, '[');
  g_autofree char *path = NULL;
  g_auto (CliResult) result = { 0 };

  text[17 << 20] = '\n';
  strcpy (text + (17 << 20) + 1, "{}");
  path = cli_temp_with ("long.jsonl", text, -1);
  result = cli_run_with_input (path, "serve", "--no-files", NULL);
  cli_assert (&result, 0);
  g_assert_nonnull (strstr (result.out, "\"error\": \"line 1 is longer than 16 MB\"}\n"));
  g_assert_nonnull (strstr (result.out, "\"error\": \"line 2: do is missing\"}\n"));
}

/* --- sockets ---------------------------------------------------------------------------------- */

static gboolean
is_there (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static int
call (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int connection = socket (AF_UNIX, SOCK_STREAM, 0);

  g_assert_cmpuint (strlen (path), <, sizeof address.sun_path);
  strcpy (address.sun_path, path);
  g_assert_cmpint (connect (connection, (struct sockaddr *) &address, sizeof address), ==, 0);
  return connection;
}

/* (transfer full): the next line. */
static char *
hear (int connection)
{
  g_autoptr (GString) line = g_string_new (NULL);
  char byte = 0;

  while (byte != '\n' && read (connection, &byte, 1) == 1)
    g_string_append_c (line, byte);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static void
ask (int connection, const char *line, const char *begin)
{
  g_autofree char *answer = NULL;

  if (line != NULL)
    g_assert_cmpint (write (connection, line, strlen (line)), ==, (int) strlen (line));
  answer = hear (connection);
  g_test_message ("%s", answer);
  g_assert_true (g_str_has_prefix (answer, begin));
}

/* Two clients at once, each with graphs of its own; one leaves, and another comes. */
static void
test_socket (void)
{
  g_autofree char *path = cli_temp ("socket");
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) server = g_subprocess_new (
      G_SUBPROCESS_FLAGS_NONE, &error, cli_program (), "serve", "--socket", path, NULL);
  int a, b;

  g_assert_no_error (error);
  cli_wait (is_there, path);
  g_usleep (200000); /* it listens as soon as it has bound */
  a = call (path);
  b = call (path);
  ask (a, NULL, "{\"type\": \"hello\"");
  ask (b, NULL, "{\"type\": \"hello\"");
  ask (a, load, "{\"id\": 1, \"graph\": \"g1\"");
  ask (b, "{\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"heft\"}\n", "{\"id\": null, \"error\"");
  ask (b, load, "{\"id\": 1, \"graph\": \"g1\"");
  close (a);
  a = call (path);
  ask (a, NULL, "{\"type\": \"hello\"");
  ask (b, "{\"id\":2,\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"heft\"}\n",
       "{\"id\": 2, \"plan\"");
  g_subprocess_send_signal (server, SIGINT);
  g_subprocess_wait (server, NULL, NULL);
  g_assert_cmpint (g_subprocess_get_exit_status (server), ==, 130);
  g_assert_false (is_there (path));
  close (a);
  close (b);
}

static void
test_socket_mistakes (void)
{
  g_autofree char *taken = cli_temp_with ("taken", "text", -1);
  g_autofree char *far = g_strnfill (200, 'x');
  g_auto (CliResult) refused = cli_run ("serve", "--socket", taken, NULL);
  g_auto (CliResult) too_long = cli_run ("serve", "--socket", far, NULL);

  cli_assert (&refused, 3);
  g_assert_nonnull (strstr (refused.err, "taken: Address already in use"));
  assert_file_holds (taken, "text");
  cli_assert (&too_long, 3);
  g_assert_nonnull (strstr (too_long.err, "the path of a socket is shorter than"));
}

/* --- policies --------------------------------------------------------------------------------- */

static void
test_external (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *good = g_strdup_printf ("mine=%s step 12", agent);
  g_autofree char *bad = g_strdup_printf ("mine=%s exit 12", agent);
  g_auto (CliResult) placed
      = cli_run ("place", toy, "--policy", "mine", "--external", good, "--evals", "6", NULL);
  g_auto (CliResult) compared
      = cli_run ("compare", toy, "--policies", "heft,mine", "--external", good, NULL);
  g_auto (CliResult) failed = cli_run ("place", toy, "--policy", "mine", "--external", bad, NULL);
  g_auto (CliResult) wrong = cli_run ("place", toy, "--policy", "mine", "--external", "mine", NULL);

  cli_assert (&placed, 0);
  g_assert_nonnull (strstr (placed.out, "mine: "));
  g_assert_null (strstr (placed.err, "warning"));
  cli_assert (&compared, 0);
  cli_assert (&failed, 1);
  g_assert_nonnull (strstr (failed.err, "mine ended too early, with exit code 3"));
  g_assert_nonnull (strstr (failed.err, "no such model"));
  cli_assert (&wrong, 2);
  g_assert_nonnull (strstr (wrong.err, "“mine” is not NAME=COMMAND"));
}

TEST_PROGRAM (serve)
{
  cli_init (&argc, &argv);
  agent = argv[2];
  g_test_add_func ("/serve/input", test_input);
  g_test_add_func ("/serve/long-line", test_long_line);
  g_test_add_func ("/serve/socket", test_socket);
  g_test_add_func ("/serve/socket-mistakes", test_socket_mistakes);
  g_test_add_func ("/serve/external", test_external);
  return cli_end ();
}
