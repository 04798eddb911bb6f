#include "engine/core/real-path.h"

#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <unistd.h>

typedef struct
{
  /* Real; has in/file, in/out (a link to the folder) and in/lost (a link to nowhere). */
  char *folder;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("goban-paths-XXXXXX", NULL);
  g_autofree char *in = NULL;
  g_autofree char *file = NULL;
  g_autofree char *out = NULL;
  g_autofree char *lost = NULL;

  f->folder = goban_real_path (made);
  in = g_build_filename (f->folder, "in", NULL);
  file = g_build_filename (in, "file", NULL);
  out = g_build_filename (in, "out", NULL);
  lost = g_build_filename (in, "lost", NULL);
  g_assert_cmpint (g_mkdir (in, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_cmpint (symlink (f->folder, out), ==, 0);
  g_assert_cmpint (symlink ("nowhere", lost), ==, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autofree char *out = g_build_filename (f->folder, "in", "out", NULL);
  g_autofree char *lost = g_build_filename (f->folder, "in", "lost", NULL);

  g_unlink (out);
  g_unlink (lost);
  remove_folder (f->folder);
  g_free (f->folder);
}

/* Names in the folder, and their real ones there; NULL: none. */
static void
test_names (Fixture *f, gconstpointer data)
{
  static const char *const cases[][2] = {
    { "in/file", "/in/file" },
    { "in/../in/./file", "/in/file" },
    { "in/out/in/file", "/in/file" },
    { "in/new", "/in/new" },
    { "in/new/newer", "/in/new/newer" },
    { "in/out/new", "/new" },
    { "in/new/.", "/in/new" },
    { "in/new/../../x", NULL },
    { "in/lost", NULL },
    { "in/lost/new", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_build_filename (f->folder, cases[i][0], NULL);
      g_autofree char *real = goban_real_path (name);
      g_autofree char *expected
          = cases[i][1] != NULL ? g_strconcat (f->folder, cases[i][1], NULL) : NULL;

      g_assert_cmpstr (real, ==, expected);
    }
}

static void
test_below (void)
{
  g_assert_true (goban_real_path_is_below ("/a/b", "/a"));
  g_assert_true (goban_real_path_is_below ("/a", "/a"));
  g_assert_true (goban_real_path_is_below ("/a", "/"));
  g_assert_false (goban_real_path_is_below ("/ab", "/a"));
  g_assert_false (goban_real_path_is_below ("/", "/a"));
}

/* In a process of its own, whose working folder it takes away. */
static void
test_removed_folder (void)
{
  if (g_test_subprocess ())
    {
      g_autofree char *folder = g_dir_make_tmp ("goban-paths-XXXXXX", NULL);

      g_assert_cmpint (g_chdir (folder), ==, 0);
      g_assert_cmpint (g_rmdir (folder), ==, 0);
      g_assert_null (goban_real_path ("."));
      g_assert_null (goban_real_path ("new"));
      g_assert_null (goban_real_path (""));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

TEST_PROGRAM (real_path)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/real-path/names", Fixture, NULL, set_up, test_names, tear_down);
  g_test_add_func ("/real-path/below", test_below);
  g_test_add_func ("/real-path/removed-folder", test_removed_folder);
  return g_test_run ();
}
