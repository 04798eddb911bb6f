#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_round_trip (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (goban_file_write (f->path, "old", 3, &error));
  g_assert_true (goban_file_write (f->path, "new\0er", 6, &error));
  g_assert_no_error (error);

  bytes = goban_file_read (f->path, GOBAN_FILE_TEXT, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "new\0er", 6);
}

static void
test_failed_write_leaves_the_old_file (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *below = g_build_filename (f->path, "b.txt", NULL);
  g_autofree char *text = NULL;

  g_assert_true (goban_file_write (f->path, "old", 3, NULL)); /* the next lines would tell */
  g_assert_false (goban_file_write (below, "new", 3, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_true (g_file_get_contents (f->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old");
}

/* Renaming over a pipe or a device would leave a plain file in its place. */
static void
test_pipe_is_written_to (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  char text[8] = { 0 };
  GStatBuf about;
  int reader;

  g_assert_cmpint (mkfifo (f->path, 0600), ==, 0);
  reader = open (f->path, O_RDONLY | O_NONBLOCK);
  g_assert_true (goban_file_write (f->path, "new", 3, &error));
  g_assert_no_error (error);
  g_assert_cmpint (read (reader, text, sizeof text), ==, 3);
  g_assert_cmpstr (text, ==, "new");
  close (reader);
  g_assert_cmpint (g_stat (f->path, &about), ==, 0);
  g_assert_true (S_ISFIFO (about.st_mode));
}

static void
test_link_is_followed (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *link = g_build_filename (f->folder, "link", NULL);
  g_autofree char *text = NULL;
  GStatBuf about;

  g_assert_true (goban_file_write (f->path, "old", 3, &error));
  g_assert_cmpint (g_chmod (f->path, 0600), ==, 0);
  g_assert_cmpint (symlink (f->path, link), ==, 0);
  g_assert_true (goban_file_write (link, "new", 3, &error));
  g_assert_no_error (error);

  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (f->path, &text, NULL, NULL)); /* the next line would tell */
  g_assert_cmpstr (text, ==, "new");
  g_assert_cmpint (g_stat (f->path, &about), ==, 0);
  g_assert_cmpint (about.st_mode & 0777, ==, 0600); /* what was private stays so */
  g_unlink (link);
}

static void
test_write_explains (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *nowhere = g_build_filename (f->folder, "nowhere", "b.txt", NULL);
  g_autofree char *expected
      = g_strdup_printf ("%s: cannot be written: there is no such folder", nowhere);
  g_autofree char *folder = g_strdup_printf ("%s: cannot be written: it is a folder", f->folder);

  g_assert_false (goban_file_write (nowhere, "new", 3, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);
  g_assert_false (goban_file_write (f->folder, "new", 3, &error));
  g_assert_cmpstr (error->message, ==, folder);
}

TEST_PROGRAM (file)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run)                                                                             \
  g_test_add ("/base/file/" name, TestFolder, "a.txt", test_folder_set_up, run,                    \
              test_folder_tear_down)
  ADD ("round-trip", test_round_trip);
  ADD ("failed-write-leaves-the-old-file", test_failed_write_leaves_the_old_file);
  ADD ("pipe-is-written-to", test_pipe_is_written_to);
  ADD ("link-is-followed", test_link_is_followed);
  ADD ("write-explains", test_write_explains);
#undef ADD
  return g_test_run ();
}
