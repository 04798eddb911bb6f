/* cli-run.h: runs the built goban-cli as a user does, and captures its output.
 *
 * The path of the program is the first argument of each test program of this folder.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

typedef struct
{
  int exit_code; /* -1 where a signal ended it */
  char *out;
  gsize out_size;
  char *err;
} CliResult;

/* g_test_init(), and a folder for each test program's own files. */
void cli_init (int *argc, char ***argv);
/* g_test_run(), after which the folder is gone. */
int cli_end (void);

const char *cli_program (void);

/* A path in the program's own folder. (transfer full) */
char *cli_temp (const char *name) G_GNUC_WARN_UNUSED_RESULT;
/* The same, holding @text. (transfer full) */
char *cli_temp_with (const char *name, const char *text, gssize size) G_GNUC_WARN_UNUSED_RESULT;
char *cli_read (const char *path, gsize *size) G_GNUC_WARN_UNUSED_RESULT;
/* How many files of the program's own folder have a name with @part in it. */
guint cli_count_files (const char *part);

/* Waits until @condition holds; what takes four minutes hangs, and the test fails. */
void cli_wait (gboolean (*condition) (const char *data), const char *data);

/* Runs goban-cli with these arguments, NULL-terminated, and waits for its end. */
CliResult cli_run (const char *first, ...) G_GNUC_NULL_TERMINATED;
/* The same with a file as standard input. */
CliResult cli_run_with_input (const char *input_path, const char *first,
                              ...) G_GNUC_NULL_TERMINATED;
/* Runs it until @condition holds, interrupts it as Ctrl+C does, and waits for its end. */
CliResult cli_run_until (gboolean (*condition) (const char *data), const char *data,
                         const char *first, ...) G_GNUC_NULL_TERMINATED;
/* Runs a line of sh, in which $CLI is the program. */
CliResult cli_run_shell (const char *line);
/* Runs it and asserts the exit code; says what came instead. */
void cli_assert (const CliResult *result, int exit_code);

void cli_result_clear (CliResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliResult, cli_result_clear)

/* What was printed, as JSON. (transfer full) */
JsonNode *cli_json (const CliResult *result) G_GNUC_WARN_UNUSED_RESULT;
/* Asserts that the object has the keys, each of the type its letter says: s string, n number,
 * N number or null, b boolean, a array, o object: "format:s nodes:n". */
void cli_assert_keys (JsonObject *object, const char *keys);
