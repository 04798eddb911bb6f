/* dot.c: reads DOT through cgraph; dot-names.h lists the attributes, dot-label.h the labels.
 *
 * The text is first checked by dot-check.c, since cgraph trusts its input. Groups and
 * clusters are passed over, and the edges of undirected graphs go from left to right.
 */
#include "engine/base/error.h"
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

static GobanGraph *
read_dot (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  g_autofree char *messages = NULL;
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "dot");
  GError *stopped = NULL;
  Agraph_t *dot;
  gboolean ok = FALSE;
  gsize end = 0;

  if (!goban_text_file_check (data, size, path, error)
      || !goban_dot_check (data, size, path, &end, error))
    return NULL;

  if (goban_dot_skip_blanks (data, size, end) < size)
    goban_graph_builder_warn (builder, "only the first graph in the file is read");

  if (!goban_dot_lock (options->progress, error))
    return NULL;
  dot = goban_dot_parse (data, end, options, &stopped);
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

/* Where the word that begins at @at ends, or @at if it is another. */
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
  gsize at = size >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  gsize start;

  at = skip_word (head, size, goban_dot_skip_blanks (head, size, at), "strict");
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
