#include "engine/io/traces/chrome-trace.h"
#include "engine/io/traces/trace-events.h"
#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

#include <string.h>

static void
test_exact_times (void)
{
  static const struct
  {
    const char *text;
    gint64 time_ns;
  } cases[] = { { "0", 0 },
                { "1712169512345693.007", 1712169512345693007 },
                { "1712169512345693.0074999", 1712169512345693007 },
                { "1712169512345693.0075", 1712169512345693008 },
                { "-1.5", -1500 },
                { "1.712169512345693007e15", 1712169512345693007 },
                { "17121695123456930070E-4", 1712169512345693007 },
                { "0.0004", 0 },
                { "1e-400", 0 },
                { "0e999", 0 },
                { "9223372036854775.807", G_MAXINT64 } };
  static const char *const bad[]
      = { "", "-", ".", "e5", "1e", "1e+", "NaN", "1.2.3", "1x", "9223372036854775.808", "1e300" };
  gint64 time_ns;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (goban_trace_parse_time (cases[i].text, strlen (cases[i].text), &time_ns));
      g_assert_cmpint (time_ns, ==, cases[i].time_ns);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (goban_trace_parse_time (bad[i], strlen (bad[i]), &time_ns));
}

/* @start and @span as the file has them. */
#define TIMED(head, name, start, span)                                                             \
  "{\"ph\": \"X\", " head ", \"name\": \"" name "\", \"ts\": " start ", \"dur\": " span "}"
#define SPAN(name, start, span)                                                                    \
  TIMED ("\"cat\": \"cpu_op\", \"pid\": 1, \"tid\": 1", name, start, span)
#define KERNEL(name, start, span)                                                                  \
  TIMED ("\"cat\": \"kernel\", \"pid\": 0, \"tid\": 7", name, start, span)

static GobanTraceEvents *
read_all (const char *text)
{
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  GobanTraceEvents *events = goban_chrome_trace_read (text, strlen (text), "x", &options, &error);

  g_assert_no_error (error);
  return events;
}

/* clang-format off */
#define TEN_KERNELS(day)                                                                           \
  KERNEL ("k0", day "1000", "8") "," KERNEL ("k1", day "1010", "8") ","                            \
  KERNEL ("k2", day "1020", "8") "," KERNEL ("k3", day "1030", "8") ","                            \
  KERNEL ("k4", day "1040", "8") "," KERNEL ("k5", day "1050", "8") ","                            \
  KERNEL ("k6", day "1060", "8") "," KERNEL ("k7", day "1070", "8") ","                            \
  KERNEL ("k8", day "1080", "8") "," KERNEL ("k9", day "1090", "8")
/* clang-format on */

/* Each text has one event too many or, at the end, none. */
static void
test_impossible (void)
{
  static const struct
  {
    const char *text;
    guint n_sound;
    double span_us;
  } cases[] = {
    /* a clock that was not read, since 1970 and since the machine started */
    { "[" TEN_KERNELS ("161520726450") "," KERNEL ("x", "0", "0") "]", 10, 98 },
    { "[" KERNEL ("x", "0", "5") "," TEN_KERNELS ("5000000") "]", 10, 98 },
    /* another clock, which counts nanoseconds */
    { "[" KERNEL ("x", "1615207264501000000", "5") "," TEN_KERNELS ("161520726450") "]", 10, 98 },
    /* a duration during which others begin on the same stream; the last of a
         stream */
    { "[" KERNEL ("x", "1035", "1600000.0") "," TEN_KERNELS ("") "]", 10, 98 },
    { "[" KERNEL ("x", "1100", "4294967295") "," TEN_KERNELS ("") "]", 10, 98 },
    { "[" KERNEL ("x", "1035", "18446744073709551") "," TEN_KERNELS ("") "]", 10, 98 },
    { "[" SPAN ("x", "1000", "1.8e16") "," TEN_KERNELS ("") "]", 10, 98 },
    /* an operation that goes beyond the one around it */
    { "[" SPAN ("x", "1002", "9000000") "," SPAN ("o", "1001", "9") "," TEN_KERNELS ("") "]", 11,
      98 },
    /* negative, not a number */
    { "[" KERNEL ("x", "1000", "-3") "," TEN_KERNELS ("") "]", 10, 98 },
    { "[" KERNEL ("x", "NaN", "3") "," TEN_KERNELS ("") "]", 10, 98 },
    { "[" KERNEL ("x", "1000", "Infinity") "," TEN_KERNELS ("") "]", 10, 98 },
    { "[" KERNEL ("x", "1e999", "3") "," TEN_KERNELS ("") "]", 10, 98 },
    /* sound: a recording from 0 on, a pause of an hour, a kernel for which a
       * thread waits, a program that sleeps, two operations a minute apart */
    { "[" KERNEL ("x", "0", "5") "," TEN_KERNELS ("") "]", 11, 1098 },
    { "[" KERNEL ("x", "3600000000", "5") "," TEN_KERNELS ("") "]", 11, 3599999005 },
    { "[" KERNEL ("x", "1100", "5000000") "," SPAN ("wait", "1100",
                                                    "5000001") "," TEN_KERNELS ("") "]",
      12, 5000101 },
    { "[" SPAN ("main", "1000", "9000000") "," TEN_KERNELS ("") "]", 11, 9000000 },
    { "[" SPAN ("a", "0", "1") "," SPAN ("b", "60000000", "70000000") "]", 2, 130000000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanTraceEvents) events = read_all (cases[i].text);
      double span_us = 0;

      g_test_message ("case %u", i);
      for (guint k = 0; k < events->events->len; k++)
        span_us = MAX (span_us, goban_trace_event (events, k)->finish_us);
      g_assert_cmpuint (events->events->len, ==, cases[i].n_sound);
      assert_near (span_us, cases[i].span_us, 1e-6);
      g_assert_cmpint (events->warnings->len > 0, ==, i < 12);
    }
}

TEST_PROGRAM (trace_clock)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/trace-clock/exact-times", test_exact_times);
  g_test_add_func ("/io/trace-clock/impossible", test_impossible);
  return g_test_run ();
}
