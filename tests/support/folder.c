#include "tests/support/folder.h"

#include <glib/gstdio.h>

void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_folder (child);
      else
        g_assert_cmpint (g_unlink (child), ==, 0);
    }
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

guint
folder_count_files (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

void
assert_file_holds (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

void
test_folder_set_up (TestFolder *f, gconstpointer file_name)
{
  f->folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
  f->path = g_build_filename (f->folder, file_name, NULL);
}

void
test_folder_tear_down (TestFolder *f, gconstpointer file_name)
{
  remove_folder (f->folder);
  g_free (f->folder);
  g_free (f->path);
}
