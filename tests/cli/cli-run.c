#include "tests/cli/cli-run.h"

#include "tests/support/folder.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_US (240 * G_USEC_PER_SEC)

static char *program;
static char *folder;

void
cli_init (int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *built = NULL;

  g_test_init (argc, argv, NULL);
  if (*argc < 2)
    g_error ("the path of goban-cli is the first argument");
  /* Lines for the shell and paths in messages must stand a space. */
  folder = g_dir_make_tmp ("goban cli-XXXXXX", &error);
  g_assert_no_error (error);
  built = g_canonicalize_filename ((*argv)[1], NULL);
  program = g_build_filename (folder, "goban-cli", NULL);
  g_assert_cmpint (symlink (built, program), ==, 0);
}

int
cli_end (void)
{
  int status = g_test_run ();

  remove_folder (folder);
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&program, g_free);
  return status;
}

const char *
cli_program (void)
{
  return program;
}

char *
cli_temp (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

char *
cli_temp_with (const char *name, const char *text, gssize size)
{
  g_autoptr (GError) error = NULL;
  char *path = cli_temp (name);

  g_file_set_contents (path, text, size, &error);
  g_assert_no_error (error);
  return path;
}

char *
cli_read (const char *path, gsize *size)
{
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, size, &error);
  g_assert_no_error (error);
  return text;
}

guint
cli_count_files (const char *part)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += strstr (name, part) != NULL;
  return n;
}

void
cli_wait (gboolean (*condition) (const char *data), const char *data)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  while (!condition (data))
    {
      if (g_get_monotonic_time () > end_us)
        g_error ("waited in vain for %s", data);
      g_usleep (5000);
    }
}

/* The bytes, pictures too, with a zero after them. */
static char *
take_text (GBytes *bytes, gsize *size)
{
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  char *text = g_malloc0 (n + 1);

  if (n > 0)
    memcpy (text, data, n);
  if (size != NULL)
    *size = n;
  return text;
}

static GSubprocess *
start (const char *input_path, const char *const *argv)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) error = NULL;
  GSubprocess *child;

  g_subprocess_launcher_set_stdin_file_path (launcher,
                                             input_path != NULL ? input_path : "/dev/null");
  g_subprocess_launcher_setenv (launcher, "CLI", program, TRUE);
  child = g_subprocess_launcher_spawnv (launcher, argv, &error);
  g_assert_no_error (error);
  return child;
}

static CliResult
finish (GSubprocess *child)
{
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  g_autoptr (GError) error = NULL;
  CliResult result = { 0 };

  g_subprocess_communicate (child, NULL, NULL, &out, &err, &error);
  g_assert_no_error (error);

  result.exit_code = g_subprocess_get_if_exited (child) ? g_subprocess_get_exit_status (child) : -1;
  result.out = take_text (out, &result.out_size);
  result.err = take_text (err, NULL);
  return result;
}

static GSubprocess *
start_list (const char *input_path, const char *first, va_list rest)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer) program);
  for (const char *word = first; word != NULL; word = va_arg (rest, const char *))
    g_ptr_array_add (argv, (gpointer) word);
  g_ptr_array_add (argv, NULL);
  return start (input_path, (const char *const *) argv->pdata);
}

CliResult
cli_run (const char *first, ...)
{
  g_autoptr (GSubprocess) child = NULL;
  va_list rest;

  va_start (rest, first);
  child = start_list (NULL, first, rest);
  va_end (rest);
  return finish (child);
}

CliResult
cli_run_with_input (const char *input_path, const char *first, ...)
{
  g_autoptr (GSubprocess) child = NULL;
  va_list rest;

  va_start (rest, first);
  child = start_list (input_path, first, rest);
  va_end (rest);
  return finish (child);
}

CliResult
cli_run_until (gboolean (*condition) (const char *data), const char *data, const char *first, ...)
{
  g_autoptr (GSubprocess) child = NULL;
  va_list rest;

  va_start (rest, first);
  child = start_list (NULL, first, rest);
  va_end (rest);
  cli_wait (condition, data);
  g_subprocess_send_signal (child, SIGINT);
  return finish (child);
}

CliResult
cli_run_shell (const char *line)
{
  const char *const argv[] = { "/bin/sh", "-c", line, NULL };
  g_autoptr (GSubprocess) child = start (NULL, argv);

  return finish (child);
}

void
cli_assert (const CliResult *result, int exit_code)
{
  if (result->exit_code != exit_code)
    g_test_message ("exit code %d instead of %d; standard error: %s", result->exit_code, exit_code,
                    result->err);
  g_assert_cmpint (result->exit_code, ==, exit_code);
}

void
cli_result_clear (CliResult *result)
{
  g_clear_pointer (&result->out, g_free);
  g_clear_pointer (&result->err, g_free);
}

JsonNode *
cli_json (const CliResult *result)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, result->out, (gssize) result->out_size, &error);
  g_assert_no_error (error);
  g_assert_nonnull (json_parser_get_root (parser));
  return json_parser_steal_root (parser);
}

static gboolean
has_type (JsonNode *node, char letter)
{
  gboolean is_number = JSON_NODE_HOLDS_VALUE (node)
                       && (json_node_get_value_type (node) == G_TYPE_INT64
                           || json_node_get_value_type (node) == G_TYPE_DOUBLE);

  switch (letter)
    {
    case 's':
      return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
    case 'b':
      return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN;
    case 'n':
      return is_number;
    case 'N':
      return is_number || JSON_NODE_HOLDS_NULL (node);
    case 'a':
      return JSON_NODE_HOLDS_ARRAY (node);
    case 'o':
      return JSON_NODE_HOLDS_OBJECT (node);
    default:
      g_assert_not_reached ();
    }
}

void
cli_assert_keys (JsonObject *object, const char *keys)
{
  g_auto (GStrv) all = g_strsplit (keys, " ", -1);

  for (guint i = 0; all[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (all[i], ":", 2);
      JsonNode *node = json_object_get_member (object, pair[0]);

      if (node == NULL || !has_type (node, pair[1][0]))
        g_test_message ("“%s” is missing or of another type than %s", pair[0], pair[1]);
      g_assert_nonnull (node);
      g_assert_true (has_type (node, pair[1][0]));
    }
}
