#include "engine/base/error.h"
#include "engine/base/file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("goban-file-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "a.txt", NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_unlink (f->path);
  g_rmdir (f->folder);
  g_free (f->path);
  g_free (f->folder);
}

static void
test_round_trip (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (goban_file_write (f->path, "old", 3, &error));
  g_assert_true (goban_file_write (f->path, "new\0er", 6, &error));
  g_assert_no_error (error);

  bytes = goban_file_read (f->path, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "new\0er", 6);
}

static void
test_read_explains (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *expected
      = g_strdup_printf ("%s: cannot be read: there is no such file", f->path);

  g_assert_null (goban_file_read (f->path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);

  g_assert_null (goban_file_read (f->folder, &error));
  g_assert_nonnull (strstr (error->message, "it is a folder"));
}

static void
test_failed_write_leaves_the_old_file (Fixture *f, gconstpointer data)
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
test_pipe_is_written_to (Fixture *f, gconstpointer data)
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
test_link_is_followed (Fixture *f, gconstpointer data)
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
test_write_explains (Fixture *f, gconstpointer data)
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/base/file/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/base/file/read-explains", Fixture, NULL, set_up, test_read_explains, tear_down);
  g_test_add ("/base/file/failed-write-leaves-the-old-file", Fixture, NULL, set_up,
              test_failed_write_leaves_the_old_file, tear_down);
  g_test_add ("/base/file/pipe-is-written-to", Fixture, NULL, set_up, test_pipe_is_written_to,
              tear_down);
  g_test_add ("/base/file/link-is-followed", Fixture, NULL, set_up, test_link_is_followed,
              tear_down);
  g_test_add ("/base/file/write-explains", Fixture, NULL, set_up, test_write_explains, tear_down);
  return g_test_run ();
}
