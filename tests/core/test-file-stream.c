#include "engine/core/error.h"
#include "engine/core/file-stream.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <unistd.h>

static void
set_up (TestFolder *f, gconstpointer data)
{
  test_folder_set_up (f, data);
  g_assert_true (g_file_set_contents (f->path, "old", -1, NULL));
}

/* What is written appears whole when it is committed, and not before. */
static void
test_appears_whole (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GobanFileStream *stream = goban_file_stream_new (f->path, &error);

  g_assert_no_error (error);
  g_assert_true (goban_file_stream_write (stream, "new ", 4, &error));
  assert_file_holds (f->path, "old");
  g_assert_true (goban_file_stream_write (stream, "words", 5, &error));
  g_assert_true (goban_file_stream_commit (stream, &error));
  goban_file_stream_free (stream);
  assert_file_holds (f->path, "new words");
  g_assert_cmpuint (folder_count_files (f->folder), ==, 1);
}

static void
test_leaves_the_old (TestFolder *f, gconstpointer data)
{
  GobanFileStream *stream = goban_file_stream_new (f->path, NULL);

  g_assert_true (goban_file_stream_write (stream, "new", 3, NULL));
  goban_file_stream_free (stream);
  assert_file_holds (f->path, "old");
  g_assert_cmpuint (folder_count_files (f->folder), ==, 1);
}

/* A link stays one, and a folder or a lost path is refused. */
static void
test_places (TestFolder *f, gconstpointer data)
{
  g_autofree char *link = g_build_filename (f->folder, "link", NULL);
  g_autofree char *lost = g_build_filename (f->folder, "no", "where", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanFileStream) stream = NULL;

  g_assert_cmpint (symlink ("a", link), ==, 0);
  stream = goban_file_stream_new (link, NULL);
  g_assert_true (goban_file_stream_write (stream, "new", 3, NULL));
  g_assert_true (goban_file_stream_commit (stream, NULL));
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  assert_file_holds (f->path, "new");

  g_assert_null (goban_file_stream_new (f->folder, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_clear_error (&error);
  g_assert_null (goban_file_stream_new (lost, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

/* A full disk is an error of the write or of the commit, and said once. */
static void
test_full (TestFolder *f, gconstpointer data)
{
  g_autofree char *bytes = g_malloc0 (1 << 20);
  g_autoptr (GobanFileStream) stream = goban_file_stream_new ("/dev/full", NULL);
  g_autoptr (GError) error = NULL;
  gboolean is_written;

  if (stream == NULL)
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  is_written = goban_file_stream_write (stream, bytes, 1 << 20, &error)
               && goban_file_stream_commit (stream, &error);
  g_assert_false (is_written);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

TEST_PROGRAM (file_stream)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run)                                                                             \
  g_test_add ("/base/file-stream/" name, TestFolder, "a", set_up, run, test_folder_tear_down)
  ADD ("appears-whole", test_appears_whole);
  ADD ("leaves-the-old", test_leaves_the_old);
  ADD ("places", test_places);
  ADD ("full", test_full);
  return g_test_run ();
}
