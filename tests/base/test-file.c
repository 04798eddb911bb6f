#include "engine/base/error.h"
#include "engine/base/file.h"

#include <glib/gstdio.h>
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/base/file/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/base/file/read-explains", Fixture, NULL, set_up, test_read_explains, tear_down);
  g_test_add ("/base/file/failed-write-leaves-the-old-file", Fixture, NULL, set_up,
              test_failed_write_leaves_the_old_file, tear_down);
  return g_test_run ();
}
