#include "ui/panels/fuzzy.h"

#include <string.h>

/* Each letter found. */
#define LETTER 16
/* In front of a word, "h" of "place-heft" and "T" of "NodeTable"; the first of the text more. */
#define WORD_START 12
#define TEXT_START 4
/* Right behind the letter before. */
#define ADJACENT 16
/* Letters skipped between two that are found, or before the first, cost 1 each, up to this. */
#define MOST_GAP 8
#define NO_MATCH (-1000000)

static gboolean
is_letter (char c)
{
  return g_ascii_isalnum (c) || (c & 0x80) != 0;
}

static gboolean
is_same (char typed, char c)
{
  return g_ascii_tolower (typed) == g_ascii_tolower (c);
}

static int
score_place (const char *text, gsize at)
{
  char c = text[at];
  gboolean is_start;

  if (at == 0)
    return LETTER + WORD_START + TEXT_START;

  is_start
      = is_letter (c)
        && (!is_letter (text[at - 1]) || (g_ascii_isupper (c) && g_ascii_islower (text[at - 1]))
            || (g_ascii_isdigit (c) && !g_ascii_isdigit (text[at - 1])));
  return is_start ? LETTER + WORD_START : LETTER;
}

/* Whether the letters come in their order at all: most texts are refused here. */
static gboolean
is_subsequence (const char *word, gsize n_word, const char *text, gsize n_text)
{
  gsize found = 0;

  for (gsize i = 0; found < n_word && i < n_text; i++)
    found += is_same (word[found], text[i]);
  return found == n_word;
}

/* best[j] becomes the best score of the letters so far whose last is at j, from before[], the same
 * of one letter less: the best within a gap's reach, or the best of all that are further. */
static void
add_letter (int *best, const int *before, char letter, const char *text, gsize n_text)
{
  int furthest = NO_MATCH;

  for (gsize j = 0; j < n_text; j++)
    {
      int from = NO_MATCH;

      if (j > MOST_GAP + 1)
        furthest = MAX (furthest, before[j - MOST_GAP - 2] - MOST_GAP);
      best[j] = NO_MATCH;
      if (!is_same (letter, text[j]))
        continue;
      for (gsize gap = 0; gap <= MOST_GAP && gap < j; gap++)
        from = MAX (from, before[j - 1 - gap] + (gap == 0 ? ADJACENT : -(int) gap));
      from = MAX (from, furthest);
      if (from > NO_MATCH / 2)
        best[j] = from + score_place (text, j);
    }
}

/* The best of all ways to find the letters, by dynamic programming: O(letters x text x gap). */
static int
score_word (const char *word, gsize n_word, const char *text, gsize n_text)
{
  int rows[2][GOBAN_FUZZY_MOST_TEXT];
  int best = 0;

  if (!is_subsequence (word, n_word, text, n_text))
    return 0;

  for (gsize j = 0; j < n_text; j++)
    rows[0][j]
        = is_same (word[0], text[j]) ? score_place (text, j) - (int) MIN (j, MOST_GAP) : NO_MATCH;
  for (gsize i = 1; i < n_word; i++)
    add_letter (rows[i % 2], rows[(i + 1) % 2], word[i], text, n_text);
  for (gsize j = 0; j < n_text; j++)
    best = MAX (best, rows[(n_word + 1) % 2][j]);
  return best;
}

int
goban_fuzzy_score (const char *typed, const char *text)
{
  gsize n_text = MIN (strlen (text), GOBAN_FUZZY_MOST_TEXT);
  int sum = 1;

  for (typed += strspn (typed, " "); *typed != '\0'; typed += strspn (typed, " "))
    {
      gsize n_word = strcspn (typed, " ");
      int score = score_word (typed, MIN (n_word, GOBAN_FUZZY_MOST_TYPED), text, n_text);

      if (score == 0)
        return 0;
      sum += score;
      typed += n_word;
    }

  return sum;
}
