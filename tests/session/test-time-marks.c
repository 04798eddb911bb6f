/* Marks of times: their order, their names, and the lines and texts that make them again. */
#include "engine/session/time-marks.h"
#include "tests/support/test-program.h"

#include <math.h>

static void
note_cb (GString *log, const char *line)
{
  g_string_append_printf (log, "%s\n", line);
}

static void
test_order (void)
{
  g_autoptr (GobanTimeMarks) marks = goban_time_marks_new ();
  g_autoptr (GString) log = g_string_new (NULL);
  const GobanTimeMark *list;
  guint n;

  g_signal_connect_swapped (marks, "log", G_CALLBACK (note_cb), log);
  g_assert_null (goban_time_marks_step (marks, 0, 1));
  goban_time_marks_put (marks, 20, NULL);
  goban_time_marks_put (marks, 10, "B");
  goban_time_marks_put (marks, 30, NULL);
  goban_time_marks_put (marks, 30, "C"); /* as it is */
  goban_time_marks_put (marks, 30, "last");
  list = goban_time_marks_list (marks, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpstr (list[0].name, ==, "B");
  g_assert_cmpstr (list[1].name, ==, "A");
  g_assert_cmpstr (list[2].name, ==, "last");
  goban_time_marks_remove (marks, 15); /* nothing there */
  goban_time_marks_remove (marks, 10);
  goban_time_marks_clear (marks);
  goban_time_marks_clear (marks);
  g_assert_cmpstr (log->str, ==,
                   "view.mark(\"20us\", \"A\")\nview.mark(\"10us\", \"B\")\n"
                   "view.mark(\"30us\", \"C\")\nview.mark(\"30us\", \"last\")\n"
                   "view.unmark \"10us\"\nview.unmark()\n");
}

static void
test_ways (void)
{
  g_autoptr (GobanTimeMarks) marks = goban_time_marks_new ();

  goban_time_marks_put (marks, 10, "a");
  goban_time_marks_put (marks, 20, "b");
  g_assert_cmpstr (goban_time_marks_step (marks, (double) NAN, 1)->name, ==, "a");
  g_assert_cmpstr (goban_time_marks_step (marks, 10, 1)->name, ==, "b");
  g_assert_cmpstr (goban_time_marks_step (marks, 20, 1)->name, ==, "a");
  g_assert_cmpstr (goban_time_marks_step (marks, 15, -1)->name, ==, "a");
  g_assert_cmpstr (goban_time_marks_step (marks, 10, -1)->name, ==, "b");
  g_assert_cmpstr (goban_time_marks_step (marks, (double) NAN, -1)->name, ==, "b");
  g_assert_cmpstr (goban_time_marks_find_near (marks, 14, 5)->name, ==, "a");
  g_assert_cmpstr (goban_time_marks_find_near (marks, 16, 50)->name, ==, "b");
  g_assert_null (goban_time_marks_find_near (marks, 15, 4));
  g_assert_null (goban_time_marks_find (marks, "c"));
}

/* After Z comes A2; a name with spaces and any sign is itself again. */
static void
test_texts (void)
{
  g_autoptr (GobanTimeMarks) marks = goban_time_marks_new ();
  g_autoptr (GobanTimeMarks) again = goban_time_marks_new ();
  g_auto (GStrv) texts = NULL;
  g_auto (GStrv) same = NULL;
  const char *name;
  double time_us;

  for (guint i = 0; i < 27; i++)
    goban_time_marks_put (marks, i / 3.0, NULL);
  g_assert_nonnull (goban_time_marks_find (marks, "A2"));
  goban_time_marks_put (marks, 1e6, "warm-up is \"over\"");
  texts = goban_time_marks_to_texts (marks);
  goban_time_marks_set_texts (again, (const char *const *) texts);
  same = goban_time_marks_to_texts (again);
  g_assert_true (g_strv_equal ((const char *const *) texts, (const char *const *) same));

  g_assert_false (goban_time_mark_scan ("12", &time_us, &name));
  g_assert_false (goban_time_mark_scan ("12 ", &time_us, &name));
  g_assert_false (goban_time_mark_scan ("A", &time_us, &name));
  g_assert_false (goban_time_mark_scan ("inf A", &time_us, &name));
  g_assert_false (goban_time_mark_scan ("-1 A", &time_us, &name));
  g_assert_true (goban_time_mark_scan ("1.5 to B", &time_us, &name));
  g_assert_cmpfloat (time_us, ==, 1.5);
  g_assert_cmpstr (name, ==, "to B");
}

TEST_PROGRAM (time_marks)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-marks/order", test_order);
  g_test_add_func ("/time-marks/ways", test_ways);
  g_test_add_func ("/time-marks/texts", test_texts);
  return g_test_run ();
}
