#include "engine/core/crc32.h"
#include "tests/support/test-program.h"

/* The checks of the catalogue of CRC algorithms, and the end of every PNG file. */
static void
test_known (void)
{
  g_assert_cmphex (goban_crc32 ((const guint8 *) "123456789", 9), ==, 0xcbf43926);
  g_assert_cmphex (goban_crc32 ((const guint8 *) "IEND", 4), ==, 0xae426082);
  g_assert_cmphex (goban_crc32 ((const guint8 *) "", 0), ==, 0);
}

TEST_PROGRAM (crc32)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/crc32/known", test_known);
  return g_test_run ();
}
