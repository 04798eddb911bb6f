#include "engine/core/data-file.h"
#include "tests/support/test-program.h"

#include <string.h>

/* A program that was built and not installed has nothing beside it: the source serves. */
static void
test_finds (void)
{
  g_autofree char *path = goban_data_file_find ("suites", "go14.json");
  g_autofree char *folder = goban_data_file_dup_folder ("suites", 1);

  g_assert_nonnull (path);
  g_assert_true (g_str_has_prefix (path, folder));
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

static void
test_finds_nothing (void)
{
  g_autofree char *folders = goban_data_file_dup_folders ("nothing");
  g_autofree char *installed = goban_data_file_dup_folder ("nothing", 2);

  g_assert_null (goban_data_file_find ("suites", "nobody.json"));
  g_assert_null (goban_data_file_find ("nothing", "go14.json"));
  /* A folder is no file. */
  g_assert_null (goban_data_file_find (".", "suites"));
  g_assert_nonnull (strstr (folders, installed));
}

TEST_PROGRAM (data_file)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/data-file/finds", test_finds);
  g_test_add_func ("/base/data-file/finds-nothing", test_finds_nothing);
  return g_test_run ();
}
