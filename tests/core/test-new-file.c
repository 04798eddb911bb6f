#include "engine/core/file-stream.h"
#include "engine/core/file.h"
#include "engine/core/new-file.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;

static const GobanNewFileFlags both_ways[] = { GOBAN_NEW_FILE_DEFAULT, GOBAN_NEW_FILE_NAMED };

static GobanNewFile *
begin (const char *path, GobanNewFileFlags flags, const char *text)
{
  int fd = -1;
  GobanNewFile *file = goban_new_file_begin (path, flags, &fd);

  g_assert_nonnull (file);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
  return file;
}

/* Another process that begins to write and is killed. */
static void
die_while_writing (const char *path, GobanNewFileFlags flags)
{
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      int fd = -1;
      GobanNewFile *file = goban_new_file_begin (path, flags, &fd);

      if (file == NULL || write (fd, "half", 4) != 4)
        _exit (1);
      kill (getpid (), SIGKILL);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));
}

/* Another process writes "other". One process visits a folder only once, and knows it by a number
 * that the file system may give to the next test's folder. */
static void
write_elsewhere (const char *path)
{
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      /* What was inherited is closed by a program that starts; locks are shared with it. */
      execl (program, program, "--write", path, NULL);
      _exit (1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  assert_file_holds (path, "other");
}

static void
test_replaces (TestFolder *f, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (both_ways); i++)
    {
      g_autoptr (GobanNewFile) first = begin (f->path, both_ways[i], "first");
      g_autoptr (GobanNewFile) second = NULL;

      g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
      g_assert_true (goban_new_file_commit (first));
      assert_file_holds (f->path, "first");
      second = begin (f->path, both_ways[i], "second");
      assert_file_holds (f->path, "first");
      g_assert_true (goban_new_file_commit (second));
      assert_file_holds (f->path, "second");
      g_assert_cmpuint (folder_count_files (f->folder), ==, 1);
      g_unlink (f->path);
    }
}

static void
test_without_commit_leaves_nothing (TestFolder *f, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (both_ways); i++)
    {
      goban_new_file_free (begin (f->path, both_ways[i], "new"));
      g_assert_cmpuint (folder_count_files (f->folder), ==, 0);
    }
}

/* Somebody else may have made the file meanwhile. */
static void
test_replaces_what_came_meanwhile (TestFolder *f, gconstpointer data)
{
  g_autoptr (GobanNewFile) file = begin (f->path, GOBAN_NEW_FILE_DEFAULT, "new");

  g_assert_true (g_file_set_contents (f->path, "meanwhile", -1, NULL));
  g_assert_true (goban_new_file_commit (file));
  assert_file_holds (f->path, "new");
  g_assert_cmpuint (folder_count_files (f->folder), ==, 1);
}

static void
test_permissions (TestFolder *f, gconstpointer data)
{
  mode_t mask = umask (027);
  GStatBuf about;

  for (gsize i = 0; i < G_N_ELEMENTS (both_ways); i++)
    {
      g_autoptr (GobanNewFile) first = begin (f->path, both_ways[i], "first");
      g_autoptr (GobanNewFile) second = NULL;

      g_assert_true (goban_new_file_commit (first));
      g_assert_cmpint (g_stat (f->path, &about), ==, 0);
      g_assert_cmpint (about.st_mode & 0777, ==, 0640);
      g_assert_cmpint (g_chmod (f->path, 0604), ==, 0);
      second = begin (f->path, both_ways[i], "second");
      g_assert_true (goban_new_file_commit (second));
      g_assert_cmpint (g_stat (f->path, &about), ==, 0);
      g_assert_cmpint (about.st_mode & 0777, ==, 0604);
      g_unlink (f->path);
    }
  umask (mask);
}

/* The writer that people use. */
static void
test_killed_writer_leaves_nothing (TestFolder *f, gconstpointer data)
{
  g_assert_true (g_file_set_contents (f->path, "old", -1, NULL));
  die_while_writing (f->path, GOBAN_NEW_FILE_DEFAULT);
  assert_file_holds (f->path, "old");
  /* A file system without nameless files leaves one, which the next writer removes. */
  write_elsewhere (f->path);
  g_assert_cmpuint (folder_count_files (f->folder), ==, 1);
}

static void
test_dead_writers_files_go (TestFolder *f, gconstpointer data)
{
  g_autofree char *foreign = g_build_filename (f->folder, ".goban-notes.tmp", NULL);

  die_while_writing (f->path, GOBAN_NEW_FILE_NAMED);
  g_assert_true (g_file_set_contents (foreign, "mine", -1, NULL));
  g_assert_cmpuint (folder_count_files (f->folder), ==, 2);
  write_elsewhere (f->path);
  assert_file_holds (foreign, "mine");
  g_assert_cmpuint (folder_count_files (f->folder), ==, 2);
}

static void
test_living_writers_file_stays (TestFolder *f, gconstpointer data)
{
  g_autoptr (GobanNewFile) living = begin (f->path, GOBAN_NEW_FILE_NAMED, "living");
  g_autofree char *other = g_build_filename (f->folder, "other.txt", NULL);

  write_elsewhere (other);
  g_assert_true (goban_new_file_commit (living));
  assert_file_holds (f->path, "living");
}

static void
test_errors (TestFolder *f, gconstpointer data)
{
  g_autofree char *nowhere = g_build_filename (f->folder, "nowhere", "a.txt", NULL);
  int fd = -1;

  for (gsize i = 0; i < G_N_ELEMENTS (both_ways); i++)
    {
      g_assert_null (goban_new_file_begin (nowhere, both_ways[i], &fd));
      g_assert_cmpint (errno, ==, ENOENT);
    }
}

TEST_PROGRAM (new_file)
{
  if (argc == 3 && g_str_equal (argv[1], "--write"))
    return goban_file_write (argv[2], "other", 5, NULL) ? 0 : 1; /* its status tells */

  program = argv[0];
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run)                                                                             \
  g_test_add ("/base/new-file/" name, TestFolder, "a.txt", test_folder_set_up, run,                \
              test_folder_tear_down)
  ADD ("replaces", test_replaces);
  ADD ("without-commit-leaves-nothing", test_without_commit_leaves_nothing);
  ADD ("replaces-what-came-meanwhile", test_replaces_what_came_meanwhile);
  ADD ("permissions", test_permissions);
  ADD ("killed-writer-leaves-nothing", test_killed_writer_leaves_nothing);
  ADD ("dead-writers-files-go", test_dead_writers_files_go);
  ADD ("living-writers-file-stays", test_living_writers_file_stays);
  ADD ("errors", test_errors);
#undef ADD
  return g_test_run ();
}
