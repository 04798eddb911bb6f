/* Lines to and from another program; test-external-policy.c has what goes wrong. */
#include "engine/study/programs/child-program.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const cat[] = { "cat", NULL };

static void
write_line (GobanChildProgram *program, const char *text)
{
  g_autoptr (GString) line = g_string_new (text);
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_child_program_write (program, line, &error));
  g_assert_no_error (error);
}

static void
assert_line (GobanChildProgram *program, const char *expected)
{
  g_autoptr (GError) error = NULL;
  gsize n = 0;
  const char *line = goban_child_program_read (program, &n, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, strlen (expected));
  g_assert_cmpmem (line, n, expected, strlen (expected));
}

/* Lines of any length, empty, several at once, and more than a pipe holds while nobody reads. */
static void
test_lines (void)
{
  const GobanChildProgramOptions options = { "cat", cat, 20, NULL, NULL };
  g_autoptr (GError) error = NULL;
  GobanChildProgram *program = goban_child_program_start (&options, &error);
  g_autofree char *large = g_strnfill (3 << 20, 'x');
  g_autofree char *line = g_strconcat (large, "\n", NULL);

  g_assert_no_error (error);
  write_line (program, "one\n");
  assert_line (program, "one");
  write_line (program, "\ntwo\nthr");
  assert_line (program, "");
  assert_line (program, "two");
  write_line (program, "ee\n");
  assert_line (program, "three");
  write_line (program, line);
  assert_line (program, large);
  g_assert_cmpuint (goban_child_program_get_n_lines (program), ==, 5);
  goban_child_program_free (program, 5);
}

/* Writing to a program that has ended is an error and no signal. */
static void
test_ended (void)
{
  static const char *const argv[] = { "true", NULL };
  const GobanChildProgramOptions options = { "true", argv, 20, NULL, NULL };
  g_autoptr (GError) error = NULL;
  GobanChildProgram *program = goban_child_program_start (&options, &error);
  g_autoptr (GString) line = g_string_new ("line\n");
  gsize n;

  g_assert_no_error (error);
  g_assert_null (goban_child_program_read (program, &n, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (goban_child_program_write (program, line, &error));
  g_assert_cmpstr (error->message, ==, "true ended too early, with exit code 0, after 0 lines");
  goban_child_program_free (program, 5);
}

/* What a program has started ends with it, even if it was the first to end. A pipe has no
 * end as long as one of them lives. */
static void
test_left_behind (void)
{
  g_autofree char *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "pipe", NULL);
  const char *const argv[] = { "sh", "-c", "exec 3> \"$0\"; sleep 60 & echo begun", path, NULL };
  const GobanChildProgramOptions options = { "sh", argv, 20, NULL, NULL };
  g_autoptr (GError) error = NULL;
  GobanChildProgram *program;
  gssize n = -1;
  char byte;
  int end;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  end = g_open (path, O_RDONLY | O_NONBLOCK, 0);
  g_assert_cmpint (end, >=, 0);
  program = goban_child_program_start (&options, &error);
  g_assert_no_error (error);
  assert_line (program, "begun");
  goban_child_program_free (program, 5);
  for (guint i = 0; i < 500 && n != 0; i++)
    {
      n = read (end, &byte, 1);
      g_assert_true (n == 0 || errno == EAGAIN);
      g_usleep (10000);
    }
  g_assert_cmpint (n, ==, 0);
  close (end);
  g_unlink (path);
  g_rmdir (folder);
}

/* Finds the one of several that has written, and that has ended. */
static void
test_several (void)
{
  static const char *const silent[] = { "cat", NULL };
  static const char *const talks[] = { "echo", "word", NULL };
  const GobanChildProgramOptions of_silent = { "cat", silent, 20, NULL, NULL };
  const GobanChildProgramOptions of_talker = { "echo", talks, 20, NULL, NULL };
  g_autoptr (GError) error = NULL;
  GobanChildProgram *programs[] = { goban_child_program_start (&of_silent, &error),
                                    goban_child_program_start (&of_talker, &error) };
  gsize n;

  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (goban_child_programs_wait (programs, 2, &error), ==, 1);
      g_assert_no_error (error);
      if (i == 0)
        g_assert_true (
            g_str_has_prefix (goban_child_program_read (programs[1], &n, &error), "word"));
    }
  g_assert_null (goban_child_program_read (programs[1], &n, &error));
  for (guint i = 0; i < 2; i++)
    goban_child_program_free (programs[i], 5);
}

/* Signals that we block are not blocked in it. */
static void
test_signal_mask (void)
{
  static const char *const argv[] = { "grep", "SigBlk", "/proc/self/status", NULL };
  const GobanChildProgramOptions options = { "grep", argv, 20, NULL, NULL };
  g_autoptr (GError) error = NULL;
  GobanChildProgram *program;
  sigset_t ours, before;

  if (!g_file_test ("/proc/self/status", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no /proc");
      return;
    }
  sigemptyset (&ours);
  sigaddset (&ours, SIGTERM);
  pthread_sigmask (SIG_BLOCK, &ours, &before);
  program = goban_child_program_start (&options, &error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  g_assert_no_error (error);
  assert_line (program, "SigBlk:\t0000000000000000");
  goban_child_program_free (program, 5);
}

TEST_PROGRAM (child_program)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/child-program/lines", test_lines);
  g_test_add_func ("/child-program/ended", test_ended);
  g_test_add_func ("/child-program/left-behind", test_left_behind);
  g_test_add_func ("/child-program/several", test_several);
  g_test_add_func ("/child-program/signal-mask", test_signal_mask);
  return g_test_run ();
}
