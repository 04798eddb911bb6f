#include "engine/session/chosen-folders.h"
#include "tests/support/test-program.h"

/* All policies of a network get its file, and their own back; another session has its own. */
static void
test_networks (void)
{
  const char *const users[] = { "go-zeroshot", "go-finetune", NULL };
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanSession) other = goban_session_new ();

  g_assert_null (goban_chosen_networks_get (session, "go-zeroshot"));
  goban_chosen_networks_set (session, users, "a.net");
  g_assert_cmpstr (goban_chosen_networks_get (session, "go-zeroshot"), ==, "a.net");
  g_assert_cmpstr (goban_chosen_networks_get (session, "go-finetune"), ==, "a.net");
  g_assert_null (goban_chosen_networks_get (session, "regal"));
  g_assert_null (goban_chosen_networks_get (other, "go-zeroshot"));
  goban_chosen_networks_set (session, users + 1, "b.net");
  g_assert_cmpstr (goban_chosen_networks_get (session, "go-zeroshot"), ==, "a.net");
  g_assert_cmpstr (goban_chosen_networks_get (session, "go-finetune"), ==, "b.net");
  goban_chosen_networks_clear (session);
  g_assert_null (goban_chosen_networks_get (session, "go-zeroshot"));
  g_assert_null (goban_chosen_networks_get (session, "go-finetune"));
}

TEST_PROGRAM (chosen_networks)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chosen-networks/networks", test_networks);
  return g_test_run ();
}
