#include "ui/widgets/cut-text.h"

#define IS_INSIDE_CHARACTER(byte) (((byte) &0xC0) == 0x80)
/* Text that is not UTF-8 may have any number of bytes that look like the inside of a character. */
#define MAX_CHARACTER_BYTES 6

const GobanTextBounds goban_label_bounds = { 4000, 60 };
const GobanTextBounds goban_line_bounds = { 1000, 1 };

gsize
goban_find_cut (const char *text, const GobanTextBounds *bounds)
{
  gsize n = 0;

  for (guint n_lines = 1; n < bounds->max_bytes && text[n] != '\0'; n++)
    if (text[n] == '\n' && n_lines++ >= bounds->max_lines)
      return n;
  for (guint i = 0; i < MAX_CHARACTER_BYTES && n > 0 && IS_INSIDE_CHARACTER (text[n]); i++)
    n--;
  return n;
}

gsize
goban_find_tail (const char *text, gsize n_bytes, const GobanTextBounds *bounds)
{
  gsize start = n_bytes;

  /* The end of the last line begins no other one. */
  for (guint n_lines = 0; start > 0 && n_bytes - start < bounds->max_bytes; start--)
    if (start < n_bytes && text[start - 1] == '\n' && ++n_lines >= bounds->max_lines)
      return start;
  for (guint i = 0; i < MAX_CHARACTER_BYTES && start < n_bytes && IS_INSIDE_CHARACTER (text[start]);
       i++)
    start++;
  return start;
}

char *
goban_dup_cut (const char *text, const GobanTextBounds *bounds)
{
  gsize n = goban_find_cut (text, bounds);
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) n);

  return text[n] == '\0' ? g_steal_pointer (&valid) : g_strconcat (valid, "…", NULL);
}
