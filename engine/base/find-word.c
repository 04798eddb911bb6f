#include "engine/base/find-word.h"

int
goban_find_word (const char *const *words, guint n, const char *word)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (words[i], word))
      return (int) i;
  return -1;
}
