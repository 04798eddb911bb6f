#include "ui/draw/export/export-svg.h"

#include <string.h>

/* Text that cairo writes before such a number, and whether images or surfaces are counted. No
 * image's data contains a quote or a sharp. */
static const struct
{
  const char *word;
  guint kind;
} words[] = { { "surface", 0 }, { "\"image", 1 }, { "#image", 1 } };

/* The first of the words from @at on; NULL if there is none. */
static const guint8 *
find_word (const guint8 *at, const guint8 *end, guint *which)
{
  const guint8 *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const guint8 *found = memmem (at, (gsize) ((first != NULL ? first : end) - at), words[i].word,
                                    strlen (words[i].word));

      if (found == NULL)
        continue;
      first = found;
      *which = i;
    }
  return first;
}

GByteArray *
goban_svg_renumber (const GByteArray *svg)
{
  GByteArray *out = g_byte_array_sized_new (svg->len);
  g_autoptr (GHashTable) surfaces = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) images = g_hash_table_new (NULL, NULL);
  GHashTable *const numbers[] = { surfaces, images };
  const guint8 *at = svg->data;
  const guint8 *end = svg->data + svg->len;

  while (at < end)
    {
      guint which = 0;
      const guint8 *found = find_word (at, end, &which);
      const guint8 *digits = found != NULL ? found + strlen (words[which].word) : end;
      GHashTable *known = numbers[words[which].kind];
      guint64 number = 0;
      gpointer is;
      char text[24];

      g_byte_array_append (out, at, (guint) (digits - at));
      for (at = digits; at < end && g_ascii_isdigit (*at); at++)
        number = number * 10 + (*at - '0');
      if (at == digits)
        continue;
      is = g_hash_table_lookup (known, GSIZE_TO_POINTER (number + 1));
      if (is == NULL)
        {
          is = GUINT_TO_POINTER (g_hash_table_size (known) + 1);
          g_hash_table_insert (known, GSIZE_TO_POINTER (number + 1), is);
        }
      g_snprintf (text, sizeof text, "%u", GPOINTER_TO_UINT (is));
      g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
    }
  return out;
}
