#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

GobanNameCut
goban_name_cut (const char *name, gsize length, gboolean has_slashes)
{
  if (memchr (name, '/', length) != NULL)
    return GOBAN_CUT_SLASHES;
  if (memchr (name, '.', length) != NULL)
    return GOBAN_CUT_DOTS;

  return has_slashes ? GOBAN_CUT_NOWHERE : GOBAN_CUT_WORDS;
}

static gboolean
is_separator (char c)
{
  return c == '/' || c == '.' || c == '_';
}

gsize
goban_name_skip_separators (const char *name, gsize length, gsize from)
{
  while (from < length && is_separator (name[from]))
    from++;
  return from;
}

static gsize
find_end (const char *name, gsize length, gsize from, char separator)
{
  const char *end = from < length ? memchr (name + from, separator, length - from) : NULL;

  return end != NULL ? (gsize) (end - name) : length;
}

/* The end of the digits at @from, or @from itself if other characters precede the separator. */
static gsize
skip_number (const char *name, gsize length, gsize from, char separator)
{
  gsize end = from;

  while (end < length && g_ascii_isdigit (name[end]))
    end++;
  return end == length || name[end] == separator ? end : from;
}

static gsize
end_at_slash (const char *name, gsize length, gsize from)
{
  gsize end;

  while (from < length && name[from] == '/')
    from++;
  end = find_end (name, length, from, '/');
  return end < length ? end : 0;
}

static gsize
end_at_dot (const char *name, gsize length, gsize from)
{
  gsize end;

  while (from < length && name[from] == '.')
    from++;
  end = find_end (name, length, from, '.');
  if (end < length && end > from && !g_ascii_isdigit (name[end - 1]))
    {
      gsize past = skip_number (name, length, end + 1, '.');

      if (past > end + 1)
        end = past;
    }
  return end < length ? end : 0;
}

/* "stage2", "layer_3", "res2a": letters first, a number at the end, a letter after it at most. Not
 * "conv2d" of "conv2d_12", whose number is yet to come. */
static gboolean
is_numbered_word (const char *name, gsize length, gsize from, gsize end)
{
  if (!g_ascii_isalpha (name[from]))
    return FALSE;
  if (g_ascii_isdigit (name[end - 1]))
    return TRUE;

  return end - from > 2 && g_ascii_isalpha (name[end - 1]) && g_ascii_isdigit (name[end - 2])
         && skip_number (name, length, end + 1, '_') == end + 1;
}

static gsize
end_after_number (const char *name, gsize length, gsize from)
{
  gsize end;

  while (from < length && name[from] == '_')
    from++;
  for (end = find_end (name, length, from, '_'); end < length;
       end = find_end (name, length, end + 1, '_'))
    if (is_numbered_word (name, length, from, end))
      return end;
  return 0;
}

gsize
goban_name_scope_end (const char *name, gsize length, gsize from, GobanNameCut cut)
{
  switch (cut)
    {
    case GOBAN_CUT_SLASHES:
      return end_at_slash (name, length, from);
    case GOBAN_CUT_DOTS:
      return end_at_dot (name, length, from);
    case GOBAN_CUT_WORDS:
      return end_after_number (name, length, from);
    case GOBAN_CUT_NOWHERE:
    default:
      return 0;
    }
}

gboolean
goban_name_is_numbered (const char *part, gsize length, gsize *stem)
{
  gsize end = length;

  if (end > 1 && g_ascii_isalpha (part[end - 1]) && g_ascii_isdigit (part[end - 2]))
    end--;
  *stem = end;
  while (*stem > 0 && g_ascii_isdigit (part[*stem - 1]))
    (*stem)--;
  return *stem < end;
}

gboolean
goban_name_is_step (const char *part, gsize stem)
{
  static const char *const words[]
      = { "step", "t", "time", "timestep", "time_step", "while", "segment", "iteration", "unroll" };

  while (stem > 0 && (is_separator (part[stem - 1]) || part[stem - 1] == '-'))
    stem--;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strlen (words[i]) == stem && g_ascii_strncasecmp (part, words[i], stem) == 0)
      return TRUE;
  return FALSE;
}
