#include "engine/placers/search/name-words.h"

#include <string.h>

/* The number of a word, counted from 0; new ones get the next. */
static guint32
number_word (GHashTable *numbers, GStringChunk *strings, const char *word, gsize length)
{
  char *copy = g_string_chunk_insert_len (strings, word, (gssize) length);
  gpointer number;

  if (g_hash_table_lookup_extended (numbers, copy, NULL, &number))
    return GPOINTER_TO_UINT (number);
  number = GUINT_TO_POINTER (g_hash_table_size (numbers));
  g_hash_table_insert (numbers, copy, number);
  return GPOINTER_TO_UINT (number);
}

static gboolean
is_listed (const GArray *words, guint first, guint32 word)
{
  for (guint i = first; i < words->len; i++)
    if (g_array_index (words, guint32, i) == word)
      return TRUE;
  return FALSE;
}

/* Units of very many nodes, which hold a whole layer's parameters, stop at this many words: a move
 * draws one of them. */
#define MAX_WORDS 64

static guint
list_words (GobanNameWords *self, const GobanUnits *units, GArray *words)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GStringChunk) strings = g_string_chunk_new (1 << 16);

  self->unit_offsets = g_new (guint32, units->n_units + 1);
  for (guint u = 0; u < units->n_units; u++)
    {
      guint first = self->unit_offsets[u] = words->len;

      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        {
          const char *part = goban_graph_get_node (units->graph, units->nodes[i])->name;
          const char *end;

          while (words->len - first < MAX_WORDS && (end = strchr (part, '/')) != NULL)
            {
              guint32 word = number_word (numbers, strings, part, (gsize) (end - part));

              if (end > part && !is_listed (words, first, word))
                g_array_append_val (words, word);
              part = end + 1;
            }
        }
    }
  self->unit_offsets[units->n_units] = words->len;
  return g_hash_table_size (numbers);
}

GobanNameWords *
goban_name_words_new (const GobanUnits *units)
{
  GobanNameWords *self = g_new0 (GobanNameWords, 1);
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *next = NULL;
  guint n_entries;

  self->n_words = list_words (self, units, words);
  n_entries = words->len;
  self->words = (guint32 *) (void *) g_array_free (words, FALSE);

  self->word_offsets = g_new0 (guint32, self->n_words + 1);
  self->units = g_new (guint32, n_entries);
  for (guint i = 0; i < n_entries; i++)
    self->word_offsets[self->words[i] + 1]++;
  for (guint w = 0; w < self->n_words; w++)
    self->word_offsets[w + 1] += self->word_offsets[w];
  next = g_memdup2 (self->word_offsets, (self->n_words + 1) * sizeof *next);
  for (guint u = 0; u < units->n_units; u++)
    for (guint i = self->unit_offsets[u]; i < self->unit_offsets[u + 1]; i++)
      self->units[next[self->words[i]]++] = u;
  return self;
}

void
goban_name_words_free (GobanNameWords *self)
{
  g_free (self->word_offsets);
  g_free (self->units);
  g_free (self->unit_offsets);
  g_free (self->words);
  g_free (self);
}
