/* Load of other processes from the kernel's ticks, and cores that can be had. */
#include "engine/study/measure/machine.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char stat_text[] = "cpu  30 0 30 60 0 0 0 0 0 0\n"
                                "cpu0 10 1 10 20 5 1 1 2 99 99\n"
                                "cpu1 20 0 20 40 0 0 0 0 0 0\n"
                                "cpu10 1 1 1\n"
                                "intr 5\n";

/* Time of guests is part of the user's. */
static void
test_parse (void)
{
  const guint cpus[] = { 1, 0 }, missing[] = { 2 }, broken[] = { 10 };
  GobanCpuTicks ticks[2];
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_cpu_ticks_parse (stat_text, cpus, 2, ticks, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (ticks[0].busy, ==, 40);
  g_assert_cmpuint (ticks[0].total, ==, 80);
  g_assert_cmpuint (ticks[1].busy, ==, 25);
  g_assert_cmpuint (ticks[1].total, ==, 50);
  g_assert_false (goban_cpu_ticks_parse (stat_text, missing, 1, ticks, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "cpu2"));
  g_clear_error (&error);
  g_assert_false (goban_cpu_ticks_parse (stat_text, broken, 1, ticks, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
}

/* Two processors, a second of 100 ticks each: 150 busy, of which a second is our own. */
static void
test_load (void)
{
  g_assert_cmpfloat (goban_load_compute (150, 200, 1e6, 1e4), ==, 0.25);
  g_assert_cmpfloat (goban_load_compute (100, 200, 1.01e6, 1e4), ==, 0);
  g_assert_cmpfloat (goban_load_compute (0, 0, 0, 1e4), ==, 0);
  g_assert_cmpfloat (goban_load_compute (200, 200, 0, 1e4), ==, 1);
}

/* The whole count is less than before, because waiting time went back: 8 ticks were busy. */
static void
test_since (void)
{
  GobanCpuTicks some
      = goban_cpu_ticks_since ((GobanCpuTicks){ 10, 100 }, (GobanCpuTicks){ 15, 120 });
  GobanCpuTicks back
      = goban_cpu_ticks_since ((GobanCpuTicks){ 10, 100 }, (GobanCpuTicks){ 18, 95 });

  g_assert_cmpuint (some.busy, ==, 5);
  g_assert_cmpuint (some.total, ==, 20);
  g_assert_cmpuint (back.busy, ==, 8);
  g_assert_cmpuint (back.total, ==, 8);
}

static void
test_choose (void)
{
  guint cpus[GOBAN_MACHINE_MOST_CPUS];
  g_autofree char *note = NULL;
  g_autofree char *name = goban_machine_dup_name ();
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_machine_choose (1, cpus, &note, &error));
  g_assert_no_error (error);
  g_assert_null (note);
  g_assert_cmpstr (name, !=, "");
  g_assert_false (goban_machine_choose (0, cpus, &note, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (goban_machine_choose (GOBAN_MACHINE_MOST_CPUS + 1, cpus, &note, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

TEST_PROGRAM (machine)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/machine/parse", test_parse);
  g_test_add_func ("/measure/machine/load", test_load);
  g_test_add_func ("/measure/machine/since", test_since);
  g_test_add_func ("/measure/machine/choose", test_choose);
  return g_test_run ();
}
