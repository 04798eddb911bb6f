#include "tests/support/test-program.h"
#include "ui/table/node-model.h"

static void
tell_cb (guint first, guint n, gpointer user_data)
{
  g_string_append_printf (user_data, "%u+%u ", first, n);
}

typedef struct
{
  GobanRowNotifier teller;
  GString *told;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->told = g_string_new (NULL);
  f->teller = (GobanRowNotifier){ .tell = tell_cb, .user_data = f->told };
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_string_free (f->told, TRUE);
}

static void
assert_told (Fixture *f, const char *expected)
{
  g_assert_cmpstr (f->told->str, ==, expected);
  g_string_truncate (f->told, 0);
}

/* Nobody has said what is in sight. */
static void
test_all (Fixture *f, gconstpointer data)
{
  goban_row_notifier_notify (&f->teller, 1000);
  assert_told (f, "0+1000 ");
  goban_row_notifier_notify (&f->teller, 0);
  assert_told (f, "");
}

/* Four more on either side are about to be seen. */
static void
test_in_sight (Fixture *f, gconstpointer data)
{
  goban_row_notifier_set_visible (&f->teller, 0, 20);
  assert_told (f, "");
  goban_row_notifier_notify (&f->teller, 1000);
  assert_told (f, "0+24 ");
  goban_row_notifier_set_visible (&f->teller, 100, 20);
  assert_told (f, "96+28 ");
  goban_row_notifier_notify (&f->teller, 1000);
  assert_told (f, "96+28 ");
  goban_row_notifier_notify (&f->teller, 110); /* a shorter table */
  assert_told (f, "96+14 ");
}

/* Each row is told once while it is scrolled to. */
static void
test_scrolling (Fixture *f, gconstpointer data)
{
  goban_row_notifier_set_visible (&f->teller, 100, 20);
  goban_row_notifier_notify (&f->teller, 1000);
  assert_told (f, "96+28 ");
  goban_row_notifier_set_visible (&f->teller, 103, 20);
  assert_told (f, "124+3 ");
  goban_row_notifier_set_visible (&f->teller, 100, 20);
  assert_told (f, "");
  goban_row_notifier_set_visible (&f->teller, 90, 20);
  assert_told (f, "86+10 ");
  goban_row_notifier_set_visible (&f->teller, 984, 20);
  assert_told (f, "980+20 ");
}

static void
test_short (Fixture *f, gconstpointer data)
{
  goban_row_notifier_set_visible (&f->teller, 0, 5);
  goban_row_notifier_notify (&f->teller, 30);
  assert_told (f, "0+30 ");
  goban_row_notifier_set_visible (&f->teller, 10, 5);
  assert_told (f, "");
}

TEST_PROGRAM (row_notifier)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run) g_test_add ("/row-notifier/" name, Fixture, NULL, set_up, run, tear_down)
  ADD ("all", test_all);
  ADD ("in-sight", test_in_sight);
  ADD ("scrolling", test_scrolling);
  ADD ("short", test_short);
#undef ADD
  return g_test_run ();
}
