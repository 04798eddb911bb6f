/* test-program.h: the main function of one test source.
 *
 * A folder's sources are linked into one program, tests/test-FOLDER, whose first argument is the
 * name of the source to run: `_b/tests/test-placers heft -p /heft/pipedream`. Each still runs in a
 * process of its own. Sources that need flags of their own are programs by themselves (TEST_ALONE).
 */
#pragma once

#include <glib.h>

#ifdef TEST_ALONE
#define TEST_PROGRAM(name) int main (int argc, char **argv)
#else
#define TEST_PROGRAM(name)                                                                         \
  int name##_tests (int argc, char **argv);                                                        \
  int name##_tests (int argc, char **argv)
#endif
