/* rounds.h: number of repetitions of a randomised test, reduced under sanitizers.
 *
 * Sanitizers check memory, not figures, and are ten times slower: a fifth of the cases is enough
 * for them.
 */
#pragma once

#include <glib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_IS_SANITIZED TRUE
#else
#define TEST_IS_SANITIZED FALSE
#endif

/* At least one. */
static inline guint
test_rounds (guint n)
{
  return TEST_IS_SANITIZED ? MAX (n / 5, 1) : n;
}
