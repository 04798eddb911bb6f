#include "app/cli/cli-fit.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH 80
/* Narrower terminals break lines themselves. */
#define LEAST_WIDTH 40
/* The last column of a table has at least this share of the width, or its rest goes elsewhere. */
#define LEAST_SHARE 3
#define INDENT 2

guint
goban_cli_get_width (int file)
{
  struct winsize size;

  if (!isatty (file))
    return 0;
  if (ioctl (file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return USUAL_WIDTH;
  return MAX (size.ws_col, LEAST_WIDTH);
}

char *
goban_cli_dup_plain (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      gboolean is_c1 = (guchar) p[0] == 0xc2 && (guchar) p[1] >= 0x80 && (guchar) p[1] < 0xa0;

      if (is_c1 || (g_ascii_iscntrl (*p) && *p != '\n' && *p != '\t'))
        g_string_append (plain, "\xef\xbf\xbd");
      else
        g_string_append_c (plain, *p);
      p += is_c1;
    }
  return g_string_free (plain, FALSE);
}

static guint
get_columns (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

/* Indent of the continued line: the last column that begins after two spaces. */
static guint
find_indent (const char *line, guint width)
{
  guint most = width - width / LEAST_SHARE;
  guint indent = 0;
  guint column = 0;
  guint n_spaces = 0;
  gboolean has_text = FALSE;

  for (const char *p = line; *p != '\0' && column < most; p = g_utf8_next_char (p))
    {
      if (*p != ' ' && (n_spaces >= 2 || !has_text))
        indent = has_text ? column : column + INDENT;
      has_text |= *p != ' ';
      n_spaces = *p == ' ' ? n_spaces + 1 : 0;
      column += get_columns (g_utf8_get_char (p));
    }
  return MIN (indent, most);
}

/* The end of the part of @rest that fits: between two columns of a table if that leaves no more
 * than half of the room, else before a word, or anywhere if there is but one. */
static const char *
find_end (const char *rest, guint room)
{
  const char *end = rest;
  const char *space = NULL;
  const char *gap = NULL;
  gboolean has_text = FALSE;

  for (guint column = 0; *end != '\0'; end = g_utf8_next_char (end))
    {
      column += get_columns (g_utf8_get_char (end));
      if (*end == ' ' && has_text)
        space = end;
      if (*end == ' ' && has_text && end[1] == ' ' && column > room / 2)
        gap = end;
      has_text |= *end != ' ';
      if (column > room)
        return gap != NULL ? gap : space != NULL ? space : end;
    }
  return end;
}

static void
fit_line (GString *text, const char *line, guint width)
{
  guint indent = find_indent (line, width);
  const char *rest = line;
  const char *end = find_end (rest, width);

  for (;;)
    {
      gsize n = (gsize) (end - rest);

      while (*end != '\0' && n > 0 && rest[n - 1] == ' ')
        n--;
      g_string_append_len (text, rest, (gssize) n);
      while (*end == ' ')
        end++;
      if (*end == '\0')
        return;
      g_string_append_printf (text, "\n%*s", (int) indent, "");
      rest = end;
      end = find_end (rest, width - indent);
      if (end == rest) /* a character that is wider than the room */
        end = g_utf8_next_char (end);
    }
}

char *
goban_cli_fit (const char *text, guint width)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *fit = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (fit, '\n');
      fit_line (fit, lines[i], MAX (width, LEAST_WIDTH));
    }
  return g_string_free (fit, FALSE);
}
