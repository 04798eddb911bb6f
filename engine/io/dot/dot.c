/* dot.c: reads DOT through cgraph; dot-names.h lists the attributes, dot-label.h the labels.
 *
 * The text is first checked by dot-check.c, since cgraph trusts its input. Groups and
 * clusters are passed over, and the edges of undirected graphs go from left to right. A text is
 * UTF-8, or Latin-1 if its graph has such a charset.
 */
#include "engine/core/error.h"
#include "engine/io/dot/dot-check.h"
#include "engine/io/dot/dot-graph.h"
#include "engine/io/dot/dot-lock.h"
#include "engine/io/dot/dot-write.h"
#include "engine/io/formats.h"
#include "engine/io/text.h"

#include <string.h>

/* cgraph's warnings about a text that it read all the same. */
static void
pass_on_messages (GobanGraphBuilder *builder, const char *messages)
{
  g_auto (GStrv) lines = g_strsplit (messages, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *text
          = g_str_has_prefix (lines[i], "Warning: ") ? strchr (lines[i], ' ') + 1 : lines[i];

      if (*text != '\0')
        goban_graph_builder_warn (builder, "%s", text);
    }
}

/* --- Latin-1 --------------------------------------------------------------------------------- */

/* Whether a sign, blanks and one of the names that Graphviz has for Latin-1 follow "charset". */
static gboolean
names_latin1 (const char *text, gsize n)
{
  static const char *const names[]
      = { "latin-1", "latin1", "l1", "iso-8859-1", "iso_8859-1", "iso8859-1", "iso-ir-100" };
  gboolean has_sign = FALSE;

  for (; n > 0 && (g_ascii_isspace (*text) || strchr ("=\"", *text) != NULL); text++, n--)
    has_sign = has_sign || *text == '=';
  for (guint i = 0; has_sign && i < G_N_ELEMENTS (names); i++)
    {
      gsize length = strlen (names[i]);

      if (length < n && g_ascii_strncasecmp (text, names[i], length) == 0
          && !g_ascii_isalnum (text[length]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
says_latin1 (const char *data, gsize size)
{
  static const char word[] = "charset";
  const char *p = data, *end = data + size;

  while ((p = memmem (p, (gsize) (end - p), word, strlen (word))) != NULL)
    {
      p += strlen (word);
      if (names_latin1 (p, (gsize) (end - p)))
        return TRUE;
    }
  return FALSE;
}

/* (transfer full): the text in UTF-8. */
static GString *
decode_latin1 (const char *data, gsize size)
{
  GString *text = g_string_sized_new (size + size / 8);

  for (gsize i = 0; i < size; i++)
    if ((guchar) data[i] < 0x80)
      g_string_append_c (text, data[i]);
    else
      g_string_append_unichar (text, (guchar) data[i]);
  return text;
}

/* --- the reader ------------------------------------------------------------------------------ */

static GobanGraph *
read_text (const char *data, gsize size, const char *path, const GobanReadOptions *options,
           GError **error)
{
  g_autofree char *messages = NULL;
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "dot");
  GError *stopped = NULL;
  Agraph_t *dot;
  gboolean ok = FALSE;
  g_auto (GobanDotChecked) checked = { 0 };
  GobanReadOptions reading = *options;

  if (!goban_dot_check (data, size, path, &checked, error))
    return NULL;

  if (goban_dot_skip_blanks (data, size, checked.end) < size)
    goban_graph_builder_warn (builder, "only the first graph in the file is read");

  if (!goban_dot_lock (options->progress, error))
    return NULL;
  if (checked.split != NULL)
    {
      reading.may_forget = FALSE;
      data = checked.split->str;
      checked.end = checked.split->len;
    }
  dot = goban_dot_parse (data, checked.end, &reading, &stopped);
  if (dot != NULL)
    {
      ok = goban_dot_read_graph (dot, path, options, builder, error);
      agclose (dot);
    }
  messages = goban_dot_unlock ();
  if (stopped != NULL)
    g_propagate_error (error, stopped);
  else if (dot == NULL)
    goban_dot_set_syntax_error (path, messages, error);
  else
    pass_on_messages (builder, messages);
  return ok ? goban_text_file_finish_graph (builder, path, error) : NULL;
}

static GobanGraph *
read_dot (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  g_autoptr (GError) mistake = NULL;
  GobanReadOptions reading = *options;
  g_autoptr (GString) decoded = NULL;

  if (goban_text_file_check (data, size, path, &mistake))
    return read_text (data, size, path, options, error);
  if (size == 0 || memchr (data, '\0', size) != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&mistake));
      return NULL;
    }
  if (!says_latin1 (data, size))
    {
      goban_set_error (error, GOBAN_ERROR_PARSE,
                       "%s; if it is Latin-1, write charset=\"latin1\"; into the graph",
                       mistake->message);
      return NULL;
    }
  decoded = decode_latin1 (data, size);
  reading.may_forget = FALSE;
  return read_text (decoded->str, decoded->len, path, &reading, error);
}

/* The end of @word if it begins at @at, otherwise @at. */
static gsize
skip_word (const char *head, gsize size, gsize at, const char *word)
{
  gsize n = strlen (word);

  return size - at > n && g_ascii_strncasecmp (head + at, word, n) == 0
                 && !g_ascii_isalnum (head[at + n]) && head[at + n] != '_'
             ? at + n
             : at;
}

/* [strict] graph|digraph [name] { */
static int
sniff_dot (const char *head, gsize size, const char *path)
{
  gsize at = skip_word (head, size, goban_dot_skip_blanks (head, size, 0), "strict");
  gsize start;

  start = goban_dot_skip_blanks (head, size, at);
  at = skip_word (head, size, start, "digraph");
  if (at == start)
    at = skip_word (head, size, start, "graph");
  if (at == start)
    return 0;

  at = goban_dot_skip_blanks (head, size, at);
  if (at < size && head[at] == '"')
    {
      const char *end = memchr (head + at + 1, '"', size - at - 1);

      at = end != NULL ? (gsize) (end - head) + 1 : size;
    }
  else
    while (at < size && !g_ascii_isspace (head[at]) && head[at] != '{')
      at++;
  at = goban_dot_skip_blanks (head, size, at);
  return at < size && head[at] == '{' ? 90 : 0;
}

const GobanFormat goban_format_dot = {
  .name = "dot",
  .extensions = ".dot .gv",
  .blurb = "Graphviz DOT: times and bytes as attributes, labels of XLA and PipeDream",
  .sniff = sniff_dot,
  .read = read_dot,
  .write = goban_dot_write,
};
