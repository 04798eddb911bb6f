#include "engine/io/text.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/io/node-fields.h"
#include "engine/io/packed.h"

#include <math.h>
#include <string.h>

/* Bytes at the beginning of a file that are searched for keys, and the most that one string takes
 * of them. */
#define SEARCHED_BYTES 65536
#define MOST_OF_STRING 64

#define EXCERPT_BYTES 40
#define MAX_TRANSFER_CELLS (1u << 26)

char *
goban_text_file_dup_start (const char *data, gsize size)
{
  static const char mark[] = "\xef\xbb\xbf";
  gsize start
      = size >= strlen (mark) && memcmp (data, mark, strlen (mark)) == 0 ? strlen (mark) : 0;

  for (gsize i = start; i < size && g_ascii_isspace (data[i]); i++)
    start = data[i] == '\n' ? i + 1 : start;
  return g_strndup (data + start, MIN (size - start, SEARCHED_BYTES));
}

guint
goban_text_file_line_at (const char *data, gsize size, gsize offset)
{
  guint line = 1;

  for (gsize i = 0; i < MIN (size, offset); i++)
    line += data[i] == '\n';
  return line;
}

gboolean
goban_text_file_check (const char *data, gsize size, const char *path, GError **error)
{
  const char *bad = NULL;

  if (size == 0)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the file is empty", path);
  if (size > G_MAXSSIZE || !g_utf8_validate_len (data, size, &bad))
    {
      gsize offset = bad != NULL ? bad - data : 0;

      return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: byte %zu is not UTF-8 text", path,
                           goban_text_file_line_at (data, size, offset), offset);
    }
  return TRUE;
}

gboolean
goban_text_file_init (GobanTextFile *self, const char *data, gsize size, const char *path,
                      GError **error)
{
  *self = (GobanTextFile){ .path = path };
  if (!goban_text_file_check (data, size, path, error))
    return FALSE;

  self->text = g_strndup (data, size);
  self->next = self->text;
  return TRUE;
}

void
goban_text_file_clear (GobanTextFile *self)
{
  g_clear_pointer (&self->text, g_free);
  self->next = NULL;
}

char *
goban_text_file_next_line (GobanTextFile *self)
{
  char *line = self->next;
  char *end;

  if (line == NULL || *line == '\0')
    return NULL;

  self->line++;
  end = strchr (line, '\n');
  if (end == NULL)
    {
      self->next = NULL;
      end = line + strlen (line);
    }
  else
    {
      self->next = end + 1;
      *end = '\0';
    }
  if (end > line && end[-1] == '\r')
    end[-1] = '\0';
  return line;
}

gboolean
goban_text_file_fail (const GobanTextFile *self, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s", self->path, self->line, message);
}

gboolean
goban_text_file_parse_number (const char *text, double *value)
{
  const char *end;
  double number;

  while (g_ascii_isspace (*text))
    text++;
  if (!goban_scan_number (text, &number, &end) || !isfinite (number))
    return FALSE;
  while (g_ascii_isspace (*end))
    end++;
  if (*end != '\0')
    return FALSE;

  *value = number;
  return TRUE;
}

gboolean
goban_text_file_parse_amount (const char *text, double *value)
{
  double number;

  if (!goban_text_file_parse_number (text, &number) || number < 0)
    return FALSE;

  *value = number;
  return TRUE;
}

gboolean
goban_text_file_parse_id (const char *text, guint64 *value)
{
  double number;

  if (!goban_text_file_parse_amount (text, &number) || number >= 0x1p53 || number != floor (number))
    return FALSE;

  *value = (guint64) number;
  return TRUE;
}

char *
goban_text_file_graph_name (const char *path)
{
  g_autofree char *inner = NULL;
  g_autofree char *base = NULL;
  char *dot;

  if (strcmp (path, GOBAN_TEXT_STDIN) == 0)
    return g_strdup ("");

  inner = goban_packed_dup_inner_path (path);
  base = g_path_get_basename (inner);
  dot = strrchr (base, '.');
  if (dot != NULL && dot != base)
    *dot = '\0';
  /* PipeDream's "resnet50.graph.txt" has two endings. */
  if (g_str_has_suffix (base, ".graph") && strlen (base) > strlen (".graph"))
    base[strlen (base) - strlen (".graph")] = '\0';
  if (!g_utf8_validate (base, -1, NULL))
    return g_utf8_make_valid (base, -1);
  return g_steal_pointer (&base);
}

char *
goban_text_file_dup_stem (const char *name)
{
  const char *slash = strrchr (name, '/');
  g_autofree char *stem = g_strdup (slash != NULL ? slash + 1 : name);
  gsize n = strlen (stem);
  const char *dot;

  while (n > 0 && g_ascii_isdigit (stem[n - 1]))
    n--;
  if (n > 0 && stem[n] != '\0' && strchr ("._-", stem[n - 1]) != NULL)
    n--;
  stem[n] = '\0';

  dot = strrchr (stem, '.');
  if (dot != NULL)
    return g_strdup (dot[1] != '\0' ? dot + 1 : "node");
  return *stem != '\0' ? g_steal_pointer (&stem) : g_strdup ("node");
}

char *
goban_text_file_excerpt (const char *text)
{
  gsize n = strlen (text);

  if (n <= EXCERPT_BYTES)
    return g_strdup (text);

  n = EXCERPT_BYTES;
  while (n > 0 && ((guchar) text[n] & 0xc0) == 0x80)
    n--;
  return g_strdup_printf ("%.*s…", (int) n, text);
}

gboolean
goban_text_file_check_kinds (const char *path, gsize n_kinds, gsize n_tensors, GError **error)
{
  if (n_kinds <= GOBAN_TEXT_MAX_KINDS && n_tensors <= MAX_TRANSFER_CELLS
      && n_tensors * n_kinds * n_kinds <= MAX_TRANSFER_CELLS)
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: %zu kinds of device for %zu tensors are more than fit here", path,
                       n_kinds, n_tensors);
}

static gboolean
is_too_much (double value)
{
  return value > GOBAN_TEXT_MAX_AMOUNT
         && isfinite (value); /* NAN: not given; INFINITY: cannot run */
}

/* (nullable): the first of the node's amounts that is too large. */
static const char *
find_too_much (const GobanGraph *graph, GobanNodeId v)
{
  guint n_kinds = goban_graph_get_n_kinds (graph);
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);

  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    if (is_too_much (
            G_STRUCT_MEMBER (double, goban_graph_get_node (graph, v), goban_node_fields[i].offset)))
      return goban_node_fields[i].name;
  for (guint k = 0; k < n_kinds; k++)
    if (is_too_much (goban_graph_get_time_us (graph, v, k)))
      return "time";
  for (guint t = 0; t < n_tensors; t++)
    {
      if (is_too_much (goban_graph_get_tensor (graph, first + t)->size_bytes))
        return "size of an output";
      for (guint k = 0; k < n_kinds * n_kinds; k++)
        if (is_too_much (goban_graph_get_transfer_us (graph, first + t, k / n_kinds, k % n_kinds)))
          return "time of a transfer";
    }
  return NULL;
}

static gboolean
check_amounts (const GobanGraph *graph, const char *path, GError **error)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = find_too_much (graph, v);

      if (name != NULL)
        return goban_refuse (error, GOBAN_ERROR_INVALID_GRAPH,
                             "%s: node “%s”: %s is out of range; it may be at most %g", path,
                             goban_graph_get_node (graph, v)->name, name, GOBAN_TEXT_MAX_AMOUNT);
    }
  return TRUE;
}

/* The quotation mark that ends the string, or @size. */
static gsize
find_quote (const char *data, gsize size, gsize first)
{
  const char *quote;

  for (gsize at = first; (quote = memchr (data + at, '"', size - at)) != NULL;)
    {
      gsize found = (gsize) (quote - data), before = found;

      while (before > first && data[before - 1] == '\\')
        before--;
      if ((found - before) % 2 == 0)
        return found;
      at = found + 1;
    }
  return size;
}

gboolean
goban_text_file_has_key (const char *data, gsize size, const char *key)
{
  gsize length = strlen (key), counted = 0;

  for (gsize at = 0; at < size && counted < SEARCHED_BYTES; at++, counted++)
    if (data[at] == '"')
      {
        gsize first = at + 1;

        at = find_quote (data, size, first);
        if (at < size && at - first == length && memcmp (data + first, key, length) == 0)
          return TRUE;
        counted += MIN (at - first, MOST_OF_STRING);
      }
  return FALSE;
}

GobanGraph *
goban_text_file_finish_graph (GobanGraphBuilder *builder, const char *path, GError **error)
{
  GobanGraph *graph;

  if (goban_graph_builder_get_n_nodes (builder) == 0)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: there are no nodes in it", path);
      return NULL;
    }

  graph = goban_graph_builder_finish (builder, NULL, error);
  if (graph == NULL)
    g_prefix_error (error, "%s: ", path);
  else if (!check_amounts (graph, path, error))
    g_clear_pointer (&graph, goban_graph_unref);
  return graph;
}
