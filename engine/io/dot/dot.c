/* dot.c: reads DOT through cgraph, and writes it; dot-names.h lists the attributes.
 *
 * The text is first checked by dot-check.c, since cgraph trusts its input. Groups and
 * clusters are passed over, and the edges of undirected graphs go from left to right. A text is
 * UTF-8, or Latin-1 if its graph has such a charset.
 */
#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/io/dot/dot-check.h"
#include "engine/io/dot/dot-graph.h"
#include "engine/io/dot/dot-lock.h"
#include "engine/io/dot/dot-names.h"
#include "engine/io/formats.h"
#include "engine/io/node-fields.h"
#include "engine/io/text.h"

#include <math.h>
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

/* The end of a graph's name at @at: a word, "text", <a <b>text</b>>, or texts joined by "+". */
static gsize
skip_name (const char *head, gsize size, gsize at)
{
  int depth = 0;

  if (at < size && head[at] == '"')
    {
      while (++at < size && head[at] != '"')
        at += head[at] == '\\';
      at = goban_dot_skip_blanks (head, size, MIN (at + 1, size));
      if (at < size && head[at] == '+')
        return skip_name (head, size, goban_dot_skip_blanks (head, size, at + 1));
    }
  else if (at < size && head[at] == '<')
    do
      depth += (head[at] == '<') - (head[at] == '>');
    while (++at < size && depth > 0);
  else
    while (at < size && !g_ascii_isspace (head[at]) && head[at] != '{')
      at++;
  return at;
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

  at = skip_name (head, size, goban_dot_skip_blanks (head, size, at));
  at = goban_dot_skip_blanks (head, size, at);
  return at < size && head[at] == '{' ? 90 : 0;
}

/* --- writing --------------------------------------------------------------------------------- */

/* cgraph could write a graph object of its own, but its agwrite() puts nodes in the order in
 * which edges reach them, and ends strings that end in a backslash too late. */

/* A string in quotes. DOT cannot say an odd number of backslashes before a quote, a line end
 * or the end of the string: one is added there. */
static void
append_quoted (GString *out, const char *text)
{
  gboolean is_odd = FALSE;

  g_string_append_c (out, '"');
  for (const char *p = text;; p++)
    {
      if (is_odd && (*p == '"' || *p == '\n' || *p == '\0'))
        g_string_append_c (out, '\\');
      if (*p == '\0')
        break;
      if (*p == '"')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *p);
      is_odd = *p == '\\' && !is_odd;
    }
  g_string_append_c (out, '"');
}

/* Begins the attribute @name, after a bracket or a comma. */
static void
append_name (GString *out, gsize start, const char *name)
{
  g_string_append (out, out->len == start ? " [" : ", ");
  g_string_append (out, name);
  g_string_append_c (out, '=');
}

/* DOT's own numbers have no exponent: 1e-9 would be the two words 1 and e-9. */
static void
append_number (GString *out, double value)
{
  char buffer[GOBAN_QUANTITY_LEN];
  const char *quote = strchr (goban_format_double (buffer, value), 'e') != NULL ? "\"" : "";

  g_string_append_printf (out, "%s%s%s", quote, buffer, quote);
}

static void
append_text_attribute (GString *out, gsize start, const char *name, const char *value)
{
  append_name (out, start, name);
  append_quoted (out, value);
}

static gboolean
is_any (const GobanGraph *graph, guint kind)
{
  return strcmp (goban_graph_get_kind (graph, kind), GOBAN_ANY_KIND) == 0;
}

/* Returns whether there were any. */
static gboolean
append_times (GString *out, gsize start, const GobanGraph *graph, GobanNodeId node)
{
  gboolean any = FALSE;

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, node, k);
      g_autofree char *key = NULL;
      g_autoptr (GString) quoted = NULL;

      if (isnan (time_us))
        continue;
      key = g_strconcat (GOBAN_DOT_TIME_PREFIX, goban_graph_get_kind (graph, k), NULL);
      quoted = g_string_new (NULL);
      append_quoted (quoted, key);
      append_name (out, start, is_any (graph, k) ? GOBAN_DOT_TIME : quoted->str);
      if (isinf (time_us))
        g_string_append (out, GOBAN_DOT_NEVER);
      else
        append_number (out, time_us);
      any = TRUE;
    }
  return any;
}

/* The sizes of all outputs but a control tensor's. */
static void
append_bytes (GString *out, gsize start, const GobanGraph *graph, GobanNodeId node)
{
  char buffer[GOBAN_QUANTITY_LEN];
  guint n_tensors, n_written = 0;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

  for (guint i = 0; i < n_tensors; i++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, first + i);

      if (tensor->is_control)
        continue;
      if (n_written++ == 0)
        {
          append_name (out, start, GOBAN_DOT_BYTES);
          g_string_append_c (out, '"');
        }
      else
        g_string_append_c (out, ',');
      g_string_append (out, goban_format_double (buffer, tensor->size_bytes));
    }
  if (n_written > 0)
    g_string_append_c (out, '"');
}

static void
append_node (GString *out, const GobanGraph *graph, GobanNodeId id)
{
  const GobanNode *node = goban_graph_get_node (graph, id);
  gboolean has_time;
  gsize start;

  g_string_append (out, "  ");
  append_quoted (out, node->name);
  start = out->len;

  append_text_attribute (out, start, GOBAN_DOT_OP, node->op);
  has_time = append_times (out, start, graph, id);
  append_bytes (out, start, graph, id);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      double value = G_STRUCT_MEMBER (double, node, goban_node_fields[i].offset);

      if (value == 0)
        continue;
      append_name (out, start, goban_node_fields[i].name);
      append_number (out, value);
    }
  if (node->group != GOBAN_NO_GROUP)
    {
      append_name (out, start, GOBAN_DOT_COLOCATION);
      append_number (out, node->group);
    }
  if (node->phase != GOBAN_PHASE_FORWARD)
    append_text_attribute (out, start, GOBAN_DOT_PHASE, goban_phase_names[node->phase]);
  if (node->time_source != (has_time ? GOBAN_SOURCE_GIVEN : GOBAN_SOURCE_ESTIMATED))
    append_text_attribute (out, start, GOBAN_DOT_TIME_SOURCE,
                           goban_source_names[node->time_source]);
  if (node->size_source != GOBAN_SOURCE_GIVEN)
    append_text_attribute (out, start, GOBAN_DOT_SIZE_SOURCE,
                           goban_source_names[node->size_source]);
  g_string_append (out, "];\n");
}

/* Returns whether there were any. */
static gboolean
append_transfers (GString *out, gsize start, const GobanGraph *graph, GobanTensorId tensor)
{
  guint n_kinds = goban_graph_get_n_kinds (graph);
  gboolean any = FALSE;

  for (guint a = 0; a < n_kinds; a++)
    for (guint b = 0; b < n_kinds; b++)
      {
        double time_us = goban_graph_get_transfer_us (graph, tensor, a, b);
        g_autofree char *key = NULL;
        g_autoptr (GString) quoted = NULL;

        if (isnan (time_us))
          continue;
        key = g_strconcat (GOBAN_DOT_TIME_PREFIX, goban_graph_get_kind (graph, a), ">",
                           goban_graph_get_kind (graph, b), NULL);
        quoted = g_string_new (NULL);
        append_quoted (quoted, key);
        append_name (out, start,
                     is_any (graph, a) && is_any (graph, b) ? GOBAN_DOT_TIME : quoted->str);
        append_number (out, time_us);
        any = TRUE;
      }
  return any;
}

/* Which output of its producer a tensor is, control tensors not counted. */
static guint
get_port (const GobanGraph *graph, GobanTensorId tensor)
{
  guint n_tensors, port = 0;
  GobanTensorId first = goban_graph_get_node_tensors (
      graph, goban_graph_get_tensor (graph, tensor)->producer, &n_tensors);

  for (GobanTensorId t = first; t < tensor; t++)
    port += !goban_graph_get_tensor (graph, t)->is_control;
  return port;
}

static void
append_edge (GString *out, const GobanGraph *graph, const GobanEdge *edge)
{
  guint port = get_port (graph, edge->tensor);
  gsize start;
  gboolean has_transfer;

  g_string_append (out, "  ");
  append_quoted (out, goban_graph_get_node (graph, edge->tail)->name);
  g_string_append (out, " -> ");
  append_quoted (out, goban_graph_get_node (graph, edge->head)->name);
  start = out->len;

  has_transfer = append_transfers (out, start, graph, edge->tensor);
  if (goban_graph_get_tensor (graph, edge->tensor)->is_control)
    {
      append_name (out, start, GOBAN_DOT_CONTROL);
      g_string_append (out, "true");
    }
  else if (port > 0 || has_transfer)
    {
      append_name (out, start, GOBAN_DOT_TENSOR);
      append_number (out, port);
    }
  g_string_append (out, out->len > start ? "];\n" : ";\n");
}

/* By their heads, so that each node's inputs are written in their order. */
static void
append_edges_into (GString *out, const GobanGraph *graph, GobanNodeId node)
{
  GobanEdgeSpan edges = goban_graph_get_in_edges (graph, node);

  for (guint i = 0; i < edges.n; i++)
    append_edge (out, graph, goban_graph_get_edge (graph, edges.ids[i]));
}

/* Keeps nodes, edges, tensors, times and bytes; shapes are left out. (transfer full) */
static char *
write_dot (const GobanGraph *graph, gsize *size, GError **error)
{
  GString *out = g_string_new ("digraph ");

  append_quoted (out, goban_graph_get_name (graph));
  g_string_append (out, " {\n");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    append_node (out, graph, v);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    append_edges_into (out, graph, v);
  g_string_append (out, "}\n");

  *size = out->len;
  return g_string_free (out, FALSE);
}

const GobanFormat goban_format_dot = {
  .name = "dot",
  .extensions = ".dot .gv",
  .blurb = "Graphviz DOT: times and bytes as attributes, labels of XLA and PipeDream",
  .sniff = sniff_dot,
  .read = read_dot,
  .write = write_dot,
};
