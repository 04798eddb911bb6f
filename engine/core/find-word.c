#include "engine/core/find-word.h"

#include <string.h>

/* Longer words are not compared. */
#define MOST_LETTERS 64

int
goban_find_word (const char *const *words, guint n, const char *word)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (words[i], word))
      return (int) i;
  return -1;
}

/* Restricted Damerau-Levenshtein distance, in bytes; both words have at most MOST_LETTERS.
 * rows[i % 3][j]: the distance of the first i of @a from the first j of @b. */
static guint
measure_distance (const char *a, const char *b)
{
  guint rows[3][MOST_LETTERS + 1];
  gsize n_a = strlen (a), n_b = strlen (b);

  for (guint j = 0; j <= n_b; j++)
    rows[0][j] = j;
  for (guint i = 1; i <= n_a; i++)
    {
      guint *row = rows[i % 3], *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];

      row[0] = i;
      for (guint j = 1; j <= n_b; j++)
        {
          row[j] = MIN (before[j - 1] + (a[i - 1] != b[j - 1]), MIN (before[j], row[j - 1]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], two_before[j - 2] + 1);
        }
    }
  return rows[n_a % 3][n_b];
}

int
goban_find_nearest_word (const char *const *words, guint n, const char *word)
{
  gsize length = strlen (word);
  gsize least = MAX (length / 3, length > 1) + 1;
  int nearest = -1;

  for (guint i = 0; i < n && length <= MOST_LETTERS; i++)
    {
      guint distance;

      if (strlen (words[i]) > MOST_LETTERS)
        continue;
      distance = measure_distance (word, words[i]);
      if (distance < least)
        {
          least = distance;
          nearest = (int) i;
        }
    }
  return nearest;
}
