#include "engine/core/data-file.h"

#include "engine/core/error.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

static void
add_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
}

static void
test_find (void)
{
  g_autofree char *first = g_dir_make_tmp ("goban-samples-XXXXXX", NULL);
  g_autofree char *second = g_dir_make_tmp ("goban-samples-XXXXXX", NULL);
  const char *const folders[] = { "/no/such/folder", first, second, NULL };
  static const char *const cases[][2]
      = { { "toy", "toy.dot" }, { "toy.dot", "toy.dot" }, { "net", "net.json" } };
  g_autoptr (GError) error = NULL;

  add_file (first, "README.md");
  add_file (first, "toy.dot");
  add_file (first, "toys.dot");
  add_file (second, "net.json");
  add_file (second, "toy.json");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = goban_sample_find (folders, cases[i][0], &error);
      g_autofree char *name = NULL;

      g_assert_no_error (error);
      name = g_path_get_basename (path);
      g_assert_cmpstr (name, ==, cases[i][1]);
    }

  g_assert_null (goban_sample_find (folders, "to", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_cmpstr (error->message, ==,
                   "there is no sample 'to'; there are: toy.dot toys.dot net.json toy.json");
  remove_folder (first);
  remove_folder (second);
}

TEST_PROGRAM (samples)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/samples/find", test_find);
  return g_test_run ();
}
