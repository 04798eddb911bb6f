#include "engine/session/chosen-folders.h"
#include "tests/support/test-program.h"

/* Each folder once, whatever file is saved in it; another session has its own. */
static void
test_folders (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanSession) other = goban_session_new ();
  g_autofree char *working = g_get_current_dir ();
  const GPtrArray *folders = goban_chosen_folders_get (session);

  g_assert_cmpuint (folders->len, ==, 0);
  goban_chosen_folders_add (session, "/pictures/a.svg");
  goban_chosen_folders_add (session, "/pictures/b.svg");
  goban_chosen_folders_add (session, "/tables/../plans/c.json");
  goban_chosen_folders_add (session, "d.csv");
  g_assert_cmpuint (folders->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (folders, 0), ==, "/pictures");
  g_assert_cmpstr (g_ptr_array_index (folders, 1), ==, "/plans");
  g_assert_cmpstr (g_ptr_array_index (folders, 2), ==, working);
  g_assert_true (goban_chosen_folders_get (session) == folders);
  g_assert_cmpuint (goban_chosen_folders_get (other)->len, ==, 0);
}

TEST_PROGRAM (chosen_folders)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chosen-folders/folders", test_folders);
  return g_test_run ();
}
